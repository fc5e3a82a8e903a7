// SPDX-License-Identifier: GPL-3.0-or-later
#include "shapes.h"
#include "usage_error.h"

#include "core/analytic/model_shape.h"

#include <QtTest>

#include <functional>
#include <limits>
#include <string>

using namespace ridgepoint;

using Change = std::function<void(ModelShape &)>;
Q_DECLARE_METATYPE(ridgepoint::ModelShape)
Q_DECLARE_METATYPE(Change)
Q_DECLARE_METATYPE(ridgepoint::DType)

class TestModelShape : public QObject {
    Q_OBJECT
private slots:
    void totalEqualsPublishedCheckpoint_data();
    void totalEqualsPublishedCheckpoint();
    void streamedLeavesOutTheGatheredEmbedding_data();
    void streamedLeavesOutTheGatheredEmbedding();
    void partsSumToTheTotal_data();
    void partsSumToTheTotal();
    void biasesAreStoredButNotMultiplied_data();
    void biasesAreStoredButNotMultiplied();
    void kvBytesPerTokenOfModel_data();
    void kvBytesPerTokenOfModel();
    void unsoundShapeIsRefused_data();
    void unsoundShapeIsRefused();
    void hugeSizesDoNotOverflow();
    void slidingPattern_data();
    void slidingPattern();
    void layerOutsideTheShapeIsRefused();
    void dtypeNames_data();
    void dtypeNames();
    void familyNames();

private:
    static void addModels();
};

void TestModelShape::totalEqualsPublishedCheckpoint_data()
{
    QTest::addColumn<ModelShape>("shape");
    QTest::addColumn<double>("total");
    QTest::newRow("TinyLlama-1.1B") << shapes::tinyLlama() << 1100048384.0;
    QTest::newRow("Llama-2-7B") << shapes::llama2_7b() << 6738415616.0;
    QTest::newRow("Llama-3.1-8B") << shapes::llama31_8b() << 8030261248.0;
    QTest::newRow("Llama-3.2-1B") << shapes::llama32_1b() << 1235814400.0;
    QTest::newRow("Mistral-7B") << shapes::mistral7b() << 7241732096.0;
    QTest::newRow("Qwen2.5-0.5B") << shapes::qwen25_05b() << 494032768.0;
    QTest::newRow("Qwen2.5-1.5B") << shapes::qwen25_15b() << 1543714304.0;
    QTest::newRow("Qwen2.5-7B") << shapes::qwen25_7b() << 7615616512.0;
    QTest::newRow("Qwen3-0.6B") << shapes::qwen3_06b() << 596049920.0;
    QTest::newRow("Qwen3-1.7B") << shapes::qwen3_17b() << 1720574976.0;
    QTest::newRow("Gemma 3 270M") << shapes::gemma3_270m() << 268098176.0;
    QTest::newRow("Gemma 3 1B") << shapes::gemma3_1b() << 999885952.0;
    QTest::newRow("SmolLM2-135M") << shapes::smolLm2_135m() << 134515008.0;
}

void TestModelShape::totalEqualsPublishedCheckpoint()
{
    QFETCH(ModelShape, shape);
    QFETCH(double, total);
    QCOMPARE(std::to_string(countParameters(shape).total), std::to_string(total));
}

void TestModelShape::streamedLeavesOutTheGatheredEmbedding_data()
{
    QTest::addColumn<ModelShape>("shape");
    QTest::addColumn<double>("streamed");
    QTest::newRow("untied: TinyLlama-1.1B") << shapes::tinyLlama() << 1034512384.0;
    QTest::newRow("untied: Llama-2-7B") << shapes::llama2_7b() << 6607343616.0;
    QTest::newRow("tied: Qwen2.5-0.5B") << shapes::qwen25_05b() << 494032768.0;
    QTest::newRow("tied: SmolLM2-135M") << shapes::smolLm2_135m() << 134515008.0;
}

void TestModelShape::streamedLeavesOutTheGatheredEmbedding()
{
    QFETCH(ModelShape, shape);
    QFETCH(double, streamed);
    QCOMPARE(std::to_string(countParameters(shape).streamed), std::to_string(streamed));
}

void TestModelShape::addModels()
{
    QTest::addColumn<ModelShape>("shape");
    for (const ModelShape &shape :
         {shapes::tinyLlama(), shapes::qwen25_05b(), shapes::qwen25_7b(), shapes::qwen3_06b(), shapes::gemma3_270m()})
        QTest::newRow(shape.id.c_str()) << shape;
}

void TestModelShape::partsSumToTheTotal_data()
{
    addModels();
}

void TestModelShape::partsSumToTheTotal()
{
    QFETCH(ModelShape, shape);
    const ParameterCount count = countParameters(shape);
    QCOMPARE(count.embedding + count.head + count.attention + count.mlp + count.norms, count.total);
    QCOMPARE(count.head, shape.tiedEmbeddings ? 0.0 : count.embedding);
    // What is multiplied is what is streamed less norms and biases.
    const double biases =
        shape.qkvBias ? double(shape.layers) * double((shape.heads + 2 * shape.kvHeads) * shape.headDim) : 0.0;
    QCOMPARE(count.streamed - count.norms - biases, count.multiplied);
}

void TestModelShape::biasesAreStoredButNotMultiplied_data()
{
    QTest::addColumn<Change>("change");
    QTest::addColumn<double>("extra"); // of TinyLlama: 22 layers, hidden 2048, kv width 256, ffn 5632
    QTest::newRow("qkv") << Change([](ModelShape &s) { s.qkvBias = true; }) << 22.0 * (2048 + 2 * 256);
    QTest::newRow("output") << Change([](ModelShape &s) { s.outputBias = true; }) << 22.0 * 2048;
    QTest::newRow("mlp") << Change([](ModelShape &s) { s.mlpBias = true; }) << 22.0 * (2 * 5632 + 2048);
    QTest::newRow("q and k norms") << Change([](ModelShape &s) { s.qkNorm = true; }) << 22.0 * 2 * 64;
    QTest::newRow("four norms") << Change([](ModelShape &s) { s.normsPerLayer = 4; }) << 22.0 * 2 * 2048;
}

void TestModelShape::biasesAreStoredButNotMultiplied()
{
    QFETCH(Change, change);
    QFETCH(double, extra);
    const ParameterCount plain = countParameters(shapes::tinyLlama());
    ModelShape shape = shapes::tinyLlama();
    change(shape);
    const ParameterCount changed = countParameters(shape);
    QCOMPARE(changed.total - plain.total, extra);
    QCOMPARE(changed.streamed - plain.streamed, extra);
    QCOMPARE(changed.multiplied, plain.multiplied);
}

void TestModelShape::kvBytesPerTokenOfModel_data()
{
    QTest::addColumn<ModelShape>("shape");
    QTest::addColumn<DType>("dtype");
    QTest::addColumn<double>("bytes");
    QTest::newRow("TinyLlama fp16") << shapes::tinyLlama() << DType::F16 << 22528.0;
    QTest::newRow("TinyLlama bf16") << shapes::tinyLlama() << DType::BF16 << 22528.0;
    QTest::newRow("TinyLlama fp32") << shapes::tinyLlama() << DType::F32 << 45056.0;
    QTest::newRow("Llama-2-7B fp16") << shapes::llama2_7b() << DType::F16 << 524288.0;
    QTest::newRow("Qwen3-0.6B: head_dim is not hidden / heads") << shapes::qwen3_06b() << DType::BF16 << 114688.0;
    QTest::newRow("Gemma 3 270M") << shapes::gemma3_270m() << DType::BF16 << 18432.0;
}

void TestModelShape::kvBytesPerTokenOfModel()
{
    QFETCH(ModelShape, shape);
    QFETCH(DType, dtype);
    QFETCH(double, bytes);
    QCOMPARE(kvBytesPerToken(shape, dtype), bytes);
}

void TestModelShape::unsoundShapeIsRefused_data()
{
    QTest::addColumn<Change>("change");
    QTest::addColumn<QString>("named");
    const auto row = [](const char *name, Change change, const char *named) {
        QTest::newRow(name) << change << QString(named);
    };
    row(
        "no layers", [](ModelShape &s) { s.layers = 0; }, "layers = 0");
    row(
        "negative hidden", [](ModelShape &s) { s.hidden = -1; }, "hidden size = -1");
    row(
        "no heads", [](ModelShape &s) { s.heads = 0; }, "heads = 0");
    row(
        "no kv heads", [](ModelShape &s) { s.kvHeads = 0; }, "kv heads = 0");
    row(
        "no head_dim", [](ModelShape &s) { s.headDim = 0; }, "head_dim = 0");
    row(
        "no ffn", [](ModelShape &s) { s.ffn = 0; }, "ffn size = 0");
    row(
        "no vocabulary", [](ModelShape &s) { s.vocab = 0; }, "vocabulary = 0");
    row(
        "kv heads that do not divide", [](ModelShape &s) { s.kvHeads = 5; }, "5 kv heads");
    row(
        "negative norms", [](ModelShape &s) { s.normsPerLayer = -1; }, "-1 norms");
    row(
        "negative window", [](ModelShape &s) { s.slidingWindow = -4; }, "-4 tokens");
    row(
        "short pattern",
        [](ModelShape &s) {
            s.slidingLayers = {true, false};
        },
        "2 entries");
}

void TestModelShape::unsoundShapeIsRefused()
{
    QFETCH(Change, change);
    QFETCH(QString, named);
    ModelShape shape = shapes::tinyLlama();
    change(shape);
    const QString sentence = usageErrorOf([&] { (void)countParameters(shape); });
    QVERIFY2(sentence.contains(named) && sentence.contains("tinyllama-1.1b"), qPrintable(sentence));
    QCOMPARE(usageErrorOf([&] { (void)kvBytesPerToken(shape, DType::F16); }), sentence);
}

void TestModelShape::hugeSizesDoNotOverflow()
{
    ModelShape shape = shapes::tinyLlama();
    const std::int64_t huge = std::numeric_limits<std::int64_t>::max();
    shape.hidden = shape.heads = shape.kvHeads = shape.headDim = shape.ffn = shape.vocab = shape.layers = huge;
    const ParameterCount count = countParameters(shape);
    QVERIFY(std::isfinite(count.total) && count.total > 1e54);
    QVERIFY(kvBytesPerToken(shape, DType::F16) > 1e54);
}

void TestModelShape::slidingPattern_data()
{
    QTest::addColumn<std::int64_t>("window");
    QTest::addColumn<QVector<bool>>("pattern");
    QTest::addColumn<QVector<bool>>("sliding");
    QTest::newRow("no window") << std::int64_t(0) << QVector<bool>{} << QVector<bool>{false, false, false};
    QTest::newRow("pattern without a window")
        << std::int64_t(0) << QVector<bool>{true, true, true} << QVector<bool>{false, false, false};
    QTest::newRow("window without a pattern")
        << std::int64_t(512) << QVector<bool>{} << QVector<bool>{true, true, true};
    QTest::newRow("window and pattern") << std::int64_t(512) << QVector<bool>{true, false, true}
                                        << QVector<bool>{true, false, true};
}

void TestModelShape::slidingPattern()
{
    QFETCH(std::int64_t, window);
    QFETCH(QVector<bool>, pattern);
    QFETCH(QVector<bool>, sliding);
    ModelShape shape = shapes::tinyLlama();
    shape.layers = 3;
    shape.slidingWindow = window;
    shape.slidingLayers.assign(pattern.begin(), pattern.end());
    for (int layer = 0; layer < 3; ++layer)
        QCOMPARE(isSlidingLayer(shape, layer), sliding.at(layer));
}

void TestModelShape::layerOutsideTheShapeIsRefused()
{
    const ModelShape shape = shapes::gemma3_270m();
    QVERIFY(usageErrorOf([&] { (void)isSlidingLayer(shape, 18); }).contains("number 18"));
    QVERIFY(usageErrorOf([&] { (void)isSlidingLayer(shape, -1); }).contains("number -1"));
    ModelShape broken = shape;
    broken.slidingLayers.resize(2);
    QVERIFY(usageErrorOf([&] { (void)isSlidingLayer(broken, 5); }).contains("2 entries"));
}

void TestModelShape::dtypeNames_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("name"); // empty: not understood
    QTest::addColumn<double>("bytes");
    QTest::newRow("fp32") << "fp32"
                          << "fp32" << 4.0;
    QTest::newRow("float32") << "float32"
                             << "fp32" << 4.0;
    QTest::newRow("f32") << "f32"
                         << "fp32" << 4.0;
    QTest::newRow("fp16") << "fp16"
                          << "fp16" << 2.0;
    QTest::newRow("float16") << "float16"
                             << "fp16" << 2.0;
    QTest::newRow("half") << "half"
                          << "fp16" << 2.0;
    QTest::newRow("bf16") << "bf16"
                          << "bf16" << 2.0;
    QTest::newRow("bfloat16") << "bfloat16"
                              << "bf16" << 2.0;
    QTest::newRow("upper case") << "BF16"
                                << "bf16" << 2.0;
    QTest::newRow("int8") << "int8"
                          << "" << 0.0;
    QTest::newRow("empty") << ""
                           << "" << 0.0;
    QTest::newRow("trailing") << "fp16 "
                              << "" << 0.0;
}

void TestModelShape::dtypeNames()
{
    QFETCH(QString, text);
    QFETCH(QString, name);
    QFETCH(double, bytes);
    const std::optional<DType> dtype = parseDType(text.toStdString());
    QCOMPARE(dtype.has_value(), !name.isEmpty());
    if (dtype) {
        QCOMPARE(QString::fromUtf8(dtypeName(*dtype).data(), int(dtypeName(*dtype).size())), name);
        QCOMPARE(bytesPerElement(*dtype), bytes);
    }
}

void TestModelShape::familyNames()
{
    QVERIFY(familyName(Family::Llama) == "llama");
    QVERIFY(familyName(Family::Mistral) == "mistral");
    QVERIFY(familyName(Family::Qwen2) == "qwen2");
    QVERIFY(familyName(Family::Qwen3) == "qwen3");
    QVERIFY(familyName(Family::Gemma3) == "gemma3");
}

QTEST_APPLESS_MAIN(TestModelShape)
#include "test_model_shape.moc"
