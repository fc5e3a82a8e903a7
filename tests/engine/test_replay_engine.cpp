// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/replay_engine.h"
#include "core/session/journal.h"
#include "core/session/replay.h"
#include "tests/session/samples.h"

#include <QtTest>

#include <cmath>
#include <thread>

using namespace ridgepoint;

Q_DECLARE_METATYPE(ridgepoint::RunRecord)

class TestReplayEngine : public QObject {
    Q_OBJECT
private slots:
    void aReplayGivesTheRecordedRunAndIsMarked_data();
    void aReplayGivesTheRecordedRunAndIsMarked();
    void everyRecordedStepIsSentInOrder();
    void progressOnlyGrows();
    void aStopEndsItAtOnce();
    void theRecordedEndIsReplayed_data();
    void theRecordedEndIsReplayed();
};

static std::vector<Event> played(const RunRecord &recorded, double speed = 0, std::stop_token stop = {})
{
    std::vector<Event> events;
    RunPlan plan;
    plan.runId = "again";
    ReplayEngine(recorded, speed).run(plan, [&events](const Event &event) { events.push_back(event); }, stop);
    return events;
}

static RunRecord applied(const std::vector<Event> &events)
{
    Session session = newSession();
    for (const Event &event : events)
        if (!applyEvent(session, event))
            return {};
    return session.runs.empty() ? RunRecord() : session.runs.front();
}

/// Text of a run with its ids taken for those of the replay, and the mark taken off.
static QByteArray textOf(RunRecord run)
{
    run.plan.runId = "again";
    run.provenance.extra.erase(kReplayKey);
    for (SweepPoint &point : run.points)
        point.runId = "again";
    if (run.ttft)
        run.ttft->runId = "again";
    if (run.calibration)
        run.calibration->runId = "again";
    Session session;
    session.runs = {run};
    return QByteArray::fromStdString(toJson(session));
}

void TestReplayEngine::aReplayGivesTheRecordedRunAndIsMarked_data()
{
    QTest::addColumn<RunRecord>("recorded");
    QTest::newRow("sweep") << samples::sweepRun(true);
    QTest::newRow("ttft") << samples::ttftRun();
    QTest::newRow("calibration") << samples::calibrationRun();
}

void TestReplayEngine::aReplayGivesTheRecordedRunAndIsMarked()
{
    QFETCH(RunRecord, recorded);
    const RunRecord run = applied(played(recorded));
    QVERIFY(isReplay(run));
    QVERIFY(!isReplay(recorded));
    QVERIFY(run.provenance.extra.at(kReplayKey).find(recorded.plan.runId) != std::string::npos);
    QCOMPARE(textOf(run), textOf(recorded));
    // The mark is kept on disk.
    Session session = newSession();
    session.runs = {run};
    QVERIFY(isReplay(sessionFromJson(toJson(session), "s.json").runs.front()));
}

void TestReplayEngine::everyRecordedStepIsSentInOrder()
{
    const RunRecord recorded = samples::sweepRun();
    std::size_t wanted = 0, sent = 0;
    for (const SweepPoint &point : recorded.points)
        wanted += point.steps.size();
    int index = -1;
    std::size_t within = 0;
    for (const Event &event : played(recorded)) {
        if (const auto *started = std::get_if<PointStarted>(&event)) {
            index = started->index;
            within = 0;
        } else if (const auto *step = std::get_if<StepTimed>(&event)) {
            QCOMPARE(step->index, index);
            QCOMPARE(step->sample.wallSeconds, recorded.points[std::size_t(index)].steps[within++].wallSeconds);
            ++sent;
        }
    }
    QVERIFY(wanted > 0);
    QCOMPARE(sent, wanted);
}

void TestReplayEngine::progressOnlyGrows()
{
    double before = 0;
    for (const Event &event : played(samples::sweepRun())) {
        if (const auto *progress = std::get_if<Progress>(&event)) {
            QVERIFY(progress->fraction >= before && progress->fraction < 1.000001);
            QVERIFY(progress->what.starts_with("Recording"));
            before = progress->fraction;
        }
    }
    QVERIFY(before > 0.999);
}

void TestReplayEngine::aStopEndsItAtOnce()
{
    std::stop_source stop;
    std::vector<Event> events;
    // At this pace the recording would take days.
    std::thread stopper([&stop] { stop.request_stop(); });
    events = played(samples::sweepRun(), 1e-6, stop.get_token());
    stopper.join();
    const auto *end = std::get_if<RunEnded>(&events.back());
    QVERIFY(end && end->how == RunEnded::How::Cancelled);
    QVERIFY(applied(events).points.empty());
}

void TestReplayEngine::theRecordedEndIsReplayed_data()
{
    QTest::addColumn<int>("state");
    QTest::addColumn<int>("how");
    using State = RunRecord::State;
    using How = RunEnded::How;
    QTest::newRow("done") << int(State::Done) << int(How::Done);
    QTest::newRow("stopped") << int(State::Cancelled) << int(How::Cancelled);
    QTest::newRow("interrupted") << int(State::Interrupted) << int(How::Cancelled);
    QTest::newRow("failed") << int(State::Failed) << int(How::Failed);
}

void TestReplayEngine::theRecordedEndIsReplayed()
{
    QFETCH(int, state);
    QFETCH(int, how);
    RunRecord recorded = samples::sweepRun();
    recorded.state = RunRecord::State(state);
    recorded.sentence = "The fan broke.";
    const std::vector<Event> events = played(recorded);
    const auto *end = std::get_if<RunEnded>(&events.back());
    QVERIFY(end);
    QCOMPARE(int(end->how), how);
    QVERIFY(!end->deviceLost);
    QCOMPARE(end->sentence.find("The fan broke.") != std::string::npos, end->how == RunEnded::How::Failed);
}

QTEST_GUILESS_MAIN(TestReplayEngine)
#include "test_replay_engine.moc"
