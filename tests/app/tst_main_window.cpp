// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/chart_grid.h"
#include "app/gui/main_window.h"
#include "core/session/replay.h"
#include "core/session/report.h"
#include "tests/app/window_bench.h"
#include "widgets/panels.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QDialog>
#include <QDockWidget>
#include <QDropEvent>
#include <QFile>
#include <QImage>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QMimeData>
#include <QPlainTextEdit>
#include <QProcess>
#include <QPushButton>
#include <QTabBar>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>

#include <algorithm>
#include <chrono>
#include <mutex>
#include <thread>

using namespace ridgepoint;
using namespace ridgepoint::test;

class TestMainWindow : public QObject {
    Q_OBJECT

private slots:
    void importsOfUnknownModelsAreLookedAt_data();
    void importsOfUnknownModelsAreLookedAt();
    void anImportHasItsOwnPredictionOrNone_data();
    void anImportHasItsOwnPredictionOrNone();
    void whatAnImportDoesNotTellIsAskedFor();
    void initTestCase();
    void theWindowStandsBeforeTheEngineIsTouched();
    void theFirstPlanIsTheSmallModelOnTheCpu();
    void withNothingRunTheWhatIfIsTheExperimentsOwn();
    void anExperimentOfTheMenuKeepsItsOwnFields();
    void runAndStopAnswerToTheirKeys();
    void aSweepFillsTheDocumentAndLeavesTheWindowIdle();
    void theLivePointFollowsTheStepsAndGoesWithItsPoint();
    void anEngineThatFailsIsAMessageAndTheWindowLives();
    void aFailedRunKeepsItsPoints();
    void stoppingKeepsTheFinishedPoints();
    void aJournalThatCannotBeWrittenIsSaidAndNothingIsLost();
    void aKilledProgramsRunIsOfferedAndRecovered();
    void aDiscardedRecoveryIsGone();
    void savingRemovesTheJournalAndTheStar();
    void badSessionFilesKeepTheDocument_data();
    void badSessionFilesKeepTheDocument();
    void unsavedResultsAreAskedAbout_data();
    void unsavedResultsAreAskedAbout();
    void closingDuringARunStopsItFirst();
    void aSavedSessionOpensWithTheSameContent();
    void anOpenedSessionFillsTheExperiment();
    void aLineRunsAndFillsTheCentre();
    void aFileGivenAtTheStartShowsItsOwnPicture();
    void rowsOfALineAreImported();
    void anImportThatFailsIsASentence_data();
    void anImportThatFailsIsASentence();
    void aRunThatIsLookedAtFillsTheExperiment();
    void aDroppedFileOpens();
    void theRecentListGreysMissingFiles();
    void themesSwitchPaletteAndCharts_data();
    void themesSwitchPaletteAndCharts();
    void layoutAndThemeComeBackAtTheNextStart();
    void brokenSettingsDoNotBlockTheStart();
    void theReportFolderHoldsEverything();
    void theReportComesInThreeForms_data();
    void theReportComesInThreeForms();
    void aRecordingIsReplayedMarkedAndNothingIsUnsaved();
    void aStoppedReplayEndsWithItsQueue();
    void aReplayThatCannotBeIsASentence();
    void aFolderThatIsNotEmptyIsAskedAbout();
    void exportFaultsAreSentences_data();
    void exportFaultsAreSentences();
    void theChartDialogDoesNotReplaceAFileUnasked();
    void oneChartFillsTheCentreAndStepsBack();
    void chartsStandOnPages();
    void aTraceIsExported();
    void calibrationReachesTheWhatIf();
    void aWhatIfModelChosenByHandStays();
    void accountingSwitchesThePrediction();
    void aLostDeviceOffersARestart();
    void aRestartThatFailsIsSaid();
    void telemetryOfTheNewestStepStandsInTheStatusBar_data();
    void telemetryOfTheNewestStepStandsInTheStatusBar();
    void pointsAreColouredFromTheMenus();
    void anotherCardThanTheProfilesIsAMessage();
    void savedCeilingsServeUntilTheSessionHasItsOwn();
    void samplesOpenAsCopies();
    void shippedSessionsOpenReportAndDraw_data();
    void shippedSessionsOpenReportAndDraw();
    void everyActionHasATextAndCanBeReached();
    void everyControlHasAnAccessibleName();
    void copyGivesFigures();
    void resetBringsEveryPanelBack();
};

void TestMainWindow::initTestCase()
{
    useHomeOfItsOwn();
    QApplication::setApplicationName(QStringLiteral("Ridgepoint"));
}

void TestMainWindow::theWindowStandsBeforeTheEngineIsTouched()
{
    Bench bench;
    std::atomic<int> loads{0};
    auto window = bench.window(
        [&]() -> std::unique_ptr<Engine> {
            ++loads;
            return std::make_unique<FakeEngine>(scriptedSweep);
        },
        true);
    QCOMPARE(loads.load(), 0); // constructed and shown
    QVERIFY(window->isVisible());
    QTRY_COMPARE(loads.load(), 1); // then, in the background
    QTRY_COMPARE(window->findChild<QLabel *>(QStringLiteral("statusDevice"))->text(), QStringLiteral("Scripted CPU"));
    QCOMPARE(window->model()->whatIf().ceilings.memory, 16e9); // the machine's own, for a profile without one
}

void TestMainWindow::theFirstPlanIsTheSmallModelOnTheCpu()
{
    Bench bench;
    auto window = bench.window();
    const std::optional<RunPlan> plan = window->experimentPanel()->plan();
    QVERIFY(plan.has_value());
    QCOMPARE(plan->device, std::string("cpu"));
    QCOMPARE(plan->model.shape.id, std::string("smollm2-135m"));
    QVERIFY(plan->prompts == std::vector<std::int64_t>({128, 2048}));
    QVERIFY(plan->batches == std::vector<std::int64_t>({1, 4, 16, 64, 128}));
    QCOMPARE(plan->memoryLimitBytes, 4e9);
    auto *limit = window->experimentPanel()->findChild<QLineEdit *>(QStringLiteral("experimentMemoryLimit"));
    QVERIFY(limit->isVisible());
    QCOMPARE(limit->text(), QStringLiteral("4"));
}

void TestMainWindow::anExperimentOfTheMenuKeepsItsOwnFields()
{
    Bench bench;
    std::mutex guard;
    std::vector<RunPlan> asked;
    auto window = bench.window(factory([&](const RunPlan &plan, const EventSink &sink, std::stop_token) {
        {
            const std::lock_guard lock(guard);
            asked.push_back(plan);
        }
        sink(started(plan));
        sink(RunEnded{plan.runId, RunEnded::How::Done, ErrorKind::Failure, {}});
    }));
    RunPlan ttft = catalogPlan(bench);
    ttft.experiment = Experiment::Ttft;
    ttft.prompts = {321};
    ttft.batches = {2};
    ttft.warmup = 1;
    RunPlan sweep = catalogPlan(bench);
    sweep.prompts = {55};
    sweep.warmup = 6;
    window->experimentPanel()->setPlan(ttft);
    window->experimentPanel()->setPlan(sweep);
    QTRY_VERIFY(action(*window, "actionTtft")->isEnabled());
    action(*window, "actionTtft")->trigger();
    QTRY_VERIFY(!window->controller()->isRunning());
    QCOMPARE(asked.size(), std::size_t(1));
    QVERIFY(asked[0].experiment == Experiment::Ttft);
    QVERIFY(asked[0].prompts == ttft.prompts && asked[0].batches == ttft.batches);
    QCOMPARE(asked[0].warmup, 1);
    // A field that is wrong for one experiment does not bar another.
    window->experimentPanel()->setExperiment(Experiment::Sweep);
    window->experimentPanel()->findChild<QLineEdit *>(QStringLiteral("experimentPrompts"))->setText("none");
    QVERIFY(!action(*window, "actionRun")->isEnabled());
    action(*window, "actionCalibrate")->trigger();
    QTRY_VERIFY(!window->controller()->isRunning());
    QCOMPARE(asked.size(), std::size_t(2));
    QVERIFY(asked[1].experiment == Experiment::Calibrate);
    action(*window, "actionSweep")->trigger();
    QVERIFY(!window->controller()->isRunning());
    QCOMPARE(window->messages()->texts().size(), qsizetype(1));
}

void TestMainWindow::runAndStopAnswerToTheirKeys()
{
    Bench bench;
    auto window = bench.window(factory([](const RunPlan &plan, const EventSink &sink, std::stop_token stop) {
        sink(started(plan));
        while (!stop.stop_requested())
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        sink(RunEnded{plan.runId, RunEnded::How::Cancelled, ErrorKind::Failure, {}});
    }));
    window->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(window.get()));
    auto *prompts = window->findChild<QLineEdit *>(QStringLiteral("experimentPrompts"));
    prompts->setFocus(); // from within a field too
    QTest::keyClick(prompts, Qt::Key_Return, Qt::ControlModifier);
    QVERIFY(window->controller()->isRunning());
    QTest::keyClick(window->focusWidget() ? window->focusWidget() : prompts, Qt::Key_Escape);
    QTRY_VERIFY(!window->controller()->isRunning());
    QVERIFY(window->model()->session()->runs.back().state == RunRecord::State::Cancelled);
    // Idle, Esc leads a single chart back to all of them.
    action(*window, "actionChart-roofline")->trigger();
    QVERIFY(!window->charts()->single().isEmpty());
    QTest::keyClick(window.get(), Qt::Key_Escape);
    QVERIFY(window->charts()->single().isEmpty());
}

void TestMainWindow::withNothingRunTheWhatIfIsTheExperimentsOwn()
{
    Bench bench;
    auto window = bench.window();
    const std::optional<RunPlan> plan = window->experimentPanel()->plan();
    QVERIFY(plan.has_value());
    const WhatIf &whatIf = window->model()->whatIf();
    QCOMPARE(whatIf.shape.id, plan->model.shape.id);
    QCOMPARE(int(whatIf.dtype), int(plan->dtype));
    QVERIFY(whatIf.ceilings.bandwidth > 0);
    QVERIFY(whatIf.ceilings.flops > 0);
    QVERIFY(!window->document()->isModified());
}

void TestMainWindow::aSweepFillsTheDocumentAndLeavesTheWindowIdle()
{
    Bench bench;
    auto window = bench.window();
    QVERIFY(!action(*window, "actionExportReport")->isEnabled());
    runToTheEnd(*window, catalogPlan(bench));
    const SessionPtr session = window->model()->session();
    QCOMPARE(session->runs.size(), std::size_t(1));
    QCOMPARE(session->runs.front().points.size(), std::size_t(2));
    QCOMPARE(session->runs.front().state, RunRecord::State::Done);
    QVERIFY(window->isWindowModified());
    QVERIFY(!window->model()->live());
    QVERIFY(!action(*window, "actionStop")->isEnabled());
    QVERIFY(action(*window, "actionRun")->isEnabled());
    QVERIFY(action(*window, "actionExportReport")->isEnabled());
    QVERIFY(
        window->findChild<QPlainTextEdit *>(QStringLiteral("log"))->toPlainText().contains(QStringLiteral("Done.")));
}

void TestMainWindow::theLivePointFollowsTheStepsAndGoesWithItsPoint()
{
    Bench bench;
    std::atomic<bool> go{false};
    auto window = bench.window(factory([&](const RunPlan &plan, const EventSink &sink, std::stop_token) {
        sink(started(plan));
        const SweepPoint finished = point(plan, 0, 1, 50);
        sink(PointStarted{plan.runId, 0, 1, 128, finished.context, finished.forecast});
        for (const StepSample &step : finished.steps)
            sink(StepTimed{plan.runId, 0, step});
        while (!go)
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        sink(PointFinished{plan.runId, finished});
        sink(RunEnded{plan.runId, RunEnded::How::Done, ErrorKind::Failure, {}});
    }));
    window->startRun(catalogPlan(bench));
    QTRY_VERIFY(window->model()->live() && window->model()->live()->steps.size() == 50);
    QCOMPARE(window->model()->live()->batch, std::int64_t(1));
    QVERIFY(action(*window, "actionStop")->isEnabled());
    QVERIFY(!action(*window, "actionRun")->isEnabled());
    go = true;
    QTRY_VERIFY(!window->controller()->isRunning());
    QVERIFY(!window->model()->live());
    QCOMPARE(window->model()->session()->runs.front().points.front().steps.size(), std::size_t(50));
}

void TestMainWindow::anEngineThatFailsIsAMessageAndTheWindowLives()
{
    Bench bench;
    auto window = bench.window(
        []() -> std::unique_ptr<Engine> {
            throw Error(ErrorKind::Failure, "No engine module was found. Build it with RIDGEPOINT_ENGINE=ON.");
        },
        true);
    QTRY_VERIFY(window->messages()->isShowing(QStringLiteral("engine")));
    QVERIFY(window->messages()->text(QStringLiteral("engine")).contains(QStringLiteral("RIDGEPOINT_ENGINE=ON")));
    window->startRun(catalogPlan(bench));
    QTRY_VERIFY(!window->controller()->isRunning());
    QVERIFY(window->messages()->text(QStringLiteral("run")).contains(QStringLiteral("No engine module")));
    QVERIFY(window->isVisible());
    QVERIFY(!window->document()->isModified());
    // And it still predicts.
    WhatIf whatIf = window->model()->whatIf();
    whatIf.batch = 8;
    window->model()->setWhatIf(whatIf);
    QVERIFY(!window->charts()->chart(QStringLiteral("throughput"))->table().rows.empty());
}

void TestMainWindow::aFailedRunKeepsItsPoints()
{
    Bench bench;
    auto window = bench.window(factory([](const RunPlan &plan, const EventSink &sink, std::stop_token) {
        sink(started(plan));
        sink(PointFinished{plan.runId, point(plan, 0, 1)});
        sink(RunEnded{plan.runId, RunEnded::How::Failed, ErrorKind::Failure,
                      "The device cuda:0 is gone. Plug it in again."});
    }));
    runToTheEnd(*window, catalogPlan(bench));
    QCOMPARE(window->model()->session()->runs.front().points.size(), std::size_t(1));
    QCOMPARE(window->model()->session()->runs.front().state, RunRecord::State::Failed);
    const QString text = window->messages()->text(QStringLiteral("run"));
    QVERIFY(text.contains(QStringLiteral("cuda:0 is gone")));
    QVERIFY(text.contains(QStringLiteral("kept")));
}

void TestMainWindow::stoppingKeepsTheFinishedPoints()
{
    Bench bench;
    auto window = bench.window(factory([](const RunPlan &plan, const EventSink &sink, std::stop_token stop) {
        sink(started(plan));
        sink(PointFinished{plan.runId, point(plan, 0, 1)});
        while (!stop.stop_requested())
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        sink(RunEnded{plan.runId, RunEnded::How::Cancelled, ErrorKind::Cancelled, {}});
    }));
    window->startRun(catalogPlan(bench));
    QTRY_VERIFY(!window->model()->session()->runs.empty() && !window->model()->session()->runs.front().points.empty());
    action(*window, "actionStop")->trigger();
    QTRY_VERIFY(!window->controller()->isRunning());
    QCOMPARE(window->model()->session()->runs.front().points.size(), std::size_t(1));
    QCOMPARE(window->model()->session()->runs.front().state, RunRecord::State::Cancelled);
}

void TestMainWindow::aJournalThatCannotBeWrittenIsSaidAndNothingIsLost()
{
    Bench bench;
    QFile inTheWay(bench.path("journal")); // a file where the journal's folder should be
    QVERIFY(inTheWay.open(QIODevice::WriteOnly));
    inTheWay.close();
    auto window = bench.window();
    runToTheEnd(*window, catalogPlan(bench));
    QVERIFY(window->messages()->text(QStringLiteral("journal")).contains(QStringLiteral("memory")));
    QCOMPARE(window->model()->session()->runs.front().points.size(), std::size_t(2));
    QVERIFY(window->saveTo(bench.path("kept.json")));
    QVERIFY(!window->messages()->isShowing(QStringLiteral("journal")));
    QCOMPARE(loadSession(bench.path("kept.json").toStdString()).runs.front().points.size(), std::size_t(2));
}

void TestMainWindow::aKilledProgramsRunIsOfferedAndRecovered()
{
    Bench bench;
    QProcess writer;
    writer.start(QStringLiteral(RIDGEPOINT_JOURNAL_WRITER), {QString::fromStdString(bench.journals().string())});
    QVERIFY(writer.waitForReadyRead(10000));
    QCOMPARE(writer.readAllStandardOutput().trimmed(), QByteArray("ready"));
    {
        auto window = bench.window();
        QTest::qWait(200);
        QVERIFY(!window->messages()->isShowing(QStringLiteral("recovery"))); // its process lives: not ours to offer
    }
    writer.kill();
    QVERIFY(writer.waitForFinished(10000));

    auto window = bench.window();
    QTRY_VERIFY(window->messages()->isShowing(QStringLiteral("recovery")));
    QPushButton *recover = nullptr;
    for (QPushButton *button : window->messages()->findChildren<QPushButton *>()) {
        if (button->text() == QLatin1String("Recover"))
            recover = button;
    }
    QVERIFY(recover);
    recover->click();
    QCOMPARE(window->model()->session()->runs.size(), std::size_t(1));
    QCOMPARE(window->model()->session()->runs.front().points.size(), std::size_t(1));
    QCOMPARE(window->model()->session()->runs.front().state, RunRecord::State::Interrupted);
    QVERIFY(window->document()->isModified());
    QVERIFY(!window->messages()->isShowing(QStringLiteral("recovery")));
    // A second crash now would lose nothing either: the results are journalled again until they are saved.
    const auto count = [&] {
        return std::distance(std::filesystem::directory_iterator(bench.journals()),
                             std::filesystem::directory_iterator());
    };
    QVERIFY(count() >= 1);
    QVERIFY(window->saveTo(bench.path("recovered.json")));
    QVERIFY(Journal::recoverable(bench.journals()).empty());
}

void TestMainWindow::aDiscardedRecoveryIsGone()
{
    Bench bench;
    QProcess writer;
    writer.start(QStringLiteral(RIDGEPOINT_JOURNAL_WRITER), {QString::fromStdString(bench.journals().string())});
    QVERIFY(writer.waitForReadyRead(10000));
    writer.kill();
    QVERIFY(writer.waitForFinished(10000));
    auto window = bench.window();
    QTRY_VERIFY(window->messages()->isShowing(QStringLiteral("recovery")));
    const auto discard = [&] {
        for (QPushButton *button : window->messages()->findChildren<QPushButton *>()) {
            if (button->isVisible() && button->text() == QLatin1String("Discard"))
                button->click();
        }
    };
    bench.confirmAnswer = false;
    discard();
    QVERIFY(window->messages()->isShowing(QStringLiteral("recovery"))); // not without a yes
    QCOMPARE(Journal::recoverable(bench.journals()).size(), std::size_t(1));
    bench.confirmAnswer = true;
    discard();
    QVERIFY(!window->messages()->isShowing(QStringLiteral("recovery")));
    QVERIFY(Journal::recoverable(bench.journals()).empty());
}

void TestMainWindow::savingRemovesTheJournalAndTheStar()
{
    Bench bench;
    auto window = bench.window();
    runToTheEnd(*window, catalogPlan(bench));
    const auto files = [&] {
        return std::distance(std::filesystem::directory_iterator(bench.journals()),
                             std::filesystem::directory_iterator());
    };
    const auto before = files();
    QVERIFY(before >= 1);
    QVERIFY(window->isWindowModified());
    QVERIFY(window->saveTo(bench.path("s.json")));
    QVERIFY(!window->isWindowModified());
    QVERIFY(window->windowTitle().startsWith(QStringLiteral("s.json[*]")));
    QVERIFY(files() < before);
    // A further run is unsaved again and journalled again.
    runToTheEnd(*window, catalogPlan(bench));
    QVERIFY(window->isWindowModified());
    QCOMPARE(files(), before);
}

void TestMainWindow::badSessionFilesKeepTheDocument_data()
{
    QTest::addColumn<int>("kind");
    QTest::newRow("missing") << 0;
    QTest::newRow("cut in half") << 1;
    QTest::newRow("newer version") << 2;
    QTest::newRow("not JSON") << 3;
    QTest::newRow("empty") << 4;
}

void TestMainWindow::badSessionFilesKeepTheDocument()
{
    QFETCH(int, kind);
    Bench bench;
    auto window = bench.window();
    const QString good = sessionFile(bench, "good.json");
    QVERIFY(window->openSession(good));
    const SessionPtr before = window->model()->session();
    const QString bad = bench.path("bad.json");
    QByteArray content = contentOf(good);
    if (kind == 1)
        content.truncate(content.size() / 2);
    else if (kind == 2)
        content = "{\"format\": \"ridgepoint-session\", \"version\": 1000}";
    else if (kind == 3)
        content = "batch,step_ms\n1,2\n";
    else if (kind == 4)
        content.clear();
    if (kind != 0) {
        QFile file(bad);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(content);
    }
    QVERIFY(!window->openSession(bad));
    QVERIFY2(window->messages()->text(QStringLiteral("open")).contains(QStringLiteral("bad.json")),
             qPrintable(window->messages()->text(QStringLiteral("open"))));
    QCOMPARE(window->model()->session(), before);
    QCOMPARE(window->document()->path(), good);
    QCOMPARE(bench.unsavedAsked, 0);
}

void TestMainWindow::unsavedResultsAreAskedAbout_data()
{
    QTest::addColumn<int>("answer");
    QTest::addColumn<bool>("goes");
    QTest::addColumn<bool>("saved");
    QTest::newRow("cancel") << int(Prompts::Unsaved::Cancel) << false << false;
    QTest::newRow("discard") << int(Prompts::Unsaved::Discard) << true << false;
    QTest::newRow("save") << int(Prompts::Unsaved::Save) << true << true;
}

void TestMainWindow::unsavedResultsAreAskedAbout()
{
    QFETCH(int, answer);
    QFETCH(bool, goes);
    QFETCH(bool, saved);
    Bench bench;
    bench.unsavedAnswer = Prompts::Unsaved(answer);
    bench.saveAnswer = bench.path("asked.json");
    const QString other = sessionFile(bench, "other.json");
    {
        auto window = bench.window();
        QVERIFY(window->closeTab(0)); // nothing to ask about
        QCOMPARE(bench.unsavedAsked, 0);
        runToTheEnd(*window, catalogPlan(bench));
        QCOMPARE(window->closeTab(0), goes);
        QCOMPARE(bench.unsavedAsked, 1);
        QCOMPARE(window->model()->session()->runs.empty(), goes);
        QCOMPARE(QFile::exists(bench.saveAnswer), saved);
    }
    {
        auto window = bench.window();
        runToTheEnd(*window, catalogPlan(bench));
        QVERIFY(window->openSession(other)); // beside them, in a tab of its own
        QCOMPARE(window->tabCount(), 2);
        QCOMPARE(bench.unsavedAsked, 1);
    }
    {
        auto window = bench.window();
        runToTheEnd(*window, catalogPlan(bench));
        QCOMPARE(window->close(), goes);
        QCOMPARE(window->isVisible(), !goes);
        QCOMPARE(bench.unsavedAsked, 2);
    }
}

void TestMainWindow::closingDuringARunStopsItFirst()
{
    Bench bench;
    bench.unsavedAnswer = Prompts::Unsaved::Discard;
    auto window = bench.window(factory([](const RunPlan &plan, const EventSink &sink, std::stop_token stop) {
        sink(started(plan));
        sink(PointFinished{plan.runId, point(plan, 0, 1)});
        while (!stop.stop_requested())
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        sink(RunEnded{plan.runId, RunEnded::How::Cancelled, ErrorKind::Cancelled, {}});
    }));
    window->startRun(catalogPlan(bench));
    QTRY_VERIFY(window->document()->isModified());
    bench.confirmAnswer = false;
    QVERIFY(!window->close());
    QVERIFY(window->controller()->isRunning() && !window->controller()->isStopping());
    bench.confirmAnswer = true;
    window->close();
    QTRY_VERIFY(!window->isVisible());
    QVERIFY(!window->controller()->isRunning());
    QCOMPARE(bench.unsavedAsked, 1);
}

void TestMainWindow::aSavedSessionOpensWithTheSameContent()
{
    Bench bench;
    auto window = bench.window();
    runToTheEnd(*window, catalogPlan(bench));
    QVERIFY(window->saveTo(bench.path("a.json")));
    const std::string before = toJson(*window->model()->session());
    std::vector<TextTable> tables;
    for (ChartView *chart : window->charts()->charts())
        tables.push_back(chart->table());
    QVERIFY(window->closeTab(0));
    QVERIFY(!window->document()->hasResults());
    QVERIFY(window->openSession(bench.path("a.json")));
    QCOMPARE(toJson(*window->model()->session()), before);
    QVERIFY(!window->isWindowModified());
    for (ChartView *chart : window->charts()->charts()) {
        const TextTable &old = tables[std::size_t(window->charts()->charts().indexOf(chart))];
        QVERIFY2(chart->table().header == old.header && chart->table().rows == old.rows, qPrintable(chart->id()));
    }
}

void TestMainWindow::aLineRunsAndFillsTheCentre()
{
    Bench bench;
    auto window = bench.window(factory([](const RunPlan &plan, const EventSink &sink, std::stop_token stop) {
        plan.experiment == Experiment::Line ? scriptedLine(plan, sink, stop) : scriptedSweep(plan, sink, stop);
    }));
    action(*window, "actionLine")->trigger();
    QTRY_VERIFY(!window->controller()->isRunning() && window->document()->hasResults());
    const RunRecord *run = window->model()->currentRun();
    QVERIFY(run && run->plan.experiment == Experiment::Line);
    QVERIFY(run->state == RunRecord::State::Done);
    QCOMPARE(run->line.size(), run->plan.models.size() * run->plan.dtypes.size());
    QVERIFY(run->line.size() > 3);
    QVERIFY(!run->plan.nominalFlops.empty());
    QCOMPARE(window->charts()->single(), QStringLiteral("line"));
    QVERIFY(window->charts()->chart(QStringLiteral("line"))->isVisible());
    QVERIFY(!window->model()->live());
    QVERIFY(window->isWindowModified());
    // What was run is what the panel shows again when the session is opened.
    const RunPlan plan = run->plan;
    QVERIFY(window->saveTo(bench.path("line.json")));
    QVERIFY(window->closeTab(0));
    QVERIFY(window->charts()->single().isEmpty());
    window->experimentPanel()->setExperiment(Experiment::Sweep);
    QVERIFY(window->openSession(bench.path("line.json")));
    QCOMPARE(window->charts()->single(), QStringLiteral("line"));
    const std::optional<RunPlan> shown = window->experimentPanel()->plan();
    QVERIFY(shown && shown->experiment == Experiment::Line);
    QVERIFY(shown->models == plan.models && shown->dtypes == plan.dtypes);
    QCOMPARE(shown->repeats, plan.repeats);
    // Another run has the four charts back.
    runToTheEnd(*window, catalogPlan(bench));
    QVERIFY(window->charts()->single().isEmpty());
    QVERIFY(!window->charts()->chart(QStringLiteral("line"))->isVisible());
}

void TestMainWindow::aFileGivenAtTheStartShowsItsOwnPicture()
{
    Bench bench;
    auto window = bench.window(); // for the first time on this machine: the layout is laid once it is on the screen
    QVERIFY(window->openSession(QStringLiteral(RIDGEPOINT_SOURCE_DIR "/resources/samples/cpu-line.json")));
    QTest::qWait(100);
    QCOMPARE(window->charts()->single(), QStringLiteral("line"));
    QVERIFY(window->charts()->chart(QStringLiteral("line"))->isVisible());
}

void TestMainWindow::rowsOfALineAreImported()
{
    Bench bench;
    auto window = bench.window();
    runToTheEnd(*window, catalogPlan(bench));
    const WhatIf before = window->model()->whatIf();
    const QString csv = QStringLiteral(RIDGEPOINT_SOURCE_DIR "/tests/fixtures/line/model_line_laptop.csv");
    bench.numberAnswer.reset();
    QVERIFY(!window->openSession(csv)); // the question was cancelled
    QCOMPARE(window->model()->session()->runs.size(), std::size_t(1));
    bench.numberAnswer = 200;
    QVERIFY(window->openSession(csv));
    QCOMPARE(bench.numberAsked.size(), 2);
    QCOMPARE(window->model()->session()->runs.size(), std::size_t(2)); // it joins what is there
    const RunRecord *run = window->model()->currentRun();
    QVERIFY(run && run->line.size() == 12 && run->line.front().imported);
    QVERIFY(run->state == RunRecord::State::Done);
    QCOMPARE(run->plan.nominal.bandwidth, 200e9);
    QCOMPARE(window->charts()->single(), QStringLiteral("line"));
    QVERIFY(window->model()->whatIf() == before); // nothing that could be predicted came with it
    QVERIFY(window->experimentPanel()->plan());
    auto *says = window->findChild<QLabel *>(QStringLiteral("recordLineSays"));
    QVERIFY2(says->text().contains("6.122 ms/GB") && says->text().contains("255 GB/s"), qPrintable(says->text()));
    // The journal has it: a crash now loses nothing.
    const auto journals = Journal::recoverable(bench.journals());
    QVERIFY(journals.empty()); // held by this program
    QVERIFY(window->saveTo(bench.path("imported.json")));
    QCOMPARE(loadSession(bench.path("imported.json").toStdString()).runs[1].line.size(), std::size_t(12));
    QVERIFY(window->exportTable(QStringLiteral("line"), bench.path("line.csv")));
    QCOMPARE(contentOf(bench.path("line.csv")).count('\n'), 13);
    QVERIFY(window->exportChart({QStringLiteral("line"), bench.path("line.svg"), QSize(640, 400), 1}));
    QVERIFY(contentOf(bench.path("line.svg")).contains("<svg"));
}

void TestMainWindow::anImportThatFailsIsASentence_data()
{
    QTest::addColumn<QByteArray>("csv");
    QTest::addColumn<bool>("read");
    QTest::addColumn<QString>("told");
    QTest::newRow("no table") << QByteArray("a,b\n1,2\n") << false << "no column model";
    QTest::newRow("a bad row") << QByteArray("model,weight_gb,tpot_ms\nA,1,5\nB,x,6\nC,3,8\n") << true << "Line 3: 'x'";
}

void TestMainWindow::anImportThatFailsIsASentence()
{
    QFETCH(QByteArray, csv);
    QFETCH(bool, read);
    QFETCH(QString, told);
    Bench bench;
    auto window = bench.window();
    QFile file(bench.path("rows.csv"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(csv);
    file.close();
    QCOMPARE(window->importLineCsv(file.fileName(), 0), read);
    const QString texts = window->messages()->texts().join(QLatin1Char('\n'));
    QVERIFY2(texts.contains(told), qPrintable(texts));
    QCOMPARE(window->document()->hasResults(), read);
}

void TestMainWindow::anOpenedSessionFillsTheExperiment()
{
    Bench bench;
    auto window = bench.window(factory(scriptedSweep), true);
    QTRY_COMPARE(window->findChild<QLabel *>(QStringLiteral("statusDevice"))->text(), QStringLiteral("Scripted CPU"));
    Session session = newSession();
    RunPlan plan = catalogPlan(bench);
    plan.runId = newId();
    plan.model.shape = bench.catalog->modelById("tinyllama-1.1b");
    plan.dtype = DType::F32;
    plan.prompts = {77, 99};
    plan.batches = {3, 5};
    plan.memoryLimitBytes = 7e9;
    plan.nominal = {11e9, 22e9, 0, 33e9};
    applyEvent(session, started(plan));
    applyEvent(session, PointFinished{plan.runId, point(plan, 0, 3)});
    applyEvent(session, RunEnded{plan.runId, RunEnded::How::Done, ErrorKind::Failure, {}});
    saveSession(session, bench.path("a.json").toStdString());
    QVERIFY(window->openSession(bench.path("a.json")));
    const std::optional<RunPlan> shown = window->experimentPanel()->plan();
    QVERIFY(shown.has_value());
    QCOMPARE(shown->model.shape.id, plan.model.shape.id);
    QVERIFY(shown->dtype == DType::F32);
    QVERIFY(shown->prompts == plan.prompts && shown->batches == plan.batches);
    QCOMPARE(shown->memoryLimitBytes, 7e9);
    // The prediction beneath the points is the run's own, with its ceilings, not the catalogue's.
    QCOMPARE(window->model()->whatIf().nominal.bandwidth, 11e9);
    QCOMPARE(window->model()->whatIf().nominal.memory, 7e9);
    // Another dtype is a choice made anew: the catalogue's figures of it take their place.
    plan.dtype = DType::BF16;
    window->experimentPanel()->setPlan(plan);
    QVERIFY(window->model()->whatIf().dtype == DType::BF16);
    QVERIFY(window->model()->whatIf().nominal.bandwidth != 11e9);
}

void TestMainWindow::aRunThatIsLookedAtFillsTheExperiment()
{
    Bench bench;
    auto window = bench.window();
    RunPlan first = catalogPlan(bench), second = catalogPlan(bench);
    first.prompts = {40};
    second.prompts = {50};
    window->experimentPanel()->setPlan(first);
    runToTheEnd(*window, first);
    window->experimentPanel()->setPlan(second);
    runToTheEnd(*window, second);
    QVERIFY(window->experimentPanel()->plan()->prompts == second.prompts);
    window->model()->setCurrentRun(window->model()->session()->runs.front().plan.runId);
    QVERIFY(window->experimentPanel()->plan()->prompts == first.prompts);
}

void TestMainWindow::aDroppedFileOpens()
{
    Bench bench;
    auto window = bench.window();
    const QString file = sessionFile(bench, "dropped.json");
    QMimeData data;
    data.setUrls({QUrl::fromLocalFile(file)});
    QDragEnterEvent enter(QPoint(10, 10), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(window.get(), &enter);
    QVERIFY(enter.isAccepted());
    QDropEvent drop(QPointF(10, 10), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(window.get(), &drop);
    QTRY_COMPARE(window->document()->path(), file);
    QMimeData text;
    text.setText(QStringLiteral("no file"));
    QDragEnterEvent other(QPoint(10, 10), Qt::CopyAction, &text, Qt::LeftButton, Qt::NoModifier);
    other.ignore();
    QApplication::sendEvent(window.get(), &other);
    QVERIFY(!other.isAccepted());
}

void TestMainWindow::theRecentListGreysMissingFiles()
{
    Bench bench;
    const QString kept = sessionFile(bench, "kept.json");
    const QString gone = sessionFile(bench, "gone.json");
    {
        auto window = bench.window();
        QVERIFY(window->openSession(kept));
        QVERIFY(window->openSession(gone));
        window->close();
    }
    QVERIFY(QFile::remove(gone));
    auto window = bench.window();
    const QList<QAction *> items = window->findChild<QMenu *>(QStringLiteral("menuRecent"))->actions();
    QVERIFY(items.size() >= 2);
    QVERIFY(items.at(0)->text().contains(QStringLiteral("gone.json")) && !items.at(0)->isEnabled());
    QVERIFY(items.at(1)->text().contains(QStringLiteral("kept.json")) && items.at(1)->isEnabled());
    items.at(1)->trigger();
    QCOMPARE(window->document()->path(), kept);
}

void TestMainWindow::themesSwitchPaletteAndCharts_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<bool>("dark");
    QTest::newRow("light") << QStringLiteral("actionThemeLight") << false;
    QTest::newRow("dark") << QStringLiteral("actionThemeDark") << true;
}

void TestMainWindow::themesSwitchPaletteAndCharts()
{
    QFETCH(QString, name);
    QFETCH(bool, dark);
    Bench bench;
    auto window = bench.window();
    action(*window, qPrintable(name))->trigger();
    QCOMPARE(window->palette().color(QPalette::Window).lightness() < 128, dark);
    for (ChartView *chart : window->charts()->charts())
        QCOMPARE(chart->theme().dark, dark);
    QVERIFY(action(*window, qPrintable(name))->isChecked());
    action(*window, "actionThemeSystem")->trigger();
    const bool system = QApplication::palette().color(QPalette::Window).lightness() < 128;
    for (ChartView *chart : window->charts()->charts())
        QCOMPARE(chart->theme().dark, system);
}

void TestMainWindow::layoutAndThemeComeBackAtTheNextStart()
{
    Bench bench;
    {
        auto window = bench.window();
        window->resize(1111, 777);
        window->setThemeMode(ThemeMode::Dark);
        window->findChild<QDockWidget *>(QStringLiteral("dockWhatIf"))->hide();
        QVERIFY(window->close());
    }
    {
        WindowServices services;
        services.engine = factory(scriptedSweep);
        services.catalog = bench.catalog;
        services.settingsFile = bench.path("settings.conf");
        services.journalFolder = bench.journals();
        services.loadEngineInBackground = false;
        MainWindow window(std::move(services));
        window.show();
        QCOMPARE(window.size(), QSize(1111, 777));
        QCOMPARE(window.themeMode(), ThemeMode::Dark);
        QVERIFY(!window.findChild<QDockWidget *>(QStringLiteral("dockWhatIf"))->isVisible());
        QVERIFY(window.findChild<QDockWidget *>(QStringLiteral("dockExperiment"))->isVisible());
        window.setThemeMode(ThemeMode::System);
    }
}

void TestMainWindow::brokenSettingsDoNotBlockTheStart()
{
    Bench bench;
    QFile file(bench.path("settings.conf"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("[window]\ngeometry=@ByteArray(zz)\nstate=@ByteArray(zz)\nlayout_version=1\ntheme=7\n[experiment]\nlast="
               "\"{}\"\n");
    file.close();
    auto window = bench.window();
    QVERIFY(window->isVisible());
    QVERIFY(window->findChild<QDockWidget *>(QStringLiteral("dockExperiment"))->isVisible());
    QVERIFY(window->experimentPanel()->plan().has_value());
}

void TestMainWindow::theReportFolderHoldsEverything()
{
    Bench bench;
    auto window = bench.window();
    runToTheEnd(*window, catalogPlan(bench));
    const QString folder = bench.path("report");
    QVERIFY2(window->exportReportTo(folder), qPrintable(window->messages()->text(QStringLiteral("export"))));
    QVERIFY(bench.confirmAsked.isEmpty());
    const QByteArray text = contentOf(folder + QStringLiteral("/report.md"));
    QVERIFY(!text.isEmpty());
    for (const char *name : {"session.json", "sweep.csv", "steps.csv"})
        QVERIFY2(!contentOf(folder + QLatin1Char('/') + QLatin1String(name)).isEmpty(), name);
    for (const char *name : {"roofline.png", "throughput.png", "latency.png"}) {
        const QImage picture(folder + QLatin1Char('/') + QLatin1String(name));
        QVERIFY2(picture.width() >= 900 && picture.height() >= 500, name);
        QVERIFY2(text.contains(name), name); // and the text refers to it
    }
    QCOMPARE(toJson(loadSession((folder + QStringLiteral("/session.json")).toStdString())),
             toJson(*window->model()->session()));
}

void TestMainWindow::theReportComesInThreeForms_data()
{
    QTest::addColumn<int>("format");
    QTest::addColumn<QString>("file");
    QTest::addColumn<QByteArray>("beginning");
    QTest::newRow("markdown") << int(ReportFormat::Markdown) << QStringLiteral("report.md") << QByteArray("# Ridgepoint report");
    QTest::newRow("html") << int(ReportFormat::Html) << QStringLiteral("report.html") << QByteArray("<!DOCTYPE html>");
    QTest::newRow("pdf") << int(ReportFormat::Pdf) << QStringLiteral("report.pdf") << QByteArray("%PDF-");
}

void TestMainWindow::theReportComesInThreeForms()
{
    QFETCH(int, format);
    QFETCH(QString, file);
    QFETCH(QByteArray, beginning);
    Bench bench;
    auto window = bench.window();
    QVERIFY(window->openSession(sessionFile(bench, "s.json")));
    const QString folder = bench.path("report");
    QVERIFY(window->exportReportTo(folder, ReportFormat(format)));
    QVERIFY(contentOf(folder + QLatin1Char('/') + file).startsWith(beginning));
    QCOMPARE(QDir(folder).entryList({QStringLiteral("report.*")}), QStringList{file});
    QVERIFY(window->messages()->text(QStringLiteral("export")).contains(file));
    QVERIFY(QFile::exists(folder + QStringLiteral("/sweep.csv")) && QFile::exists(folder + QStringLiteral("/roofline.png")));
}

/// A session of two runs, the first a calibration.
static QString recording(Bench &bench)
{
    Session session = loadSession(sessionFile(bench, "recorded.json").toStdString());
    RunPlan plan = catalogPlan(bench);
    plan.experiment = Experiment::Calibrate;
    plan.runId = newId();
    applyEvent(session, started(plan));
    CalibrationResult calibration;
    calibration.ceilings.deviceName = "Scripted CPU";
    calibration.ceilings.readBandwidth = 20e9;
    applyEvent(session, CalibrationFinished{plan.runId, calibration});
    applyEvent(session, RunEnded{plan.runId, RunEnded::How::Done, ErrorKind::Failure, {}});
    saveSession(session, bench.path("recorded.json").toStdString());
    return bench.path("recorded.json");
}

void TestMainWindow::aRecordingIsReplayedMarkedAndNothingIsUnsaved()
{
    Bench bench;
    const QString path = recording(bench);
    const QByteArray before = contentOf(path);
    // No engine is needed: this one could not be made.
    auto window = bench.window([]() -> std::unique_ptr<Engine> { throw Error(ErrorKind::Failure, "there is no engine"); });
    QVERIFY(window->replaySession(path, 0));
    QTRY_VERIFY(!window->controller()->isRunning() && window->model()->session()->runs.size() == 2);
    QTRY_VERIFY(window->model()->session()->runs.back().state == RunRecord::State::Done);
    const Session &session = *window->model()->session();
    const Session recorded = loadSession(path.toStdString());
    QVERIFY(session.id != recorded.id);
    for (std::size_t i = 0; i < 2; ++i) {
        QVERIFY(isReplay(session.runs[i]));
        QVERIFY(session.runs[i].plan.runId != recorded.runs[i].plan.runId);
        QCOMPARE(session.runs[i].points.size(), recorded.runs[i].points.size());
    }
    QCOMPARE(session.runs[0].points[1].stepSeconds, recorded.runs[0].points[1].stepSeconds);
    QVERIFY(window->messages()->text(QStringLiteral("replay")).contains(QStringLiteral("recorded.json")));
    QVERIFY(!window->messages()->isShowing(QStringLiteral("engine")));
    QVERIFY(!window->document()->isModified()); // nothing to ask about, and no journal to recover
    QVERIFY(window->document()->path().isEmpty());
    QVERIFY(bench.kept.empty()); // a replayed calibration is none of this machine's
    QVERIFY(!std::filesystem::exists(bench.journals()) || std::filesystem::is_empty(bench.journals()));
    QCOMPARE(contentOf(path), before);
    QVERIFY(QString::fromStdString(reportMarkdown(session, {})).contains(QStringLiteral("a recording, played again")));
    // Another document is no recording.
    QVERIFY(window->newSession());
    QCOMPARE(bench.unsavedAsked, 0);
    QVERIFY(!window->messages()->isShowing(QStringLiteral("replay")));
}

void TestMainWindow::aStoppedReplayEndsWithItsQueue()
{
    Bench bench;
    auto window = bench.window();
    QVERIFY(window->replaySession(recording(bench), 1e-6)); // days, were it not stopped
    QVERIFY(window->controller()->isRunning());
    window->controller()->stop();
    QTRY_VERIFY(!window->controller()->isRunning());
    QTest::qWait(50);
    QVERIFY(!window->controller()->isRunning());
    QCOMPARE(window->model()->session()->runs.size(), std::size_t(1));
}

void TestMainWindow::aReplayThatCannotBeIsASentence()
{
    Bench bench;
    auto window = bench.window();
    QVERIFY(!window->replaySession(bench.path("absent.json"), 1));
    QVERIFY(window->messages()->text(QStringLiteral("open")).contains(QStringLiteral("absent.json")));
    saveSession(newSession(), bench.path("empty.json").toStdString());
    QVERIFY(!window->replaySession(bench.path("empty.json"), 1));
    QVERIFY(window->messages()->text(QStringLiteral("open")).contains(QStringLiteral("empty.json")));
    QVERIFY(!window->controller()->isRunning());
}

void TestMainWindow::aFolderThatIsNotEmptyIsAskedAbout()
{
    Bench bench;
    auto window = bench.window();
    QVERIFY(window->openSession(sessionFile(bench, "s.json")));
    const QString folder = bench.path("full");
    QVERIFY(QDir().mkpath(folder));
    QFile file(folder + QStringLiteral("/report.md"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("mine");
    file.close();
    bench.confirmAnswer = false;
    QVERIFY(!window->exportReportTo(folder));
    QCOMPARE(contentOf(file.fileName()), QByteArray("mine"));
    bench.confirmAnswer = true;
    QVERIFY(window->exportReportTo(folder));
    QVERIFY(contentOf(file.fileName()) != QByteArray("mine"));
    QCOMPARE(bench.confirmAsked.size(), qsizetype(2));
}

void TestMainWindow::exportFaultsAreSentences_data()
{
    QTest::addColumn<QString>("what");
    QTest::newRow("chart") << QStringLiteral("chart");
    QTest::newRow("unknown chart") << QStringLiteral("nochart");
    QTest::newRow("table") << QStringLiteral("table");
    QTest::newRow("report") << QStringLiteral("report");
    QTest::newRow("session") << QStringLiteral("session");
}

void TestMainWindow::exportFaultsAreSentences()
{
    QFETCH(QString, what);
    Bench bench;
    auto window = bench.window();
    QVERIFY(window->openSession(sessionFile(bench, "s.json")));
    // A path that leads through a file can be made by nobody, root included.
    const QString impossible = bench.path("s.json") + QStringLiteral("/x");
    bool ok = true;
    QString key = QStringLiteral("export");
    if (what == QLatin1String("chart"))
        ok = window->exportChart({QStringLiteral("roofline"), impossible + QStringLiteral(".png"), QSize(400, 300), 1});
    else if (what == QLatin1String("nochart"))
        ok = window->exportChart({QStringLiteral("pie"), bench.path("x.png"), QSize(400, 300), 1});
    else if (what == QLatin1String("table"))
        ok = window->exportTable(QStringLiteral("sweep"), impossible + QStringLiteral(".csv"));
    else if (what == QLatin1String("report"))
        ok = window->exportReportTo(impossible);
    else {
        ok = window->saveTo(impossible + QStringLiteral(".json"));
        key = QStringLiteral("save");
    }
    QVERIFY(!ok);
    const QString text = window->messages()->text(key);
    QVERIFY2(text.contains(what == QLatin1String("nochart") ? QStringLiteral("pie") : QStringLiteral("s.json")),
             qPrintable(text));
    QCOMPARE(window->document()->path(), bench.path("s.json"));
}

void TestMainWindow::theChartDialogDoesNotReplaceAFileUnasked()
{
    Bench bench;
    auto window = bench.window();
    const QString target = bench.path("roofline.png");
    QFile file(target);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.close();
    Prompts prompts = Prompts::standard();
    int asked = 0;
    bool answer = false;
    prompts.confirm = [&](QWidget *, const QString &question, const QString &) {
        ++asked;
        return answer && question.contains(QStringLiteral("roofline.png"));
    };
    ChartExportDialog dialog(window->charts()->charts(), {QStringLiteral("roofline"), target, QSize(640, 400), 1.5},
                             prompts);
    QCOMPARE(dialog.request().size, QSize(640, 400));
    QCOMPARE(dialog.request().scale, 1.5);
    dialog.accept();
    QCOMPARE(asked, 1);
    QVERIFY(dialog.result() != QDialog::Accepted);
    answer = true;
    dialog.accept();
    QCOMPARE(dialog.result(), int(QDialog::Accepted));
    QVERIFY(window->exportChart(dialog.request()));
    QCOMPARE(QImage(target).size(), QSize(960, 600));
}

void TestMainWindow::oneChartFillsTheCentreAndStepsBack()
{
    Bench bench;
    auto window = bench.window();
    const auto visible = [&] {
        return std::count_if(window->charts()->charts().begin(), window->charts()->charts().end(),
                             [](ChartView *chart) { return chart->isVisible(); });
    };
    QCOMPARE(visible(), 4);
    emit window->charts()->chart(QStringLiteral("latency"))->activated();
    QCOMPARE(visible(), 1);
    QVERIFY(window->charts()->chart(QStringLiteral("latency"))->isVisible());
    QVERIFY(action(*window, "actionChart-latency")->isChecked());
    QVERIFY(action(*window, "actionAllCharts")->shortcuts().contains(QKeySequence(Qt::Key_Escape)));
    action(*window, "actionChart-roofline")->trigger();
    QCOMPARE(visible(), 1);
    QVERIFY(window->charts()->chart(QStringLiteral("roofline"))->isVisible());
    action(*window, "actionAllCharts")->trigger();
    QCOMPARE(visible(), 4);
}

void TestMainWindow::chartsStandOnPages()
{
    Bench bench;
    auto window = bench.window();
    ChartGrid *grid = window->charts();
    const auto shown = [&] {
        QStringList ids;
        for (ChartView *chart : grid->charts())
            if (chart->isVisible())
                ids << chart->id();
        return ids;
    };
    auto *tabs = window->findChild<QTabBar *>(QStringLiteral("chartPages"));
    QCOMPARE(tabs->count(), 3);
    QCOMPARE(shown(), (QStringList{"roofline", "throughput", "latency", "time-account"}));
    tabs->setCurrentIndex(1);
    QCOMPARE(shown(), (QStringList{"frontier", "anatomy"}));
    QVERIFY(grid->single().isEmpty());
    // One of them fills the centre and steps back to its page.
    action(*window, "actionChart-anatomy")->trigger();
    QCOMPARE(shown(), QStringList{"anatomy"});
    QCOMPARE(grid->current()->id(), QStringLiteral("anatomy"));
    action(*window, "actionAllCharts")->trigger();
    QCOMPARE(shown(), (QStringList{"frontier", "anatomy"}));
    QTest::mouseClick(tabs, Qt::LeftButton, {}, tabs->tabRect(2).center());
    QCOMPARE(shown(), QStringList{"line"});
    QCOMPARE(tabs->currentIndex(), 2);
    action(*window, "actionChart-latency")->trigger();
    QCOMPARE(tabs->currentIndex(), 0);
    QCOMPARE(shown(), QStringList{"latency"});
    QTest::mouseClick(tabs, Qt::LeftButton, {}, tabs->tabRect(0).center()); // the page in front steps back
    QCOMPARE(shown().size(), 4);
    // Readable on a small screen: no chart falls below its least size.
    window->resize(1024, 700);
    window->resetLayout();
    for (int page : {0, 1}) {
        grid->showPage(page);
        // Docks are moved in steps.
        QTRY_VERIFY(std::all_of(grid->charts().begin(), grid->charts().end(), [](ChartView *chart) {
            return !chart->isVisible() || (chart->width() >= 180 && chart->height() >= 120);
        }));
    }
}

void TestMainWindow::aTraceIsExported()
{
    Bench bench;
    auto window = bench.window();
    QVERIFY(!action(*window, "actionExportTrace")->isEnabled());
    QVERIFY(!window->exportTrace(bench.path("none.json")));
    QVERIFY(!window->messages()->texts().isEmpty());
    Session session = newSession();
    RunPlan plan = catalogPlan(bench);
    plan.runId = newId();
    plan.experiment = Experiment::Anatomy;
    RunRecord run;
    run.plan = plan;
    run.state = RunRecord::State::Done;
    StepAnatomy anatomy; // made-up figures
    anatomy.runId = plan.runId;
    anatomy.batch = 1;
    anatomy.context = 128;
    anatomy.tracer = "made up";
    anatomy.kernels = {{"first", 0, 2e-6, 0, StepPart::Qkv, 0}, {"second", 3e-6, 4e-6, 0, StepPart::Head, -1}};
    anatomy.tracedSeconds = 7e-6;
    anatomy.busySeconds = 6e-6;
    run.anatomy = anatomy;
    session.runs.push_back(run);
    saveSession(session, bench.path("anatomy.json").toStdString());
    QVERIFY(window->openSession(bench.path("anatomy.json")));
    QCOMPARE(window->charts()->page(), 1); // an anatomy shows itself
    QVERIFY(action(*window, "actionExportTrace")->isEnabled());
    bench.saveAnswer = bench.path("step.trace.json");
    action(*window, "actionExportTrace")->trigger();
    const QJsonDocument trace = QJsonDocument::fromJson(contentOf(bench.path("step.trace.json")));
    const QJsonArray events =
        trace.isArray() ? trace.array() : trace.object().value(QStringLiteral("traceEvents")).toArray();
    QStringList names;
    for (const QJsonValue &event : events)
        if (event.toObject().value(QStringLiteral("ph")).toString() == QLatin1String("X"))
            names << event.toObject().value(QStringLiteral("name")).toString();
    QVERIFY(names.contains("first") && names.contains("second"));
}

void TestMainWindow::calibrationReachesTheWhatIf()
{
    Bench bench;
    auto window = bench.window(factory([](const RunPlan &plan, const EventSink &sink, std::stop_token) {
        sink(started(plan));
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
    runToTheEnd(*window, plan);
    const WhatIf &whatIf = window->model()->whatIf();
    QVERIFY(whatIf.measured.has_value());
    QCOMPARE(whatIf.ceilings.bandwidth, 12.5e9);
    QCOMPARE(whatIf.ceilings.flops, whatIf.dtype == DType::F32 ? 55e9 : 77e9);
    QCOMPARE(whatIf.ceilings.overhead, 2e-3);
    QVERIFY(whatIf.nominal.bandwidth != whatIf.ceilings.bandwidth); // both columns stay
    QCOMPARE(bench.kept.size(), std::size_t(1)); // and later sessions may start from it
    QCOMPARE(*bench.kept[0].ceilings.readBandwidth, 12.5e9);
}

void TestMainWindow::aWhatIfModelChosenByHandStays()
{
    Bench bench;
    auto window = bench.window();
    RunPlan plan = catalogPlan(bench);
    window->experimentPanel()->setPlan(plan);
    QCOMPARE(window->model()->whatIf().shape.id, std::string("smollm2-135m"));
    plan.model.shape = bench.catalog->modelById("tinyllama-1.1b");
    window->experimentPanel()->setPlan(plan);
    QCOMPARE(window->model()->whatIf().shape.id, std::string("tinyllama-1.1b")); // follows
    WhatIf whatIf = window->model()->whatIf();
    whatIf.shape = bench.catalog->modelById("llama-2-7b");
    window->model()->setWhatIf(whatIf); // as the panel does it
    plan.model.shape = bench.catalog->modelById("smollm2-135m");
    window->experimentPanel()->setPlan(plan);
    QCOMPARE(window->model()->whatIf().shape.id, std::string("llama-2-7b"));
}

void TestMainWindow::accountingSwitchesThePrediction()
{
    Bench bench;
    auto window = bench.window();
    QVERIFY(action(*window, "actionExact")->isChecked());
    const double exact = window->model()->workload().weightBytes;
    action(*window, "actionTextbook")->trigger();
    QVERIFY(window->model()->whatIf().accounting == Accounting::Textbook);
    QVERIFY(action(*window, "actionTextbook")->isChecked() && !action(*window, "actionExact")->isChecked());
    QVERIFY(window->model()->workload().accounting == Accounting::Textbook);
    QVERIFY(exact > 0);
}

/// One point, then a fault after which the process can no longer use the GPU.
static void stickyFault(const RunPlan &plan, const EventSink &sink, std::stop_token stop)
{
    if (plan.device == "cpu") {
        scriptedSweep(plan, sink, stop);
        return;
    }
    sink(started(plan));
    sink(PointFinished{plan.runId, point(plan, 0, 1)});
    RunEnded end{plan.runId, RunEnded::How::Failed, ErrorKind::Failure, "The GPU reported an illegal address.", true};
    sink(end);
}

static RunController::EngineFactory gpuFactory(Script script)
{
    return [script = std::move(script)] { return std::make_unique<FakeGpuEngine>(script); };
}

static void clickRestart(const MainWindow &window)
{
    const auto buttons = window.messages()->findChildren<QPushButton *>();
    for (QPushButton *button : buttons) {
        if (button->text() == QStringLiteral("Restart")) {
            button->click();
            return;
        }
    }
    QFAIL("no button to restart with");
}

void TestMainWindow::aLostDeviceOffersARestart()
{
    Bench bench;
    QStringList restarted;
    bench.restart = [&](const QString &session) {
        restarted << session;
        return true;
    };
    auto window = bench.window(gpuFactory(stickyFault), true);
    QTRY_COMPARE(window->experimentPanel()->plan()->device, std::string("cuda:0"));
    RunPlan plan = catalogPlan(bench);
    plan.device = "cuda:0";
    plan.dtype = DType::F16;
    plan.hardwareId = "h200";
    runToTheEnd(*window, plan);
    QVERIFY(window->messages()->text(QStringLiteral("device")).contains("illegal address"));
    QVERIFY(window->messages()->text(QStringLiteral("device")).contains("kept"));
    // The window goes on with the CPU, and the GPU is not offered again.
    QCOMPARE(window->experimentPanel()->plan()->device, std::string("cpu"));
    window->startRun(plan);
    QVERIFY(!window->controller()->isRunning());
    QVERIFY(window->messages()->text(QStringLiteral("run")).contains("no longer use cuda:0"));
    runToTheEnd(*window, catalogPlan(bench));
    QCOMPARE(window->model()->session()->runs.size(), std::size_t(2));
    QVERIFY(window->messages()->isShowing(QStringLiteral("device")));
    // Restart: the session is in a file, and the new program is told which; nothing is asked and nothing is left over.
    clickRestart(*window);
    QCOMPARE(restarted.size(), qsizetype(1));
    QTRY_VERIFY(!window->isVisible());
    QCOMPARE(bench.unsavedAsked, 0);
    const Session session = loadSession(restarted.front().toStdString());
    QCOMPARE(session.runs.size(), std::size_t(2));
    QCOMPARE(session.runs[0].points.size(), std::size_t(1));
    window.reset();
    QVERIFY(Journal::recoverable(bench.journals()).empty());
}

void TestMainWindow::aRestartThatFailsIsSaid()
{
    Bench bench;
    int tried = 0;
    bench.restart = [&](const QString &) { return ++tried > 1; };
    auto window = bench.window(gpuFactory(stickyFault), true);
    QTRY_COMPARE(window->experimentPanel()->plan()->device, std::string("cuda:0"));
    RunPlan plan = catalogPlan(bench);
    plan.device = "cuda:0";
    plan.dtype = DType::F16;
    runToTheEnd(*window, plan);
    const QString file = bench.path("mine.json");
    QVERIFY(window->saveTo(file)); // a session with a name of its own keeps it
    clickRestart(*window);
    QVERIFY(window->isVisible());
    QTRY_VERIFY(window->messages()->text(QStringLiteral("device")).contains("mine.json"));
    clickRestart(*window);
    QCOMPARE(tried, 2);
    QTRY_VERIFY(!window->isVisible());
}

void TestMainWindow::telemetryOfTheNewestStepStandsInTheStatusBar_data()
{
    QTest::addColumn<double>("clock");
    QTest::addColumn<double>("temperature");
    QTest::addColumn<double>("power");
    QTest::addColumn<QString>("throttle");
    QTest::addColumn<QString>("shown");
    QTest::newRow("all") << 1980e6 << 38.0 << 498.0 << ""
                         << "1980 MHz \u00b7 38 \u00b0C \u00b7 498 W";
    QTest::newRow("throttled") << 1200e6 << kMissing << 700.0 << "power cap"
                               << "1200 MHz \u00b7 700 W \u00b7 throttled: power cap";
    QTest::newRow("power alone") << kMissing << kMissing << 71.0 << ""
                                 << "71 W";
    QTest::newRow("nothing") << kMissing << kMissing << kMissing << ""
                             << "";
}

void TestMainWindow::telemetryOfTheNewestStepStandsInTheStatusBar()
{
    QFETCH(double, clock);
    QFETCH(double, temperature);
    QFETCH(double, power);
    QFETCH(QString, throttle);
    QFETCH(QString, shown);
    Bench bench;
    std::atomic<bool> go{false};
    auto window = bench.window(factory([&](const RunPlan &plan, const EventSink &sink, std::stop_token) {
        sink(started(plan));
        const SweepPoint finished = point(plan, 0, 1, 2);
        sink(PointStarted{plan.runId, 0, 1, 128, finished.context, finished.forecast});
        StepSample step = sample(0);
        step.smClockHz = 111e6;
        sink(StepTimed{plan.runId, 0, step});
        step = sample(1);
        step.smClockHz = clock;
        step.temperatureC = temperature;
        step.powerWatts = power;
        step.throttle = throttle.toStdString();
        sink(StepTimed{plan.runId, 0, step});
        while (!go)
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        sink(RunEnded{plan.runId, RunEnded::How::Done, ErrorKind::Failure, {}});
    }));
    auto *label = window->findChild<QLabel *>(QStringLiteral("statusTelemetry"));
    QVERIFY(label);
    window->startRun(catalogPlan(bench));
    QTRY_VERIFY(window->model()->live() && window->model()->live()->steps.size() == 2);
    QCOMPARE(label->text(), shown);
    go = true;
    QTRY_VERIFY(!window->controller()->isRunning());
    QCOMPARE(label->text(), QString());
}

void TestMainWindow::pointsAreColouredFromTheMenus()
{
    Bench bench;
    auto window = bench.window();
    for (const char *id : {"latency", "throughput"}) {
        const QList<QAction *> actions = window->charts()->chart(QLatin1String(id))->actions();
        QVERIFY(actions.contains(window->findChild<QMenu *>(QStringLiteral("menuColour"))->menuAction()));
        QVERIFY(actions.contains(action(*window, "actionExportChart")));
    }
    QVERIFY(window->charts()->chart(QStringLiteral("latency"))->actions().contains(action(*window, "actionWallTime")));
    QVERIFY(action(*window, "actionColourSeries")->isChecked());
    action(*window, "actionColourClock")->trigger();
    QVERIFY(window->model()->view().colour == ViewOptions::Colour::Clock);
    action(*window, "actionWallTime")->trigger();
    QVERIFY(window->model()->view().wallTime);
    action(*window, "actionColourThrottle")->trigger();
    QVERIFY(window->model()->view().colour == ViewOptions::Colour::Throttle && window->model()->view().wallTime);
    QVERIFY(!action(*window, "actionColourClock")->isChecked());
}

void TestMainWindow::anotherCardThanTheProfilesIsAMessage()
{
    Bench bench;
    Session session = loadSession(sessionFile(bench, "own.json").toStdString());
    session.runs[0].plan.device = "cuda:0";
    session.runs[0].plan.hardwareId = "t4";
    session.runs[0].provenance.deviceName = "NVIDIA H200";
    saveSession(session, bench.path("other.json").toStdString());
    auto window = bench.window();
    QVERIFY(window->openSession(bench.path("other.json")));
    QVERIFY(window->messages()->text(QStringLiteral("profile")).contains("'NVIDIA H200'"));
    QVERIFY(window->openSession(bench.path("own.json")));
    QVERIFY(!window->messages()->isShowing(QStringLiteral("profile")));
}

void TestMainWindow::savedCeilingsServeUntilTheSessionHasItsOwn()
{
    Bench bench;
    MeasuredCeilings kept;
    kept.readBandwidth = 4.6e12;
    kept.matmulFlops[DType::F16] = 700e12;
    kept.stepOverhead = 4e-3;
    kept.graphStepOverhead = 0.3e-3;
    kept.overheadLayers = 30;
    kept.dateUtc = "2026-01-30T12:00:00Z";
    MeasuredCeilings other = kept; // newer, but of a format that is not asked for
    other.matmulFlops = {{DType::F32, 50e12}};
    bench.saved = [&](const std::string &name) {
        MeasuredCeilings cpu;
        cpu.readBandwidth = 33e9;
        cpu.matmulFlops = {{DType::F32, 1e11}, {DType::BF16, 2e11}};
        return name == "NVIDIA H200" ? std::vector<MeasuredCeilings>{other, kept} : std::vector<MeasuredCeilings>{cpu};
    };
    auto window = bench.window(gpuFactory(scriptedSweep), true);
    QTRY_COMPARE(window->experimentPanel()->plan()->device, std::string("cuda:0"));
    QTRY_VERIFY(window->model()->whatIf().measured.has_value());
    QVERIFY(*window->model()->whatIf().measured == kept);
    QCOMPARE(window->model()->whatIf().ceilings.bandwidth, 4.6e12);
    QCOMPARE(window->model()->whatIf().ceilings.overhead, *kept.stepOverheadFor(30));
    auto *mode = window->findChild<QComboBox *>(QStringLiteral("experimentMode"));
    mode->setCurrentIndex(1);
    QCOMPARE(window->model()->whatIf().ceilings.overhead, *kept.stepOverheadFor(30, true));
    QVERIFY(window->findChild<QPlainTextEdit *>(QStringLiteral("log"))->toPlainText().contains("2026-01-30"));
    auto *device = window->findChild<QComboBox *>(QStringLiteral("experimentDevice"));
    device->setCurrentIndex(device->findData(QStringLiteral("cpu")));
    QCOMPARE(window->model()->whatIf().ceilings.bandwidth, 33e9);
    // Without a GPU the CPU was chosen before its name was known.
    auto second = bench.window(factory(scriptedSweep), true);
    QTRY_COMPARE(second->model()->whatIf().ceilings.bandwidth, 33e9);
    window.reset();
}

void TestMainWindow::samplesOpenAsCopies()
{
    Bench bench;
    const QString file = sessionFile(bench, "sample.json");
    bench.samples = {{file.toStdString(), "A & B, recorded", ""}, {"/nowhere/x.json", "x", "It is damaged."}};
    auto window = bench.window();
    auto *menu = window->findChild<QMenu *>(QStringLiteral("menuSamples"));
    emit menu->aboutToShow();
    QCOMPARE(menu->actions().size(), qsizetype(2));
    QCOMPARE(menu->actions()[0]->text(), QStringLiteral("A && B, recorded"));
    QVERIFY(!menu->actions()[1]->isEnabled());
    menu->actions()[0]->trigger();
    QCOMPARE(window->model()->session()->runs.size(), std::size_t(1));
    QVERIFY(window->document()->path().isEmpty()); // saving asks for a name: the sample stays as it is
    QVERIFY(!window->document()->isModified());
    bench.samples.clear();
    emit menu->aboutToShow();
    QCOMPARE(menu->actions().size(), qsizetype(1));
    QVERIFY(!menu->actions()[0]->isEnabled());
}

void TestMainWindow::shippedSessionsOpenReportAndDraw_data()
{
    QTest::addColumn<QString>("path");
    const QString source = QStringLiteral(RIDGEPOINT_SOURCE_DIR);
    for (const QString &folder : {source + "/tests/fixtures", source + "/resources/samples"}) {
        const QFileInfoList files = QDir(folder).entryInfoList({QStringLiteral("*.json")}, QDir::Files, QDir::Name);
        for (const QFileInfo &file : files)
            QTest::newRow(qPrintable(file.fileName())) << file.filePath();
    }
}

/// What was recorded on real hardware opens, reports and draws where there is none. The fixture is made up, so that
/// this holds also while no sample ships.
void TestMainWindow::shippedSessionsOpenReportAndDraw()
{
    QFETCH(QString, path);
    Bench bench;
    auto window = bench.window();
    QVERIFY2(window->openSample(path), qPrintable(window->messages()->texts().join(QLatin1Char('\n'))));
    const SessionPtr session = window->model()->session();
    QVERIFY(!session->runs.empty());
    QVERIFY(!session->title.empty());
    for (const RunRecord &run : session->runs) {
        window->model()->setCurrentRun(run.plan.runId);
        const QList<ChartView *> charts(window->charts()->charts().begin(), window->charts()->charts().end());
        for (ChartView *chart : charts) {
            chart->flush();
            QVERIFY(!chart->toImage(QSize(600, 400), 1).isNull());
        }
        // An anatomy is told in a run of its own; the window knows it for a result.
        if (run.anatomy) {
            QVERIFY(window->document()->hasResults());
            QVERIFY(!window->messages()->texts().join(QLatin1Char('\n')).contains(QStringLiteral("no results")));
            QVERIFY(!window->charts()->chart(QStringLiteral("anatomy"))->table().rows.empty());
        }
        if (run.plan.experiment == Experiment::Calibrate || run.plan.experiment == Experiment::Line ||
            run.plan.experiment == Experiment::Anatomy)
            continue; // no step of a batch to account for
        const TextTable account = window->charts()->chart(QStringLiteral("time-account"))->table();
        QVERIFY(std::any_of(account.rows.begin(), account.rows.end(), [](const auto &row) { return !row[5].empty(); }));
        // Replayed as it was recorded, event by event.
        Session again = newSession();
        QVERIFY(applyEvent(again, RunStarted{run.plan.runId, run.plan, run.provenance}));
        for (const SweepPoint &each : run.points)
            QVERIFY(applyEvent(again, PointFinished{run.plan.runId, each}));
        if (run.ttft)
            QVERIFY(applyEvent(again, TtftFinished{run.plan.runId, *run.ttft}));
        QCOMPARE(again.runs[0].points.size(), run.points.size());
    }
    QVERIFY(window->exportReportTo(bench.path("report")));
    const QByteArray report = contentOf(bench.path("report/report.md"));
    QVERIFY(report.contains("### Device"));
    QVERIFY(!report.contains("nan"));
    QVERIFY(QFile::exists(bench.path("report/session.json")));
}

void TestMainWindow::everyActionHasATextAndCanBeReached()
{
    Bench bench;
    auto window = bench.window();
    QStringList names;
    QMultiMap<QString, QString> keys;
    const std::function<void(QMenu *)> walk = [&](QMenu *menu) {
        for (QAction *item : menu->actions()) {
            if (item->isSeparator())
                continue;
            QVERIFY2(!item->text().isEmpty(), qPrintable(menu->title()));
            if (item->menu()) {
                walk(item->menu());
                continue;
            }
            names << item->objectName();
            for (const QKeySequence &key : item->shortcuts())
                keys.insert(key.toString(), item->objectName());
        }
    };
    for (QAction *top : window->menuBar()->actions()) {
        QVERIFY(top->menu());
        walk(top->menu());
    }
    for (const char *wanted : {"actionNew",
                               "actionOpen",
                               "actionSave",
                               "actionSaveAs",
                               "actionExportChart",
                               "actionExportTables",
                               "actionExportReport",
                               "actionQuit",
                               "actionCopyChart",
                               "actionCopyTable",
                               "actionRun",
                               "actionCalibrate",
                               "actionTtft",
                               "actionSweep",
                               "actionStop",
                               "actionAllCharts",
                               "actionChart-roofline",
                               "actionChart-throughput",
                               "actionChart-latency",
                               "actionChart-time-account",
                               "actionExact",
                               "actionTextbook",
                               "actionThemeSystem",
                               "actionThemeLight",
                               "actionThemeDark",
                               "actionResetLayout",
                               "toggle-dockExperiment",
                               "toggle-dockExplanation",
                               "toggle-dockWhatIf",
                               "toggle-dockRecord",
                               "toggle-dockLog",
                               "actionAbout"})
        QVERIFY2(names.contains(QLatin1String(wanted)), wanted);
    QCOMPARE(action(*window, "actionRun")->shortcut(), QKeySequence(QStringLiteral("Ctrl+Return")));
    QCOMPARE(action(*window, "actionStop")->shortcut(), QKeySequence(Qt::Key_Escape));
    // The same key twice does nothing in Qt. Esc is shared by two actions of which one is bound at a time.
    for (const QString &key : keys.uniqueKeys()) {
        int live = 0;
        const QStringList all = keys.values(key);
        for (const QString &name : QSet<QString>(all.begin(), all.end())) // one action may stand in two menus
            live += window->findChild<QAction *>(name)->isEnabled();
        QVERIFY2(live <= 1, qPrintable(key));
    }
}

void TestMainWindow::everyControlHasAnAccessibleName()
{
    Bench bench;
    auto window = bench.window();
    for (QWidget *widget : window->findChildren<QWidget *>()) {
        if (!widget->isVisible() || widget->focusPolicy() == Qt::NoFocus || widget->inherits("QMenuBar") ||
            (widget->objectName().startsWith(QLatin1String("qt_")) && !widget->inherits("QTabBar")))
            continue;
        bool named = !widget->accessibleName().isEmpty();
        if (auto *label = qobject_cast<QLabel *>(widget))
            named = named || !label->text().isEmpty(); // selectable text speaks for itself
        if (auto *button = qobject_cast<QAbstractButton *>(widget))
            named = named || !button->text().isEmpty();
        for (QLabel *label : window->findChildren<QLabel *>())
            named = named || label->buddy() == widget;
        for (QWidget *parent = widget->parentWidget(); parent && !named; parent = parent->parentWidget()) {
            // the inner parts of a chart, a spin box or a table speak through it
            if (qobject_cast<ChartView *>(parent) || parent->inherits("QAbstractSpinBox") ||
                parent->inherits("QAbstractItemView") || parent->inherits("QComboBox") ||
                parent->inherits("QDockWidgetTitleButton"))
                named = true;
        }
        QVERIFY2(named, qPrintable(QString::fromLatin1(widget->metaObject()->className()) + QLatin1Char(' ') +
                                   widget->objectName() + QStringLiteral(" in ") +
                                   QString::fromLatin1(widget->parentWidget()->metaObject()->className())));
    }
}

void TestMainWindow::copyGivesFigures()
{
    Bench bench;
    auto window = bench.window();
    runToTheEnd(*window, catalogPlan(bench));
    action(*window, "actionCopyTable")->trigger();
    QVERIFY(QApplication::clipboard()->text().contains(QStringLiteral("\ttokens a second\t")));
    action(*window, "actionChart-throughput")->trigger();
    action(*window, "actionCopyChart")->trigger();
    QVERIFY(QApplication::clipboard()->mimeData()->hasImage());
    QVERIFY(!QApplication::clipboard()->text().isEmpty());
}

void TestMainWindow::resetBringsEveryPanelBack()
{
    Bench bench;
    auto window = bench.window();
    const QList<QDockWidget *> docks = window->findChildren<QDockWidget *>();
    QCOMPARE(docks.size(), qsizetype(6));
    for (QDockWidget *dock : docks)
        dock->hide();
    docks.first()->setFloating(true);
    action(*window, "actionChart-roofline")->trigger();
    action(*window, "actionResetLayout")->trigger();
    for (QDockWidget *dock : docks) {
        QVERIFY(!dock->isFloating());
        // The lessons are there when they are asked for.
        const bool lessons = dock->objectName() == QStringLiteral("dockLessons");
        QVERIFY(lessons ? dock->isHidden() : !dock->isHidden() || dock->toggleViewAction()->isChecked());
    }
    QVERIFY(window->charts()->single().isEmpty());
    QCOMPARE(int(window->dockWidgetArea(window->findChild<QDockWidget *>(QStringLiteral("dockExperiment")))),
             int(Qt::LeftDockWidgetArea));
}

void TestMainWindow::importsOfUnknownModelsAreLookedAt_data()
{
    QTest::addColumn<QString>("file");
    const QDir imports(QStringLiteral(RIDGEPOINT_SOURCE_DIR "/tests/fuzz/corpus/import"));
    for (const QFileInfo &imported : imports.entryInfoList(QDir::Files, QDir::Name))
        QTest::newRow(qPrintable(imported.fileName())) << imported.filePath();
}

/// A file that names no model of the catalogue has no floor and no frontier: every chart and panel says so instead of ending the program.
void TestMainWindow::importsOfUnknownModelsAreLookedAt()
{
    QFETCH(QString, file);
    Bench bench;
    auto window = bench.window(factory(scriptedSweep), true);
    if (!window->openSession(file))
        QSKIP("this one asks first");
    for (const RunRecord &run : window->model()->session()->runs) {
        window->model()->setCurrentRun(run.plan.runId);
        for (const ChartView *chart : window->charts()->charts()) {
            window->charts()->showSingle(chart->id());
            QCoreApplication::processEvents();
            QVERIFY(!chart->accessibleName().isEmpty());
        }
        for (const SweepPoint &point : run.points) {
            window->model()->select(PointKey{run.plan.runId, point.index});
            QCoreApplication::processEvents();
        }
    }
    QVERIFY(!window->model()->session()->runs.empty());
}

void TestMainWindow::anImportHasItsOwnPredictionOrNone_data()
{
    QTest::addColumn<QString>("model");
    QTest::addColumn<QString>("device");
    QTest::addColumn<QString>("says"); // of the throughput chart, after the case
    QTest::newRow("both known") << "tinyllama-1.1b" << "NVIDIA T4" << "";
    QTest::newRow("unknown model") << "house-model" << "NVIDIA T4" << "no forecast, the model is not known";
    QTest::newRow("unknown device") << "tinyllama-1.1b" << "House GPU" << "no forecast, the device is not known";
    QTest::newRow("neither known") << "house-model" << "House GPU" << "no forecast, the model is not known";
}

/// Roof and forecast beneath an import are of its own model and device, or there are none; also once the devices are listed, after
/// another tab was in front, saved and opened again, and recovered.
void TestMainWindow::anImportHasItsOwnPredictionOrNone()
{
    QFETCH(QString, model);
    QFETCH(QString, device);
    QFETCH(QString, says);
    Bench bench;
    QFile csv(bench.path("told.csv"));
    QVERIFY(csv.open(QIODevice::WriteOnly));
    csv.write(QStringLiteral("model,device,dtype,batch,prompt,tpot_ms\n%1,%2,fp16,1,128,9.1\n%1,%2,fp16,8,128,9.9\n").arg(model, device).toUtf8());
    csv.close();
    const bool knownModel = model == QLatin1String("tinyllama-1.1b"), knownDevice = device == QLatin1String("NVIDIA T4");
    const auto captionOf = [](MainWindow &window) {
        window.charts()->showSingle(QStringLiteral("throughput"));
        QCoreApplication::processEvents();
        return window.charts()->chart(QStringLiteral("throughput"))->drawnTexts().value(1);
    };
    const auto check = [&](MainWindow &window) {
        const WhatIf &whatIf = window.model()->whatIf();
        const RunRecord *run = window.model()->currentRun();
        QVERIFY(run && run->provenance.imported);
        QCOMPARE(whatIf.shape.id, knownModel ? std::string("tinyllama-1.1b") : std::string());
        QCOMPARE(whatIf.hardware.id, knownDevice ? std::string("t4") : std::string());
        QCOMPARE(whatIf.nominal.bandwidth, knownDevice ? bench.catalog->hardwareById("t4").memoryBandwidth : 0.0);
        QVERIFY(whatIf.dtype == DType::F16);
        QCOMPARE(whatIf.nominal, whatIf.ceilings);
        if (knownModel && knownDevice)
            QCOMPARE(whatIf.batches, (std::vector<std::int64_t>{1, 8}));
        for (const char *id : {"roofline", "throughput", "latency", "time-account", "frontier"}) {
            const ChartView *chart = window.charts()->chart(QLatin1String(id));
            window.charts()->showSingle(QLatin1String(id)); // what is not seen is not drawn anew
            QCoreApplication::processEvents();
            for (const auto &row : chart->table().rows) {
                const QString series = QString::fromStdString(row.front());
                if (series.contains(QStringLiteral("roof")))
                    QVERIFY2(knownDevice, qPrintable(series));
                if (series == QLatin1String("forecast") || series.startsWith(QLatin1String("predicted")))
                    QVERIFY2(knownModel && knownDevice, qPrintable(series));
            }
        }
        const QString caption = captionOf(window);
        QVERIFY2(caption.contains(device), qPrintable(caption));
        QVERIFY2(says.isEmpty() ? !caption.contains(QLatin1Char(';')) : caption.endsWith(says), qPrintable(caption));
    };
    {
        auto window = bench.window(factory(scriptedSweep), true);
        QVERIFY(window->openSession(csv.fileName()));
        check(*window);
        window->newSession();
        QTRY_VERIFY(!window->experimentPanel()->findChild<QComboBox *>(QStringLiteral("experimentDevice"))->currentText().isEmpty());
        QVERIFY(!window->model()->whatIf().hardware.id.empty());
        QVERIFY(window->model()->whatIf().shape.layers > 0);
        window->showTab(0);
        check(*window);
        // What the next run is to be changes nothing beneath the import; what is chosen by hand is told apart from it.
        auto *models = window->experimentPanel()->findChild<QComboBox *>(QStringLiteral("experimentModel"));
        models->setCurrentIndex(models->currentIndex() == 0 ? 1 : 0);
        check(*window);
        const WhatIf own = window->model()->whatIf();
        WhatIf other = own;
        other.hardware = bench.catalog->hardwareById("h100-sxm");
        other.shape = bench.catalog->modelById("smollm2-135m");
        other.nominal = other.ceilings = nominalCeilings(other.hardware, other.dtype);
        window->model()->setWhatIf(other);
        const QString caption = captionOf(*window);
        QVERIFY2(caption.contains(QStringLiteral("forecast of SmolLM2 135M")) && caption.contains(QString::fromStdString(other.hardware.name)),
                 qPrintable(caption));
        window->model()->setWhatIf(own);
        check(*window);
        QVERIFY(window->saveTo(bench.path("saved.json")));
        check(*window);
    }
    {
        auto window = bench.window(factory(scriptedSweep), true);
        QVERIFY(window->openSession(bench.path("saved.json")));
        check(*window);
    }
    {
        Document document(bench.journals()); // left unsaved, as a crash leaves it
        document.openImported(loadSession(bench.path("saved.json").toStdString()));
    }
    auto window = bench.window(factory(scriptedSweep), true);
    QTRY_VERIFY(window->messages()->isShowing(QStringLiteral("recovery")));
    for (QPushButton *button : window->messages()->findChildren<QPushButton *>()) {
        if (button->text() == QLatin1String("Recover"))
            button->click();
    }
    QVERIFY(window->document()->isModified());
    check(*window);
}

/// The message of an import has a button for the model and one for the device where the file names none; what is chosen has a floor.
void TestMainWindow::whatAnImportDoesNotTellIsAskedFor()
{
    Bench bench;
    auto window = bench.window(factory(scriptedSweep), true);
    const auto press = [&](const QString &text) {
        for (QPushButton *button : window->messages()->findChildren<QPushButton *>()) {
            if (button->text() == text && button->isVisibleTo(window.get())) {
                button->click();
                return true;
            }
        }
        return false;
    };
    QVERIFY(window->openSession(QStringLiteral(RIDGEPOINT_SOURCE_DIR "/tests/fuzz/corpus/import/batched-bench.jsonl")));
    QCOMPARE(window->model()->session()->runs.front().plan.model.shape.layers, std::int64_t(0));
    QVERIFY(press(QStringLiteral("Name the model…"))); // nothing chosen: nothing changes
    QCOMPARE(window->model()->session()->runs.front().plan.model.shape.layers, std::int64_t(0));
    QVERIFY(window->openSession(QStringLiteral(RIDGEPOINT_SOURCE_DIR "/tests/fuzz/corpus/import/batched-bench.jsonl")));
    bench.chosen = QStringLiteral("TinyLlama 1.1B");
    QVERIFY(press(QStringLiteral("Name the model…")));
    QCOMPARE(window->model()->session()->runs.front().plan.model.shape.id, std::string("tinyllama-1.1b"));
    bench.chosen = QString::fromStdString(bench.catalog->hardwareById("t4").name);
    QVERIFY(press(QStringLiteral("Name the device…")));
    const RunRecord &run = window->model()->session()->runs.front();
    QCOMPARE(run.plan.model.shape.id, std::string("tinyllama-1.1b")); // what was named before stays
    QCOMPARE(run.plan.hardwareId, std::string("t4"));
    QVERIFY(run.plan.nominal.bandwidth > 0);
}

QTEST_MAIN(TestMainWindow)
#include "tst_main_window.moc"
