// SPDX-License-Identifier: GPL-3.0-or-later
// The exact accounting against values worked out by hand.
#include "shapes.h"
#include "usage_error.h"

#include "core/analytic/decode_model.h"

#include <QtTest>

using namespace ridgepoint;

namespace {

/// Two full layers and one with a window of 2, small enough to count by hand. hidden 4, 2 heads of 3, 1 kv head, ffn 5,
/// vocab 7, untied.
/// A layer: q 4x6, k 4x3, v 4x3, o 6x4 = 72; mlp 3 x 4x5 = 60; norms 8. Three layers: matrices 396, norms 24 + 4 = 28.
/// Tables 7x4 = 28 each. Total 396 + 28 + 56 = 480; streamed 452; multiplied 424. kv fp16: 2 x 3 x 1 x 3 x 2 = 36 B.
ModelShape tiny()
{
    ModelShape shape;
    shape.id = "tiny";
    shape.layers = 3;
    shape.hidden = 4;
    shape.heads = 2;
    shape.kvHeads = 1;
    shape.headDim = 3;
    shape.ffn = 5;
    shape.vocab = 7;
    shape.slidingWindow = 2;
    shape.slidingLayers = {true, false, false};
    return shape;
}

Workload exact(const ModelShape &shape, DType dtype = DType::F16, const WorkloadOverrides &overrides = {})
{
    return makeWorkload(shape, dtype, Accounting::Exact, overrides);
}

const Ceilings Unit{1, 1, 0, 0}; ///< one byte and one FLOP a second: seconds are counts

} // namespace

class TestExactAccounting : public QObject {
    Q_OBJECT
private slots:
    void weightsOfAStep();
    void textbookOfTheSameShape();
    void stepAtContext_data();
    void stepAtContext();
    void prefillOfPrompt_data();
    void prefillOfPrompt();
    void tinyLlamaStep();
    void tinyLlamaPrefill();
    void gemmaReadsOnlyTheWindow();
    void tiedEmbeddingIsStreamedOnce();
    void fp32DoublesBytesNotFlop();
    void boundsOfIntensity();
    void residentCacheKeepsEveryPosition();
    void effectiveBytesMeetTheirPrediction();
    void overridesReplaceDerivedFigures();
    void headKeepsItsShareOfTypedParameters();
};

void TestExactAccounting::weightsOfAStep()
{
    const Workload w = exact(tiny());
    QCOMPARE(w.weightBytes, 904.0);
    QCOMPARE(w.residentWeightBytes, 960.0);
    QCOMPARE(w.parameters, 424.0);
    QCOMPARE(w.headParameters, 28.0);
    QCOMPARE(w.kvBytesPerToken, 36.0);
    QCOMPARE(w.kvWriteBytes(), 36.0);
    QCOMPARE(w.fullLayers, 2.0);
    QCOMPARE(w.slidingLayers, 1.0);
    QCOMPARE(w.attentionWidth, 6.0);
}

void TestExactAccounting::textbookOfTheSameShape()
{
    const Workload w = makeWorkload(tiny(), DType::F16, Accounting::Textbook);
    QCOMPARE(w.parameters, 480.0);
    QCOMPARE(w.weightBytes, 960.0);
    QCOMPARE(w.residentWeightBytes, 960.0);
    QCOMPARE(w.kvWriteBytes(), 0.0);
    QCOMPARE(w.kvReadBytes(10), 360.0);     // no window
    QCOMPARE(w.flopPerSequence(10), 960.0); // no attention
    QCOMPARE(predictPrefill(w, Unit, 2, 5).flop, 9600.0);
    QCOMPARE(predictPrefill(w, Unit, 2, 5).bytes, 960.0);
}

void TestExactAccounting::stepAtContext_data()
{
    QTest::addColumn<double>("batch");
    QTest::addColumn<double>("context");
    QTest::addColumn<double>("bytes");
    QTest::addColumn<double>("flop");
    // read a sequence: 12 B x (2n + min(n, 2)); written 36 B; FLOP 848 + 24 (2n + min(n, 2))
    QTest::newRow("inside the window") << 1.0 << 1.0 << 904.0 + 36 + 36 << 848.0 + 72;
    QTest::newRow("at its edge") << 1.0 << 2.0 << 904.0 + 72 + 36 << 848.0 + 144;
    QTest::newRow("beyond it") << 1.0 << 10.0 << 904.0 + 264 + 36 << 848.0 + 528;
    QTest::newRow("three sequences beyond it") << 3.0 << 10.0 << 904.0 + 3 * 300 << 3 * (848.0 + 528);
}

void TestExactAccounting::stepAtContext()
{
    QFETCH(double, batch);
    QFETCH(double, context);
    QFETCH(double, bytes);
    QFETCH(double, flop);
    const StepPrediction step = predictStep(exact(tiny()), Unit, batch, context);
    QCOMPARE(step.bytes, bytes);
    QCOMPARE(step.flop, flop);
    QCOMPARE(step.intensity, flop / bytes);
    QCOMPARE(step.memorySeconds, bytes);
    QCOMPARE(step.computeSeconds, flop);
}

void TestExactAccounting::prefillOfPrompt_data()
{
    QTest::addColumn<double>("batch");
    QTest::addColumn<double>("prompt");
    QTest::addColumn<double>("flop");
    QTest::addColumn<double>("bytes");
    // body 2 x 396 a token, head 56 once, attention 24 x (2 x sum(i) + sum(min(i, 2)))
    QTest::newRow("one token") << 1.0 << 1.0 << 792.0 + 56 + 24 * (2 * 1 + 1) << 904.0 + 36;
    QTest::newRow("at the window") << 1.0 << 2.0 << 1584.0 + 56 + 24 * (2 * 3 + 3) << 904.0 + 72;
    QTest::newRow("beyond the window") << 1.0 << 4.0 << 3168.0 + 56 + 24 * (2 * 10 + 7) << 904.0 + 144;
    QTest::newRow("two sequences") << 2.0 << 4.0 << 2 * (3168.0 + 56 + 24 * 27) << 904.0 + 288;
}

void TestExactAccounting::prefillOfPrompt()
{
    QFETCH(double, batch);
    QFETCH(double, prompt);
    QFETCH(double, flop);
    QFETCH(double, bytes);
    const PrefillPrediction prefill = predictPrefill(exact(tiny()), Unit, batch, prompt);
    QCOMPARE(prefill.flop, flop);
    QCOMPARE(prefill.bytes, bytes);
    QCOMPARE(prefill.intensity, flop / bytes);
    QCOMPARE(prefill.floorSeconds, std::max(flop, bytes));
}

void TestExactAccounting::tinyLlamaStep()
{
    const Workload w = exact(shapes::tinyLlama());
    QCOMPARE(w.weightBytes, 2069024768.0);
    QCOMPARE(w.residentWeightBytes, 2200096768.0);
    QCOMPARE(w.parameters, 1034420224.0);
    const StepPrediction step = predictStep(w, Unit, 3, 256);
    QCOMPARE(step.bytes, 2086393856.0);    // W + 3 x 257 x 22,528
    QCOMPARE(step.flop, 3 * 2114977792.0); // 3 x (2 x 1,034,420,224 + 4 x 256 x 2048 x 22)
}

void TestExactAccounting::tinyLlamaPrefill()
{
    const PrefillPrediction prefill = predictPrefill(exact(shapes::tinyLlama()), Unit, 2, 200);
    // 2 x (2 x 968,884,224 x 200 + 2 x 65,536,000 + 2 x 200 x 201 x 2048 x 22)
    QCOMPARE(prefill.flop, 782614528000.0);
    QCOMPARE(prefill.bytes, 2078035968.0); // W + 2 x 200 x 22,528
}

void TestExactAccounting::gemmaReadsOnlyTheWindow()
{
    const Workload w = exact(shapes::gemma3_270m(), DType::BF16);
    QCOMPARE(w.slidingLayers, 15.0);
    QCOMPARE(w.parameters, 268042240.0);
    QCOMPARE(w.kvReadBytes(2048), 14155776.0);                       // 1024 B x (3 x 2048 + 15 x 512)
    QCOMPARE(w.flopPerSequence(2048), 2 * 268042240.0 + 56623104.0); // 4 x 1024 x (3 x 2048 + 15 x 512)
    QCOMPARE(w.kvReadBytes(512), 512 * 18432.0);
    QCOMPARE(makeWorkload(shapes::gemma3_270m(), DType::BF16, Accounting::Textbook).kvReadBytes(2048), 2048 * 18432.0);
}

void TestExactAccounting::tiedEmbeddingIsStreamedOnce()
{
    const Workload w = exact(shapes::smolLm2_135m(), DType::BF16);
    QCOMPARE(w.weightBytes, 2 * 134515008.0);
    QCOMPARE(w.residentWeightBytes, w.weightBytes);
    QCOMPARE(w.headParameters, 49152.0 * 576);
}

void TestExactAccounting::fp32DoublesBytesNotFlop()
{
    const StepPrediction half = predictStep(exact(tiny(), DType::F16), Unit, 2, 10);
    const StepPrediction full = predictStep(exact(tiny(), DType::F32), Unit, 2, 10);
    QCOMPARE(full.bytes, 2 * half.bytes);
    QCOMPARE(full.flop, half.flop);
}

void TestExactAccounting::boundsOfIntensity()
{
    const Workload w = exact(tiny());
    const double max = maxIntensity(w, 10);
    QCOMPARE(max, (848.0 + 528) / (264 + 36));
    QVERIFY(!batchAtRidge(w, max * 1.001, 10));
    const double ridge = max * 0.5;
    const std::optional<double> batch = batchAtRidge(w, ridge, 10);
    QVERIFY(batch.has_value());
    QCOMPARE(predictStep(w, Unit, *batch, 10).intensity, ridge); // b* is the batch that lies on the ridge
    QCOMPARE(batchAtRidgeWithoutKv(w, 2.0), 2.0 * 904 / 848);
}

void TestExactAccounting::residentCacheKeepsEveryPosition()
{
    const Workload w = exact(tiny());
    QCOMPARE(w.kvResidentBytes(10), 360.0);
    QCOMPARE(capacity(w, 960 + 3 * 360, 10).value_or(-1), 3.0);
    QCOMPARE(capacity(w, 960 + 3 * 360 - 1, 10).value_or(-1), 2.0);
    QCOMPARE(capacity(w, 960 + 3 * 360, 10, 1).value_or(-1), 2.0);
}

void TestExactAccounting::effectiveBytesMeetTheirPrediction()
{
    const Workload w = exact(tiny());
    const StepPrediction step = predictStep(w, {2, 100, 0, 0}, 3, 10);
    const EffectiveBytes bytes = effectiveBytes(w, 2, 3, 10, step.stepSeconds);
    QCOMPARE(bytes.effective, step.bytes);
    QCOMPARE(bytes.lessWeights, bytes.kvPredicted);
    QCOMPARE(bytes.kvPredicted, 900.0);
    QCOMPARE(effectiveBytes(makeWorkload(tiny(), DType::F16, Accounting::Textbook), 2, 3, 10, 1).kvPredicted,
             3.0 * 10 * 36);
}

void TestExactAccounting::overridesReplaceDerivedFigures()
{
    const Workload onlyN = makeWorkload(tiny(), DType::F32, Accounting::Textbook, {1000.0, {}, {}});
    QCOMPARE(onlyN.parameters, 1000.0);
    QCOMPARE(onlyN.weightBytes, 4000.0);
    QCOMPARE(onlyN.residentWeightBytes, 4000.0);
    QCOMPARE(onlyN.flopPerSequence(10), 2000.0);

    const Workload exactN = exact(tiny(), DType::F16, {1000.0, {}, {}});
    QCOMPARE(exactN.parameters, 1000.0);
    QCOMPARE(exactN.weightBytes, 904.0);

    const Workload onlyW = exact(tiny(), DType::F16, {{}, 500.0, {}});
    QCOMPARE(onlyW.weightBytes, 500.0);
    QCOMPARE(onlyW.residentWeightBytes, 500.0 + 56); // the gathered embedding is stored as well
    QCOMPARE(onlyW.parameters, 424.0);

    const Workload onlyKv = exact(tiny(), DType::F16, {{}, {}, 72.0});
    QCOMPARE(onlyKv.kvReadBytes(10), 2 * 264.0);
    QCOMPARE(onlyKv.kvWriteBytes(), 72.0);
    QCOMPARE(onlyKv.kvResidentBytes(10), 720.0);
    QCOMPARE(predictStep(onlyKv, Unit, 1, 10).bytes, 904.0 + 528 + 72);
    QCOMPARE(predictPrefill(onlyKv, Unit, 1, 4).bytes, 904.0 + 4 * 72);
}

void TestExactAccounting::headKeepsItsShareOfTypedParameters()
{
    const Workload halved = exact(tiny(), DType::F16, {212.0, {}, {}});
    QCOMPARE(halved.headParameters, 14.0);
    QCOMPARE(predictPrefill(halved, Unit, 1, 1).flop, 424.0 + 24 * 3);
    // Fewer parameters than the head alone has: the body keeps a share above zero.
    const Workload few = exact(tiny(), DType::F16, {10.0, {}, {}});
    QVERIFY(few.headParameters > 0 && few.headParameters < 10);
}

QTEST_APPLESS_MAIN(TestExactAccounting)
#include "test_exact_accounting.moc"
