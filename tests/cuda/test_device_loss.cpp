// SPDX-License-Identifier: GPL-3.0-or-later
// A fault that the device does not survive, in the middle of a sweep. In a program of its own: afterwards this process has no
// GPU any more.
#include "core/cuda/decode_kernels.h"
#include "core/torch/experiments.h"
#include "core/torch/torch_engine.h"

#include <QTest>

#include <cuda_runtime_api.h>

using namespace ridgepoint;

namespace {

ModelShape tiny()
{
    ModelShape shape;
    shape.id = shape.name = "tiny";
    shape.architecture = "LlamaForCausalLM";
    shape.layers = 2;
    shape.hidden = 64;
    shape.heads = 4;
    shape.kvHeads = 2;
    shape.headDim = 16;
    shape.ffn = 64;
    shape.vocab = 64;
    shape.maxPositions = 4096;
    return shape;
}

RunPlan planFor(const std::string &device)
{
    RunPlan plan;
    plan.runId = newId();
    plan.device = device;
    plan.model.shape = tiny();
    plan.dtype = DType::F32;
    plan.prompts = {8};
    plan.batches = {1, 2, 3};
    plan.warmup = 1;
    plan.steps = 4;
    plan.measured = MeasuredCeilings{};
    return plan;
}

/// A real decoder whose third cache meets an address that is not there.
class FaultyDecoder final : public Decoder {
public:
    explicit FaultyDecoder(std::unique_ptr<Decoder> real) : m_real(std::move(real)) {}
    const ModelShape &shape() const override { return m_real->shape(); }
    double weightBytes() const override { return m_real->weightBytes(); }
    void allocateCache(std::int64_t batch, std::int64_t maxContext) override
    {
        m_batch = batch;
        m_real->allocateCache(batch, maxContext);
    }
    void releaseCache() override { m_real->releaseCache(); }
    double kvBytes() const override { return m_real->kvBytes(); }
    void prefill(const std::vector<std::int64_t> &prompt, PrefillMode mode) override { m_real->prefill(prompt, mode); }
    void issueStep() override
    {
        if (m_batch == 2) {
            cuda::EmbedArgs args{};
            args.batch = args.hidden = 8;
            cuda::embed(DType::F32, args, nullptr); // null pointers all over
        }
        m_real->issueStep();
    }
    void wait() override { m_real->wait(); }
    std::string attentionPath() const override { return m_real->attentionPath(); }
    std::int64_t context() const override { return m_real->context(); }
    void holdContext(std::int64_t context) override { m_real->holdContext(context); }
    void rewind(std::int64_t context) override { m_real->rewind(context); }
    std::vector<std::int64_t> lastTokens() const override { return m_real->lastTokens(); }
    std::vector<float> lastLogits(std::int64_t sequence) const override { return m_real->lastLogits(sequence); }

private:
    std::unique_ptr<Decoder> m_real;
    std::int64_t m_batch = 0;
};

} // namespace

class TestDeviceLoss : public QObject {
    Q_OBJECT

private slots:
    void initTestCase()
    {
        int count = 0;
        if (cudaGetDeviceCount(&count) != cudaSuccess || count == 0)
            QSKIP("No GPU here that could be lost.");
    }

    void finishedPointsAreKeptAndTheCpuGoesOn()
    {
        std::vector<SweepPoint> points;
        bool lost = false;
        std::string sentence;
        {
            const RunPlan plan = planFor("cuda:0");
            const EventSink sink = [&](const Event &event) {
                if (const auto *finished = std::get_if<PointFinished>(&event))
                    points.push_back(finished->point);
            };
            const auto device = DeviceProbe::open("cuda:0");
            RunContext context(plan, sink, {}, *device,
                               [](const ModelSource &source, DType dtype, const std::string &where, DecodeMode mode,
                                  std::uint64_t seed, const std::function<void(double)> &progress, std::stop_token stop) {
                                   return std::make_unique<FaultyDecoder>(
                                       Decoder::create(source, dtype, where, mode, seed, progress, stop));
                               });
            try {
                runSweep(context);
            } catch (...) {
                const Fault fault = currentFault();
                lost = fault.deviceLost;
                sentence = fault.sentence;
            }
        }
        QVERIFY(lost);
        QVERIFY2(QString::fromStdString(sentence).contains("tart the program again"), sentence.c_str());
        QCOMPARE(points.size(), std::size_t(2));
        QCOMPARE(points[0].status, PointStatus::Ok);
        QCOMPARE(points[0].steps.size(), std::size_t(4));
        QCOMPARE(points[1].status, PointStatus::Failed);
        QVERIFY(!points[1].reason.empty());

        // The same process measures on the CPU; the lost GPU is refused with a sentence.
        const auto engine = makeTorchEngine();
        std::vector<RunEnded> ends;
        int done = 0;
        const EventSink count = [&](const Event &event) {
            if (const auto *ended = std::get_if<RunEnded>(&event))
                ends.push_back(*ended);
            if (const auto *finished = std::get_if<PointFinished>(&event))
                done += finished->point.status == PointStatus::Ok;
        };
        engine->run(planFor("cpu"), count, {});
        engine->run(planFor("cuda:0"), count, {});
        QCOMPARE(ends.size(), std::size_t(2));
        QVERIFY2(ends[0].how == RunEnded::How::Done, ends[0].sentence.c_str());
        QCOMPARE(done, 3);
        QVERIFY(ends[1].how == RunEnded::How::Failed);
        QVERIFY(!ends[1].sentence.empty());
    }
};

QTEST_GUILESS_MAIN(TestDeviceLoss)
#include "test_device_loss.moc"
