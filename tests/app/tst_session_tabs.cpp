// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/app_settings.h"
#include "app/gui/command_palette.h"
#include "app/gui/language.h"
#include "tests/app/window_bench.h"
#include "tests/app/window_texts.h"
#include "widgets/lesson_panel.h"

#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QDockWidget>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QMenuBar>
#include <QMimeData>
#include <QPlainTextEdit>
#include <QProcess>
#include <QProgressBar>
#include <QPushButton>
#include <QRegularExpression>
#include <QSlider>
#include <QSpinBox>
#include <QTabBar>
#include <QTabWidget>
#include <QTableView>
#include <QTextBrowser>
#include <QToolButton>
#include <QTranslator>

#include <cstdio>

using namespace ridgepoint;
using namespace ridgepoint::test;

namespace {

/// A sweep whose second point waits for `go`.
Script held(std::atomic<bool> &go)
{
    return [&go](const RunPlan &plan, const EventSink &sink, std::stop_token stop) {
        sink(started(plan));
        sink(PointFinished{plan.runId, point(plan, 0, 1)});
        const SweepPoint second = point(plan, 1, 4, 20);
        sink(PointStarted{plan.runId, 1, 4, 128, second.context, second.forecast});
        for (const StepSample &step : second.steps)
            sink(StepTimed{plan.runId, 1, step});
        sink(Progress{plan.runId, "Sweep: batch 4", 0.5, 12.0, 1e9});
        while (!go && !stop.stop_requested())
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        if (!stop.stop_requested())
            sink(PointFinished{plan.runId, second});
        sink(RunEnded{plan.runId,
                      stop.stop_requested() ? RunEnded::How::Cancelled : RunEnded::How::Done,
                      ErrorKind::Failure,
                      {}});
    };
}

void moveBatch(MainWindow &window, double batch)
{
    WhatIf whatIf = window.model()->whatIf();
    whatIf.batch = batch;
    window.model()->setWhatIf(whatIf);
}

template <typename Widget>
Widget *part(const MainWindow &window, const char *name)
{
    auto *found = window.findChild<Widget *>(QLatin1String(name));
    if (!found)
        qFatal("no %s", name);
    return found;
}

} // namespace

class TestSessionTabs : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void cleanup() { useLanguage(QStringLiteral("en")); }
    void aTabKeepsWhatItShows();
    void aNewSessionIsAsAtAFirstStart_data();
    void aNewSessionIsAsAtAFirstStart();
    void aFileThatIsOpenComesToTheFront();
    void closingATabAsksAboutItsResults_data();
    void closingATabAsksAboutItsResults();
    void tabsAnswerToTheirKeys();
    void tabsAreNamedAndMarked();
    void quittingAsksAboutEachTab();
    void aRunBelongsToItsTab();
    void aCalibrationBehindReachesItsTab();
    void aTabWithARunIsClosedAfterIt();
    void messagesBelongToTheirTab();
    void anOpenFileIsNotSavedOver();
    void aFileThatAnotherProgramWroteIsAskedAbout_data();
    void aFileThatAnotherProgramWroteIsAskedAbout();
    void aDragOfASliderIsOneStepOfUndo();
    void changesAreUndone_data();
    void changesAreUndone();
    void theRunShownIsUndoneWithAllThatFollowed();
    void whatTheProgramDoesIsNoStepOfUndo();
    void theHistoryBelongsToItsTab();
    void openSessionsComeBackAtTheNextStart();
    void filesThatCannotBeOpenedAreNamed_data();
    void filesThatCannotBeOpenedAreNamed();
    void reopeningCanBeTurnedOff();
    void aKillLosesNoTab();
    void thePaletteHoldsEveryActionOfTheMenus();
    void thePaletteIsDrivenByKeys();
    void theLanguageChangesEverywhere();
    void chineseLessonsUseTheWindowsWords_data();
    void chineseLessonsUseTheWindowsWords();
    void everyControlOfThePanelsExplainsItself_data();
    void everyControlOfThePanelsExplainsItself();
    void theTableInFocusIsCopiedAsText();
};

void TestSessionTabs::initTestCase()
{
    useHomeOfItsOwn();
    QApplication::setApplicationName(QStringLiteral("Ridgepoint"));
}

void TestSessionTabs::aTabKeepsWhatItShows()
{
    Bench bench;
    auto window = bench.window();
    runToTheEnd(*window, catalogPlan(bench));
    const std::string run = window->model()->session()->runs.front().plan.runId;
    window->model()->select(PointKey{run, 1});
    moveBatch(*window, 7);
    window->experimentPanel()
        ->findChild<QLineEdit *>(QStringLiteral("experimentPrompts"))
        ->setText(QStringLiteral("33, oops"));
    ChartView *roofline = window->charts()->chart(QStringLiteral("roofline"));
    const ChartView::Ranges axes{true, 2, 200, 3e9, 3e12};
    roofline->setRanges(axes);
    window->charts()->showPage(1);
    const SessionPtr session = window->model()->session();

    QVERIFY(window->newSession());
    QCOMPARE(window->tabCount(), 2);
    QCOMPARE(window->currentTab(), 1);
    QVERIFY(!window->model()->selection());
    QVERIFY(window->model()->session()->runs.empty());
    QVERIFY(!window->document()->isModified());
    QCOMPARE(roofline->ranges(), ChartView::Ranges());
    moveBatch(*window, 50);
    window->charts()->showPage(0);
    window->experimentPanel()->setPlan(catalogPlan(bench));

    window->showTab(0);
    QCOMPARE(window->model()->session(), session); // the very same
    QCOMPARE(window->model()->whatIf().batch, 7.0);
    QVERIFY(window->model()->selection() == std::optional(PointKey{run, 1}));
    QCOMPARE(roofline->ranges(), axes);
    QCOMPARE(window->charts()->page(), 1);
    QVERIFY(!window->experimentPanel()->plan()); // what was wrong in a field is wrong still
    QCOMPARE(part<QLineEdit>(*window, "experimentPrompts")->text(), QStringLiteral("33, oops"));
    QVERIFY(window->isWindowModified());
    window->showTab(1);
    QCOMPARE(window->model()->whatIf().batch, 50.0);
    QCOMPARE(window->charts()->page(), 0);
    QVERIFY(window->experimentPanel()->plan());
    QVERIFY(!window->isWindowModified());
}

void TestSessionTabs::aNewSessionIsAsAtAFirstStart_data()
{
    QTest::addColumn<bool>("devices");
    QTest::newRow("before the devices are known") << false;
    QTest::newRow("with the engine's devices") << true;
}

/// Nothing of a recording from another machine stays behind in the fields: neither its threads nor its lists nor its lack of a
/// memory limit.
void TestSessionTabs::aNewSessionIsAsAtAFirstStart()
{
    QFETCH(bool, devices);
    Bench bench;
    Session session = newSession();
    RunPlan plan = catalogPlan(bench);
    plan.runId = newId();
    plan.threads = 16;
    plan.prompts = {77};
    plan.batches = {2, 3};
    plan.steps = 9;
    plan.memoryLimitBytes = 0;
    applyEvent(session, started(plan));
    applyEvent(session, PointFinished{plan.runId, point(plan, 0, 2)});
    applyEvent(session, RunEnded{plan.runId, RunEnded::How::Done, ErrorKind::Failure, {}});
    saveSession(session, bench.path("recording.json").toStdString());
    auto window = bench.window(factory(scriptedSweep), devices);
    if (devices)
        QTRY_VERIFY(part<QPlainTextEdit>(*window, "log")->toPlainText().contains(QStringLiteral("Device ")));
    const QVariantMap fields = window->experimentPanel()->fields();
    const WhatIf whatIf = window->model()->whatIf();
    QVERIFY(!fields.value(QStringLiteral("experimentMemoryLimit")).toString().isEmpty());
    QVERIFY(window->openSample(bench.path("recording.json")));
    QCOMPARE(window->experimentPanel()->fields().value(QStringLiteral("experimentThreads")).toInt(), 16);
    moveBatch(*window, 7);
    QVERIFY(window->newSession());
    const QVariantMap anew = window->experimentPanel()->fields();
    for (auto it = fields.cbegin(); it != fields.cend(); ++it)
        QVERIFY2(anew.value(it.key()) == it.value(), qPrintable(it.key()));
    QCOMPARE(anew.size(), fields.size());
    QVERIFY(window->model()->whatIf() == whatIf);
    window->showTab(0); // and the recording keeps what is its
    QCOMPARE(window->experimentPanel()->fields().value(QStringLiteral("experimentThreads")).toInt(), 16);
    QCOMPARE(window->model()->whatIf().batch, 7.0);
}

void TestSessionTabs::aFileThatIsOpenComesToTheFront()
{
    Bench bench;
    const QString a = sessionFile(bench, "a.json"), b = sessionFile(bench, "b.json");
    auto window = bench.window();
    QVERIFY(window->openSession(a)); // in place of the tab with nothing in it
    QCOMPARE(window->tabCount(), 1);
    QVERIFY(window->openSession(b));
    QCOMPARE(window->tabCount(), 2);
    QVERIFY(window->openSession(bench.dir.path() + QStringLiteral("/./a.json")));
    QCOMPARE(window->tabCount(), 2);
    QCOMPARE(window->currentTab(), 0);
    QCOMPARE(window->document()->path(), a);
    // A sample too, until results of one's own are in it.
    QVERIFY(window->openSample(b));
    QVERIFY(window->openSample(b));
    QCOMPARE(window->tabCount(), 3);
    runToTheEnd(*window, catalogPlan(bench));
    QVERIFY(window->openSample(b));
    QCOMPARE(window->tabCount(), 4);
    // Several files at once.
    QMimeData data;
    data.setUrls(
        {QUrl::fromLocalFile(sessionFile(bench, "c.json")), QUrl::fromLocalFile(sessionFile(bench, "d.json"))});
    QDragEnterEvent enter(QPoint(10, 10), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(window.get(), &enter);
    QVERIFY(enter.isAccepted());
    QDropEvent drop(QPointF(10, 10), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(window.get(), &drop);
    QTRY_COMPARE(window->tabCount(), 6);
}

void TestSessionTabs::closingATabAsksAboutItsResults_data()
{
    QTest::addColumn<int>("answer");
    QTest::addColumn<bool>("goes");
    QTest::newRow("cancel") << int(Prompts::Unsaved::Cancel) << false;
    QTest::newRow("discard") << int(Prompts::Unsaved::Discard) << true;
    QTest::newRow("save") << int(Prompts::Unsaved::Save) << true;
}

void TestSessionTabs::closingATabAsksAboutItsResults()
{
    QFETCH(int, answer);
    QFETCH(bool, goes);
    Bench bench;
    bench.unsavedAnswer = Prompts::Unsaved(answer);
    bench.saveAnswer = bench.path("asked.json");
    auto window = bench.window();
    runToTheEnd(*window, catalogPlan(bench));
    QVERIFY(window->openSession(sessionFile(bench, "b.json")));
    QCOMPARE(window->closeTab(0), goes); // it is brought to the front first
    QCOMPARE(bench.unsavedAsked, 1);
    QCOMPARE(window->tabCount(), goes ? 1 : 2);
    QCOMPARE(window->document()->path(), goes ? bench.path("b.json") : QString());
    QCOMPARE(QFile::exists(bench.saveAnswer), answer == int(Prompts::Unsaved::Save));
    if (goes) {
        QVERIFY(window->closeTab(0)); // the last one becomes an empty one
        QCOMPARE(window->tabCount(), 1);
        QVERIFY(window->document()->path().isEmpty() && !window->document()->hasResults());
        window.reset();
        QVERIFY(Journal::recoverable(bench.journals()).empty());
    }
}

void TestSessionTabs::tabsAnswerToTheirKeys()
{
    Bench bench;
    auto window = bench.window();
    window->newSession();
    window->newSession();
    QCOMPARE(window->tabCount(), 3);
    window->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(window.get()));
    auto *field = part<QLineEdit>(*window, "experimentPrompts");
    field->setFocus();
    window->showTab(0);
    QTest::keyClick(field, Qt::Key_PageDown, Qt::ControlModifier);
    QCOMPARE(window->currentTab(), 1);
    QTest::keyClick(field, Qt::Key_Tab, Qt::ControlModifier);
    QCOMPARE(window->currentTab(), 2);
    QTest::keyClick(field, Qt::Key_Tab, Qt::ControlModifier); // round
    QCOMPARE(window->currentTab(), 0);
    QTest::keyClick(field, Qt::Key_PageUp, Qt::ControlModifier);
    QCOMPARE(window->currentTab(), 2);
    QTest::keyClick(field, Qt::Key_W, Qt::ControlModifier);
    QCOMPARE(window->tabCount(), 2);
    auto *bar = part<QTabBar>(*window, "sessionTabs");
    QVERIFY(bar->isVisible() && bar->isMovable());
    bar->moveTab(0, 1);
    QCOMPARE(window->tabCount(), 2);
    QTest::mouseClick(bar, Qt::MiddleButton, {}, bar->tabRect(0).center());
    QCOMPARE(window->tabCount(), 1);
    QVERIFY(!action(*window, "actionNextTab")->isEnabled());
    QVERIFY(!bar->isVisible()); // one session needs no bar
}

void TestSessionTabs::tabsAreNamedAndMarked()
{
    Bench bench;
    auto window = bench.window();
    auto *bar = part<QTabBar>(*window, "sessionTabs");
    runToTheEnd(*window, catalogPlan(bench));
    window->newSession();
    QVERIFY2(bar->tabText(0).contains(QStringLiteral("Scripted CPU · sweep eager")) && bar->tabText(0).endsWith(QStringLiteral(" •")),
             qPrintable(bar->tabText(0))); // what it holds, until it has a name
    QVERIFY(bar->accessibleTabName(0).contains(QStringLiteral("not saved")));
    QCOMPARE(bar->tabText(1), QStringLiteral("Untitled 2"));
    window->showTab(0);
    QVERIFY(window->saveTo(bench.path("a&b.json")));
    QCOMPARE(bar->tabText(0), QStringLiteral("a&&b.json"));
    QCOMPARE(bar->accessibleTabName(0), QStringLiteral("a&b.json"));
    QVERIFY(bar->tabToolTip(0).contains(QStringLiteral("a&b.json")));
}

void TestSessionTabs::quittingAsksAboutEachTab()
{
    Bench bench;
    auto window = bench.window();
    runToTheEnd(*window, catalogPlan(bench));
    window->newSession();
    runToTheEnd(*window, catalogPlan(bench));
    bench.unsavedAnswer = Prompts::Unsaved::Cancel;
    QVERIFY(!window->close());
    QCOMPARE(bench.unsavedAsked, 1);
    QCOMPARE(window->currentTab(), 0);
    bench.unsavedAnswer = Prompts::Unsaved::Discard;
    QVERIFY(window->close());
    QCOMPARE(bench.unsavedAsked, 3);
    window.reset();
    QVERIFY(Journal::recoverable(bench.journals()).empty());
}

void TestSessionTabs::aRunBelongsToItsTab()
{
    Bench bench;
    std::atomic<bool> go{false};
    auto window = bench.window(factory(held(go)));
    window->startRun(catalogPlan(bench));
    QTRY_VERIFY(window->model()->live() && window->model()->live()->steps.size() == 20);
    const std::string run = window->model()->session()->runs.front().plan.runId;
    auto *bar = part<QTabBar>(*window, "sessionTabs");
    auto *there = part<QToolButton>(*window, "statusShowRun");
    QVERIFY(!there->isVisible());

    QVERIFY(window->newSession());
    QVERIFY(window->controller()->isRunning() && !window->controller()->isStopping());
    QVERIFY(!window->model()->live());
    QVERIFY(window->model()->session()->runs.empty());
    QVERIFY(!window->hasRunInFront());
    // It stays in sight: in the bar of tabs and in the status bar.
    QVERIFY(!bar->tabIcon(0).isNull() && bar->tabIcon(1).isNull());
    QVERIFY(part<QProgressBar>(*window, "statusProgress")->isVisible());
    QVERIFY(there->isVisible());
    // Esc does not end what is not in sight, and a second run is refused.
    QVERIFY(!action(*window, "actionStop")->isEnabled());
    action(*window, "actionSweep")->trigger();
    QVERIFY2(window->messages()->text(QStringLiteral("run")).contains(QStringLiteral("A run is going in")),
             qPrintable(window->messages()->texts().join(QLatin1Char('\n'))));
    QVERIFY(!window->replaySession(sessionFile(bench, "r.json"), 0));
    QVERIFY(window->model()->session()->runs.empty());
    // What it measures goes to its own session.
    go = true;
    QTRY_VERIFY(!window->controller()->isRunning());
    QVERIFY(window->model()->session()->runs.empty());
    QVERIFY(!window->document()->isModified());
    QVERIFY(!there->isVisible() && bar->tabIcon(0).isNull());
    window->showTab(0);
    QCOMPARE(window->model()->session()->runs.size(), std::size_t(1));
    QCOMPARE(window->model()->session()->run(run)->points.size(), std::size_t(2));
    QVERIFY(!window->model()->live());
    QVERIFY(window->document()->isModified());
    QCOMPARE(QString::fromStdString(window->model()->currentRun()->plan.runId), QString::fromStdString(run));
}

void TestSessionTabs::aCalibrationBehindReachesItsTab()
{
    Bench bench;
    std::atomic<bool> go{false};
    auto window = bench.window(factory([&go](const RunPlan &plan, const EventSink &sink, std::stop_token) {
        sink(started(plan));
        while (!go)
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        CalibrationResult result;
        result.runId = plan.runId;
        result.ceilings.readBandwidth = 12.5e9;
        result.ceilings.matmulFlops = {{DType::BF16, 77e9}, {DType::F32, 55e9}};
        result.ceilings.stepOverhead = 2e-3;
        result.ceilings.overheadLayers = plan.model.shape.layers;
        sink(CalibrationFinished{plan.runId, result});
        sink(RunEnded{plan.runId, RunEnded::How::Done, ErrorKind::Failure, {}});
    }));
    RunPlan plan = catalogPlan(bench);
    plan.experiment = Experiment::Calibrate;
    window->experimentPanel()->setPlan(plan);
    window->startRun(plan);
    QTRY_VERIFY(!window->model()->session()->runs.empty());
    window->newSession();
    const WhatIf other = window->model()->whatIf();
    go = true;
    QTRY_VERIFY(!window->controller()->isRunning());
    QVERIFY(window->model()->whatIf() == other);
    window->showTab(0);
    QCOMPARE(window->model()->whatIf().ceilings.bandwidth, 12.5e9);
}

void TestSessionTabs::aTabWithARunIsClosedAfterIt()
{
    Bench bench;
    bench.unsavedAnswer = Prompts::Unsaved::Discard;
    std::atomic<bool> go{false};
    auto window = bench.window(factory(held(go)));
    window->startRun(catalogPlan(bench));
    QTRY_VERIFY(window->document()->isModified());
    window->newSession();
    bench.confirmAnswer = false;
    QVERIFY(!window->closeTab(0));
    QVERIFY(!window->controller()->isStopping());
    bench.confirmAnswer = true;
    window->closeTab(0);
    QTRY_COMPARE(window->tabCount(), 1);
    QVERIFY(!window->controller()->isRunning());
    QVERIFY(!window->document()->hasResults());
}

void TestSessionTabs::messagesBelongToTheirTab()
{
    Bench bench;
    auto window = bench.window();
    QVERIFY(!window->openSession(bench.path("absent.json")));
    QVERIFY(window->messages()->isShowing(QStringLiteral("open")));
    window->messages()->show(MessageBar::Severity::Info, QStringLiteral("engine"), QStringLiteral("of all"), {},
                             MessageBar::kEveryTab);
    window->newSession();
    QVERIFY(!window->messages()->isShowing(QStringLiteral("open")));
    QCOMPARE(window->messages()->texts(), QStringList{QStringLiteral("of all")});
    window->showTab(0);
    QCOMPARE(window->messages()->texts().size(), qsizetype(2));
    window->messages()->dismiss(QStringLiteral("engine"));
    QCOMPARE(window->messages()->texts().size(), qsizetype(1));
    window->closeTab(0);
    QVERIFY(window->messages()->texts().isEmpty());
    QVERIFY(!window->messages()->isVisible());
}

void TestSessionTabs::anOpenFileIsNotSavedOver()
{
    Bench bench;
    const QString a = sessionFile(bench, "a.json");
    auto window = bench.window();
    QVERIFY(window->openSession(a));
    window->newSession();
    runToTheEnd(*window, catalogPlan(bench));
    const QByteArray before = contentOf(a);
    QVERIFY(!window->saveTo(a));
    QVERIFY(window->messages()->text(QStringLiteral("save")).contains(QStringLiteral("another tab")));
    QCOMPARE(contentOf(a), before);
    QVERIFY(window->document()->isModified());
}

void TestSessionTabs::aFileThatAnotherProgramWroteIsAskedAbout_data()
{
    QTest::addColumn<int>("answer");
    QTest::newRow("replaced") << int(Prompts::Changed::Replace);
    QTest::newRow("under another name") << int(Prompts::Changed::SaveAs);
    QTest::newRow("cancelled") << int(Prompts::Changed::Cancel);
}

/// Two windows have one file: the second to save is asked before what the first one saved is lost.
void TestSessionTabs::aFileThatAnotherProgramWroteIsAskedAbout()
{
    QFETCH(int, answer);
    Bench bench, elsewhere;
    const QString a = sessionFile(bench, "a.json");
    auto window = bench.window(), other = elsewhere.window();
    QVERIFY(window->openSession(a));
    QVERIFY(other->openSession(a));
    runToTheEnd(*other, catalogPlan(elsewhere));
    QVERIFY(other->save());
    QCOMPARE(elsewhere.changedAsked, 0); // nobody wrote there but itself
    runToTheEnd(*other, catalogPlan(elsewhere));
    QVERIFY(other->save());
    QCOMPARE(elsewhere.changedAsked, 0);
    const QByteArray theirs = contentOf(a);

    runToTheEnd(*window, catalogPlan(bench));
    bench.changedAnswer = Prompts::Changed(answer);
    bench.saveAnswer = bench.path("b.json");
    QCOMPARE(window->save(), bench.changedAnswer != Prompts::Changed::Cancel);
    QCOMPARE(bench.changedAsked, 1);
    QCOMPARE(contentOf(a) == theirs, bench.changedAnswer != Prompts::Changed::Replace);
    QCOMPARE(window->document()->isModified(), bench.changedAnswer == Prompts::Changed::Cancel);
    if (bench.changedAnswer == Prompts::Changed::Cancel)
        return;
    QCOMPARE(window->document()->path(), bench.changedAnswer == Prompts::Changed::Replace ? a : bench.path("b.json"));
    // What it has saved itself is not asked about; what is gone takes nothing with it.
    runToTheEnd(*window, catalogPlan(bench));
    QVERIFY(window->save());
    QVERIFY(QFile::remove(window->document()->path()));
    runToTheEnd(*window, catalogPlan(bench));
    QVERIFY(window->save());
    QCOMPARE(bench.changedAsked, 1);
}

void TestSessionTabs::aDragOfASliderIsOneStepOfUndo()
{
    Bench bench;
    auto window = bench.window();
    auto *undo = action(*window, "actionUndo"), *redo = action(*window, "actionRedo");
    QVERIFY(!undo->isEnabled());
    auto *slider = part<QSlider>(*window, "whatIfSliderBatch");
    const WhatIf before = window->model()->whatIf();
    const auto drag = [slider](int to) {
        QTest::mousePress(slider, Qt::LeftButton, {}, QPoint(1, 1)); // begins a gesture, wherever the handle is
        for (int i = 1; i <= 10; ++i)
            slider->setValue(slider->value() + (to - slider->value()) * i / 10);
        QTest::mouseRelease(slider, Qt::LeftButton, {}, QPoint(1, 1));
    };
    drag(400);
    const WhatIf first = window->model()->whatIf();
    QVERIFY(first.batch != before.batch);
    drag(700);
    const WhatIf second = window->model()->whatIf();
    QVERIFY(second.batch != first.batch);
    QVERIFY2(undo->text().contains(QStringLiteral("Batch")), qPrintable(undo->text()));
    undo->trigger();
    QVERIFY(window->model()->whatIf() == first);
    undo->trigger();
    QVERIFY(window->model()->whatIf() == before);
    QVERIFY(!undo->isEnabled());
    QVERIFY2(redo->text().contains(QStringLiteral("Batch")), qPrintable(redo->text()));
    redo->trigger();
    redo->trigger();
    QVERIFY(window->model()->whatIf() == second);
    QVERIFY(!redo->isEnabled());
    QCOMPARE(part<QSlider>(*window, "whatIfSliderBatch")->value(), 700);
}

void TestSessionTabs::changesAreUndone_data()
{
    QTest::addColumn<QString>("what");
    QTest::addColumn<QString>("text");
    QTest::newRow("a device of the what-if") << "device"
                                             << "Device";
    QTest::newRow("a model of the what-if") << "model"
                                            << "Model";
    QTest::newRow("a dtype of the what-if") << "dtype"
                                            << "Dtype";
    QTest::newRow("the accounting") << "accounting"
                                    << "Accounting";
    QTest::newRow("a field of the plan") << "batches"
                                         << "Batches";
    QTest::newRow("the experiment") << "experiment"
                                    << "Experiment";
    QTest::newRow("the model of the plan") << "plan model"
                                           << "Model";
    QTest::newRow("a box of the plan") << "box"
                                       << "capacity";
    QTest::newRow("the chosen point") << "point"
                                      << "Chosen point";
    QTest::newRow("the axes of a chart") << "axes"
                                         << "Roofline";
    QTest::newRow("the colour of points") << "colour"
                                          << "Colour";
}

void TestSessionTabs::changesAreUndone()
{
    QFETCH(QString, what);
    QFETCH(QString, text);
    Bench bench;
    auto window = bench.window();
    QVERIFY(window->openSession(sessionFile(bench, "a.json")));
    auto *undo = action(*window, "actionUndo"), *redo = action(*window, "actionRedo");
    QVERIFY(!undo->isEnabled());
    const auto look = [&] {
        QStringList all;
        const WhatIf &w = window->model()->whatIf();
        all << QString::fromStdString(w.hardware.id) << QString::fromStdString(w.shape.id)
            << QString::number(int(w.dtype)) << QString::number(int(w.accounting))
            << QString::number(w.ceilings.bandwidth, 'g', 17);
        const QVariantMap fields = window->experimentPanel()->fields();
        for (auto it = fields.cbegin(); it != fields.cend(); ++it)
            all << it.key() + QLatin1Char('=') + it.value().toString() +
                       it.value().toStringList().join(QLatin1Char(','));
        const auto &point = window->model()->selection();
        all << (point ? QString::fromStdString(point->runId) + QString::number(point->index) : QString());
        all << QString::number(int(window->model()->view().colour));
        const ChartView::Ranges axes = window->charts()->chart(QStringLiteral("roofline"))->ranges();
        all << QString::number(axes.byHand) << QString::number(axes.left) << QString::number(axes.top);
        return all;
    };
    const QStringList before = look();
    const auto turn = [&](const char *name) {
        auto *box = part<QComboBox>(*window, name);
        for (int i = 0; i < box->count(); ++i) {
            if (i != box->currentIndex()) {
                box->setCurrentIndex(i);
                return;
            }
        }
    };
    if (what == QLatin1String("device"))
        turn("whatIfDevice");
    else if (what == QLatin1String("model"))
        turn("whatIfModel");
    else if (what == QLatin1String("dtype"))
        turn("whatIfDtype");
    else if (what == QLatin1String("accounting"))
        action(*window, "actionTextbook")->trigger();
    else if (what == QLatin1String("batches"))
        part<QLineEdit>(*window, "experimentBatches")->setText(QStringLiteral("3, 5"));
    else if (what == QLatin1String("experiment"))
        window->experimentPanel()->setExperiment(Experiment::Ttft);
    else if (what == QLatin1String("plan model"))
        turn("experimentModel");
    else if (what == QLatin1String("box"))
        part<QAbstractButton>(*window, "experimentBeyond")->click();
    else if (what == QLatin1String("point"))
        window->model()->select(PointKey{window->model()->session()->runs[0].plan.runId, 1});
    else if (what == QLatin1String("axes"))
        QTest::keyClick(window->charts()->chart(QStringLiteral("roofline")), Qt::Key_Plus);
    else
        action(*window, "actionColourClock")->trigger();
    const QStringList after = look();
    QVERIFY(after != before);
    QVERIFY(undo->isEnabled());
    QVERIFY2(undo->text().contains(text), qPrintable(undo->text()));
    undo->trigger();
    QCOMPARE(look(), before);
    QVERIFY(!undo->isEnabled()); // one change is one step
    QVERIFY2(redo->text().contains(text), qPrintable(redo->text()));
    redo->trigger();
    QCOMPARE(look(), after);
    QVERIFY(!window->document()->isModified()); // how it is looked at is no result
}

void TestSessionTabs::theRunShownIsUndoneWithAllThatFollowed()
{
    Bench bench;
    auto window = bench.window();
    RunPlan first = catalogPlan(bench), second = catalogPlan(bench);
    first.prompts = {40};
    second.prompts = {50};
    second.model.shape = bench.catalog->modelById("tinyllama-1.1b");
    runToTheEnd(*window, first);
    runToTheEnd(*window, second);
    window->experimentPanel()->setPlan(second);
    const WhatIf before = window->model()->whatIf();
    const std::string shown = window->model()->currentRun()->plan.runId;
    window->findChild<QMenu *>(QStringLiteral("menuRuns"))->actions().first()->trigger();
    QTRY_VERIFY(window->model()->currentRun()->plan.runId != shown);
    QVERIFY(window->experimentPanel()->plan()->prompts == first.prompts);
    action(*window, "actionUndo")->trigger();
    QCOMPARE(QString::fromStdString(window->model()->currentRun()->plan.runId), QString::fromStdString(shown));
    QVERIFY(window->experimentPanel()->plan()->prompts == second.prompts);
    QVERIFY(window->model()->whatIf() == before);
    action(*window, "actionRedo")->trigger();
    QVERIFY(window->experimentPanel()->plan()->prompts == first.prompts);
    QCOMPARE(window->model()->whatIf().shape.id, first.model.shape.id);
}

void TestSessionTabs::whatTheProgramDoesIsNoStepOfUndo()
{
    Bench bench;
    auto window = bench.window(factory(scriptedSweep), true);
    QTRY_COMPARE(part<QLabel>(*window, "statusDevice")->text(), QStringLiteral("Scripted CPU"));
    QVERIFY(!action(*window, "actionUndo")->isEnabled());
    runToTheEnd(*window, catalogPlan(bench));
    QVERIFY(!action(*window, "actionUndo")->isEnabled());
    QVERIFY(window->openSession(sessionFile(bench, "a.json")));
    window->showTab(0);
    window->showTab(1);
    QVERIFY(!action(*window, "actionUndo")->isEnabled());
}

void TestSessionTabs::theHistoryBelongsToItsTab()
{
    Bench bench;
    auto window = bench.window();
    moveBatch(*window, 9);
    window->newSession();
    QVERIFY(!action(*window, "actionUndo")->isEnabled());
    moveBatch(*window, 20);
    window->showTab(0);
    action(*window, "actionUndo")->trigger();
    QCOMPARE(window->model()->whatIf().batch, 1.0);
    window->showTab(1);
    QCOMPARE(window->model()->whatIf().batch, 20.0);
    QVERIFY(action(*window, "actionUndo")->isEnabled() && !action(*window, "actionRedo")->isEnabled());
}

void TestSessionTabs::openSessionsComeBackAtTheNextStart()
{
    Bench bench;
    const QString a = sessionFile(bench, "a.json"), b = sessionFile(bench, "b.json"), c = sessionFile(bench, "c.json"),
                  gone = sessionFile(bench, "gone.json");
    {
        auto window = bench.window();
        for (const QString &file : {a, gone, b})
            QVERIFY(window->openSession(file));
        QVERIFY(window->openSample(c));
        window->showTab(2);
        QVERIFY(window->close());
    }
    QVERIFY(QFile::remove(gone));
    {
        auto window = bench.window();
        QTRY_COMPARE(window->tabCount(), 3);
        QCOMPARE(window->document()->path(), b);
        QVERIFY(window->messages()->text(QStringLiteral("reopen")).contains(QStringLiteral("gone.json")));
        window->showTab(2);
        QVERIFY(window->document()->path().isEmpty() && window->document()->hasResults()); // the sample, as a copy
        QVERIFY(!window->document()->isModified());
        QVERIFY(window->close());
    }
    // What is asked for at the start stays in front.
    auto window = bench.window();
    QVERIFY(window->openSession(a));
    QTRY_COMPARE(window->tabCount(), 3);
    QCOMPARE(window->document()->path(), a);
}

void TestSessionTabs::filesThatCannotBeOpenedAreNamed_data()
{
    QTest::addColumn<bool>("dropped");
    QTest::newRow("reopened at the start") << false;
    QTest::newRow("dropped") << true;
}

/// A damaged file among several is named in the message bar and in the log, also when good ones follow it.
void TestSessionTabs::filesThatCannotBeOpenedAreNamed()
{
    QFETCH(bool, dropped);
    Bench bench;
    QStringList files;
    for (const char *name : {"a.json", "damaged.json", "b.json", "worse.json", "c.json"})
        files << sessionFile(bench, name);
    if (!dropped) {
        auto window = bench.window();
        for (const QString &file : files)
            QVERIFY(window->openSession(file));
        QVERIFY(window->close());
    }
    for (const int i : {1, 3}) {
        QFile damaged(files[i]);
        QVERIFY(damaged.resize(damaged.size() / 2));
    }
    auto window = bench.window();
    if (dropped) {
        QMimeData data;
        QList<QUrl> urls;
        for (const QString &file : files)
            urls << QUrl::fromLocalFile(file);
        data.setUrls(urls);
        QDragEnterEvent enter(QPoint(10, 10), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(window.get(), &enter);
        QDropEvent drop(QPointF(10, 10), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(window.get(), &drop);
    }
    QTRY_COMPARE(window->tabCount(), 3);
    for (int i = 0; i < 3; ++i) { // whichever tab is in front
        window->showTab(i);
        const QString said = window->messages()->text(QStringLiteral("unopened"));
        QVERIFY2(said.contains(QStringLiteral("damaged.json")) && said.contains(QStringLiteral("worse.json")), qPrintable(said));
        QVERIFY2(!said.contains(QStringLiteral("a.json ")) && !said.contains(QStringLiteral("c.json")), qPrintable(said));
    }
    const QString log = part<QPlainTextEdit>(*window, "log")->toPlainText();
    QVERIFY2(log.contains(QStringLiteral("damaged.json")) && log.contains(QStringLiteral("worse.json")), qPrintable(log));
}

void TestSessionTabs::reopeningCanBeTurnedOff()
{
    Bench bench;
    {
        auto window = bench.window();
        QVERIFY(action(*window, "actionReopen")->isChecked());
        action(*window, "actionReopen")->trigger();
        QVERIFY(window->openSession(sessionFile(bench, "a.json")));
        QVERIFY(window->close());
    }
    auto window = bench.window();
    QVERIFY(!action(*window, "actionReopen")->isChecked());
    QTest::qWait(150);
    QCOMPARE(window->tabCount(), 1);
    QVERIFY(window->document()->path().isEmpty());
}

/// What aKillLosesNoTab() kills: a window with a saved session that got a further run, an unsaved one, an imported one
/// and a plain file, in a folder that is given.
static int victim(const QString &folder)
{
    Bench bench;
    WindowServices services;
    services.engine = factory(scriptedSweep);
    services.catalog = bench.catalog;
    services.settingsFile = folder + QStringLiteral("/settings.conf");
    services.journalFolder = (folder + QStringLiteral("/journal")).toStdString();
    services.loadEngineInBackground = false;
    MainWindow window(std::move(services));
    window.resize(1111, 777);
    window.show();
    QTest::qWait(300);
    const auto run = [&] {
        window.startRun(catalogPlan(bench));
        while (window.controller()->isRunning())
            QTest::qWait(5);
    };
    QFile::copy(sessionFile(bench, "x.json"), folder + QStringLiteral("/grown.json"));
    QFile::copy(sessionFile(bench, "y.json"), folder + QStringLiteral("/plain.json"));
    bool ok = window.openSession(folder + QStringLiteral("/grown.json"));
    run();
    window.newSession();
    run();
    ok = ok && window.openSession(folder + QStringLiteral("/foreign.json"));
    ok = ok && window.openSession(folder + QStringLiteral("/plain.json"));
    window.showTab(0);
    window.findChild<QDockWidget *>(QStringLiteral("dockWhatIf"))->hide();
    QTest::qWait(2500); // the window's own place is written a moment after it changed
    std::printf("%s\n", ok && window.tabCount() == 4 ? "ready" : "failed");
    std::fflush(stdout);
    QTest::qWait(600000);
    return 1;
}

void TestSessionTabs::aKillLosesNoTab()
{
    Bench bench;
    const QString folder = bench.dir.path();
    // What another program measured.
    QVERIFY(QFile::copy(QStringLiteral(RIDGEPOINT_SOURCE_DIR "/tests/fuzz/corpus/import/vllm-latency.pytorch.json"),
                        folder + QStringLiteral("/foreign.json")));
    QProcess program;
    program.start(QCoreApplication::applicationFilePath(), {QStringLiteral("--victim"), folder});
    QVERIFY(program.waitForReadyRead(60000));
    QCOMPARE(program.readAllStandardOutput().trimmed(), QByteArray("ready"));
    program.kill();
    QVERIFY(program.waitForFinished(10000));
    QCOMPARE(Journal::recoverable(bench.journals()).size(), std::size_t(3));

    WindowServices services;
    services.engine = factory(scriptedSweep);
    services.catalog = bench.catalog;
    services.settingsFile = bench.path("settings.conf");
    services.journalFolder = bench.journals();
    services.loadEngineInBackground = false;
    MainWindow window(std::move(services));
    window.show();
    QCOMPARE(window.size(), QSize(1111, 777));
    QVERIFY(window.findChild<QDockWidget *>(QStringLiteral("dockWhatIf"))->isHidden());
    QTRY_VERIFY(window.messages()->isShowing(QStringLiteral("recovery")));
    QCOMPARE(window.tabCount(), 2); // the files
    QCOMPARE(QFileInfo(window.document()->path()).fileName(), QStringLiteral("grown.json"));
    QCOMPARE(window.model()->session()->runs.size(), std::size_t(1)); // as it was saved
    for (QPushButton *button : window.messages()->findChildren<QPushButton *>()) {
        if (button->text() == QLatin1String("Recover all"))
            button->click();
    }
    QVERIFY(!window.messages()->isShowing(QStringLiteral("recovery")));
    QCOMPARE(window.tabCount(), 4);
    int unsaved = 0;
    QMap<QString, int> runs;
    for (int i = 0; i < window.tabCount(); ++i) {
        window.showTab(i);
        unsaved += window.document()->isModified();
        runs[QFileInfo(window.document()->path()).fileName()] += int(window.model()->session()->runs.size());
    }
    QCOMPARE(unsaved, 3);
    QCOMPARE(runs.value(QStringLiteral("grown.json")), 2); // in its own place, with the run that was not saved
    QCOMPARE(runs.value(QStringLiteral("plain.json")), 1);
    QVERIFY(runs.value(QString()) >= 2); // the unsaved one and the imported one
    for (int i = window.tabCount() - 1; i >= 0; --i) {
        window.showTab(i);
        QVERIFY(window.saveTo(bench.dir.filePath(QStringLiteral("kept%1.json").arg(i))));
    }
    QVERIFY(Journal::recoverable(bench.journals()).empty());
}

void TestSessionTabs::thePaletteHoldsEveryActionOfTheMenus()
{
    Bench bench;
    bench.samples = {{sessionFile(bench, "sample.json").toStdString(), "A recording", ""}};
    auto window = bench.window();
    QSet<QAction *> wanted;
    const std::function<void(QMenu *)> walk = [&](QMenu *menu) {
        for (QAction *item : menu->actions()) {
            if (item->menu())
                walk(item->menu());
            else if (!item->isSeparator())
                wanted.insert(item);
        }
    };
    action(*window, "actionPalette")->trigger();
    auto *palette = window->findChild<CommandPalette *>();
    QVERIFY(palette && palette->isVisible());
    for (QAction *top : window->menuBar()->actions())
        walk(top->menu());
    QSet<QAction *> listed;
    for (const CommandPalette::Command &command : CommandPalette::commandsOf(window->menuBar())) {
        QVERIFY2(!command.path.contains(QLatin1Char('&')) && command.path.contains(QStringLiteral(" › ")),
                 qPrintable(command.path));
        listed.insert(command.action);
    }
    QVERIFY(listed.size() > 50);
    QCOMPARE(part<QListWidget>(*window, "paletteList")->count() >= listed.size(), true);
    // A sample of the menu that is filled as it opens, and an action that somebody adds.
    bool sample = false;
    for (const CommandPalette::Command &command : CommandPalette::commandsOf(window->menuBar()))
        sample = sample || command.path.contains(QStringLiteral("A recording"));
    QVERIFY(sample);
    QAction *added = window->findChild<QMenu *>(QStringLiteral("menuHelp"))->addAction(QStringLiteral("&Brand new"));
    bool found = false;
    for (const CommandPalette::Command &command : CommandPalette::commandsOf(window->menuBar()))
        found = found || (command.action == added && command.path == QStringLiteral("Help › Brand new"));
    QVERIFY(found);
    palette->close();
}

void TestSessionTabs::thePaletteIsDrivenByKeys()
{
    Bench bench;
    auto window = bench.window();
    window->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(window.get()));
    QTest::keyClick(window.get(), Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
    auto *palette = window->findChild<CommandPalette *>();
    QVERIFY(palette && palette->isVisible());
    auto *filter = part<QLineEdit>(*window, "paletteFilter");
    auto *list = part<QListWidget>(*window, "paletteList");
    QVERIFY(!filter->accessibleName().isEmpty() && !list->accessibleName().isEmpty());
    const int all = list->count();
    QTest::keyClicks(filter, QStringLiteral("theme dark"));
    QCOMPARE(list->count(), 1);
    QVERIFY(all > 50);
    QTest::keyClick(filter, Qt::Key_Return);
    QTRY_COMPARE(window->themeMode(), ThemeMode::Dark);
    QVERIFY(!palette->isVisible());
    // Shortcuts stand beside and are spoken with the name.
    action(*window, "actionPalette")->trigger();
    QTest::keyClicks(filter, QStringLiteral("save as"));
    QVERIFY(list->item(0)
                ->data(Qt::AccessibleTextRole)
                .toString()
                .contains(QKeySequence(QKeySequence::SaveAs).toString()) ||
            QKeySequence(QKeySequence::SaveAs).isEmpty());
    filter->clear();
    QTest::keyClicks(filter, QStringLiteral("theme"));
    const int first = list->currentRow();
    QTest::keyClick(filter, Qt::Key_Down);
    QCOMPARE(list->currentRow(), first + 1);
    QTest::keyClicks(filter, QStringLiteral("zzz"));
    QCOMPARE(list->count(), 0);
    QTest::keyClick(filter, Qt::Key_Return); // nothing to do
    QVERIFY(palette->isVisible());
    QTest::keyClick(filter, Qt::Key_Escape);
    QVERIFY(!palette->isVisible());
    window->setThemeMode(ThemeMode::System);
}

void TestSessionTabs::theLanguageChangesEverywhere()
{
    Bench bench;
    auto window = bench.window();
    QVERIFY(window->openSession(sessionFile(bench, "a.json")));
    window->newSession();
    runToTheEnd(*window, catalogPlan(bench));
    window->showLessons();
    window->showGlossary({});
    action(*window, "actionPalette")->trigger();
    window->model()->select(PointKey{window->model()->session()->runs[0].plan.runId, 0});
    moveBatch(*window, 12);
    part<QLineEdit>(*window, "experimentBatches")->setText(QStringLiteral("2, 6"));
    window->charts()->showPage(1);
    window->messages()->show(MessageBar::Severity::Info, QStringLiteral("x"), QStringLiteral("x"));
    action(*window, "actionStop")->trigger(); // nothing: it is idle
    const WhatIf whatIf = window->model()->whatIf();
    const QVariantMap fields = window->experimentPanel()->fields();
    const auto english = textsOf(*window);

    // Every source text that has a translation, by the contexts that speak.
    QTranslator chinese;
    QVERIFY(chinese.load(QStringLiteral(":/i18n/ridgepoint_zh_CN.qm")));
    const QStringList contexts{"ridgepoint::MainWindow",        "ridgepoint::MessageBar",
                               "ridgepoint::ChartGrid",         "ridgepoint::ChartView",
                               "ridgepoint::ExperimentPanel",   "ridgepoint::WhatIfPanel",
                               "ridgepoint::ExplanationPanel",  "ridgepoint::RecordTables",
                               "ridgepoint::LessonPanel",       "ridgepoint::GlossaryDialog",
                               "ridgepoint::CommandPalette",    "ridgepoint::Document",
                               "ridgepoint::ChartExportDialog", "core"};
    const auto translated = [&](const QString &text) {
        for (const QString &context : contexts) {
            const QString found = chinese.translate(qPrintable(context), qUtf8Printable(text));
            if (!found.isEmpty() && found != text)
                return found;
        }
        return QString();
    };
    int known = 0;
    for (const auto &[where, text] : english)
        known += !translated(text).isEmpty();
    QVERIFY2(known > 150, qPrintable(QString::number(known))); // the walk sees what is there

    window->setLanguage(QStringLiteral("zh_CN"));
    QCoreApplication::processEvents();
    QStringList left;
    for (const auto &[where, text] : textsOf(*window)) {
        const QString wanted = translated(text);
        if (!wanted.isEmpty())
            left << where + QStringLiteral(": ") + text + QStringLiteral(" -> ") + wanted;
    }
    QVERIFY2(left.isEmpty(), qPrintable(left.join(QLatin1Char('\n'))));
    // All that was set up is still there.
    QVERIFY(window->model()->whatIf() == whatIf);
    QCOMPARE(window->experimentPanel()->fields(), fields);
    QVERIFY(window->experimentPanel()->plan());
    QCOMPARE(window->charts()->page(), 1);
    QCOMPARE(window->tabCount(), 2);
    QVERIFY(window->model()->selection());
    QCOMPARE(window->lessons()->language(), QStringLiteral("zh_CN"));
    QVERIFY(action(*window, "actionUndo")->isEnabled());
    QVERIFY(action(*window, "actionLanguage-zh_CN")->isChecked());
    QCOMPARE(AppSettings(bench.path("settings.conf")).language(), QStringLiteral("zh_CN"));
    action(*window, "actionUndo")->trigger();
    QVERIFY(window->experimentPanel()->fields() != fields);
    action(*window, "actionRedo")->trigger();

    window->setLanguage(QStringLiteral("en"));
    QCoreApplication::processEvents();
    QStringList chineseLeft;
    for (const auto &[where, text] : textsOf(*window)) {
        if (text.contains(QStringLiteral("简体中文")))
            continue; // a language names itself
        for (const QChar c : text) {
            if (c.script() == QChar::Script_Han) {
                chineseLeft << where + QStringLiteral(": ") + text;
                break;
            }
        }
    }
    QVERIFY2(chineseLeft.isEmpty(), qPrintable(chineseLeft.join(QLatin1Char('\n'))));
    QCOMPARE(window->experimentPanel()->fields(), fields);
    window->findChild<CommandPalette *>()->close();
}

void TestSessionTabs::chineseLessonsUseTheWindowsWords_data()
{
    QTest::addColumn<QByteArray>("context");
    QTest::addColumn<QByteArray>("source");
    QTest::addColumn<QString>("english");
    QTest::newRow("ridge") << QByteArray("ridgepoint::WhatIfPanel") << QByteArray("Ridge") << QStringLiteral("ridge");
    QTest::newRow("prompt") << QByteArray("ridgepoint::WhatIfPanel") << QByteArray("Prompt")
                            << QStringLiteral("prompt");
    QTest::newRow("context") << QByteArray("ridgepoint::WhatIfPanel") << QByteArray("Context")
                             << QStringLiteral("context");
    QTest::newRow("intensity") << QByteArray("ridgepoint::WhatIfPanel") << QByteArray("Intensity")
                               << QStringLiteral("arithmetic intensity");
    QTest::newRow("capacity") << QByteArray("ridgepoint::WhatIfPanel") << QByteArray("Capacity") << QString();
    QTest::newRow("roofline") << QByteArray("ridgepoint::RooflineChart") << QByteArray("Roofline")
                              << QStringLiteral("roofline");
    QTest::newRow("prefill") << QByteArray("ridgepoint::RooflineChart") << QByteArray("prefill")
                             << QStringLiteral("prefill");
}

/// A term has one Chinese word, in the window as in the lessons and the glossary, and lessons do not fall back to
/// English.
void TestSessionTabs::chineseLessonsUseTheWindowsWords()
{
    QFETCH(QByteArray, context);
    QFETCH(QByteArray, source);
    QFETCH(QString, english);
    QTranslator chinese;
    QVERIFY(chinese.load(QStringLiteral(":/i18n/ridgepoint_zh_CN.qm")));
    const QString word = chinese.translate(context.constData(), source.constData());
    QVERIFY2(!word.isEmpty(), "the window has no such text: this test looks in the wrong place");
    const std::filesystem::path folder = RIDGEPOINT_SOURCE_DIR "/resources";
    QStringList terms;
    for (const GlossaryEntry &entry : loadGlossary({folder}, "zh_CN"))
        terms << QString::fromStdString(entry.term);
    QVERIFY2(terms.contains(word), qPrintable(word + QStringLiteral(" is not of ") + terms.join(QStringLiteral(", "))));
    if (english.isEmpty())
        return;
    const QRegularExpression plain(QStringLiteral("(?<![A-Za-z_{-])%1(?![A-Za-z_=:-])").arg(english));
    for (const Lesson &lesson : loadLessons({folder}, "zh_CN").lessons) {
        for (const LessonStep &step : lesson.steps) {
            QString text = QString::fromStdString(step.title + "\n" + step.text);
            if (step.question)
                text += QString::fromStdString("\n" + step.question->ask + "\n" + step.question->answer);
            text.remove(QRegularExpression(QStringLiteral("\\{\\{.*?\\}\\}")));
            QVERIFY2(!text.contains(plain),
                     qPrintable(QString::fromStdString(lesson.id) + QStringLiteral(": ") + text));
        }
    }
}

void TestSessionTabs::everyControlOfThePanelsExplainsItself_data()
{
    QTest::addColumn<int>("experiment");
    QTest::newRow("sweep") << int(Experiment::Sweep);
    QTest::newRow("ttft") << int(Experiment::Ttft);
    QTest::newRow("line") << int(Experiment::Line);
    QTest::newRow("calibrate") << int(Experiment::Calibrate);
    QTest::newRow("anatomy") << int(Experiment::Anatomy);
}

void TestSessionTabs::everyControlOfThePanelsExplainsItself()
{
    QFETCH(int, experiment);
    Bench bench;
    auto window = bench.window();
    runToTheEnd(*window, catalogPlan(bench));
    window->experimentPanel()->setExperiment(Experiment(experiment));
    part<QToolButton>(*window, "experimentExpect")->setChecked(true);
    window->showLessons();
    window->lessons()->open(QStringLiteral("01-two-numbers"), 0);
    QStringList silent;
    int seen = 0;
    for (const QDockWidget *dock : window->findChildren<QDockWidget *>()) {
        for (const QWidget *widget : dock->widget()->findChildren<QWidget *>()) {
            if (widget->focusPolicy() == Qt::NoFocus || widget->isHidden() ||
                widget->objectName().startsWith(QLatin1String("qt_")))
                continue;
            // Text that can be selected is no control: a tip over it would be in the way of reading. A QTabWidget gives
            // its focus to its bar.
            const auto *lines = qobject_cast<const QPlainTextEdit *>(widget);
            bool inner = qobject_cast<const QLabel *>(widget) || qobject_cast<const QTextBrowser *>(widget) ||
                         (lines && lines->isReadOnly()) || qobject_cast<const QTabWidget *>(widget);
            for (const QWidget *parent = widget->parentWidget(); parent && parent != dock;
                 parent = parent->parentWidget())
                inner = inner || parent->inherits("QAbstractSpinBox") || parent->inherits("QAbstractItemView") ||
                        parent->inherits("QComboBox") || parent->inherits("QHeaderView");
            if (inner || !widget->isVisibleTo(dock->widget()))
                continue;
            ++seen;
            const auto *button = qobject_cast<const QAbstractButton *>(widget);
            const QString name =
                widget->accessibleName().isEmpty() && button ? button->text() : widget->accessibleName();
            if (name.isEmpty() || widget->toolTip().isEmpty())
                silent << QString::fromLatin1(widget->metaObject()->className()) + QLatin1Char(' ') +
                              widget->objectName() + QStringLiteral(" in ") + dock->objectName() +
                              (name.isEmpty() ? " (no name)" : " (no tool tip)");
        }
    }
    QVERIFY2(silent.isEmpty(), qPrintable(silent.join(QLatin1Char('\n'))));
    QVERIFY(seen > 20);
}

void TestSessionTabs::theTableInFocusIsCopiedAsText()
{
    Bench bench;
    auto window = bench.window();
    runToTheEnd(*window, catalogPlan(bench));
    window->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(window.get()));
    QVERIFY(!action(*window, "actionCopyTable")->shortcut().isEmpty());
    QVERIFY(!action(*window, "actionCopyChart")->shortcut().isEmpty());
    // The table on screen: its head and each of its rows, a tab between cells.
    auto *pages = window->findChild<QTabWidget *>(QStringLiteral("recordTabs"));
    QVERIFY(pages);
    for (int i = 0; i < pages->count(); ++i) {
        pages->setCurrentIndex(i);
        auto *table = pages->currentWidget()->findChild<QTableView *>();
        if (!table)
            table = qobject_cast<QTableView *>(pages->currentWidget());
        if (!table || !table->model() || table->model()->rowCount() == 0)
            continue;
        table->setFocus();
        action(*window, "actionCopyTable")->trigger();
        const QStringList lines = QApplication::clipboard()->text().split(QLatin1Char('\n'), Qt::SkipEmptyParts);
        QCOMPARE(lines.size(), qsizetype(table->model()->rowCount() + 1));
        QCOMPARE(lines.first().count(QLatin1Char('\t')), qsizetype(table->model()->columnCount() - 1));
    }
    // A chart in focus: its picture, and its own figures as the table.
    ChartView *latency = window->charts()->chart(QStringLiteral("latency"));
    latency->setFocus();
    action(*window, "actionCopyTable")->trigger();
    const TextTable figures = latency->table();
    QStringList head;
    for (const std::string &cell : figures.header)
        head << QString::fromStdString(cell);
    QCOMPARE(QApplication::clipboard()->text().section(QLatin1Char('\n'), 0, 0), head.join(QLatin1Char('\t')));
    action(*window, "actionCopyChart")->trigger();
    QVERIFY(QApplication::clipboard()->mimeData()->hasImage());
    QVERIFY(QApplication::clipboard()->text().contains(QLatin1Char('\t')));
}

int main(int argc, char **argv)
{
    QApplication application(argc, argv);
    QLocale::setDefault(QLocale::c());
    QApplication::setApplicationName(QStringLiteral("Ridgepoint"));
    if (argc == 3 && QByteArrayView(argv[1]) == "--victim")
        return victim(QString::fromLocal8Bit(argv[2]));
    TestSessionTabs test;
    return QTest::qExec(&test, argc, argv);
}

#include "tst_session_tabs.moc"
