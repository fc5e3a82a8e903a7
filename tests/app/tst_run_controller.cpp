// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/run_controller.h"
#include "core/session/journal.h"
#include "tests/app/fake_engine.h"

#include <QElapsedTimer>
#include <QTemporaryDir>
#include <QTest>
#include <QThread>

#include <atomic>
#include <mutex>

using namespace ridgepoint;
using namespace ridgepoint::test;

namespace {

template <typename T>
int countOf(const std::vector<Event> &events)
{
    return int(std::count_if(events.begin(), events.end(),
                             [](const Event &event) { return std::holds_alternative<T>(event); }));
}

} // namespace

class TestRunController : public QObject {
    Q_OBJECT

private slots:
    void theEngineIsLoadedAndRunOnTheWorkerThread();
    void everyEventReachesTheWindowInOrder();
    void thePointIsInTheJournalFileBeforeTheWindowHearsOfIt();
    void aBurstOfStepsIsDeliveredAtMostThirtyTimesASecond();
    void theWorkerIsNotHeldUpByAWindowThatDoesNotListen();
    void eventsOfAnotherRunAreDropped();
    void aRunIsStoppedWithinOneStep();
    void aSecondRunIsRefusedWhileOneGoes();
    void theNextRunFollowsOnTheSameEngine();
    void anEngineThatDoesNotLoadIsASentence_data();
    void anEngineThatDoesNotLoadIsASentence();
    void anEngineThatThrowsOrForgetsItsEndStillEnds_data();
    void anEngineThatThrowsOrForgetsItsEndStillEnds();
    void aRecorderThatFailsIsToldOnceAndTheRunGoesOn();
    void theControllerCanGoWhileARunIsGoing();
};

void TestRunController::theEngineIsLoadedAndRunOnTheWorkerThread()
{
    std::atomic<QThread *> loadedOn{nullptr}, ranOn{nullptr};
    RunController controller([&] {
        loadedOn = QThread::currentThread();
        return std::make_unique<FakeEngine>([&](const RunPlan &plan, const EventSink &sink, std::stop_token stop) {
            ranOn = QThread::currentThread();
            scriptedSweep(plan, sink, stop);
        });
    });
    QVERIFY(!loadedOn); // nothing is loaded before it is needed
    QString version;
    std::vector<DeviceInfo> devices;
    connect(&controller, &RunController::engineReady, this, [&](const QString &v, const std::vector<DeviceInfo> &d) {
        QCOMPARE(QThread::currentThread(), qApp->thread());
        version = v;
        devices = d;
    });
    controller.loadDevices();
    QTRY_COMPARE(version, QStringLiteral("scripted engine"));
    QCOMPARE(devices.size(), std::size_t(1));
    controller.start(smallPlan());
    QTRY_VERIFY(!controller.isRunning());
    QVERIFY(loadedOn != qApp->thread());
    QCOMPARE(ranOn.load(), loadedOn.load());
}

void TestRunController::everyEventReachesTheWindowInOrder()
{
    RunController controller(factory(scriptedSweep));
    std::vector<Event> all;
    connect(&controller, &RunController::eventsArrived, this,
            [&](const std::vector<Event> &events) { all.insert(all.end(), events.begin(), events.end()); });
    const std::string id = controller.start(smallPlan());
    QVERIFY(!id.empty());
    QTRY_VERIFY(!controller.isRunning());
    QCOMPARE(countOf<StepTimed>(all), 8);
    QCOMPARE(countOf<PointFinished>(all), 2);
    QVERIFY(std::holds_alternative<RunStarted>(all.front()));
    QVERIFY(std::holds_alternative<RunEnded>(all.back()));
    for (const Event &event : all)
        QCOMPARE(runIdOf(event), id);
    // Steps lie between the beginning and the end of their own point.
    int open = -1, expected = 0;
    for (const Event &event : all) {
        if (const auto *begin = std::get_if<PointStarted>(&event)) {
            open = begin->index;
            expected = 0;
        } else if (const auto *step = std::get_if<StepTimed>(&event)) {
            QCOMPARE(step->index, open);
            QCOMPARE(step->sample.step, std::int64_t(expected++));
        } else if (std::holds_alternative<PointFinished>(event)) {
            open = -1;
        }
    }
}

void TestRunController::thePointIsInTheJournalFileBeforeTheWindowHearsOfIt()
{
    QTemporaryDir dir;
    std::shared_ptr<Journal> journal = Journal::create(dir.path().toStdString(), newSession());
    RunController controller(factory(scriptedSweep));
    int seen = 0;
    connect(&controller, &RunController::eventsArrived, this, [&](const std::vector<Event> &events) {
        seen += countOf<PointFinished>(events);
        const Session onDisk = Journal::recover(journal->path());
        QCOMPARE(onDisk.runs.size(), std::size_t(1));
        QVERIFY(int(onDisk.runs.front().points.size()) >= seen);
    });
    // And on the worker itself: the recorder has returned before the event is queued.
    std::atomic<int> recorded{0};
    controller.start(smallPlan(), [&](const Event &event) {
        QVERIFY(QThread::currentThread() != qApp->thread());
        journal->append(event);
        ++recorded;
    });
    QTRY_VERIFY(!controller.isRunning());
    QCOMPARE(seen, 2);
    QVERIFY(recorded > 0);
    journal->discard();
}

void TestRunController::aBurstOfStepsIsDeliveredAtMostThirtyTimesASecond()
{
    constexpr int kSteps = 10000;
    RunController controller(factory([](const RunPlan &plan, const EventSink &sink, std::stop_token) {
        sink(started(plan));
        for (int i = 0; i < kSteps; ++i) {
            sink(StepTimed{plan.runId, 0, sample(i)});
            sink(Progress{plan.runId, "step", double(i) / kSteps, kMissing, kMissing});
            if (i % 100 == 0)
                std::this_thread::sleep_for(std::chrono::milliseconds(2)); // spread over several frames
        }
        sink(RunEnded{plan.runId, RunEnded::How::Done, ErrorKind::Failure, {}});
    }));
    int deliveries = 0, steps = 0;
    connect(&controller, &RunController::eventsArrived, this, [&](const std::vector<Event> &events) {
        ++deliveries;
        steps += countOf<StepTimed>(events);
    });
    QElapsedTimer timer;
    timer.start();
    controller.start(smallPlan());
    QTRY_VERIFY_WITH_TIMEOUT(!controller.isRunning(), 30000);
    // A bound on the count for the time that it took, however long that was on this machine.
    const qint64 bound = timer.elapsed() * 30 / 1000 + 2;
    QVERIFY2(deliveries <= bound,
             qPrintable(QStringLiteral("%1 deliveries, at most %2 allowed").arg(deliveries).arg(bound)));
    QVERIFY(deliveries >= 2);
    QCOMPARE(steps, kSteps); // coalesced, none lost
}

void TestRunController::theWorkerIsNotHeldUpByAWindowThatDoesNotListen()
{
    std::atomic<bool> through{false};
    RunController controller(factory([&](const RunPlan &plan, const EventSink &sink, std::stop_token stop) {
        scriptedSweep(plan, sink, stop);
        through = true;
    }));
    controller.start(smallPlan());
    // No event loop runs here: the run must end without the window's help.
    for (int i = 0; i < 1000 && !through; ++i)
        QThread::msleep(10);
    QVERIFY(through);
    QVERIFY(controller.isRunning()); // for the window it ends when the window takes the end
    QTRY_VERIFY(!controller.isRunning());
}

void TestRunController::eventsOfAnotherRunAreDropped()
{
    std::string strange;
    RunController controller(factory([](const RunPlan &plan, const EventSink &sink, std::stop_token stop) {
        RunPlan other = plan;
        other.runId = "another run";
        sink(PointFinished{other.runId, point(other, 0, 64)});
        scriptedSweep(plan, sink, stop);
        sink(PointFinished{plan.runId, point(plan, 7, 64)}); // after the end: late
    }));
    std::vector<Event> all;
    connect(&controller, &RunController::eventsArrived, this,
            [&](const std::vector<Event> &events) { all.insert(all.end(), events.begin(), events.end()); });
    int recorded = 0;
    controller.start(smallPlan(),
                     [&](const Event &event) { recorded += std::holds_alternative<PointFinished>(event); });
    QTRY_VERIFY(!controller.isRunning());
    controller.start(smallPlan());
    QTRY_VERIFY(!controller.isRunning());
    QCOMPARE(countOf<PointFinished>(all), 4);
    QCOMPARE(recorded, 2);
    for (const Event &event : all)
        QVERIFY(runIdOf(event) != "another run");
}

void TestRunController::aRunIsStoppedWithinOneStep()
{
    std::atomic<int> after{0};
    RunController controller(factory([&](const RunPlan &plan, const EventSink &sink, std::stop_token stop) {
        sink(started(plan));
        for (int i = 0; !stop.stop_requested(); ++i) {
            sink(StepTimed{plan.runId, 0, sample(i)});
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
        ++after;
        sink(RunEnded{plan.runId, RunEnded::How::Cancelled, ErrorKind::Cancelled, {}});
    }));
    std::optional<RunEnded> end;
    int steps = 0;
    connect(&controller, &RunController::eventsArrived, this, [&](const std::vector<Event> &events) {
        steps += countOf<StepTimed>(events);
        if (const auto *ended = std::get_if<RunEnded>(&events.back()))
            end = *ended;
    });
    controller.start(smallPlan());
    QTRY_VERIFY(steps > 0);
    QVERIFY(!controller.isStopping());
    controller.stop();
    QVERIFY(controller.isStopping());
    QTRY_VERIFY(end.has_value());
    QCOMPARE(end->how, RunEnded::How::Cancelled);
    QCOMPARE(after.load(), 1);
    QVERIFY(!controller.isRunning());
}

void TestRunController::aSecondRunIsRefusedWhileOneGoes()
{
    RunController controller(factory(scriptedSweep));
    const std::string first = controller.start(smallPlan());
    QVERIFY(controller.start(smallPlan()).empty());
    QCOMPARE(controller.runId(), first);
    QTRY_VERIFY(!controller.isRunning());
}

void TestRunController::theNextRunFollowsOnTheSameEngine()
{
    std::atomic<int> loads{0};
    RunController controller([&] {
        ++loads;
        return std::make_unique<FakeEngine>(scriptedSweep);
    });
    const std::string first = controller.start(smallPlan());
    QTRY_VERIFY(!controller.isRunning());
    const std::string second = controller.start(smallPlan());
    QTRY_VERIFY(!controller.isRunning());
    QVERIFY(first != second);
    QCOMPARE(loads.load(), 1);
}

void TestRunController::anEngineThatDoesNotLoadIsASentence_data()
{
    QTest::addColumn<int>("kind");
    QTest::addColumn<QString>("part");
    QTest::newRow("error") << 0 << QStringLiteral("libtorch is missing");
    QTest::newRow("other exception") << 1 << QStringLiteral("bad symbol");
    QTest::newRow("null") << 2 << QStringLiteral("gave no engine");
}

void TestRunController::anEngineThatDoesNotLoadIsASentence()
{
    QFETCH(int, kind);
    QFETCH(QString, part);
    RunController controller([kind]() -> std::unique_ptr<Engine> {
        if (kind == 0)
            throw Error(ErrorKind::Failure, "libtorch is missing: install it.");
        if (kind == 1)
            throw std::runtime_error("bad symbol");
        return nullptr;
    });
    QString sentence;
    connect(&controller, &RunController::engineUnavailable, this, [&](const QString &text) { sentence = text; });
    controller.loadDevices();
    QTRY_VERIFY(sentence.contains(part));
    std::optional<RunEnded> end;
    connect(&controller, &RunController::eventsArrived, this,
            [&](const std::vector<Event> &events) { end = std::get<RunEnded>(events.back()); });
    controller.start(smallPlan());
    QTRY_VERIFY(end.has_value());
    QCOMPARE(end->how, RunEnded::How::Failed);
    QVERIFY(QString::fromStdString(end->sentence).contains(part));
    QVERIFY(!controller.isRunning());
}

void TestRunController::anEngineThatThrowsOrForgetsItsEndStillEnds_data()
{
    QTest::addColumn<bool>("throws");
    QTest::newRow("throws") << true;
    QTest::newRow("forgets") << false;
}

void TestRunController::anEngineThatThrowsOrForgetsItsEndStillEnds()
{
    QFETCH(bool, throws);
    RunController controller(factory([throws](const RunPlan &plan, const EventSink &sink, std::stop_token) {
        sink(started(plan));
        if (throws)
            throw std::runtime_error("device lost");
    }));
    std::optional<RunEnded> end;
    connect(&controller, &RunController::eventsArrived, this, [&](const std::vector<Event> &events) {
        if (const auto *ended = std::get_if<RunEnded>(&events.back()))
            end = *ended;
    });
    controller.start(smallPlan());
    QTRY_VERIFY(end.has_value());
    QCOMPARE(end->how, RunEnded::How::Failed);
    QVERIFY(!end->sentence.empty());
    QCOMPARE(end->sentence == "device lost", throws);
}

void TestRunController::aRecorderThatFailsIsToldOnceAndTheRunGoesOn()
{
    RunController controller(factory(scriptedSweep));
    QStringList told;
    std::vector<Event> all;
    connect(&controller, &RunController::recordingFailed, this, [&](const QString &text) { told << text; });
    connect(&controller, &RunController::eventsArrived, this,
            [&](const std::vector<Event> &events) { all.insert(all.end(), events.begin(), events.end()); });
    controller.start(smallPlan(), [](const Event &) { throw Error(ErrorKind::Failure, "No space left on the disk."); });
    QTRY_VERIFY(!controller.isRunning());
    QCOMPARE(told, QStringList{QStringLiteral("No space left on the disk.")});
    QCOMPARE(countOf<PointFinished>(all), 2);
}

void TestRunController::theControllerCanGoWhileARunIsGoing()
{
    std::atomic<bool> begun{false}, left{false};
    {
        RunController controller(factory([&](const RunPlan &plan, const EventSink &sink, std::stop_token stop) {
            sink(started(plan));
            begun = true;
            while (!stop.stop_requested())
                std::this_thread::sleep_for(std::chrono::milliseconds(1));
            sink(RunEnded{plan.runId, RunEnded::How::Cancelled, ErrorKind::Cancelled, {}});
            left = true;
        }));
        controller.start(smallPlan());
        QTRY_VERIFY(begun);
    }
    QVERIFY(left);
    QVERIFY(!RunController::workerLeftBehind());
}

QTEST_GUILESS_MAIN(TestRunController)
#include "tst_run_controller.moc"
