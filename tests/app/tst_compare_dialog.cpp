// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/compare_dialog.h"
#include "app/gui/language.h"
#include "core/session/compare.h"
#include "tests/app/window_bench.h"
#include "widgets/comparison_chart.h"

#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QLabel>
#include <QListWidget>
#include <QMenu>
#include <QTableWidget>

#include <qcustomplot.h>

using namespace ridgepoint;
using namespace ridgepoint::test;

/// Sessions held against one another in the window.
class TestCompareDialog : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void cleanup() { useLanguage(QStringLiteral("en")); }
    void oneSessionAsksForAnother();
    void verdictsAreThoseOfTheCore();
    void theBaselineCanBeChanged();
    void nothingComparableIsSaid();
    void aFileThatIsNoneIsSaid();
    void aClosedTabIsNoLongerCompared();
};

namespace {

/// A sweep with `factor` times the steps of the fixture's, 30 samples a point that are never tied.
QString sweepFile(Bench &bench, const char *name, double factor, const char *model = "smollm2-135m")
{
    Session session = newSession();
    RunPlan plan = catalogPlan(bench);
    plan.model.shape = bench.catalog->modelById(model);
    plan.runId = newId();
    applyEvent(session, started(plan));
    for (int index = 0; index < 2; ++index) {
        SweepPoint p = point(plan, index, index ? 4 : 1, 30);
        const double step = 0.01 * (index + 1) * factor;
        p.stepSeconds = step;
        p.p10Seconds = step * 0.995;
        p.p90Seconds = step * 1.005;
        for (std::size_t i = 0; i < p.steps.size(); ++i)
            p.steps[i].wallSeconds = p.steps[i].deviceSeconds = step * (1 + 1e-4 * (static_cast<double>(i) - 15));
        applyEvent(session, PointFinished{plan.runId, p});
    }
    applyEvent(session, RunEnded{plan.runId, RunEnded::How::Done, ErrorKind::Failure, {}});
    saveSession(session, bench.path(name).toStdString());
    return bench.path(name);
}

CompareDialog *dialogOf(const MainWindow &window)
{
    action(window, "actionCompare")->trigger();
    return window.findChild<CompareDialog *>(QStringLiteral("compareDialog"));
}

QString summaryOf(const CompareDialog &dialog)
{
    return dialog.findChild<QLabel *>(QStringLiteral("compareSummary"))->text();
}

} // namespace

void TestCompareDialog::initTestCase()
{
    useHomeOfItsOwn();
}

void TestCompareDialog::oneSessionAsksForAnother()
{
    Bench bench;
    auto window = bench.window();
    CompareDialog *dialog = dialogOf(*window);
    QVERIFY(dialog && dialog->isVisible() && !dialog->isModal());
    QVERIFY2(summaryOf(*dialog).contains(QStringLiteral("no session")), qPrintable(summaryOf(*dialog)));
    QVERIFY(window->openSession(sweepFile(bench, "a.json", 1)));
    QTRY_VERIFY2(summaryOf(*dialog).contains(QStringLiteral("one session")), qPrintable(summaryOf(*dialog)));
    QVERIFY(!dialog->chart()->isVisible());
    // As soon as a second one is there the two are compared.
    QVERIFY(dialog->addFile(sweepFile(bench, "b.json", 1.2)));
    QVERIFY(dialog->chart()->isVisible());
    QCOMPARE(dialog->chart()->comparison().points.size(), std::size_t(2));
}

void TestCompareDialog::verdictsAreThoseOfTheCore()
{
    Bench bench;
    auto window = bench.window();
    const QStringList files{sweepFile(bench, "a.json", 1), sweepFile(bench, "b.json", 1.2)};
    for (const QString &file : files)
        QVERIFY(window->openSession(file));
    window->showTab(0);
    CompareDialog *dialog = dialogOf(*window);
    const Comparison core = compareSessions({loadSession(files[0].toStdString()), loadSession(files[1].toStdString())});
    QCOMPARE(core.points.size(), std::size_t(2));
    auto *table = dialog->findChild<QTableWidget *>(QStringLiteral("compareTable"));
    QCOMPARE(table->rowCount(), 2);
    const int verdict = table->columnCount() - 5;
    QCOMPARE(table->horizontalHeaderItem(verdict)->text(), QStringLiteral("verdict"));
    for (int row = 0; row < 2; ++row) {
        QCOMPARE(core.points[std::size_t(row)].change, Change::Slower);
        QCOMPARE(table->item(row, verdict)->text(), QStringLiteral("slower"));
        QCOMPARE(table->item(row, verdict - 1)->text(), QStringLiteral("1.200"));
        QCOMPARE(table->item(row, verdict + 4)->text(), QString::fromStdString(core.points[std::size_t(row)].reason));
        for (int side : {1, 2}) // its spread
            QVERIFY2(table->item(row, verdict + side)->text().contains(QStringLiteral(" to ")), qPrintable(table->item(row, verdict + side)->text()));
    }
    // What it comes to is in sight without scrolling, below a chart that keeps most of the height.
    QTRY_VERIFY(table->isVisible() && dialog->chart()->height() > table->height());
    QVERIFY(table->columnViewportPosition(verdict) + table->columnWidth(verdict) <= table->viewport()->width());
    const QString said = summaryOf(*dialog);
    QVERIFY2(said.contains(QString::fromStdString(decidingTest())) && said.contains(QStringLiteral("2 are slower")) &&
                 said.contains(QStringLiteral("Every point has its partner")),
             qPrintable(said));
    // Both series stand in the chart, each with its spread.
    ComparisonChart *chart = dialog->chart();
    chart->flush();
    QCOMPARE(chart->plot()->graphCount(), 2);
    for (int i = 0; i < 2; ++i) {
        const auto data = chart->plot()->graph(i)->data();
        QCOMPARE(data->size(), 2);
        QCOMPARE(data->at(0)->key, 1.0);
        QCOMPARE(data->at(0)->value, i ? 0.012 : 0.01);
        QCOMPARE(data->at(1)->key, 4.0);
    }
    QVERIFY(chart->plot()->graph(0)->pen().color() != chart->plot()->graph(1)->pen().color());
    QCOMPARE(chart->plot()->plottableCount(), 4);
    QVERIFY(chart->wholeLegend().contains(QStringLiteral("slower")));
    // The table is copied as text, the chart written as a file.
    dialog->findChild<QAction *>(QStringLiteral("compareCopyTable"))->trigger();
    const QStringList lines = QApplication::clipboard()->text().split(QLatin1Char('\n'), Qt::SkipEmptyParts);
    QCOMPARE(lines.size(), 3);
    QVERIFY(lines[1].split(QLatin1Char('\t')).contains(QStringLiteral("slower")));
    QCOMPARE(chart->exportTo(bench.path("chart.svg"), QSize(800, 500), 1), QString());
    QVERIFY(contentOf(bench.path("chart.svg")).contains("<svg"));
    // The other language has the same figures.
    window->setLanguage(QStringLiteral("zh_CN"));
    QTRY_VERIFY(table->rowCount() == 2 && table->item(0, verdict)->text() != QStringLiteral("slower"));
    QCOMPARE(table->item(0, verdict - 1)->text(), QStringLiteral("1.200"));
}

void TestCompareDialog::theBaselineCanBeChanged()
{
    Bench bench;
    auto window = bench.window();
    QVERIFY(window->openSession(sweepFile(bench, "a.json", 1)));
    QVERIFY(window->openSession(sweepFile(bench, "b.json", 1.2)));
    window->showTab(0);
    CompareDialog *dialog = dialogOf(*window);
    QCOMPARE(dialog->chart()->comparison().points.at(0).change, Change::Slower);
    auto *base = dialog->findChild<QComboBox *>(QStringLiteral("compareBase"));
    base->setFocus();
    QTest::keyClick(base, Qt::Key_Down); // to the other one
    QCOMPARE(base->currentText(), QStringLiteral("b.json"));
    QCOMPARE(dialog->chart()->comparison().points.at(0).change, Change::Faster);
    // Without another session there is nothing to show, and with it again there is.
    auto *others = dialog->findChild<QListWidget *>(QStringLiteral("compareOthers"));
    QCOMPARE(others->count(), 1);
    others->setFocus();
    QTest::keyClick(others, Qt::Key_Space);
    QVERIFY(!dialog->chart()->isVisible());
    QVERIFY(summaryOf(*dialog).contains(QStringLiteral("Check a session")));
    QTest::keyClick(others, Qt::Key_Space);
    QVERIFY(dialog->chart()->isVisible());
}

void TestCompareDialog::nothingComparableIsSaid()
{
    Bench bench;
    auto window = bench.window();
    QVERIFY(window->openSession(sweepFile(bench, "a.json", 1)));
    QVERIFY(window->openSession(sweepFile(bench, "b.json", 1, "tinyllama-1.1b")));
    CompareDialog *dialog = dialogOf(*window);
    QVERIFY2(summaryOf(*dialog).startsWith(QStringLiteral("Nothing is comparable")), qPrintable(summaryOf(*dialog)));
    QVERIFY(!dialog->findChild<QTableWidget *>(QStringLiteral("compareTable"))->isVisible());
    dialog->chart()->flush();
    QVERIFY(dialog->chart()->wholeLegend().contains(QStringLiteral("no partner")));
}

void TestCompareDialog::aFileThatIsNoneIsSaid()
{
    Bench bench;
    auto window = bench.window();
    CompareDialog *dialog = dialogOf(*window);
    QVERIFY(!dialog->addFile(bench.path("missing.json")));
    auto *fault = dialog->findChild<QLabel *>(QStringLiteral("compareFault"));
    QVERIFY2(fault->isVisible() && fault->text().contains(QStringLiteral("missing.json")), qPrintable(fault->text()));
    QVERIFY(dialog->addFile(sweepFile(bench, "a.json", 1)));
    QVERIFY(!fault->isVisible());
}

void TestCompareDialog::aClosedTabIsNoLongerCompared()
{
    Bench bench;
    auto window = bench.window();
    QVERIFY(window->openSession(sweepFile(bench, "a.json", 1)));
    QVERIFY(window->openSession(sweepFile(bench, "b.json", 1.2)));
    CompareDialog *dialog = dialogOf(*window);
    QVERIFY(dialog->chart()->isVisible());
    QVERIFY(window->openSession(sweepFile(bench, "c.json", 0.8)));
    QVERIFY(window->closeTab(1)); // the baseline: the one in front takes its place at once
    QCOMPARE(dialog->chart()->comparison().points.at(0).ratio, 1.25);
    QVERIFY(window->closeTab(0));
    QTRY_VERIFY(!dialog->chart()->isVisible());
    QVERIFY2(summaryOf(*dialog).contains(QStringLiteral("one session")), qPrintable(summaryOf(*dialog)));
}

QTEST_MAIN(TestCompareDialog)
#include "tst_compare_dialog.moc"
