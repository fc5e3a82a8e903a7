// SPDX-License-Identifier: GPL-3.0-or-later
#include "samples.h"

#include "core/session/journal.h"

#include <QtTest>

using namespace ridgepoint;

class TestSessionEvents : public QObject {
    Q_OBJECT
private slots:
    void runIsBuiltFromItsEvents();
    void eventsOfOtherRunsAreDropped_data();
    void eventsOfOtherRunsAreDropped();
    void nothingFollowsTheEnd();
    void pointsAreImmutable();
    void resultsOfAnotherRunAreDropped();
    void passingEventsLeaveNoTrace();
    void everyEventNamesItsRun();
};

static Session started()
{
    Session s = newSession();
    applyEvent(s, RunStarted{"run-sweep", samples::sweepPlan(), samples::provenance()});
    return s;
}

void TestSessionEvents::runIsBuiltFromItsEvents()
{
    Session s = newSession();
    QVERIFY(applyEvent(s, RunStarted{"run-sweep", samples::sweepPlan(), samples::provenance()}));
    QVERIFY(s.runs.at(0).state == RunRecord::State::Running);
    QVERIFY(applyEvent(s, CalibrationFinished{"run-sweep", {}}));
    QVERIFY(applyEvent(s, PointFinished{"run-sweep", samples::point(0, 1, 256, 256)}));
    QVERIFY(applyEvent(s, PointFinished{"run-sweep", samples::outOfMemory(1, 4, 256, 256)}));
    QVERIFY(applyEvent(s, TtftFinished{"run-sweep", {}}));
    QVERIFY(applyEvent(s, RunEnded{"run-sweep", RunEnded::How::Failed, ErrorKind::Failure, "The device vanished."}));
    const RunRecord &run = s.runs.at(0);
    QCOMPARE(s.runs.size(), std::size_t(1));
    QVERIFY(run.plan == samples::sweepPlan());
    QCOMPARE(run.provenance.deviceName, std::string("NVIDIA T4"));
    QCOMPARE(run.points.size(), std::size_t(2));
    QCOMPARE(run.calibration->runId, std::string("run-sweep"));
    QCOMPARE(run.ttft->runId, std::string("run-sweep"));
    QVERIFY(run.state == RunRecord::State::Failed);
    QCOMPARE(run.sentence, std::string("The device vanished."));
}

void TestSessionEvents::eventsOfOtherRunsAreDropped_data()
{
    QTest::addColumn<int>("which");
    const char *names[] = {"progress", "point started", "step", "point", "text", "ttft", "calibration", "end"};
    for (int i = 0; i < 8; ++i)
        QTest::newRow(names[i]) << i;
}

void TestSessionEvents::eventsOfOtherRunsAreDropped()
{
    QFETCH(int, which);
    SweepPoint point = samples::point(0, 1, 256, 256);
    point.runId = "other";
    const Event events[] = {Progress{"other", "", 0, 0, 0},   PointStarted{"other", 0, 1, 1, 1, {}},
                            StepTimed{"other", 0, {}},        PointFinished{"other", point},
                            TextArrived{"other", "x"},        TtftFinished{"other", {}},
                            CalibrationFinished{"other", {}}, RunEnded{"other", RunEnded::How::Done, {}, {}}};
    Session s = started();
    const std::string before = toJson(s);
    QVERIFY(!applyEvent(s, events[which]));
    QCOMPARE(toJson(s), before);
}

void TestSessionEvents::nothingFollowsTheEnd()
{
    Session s = started();
    QVERIFY(applyEvent(s, RunEnded{"run-sweep", RunEnded::How::Cancelled, {}, {}}));
    QVERIFY(s.runs[0].state == RunRecord::State::Cancelled);
    const std::string before = toJson(s);
    QVERIFY(!applyEvent(s, PointFinished{"run-sweep", samples::point(0, 1, 256, 256)}));
    QVERIFY(!applyEvent(s, RunEnded{"run-sweep", RunEnded::How::Done, {}, {}}));
    QVERIFY(!applyEvent(s, RunStarted{"run-sweep", samples::sweepPlan(), {}}));
    QCOMPARE(toJson(s), before);
}

void TestSessionEvents::pointsAreImmutable()
{
    Session s = started();
    QVERIFY(applyEvent(s, PointFinished{"run-sweep", samples::point(0, 1, 256, 256)}));
    QVERIFY(!applyEvent(s, PointFinished{"run-sweep", samples::point(0, 4, 256, 256)}));
    QCOMPARE(s.runs[0].points.size(), std::size_t(1));
    QCOMPARE(s.runs[0].points[0].batch, std::int64_t(1));
}

void TestSessionEvents::resultsOfAnotherRunAreDropped()
{
    Session s = started();
    SweepPoint point = samples::point(0, 1, 256, 256);
    point.runId = "other";
    QVERIFY(!applyEvent(s, PointFinished{"run-sweep", point}));
    QVERIFY(s.runs[0].points.empty());
    RunPlan plan = samples::sweepPlan();
    QVERIFY(!applyEvent(s, RunStarted{"not the plan's", plan, {}}));
    QCOMPARE(s.runs.size(), std::size_t(1));
}

void TestSessionEvents::passingEventsLeaveNoTrace()
{
    Session s = started();
    const std::string before = toJson(s);
    QVERIFY(applyEvent(s, Progress{"run-sweep", "Sweep", 0.5, 3, 1e9}));
    QVERIFY(applyEvent(s, StepTimed{"run-sweep", 0, {}}));
    QVERIFY(applyEvent(s, TextArrived{"run-sweep", "x"}));
    QVERIFY(applyEvent(s, PointStarted{"run-sweep", 0, 1, 1, 1, {}}));
    QCOMPARE(toJson(s), before);
}

void TestSessionEvents::everyEventNamesItsRun()
{
    const Event events[] = {RunStarted{"a", {}, {}}, Progress{"a", "", 0, 0, 0},   PointStarted{"a", 0, 1, 1, 1, {}},
                            StepTimed{"a", 0, {}},   PointFinished{"a", {}},       TextArrived{"a", "x"},
                            TtftFinished{"a", {}},   CalibrationFinished{"a", {}}, RunEnded{"a", {}, {}, {}}};
    for (const Event &event : events)
        QCOMPARE(runIdOf(event), std::string("a"));
}

QTEST_APPLESS_MAIN(TestSessionEvents)
#include "test_session_events.moc"
