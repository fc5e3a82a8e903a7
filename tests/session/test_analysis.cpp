// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/analysis.h"

#include "samples.h"

#include <QtTest>

#include <cmath>

using namespace ridgepoint;

namespace {

/// The sample's sweep with the steps of the exact accounting: its floor at the measured ceilings and 8 ms.
RunRecord exactSweep(std::vector<std::int64_t> batches = {1, 4, 16, 64, 128})
{
    RunRecord run = samples::sweepRun();
    const Workload workload = makeWorkload(run.plan.model.shape, run.plan.dtype, Accounting::Exact);
    std::erase_if(run.points, [&](const SweepPoint &p) {
        return std::find(batches.begin(), batches.end(), p.batch) == batches.end();
    });
    for (SweepPoint &p : run.points) {
        const double t = predictStep(workload, samples::published(), static_cast<double>(p.batch), p.context).stepSeconds;
        for (StepSample &s : p.steps)
            s.deviceSeconds = t;
        summariseSteps(p);
    }
    return run;
}

const BendPoint &last(const std::vector<BendAnalysis> &bends, std::size_t prompt)
{
    return bends.at(prompt).points.back();
}

std::string cellOf(const TextTable &table, const std::string &first, std::size_t column)
{
    for (const auto &row : table.rows)
        if (row[0] == first)
            return row[column];
    return {};
}

} // namespace

class TestAnalysis : public QObject
{
    Q_OBJECT
private slots:
    void kvBytesExplainWhatTheyTook()
    {
        const auto bends = bendOf(exactSweep());
        QCOMPARE(bends.size(), std::size_t(2));
        const BendPoint &p = last(bends, 1);
        QCOMPARE(p.batch, 128.0);
        QVERIFY(std::abs(p.kvShare - 1) < 1e-9 && std::abs(p.kernelShare) < 1e-9 && p.computeShare == 0);
        QVERIFY(std::abs(p.kvShare + p.computeShare + p.kernelShare - 1) < 1e-12);
        // Without overhead the effective bytes are the model's; 8 ms at 270 GB/s lie above them.
        QVERIFY(std::abs(p.effectiveBytes - p.modelBytes - 8e-3 * 270e9) < 1);
        QVERIFY(*bends[0].firstDepartureMeasured == 64 && *bends[1].firstDepartureMeasured == 16);
        QVERIFY(*bends[0].firstDepartureForecast == 64 && *bends[1].firstDepartureForecast == 16);
        QVERIFY(*bends[1].firstDepartureFloor == 4); // no fixed cost that hides the first KV bytes
        QVERIFY(bends[0].roofBatch && !bends[1].roofBatch); // "never" at 2,048 tokens
        QVERIFY(bends[1].maxIntensity < bends[1].ridge);
    }
    void computeBeyondTheBytesHasItsShare()
    {
        RunRecord run = exactSweep({1, 4});
        const Workload workload = makeWorkload(run.plan.model.shape, run.plan.dtype, Accounting::Exact);
        run.points.resize(2);
        run.points[1].batch = 2000;
        for (SweepPoint &p : run.points) {
            p.prompt = 16;
            p.context = 16;
            const double t = predictStep(workload, samples::published(), double(p.batch), 16).stepSeconds;
            for (StepSample &s : p.steps)
                s.deviceSeconds = t;
            summariseSteps(p);
        }
        const auto bends = bendOf(run);
        const BendPoint &p = last(bends, 0);
        QVERIFY(p.computeShare > 0.5);
        QVERIFY(std::abs(p.kernelShare) < 1e-9);
    }
    void kernelsHaveTheRest()
    {
        RunRecord run = exactSweep();
        SweepPoint &p = run.points[4]; // batch 128, prompt 256
        const double lost = p.stepSeconds - run.points[0].stepSeconds;
        for (StepSample &s : p.steps)
            s.deviceSeconds += lost; // as much again
        summariseSteps(p);
        const BendPoint &b = last(bendOf(run), 0);
        QVERIFY(std::abs(b.kernelShare - 0.5) < 1e-9 && std::abs(b.kvShare - 0.5) < 1e-9);
    }
    void noShareOfWhatMayBeJitter()
    {
        RunRecord run = exactSweep();
        SweepPoint &p = run.points[1]; // batch 4
        p.p10Seconds = p.stepSeconds * 0.95;
        p.p90Seconds = p.stepSeconds * 1.05;
        const BendPoint &b = bendOf(run)[0].points[1];
        QVERIFY(std::isnan(b.kvShare) && std::isnan(b.computeShare) && std::isnan(b.kernelShare));
        QVERIFY(std::isfinite(b.kvSeconds) && b.excessSeconds > 0);
        QVERIFY(std::isfinite(bendOf(run)[0].points[2].kvShare) || bendOf(run)[0].points[2].excessSeconds > 0);
    }
    void ceilingsBeyondMeasureGiveNoRidge() // of an edited file; a fuzz program wrote one
    {
        RunRecord run = exactSweep();
        run.calibration.reset();
        run.plan.measured.reset();
        run.plan.nominal.flops = 1e300;
        run.plan.nominal.bandwidth = 1e-100;
        const auto bends = bendOf(run);
        QCOMPARE(bends.size(), std::size_t(2));
        QVERIFY(!(bends[0].roofBatch && std::isfinite(*bends[0].roofBatch)));
    }
    void memoryCutsOff()
    {
        const auto bends = bendOf(samples::sweepRun(true));
        QCOMPARE(bends[1].cutOff, std::vector<double>{128});
        QVERIFY(bends[0].cutOff.empty());
        QCOMPARE(last(bends, 1).batch, 64.0);
        QVERIFY(bendSentences(bends)[1].find("Memory cut off batch 128") != std::string::npos);
    }
    void withoutCeilingsThereAreTimesAndNoShares()
    {
        RunRecord run = exactSweep();
        run.plan.measured.reset();
        run.plan.nominal = {};
        const auto bends = bendOf(run);
        QVERIFY(std::isnan(last(bends, 0).kvShare) && std::isnan(last(bends, 0).effectiveBytes));
        QVERIFY(last(bends, 0).departure > 0.1);
        QVERIFY(std::isnan(bends[0].ridge) && !bends[0].measuredCeilings);
        QVERIFY(bendOf(samples::calibrationRun()).empty());
    }

    void oneModelOfASessionGivesTheSum()
    {
        Session session = newSession();
        session.runs = {exactSweep()};
        const auto groups = decomposeSession(session);
        QCOMPARE(groups.size(), std::size_t(1));
        QCOMPARE(groups[0].observations.size(), std::size_t(10));
        const Decomposition &d = groups[0].result;
        QVERIFY(!d.weightBandwidth.value);
        QVERIFY(std::abs(*d.kvBandwidth.value / 270e9 - 1) < 1e-6);
        const Workload workload = makeWorkload(samples::tinyLlama(), DType::F16, Accounting::Exact);
        QVERIFY(std::abs(*d.fixedAndWeights.value / (8e-3 + workload.weightBytes / 270e9) - 1) < 1e-6);
        const TextTable table = decompositionTable(groups[0]);
        QVERIFY(cellOf(table, "weight bandwidth", 3).find("another model") != std::string::npos);
        QVERIFY(cellOf(table, "KV bandwidth", 3).find("100.0 % of the measured 270 GB/s") != std::string::npos);
    }
    void anotherModelTellsWeightsFromFixedCost()
    {
        Session session = newSession();
        session.runs = {exactSweep()};
        RunRecord half = exactSweep();
        half.plan.model.shape.layers = 11;
        half.plan.model.shape.id = "half";
        const Workload workload = makeWorkload(half.plan.model.shape, DType::F16, Accounting::Exact);
        for (SweepPoint &p : half.points)
            p.stepSeconds = predictStep(workload, samples::published(), double(p.batch), p.context).stepSeconds;
        session.runs.push_back(half);
        session.runs.push_back(exactSweep());
        for (SweepPoint &p : session.runs.back().points)
            p.mode = DecodeMode::Graph;
        const auto groups = decomposeSession(session);
        QCOMPARE(groups.size(), std::size_t(2)); // each mode apart
        QVERIFY(std::abs(*groups[0].result.weightBandwidth.value / 270e9 - 1) < 1e-6);
        QVERIFY(std::abs(*groups[0].result.fixedSeconds.value / 8e-3 - 1) < 1e-6);
        QVERIFY(!groups[1].result.weightBandwidth.value);
        QCOMPARE(groups[0].models, (std::vector<std::string>{"tinyllama-1.1b", "half"}));
    }

    void triedPointsStandBesideTheFrontier()
    {
        RunRecord run = samples::sweepRun(true);
        run.provenance.usableBytes = 8e9; // 2.2 GB of weights and 5.8 GB of cache: 125 sequences of 2,055 positions
        auto checks = checkFrontier(run);
        QCOMPARE(checks.size(), run.points.size());
        for (const FrontierCheck &c : checks)
            QVERIFY2(c.rightSide && *c.rightSide, qPrintable(QString("batch %1, prompt %2").arg(c.batch).arg(c.prompt)));
        QVERIFY(!checks.back().predictedFits && checks.back().status == PointStatus::OutOfMemory);
        QVERIFY(frontierSentences(run, checks)[0].find("that the run could use") != std::string::npos);

        run.provenance.usableBytes = 16e9; // now the one that ran out of memory should have fitted
        checks = checkFrontier(run);
        QVERIFY(checks.back().predictedFits && !*checks.back().rightSide);
        QVERIFY(frontierSentences(run, checks)[1].find("9 of 10") != std::string::npos);

        run.points.back().status = PointStatus::Skipped; // nobody tried
        QVERIFY(!checkFrontier(run).back().rightSide);
    }
    void olderFilesSayThatTheEdgeIsNear()
    {
        const RunRecord run = samples::sweepRun();
        const auto checks = checkFrontier(run);
        QCOMPARE(frontierMemoryOf(run).bytes, 16e9);
        QVERIFY(frontierSentences(run, checks)[0].find("near rather than exact") != std::string::npos);
        RunRecord unknown = run;
        unknown.provenance.deviceMemoryBytes = kMissing;
        unknown.plan.nominal.memory = 0;
        QVERIFY(checkFrontier(unknown).empty());
    }

    void expectationStandsBesideForecastAndMeasurement()
    {
        RunRecord run = samples::sweepRun();
        QVERIFY(expectationRows(run).empty());
        run.plan.expectation.tpotSeconds = 20e-3;
        run.plan.expectation.ratio = 3;
        run.plan.expectation.firstDeparture = 32;
        const auto rows = expectationRows(run);
        QCOMPARE(rows.size(), std::size_t(6)); // three a prompt
        QCOMPARE(rows[0].measured, run.points[0].stepSeconds);
        QCOMPARE(rows[0].forecast, run.points[0].forecast.predicted->stepSeconds);
        QCOMPARE(rows[1].measured, run.points[0].stepSeconds / run.points[0].forecast.floorNominal.floorSeconds());
        QCOMPARE(rows[2].measured, 64.0);
        QCOMPARE(rows[5].forecast, 16.0);
        const TextTable table = expectationTable(run);
        QCOMPARE(cellOf(table, "first departure over 5 %", 2), std::string("batch 32"));
        QCOMPARE(cellOf(table, "TPOT, batch 1", 2), std::string("20.0 ms"));
        run.points.resize(1); // nothing to depart from
        QCOMPARE(cellOf(expectationTable(run), "first departure over 5 %", 4), std::string("-"));

        RunRecord ttft = samples::ttftRun();
        ttft.plan.expectation.tpotSeconds = 20e-3;
        QCOMPARE(expectationRows(ttft).size(), std::size_t(1));
        QCOMPARE(expectationRows(ttft)[0].measured, 0.0160);
    }
};

QTEST_APPLESS_MAIN(TestAnalysis)
#include "test_analysis.moc"
