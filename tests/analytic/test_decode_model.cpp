// SPDX-License-Identifier: GPL-3.0-or-later
#include "shapes.h"
#include "usage_error.h"

#include "core/analytic/decode_model.h"

#include <QtTest>

#include <cmath>
#include <functional>
#include <limits>

using namespace ridgepoint;

namespace {

const double NaN = std::numeric_limits<double>::quiet_NaN();
const double Inf = std::numeric_limits<double>::infinity();
const Ceilings T4{320e9, 65e12, 0, 16e9};

Workload tinyLlama(const WorkloadOverrides &overrides = {})
{
    return makeWorkload(shapes::tinyLlama(), DType::F16, Accounting::Textbook, overrides);
}

} // namespace

using Call = std::function<void()>;
Q_DECLARE_METATYPE(Call)
Q_DECLARE_METATYPE(ridgepoint::RatioBand)

class TestDecodeModel : public QObject {
    Q_OBJECT
private slots:
    void overheadAddsToTheFloor();
    void boundTurnsAtTheRidge();
    void sweepKeepsItsOrder();
    void sweepOfNoBatchesIsEmpty();
    void linearAndDeparture();
    void firstDepartureIsTheSmallestBatch();
    void noDepartureNoBatch();
    void unknownMemoryLimitsNothing();
    void capacityIsZeroWhereWeightsDoNotFit();
    void freeCacheHasNoLimits();
    void totalIsTtftAndSteps();
    void subtractionGivesTpot();
    void ratioBandEdges_data();
    void ratioBandEdges();
    void everyBandHasItsOwnText();
    void badInputIsAUsageSentence_data();
    void badInputIsAUsageSentence();
    void accountingNames();
    void boundNames();
};

void TestDecodeModel::overheadAddsToTheFloor()
{
    Ceilings ceilings = T4;
    const StepPrediction bare = predictStep(tinyLlama(), ceilings, 4, 256);
    ceilings.overhead = 5e-3;
    const StepPrediction step = predictStep(tinyLlama(), ceilings, 4, 256);
    QCOMPARE(step.floorSeconds(), bare.stepSeconds);
    QCOMPARE(step.stepSeconds, bare.stepSeconds + 5e-3);
    QCOMPARE(step.overheadSeconds, 5e-3);
    QCOMPARE(step.tokensPerSecond, 4 / step.stepSeconds);
}

void TestDecodeModel::boundTurnsAtTheRidge()
{
    const double batch = batchAtRidge(tinyLlama(), T4.ridge(), 100).value_or(-1);
    QVERIFY(batch > 0);
    QVERIFY(predictStep(tinyLlama(), T4, batch * 0.99, 100).bound == Bound::Memory);
    const StepPrediction above = predictStep(tinyLlama(), T4, batch * 1.01, 100);
    QVERIFY(above.bound == Bound::Compute);
    QCOMPARE(above.floorSeconds(), above.computeSeconds);
}

void TestDecodeModel::sweepKeepsItsOrder()
{
    const std::vector<SweepPrediction> rows = predictSweep(tinyLlama(), T4, {16, 2, 4}, 256);
    QCOMPARE(rows.size(), std::size_t(3));
    QCOMPARE(rows[0].step.batch, 16.0);
    QCOMPARE(rows[1].step.batch, 2.0);
    QCOMPARE(rows[1].departure, 0.0); // the smallest batch is the reference, wherever it stands
    QCOMPARE(rows[0].linear, 8 * rows[1].step.tokensPerSecond);
    QVERIFY(rows[0].departure > rows[2].departure);
}

void TestDecodeModel::sweepOfNoBatchesIsEmpty()
{
    QVERIFY(predictSweep(tinyLlama(), T4, {}, 256).empty());
}

void TestDecodeModel::linearAndDeparture()
{
    QCOMPARE(linearTokensPerSecond(16, 4, 100), 400.0);
    QCOMPARE(departure(300, 400), 0.25);
    QCOMPARE(departure(440, 400), -0.1);
    QVERIFY(std::isnan(departure(300, 0)));
    QVERIFY(std::isnan(departure(300, NaN)));
    QVERIFY(std::isnan(departure(NaN, 400)));
}

void TestDecodeModel::firstDepartureIsTheSmallestBatch()
{
    std::vector<SweepPrediction> rows(3);
    rows[0].step.batch = 64;
    rows[0].departure = 0.4;
    rows[1].step.batch = 16;
    rows[1].departure = 0.051;
    rows[2].step.batch = 4;
    rows[2].departure = 0.05; // not over the threshold
    QCOMPARE(firstDeparture(rows).value_or(-1), 16.0);
    QCOMPARE(firstDeparture(rows, 0.1).value_or(-1), 64.0);
}

void TestDecodeModel::noDepartureNoBatch()
{
    QVERIFY(!firstDeparture({}));
    QVERIFY(!firstDeparture(predictSweep(tinyLlama(), T4, {1, 2}, 256)));
}

void TestDecodeModel::unknownMemoryLimitsNothing()
{
    QVERIFY(!capacity(tinyLlama(), 0, 2048));
    Ceilings unknown = T4;
    unknown.memory = 0;
    const std::vector<SweepPrediction> rows = predictSweep(tinyLlama(), unknown, {1000000}, 2048);
    QVERIFY(rows[0].fits && !rows[0].capacity);
}

void TestDecodeModel::capacityIsZeroWhereWeightsDoNotFit()
{
    QCOMPARE(capacity(tinyLlama(), 2e9, 2048).value_or(-1), 0.0);
    QCOMPARE(capacity(tinyLlama(), 16e9, 2048, 14e9).value_or(-1), 0.0);
    Ceilings small = T4;
    small.memory = 2e9;
    QVERIFY(!predictSweep(tinyLlama(), small, {1}, 2048)[0].fits);
}

void TestDecodeModel::freeCacheHasNoLimits()
{
    const Workload free = tinyLlama({{}, {}, 0.0});
    QVERIFY(std::isinf(maxIntensity(free, 256)));
    QVERIFY(!capacity(free, 16e9, 256));
    QCOMPARE(batchAtRidge(free, 200, 256).value_or(-1), batchAtRidgeWithoutKv(free, 200));
    QVERIFY(std::isinf(contextWhereKvEqualsWeights(free)));
}

void TestDecodeModel::totalIsTtftAndSteps()
{
    QCOMPARE(totalSeconds(0.5, 0.02, 11), 0.7);
    QCOMPARE(totalSeconds(0.5, 0.02, 1), 0.5);
    QVERIFY(std::isnan(totalSeconds(0.5, 0.02, 0)));
}

void TestDecodeModel::subtractionGivesTpot()
{
    QCOMPARE(tpotBySubtraction(0.7, 0.5, 11), 0.02);
    QCOMPARE(tpotBySubtraction(totalSeconds(0.1, 0.007, 64), 0.1, 64), 0.007);
    QVERIFY(std::isnan(tpotBySubtraction(0.7, 0.5, 1)));
}

void TestDecodeModel::ratioBandEdges_data()
{
    QTest::addColumn<double>("ratio");
    QTest::addColumn<RatioBand>("band");
    QTest::newRow("zero") << 0.0 << RatioBand::Impossible;
    QTest::newRow("just under 1") << std::nextafter(1.0, 0.0) << RatioBand::Impossible;
    QTest::newRow("1") << 1.0 << RatioBand::NearBandwidth;
    QTest::newRow("just under 1.5") << std::nextafter(1.5, 0.0) << RatioBand::NearBandwidth;
    QTest::newRow("1.5") << 1.5 << RatioBand::MemoryBound;
    QTest::newRow("just under 3") << std::nextafter(3.0, 0.0) << RatioBand::MemoryBound;
    QTest::newRow("3") << 3.0 << RatioBand::PartlyElsewhere;
    QTest::newRow("6") << 6.0 << RatioBand::PartlyElsewhere;
    QTest::newRow("just over 6") << std::nextafter(6.0, 7.0) << RatioBand::OverheadRules;
    QTest::newRow("1000") << 1000.0 << RatioBand::OverheadRules;
}

void TestDecodeModel::ratioBandEdges()
{
    QFETCH(double, ratio);
    QFETCH(RatioBand, band);
    QVERIFY(ratioBand(ratio) == band);
}

void TestDecodeModel::everyBandHasItsOwnText()
{
    QSet<QString> texts;
    for (const RatioBand band : {RatioBand::Impossible, RatioBand::NearBandwidth, RatioBand::MemoryBound,
                                 RatioBand::PartlyElsewhere, RatioBand::OverheadRules}) {
        const std::string text(ratioBandText(band));
        QVERIFY(text.size() > 20 && text.back() == '.');
        texts.insert(QString::fromStdString(text));
    }
    QCOMPARE(texts.size(), 5);
    QVERIFY(ratioBandText(RatioBand::Impossible).find("synchronise") != std::string_view::npos);
}

void TestDecodeModel::badInputIsAUsageSentence_data()
{
    QTest::addColumn<Call>("call");
    QTest::addColumn<QString>("named"); // parts of the sentence, separated by |
    const auto row = [](const char *name, Call call, const char *named) {
        QTest::newRow(name) << call << QString(named);
    };
    const Workload w = tinyLlama();
    row(
        "batch 0", [=] { (void)predictStep(w, T4, 0, 1); }, "batch|0 was given");
    row(
        "batch negative", [=] { (void)predictStep(w, T4, -3, 1); }, "batch|-3 was given");
    row(
        "batch NaN", [=] { (void)predictStep(w, T4, NaN, 1); }, "batch|nan");
    row(
        "batch infinite", [=] { (void)predictStep(w, T4, Inf, 1); }, "batch|inf");
    row(
        "context 0", [=] { (void)predictStep(w, T4, 1, 0); }, "context|0 was given");
    row(
        "bandwidth 0",
        [=] {
            (void)predictStep(w, {0, 1e12, 0, 0}, 1, 1);
        },
        "bandwidth|0 was given");
    row(
        "bandwidth NaN",
        [=] {
            (void)predictStep(w, {NaN, 1e12, 0, 0}, 1, 1);
        },
        "bandwidth|nan");
    row(
        "peak 0",
        [=] {
            (void)predictStep(w, {1e9, 0, 0, 0}, 1, 1);
        },
        "arithmetic rate|0 was given");
    row(
        "overhead negative",
        [=] {
            (void)predictStep(w, {1e9, 1e9, -1, 0}, 1, 1);
        },
        "overhead|-1 was given");
    row(
        "step overflows", [=] { (void)predictStep(w, T4, 1e308, 1e308); }, "1e+308|smaller");
    row(
        "step underflows",
        [=] {
            (void)predictStep(w, {1e308, 1e308, 0, 0}, 1e305, 1e-300);
        },
        "smaller");
    row(
        "prompt 0", [=] { (void)predictPrefill(w, T4, 1, 0); }, "prompt|0 was given");
    row(
        "prefill batch NaN", [=] { (void)predictPrefill(w, T4, NaN, 1); }, "batch|nan");
    row(
        "prefill overflows", [=] { (void)predictPrefill(w, T4, 1e200, 1e200); }, "1e+200|smaller");
    row(
        "AI_max context 0", [=] { (void)maxIntensity(w, 0); }, "context");
    row(
        "ridge 0", [=] { (void)batchAtRidge(w, 0, 1); }, "ridge");
    row(
        "ridge without KV NaN", [=] { (void)batchAtRidgeWithoutKv(w, NaN); }, "ridge|nan");
    row(
        "memory negative", [=] { (void)capacity(w, -1, 1); }, "memory|-1");
    row(
        "workspace negative", [=] { (void)capacity(w, 1e9, 1, -1); }, "workspace|-1");
    row(
        "capacity context 0", [=] { (void)capacity(w, 1e9, 0); }, "context");
    row(
        "sweep with batch 0",
        [=] {
            (void)predictSweep(w, T4, {4, 0}, 1);
        },
        "batch|0 was given");
    row(
        "linear from batch 0", [] { (void)linearTokensPerSecond(4, 0, 1); }, "smallest batch");
    row(
        "override N 0",
        [] {
            (void)tinyLlama({0.0, {}, {}});
        },
        "parameters|0 was given");
    row(
        "override N infinite",
        [] {
            (void)tinyLlama({Inf, {}, {}});
        },
        "parameters|inf");
    row(
        "override W negative",
        [] {
            (void)tinyLlama({{}, -1.0, {}});
        },
        "weight bytes|-1");
    row(
        "override kv negative",
        [] {
            (void)tinyLlama({{}, {}, -1.0});
        },
        "KV bytes|-1");
    row(
        "override kv NaN",
        [] {
            (void)tinyLlama({{}, {}, NaN});
        },
        "KV bytes|nan");
    row(
        "band of NaN", [] { (void)ratioBand(NaN); }, "ratio");
    row(
        "band of infinity", [] { (void)ratioBand(Inf); }, "ratio");
}

void TestDecodeModel::badInputIsAUsageSentence()
{
    QFETCH(Call, call);
    QFETCH(QString, named);
    const QString sentence = usageErrorOf(call);
    for (const QString &part : named.split('|'))
        QVERIFY2(sentence.contains(part), qPrintable(part + " in: " + sentence));
    QVERIFY(sentence.endsWith('.'));
}

void TestDecodeModel::accountingNames()
{
    for (const Accounting accounting : {Accounting::Textbook, Accounting::Exact})
        QVERIFY(parseAccounting(accountingName(accounting)) == accounting);
    QVERIFY(!parseAccounting("roughly"));
    QVERIFY(!parseAccounting(""));
}

void TestDecodeModel::boundNames()
{
    QVERIFY(boundName(Bound::Memory) == "memory");
    QVERIFY(boundName(Bound::Compute) == "compute");
}

QTEST_APPLESS_MAIN(TestDecodeModel)
#include "test_decode_model.moc"
