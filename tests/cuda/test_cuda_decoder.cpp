// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/torch/decoder.h"
#include "reference_decoder.h"

#include <QScopeGuard>
#include <QTemporaryDir>
#include <QTest>

#include <cuda_runtime_api.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <set>

using namespace ridgepoint;
using namespace ridgepoint::test;

namespace {

using PrefillMode = Decoder::PrefillMode;

ModelShape named(const QString &name)
{
    ModelShape shape;
    shape.id = shape.name = "tiny";
    shape.architecture = "LlamaForCausalLM";
    shape.layers = 3;
    shape.hidden = 64;
    shape.heads = 6;
    shape.kvHeads = 2;
    shape.headDim = 16;
    shape.ffn = 88;
    shape.vocab = 77;
    shape.maxPositions = 4096;
    if (name == "tied") {
        shape.tiedEmbeddings = true;
    } else if (name == "no groups") {
        shape.kvHeads = 6;
    } else if (name == "head of 64") {
        shape.headDim = 64;
    } else if (name == "llama3 rope") {
        shape.ropeTheta = 500.0;
        shape.ropeScalingType = "llama3";
        shape.ropeScalingFactor = 8;
        shape.ropeLowFreqFactor = 1;
        shape.ropeHighFreqFactor = 4;
        shape.ropeOriginalMaxPositions = 64;
    } else if (name == "biases") {
        shape.qkvBias = shape.outputBias = shape.mlpBias = true;
    } else if (name == "mistral window") {
        shape.architecture = "MistralForCausalLM";
        shape.family = Family::Mistral;
        shape.slidingWindow = 7;
    } else if (name == "gemma3") {
        shape.architecture = "Gemma3ForCausalLM";
        shape.tiedEmbeddings = true;
        applyFamily(shape, Family::Gemma3);
        shape.slidingWindow = 7;
        shape.slidingLayers = {true, true, false};
        shape.queryScalar = 24;
    } else if (name == "qwen2") {
        shape.architecture = "Qwen2ForCausalLM";
        shape.family = Family::Qwen2;
        shape.qkvBias = true;
    } else if (name == "qwen3") {
        shape.architecture = "Qwen3ForCausalLM";
        shape.family = Family::Qwen3;
        shape.qkNorm = true;
    }
    return shape;
}
const char *const kNames[] = {"untied", "tied", "no groups", "head of 64", "llama3 rope",
                              "biases", "mistral window", "gemma3", "qwen2", "qwen3"};

std::vector<std::int64_t> tokensOf(std::int64_t count, std::int64_t vocab)
{
    std::vector<std::int64_t> tokens;
    for (std::int64_t i = 0; i < count; ++i)
        tokens.push_back((i * 37 + i * i * 5 + 3) % vocab);
    return tokens;
}

double relativeError(const std::vector<float> &got, const std::vector<double> &wanted)
{
    double difference = 0, largest = 0;
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        difference = std::max(difference, std::abs(double(got[i]) - wanted[i]));
        largest = std::max(largest, std::abs(wanted[i]));
    }
    return got.size() == wanted.size() && std::isfinite(difference) ? difference / largest : INFINITY;
}

bool fastBf16()
{
    int major = 0;
    cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0);
    return major >= 8;
}

int computeCapability()
{
    int major = 0, minor = 0;
    cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0);
    cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, 0);
    return major * 10 + minor;
}

class Folder {
public:
    explicit Folder(const TinyModel &model) { writeCheckpoint(model, m_dir.path().toStdString()); }
    std::unique_ptr<Decoder> open(DType dtype, DecodeMode mode, const std::string &device = "cuda:0") const
    {
        return Decoder::create({{}, m_dir.path().toStdString()}, dtype, device, mode, 1, {}, {});
    }

private:
    QTemporaryDir m_dir;
};

} // namespace

class TestCudaDecoder : public QObject {
    Q_OBJECT

private slots:
    void initTestCase()
    {
        int count = 0;
        if (cudaGetDeviceCount(&count) != cudaSuccess || count == 0)
            QSKIP("No GPU here: the decoder cannot be run on one.");
    }

    /// Every dtype is held against the double-precision reference; the half-precision ones within what rounding their
    /// weights and activations costs.
    void logitsAreThoseOfTheReference_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<int>("type");
        QTest::addColumn<int>("how");
        QTest::addColumn<QByteArray>("products");
        for (const char *name : kNames)
            for (const DType dtype : {DType::F32, DType::F16, DType::BF16}) {
                for (const DecodeMode mode : {DecodeMode::Eager, DecodeMode::Graph})
                    QTest::addRow("%s, %s, %s", name, std::string(dtypeName(dtype)).c_str(),
                                  std::string(modeName(mode)).c_str())
                        << name << int(dtype) << int(mode) << QByteArray();
                for (const char *products : {"libtorch", "own", "own with norm", "warpgroups", "one kernel"})
                    QTest::addRow("%s, %s, fused, products: %s", name, std::string(dtypeName(dtype)).c_str(), products)
                        << name << int(dtype) << int(DecodeMode::Fused) << QByteArray(products);
            }
    }
    void logitsAreThoseOfTheReference()
    {
        QFETCH(QString, name);
        QFETCH(int, type);
        QFETCH(int, how);
        QFETCH(QByteArray, products);
        const DType dtype = DType(type);
        qputenv("RIDGEPOINT_FUSED_PRODUCTS", products);
        const auto restore = qScopeGuard([] { qunsetenv("RIDGEPOINT_FUSED_PRODUCTS"); });
        if (dtype == DType::BF16 && !fastBf16())
            QSKIP("This card has no fast bf16.");
        const TinyModel model = makeTinyModel(named(name), 3);
        const Folder folder(model);
        const auto decoder = folder.open(dtype, DecodeMode(how));
        const double tolerance = dtype == DType::F32 ? 1e-4 : dtype == DType::F16 ? 0.02 : 0.15;
        constexpr std::int64_t steps = 12;
        const bool oneKernel = products == "one kernel";
        const std::int64_t batch = oneKernel ? 1 : 3;
        std::vector<std::int64_t> text = tokensOf(21, model.shape.vocab);
        for (const auto fill : {PrefillMode::EverySequence, PrefillMode::OnceCopied}) {
            decoder->allocateCache(batch, std::int64_t(text.size()) + steps);
            decoder->prefill(text, fill);
            std::vector<std::int64_t> sofar = text;
            for (std::int64_t step = 0; step <= steps; ++step) {
                const std::vector<double> wanted = referenceLogits(model, sofar);
                for (std::int64_t b = 0; b < batch; ++b) {
                    const std::vector<float> got = decoder->lastLogits(b);
                    const double error = relativeError(got, wanted);
                    QVERIFY2(error < tolerance, qPrintable(QString("step %1: %2").arg(step).arg(error)));
                    // The token is the greatest of the decoder's own logits.
                    QCOMPARE(decoder->lastTokens()[std::size_t(b)],
                             std::int64_t(std::max_element(got.begin(), got.end()) - got.begin()));
                }
                sofar.push_back(decoder->lastTokens().front());
                if (step < steps)
                    decoder->step();
            }
        }
        // Where the mode fell back, it was for a reason that this test knows, and it says so.
        if (oneKernel && dtype != DType::F32 && name != "gemma3" && computeCapability() >= 90)
            QVERIFY2(decoder->attentionPath().starts_with("products: one kernel"), decoder->attentionPath().c_str());
    }

    void oneKernelIsRightAtEveryContext_data()
    {
        QTest::addColumn<int>("type");
        QTest::addColumn<int>("headDim");
        QTest::addColumn<int>("prompt");
        for (const DType dtype : {DType::F16, DType::BF16})
            for (const int headDim : {32, 64, 128})
                for (const int prompt : {1, 63, 64, 300, 511, 512, 700, 1500, 2040})
                    QTest::addRow("%s, head of %d, prompt %d", std::string(dtypeName(dtype)).c_str(), headDim, prompt)
                        << int(dtype) << headDim << prompt;
    }
    void oneKernelIsRightAtEveryContext()
    {
        QFETCH(int, type);
        QFETCH(int, headDim);
        QFETCH(int, prompt);
        if (computeCapability() < 90)
            QSKIP("One kernel for a step needs compute capability 9.0.");
        ModelShape shape = named("qwen3");
        shape.headDim = headDim;
        shape.hidden = 256;
        shape.ffn = 520; // not a whole number of slices
        shape.vocab = 1002;
        shape.maxPositions = 4096;
        const Folder folder(makeTinyModel(shape, 4));
        qputenv("RIDGEPOINT_FUSED_PRODUCTS", "one kernel");
        const auto restore = qScopeGuard([] { qunsetenv("RIDGEPOINT_FUSED_PRODUCTS"); });
        const auto exact = folder.open(DType::F32, DecodeMode::Eager), plain = folder.open(DType(type), DecodeMode::Graph),
                   fused = folder.open(DType(type), DecodeMode::Fused);
        constexpr int steps = 6;
        for (Decoder *decoder : {exact.get(), plain.get(), fused.get()}) {
            decoder->allocateCache(1, prompt + steps);
            decoder->prefill(tokensOf(prompt, shape.vocab), PrefillMode::EverySequence);
        }
        // Squares over all logits of all steps: the greatest of a step is a matter of luck.
        double usual = 0, own = 0, whole = 0;
        const auto squares = [](const std::vector<float> &got, const std::vector<float> &wanted) {
            double sum = 0;
            for (std::size_t i = 0; i < wanted.size(); ++i)
                sum += (double(got[i]) - wanted[i]) * (double(got[i]) - wanted[i]);
            return sum;
        };
        for (int step = 0; step < steps; ++step) {
            for (Decoder *decoder : {exact.get(), plain.get(), fused.get()})
                decoder->step();
            const std::vector<float> logits = exact->lastLogits(0);
            usual += squares(plain->lastLogits(0), logits);
            own += squares(fused->lastLogits(0), logits);
            whole += squares(logits, std::vector<float>(logits.size(), 0.0f));
            if (exact->lastTokens() != plain->lastTokens() || exact->lastTokens() != fused->lastTokens())
                break; // a near-tie: from here on they speak of different texts
        }
        const double least = type == int(DType::F16) ? 1e-4 : 8e-4;
        QVERIFY2(std::sqrt(own / whole) < 1.5 * std::max(std::sqrt(usual / whole), least),
                 qPrintable(QString("%1, libtorch's %2").arg(std::sqrt(own / whole)).arg(std::sqrt(usual / whole))));
        QVERIFY2(fused->attentionPath().starts_with("products: one kernel"), fused->attentionPath().c_str());
    }

    /// Whatever kind of step a batch gets, and each of those for batches above one: no farther from full precision than 1.5 times what
    /// mode graph is, whose products are libtorch's.
    void fusedIsRightAtEveryBatchAndContext_data()
    {
        QTest::addColumn<int>("type");
        QTest::addColumn<int>("batch");
        QTest::addColumn<int>("prompt");
        QTest::addColumn<QByteArray>("products");
        for (const DType dtype : {DType::F16, DType::BF16})
            for (const int batch : {1, 3, 8, 16, 37, 128})
                for (const int prompt : {1, 63, 300, 2040})
                    for (const char *products : {"", "warpgroups early streamed"}) {
                        if (*products && (dtype != DType::F16 || batch % 8 == 5 || prompt == 63)) // some of each: choosing a plan takes its time
                            continue;
                        QTest::addRow("%s, batch %d, prompt %d%s%s", std::string(dtypeName(dtype)).c_str(), batch, prompt, *products ? ", " : "", products)
                            << int(dtype) << batch << prompt << QByteArray(products);
                    }
    }
    void fusedIsRightAtEveryBatchAndContext()
    {
        QFETCH(int, type);
        QFETCH(int, batch);
        QFETCH(int, prompt);
        QFETCH(QByteArray, products);
        if (computeCapability() < 80)
            QSKIP("Own products of both dtypes need compute capability 8.0.");
        ModelShape shape = named("qwen3");
        shape.headDim = 64;
        shape.hidden = 256;
        shape.ffn = 520; // not a whole number of boxes
        shape.vocab = 1002;
        shape.maxPositions = 4096;
        const Folder folder(makeTinyModel(shape, 4));
        qputenv("RIDGEPOINT_FUSED_PRODUCTS", products);
        const auto restore = qScopeGuard([] { qunsetenv("RIDGEPOINT_FUSED_PRODUCTS"); });
        const auto exact = folder.open(DType::F32, DecodeMode::Eager), plain = folder.open(DType(type), DecodeMode::Graph),
                   fused = folder.open(DType(type), DecodeMode::Fused);
        constexpr int steps = 4;
        for (Decoder *decoder : {exact.get(), plain.get(), fused.get()}) {
            decoder->allocateCache(batch, prompt + steps);
            decoder->prefill(tokensOf(prompt, shape.vocab), PrefillMode::OnceCopied);
        }
        double usual = 0, own = 0, whole = 0;
        for (int step = 0; step < steps; ++step) {
            for (Decoder *decoder : {exact.get(), plain.get(), fused.get()})
                decoder->step();
            for (const int sequence : std::set<int>{0, batch / 2, batch - 1}) {
                const std::vector<float> logits = exact->lastLogits(sequence), usually = plain->lastLogits(sequence), owns = fused->lastLogits(sequence);
                for (std::size_t i = 0; i < logits.size(); ++i) {
                    usual += (double(usually[i]) - logits[i]) * (double(usually[i]) - logits[i]);
                    own += (double(owns[i]) - logits[i]) * (double(owns[i]) - logits[i]);
                    whole += double(logits[i]) * logits[i];
                }
            }
            if (exact->lastTokens() != plain->lastTokens() || exact->lastTokens() != fused->lastTokens())
                break; // a near-tie: from here on they speak of different texts
        }
        const double least = type == int(DType::F16) ? 1e-4 : 8e-4;
        QVERIFY2(std::isfinite(own) && std::sqrt(own / whole) < 1.5 * std::max(std::sqrt(usual / whole), least),
                 qPrintable(QString("%1, mode graph %2").arg(std::sqrt(own / whole)).arg(std::sqrt(usual / whole))));
        if (!products.isEmpty() && computeCapability() == 90)
            QVERIFY2(fused->attentionPath().starts_with("products: warpgroups"), fused->attentionPath().c_str());
    }

    void tenThousandStepsNeitherHangNorDrift_data()
    {
        QTest::addColumn<QByteArray>("products");
        QTest::addColumn<int>("batch");
        QTest::newRow("one kernel") << QByteArray("one kernel") << 1;
        QTest::newRow("warpgroups") << QByteArray("warpgroups early streamed") << 37;
    }
    void tenThousandStepsNeitherHangNorDrift()
    {
        QFETCH(QByteArray, products);
        QFETCH(int, batch);
        if (computeCapability() < 90)
            QSKIP("These kinds of step need compute capability 9.0.");
        const Folder folder(makeTinyModel(named("head of 64"), 4));
        qputenv("RIDGEPOINT_FUSED_PRODUCTS", products);
        const auto restore = qScopeGuard([] { qunsetenv("RIDGEPOINT_FUSED_PRODUCTS"); });
        const auto decoder = folder.open(DType::F16, DecodeMode::Fused);
        constexpr int prompt = 20, steps = 100, rounds = 100;
        decoder->allocateCache(batch, prompt + steps);
        decoder->prefill(tokensOf(prompt, decoder->shape().vocab), PrefillMode::EverySequence);
        std::vector<float> first;
        std::vector<std::int64_t> token;
        for (int round = 0; round < rounds; ++round) {
            decoder->rewind(prompt);
            for (int step = 0; step < steps; ++step)
                decoder->issueStep();
            decoder->wait();
            if (round == 0) {
                first = decoder->lastLogits(batch - 1);
                token = decoder->lastTokens();
            }
            QVERIFY(decoder->lastLogits(batch - 1) == first); // bit for bit: sums have a fixed order
            QVERIFY(decoder->lastTokens() == token);
        }
    }

    void bothModesGiveTheSameTokens_data()
    {
        QTest::addColumn<int>("type");
        QTest::addColumn<int>("batch");
        QTest::addColumn<int>("prompt");
        for (const DType dtype : {DType::F32, DType::F16, DType::BF16})
            for (const int batch : {1, 5})
                for (const int prompt : {1, 40, 700})
                    QTest::addRow("%s, batch %d, prompt %d", std::string(dtypeName(dtype)).c_str(), batch, prompt)
                        << int(dtype) << batch << prompt;
    }
    void bothModesGiveTheSameTokens()
    {
        QFETCH(int, type);
        QFETCH(int, batch);
        QFETCH(int, prompt);
        if (DType(type) == DType::BF16 && !fastBf16())
            QSKIP("This card has no fast bf16.");
        ModelShape shape = named("head of 64");
        shape.hidden = 256;
        shape.ffn = 512;
        shape.vocab = 1000;
        const Folder folder(makeTinyModel(shape, 4));
        std::vector<std::vector<std::int64_t>> all;
        for (const DecodeMode mode : {DecodeMode::Eager, DecodeMode::Graph}) {
            const auto decoder = folder.open(DType(type), mode);
            decoder->allocateCache(batch, prompt + 64);
            decoder->prefill(tokensOf(prompt, shape.vocab), PrefillMode::EverySequence);
            std::vector<std::int64_t> tokens;
            for (int step = 0; step < 64; ++step) {
                decoder->step();
                QCOMPARE(decoder->context(), prompt + step + 1);
                const auto row = decoder->lastTokens();
                tokens.insert(tokens.end(), row.begin(), row.end());
            }
            QCOMPARE(decoder->graphNodes() > 0, mode == DecodeMode::Graph);
            // Again over the same positions, this time without a wait between the steps.
            const auto last = decoder->lastTokens();
            decoder->rewind(prompt);
            for (int step = 0; step < 64; ++step)
                decoder->issueStep();
            decoder->wait();
            QVERIFY(decoder->lastTokens() == last);
            all.push_back(tokens);
        }
        QVERIFY(all[0] == all[1]);
    }

    void theCpuGivesTheSameTokensInFullPrecision()
    {
        ModelShape shape = named("head of 64");
        const Folder folder(makeTinyModel(shape, 5));
        std::vector<std::vector<std::int64_t>> all;
        for (const char *device : {"cpu", "cuda:0"}) {
            const auto decoder = folder.open(DType::F32, DecodeMode::Eager, device);
            decoder->allocateCache(2, 300);
            decoder->prefill(tokensOf(200, shape.vocab), PrefillMode::EverySequence);
            std::vector<std::int64_t> tokens;
            for (int step = 0; step < 64; ++step) {
                decoder->step();
                tokens.push_back(decoder->lastTokens().back());
            }
            all.push_back(tokens);
        }
        QVERIFY(all[0] == all[1]);
    }

    void aPromptInSeveralPiecesIsTheSame()
    {
        // Longer than one pass over a prompt holds.
        ModelShape shape = named("untied");
        shape.maxPositions = 20000;
        const Folder folder(makeTinyModel(shape, 6));
        const auto prompt = tokensOf(9000, shape.vocab);
        std::vector<std::vector<float>> logits;
        for (const char *device : {"cpu", "cuda:0"}) {
            const auto decoder = folder.open(DType::F32, DecodeMode::Eager, device);
            decoder->allocateCache(1, 9001);
            decoder->prefill(prompt, PrefillMode::EverySequence);
            logits.push_back(decoder->lastLogits(0));
        }
        QVERIFY(relativeError(logits[1], std::vector<double>(logits[0].begin(), logits[0].end())) < 1e-3);
    }

    void tooLargeACacheIsOutOfMemoryAndTheDecoderLivesOn()
    {
        const ModelShape shape = named("head of 64");
        const auto decoder = Decoder::create({shape, {}}, DType::F16, "cuda:0", DecodeMode::Graph, 1, {}, {});
        bool outOfMemory = false;
        try {
            decoder->allocateCache(60000, 100'000);
        } catch (const OutOfMemory &) {
            outOfMemory = true;
        }
        QVERIFY(outOfMemory);
        decoder->allocateCache(2, 16);
        decoder->prefill(tokensOf(4, shape.vocab), PrefillMode::OnceCopied);
        decoder->step();
        decoder->step();
        QCOMPARE(decoder->lastTokens().size(), std::size_t(2));
    }
};

QTEST_GUILESS_MAIN(TestCudaDecoder)
#include "test_cuda_decoder.moc"
