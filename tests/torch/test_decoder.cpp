// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/torch/aten_decoder.h"
#include "core/torch/decoder.h"
#include "core/torch/threads.h"
#include "reference_decoder.h"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <memory>

using namespace ridgepoint;
using namespace ridgepoint::test;

namespace {

using PrefillMode = Decoder::PrefillMode;

/// Sizes that no vector length divides, so that every remainder of the kernels is taken.
ModelShape llama()
{
    ModelShape shape;
    shape.id = shape.name = "tiny";
    shape.architecture = "LlamaForCausalLM";
    shape.layers = 3;
    shape.hidden = 44;
    shape.heads = 6;
    shape.kvHeads = 2;
    shape.headDim = 10;
    shape.ffn = 53;
    shape.vocab = 77;
    shape.maxPositions = 4096;
    return shape;
}

ModelShape named(const QString &name)
{
    ModelShape shape = llama();
    if (name == "tied") {
        shape.tiedEmbeddings = true;
    } else if (name == "no groups") {
        shape.kvHeads = 6;
    } else if (name == "one kv head") {
        shape.kvHeads = 1;
    } else if (name == "whole vectors") {
        shape.hidden = 128;
        shape.headDim = 64;
        shape.heads = 4;
        shape.ffn = 192;
    } else if (name == "llama3 rope") {
        shape.ropeTheta = 500.0; // low enough that every branch of the rule is taken
        shape.ropeScalingType = "llama3";
        shape.ropeScalingFactor = 8;
        shape.ropeLowFreqFactor = 1;
        shape.ropeHighFreqFactor = 4;
        shape.ropeOriginalMaxPositions = 64;
    } else if (name == "linear rope") {
        shape.ropeScalingType = "linear";
        shape.ropeScalingFactor = 4;
    } else if (name == "biases") {
        shape.qkvBias = shape.outputBias = shape.mlpBias = true;
    } else if (name == "mistral window") {
        shape.architecture = "MistralForCausalLM";
        shape.family = Family::Mistral;
        shape.slidingWindow = 7;
    } else if (name == "qwen2") {
        shape.architecture = "Qwen2ForCausalLM";
        shape.family = Family::Qwen2;
        shape.qkvBias = true;
    } else if (name == "qwen3") {
        shape.architecture = "Qwen3ForCausalLM";
        shape.family = Family::Qwen3;
        shape.qkNorm = true;
    } else if (name.startsWith("gemma3")) {
        shape.architecture = "Gemma3ForCausalLM";
        applyFamily(shape, Family::Gemma3);
        shape.tiedEmbeddings = true;
        shape.queryScalar = 17; // not head_dim, so that one taken for the other shows
        shape.ropeTheta = 1e6;
        shape.slidingWindow = 6;
        shape.slidingLayers = {true, true, false};
        if (name == "gemma3 linear rope") {
            shape.ropeScalingType = "linear";
            shape.ropeScalingFactor = 8;
            shape.ropeTheta = 500;
            shape.ropeLocalTheta = 100;
        }
    }
    return shape;
}

const char *const kNames[] = {"untied",      "tied",   "no groups",      "one kv head", "whole vectors", "llama3 rope",
                              "linear rope", "biases", "mistral window", "qwen2",       "qwen3",         "gemma3",
                              "gemma3 linear rope"};

std::vector<std::int64_t> tokensOf(std::int64_t count, std::int64_t vocab)
{
    std::vector<std::int64_t> tokens;
    for (std::int64_t i = 0; i < count; ++i)
        tokens.push_back((i * 37 + i * i * 5 + 3) % vocab);
    return tokens;
}

/// Largest difference over the largest value.
double relativeError(const std::vector<float> &got, const std::vector<double> &wanted)
{
    double difference = 0, largest = 0;
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        difference = std::max(difference, std::abs(double(got[i]) - wanted[i]));
        largest = std::max(largest, std::abs(wanted[i]));
    }
    return got.size() == wanted.size() && std::isfinite(difference) ? difference / largest : INFINITY;
}
double relativeError(const std::vector<float> &got, const std::vector<float> &wanted)
{
    return relativeError(got, std::vector<double>(wanted.begin(), wanted.end()));
}

class Folder {
public:
    explicit Folder(const TinyModel &model) { writeCheckpoint(model, path()); }
    std::filesystem::path path() const { return m_dir.path().toStdString(); }
    std::unique_ptr<Decoder> open(DType dtype = DType::F32) const
    {
        return Decoder::create({{}, path()}, dtype, "cpu", DecodeMode::Eager, 1, {}, {});
    }

private:
    QTemporaryDir m_dir;
};

/// The sentence of the Error that `body` throws; empty when it throws none.
template <typename Body>
std::string sentenceOf(const Body &body)
{
    try {
        body();
    } catch (const Error &error) {
        return error.what();
    }
    return {};
}

} // namespace

class TestDecoder : public QObject {
    Q_OBJECT

private:
    static void addShapes()
    {
        QTest::addColumn<QString>("name");
        for (const char *name : kNames)
            QTest::newRow(name) << QString(name);
    }

private slots:
    void initTestCase() { setThreads(2); }

    void prefillAndStepsEqualTheDefinition_data() { addShapes(); }
    void prefillAndStepsEqualTheDefinition()
    {
        QFETCH(QString, name);
        const TinyModel model = makeTinyModel(named(name), 7);
        const Folder folder(model);
        const std::vector<std::int64_t> prompt = tokensOf(21, model.shape.vocab);
        const auto decoder = folder.open();
        QVERIFY(decoder->shape().architecture == model.shape.architecture);
        const auto aten = createAtenDecoder({{}, folder.path()}, DType::F32, "cpu", 1);
        for (Decoder *each : {decoder.get(), aten.get()}) {
            std::vector<std::int64_t> tokens = prompt;
            each->allocateCache(2, 40);
            each->prefill(prompt, PrefillMode::EverySequence);
            for (int i = 0;; ++i) {
                const std::vector<double> wanted = referenceLogits(model, tokens);
                QCOMPARE_LT(relativeError(each->lastLogits(0), wanted), 1e-4);
                QCOMPARE_LT(relativeError(each->lastLogits(1), wanted), 1e-4);
                const auto best = std::max_element(wanted.begin(), wanted.end()) - wanted.begin();
                QCOMPARE(each->lastTokens(), std::vector<std::int64_t>(2, best));
                if (i == 6)
                    break;
                tokens.push_back(each->lastTokens().front());
                each->step();
                QCOMPARE(each->context(), std::int64_t(tokens.size()));
            }
        }
    }

    /// Long enough for several blocks of the context, for parts of it joined from two threads, and for a prompt that runs
    /// in several pieces.
    void longContextsEqualLibtorch_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<int>("tokens");
        QTest::newRow("grouped, one piece") << "untied" << 300;
        QTest::newRow("grouped, three pieces") << "untied" << 1300;
        QTest::newRow("one kv head") << "one kv head" << 1100;
        QTest::newRow("whole vectors") << "whole vectors" << 800;
        QTest::newRow("window") << "mistral window" << 700;
        QTest::newRow("windows and whole contexts") << "gemma3" << 700;
    }
    void longContextsEqualLibtorch()
    {
        QFETCH(QString, name);
        QFETCH(int, tokens);
        const TinyModel model = makeTinyModel(named(name), 11);
        const Folder folder(model);
        const std::vector<std::int64_t> prompt = tokensOf(tokens, model.shape.vocab);
        const auto decoder = folder.open();
        const auto aten = createAtenDecoder({{}, folder.path()}, DType::F32, "cpu", 1);
        for (Decoder *each : {decoder.get(), aten.get()}) {
            each->allocateCache(1, tokens + 8);
            each->prefill(prompt, PrefillMode::EverySequence);
        }
        for (int i = 0; i < 8; ++i) {
            QCOMPARE_LT(relativeError(decoder->lastLogits(0), aten->lastLogits(0)), 1e-4);
            QCOMPARE(decoder->lastTokens(), aten->lastTokens());
            if (i == 7)
                break;
            decoder->step();
            aten->step();
        }
    }

    void batchesEqualOneSequence_data()
    {
        QTest::addColumn<int>("batch");
        QTest::addColumn<bool>("bf16");
        for (const int batch : {2, 3, 4, 5, 8, 9, 17, 33, 64}) {
            QTest::addRow("fp32, %d", batch) << batch << false;
            QTest::addRow("bf16, %d", batch) << batch << true;
        }
    }
    void batchesEqualOneSequence()
    {
        QFETCH(int, batch);
        QFETCH(bool, bf16);
        const TinyModel model = makeTinyModel(named("whole vectors"), 3);
        const Folder folder(model);
        const std::vector<std::int64_t> prompt = tokensOf(9, model.shape.vocab);
        const auto one = folder.open(bf16 ? DType::BF16 : DType::F32);
        const auto many = folder.open(bf16 ? DType::BF16 : DType::F32);
        one->allocateCache(1, 20);
        many->allocateCache(batch, 20);
        one->prefill(prompt, PrefillMode::EverySequence);
        many->prefill(prompt, PrefillMode::EverySequence);
        for (int i = 0; i < 5; ++i) {
            // Sums are taken in another order for another batch; bf16 then rounds some activations to the neighbour.
            for (const int sequence : {0, batch / 2, batch - 1})
                QCOMPARE_LT(relativeError(many->lastLogits(sequence), one->lastLogits(0)), bf16 ? 0.05 : 1e-5);
            if (!bf16)
                QCOMPARE(many->lastTokens(), std::vector<std::int64_t>(std::size_t(batch), one->lastTokens().front()));
            if (one->lastTokens().front() != many->lastTokens().front())
                break; // from here on the two continue different texts
            one->step();
            many->step();
        }
    }

    void onceCopiedEqualsEverySequence()
    {
        const TinyModel model = makeTinyModel(named("qwen3"), 5);
        const Folder folder(model);
        const std::vector<std::int64_t> prompt = tokensOf(30, model.shape.vocab);
        const auto every = folder.open(), once = folder.open();
        const auto aten = createAtenDecoder({{}, folder.path()}, DType::F32, "cpu", 1);
        for (Decoder *each : {every.get(), once.get(), aten.get()})
            each->allocateCache(5, 40);
        every->prefill(prompt, PrefillMode::EverySequence);
        once->prefill(prompt, PrefillMode::OnceCopied);
        aten->prefill(prompt, PrefillMode::OnceCopied);
        for (int i = 0; i < 6; ++i) {
            QCOMPARE(once->lastTokens(), every->lastTokens());
            QCOMPARE(aten->lastTokens(), every->lastTokens());
            for (std::int64_t sequence = 0; sequence < 5; ++sequence) {
                QCOMPARE_LT(relativeError(once->lastLogits(sequence), every->lastLogits(sequence)), 1e-5);
                QCOMPARE_LT(relativeError(aten->lastLogits(sequence), every->lastLogits(sequence)), 1e-4);
            }
            every->step();
            once->step();
            aten->step();
        }
    }

    void bf16StaysWithinItsRounding_data() { addShapes(); }
    void bf16StaysWithinItsRounding()
    {
        QFETCH(QString, name);
        const TinyModel model = makeTinyModel(named(name), 7);
        const Folder folder(model);
        const std::vector<std::int64_t> prompt = tokensOf(21, model.shape.vocab);
        const std::vector<double> wanted = referenceLogits(model, prompt);
        const auto decoder = folder.open(DType::BF16);
        const auto aten = createAtenDecoder({{}, folder.path()}, DType::BF16, "cpu", 1);
        for (Decoder *each : {decoder.get(), aten.get()}) {
            each->allocateCache(1, 30);
            each->prefill(prompt, PrefillMode::EverySequence);
        }
        const double ours = relativeError(decoder->lastLogits(0), wanted);
        const double theirs = relativeError(aten->lastLogits(0), wanted);
        // bf16 has 8 bits: 2^-9 for one rounding, some dozen roundings on the way to a logit, amplified by attention that
        // is sharp on purpose here. libtorch, which rounds more often, is the yardstick.
        QVERIFY2(ours < std::max(0.03, 2 * theirs), qPrintable(QString("%1 against %2").arg(ours).arg(theirs)));
        QCOMPARE_LT(ours, 0.15);
        QCOMPARE_GT(ours, 1e-6); // it did run in bf16
    }

    void rewindGivesTheSameContinuation_data()
    {
        QTest::addColumn<bool>("aten");
        QTest::newRow("kernels") << false;
        QTest::newRow("libtorch") << true;
    }
    void rewindGivesTheSameContinuation()
    {
        QFETCH(bool, aten);
        const TinyModel model = makeTinyModel(named("untied"), 13);
        const Folder folder(model);
        const std::vector<std::int64_t> prompt = tokensOf(12, model.shape.vocab);
        const auto decoder = aten ? createAtenDecoder({{}, folder.path()}, DType::F32, "cpu", 1) : folder.open();
        decoder->allocateCache(3, 24);
        decoder->prefill(prompt, PrefillMode::EverySequence);
        std::vector<std::vector<std::int64_t>> tokens{decoder->lastTokens()};
        std::vector<std::vector<float>> logits{decoder->lastLogits(2)};
        for (int i = 0; i < 12; ++i) {
            decoder->step();
            tokens.push_back(decoder->lastTokens());
            logits.push_back(decoder->lastLogits(2));
        }
        QVERIFY(!sentenceOf([&] { decoder->step(); }).empty()); // the cache is full
        for (const std::int64_t back : {5, 0, 12}) {
            decoder->rewind(12 + back);
            QCOMPARE(decoder->context(), 12 + back);
            QCOMPARE(decoder->lastTokens(), tokens[std::size_t(back)]);
            for (std::int64_t i = back; i < 12; ++i) {
                decoder->step();
                QCOMPARE(decoder->lastTokens(), tokens[std::size_t(i + 1)]);
                QCOMPARE(decoder->lastLogits(2), logits[std::size_t(i + 1)]);
            }
            if (back != 12)
                QCOMPARE(decoder->context(), 24);
        }
        // Into the prompt: the next step feeds the prompt's own token, and the last of them gives the first new one.
        decoder->rewind(9);
        for (int i = 9; i < 12; ++i)
            decoder->step();
        // (the tokens that these steps picked are not the prompt's, so only the first is compared)
        decoder->rewind(0);
        decoder->prefill(prompt, PrefillMode::EverySequence);
        QCOMPARE(decoder->lastTokens(), tokens[0]);
        QCOMPARE(decoder->lastLogits(2), logits[0]);
    }

    void storedTypesAreConverted()
    {
        // A shape with random weights: the same in every thread count and run, another seed gives others.
        ModelShape shape = named("untied");
        const auto logitsOf = [&](std::uint64_t seed, int threads) {
            setThreads(threads);
            const auto decoder = Decoder::create({shape, {}}, DType::F32, "cpu", DecodeMode::Eager, seed, {}, {});
            decoder->allocateCache(1, 16);
            decoder->prefill(tokensOf(8, shape.vocab), PrefillMode::EverySequence);
            return decoder->lastLogits(0);
        };
        QCOMPARE(logitsOf(1, 2), logitsOf(1, 2));
        QCOMPARE_LT(relativeError(logitsOf(1, 1), logitsOf(1, 2)), 1e-5);
        QCOMPARE_GT(relativeError(logitsOf(2, 2), logitsOf(1, 2)), 1e-2);
        setThreads(2);
    }

    void bytesAreThoseOfTheShape()
    {
        const ModelShape shape = named("qwen2");
        const auto decoder = Decoder::create({shape, {}}, DType::F32, "cpu", DecodeMode::Eager, 1, {}, {});
        QCOMPARE(decoder->weightBytes(), countParameters(shape).total * 4);
        decoder->allocateCache(3, 50);
        QCOMPARE(decoder->kvBytes(), 3 * 50 * kvBytesPerToken(shape, DType::F32));
        decoder->releaseCache();
        QCOMPARE(decoder->kvBytes(), 0.0);
    }

    void whatCannotBeRunIsRefusedBySentence_data()
    {
        QTest::addColumn<QString>("what");
        QTest::addColumn<QString>("part"); // of the sentence
        QTest::newRow("fp16 on the CPU") << "fp16" << "bf16 or fp32";
        QTest::newRow("three norms a layer") << "norms" << "3 norms a layer";
        QTest::newRow("device") << "device" << "'gpu'";
        QTest::newRow("batch 0") << "batch" << "batch 0";
        QTest::newRow("no cache") << "cache" << "allocateCache";
        QTest::newRow("step first") << "step" << "prefill";
        QTest::newRow("prompt too long") << "long" << "does not fit";
        QTest::newRow("token outside") << "token" << "77";
        QTest::newRow("scaling") << "yarn" << "yarn";
        QTest::newRow("unused tensor") << "extra" << "self_attn.q_proj.bias";
        QTest::newRow("missing tensor") << "missing" << "model.norm.weight";
    }
    void whatCannotBeRunIsRefusedBySentence()
    {
        QFETCH(QString, what);
        QFETCH(QString, part);
        ModelShape shape = named("untied");
        const auto open = [&](DType dtype = DType::F32, const std::string &device = "cpu") {
            return Decoder::create({shape, {}}, dtype, device, DecodeMode::Eager, 1, {}, {});
        };
        const std::string sentence = sentenceOf([&] {
            if (what == "fp16") {
                open(DType::F16);
            } else if (what == "norms") {
                shape.normsPerLayer = 3;
                open();
            } else if (what == "device") {
                open(DType::F32, "gpu");
            } else if (what == "batch") {
                open()->allocateCache(0, 10);
            } else if (what == "cache") {
                open()->prefill({1}, PrefillMode::EverySequence);
            } else if (what == "step") {
                const auto decoder = open();
                decoder->allocateCache(1, 10);
                decoder->step();
            } else if (what == "long" || what == "token") {
                const auto decoder = open();
                decoder->allocateCache(1, 10);
                decoder->prefill(what == "long" ? std::vector<std::int64_t>(11, 1) : std::vector<std::int64_t>{77},
                                 PrefillMode::EverySequence);
            } else if (what == "yarn") {
                shape.ropeScalingType = "yarn";
                open();
            } else {
                TinyModel model = makeTinyModel(shape, 1);
                if (what == "extra") {
                    model.tensors["model.layers.1.self_attn.q_proj.bias"].assign(60, 1.0f);
                    model.sizes["model.layers.1.self_attn.q_proj.bias"] = {60};
                } else {
                    model.tensors.erase("model.norm.weight");
                }
                Folder(model).open();
            }
        });
        QVERIFY2(QString::fromStdString(sentence).contains(part), sentence.c_str());
    }

    void leftoverBuffersArePassedOver()
    {
        TinyModel model = makeTinyModel(named("tied"), 1);
        model.tensors["model.layers.0.self_attn.rotary_emb.inv_freq"].assign(5, 1.0f);
        model.sizes["model.layers.0.self_attn.rotary_emb.inv_freq"] = {5};
        model.tensors["lm_head.weight"] = model.tensors["model.embed_tokens.weight"];
        model.sizes["lm_head.weight"] = model.sizes["model.embed_tokens.weight"];
        const Folder folder(model);
        const auto decoder = folder.open();
        decoder->allocateCache(1, 10);
        const auto prompt = tokensOf(4, model.shape.vocab);
        decoder->prefill(prompt, PrefillMode::EverySequence);
        QCOMPARE_LT(relativeError(decoder->lastLogits(0), referenceLogits(model, prompt)), 1e-4);
    }

    void tooLargeACacheIsOutOfMemoryAndTheDecoderLivesOn()
    {
        const ModelShape shape = named("whole vectors");
        const auto decoder = Decoder::create({shape, {}}, DType::F32, "cpu", DecodeMode::Eager, 1, {}, {});
        bool outOfMemory = false;
        std::string sentence;
        try {
            decoder->allocateCache(65536, 1'000'000);
        } catch (const OutOfMemory &error) {
            outOfMemory = true;
            sentence = error.what();
        }
        QVERIFY(outOfMemory);
        QVERIFY2(sentence.find("smaller batch") != std::string::npos, sentence.c_str());
        decoder->allocateCache(2, 16);
        decoder->prefill(tokensOf(8, shape.vocab), PrefillMode::EverySequence);
        decoder->step();
        QCOMPARE(decoder->context(), 9);
    }

    void cancellingStopsTheBuild()
    {
        std::stop_source stop;
        bool cancelled = false;
        double reached = 0;
        try {
            Decoder::create({named("untied"), {}}, DType::F32, "cpu", DecodeMode::Eager, 1,
                            [&](double fraction) {
                                reached = fraction;
                                stop.request_stop();
                            },
                            stop.get_token());
        } catch (const Error &error) {
            cancelled = error.kind() == ErrorKind::Cancelled;
        }
        QVERIFY(cancelled);
        QVERIFY(reached > 0 && reached < 1);
    }
};

QTEST_GUILESS_MAIN(TestDecoder)
#include "test_decoder.moc"
