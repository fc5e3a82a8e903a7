// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analytic/forecast.h"
#include "shapes.h"

#include <QTest>

#include <cmath>

using namespace ridgepoint;
using namespace shapes;

namespace {

/// A device whose step is fixed + weights(b) + bytes / rate: what the forecast must find again from its timings.
double truth(const Workload &workload, double batch, double context)
{
    return 1e-3 + 1e-6 * batch + batch * workload.kvReadBytes(context) / 2e12;
}

ShapeTimings timingsOf(const Workload &workload, const std::vector<double> &batches, const std::vector<double> &contexts)
{
    ShapeTimings timings;
    timings.shape = "tinyllama-1.1b";
    for (const double batch : batches)
        for (const double context : contexts)
            timings.steps.push_back({batch, context, truth(workload, batch, context)});
    return timings;
}

} // namespace

class TestForecast : public QObject {
    Q_OBJECT

private slots:
    void aStepIsFoundAgainAtOtherContextsAndBatches_data()
    {
        QTest::addColumn<double>("batch");
        QTest::addColumn<double>("context");
        for (const double batch : {1.0, 8.0, 64.0, 100.0, 128.0, 200.0})
            for (const double context : {8.0, 100.0, 158.0, 2078.0, 30000.0})
                QTest::addRow("batch %g, context %g", batch, context) << batch << context;
    }
    void aStepIsFoundAgainAtOtherContextsAndBatches()
    {
        QFETCH(double, batch);
        QFETCH(double, context);
        const Workload workload = makeWorkload(tinyLlama(), DType::F16, Accounting::Exact);
        const auto timings = timingsOf(workload, {1, 64, 128}, {8, 200, 1500});
        const auto seconds = forecastStepSeconds(timings, workload, batch, context);
        QVERIFY(seconds.has_value());
        QVERIFY(std::abs(*seconds / truth(workload, batch, context) - 1) < 1e-9);
    }

    void aWindowSaturates()
    {
        ModelShape shape = tinyLlama();
        shape.family = Family::Mistral;
        shape.slidingWindow = 512;
        const Workload workload = makeWorkload(shape, DType::F16, Accounting::Exact);
        const auto timings = timingsOf(workload, {16}, {8, 200, 1500});
        QCOMPARE(*forecastStepSeconds(timings, workload, 16, 4000), *forecastStepSeconds(timings, workload, 16, 1500));
    }

    void noiseNeverMakesAForecastFall()
    {
        const Workload workload = makeWorkload(tinyLlama(), DType::F16, Accounting::Exact);
        ShapeTimings timings;
        timings.steps = {{1, 8, 1.2e-3}, {1, 200, 1.1e-3}};
        QCOMPARE(*forecastStepSeconds(timings, workload, 1, 2000), 1.1e-3);
        QCOMPARE(*forecastStepSeconds(timings, workload, 1, 1), 1.2e-3);
    }

    void withoutSoundTimingsThereIsNone()
    {
        const Workload workload = makeWorkload(tinyLlama(), DType::F16, Accounting::Exact);
        ShapeTimings timings;
        QVERIFY(!forecastStepSeconds(timings, workload, 1, 100));
        QVERIFY(!forecastPrefillSeconds(timings, 1, 100));
        timings.steps = {{1, 8, std::nan("")}, {0, 8, 1.0}, {1, 8, -1.0}};
        timings.prefills = {{1, 16, 1e-3}};
        QVERIFY(!forecastStepSeconds(timings, workload, 1, 100));
        QVERIFY(!forecastPrefillSeconds(timings, 1, 100));
    }

    void theForecastAboveTheFloorIsOverhead()
    {
        const Workload workload = makeWorkload(tinyLlama(), DType::F16, Accounting::Exact);
        Ceilings ceilings;
        ceilings.bandwidth = 4.6e12;
        ceilings.flops = 700e12;
        ceilings.overhead = 8e-3; // of another kind of prediction
        const auto timings = timingsOf(workload, {1}, {8, 200, 1500});
        const auto step = forecastStep(timings, workload, ceilings, 1, 500);
        QVERIFY(step.has_value());
        QVERIFY(std::abs(step->stepSeconds / truth(workload, 1, 500) - 1) < 1e-9);
        QVERIFY(std::abs(step->floorSeconds() + step->overheadSeconds - step->stepSeconds) < 1e-12);
        QVERIFY(std::abs(step->tokensPerSecond * step->stepSeconds - 1) < 1e-12);
    }

    void prefillIsProductsAndAttention_data()
    {
        QTest::addColumn<double>("batch");
        QTest::addColumn<double>("prompt");
        for (const double batch : {1.0, 4.0, 16.0})
            for (const double prompt : {32.0, 200.0, 2048.0, 4096.0})
                QTest::addRow("batch %g, prompt %g", batch, prompt) << batch << prompt;
    }
    void prefillIsProductsAndAttention()
    {
        QFETCH(double, batch);
        QFETCH(double, prompt);
        const auto truthOf = [](double b, double p) { return 1e-3 + 3e-6 * b * p + 2e-10 * b * p * p; };
        ShapeTimings timings;
        for (const auto &[b, p] : {std::pair{1.0, 16.0}, {1.0, 64.0}, {1.0, 256.0}, {1.0, 1024.0}, {8.0, 512.0}, {1.0, 4096.0}})
            timings.prefills.push_back({b, p, truthOf(b, p)});
        QVERIFY(std::abs(*forecastPrefillSeconds(timings, batch, prompt) / truthOf(batch, prompt) - 1) < 1e-9);
    }

    void timingsBelongToOneShapeDtypeAndMode()
    {
        MeasuredCeilings measured;
        QVERIFY(!hasTimings(measured, "a", DType::F16, DecodeMode::Eager));
        measured.timings = ShapeTimings{"a", DType::F16, DecodeMode::Eager, {{1, 8, 1e-3}}, {}};
        QVERIFY(hasTimings(measured, "a", DType::F16, DecodeMode::Eager));
        QVERIFY(!hasTimings(measured, "b", DType::F16, DecodeMode::Eager));
        QVERIFY(!hasTimings(measured, "a", DType::BF16, DecodeMode::Eager));
        QVERIFY(!hasTimings(measured, "a", DType::F16, DecodeMode::Graph));
        measured.timings->steps.clear();
        QVERIFY(!hasTimings(measured, "a", DType::F16, DecodeMode::Eager));
    }
};

QTEST_GUILESS_MAIN(TestForecast)
#include "test_forecast.moc"
