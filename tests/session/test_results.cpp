// SPDX-License-Identifier: GPL-3.0-or-later
#include "samples.h"

#include <QtTest>

#include <cmath>

using namespace ridgepoint;

class TestResults : public QObject {
    Q_OBJECT
private slots:
    void stepsAreSummarised();
    void missingStepsAreLeftOut();
    void nothingTimedIsMissing();
    void deviceTimeGoesBeforeWallTime();
    void theLoopSpeaksForTheRecord();
    void methodsCheckOneAnother_data();
    void methodsCheckOneAnother();
};

static SweepPoint pointOf(const std::vector<double> &wallSeconds)
{
    SweepPoint p;
    for (const double s : wallSeconds) {
        StepSample step;
        step.wallSeconds = s;
        p.steps.push_back(step);
    }
    summariseSteps(p);
    return p;
}

void TestResults::stepsAreSummarised()
{
    const SweepPoint p = pointOf({5, 1, 4, 2, 3, 11, 6, 8, 7, 10, 9});
    QCOMPARE(p.stepSeconds, 6.0);
    QCOMPARE(p.p10Seconds, 2.0);
    QCOMPARE(p.p90Seconds, 10.0);
    QCOMPARE(p.minSeconds, 1.0);
    QCOMPARE(p.maxSeconds, 11.0);
}

void TestResults::missingStepsAreLeftOut()
{
    const SweepPoint p = pointOf({2, kMissing, 4});
    QCOMPARE(p.stepSeconds, 3.0);
    QCOMPARE(p.maxSeconds, 4.0);
}

void TestResults::nothingTimedIsMissing()
{
    const SweepPoint p = pointOf({kMissing});
    for (const double v : {p.stepSeconds, p.p10Seconds, p.p90Seconds, p.minSeconds, p.maxSeconds})
        QVERIFY(std::isnan(v));
}

void TestResults::deviceTimeGoesBeforeWallTime()
{
    StepSample s;
    QVERIFY(std::isnan(s.seconds()));
    s.wallSeconds = 2;
    QCOMPARE(s.seconds(), 2.0);
    s.deviceSeconds = 1;
    QCOMPARE(s.seconds(), 1.0);
}

void TestResults::theLoopSpeaksForTheRecord()
{
    TtftResult result = *samples::ttftRun().ttft;
    std::swap(result.methods[0], result.methods[2]); // whatever the order
    QVERIFY(recordMethod(result)->method == TtftMethod::Loop);
    result.methods[0].tpotSeconds = kMissing;
    QVERIFY(recordMethod(result)->method == TtftMethod::Stream);
    result.methods.erase(result.methods.begin() + 1);
    QVERIFY(recordMethod(result)->method == TtftMethod::Subtraction);
    result.methods.clear();
    QVERIFY(!recordMethod(result));
}

void TestResults::methodsCheckOneAnother_data()
{
    using Verdict = CrossCheck::Verdict;
    QTest::addColumn<QVector<double>>("tpot");
    QTest::addColumn<int>("verdict");
    QTest::addColumn<double>("spread");
    QTest::newRow("alike") << QVector<double>{1, 1.1, 1.2} << int(Verdict::Agree) << 0.2;
    QTest::newRow("wide") << QVector<double>{1.5, 1, 1.25} << int(Verdict::Wide) << 0.5;
    QTest::newRow("a factor of two") << QVector<double>{2, 1, 1} << int(Verdict::Disagree) << 1.0;
    QTest::newRow("one is missing") << QVector<double>{kMissing, 1, 1.05} << int(Verdict::Agree) << 0.05;
    QTest::newRow("only one") << QVector<double>{kMissing, 1, kMissing} << int(Verdict::NotEnough) << kMissing;
    QTest::newRow("none") << QVector<double>{} << int(Verdict::NotEnough) << kMissing;
}

void TestResults::methodsCheckOneAnother()
{
    QFETCH(QVector<double>, tpot);
    QFETCH(int, verdict);
    QFETCH(double, spread);
    TtftResult result;
    for (int i = 0; i < tpot.size(); ++i) {
        TtftMethodResult m;
        m.method = static_cast<TtftMethod>(i + 1);
        m.tpotSeconds = tpot[i];
        result.methods.push_back(m);
    }
    const CrossCheck check = crossCheck(result);
    QCOMPARE(int(check.verdict), verdict);
    if (std::isnan(spread))
        QVERIFY(std::isnan(check.spread));
    else
        QVERIFY(std::abs(check.spread - spread) < 1e-12);
    QCOMPARE(check.text.find("Check that") != std::string::npos, check.verdict == CrossCheck::Verdict::Disagree);
    QCOMPARE(check.text.back(), '.');
}

QTEST_APPLESS_MAIN(TestResults)
#include "test_results.moc"
