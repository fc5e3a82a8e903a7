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

    void rowsOfOneCaseAreItsSamples() // as in an imported table that was measured several times over
    {
        const auto table = [](const std::vector<double> &seconds) {
            Session session = sessionOf({}, 256, kMissing, kMissing, seconds.front());
            SweepPoint point = session.runs[0].points[0];
            session.runs[0].points.clear();
            for (const double s : seconds) {
                point.stepSeconds = s;
                session.runs[0].points.push_back(point);
            }
            return session;
        };
        const Comparison comparison = compareSessions({table({15e-3, 30e-3, 16e-3}), table({15e-3})});
        QCOMPARE(comparison.points.size(), std::size_t(1));
        QCOMPARE(comparison.points[0].baselineSeconds, 16e-3);
        QCOMPARE(comparison.points[0].baselineSamples, std::size_t(3));
        QCOMPARE(comparison.points[0].baselineLow, 15e-3);
        QCOMPARE(comparison.points[0].baselineHigh, 30e-3);
    }
    void anotherDeviceIsTold()
    {
        Session a = sessionOf(spread(10e-3, 1e-4, 40)), b = a;
        QVERIFY(compareSessions({a, b}).points[0].reason.find("devices") == std::string::npos);
        a.runs[0].provenance.deviceName = "Tesla T4";
        b.runs[0].provenance.deviceName = "NVIDIA H200";
        QVERIFY(compareSessions({a, b}).points[0].reason.find("Tesla T4, NVIDIA H200") != std::string::npos);
    }

    void everyPointIsListedWithItsPartner()
    {
        // The baseline has batches 1 and 2, the second session 1 and 4, the third 2.
        const auto of = [](std::initializer_list<std::int64_t> batches) {
            Session session = sessionOf(spread(10e-3, 1e-4, 40));
            const SweepPoint point = session.runs[0].points[0];
            session.runs[0].points.clear();
            for (const std::int64_t batch : batches) {
                session.runs[0].points.push_back(point);
                session.runs[0].points.back().batch = batch;
            }
            return session;
        };
        const Comparison comparison = compareSessions({of({2, 1}), of({4, 1}), of({2})});
        QStringList listed;
        for (const SessionPoint &point : comparison.all)
            listed << QStringLiteral("%1:%2%3").arg(point.session).arg(point.batch).arg(point.partnered ? "" : " alone");
        // By session, and batches rise whatever the order that they were measured in.
        QCOMPARE(listed, QStringList({"0:1", "0:2", "1:1", "1:4 alone", "2:2"}));
        const SessionPoint &first = comparison.all.front();
        QCOMPARE(first.kind, std::string("sweep"));
        QCOMPARE(first.mode, std::string("eager"));
        QCOMPARE(first.prompt, std::int64_t(128));
        QCOMPARE(first.seconds, 10e-3);
        QVERIFY(!first.imported);
        QCOMPARE(comparison.points.size(), 2u); // one pair with each of the others
        QCOMPARE(comparison.points[1].other, 2u);
    }

    void aPointWithoutAnyPartnerIsAlone()
    {
        Session other = sessionOf(spread(10e-3, 1e-4, 40));
        other.runs[0].points[0].batch = 2;
        const Comparison comparison = compareSessions({sessionOf(spread(10e-3, 1e-4, 40)), other});
        QCOMPARE(comparison.all.size(), 2u);
        for (const SessionPoint &point : comparison.all)
            QVERIFY(!point.partnered);
    }

    void spreadsAreThoseOfTheSides()
    {
        // 40 steps: the 10th and the 90th percentile of evenly spread values lie 40 % of the width off the middle.
        const Session baseline = sessionOf(spread(10e-3, 1e-3, 40)), other = sessionOf({}, 256, 11e-3, 13e-3, 12e-3);
        const Comparison comparison = compareSessions({baseline, other});
        const SweepPoint &measured = baseline.runs[0].points[0];
        const ComparedPoint &point = comparison.points.at(0);
        QCOMPARE(point.baselineLow, measured.p10Seconds);
        QCOMPARE(point.baselineHigh, measured.p90Seconds);
        QVERIFY2(std::abs(point.baselineLow - 9.6e-3) < 3e-5 && std::abs(point.baselineHigh - 10.4e-3) < 3e-5,
                 qPrintable(QStringLiteral("%1 %2").arg(point.baselineLow).arg(point.baselineHigh)));
        QCOMPARE(point.low, 11e-3);
        QCOMPARE(point.high, 13e-3);
        QCOMPARE(point.baselineSamples, 40u);
        QCOMPARE(point.samples, 0u);
        QCOMPARE(comparison.all.at(0).low, point.baselineLow);
        QCOMPARE(comparison.all.at(0).high, point.baselineHigh);
        QCOMPARE(comparison.all.at(1).low, 11e-3);
        QCOMPARE(comparison.all.at(1).high, 13e-3);
        // None given: none is made up.
        const Comparison bare = compareSessions({baseline, sessionOf({}, 256, kMissing, kMissing, 12e-3)});
        QVERIFY(std::isnan(bare.points.at(0).low) && std::isnan(bare.points.at(0).high));
    }

    void theDecidingTestIsTheOneThatDecides()
    {
        const std::string said = decidingTest();
        QVERIFY2(said.find("Mann-Whitney U below 1 %") != std::string::npos && said.find("differ by 2 % or more") != std::string::npos, said.c_str());
        // Just beyond both thresholds of the sentence it is slower, within either it is not.
        const auto change = [](double factor, double width, int count) {
            return compareSessions({sessionOf(spread(10e-3, width, count)), sessionOf(spread(10e-3 * factor, width, count))}).points.at(0);
        };
        QCOMPARE(change(1.021, 1e-5, 40).change, Change::Slower);
        QVERIFY(change(1.021, 1e-5, 40).p < kCompareAlpha);
        QCOMPARE(change(1.019, 1e-5, 40).change, Change::Same);
        QVERIFY(change(1.019, 1e-5, 40).p < kCompareAlpha); // however sure
        QCOMPARE(change(1.03, 4e-3, 12).change, Change::Ambiguous);
        QVERIFY(change(1.03, 4e-3, 12).p > kCompareAlpha);
    }

    void oneSessionIsNoComparison()
    {
        QVERIFY(samples::sentenceOf(ErrorKind::Usage, [] { compareSessions({newSession()}); }));
    }
};

QTEST_APPLESS_MAIN(TestCompare)
#include "test_compare.moc"
