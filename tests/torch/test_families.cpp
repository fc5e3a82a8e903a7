// SPDX-License-Identifier: GPL-3.0-or-later
// The decoder against transformers, over the checkpoints of tests/fixtures/families.
#include "core/analytic/decode_model.h"
#include "core/checkpoint/checkpoint.h"
#include "core/torch/aten_decoder.h"
#include "core/torch/threads.h"
#include "family_parity.h"
#include "held_tensors.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

#include <set>

using namespace ridgepoint;
using namespace ridgepoint::test;

namespace {

const std::filesystem::path kRoot = std::filesystem::path(RIDGEPOINT_SOURCE_DIR) / "tests/fixtures/families";

std::unique_ptr<Decoder> open(const std::filesystem::path &folder, DType dtype = DType::F32, bool aten = false)
{
    return aten ? createAtenDecoder({{}, folder}, dtype, "cpu", 1)
                : Decoder::create({{}, folder}, dtype, "cpu", DecodeMode::Eager, 1, {}, {});
}

void addFolders()
{
    QTest::addColumn<QString>("name");
    for (const auto &folder : familyFolders(kRoot))
        QTest::newRow(folder.filename().string().c_str()) << QString::fromStdString(folder.filename().string());
}

/// `path` ("rope_parameters.factor") of an object set to `value`.
QJsonObject with(QJsonObject object, const QStringList &path, const QJsonValue &value)
{
    object[path.front()] = path.size() == 1 ? value : with(object[path.front()].toObject(), path.mid(1), value);
    return object;
}

} // namespace

class TestFamilies : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { setThreads(2); }

    void everyFamilyAndQuirkHasAFixture()
    {
        std::set<std::string> architectures;
        std::set<StoredType> stored;
        bool tied = false, untied = false, sharded = false, window = false, bias = false, llama3 = false, linear = false;
        for (const auto &folder : familyFolders(kRoot)) {
            const auto checkpoint = Checkpoint::open(folder);
            const ModelShape &s = checkpoint->shape();
            architectures.insert(s.architecture);
            stored.insert(checkpoint->tensor("model.norm.weight", {s.hidden}).type);
            (s.tiedEmbeddings ? tied : untied) = true;
            sharded = sharded || std::filesystem::exists(folder / "model.safetensors.index.json");
            window = window || s.slidingWindow > 0;
            bias = bias || (s.qkvBias && s.outputBias && s.mlpBias);
            llama3 = llama3 || s.ropeScalingType == "llama3";
            linear = linear || s.ropeScalingType == "linear";
        }
        QCOMPARE(architectures.size(), std::size_t(5));
        QCOMPARE(stored.size(), std::size_t(3));
        QVERIFY(tied && untied && sharded && window && bias && llama3 && linear);
    }

    void logitsEqualTransformers_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<bool>("bf16");
        QTest::addColumn<bool>("aten");
        QTest::addColumn<int>("batch");
        for (const auto &folder : familyFolders(kRoot)) {
            const std::string name = folder.filename().string();
            for (const bool bf16 : {false, true})
                for (const bool aten : {false, true})
                    for (const int batch : {1, 8})
                        QTest::addRow("%s, %s, %s, batch %d", name.c_str(), bf16 ? "bf16" : "fp32",
                                      aten ? "libtorch" : "kernels", batch)
                            << QString::fromStdString(name) << bf16 << aten << batch;
        }
    }
    void logitsEqualTransformers()
    {
        QFETCH(QString, name);
        QFETCH(bool, bf16);
        QFETCH(bool, aten);
        QFETCH(int, batch);
        const DType dtype = bf16 ? DType::BF16 : DType::F32;
        const FamilyFixture fixture = readFamilyFixture(kRoot / name.toStdString());
        const auto decoder = open(fixture.folder, dtype, aten);
        const Parity parity = parityOf(*decoder, fixture, batch);
        QCOMPARE_LT(parity.error, allowedError(fixture, dtype));
        QCOMPARE(parity.steps, 25);
        if (bf16)
            QCOMPARE_GT(parity.error, 1e-4); // it did run in bf16
        else
            QCOMPARE(parity.equalTokens, parity.steps);
    }

    void theCacheChangesNothing_data() { addFolders(); }
    void theCacheChangesNothing()
    {
        QFETCH(QString, name);
        const FamilyFixture fixture = readFamilyFixture(kRoot / name.toStdString());
        const Parity parity = parityOf(*open(fixture.folder), fixture, 1, true);
        QCOMPARE_LT(parity.error, 1e-4);
        QCOMPARE(parity.equalTokens, parity.steps);
    }

    /// Each field that a fixture stands for moves its logits: a reader that passed it over would not go unseen.
    void everyQuirkShows_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("field");
        QTest::addColumn<QJsonValue>("value");
        const auto row = [](const char *name, const char *field, const QJsonValue &value) {
            QTest::addRow("%s %s", name, field) << QString(name) << QString(field) << value;
        };
        row("llama-untied", "rope_parameters.rope_theta", 100.0);
        row("llama-untied", "rms_norm_eps", 0.1);
        row("llama-tied-llama3", "rope_parameters.factor", 4.0);
        row("llama-tied-llama3", "rope_parameters.low_freq_factor", 2.0);
        row("llama-tied-llama3", "rope_parameters.original_max_position_embeddings", 32);
        row("llama-linear", "rope_scaling.factor", 2.0);
        row("llama-linear", "rope_theta", 10000.0);
        row("mistral-window", "sliding_window", 10);
        row("qwen2-window", "sliding_window", 10);
        row("qwen2-window", "layer_types", QJsonArray{"full_attention", "full_attention", "sliding_attention"});
        row("gemma3-layer-types", "layer_types",
            QJsonArray{"full_attention", "sliding_attention", "sliding_attention", "sliding_attention", "full_attention"});
        row("gemma3-layer-types", "sliding_window", 8);
        row("gemma3-layer-types", "query_pre_attn_scalar", 32);
        row("gemma3-layer-types", "rope_parameters.full_attention.factor", 1.0);
        row("gemma3-layer-types", "rope_parameters.full_attention.rope_theta", 1e4);
        row("gemma3-layer-types", "rope_parameters.sliding_attention.rope_theta", 1e3);
        row("gemma3-pattern", "sliding_window_pattern", 2);
        row("gemma3-pattern", "rope_local_base_freq", 1e3);
        row("gemma3-pattern", "rope_theta", 1e4);
    }
    void everyQuirkShows()
    {
        QFETCH(QString, name);
        QFETCH(QString, field);
        QFETCH(QJsonValue, value);
        QTemporaryDir dir;
        const std::filesystem::path folder = dir.path().toStdString();
        std::filesystem::copy(kRoot / name.toStdString(), folder, std::filesystem::copy_options::recursive);
        QFile file(dir.filePath("config.json"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QJsonObject before = QJsonDocument::fromJson(file.readAll()).object();
        file.close();
        const QJsonObject after = with(before, field.split('.'), value);
        QVERIFY(after != before);
        QVERIFY(file.open(QIODevice::WriteOnly | QIODevice::Truncate));
        file.write(QJsonDocument(after).toJson());
        file.close();
        QCOMPARE_GT(parityOf(*open(folder), readFamilyFixture(folder), 1).error, 1e-3);
    }

    void bytesAndFlopAreThoseOfTheTensors_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<bool>("bf16");
        for (const auto &folder : familyFolders(kRoot))
            for (const bool bf16 : {false, true})
                QTest::addRow("%s, %s", folder.filename().string().c_str(), bf16 ? "bf16" : "fp32")
                    << QString::fromStdString(folder.filename().string()) << bf16;
    }
    void bytesAndFlopAreThoseOfTheTensors()
    {
        QFETCH(QString, name);
        QFETCH(bool, bf16);
        const DType dtype = bf16 ? DType::BF16 : DType::F32;
        const auto checkpoint = Checkpoint::open(kRoot / name.toStdString());
        const ModelShape &s = checkpoint->shape();
        const HeldTensors held = heldTensors(*checkpoint, dtype);
        QVERIFY(held.slicesLieInTheirGroups);
        QCOMPARE(held.claimedBytes, held.bytes);
        QCOMPARE(heldWeightBytes(s, dtype), held.bytes);
        QCOMPARE(countParameters(s).vectors, held.vectorElements);
        QCOMPARE(countParameters(s).multiplied, held.multiplied);
        // Each stored element is held once.
        const StoredType stored = checkpoint->tensor("model.norm.weight", {s.hidden}).type;
        QCOMPARE(countParameters(s).total, checkpoint->totalBytes() / (stored == StoredType::F32 ? 4 : 2));

        // A prediction's W: what a step streams, norms and biases in the run's dtype rather than the fp32 they are held in.
        const Workload workload = makeWorkload(s, dtype, Accounting::Exact);
        const double wider = held.vectorElements * (4 - bytesPerElement(dtype));
        QCOMPARE(workload.weightBytes, held.bytes - held.gatheredBytes - wider);
        QCOMPARE(workload.residentWeightBytes, held.bytes - wider);

        // KV and attention at a context beyond the window.
        const double context = 40;
        double attended = 0;
        for (std::int64_t layer = 0; layer < s.layers; ++layer)
            attended += isSlidingLayer(s, layer) ? std::min<double>(context, double(s.slidingWindow)) : context;
        QCOMPARE(workload.flopPerSequence(context),
                 2 * held.multiplied + 4 * double(s.heads) * double(s.headDim) * attended);
        QCOMPARE(workload.kvReadBytes(context),
                 2 * double(s.kvHeads) * double(s.headDim) * bytesPerElement(dtype) * attended);
        for (const bool aten : {false, true}) {
            const auto decoder = open(checkpoint->folder(), dtype, aten);
            // libtorch adds biases in the run's dtype, and holds them so.
            const double biases = aten ? (countParameters(s).vectors - countParameters(s).norms) : 0;
            QCOMPARE(decoder->weightBytes(), held.bytes - biases * (4 - bytesPerElement(dtype)));
            QCOMPARE(decoder->kvBytes(), 0.0);
            decoder->allocateCache(3, 40);
            QCOMPARE(decoder->kvBytes(), 3 * workload.kvResidentBytes(40));
            decoder->releaseCache();
            QCOMPARE(decoder->kvBytes(), 0.0);
        }
    }
};

QTEST_GUILESS_MAIN(TestFamilies)
#include "test_families.moc"
