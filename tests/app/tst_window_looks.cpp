// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/app_settings.h"
#include "app/gui/command_palette.h"
#include "app/gui/language.h"
#include "app/gui/report_pdf.h"
#include "app/gui/visible_boxes.h"
#include "core/session/sample_sessions.h"
#include "tests/app/window_bench.h"
#include "widgets/lesson_panel.h"

#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QDockWidget>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QMenuBar>
#include <QPushButton>
#include <QRegularExpression>
#include <QScrollArea>
#include <QScrollBar>
#include <QSlider>
#include <QSpinBox>
#include <QTabBar>
#include <QTextBrowser>

#include <cmath>

using namespace ridgepoint;
using namespace ridgepoint::test;

/// What a first look at the window found wanting: nothing cut, nothing hidden without a word.
class TestWindowLooks : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void cleanup() { useLanguage(QStringLiteral("en")); }
    void boxesAreSeenOnDark();
    void namesOfTabsAreWhole();
    void tabsTellModelDeviceAndModes();
    void theFootOfAPageKeepsItsNumber();
    void presenterModeIsOfChartsAlone();
    void presenterModeDoesNotOutliveItsPanels();
    void legendsAreWhole_data();
    void legendsAreWhole();
    void aSmallTimeAccountKeepsItsFigures_data();
    void aSmallTimeAccountKeepsItsFigures();
    void theAnatomyOpensOnWhatSaysMost();
    void runsAreNamedByTheirModes();
    void sentencesOfTheRecordCanBeReadToTheEnd();
    void aMeasuredPointIsNotCalledUnmeasured();
    void lessonsLeaveTheSessionAlone();
    void thePaletteSaysWhenItFindsNothing();
    void thePaletteKnowsOtherWords_data();
    void thePaletteKnowsOtherWords();
};

namespace {

const std::filesystem::path kSamples = RIDGEPOINT_SOURCE_DIR "/resources/samples";

QString sampleFile(const char *name)
{
    return QString::fromStdString((kSamples / name).string());
}

double contrast(const QColor &a, const QColor &b)
{
    const auto luminance = [](const QColor &c) {
        const auto channel = [](double v) { return v <= 0.03928 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4); };
        return 0.2126 * channel(c.redF()) + 0.7152 * channel(c.greenF()) + 0.0722 * channel(c.blueF());
    };
    const double light = std::max(luminance(a), luminance(b)), dark = std::min(luminance(a), luminance(b));
    return (light + 0.05) / (dark + 0.05);
}

void settled(MainWindow &window)
{
    window.resetLayout();
    for (int i = 0; i < 5; ++i) {
        QCoreApplication::processEvents();
        QTest::qWait(20);
    }
}

} // namespace

void TestWindowLooks::initTestCase()
{
    QLocale::setDefault(QLocale::c());
}

void TestWindowLooks::boxesAreSeenOnDark()
{
    VisibleBoxes style(QStringLiteral("fusion"));
    QCheckBox box(QStringLiteral("x"));
    box.setStyle(&style);
    for (const bool dark : {true, false}) {
        const QPalette palette = dark ? darkPalette() : lightPalette();
        box.setPalette(palette);
        box.resize(box.sizeHint());
        const QImage image = box.grab().toImage();
        // Along the middle of the box, from outside in: the frame is the pixel that stands out most.
        double most = 1;
        for (int x = 0; x < 12; ++x)
            most = std::max(most, contrast(image.pixelColor(x, image.height() / 2), palette.color(QPalette::Window)));
        QVERIFY2(most >= (dark ? 3.0 : 1.5), qPrintable(QStringLiteral("dark %1: contrast %2").arg(dark).arg(most)));
    }
}

void TestWindowLooks::namesOfTabsAreWhole()
{
    Bench bench;
    auto window = bench.window();
    window->resize(1024, 700);
    for (const char *name : {"h200-sweep-llama-2-7b-fp16.json", "h200-memory-llama-2-7b-fp16.json", "h200-anatomy-tinyllama-fp16.json", "h200-line.json"})
        QVERIFY(window->openSample(sampleFile(name)));
    settled(*window);
    const auto *bar = window->findChild<QTabBar *>(QStringLiteral("sessionTabs"));
    QCOMPARE(bar->count(), 4);
    QCOMPARE(bar->elideMode(), Qt::ElideNone);
    for (int i = 0; i < bar->count(); ++i)
        QVERIFY2(bar->tabRect(i).width() >= bar->fontMetrics().horizontalAdvance(bar->tabText(i)), qPrintable(bar->tabText(i)));
}

void TestWindowLooks::tabsTellModelDeviceAndModes()
{
    Bench bench;
    auto window = bench.window();
    QVERIFY(window->openSample(sampleFile("h200-sweep-llama-2-7b-fp16.json")));
    QVERIFY(window->openSample(sampleFile("h200-memory-llama-2-7b-fp16.json")));
    const auto *bar = window->findChild<QTabBar *>(QStringLiteral("sessionTabs"));
    QVERIFY2(bar->tabText(0) != bar->tabText(1), qPrintable(bar->tabText(0)));
    for (const int i : {0, 1}) {
        for (const char *word : {"Llama 2 7B", "H200", "sweep", "graph"})
            QVERIFY2(bar->tabText(i).contains(QLatin1String(word)), qPrintable(bar->tabText(i)));
    }
    QVERIFY(bar->tabText(0).contains(QStringLiteral("fused")));
    QVERIFY(window->windowTitle().contains(QStringLiteral("H200")));
}

void TestWindowLooks::theFootOfAPageKeepsItsNumber()
{
    const QFontMetricsF metrics(QApplication::font());
    const QString number = QStringLiteral("12 / 12");
    for (const int length : {10, 80, 400}) {
        const QString title(length, QLatin1Char('m'));
        for (const double width : {300.0, 600.0, 1200.0}) {
            const QString shown = reportFootTitle(title, number, metrics, width);
            QVERIFY(metrics.horizontalAdvance(shown) + metrics.horizontalAdvance(number) <= width);
            QVERIFY(shown == title || shown.endsWith(QChar(0x2026)));
        }
    }
}

void TestWindowLooks::presenterModeIsOfChartsAlone()
{
    Bench bench;
    auto window = bench.window();
    QVERIFY(window->openSample(sampleFile("h200-sweep-llama-2-7b-fp16.json")));
    settled(*window);
    const auto docks = [&] {
        QStringList shown;
        for (const QDockWidget *dock : window->findChildren<QDockWidget *>()) {
            if (dock->isVisible())
                shown << dock->objectName();
        }
        shown.sort();
        return shown;
    };
    const QStringList before = docks();
    QVERIFY(before.size() >= 4);
    window->setPresenterMode(true);
    QTest::qWait(60);
    QVERIFY2(docks().isEmpty(), qPrintable(docks().join(QLatin1Char(' '))));
    for (const char *id : {"roofline", "throughput", "latency", "time-account"}) {
        const ChartView *chart = window->charts()->chart(QLatin1String(id));
        if (!chart->isVisible())
            continue;
        QVERIFY2(chart->width() >= 600 && chart->height() >= 300, id);
        QCOMPARE(chart->shownLegend().size(), chart->wholeLegend().size());
    }
    window->setPresenterMode(false);
    QTest::qWait(60);
    QCOMPARE(docks(), before);
}

/// The panels that presenter mode hides are there at the next start.
void TestWindowLooks::presenterModeDoesNotOutliveItsPanels()
{
    Bench bench;
    {
        auto window = bench.window();
        settled(*window);
        window->setPresenterMode(true);
        window->close();
    }
    auto window = bench.window();
    QTest::qWait(60);
    QVERIFY(!window->findChild<QDockWidget *>(QStringLiteral("dockRecord"))->isVisible());
    window->setPresenterMode(false);
    QTest::qWait(60);
    QVERIFY(window->findChild<QDockWidget *>(QStringLiteral("dockRecord"))->isVisible());
}

void TestWindowLooks::legendsAreWhole_data()
{
    QTest::addColumn<QString>("sample");
    QTest::addColumn<QSize>("size");
    for (const char *name : {"h200-sweep-llama-2-7b-fp16.json", "h200-memory-llama-2-7b-fp16.json", "h200-line.json", "h200-ttft-tinyllama-fp16.json"}) {
        for (const QSize &size : {QSize(1280, 800), QSize(2560, 1080)})
            QTest::addRow("%s %d", name, size.width()) << sampleFile(name) << size;
    }
}

void TestWindowLooks::legendsAreWhole()
{
    QFETCH(QString, sample);
    QFETCH(QSize, size);
    Bench bench;
    auto window = bench.window();
    QVERIFY(window->openSample(sample));
    window->resize(size);
    settled(*window);
    for (const int page : {0, 1}) {
        window->charts()->showPage(page);
        QTest::qWait(60);
        for (const ChartView *chart : window->charts()->charts()) {
            if (chart->isVisible())
                QVERIFY2(chart->shownLegend().size() == chart->wholeLegend().size(),
                         qPrintable(chart->id() + QStringLiteral(": ") + chart->shownLegend().join(QStringLiteral(", ")) + QStringLiteral(" of ") +
                                    chart->wholeLegend().join(QStringLiteral(", "))));
        }
    }
}

void TestWindowLooks::aSmallTimeAccountKeepsItsFigures_data()
{
    QTest::addColumn<QString>("sample");
    QTest::addColumn<QString>("language");
    for (const char *name : {"h200-sweep-llama-2-7b-fp16.json", "h200-sweep-tinyllama-fp16.json", "h200-memory-llama-2-7b-fp16.json"})
        for (const char *language : {"en", "zh_CN"})
            QTest::addRow("%s %s", name, language) << sampleFile(name) << QString::fromLatin1(language);
}

/// In the smallest window each step of the account is named and has its time beside it.
void TestWindowLooks::aSmallTimeAccountKeepsItsFigures()
{
    QFETCH(QString, sample);
    QFETCH(QString, language);
    Bench bench;
    auto window = bench.window();
    QVERIFY(window->openSample(sample));
    window->setLanguage(language);
    window->messages()->show(MessageBar::Severity::Warning, QStringLiteral("x"), QStringLiteral("A message of several lines ").repeated(9));
    window->resize(1024, 700);
    window->resetLayout();
    settled(*window);
    ChartView *chart = window->charts()->chart(QStringLiteral("time-account"));
    QVERIFY(chart->isVisible() && chart->height() < 240);
    const QString path = bench.path("account.svg");
    QCOMPARE(chart->exportTo(path, chart->size(), 1), QString());
    const QString drawn = QString::fromUtf8(contentOf(path));
    QStringList missing, wanted;
    const auto rows = chart->table().rows;
    QVERIFY(rows.size() >= 5);
    for (const auto &row : rows) {
        // The measured time or why there is none; of the what-if values, the last, the forecast.
        const QString figure = QString::fromStdString(&row == &rows.back() ? row[4] : row[5].empty() ? row[6] : row[5]);
        wanted << figure;
        if (figure.isEmpty() || drawn.count(QLatin1Char('>') + figure) < wanted.count(figure))
            missing << QString::fromStdString(row[0]) + QStringLiteral(": ") + figure;
    }
    QVERIFY2(missing.isEmpty(), qPrintable(missing.join(QStringLiteral(", "))));
    QCOMPARE(drawn.count(QRegularExpression(QStringLiteral("b=[0-9]+</text>"))), qsizetype(rows.size()));
}

void TestWindowLooks::theAnatomyOpensOnWhatSaysMost()
{
    Bench bench;
    auto window = bench.window();
    QVERIFY(window->openSample(sampleFile("h200-anatomy-tinyllama-fp16.json")));
    const StepAnatomy *shown = shownAnatomy(*window->model());
    QVERIFY(shown && shown->kernels.size() > 100);
    QCOMPARE(shown->mode, DecodeMode::Graph);
    // The fused run is one kernel whose own clock gives the parts: no bar called "other".
    for (const RunRecord &run : window->model()->session()->runs) {
        if (run.plan.mode == DecodeMode::Fused)
            window->model()->setCurrentRun(run.plan.runId);
    }
    window->charts()->chart(QStringLiteral("anatomy"))->flush();
    const TextTable table = window->charts()->chart(QStringLiteral("anatomy"))->table();
    std::size_t parts = 0;
    for (const auto &row : table.rows) {
        QVERIFY(row[1] != "other");
        parts += row[0].find("clock") != std::string::npos ? 1 : 0;
    }
    QVERIFY(parts >= 6);
}

void TestWindowLooks::runsAreNamedByTheirModes()
{
    Bench bench;
    auto window = bench.window();
    QVERIFY(window->openSample(sampleFile("h200-anatomy-tinyllama-fp16.json")));
    QStringList names;
    for (const QAction *item : window->findChild<QMenu *>(QStringLiteral("menuRuns"))->actions())
        names << item->text();
    const auto *box = window->findChild<QComboBox *>(QStringLiteral("recordRuns"));
    for (int i = 0; i < box->count(); ++i)
        names << box->itemText(i);
    for (const char *mode : {"eager", "graph", "fused"})
        QCOMPARE(names.filter(QLatin1String(mode)).size(), 2);
}

void TestWindowLooks::sentencesOfTheRecordCanBeReadToTheEnd()
{
    Bench bench;
    auto window = bench.window();
    for (const char *name : {"h200-anatomy-tinyllama-fp16.json", "h200-line.json"}) {
        QVERIFY(window->openSample(sampleFile(name)));
        for (const QSize &size : {QSize(1280, 800), QSize(1024, 700)}) {
            window->resize(size);
            settled(*window);
            for (const char *label : {"recordAnatomySays", "recordLineSays"}) {
                auto *says = window->findChild<QLabel *>(QLatin1String(label));
                if (!says->isVisible())
                    continue;
                auto *area = qobject_cast<QScrollArea *>(says->parentWidget()->parentWidget());
                QVERIFY(area);
                QVERIFY2(says->height() >= says->heightForWidth(says->width()), label);
                QVERIFY(area->viewport()->height() + area->verticalScrollBar()->maximum() >= says->height());
                QVERIFY2(area->viewport()->height() >= says->fontMetrics().height() * 2, label);
            }
        }
    }
}

void TestWindowLooks::aMeasuredPointIsNotCalledUnmeasured()
{
    Bench bench;
    auto window = bench.window();
    QVERIFY(window->openSample(sampleFile("h200-sweep-llama-2-7b-fp16.json")));
    auto *page = window->findChild<QTextBrowser *>(QStringLiteral("explanation"));
    QVERIFY(window->model()->whatIf().batch == 1);
    QVERIFY2(!page->toPlainText().contains(QStringLiteral("Nothing of this was measured")), qPrintable(page->toPlainText().left(300)));
    QVERIFY(page->toPlainText().contains(QStringLiteral("measured batch 1")));
    emit page->anchorClicked(QUrl(QStringLiteral("point:0")));
    QVERIFY(window->model()->selection());
}

void TestWindowLooks::lessonsLeaveTheSessionAlone()
{
    Bench bench;
    auto window = bench.window();
    QVERIFY(window->openSample(sampleFile("h200-sweep-llama-2-7b-fp16.json")));
    const WhatIf before = window->model()->whatIf();
    action(*window, "actionLessons")->trigger();
    QVERIFY(window->model()->whatIf() == before);
    QVERIFY(!window->lessons()->plainText().isEmpty());
    // Nothing moved by hand, neither here nor in another session.
    const auto claims = [&] { return window->lessons()->plainText().contains(QStringLiteral("moved by hand")); };
    QVERIFY(!claims());
    auto *setUp = window->findChild<QPushButton *>(QStringLiteral("lessonAgain"));
    QVERIFY(setUp->isEnabled());
    window->newSession();
    QVERIFY(!claims());
    setUp->click();
    QVERIFY(!(window->model()->whatIf() == before));
    QVERIFY(!claims());
    window->showTab(0);
    QVERIFY2(!claims(), qPrintable(window->lessons()->plainText()));
    QVERIFY(window->model()->whatIf() == before);
}

void TestWindowLooks::thePaletteSaysWhenItFindsNothing()
{
    Bench bench;
    auto window = bench.window();
    action(*window, "actionPalette")->trigger();
    auto *filter = window->findChild<QLineEdit *>(QStringLiteral("paletteFilter"));
    auto *nothing = window->findChild<QLabel *>(QStringLiteral("paletteNothing"));
    QVERIFY(!nothing->isVisible());
    filter->setText(QStringLiteral("xyzzy"));
    QVERIFY(nothing->isVisible() && nothing->text().contains(QStringLiteral("xyzzy")));
    filter->clear();
    QVERIFY(!nothing->isVisible());
    window->findChild<CommandPalette *>()->close();
}

void TestWindowLooks::thePaletteKnowsOtherWords_data()
{
    QTest::addColumn<QString>("language");
    QTest::addColumn<QString>("typed");
    QTest::addColumn<QString>("found");
    QTest::newRow("Chinese") << "en" << "Chinese" << "actionLanguage-zh_CN";
    QTest::newRow("synonym") << "en" << "projector" << "actionPresenter";
    QTest::newRow("of the other language") << "en" << QStringLiteral("深色") << "actionThemeDark";
    QTest::newRow("English in Chinese") << "zh_CN" << "dark" << "actionThemeDark";
    QTest::newRow("English words in Chinese") << "zh_CN" << "reset layout" << "actionResetLayout";
    QTest::newRow("back to English") << "zh_CN" << "english" << "actionLanguage-en";
}

void TestWindowLooks::thePaletteKnowsOtherWords()
{
    QFETCH(QString, language);
    QFETCH(QString, typed);
    QFETCH(QString, found);
    Bench bench;
    auto window = bench.window();
    window->setLanguage(language);
    action(*window, "actionPalette")->trigger();
    window->findChild<QLineEdit *>(QStringLiteral("paletteFilter"))->setText(typed);
    const auto *list = window->findChild<QListWidget *>(QStringLiteral("paletteList"));
    const auto commands = CommandPalette::commandsOf(window->menuBar());
    QStringList names;
    for (int i = 0; i < list->count(); ++i)
        names << commands[list->item(i)->data(Qt::UserRole + 1).toInt()].action->objectName();
    window->findChild<CommandPalette *>()->close();
    window->setLanguage(QStringLiteral("en"));
    QVERIFY2(names.contains(found), qPrintable(names.join(QLatin1Char(' '))));
}

QTEST_MAIN(TestWindowLooks)
#include "tst_window_looks.moc"
