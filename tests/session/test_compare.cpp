// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/compare.h"

#include "samples.h"

#include <QtTest>

#include <cmath>

using namespace ridgepoint;

namespace {

using Values = std::vector<double>;

Session sessionOf(const Values &samples, double context = 256, double p10 = kMissing, double p90 = kMissing, double median = kMissing)
{
    Session session = newSession();
    RunRecord run;
    run.plan = samples::sweepPlan();
    SweepPoint p;
    p.batch = 1;
    p.prompt = 128;
    p.context = context;
    for (const double seconds : samples) {
        StepSample step;
        step.deviceSeconds = seconds;
        p.steps.push_back(step);
    }
    summariseSteps(p);
    if (samples.empty()) {
        p.stepSeconds = median;
        p.p10Seconds = p10;
        p.p90Seconds = p90;
    }
    run.points.push_back(p);
    session.runs.push_back(run);
    return session;
}

Values spread(double center, double width, int count)
{
    Values values;
    for (int i = 0; i < count; ++i)
        values.push_back(center + width * (i - (count - 1) / 2.0) / count);
    return values;
}

} // namespace

class TestCompare : public QObject
{
    Q_OBJECT

private slots:
    void theTestsProbabilityIsTheTabulatedOne_data()
    {
        QTest::addColumn<Values>("a");
        QTest::addColumn<Values>("b");
        QTest::addColumn<double>("p");
        QTest::newRow("5 and 5 apart: 2 / C(10, 5)") << Values{1, 2, 3, 4, 5} << Values{6, 7, 8, 9, 10} << 2 / 252.0;
        QTest::newRow("3 and 3 apart: 2 / C(6, 3)") << Values{1, 2, 3} << Values{4, 5, 6} << 0.1;
        // U = 1 of 3 and 3: two of the 20 orders have U of 1 or less.
        QTest::newRow("3 and 3, one swap") << Values{1, 2, 4} << Values{3, 5, 6} << 0.2;
        QTest::newRow("interleaved") << Values{1, 4} << Values{2, 3} << 1.0;
        QTest::newRow("all alike") << Values(6, 1.0) << Values(6, 1.0) << 1.0;
        // Ties: normal approximation. U = 0, mu = 18, variance = 36 / 12 * (13 - 2 * 210 / 132): z = 17.5 / 5.4272.
        QTest::newRow("two constants") << Values(6, 1.0) << Values(6, 2.0) << std::erfc(17.5 / std::sqrt(3 * (13 - 420 / 132.0)) / std::sqrt(2.0));
    }
    void theTestsProbabilityIsTheTabulatedOne()
    {
        QFETCH(Values, a);
        QFETCH(Values, b);
        QFETCH(double, p);
        QVERIFY2(std::abs(mannWhitneyP(a, b) - p) < 1e-9, qPrintable(QString::number(mannWhitneyP(a, b), 'g', 12)));
        QCOMPARE(mannWhitneyP(b, a), mannWhitneyP(a, b));
    }
    void anEmptySideHasNoProbability() { QVERIFY(std::isnan(mannWhitneyP({}, {1}))); }

    void aPointIsJudged_data()
    {
        QTest::addColumn<Session>("baseline");
        QTest::addColumn<Session>("other");
        QTest::addColumn<QString>("verdict");
        const auto row = [](const char *name, const Session &a, const Session &b, const char *verdict) {
            QTest::newRow(name) << a << b << QString(verdict);
        };
        row("the same samples", sessionOf(spread(10e-3, 1e-4, 40)), sessionOf(spread(10e-3, 1e-4, 40)), "same");
        row("10 % slower", sessionOf(spread(10e-3, 1e-4, 40)), sessionOf(spread(11e-3, 1e-4, 40)), "slower");
        row("10 % faster", sessionOf(spread(10e-3, 1e-4, 40)), sessionOf(spread(9e-3, 1e-4, 40)), "faster");
        row("1 % slower, however sure", sessionOf(spread(10e-3, 1e-6, 40)), sessionOf(spread(10.1e-3, 1e-6, 40)), "same");
        row("5 % slower within a wide spread", sessionOf(spread(10e-3, 10e-3, 10)), sessionOf(spread(10.5e-3, 10e-3, 10)), "ambiguous");
        row("four samples", sessionOf(spread(10e-3, 1e-6, 4)), sessionOf(spread(20e-3, 1e-3, 40)), "slower"); // beyond the spread
        row("no samples, no spread", sessionOf({}, 256, kMissing, kMissing, 10e-3), sessionOf({}, 256, kMissing, kMissing, 20e-3), "ambiguous");
        row("no samples, beyond the spread", sessionOf({}, 256, 9e-3, 11e-3, 10e-3), sessionOf({}, 256, kMissing, kMissing, 20e-3), "slower");
        row("no samples, within the spread", sessionOf({}, 256, 9e-3, 11e-3, 10e-3), sessionOf({}, 256, kMissing, kMissing, 10.9e-3), "ambiguous");
        row("another context", sessionOf(spread(10e-3, 1e-4, 40), 256), sessionOf(spread(20e-3, 1e-4, 40), 2048), "ambiguous");
    }
    void aPointIsJudged()
    {
        QFETCH(Session, baseline);
        QFETCH(Session, other);
        QFETCH(QString, verdict);
        const Comparison comparison = compareSessions({baseline, other});
        QCOMPARE(comparison.points.size(), 1u);
        QCOMPARE(QString::fromStdString(std::string(changeName(comparison.points[0].change))), verdict);
        QCOMPARE(comparison.anySlower(), verdict == "slower");
        QVERIFY(!comparison.points[0].reason.empty());
    }

    void onlyTheSamePointIsCompared_data()
    {
        QTest::addColumn<int>("what");
        for (const auto &[name, what] : {std::pair{"batch", 0}, {"prompt", 1}, {"mode", 2}, {"dtype", 3}, {"model", 4}, {"out of memory", 5}})
            QTest::newRow(name) << what;
    }
    void onlyTheSamePointIsCompared()
    {
        QFETCH(int, what);
        const Session baseline = sessionOf(spread(10e-3, 1e-4, 40));
        Session other = baseline;
        SweepPoint &p = other.runs[0].points[0];
        switch (what) {
        case 0: p.batch = 2; break;
        case 1: p.prompt = 129; break;
        case 2: p.mode = DecodeMode::Graph; break;
        case 3: other.runs[0].plan.dtype = DType::F32; break;
        case 4: other.runs[0].plan.model.shape.id = "another"; break;
        default: p.status = PointStatus::OutOfMemory; break;
        }
        const Comparison comparison = compareSessions({baseline, other});
        QVERIFY(comparison.points.empty());
        QCOMPARE(comparison.baselineOnly, 1u);
        QCOMPARE(comparison.otherOnly, what == 5 ? 0u : 1u);
    }

    void theNewestRunCounts()
    {
        Session other = sessionOf(spread(20e-3, 1e-4, 40));
        other.runs.push_back(sessionOf(spread(10e-3, 1e-4, 40)).runs[0]);
        QCOMPARE(compareSessions({sessionOf(spread(10e-3, 1e-4, 40)), other}).points[0].change, Change::Same);
    }

    void anotherDeviceIsTold()
    {
        Session a = sessionOf(spread(10e-3, 1e-4, 40)), b = a;
        QVERIFY(compareSessions({a, b}).points[0].reason.find("devices") == std::string::npos);
        a.runs[0].provenance.deviceName = "Tesla T4";
        b.runs[0].provenance.deviceName = "NVIDIA H200";
        QVERIFY(compareSessions({a, b}).points[0].reason.find("Tesla T4, NVIDIA H200") != std::string::npos);
    }

    void oneSessionIsNoComparison()
    {
        QVERIFY(samples::sentenceOf(ErrorKind::Usage, [] { compareSessions({newSession()}); }));
    }
};

QTEST_APPLESS_MAIN(TestCompare)
#include "test_compare.moc"
