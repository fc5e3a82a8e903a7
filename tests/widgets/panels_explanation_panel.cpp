// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/format.h"
#include "core/session/import.h"
#include "tests/widgets/panels_test.h"
#include "core/session/verdict.h"
#include "widgets/panel_parts.h"
#include "widgets/panels.h"

#include <QTextBrowser>
#include <QTranslator>

using namespace ridgepoint;
using fixture::child;

/// The explanation panel: the numbers of the selected point, or of the prediction.
class PanelsExplanationPanel : public QObject {
    Q_OBJECT

private slots:
    void initTestCase()
    {
        QLocale::setDefault(QLocale::c());
        QVERIFY2(fixture::pinFont(), "The tests need the font DejaVu Sans (fonts-dejavu-core).");
    }

    /// The sweep of spec section 3: B = 270 GB/s, P = 50 TFLOP/s, overhead 8 ms, W = 2.2 GB, textbook.
    void predictionFillsInTheFiguresOfTheTable_data()
    {
        QTest::addColumn<double>("batch");
        QTest::addColumn<double>("context");
        QTest::addColumn<QStringList>("figures");
        QTest::newRow("1 at 256") << 1.0 << 256.0
                                  << QStringList{"2.21 GB", "16.2 ms", "0.997 FLOP/B", "185 FLOP/B", "memory-bound"};
        QTest::newRow("16 at 256") << 16.0 << 256.0 << QStringList{"2.29 GB", "16.5 ms", "704 us"};
        QTest::newRow("64 at 2048") << 64.0 << 2048.0 << QStringList{"5.15 GB", "27.1 ms", "never"};
        QTest::newRow("128 at 2048") << 128.0 << 2048.0 << QStringList{"8.11 GB", "38.0 ms", "never"};
    }
    void predictionFillsInTheFiguresOfTheTable()
    {
        QFETCH(double, batch);
        QFETCH(double, context);
        QFETCH(QStringList, figures);
        WorkbenchModel model;
        const ExplanationPanel panel(&model);
        WhatIf values = fixture::whatIf(true);
        values.accounting = Accounting::Textbook;
        values.batch = batch;
        values.context = context;
        model.setWhatIf(values);
        const QString text = panel.plainText();
        QVERIFY(text.startsWith("Prediction"));
        for (const QString &figure : figures)
            QVERIFY2(text.contains(figure), qPrintable(figure + " is not in\n" + text));
        QVERIFY(!text.contains("Measured"));
    }

    void anUnknownModelIsSaidAndHowToNameIt()
    {
        Session session = newSession();
        session.runs = importResults("model,device,dtype,batch,prompt,tpot_ms\nhouse-model,NVIDIA T4,fp16,1,128,9.1\n", "told.csv",
                                     ImportOptions(), *fixture::shippedCatalog())
                           .runs;
        WorkbenchModel model;
        model.setSession(std::make_shared<const Session>(session));
        const ExplanationPanel panel(&model);
        model.select(PointKey{session.runs.front().plan.runId, session.runs.front().points.front().index});
        const QString text = panel.plainText();
        QVERIFY2(text.contains("The model that was measured is not known") && text.contains("Name the model…"), qPrintable(text));
        QVERIFY2(text.contains("The model is not known, so there is no floor"), qPrintable(text));
        QVERIFY2(!text.contains("layers = 0") && !text.contains("no figures of this device"), qPrintable(text));
    }

    void selectedPointHasAVerdictWithItsEvidence_data()
    {
        QTest::addColumn<int>("index");
        QTest::addColumn<bool>("measured");
        QTest::newRow("finished") << 3 << true;
        QTest::newRow("out of memory") << 9 << false;
    }
    void selectedPointHasAVerdictWithItsEvidence()
    {
        QFETCH(int, index);
        QFETCH(bool, measured);
        WorkbenchModel model;
        model.setSession(std::make_shared<const Session>(fixture::sweepSession()));
        const ExplanationPanel panel(&model);
        model.select(PointKey{fixture::plan().runId, index});
        const QString text = panel.plainText();
        const Verdict judged = judge(*model.session(), *model.currentRun(), *model.selectedPoint());
        // What the core says stands there, sentence by sentence; times are written with their sign.
        const auto holds = [&](const Message &message) {
            const QString sentence =
                QString::fromStdString(message.english()).replace(QStringLiteral(" x "), QStringLiteral(" × "));
            QVERIFY2(text.contains(sentence), qPrintable(sentence + "\nis not in\n" + text));
        };
        QVERIFY(text.contains("Verdict: "));
        holds(judged.sentence);
        for (const Evidence &evidence : judged.evidence)
            holds(evidence.text);
        for (const Message &next : judged.next)
            holds(next);
        for (const Message &caution : judged.cautions)
            holds(caution);
        // The bend of its prompt, a row a batch; a point that was not measured has none.
        QCOMPARE(text.contains("Why the curve bends, prompt 128"), measured);
        QCOMPARE(text.contains("below linear"), measured || text.contains("The curve bends"));
    }

    void aMessageOfTheCoreIsTranslatedWithItsFiguresInPlace()
    {
        class Swapped : public QTranslator {
        public:
            QString translate(const char *context, const char *source, const char *, int) const override
            {
                return qstrcmp(context, "core") == 0 && qstrcmp(source, "%1 of %2 steps") == 0
                           ? QStringLiteral("of %2 steps: %1")
                           : QString();
            }
            bool isEmpty() const override { return false; }
        } swapped;
        const Message message{"%1 of %2 steps", {"3", "40"}};
        QCOMPARE(messageText(message), QStringLiteral("3 of 40 steps"));
        QCoreApplication::installTranslator(&swapped);
        QCOMPARE(messageText(message), QStringLiteral("of 40 steps: 3"));
        QCoreApplication::removeTranslator(&swapped);
        QCOMPARE(messageText({}), QString());
    }

    void selectedPointShowsItsRatioAndBand()
    {
        WorkbenchModel model;
        model.setSession(std::make_shared<const Session>(fixture::sweepSession()));
        const ExplanationPanel panel(&model);
        model.select(PointKey{fixture::plan().runId, 3});
        const QString text = panel.plainText();
        const SweepPoint *point = model.selectedPoint();
        QVERIFY(text.startsWith("Batch 64, prompt 128"));
        const double ratio = point->stepSeconds / point->forecast.floorNominal.floorSeconds();
        QVERIFY(text.contains(QString::fromStdString(format::ratio(ratio))));
        QVERIFY(text.contains("Memory-bound holds"));
        QVERIFY(text.contains(
            QString::fromStdString(format::ratio(point->stepSeconds / point->forecast.predicted->stepSeconds))));
        QVERIFY(text.contains("The model holds"));
        QVERIFY(text.contains("effective bytes"));
        QVERIFY(text.contains("270 GB/s")); // the run's own measured ceiling
        QVERIFY(!text.contains("Prediction"));
        // A slider does not change what a measured point says.
        WhatIf values = fixture::whatIf();
        values.batch = 3;
        model.setWhatIf(values);
        QCOMPARE(panel.plainText(), text);
        model.select(std::nullopt);
        QVERIFY(panel.plainText().startsWith("Prediction"));
    }

    void bandsAreSaidInWords_data()
    {
        QTest::addColumn<double>("ratio");
        QTest::addColumn<QString>("band");
        QTest::newRow("0.9") << 0.9 << "Impossible";
        QTest::newRow("1.2") << 1.2 << "Nearly at the bandwidth";
        QTest::newRow("2") << 2.0 << "Memory-bound holds";
        QTest::newRow("4") << 4.0 << "Part of the time moves no weights";
        QTest::newRow("9") << 9.0 << "Overhead rules";
    }
    void bandsAreSaidInWords()
    {
        QFETCH(double, ratio);
        QFETCH(QString, band);
        Session session = fixture::sweepSession();
        SweepPoint &point = session.runs[0].points[0];
        point.stepSeconds = ratio * point.forecast.floorNominal.floorSeconds();
        WorkbenchModel model;
        model.setSession(std::make_shared<const Session>(session));
        const ExplanationPanel panel(&model);
        model.select(PointKey{fixture::plan().runId, 0});
        QVERIFY2(panel.plainText().contains(band), qPrintable(panel.plainText()));
    }

    void pointsThatWereNotTimedSayWhy_data()
    {
        QTest::addColumn<int>("index");
        QTest::addColumn<QString>("title");
        QTest::addColumn<QString>("reason");
        QTest::newRow("skipped") << 8 << "Skipped"
                                 << "needs 5.19 GB, the limit is 5.00 GB";
        QTest::newRow("out of memory") << 9 << "Out of memory"
                                       << "out of memory at step 3";
    }
    void pointsThatWereNotTimedSayWhy()
    {
        QFETCH(int, index);
        QFETCH(QString, title);
        QFETCH(QString, reason);
        WorkbenchModel model;
        model.setSession(std::make_shared<const Session>(fixture::sweepSession()));
        const ExplanationPanel panel(&model);
        model.select(PointKey{fixture::plan().runId, index});
        QVERIFY(panel.plainText().contains(title));
        QVERIFY(panel.plainText().contains(reason));
        QVERIFY(!panel.plainText().contains("effective bytes"));
    }

    void aReasonIsNeverReadAsMarkup()
    {
        Session session = fixture::sweepSession();
        session.runs[0].points[8].reason = "<a href='http://example.org'>x</a> & <b>bold</b>";
        WorkbenchModel model;
        model.setSession(std::make_shared<const Session>(session));
        const ExplanationPanel panel(&model);
        model.select(PointKey{fixture::plan().runId, 8});
        QVERIFY(panel.plainText().contains("<a href='http://example.org'>x</a> & <b>bold</b>"));
        QVERIFY(!child<QTextBrowser>(panel, "explanation")->openLinks());
    }

    void whatAGpuTellsStandsBesideTheStep()
    {
        Session session = fixture::sweepSession();
        SweepPoint &point = session.runs[0].points[0];
        point.backToBackSeconds = 0.0125;
        point.backToBackSteps = 64;
        point.deviceUsedBytes = 5.25e9;
        point.attention = "decode: <own> kernel";
        point.graphNodes = 312;
        WorkbenchModel model;
        model.setSession(std::make_shared<const Session>(session));
        ExplanationPanel panel(&model);
        model.select(PointKey{fixture::plan().runId, 0});
        const QString text = panel.plainText();
        for (const char *part : {"host gap", "back to back", "12.5 ms", "a step among 64", "waiting for each step",
                                 "5.25 GB", "decode: <own> kernel", "312", "1590 MHz", "throttled steps", "1 of 40"})
            QVERIFY2(text.contains(QLatin1String(part)), part);
        model.select(PointKey{fixture::plan().runId, 1});
        QVERIFY(!panel.plainText().contains("back to back")); // not measured: not shown
        QVERIFY(!panel.plainText().contains("attention\n"));
    }

    void anotherDeviceThanTheProfilesIsSaid()
    {
        Session session = fixture::sweepSession();
        WorkbenchModel model;
        model.setSession(std::make_shared<const Session>(session));
        ExplanationPanel panel(&model);
        panel.setCatalog(fixture::shippedCatalog());
        model.select(PointKey{fixture::plan().runId, 0});
        QVERIFY(!panel.plainText().contains("Another device"));
        session.runs[0].provenance.deviceName = "NVIDIA H200";
        model.setSession(std::make_shared<const Session>(session));
        QVERIFY(panel.plainText().contains("Another device"));
        QVERIFY(panel.plainText().contains("'NVIDIA H200'"));
    }

    void aPointWithoutDatasheetHasNoFloor()
    {
        Session session = fixture::sweepSession();
        session.runs[0].plan.nominal = {};
        session.runs[0].plan.measured.reset();
        session.runs[0].points[0].forecast = {};
        WorkbenchModel model;
        model.setSession(std::make_shared<const Session>(session));
        const ExplanationPanel panel(&model);
        model.select(PointKey{fixture::plan().runId, 0});
        QVERIFY(panel.plainText().contains("no floor"));
        QVERIFY(!panel.plainText().contains("nan"));
    }

    void emptyModelTeaches()
    {
        WorkbenchModel model;
        const ExplanationPanel panel(&model);
        QVERIFY(panel.plainText().contains("Choose a device and a model"));
    }

    void textCanBeSelectedAndFollowsThePalette()
    {
        WorkbenchModel model;
        model.setSession(std::make_shared<const Session>(fixture::sweepSession()));
        model.select(PointKey{fixture::plan().runId, 3});
        ExplanationPanel panel(&model);
        auto *view = child<QTextBrowser>(panel, "explanation");
        QVERIFY(view->textInteractionFlags() & Qt::TextSelectableByMouse);
        QVERIFY(view->textInteractionFlags() & Qt::TextSelectableByKeyboard);
        panel.setPalette(lightPalette());
        const QString light = view->toHtml();
        panel.setPalette(darkPalette());
        QVERIFY(view->toHtml() != light);
        QVERIFY(view->toHtml().contains(ChartTheme::darkTheme().mutedText.name()));
    }
};

QTEST_MAIN(PanelsExplanationPanel)
#include "panels_explanation_panel.moc"
