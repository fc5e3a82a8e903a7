// SPDX-License-Identifier: GPL-3.0-or-later
// What the experiments make of faults and of prompts, with a decoder whose faults the test chooses.
#include "core/torch/calibrate.h"
#include "core/torch/experiments.h"
#include "core/torch/host.h"
#include "tests/torch/experiment_plans.h"

#include <QtTest>

#include <algorithm>
#include <cmath>
#include <new>

using namespace ridgepoint;
using namespace ridgepoint::test;

namespace {

/// Keeps the books of a decoder and computes nothing; `fault` is called before each part of its work.
class BookDecoder : public Decoder {
public:
    using FaultAt = std::function<void(const BookDecoder &, const std::string &part)>;
    BookDecoder(ModelShape shape, FaultAt fault) : m_shape(std::move(shape)), m_fault(std::move(fault)) {}

    const ModelShape &shape() const override { return m_shape; }
    double weightBytes() const override { return 1e5; }
    void allocateCache(std::int64_t batch, std::int64_t maxContext) override
    {
        m_batch = batch;
        m_maxContext = maxContext;
        m_context = 0;
        m_fault(*this, "allocate");
    }
    void releaseCache() override { m_batch = 0; }
    double kvBytes() const override { return static_cast<double>(m_batch * m_maxContext); }
    void prefill(const std::vector<std::int64_t> &prompt, PrefillMode) override
    {
        m_fault(*this, "prefill");
        m_context = static_cast<std::int64_t>(prompt.size());
    }
    void issueStep() override
    {
        m_fault(*this, "step");
        ++m_context;
    }
    void wait() override {}
    std::string attentionPath() const override { return "none"; }
    std::int64_t context() const override { return m_context; }
    void holdContext(std::int64_t context) override { m_context = context; }
    void rewind(std::int64_t context) override { m_context = context; }
    std::vector<std::int64_t> lastTokens() const override { return std::vector<std::int64_t>(std::size_t(m_batch), 7); }
    std::vector<float> lastLogits(std::int64_t) const override { return {}; }

    std::int64_t batch() const { return m_batch; }

private:
    ModelShape m_shape;
    FaultAt m_fault;
    std::int64_t m_batch = 0, m_maxContext = 0, m_context = 0;
};

std::vector<Event> sweepWith(const RunPlan &plan, const DecoderFactory &factory)
{
    std::vector<Event> events;
    const EventSink sink = [&](const Event &event) { events.push_back(event); };
    const auto device = DeviceProbe::open("cpu");
    RunContext context(plan, sink, {}, *device, factory);
    runSweep(context);
    return events;
}

DecoderFactory bookDecoder(BookDecoder::FaultAt fault)
{
    return [fault](const ModelSource &source, DType, const std::string &, DecodeMode, std::uint64_t,
                   const std::function<void(double)> &, std::stop_token) {
        return std::make_unique<BookDecoder>(source.shape, fault);
    };
}

RunPlan tinyLine()
{
    RunPlan plan = tinyPlan(Experiment::Line);
    ModelSource other = plan.model;
    other.shape.id = "tiny-wide";
    other.shape.ffn = 256;
    plan.models = {plan.model, other};
    plan.dtypes = {DType::BF16, DType::F32};
    plan.nominalFlops = {{DType::BF16, 1e12}, {DType::F32, 5e11}};
    plan.prompts = {4};
    plan.newTokens = 6;
    plan.repeats = 3;
    plan.warmup = 1;
    return plan;
}

std::vector<Event> lineWith(const RunPlan &plan, const DecoderFactory &factory)
{
    std::vector<Event> events;
    const EventSink sink = [&](const Event &event) { events.push_back(event); };
    const auto device = DeviceProbe::open("cpu");
    RunContext context(plan, sink, {}, *device, factory);
    runLine(context);
    return events;
}

/// One token a word; id 5 begins a text.
class WordTokenizer final : public Tokenizer {
public:
    std::string kind() const override { return "words"; }
    std::int64_t size() const override { return 300; }
    std::string bytesOf(std::int64_t id) const override { return std::to_string(id) + " "; }
    bool isSpecial(std::int64_t id) const override { return id == 5; }
    std::vector<std::int64_t> encode(std::string_view text) const override
    {
        std::vector<std::int64_t> ids;
        for (const QString &word : QString::fromUtf8(text.data(), qsizetype(text.size())).split(' ', Qt::SkipEmptyParts))
            ids.push_back(word == "beyond" ? 100000 : 10 + word.size());
        return ids;
    }
    std::vector<std::int64_t> promptPrefix() const override { return {5}; }
};

} // namespace

class TestExperimentLogic : public QObject {
    Q_OBJECT
private slots:
    void aFaultyPointIsARow_data();
    void aFaultyPointIsARow();
    void weightsThatDoNotFitMakeEveryPointARow();
    void aModelThatCannotBeBuiltEndsTheRun();
    void aLineHasARowForEveryModelAndDtype();
    void aFaultyLineRowIsARow_data();
    void aFaultyLineRowIsARow();
    void weightsOfALineAreReleasedBeforeTheNext();
    void whatALineCannotRunIsSkipped();
    void aStoppedLineEnds();
    void memoryArithmeticIsTold();
    void usableMemoryIsTheLimitOrWhatIsThere();
    void builtInPromptKeepsToOrdinaryIds_data();
    void builtInPromptKeepsToOrdinaryIds();
    void promptOfATokenizer();
    void overheadShapeKeepsTheOperations();
    void procTextsAreRead();
};

void TestExperimentLogic::aFaultyPointIsARow_data()
{
    QTest::addColumn<QString>("part");
    QTest::addColumn<QString>("thrown");
    QTest::addColumn<int>("status");
    QTest::addColumn<QString>("told");
    const int oom = int(PointStatus::OutOfMemory), failed = int(PointStatus::Failed);
    QTest::newRow("cache out of memory") << "allocate" << "oom" << oom << "No room.";
    QTest::newRow("prefill out of memory") << "prefill" << "oom" << oom << "No room.";
    QTest::newRow("step out of memory") << "step" << "oom" << oom << "No room.";
    QTest::newRow("allocation refused") << "step" << "bad_alloc" << oom << "Memory ran out";
    QTest::newRow("device's own words") << "step" << "text" << oom << "CUDA out of memory";
    QTest::newRow("fault") << "prefill" << "error" << failed << "It broke.";
}

void TestExperimentLogic::aFaultyPointIsARow()
{
    QFETCH(QString, part);
    QFETCH(QString, thrown);
    QFETCH(int, status);
    QFETCH(QString, told);
    RunPlan plan = tinyPlan(Experiment::Sweep);
    plan.prompts = {4};
    plan.batches = {1, 2, 3};
    const auto events = sweepWith(plan, bookDecoder([&](const BookDecoder &decoder, const std::string &where) {
        if (decoder.batch() != 2 || part != QString::fromStdString(where))
            return;
        if (thrown == "oom")
            throw OutOfMemory("No room.");
        if (thrown == "bad_alloc")
            throw std::bad_alloc();
        if (thrown == "text")
            throw std::runtime_error("CUDA out of memory. Tried to allocate 2.00 GiB\nmore lines");
        throw Error(ErrorKind::Failure, "It broke.");
    }));
    const auto points = eventsOf<PointFinished>(events);
    QCOMPARE(points.size(), std::size_t(3));
    QVERIFY(points[0].point.status == PointStatus::Ok);
    QCOMPARE(int(points[1].point.status), status);
    QVERIFY2(QString::fromStdString(points[1].point.reason).contains(told), points[1].point.reason.c_str());
    QVERIFY(points[1].point.reason.find('\n') == std::string::npos);
    QVERIFY(std::isnan(points[1].point.stepSeconds));
    QVERIFY(points[2].point.status == PointStatus::Ok);
    QCOMPARE(points[2].point.steps.size(), std::size_t(4));
}

void TestExperimentLogic::weightsThatDoNotFitMakeEveryPointARow()
{
    const RunPlan plan = tinyPlan(Experiment::Sweep);
    int built = 0;
    const auto events = sweepWith(plan, [&](const ModelSource &, DType, const std::string &, DecodeMode, std::uint64_t,
                                            const std::function<void(double)> &,
                                            std::stop_token) -> std::unique_ptr<Decoder> {
        ++built;
        throw OutOfMemory("The weights need too much.");
    });
    QCOMPARE(built, 1); // not tried again for every point
    const auto points = eventsOf<PointFinished>(events);
    QCOMPARE(points.size(), std::size_t(4));
    for (const PointFinished &finished : points) {
        QVERIFY(finished.point.status == PointStatus::OutOfMemory);
        QCOMPARE(finished.point.reason, std::string("The weights need too much."));
    }
}

void TestExperimentLogic::aModelThatCannotBeBuiltEndsTheRun()
{
    const RunPlan plan = tinyPlan(Experiment::Sweep);
    QVERIFY_EXCEPTION_THROWN(sweepWith(plan,
                                       [](const ModelSource &, DType, const std::string &, DecodeMode, std::uint64_t,
                                          const std::function<void(double)> &,
                                          std::stop_token) -> std::unique_ptr<Decoder> {
                                           throw Error(ErrorKind::Failure, "A tensor is missing.");
                                       }),
                             Error);
}

void TestExperimentLogic::aLineHasARowForEveryModelAndDtype()
{
    const RunPlan plan = tinyLine();
    int steps = 0;
    const auto events = lineWith(plan, bookDecoder([&](const BookDecoder &decoder, const std::string &part) {
        QVERIFY(part != "step" || decoder.batch() == 1);
        steps += part == "step";
    }));
    const auto rows = eventsOf<LineRowFinished>(events);
    QCOMPARE(rows.size(), std::size_t(4));
    QCOMPARE(eventsOf<PointStarted>(events).size(), std::size_t(4));
    QCOMPARE(steps, 4 * (1 + 3) * 5); // one generation untimed, the first of six tokens comes from the prompt
    QCOMPARE(eventsOf<StepTimed>(events).size(), std::size_t(4 * 3 * 5));
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const LineRow &row = rows[i].row;
        QCOMPARE(row.index, int(i));
        QVERIFY2(row.status == PointStatus::Ok, row.reason.c_str());
        QCOMPARE(row.model, plan.models[i / 2].shape.id);
        QCOMPARE(row.dtype, std::string(i % 2 ? "fp32" : "bf16"));
        QCOMPARE(row.family, std::string("llama"));
        QCOMPARE(row.samples.size(), std::size_t(3));
        QCOMPARE(row.steps.size(), std::size_t(5));
        QCOMPARE(row.steps.front().context, std::int64_t(4));
        QCOMPARE(row.steps.back().step, std::int64_t(4));
        QVERIFY(row.tpotMinSeconds <= row.tpotSeconds && row.tpotSeconds <= row.tpotMaxSeconds);
        double sum = 0;
        for (const StepSample &step : row.steps)
            sum += step.wallSeconds;
        QVERIFY(std::any_of(row.samples.begin(), row.samples.end(),
                            [&](double sample) { return std::abs(sample - sum / 5) < 1e-12; }));
        const DType dtype = i % 2 ? DType::F32 : DType::BF16;
        const Workload workload = makeWorkload(plan.models[i / 2].shape, dtype, Accounting::Exact);
        QCOMPARE(row.weightBytes, workload.weightBytes);
        QCOMPARE(row.residentBytes, 1e5); // what the decoder says that it holds
        // The forecast has the row's own shape and rate, and no overhead in its floors.
        QCOMPARE(row.forecast.floorNominal.memorySeconds, row.forecast.floorNominal.bytes / 50e9);
        QCOMPARE(row.forecast.floorNominal.computeSeconds,
                 row.forecast.floorNominal.flop / (i % 2 ? 5e11 : 1e12));
        QVERIFY(row.forecast.floorMeasured && row.forecast.predicted);
        QCOMPARE(row.forecast.predicted->overheadSeconds, 1e-4);
        QCOMPARE(row.forecast.floorNominal.context, 7.0);
    }
    QVERIFY(rows[2].row.weightBytes > rows[0].row.weightBytes);
}

void TestExperimentLogic::aFaultyLineRowIsARow_data()
{
    QTest::addColumn<QString>("part");
    QTest::addColumn<bool>("oom");
    QTest::addColumn<int>("status");
    QTest::newRow("weights out of memory") << "build" << true << int(PointStatus::OutOfMemory);
    QTest::newRow("weights that are missing") << "build" << false << int(PointStatus::Failed);
    QTest::newRow("cache out of memory") << "allocate" << true << int(PointStatus::OutOfMemory);
    QTest::newRow("step fails") << "step" << false << int(PointStatus::Failed);
}

void TestExperimentLogic::aFaultyLineRowIsARow()
{
    QFETCH(QString, part);
    QFETCH(bool, oom);
    QFETCH(int, status);
    int built = 0;
    const auto fault = [&](const std::string &where) {
        if (built == 2 && part == QString::fromStdString(where)) {
            if (oom)
                throw OutOfMemory("No room.");
            throw Error(ErrorKind::Failure, "A tensor is missing.");
        }
    };
    const auto events = lineWith(
        tinyLine(), [&](const ModelSource &source, DType, const std::string &, DecodeMode, std::uint64_t,
                        const std::function<void(double)> &, std::stop_token) -> std::unique_ptr<Decoder> {
            ++built;
            fault("build");
            return std::make_unique<BookDecoder>(
                source.shape, [&](const BookDecoder &, const std::string &where) { fault(where); });
        });
    const auto rows = eventsOf<LineRowFinished>(events);
    QCOMPARE(rows.size(), std::size_t(4));
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const LineRow &row = rows[i].row;
        QCOMPARE(int(row.status), i == 1 ? status : int(PointStatus::Ok));
        if (i != 1)
            continue;
        QCOMPARE(row.reason, std::string(oom ? "No room." : "A tensor is missing."));
        QVERIFY(row.samples.empty() && row.steps.empty() && std::isnan(row.tpotSeconds));
    }
}

void TestExperimentLogic::weightsOfALineAreReleasedBeforeTheNext()
{
    static int alive;
    alive = 0;
    struct Counted : BookDecoder {
        explicit Counted(ModelShape shape) : BookDecoder(std::move(shape), [](const auto &, const auto &) {}) { ++alive; }
        ~Counted() override { --alive; }
    };
    int most = 0;
    lineWith(tinyLine(), [&](const ModelSource &source, DType, const std::string &, DecodeMode, std::uint64_t,
                             const std::function<void(double)> &, std::stop_token) -> std::unique_ptr<Decoder> {
        auto made = std::make_unique<Counted>(source.shape);
        most = std::max(most, alive);
        return made;
    });
    QCOMPARE(most, 1);
    QCOMPARE(alive, 0);
}

void TestExperimentLogic::whatALineCannotRunIsSkipped()
{
    RunPlan plan = tinyLine();
    plan.dtypes = {DType::F16, DType::F32};
    // Between the two models in fp32, caches and workspace counted.
    const auto need = [&](std::size_t model) {
        return memoryNeed(plan.models[model].shape, DType::F32, 1, 10, 4, kMissing).total();
    };
    plan.memoryLimitBytes = (need(0) + need(1)) / 2;
    int built = 0;
    const auto factory = bookDecoder([](const BookDecoder &, const std::string &) {});
    const auto events = lineWith(plan, [&](const ModelSource &source, DType dtype, const std::string &device,
                                           DecodeMode mode, std::uint64_t seed, const std::function<void(double)> &tell,
                                           std::stop_token stop) {
        ++built;
        return factory(source, dtype, device, mode, seed, tell, stop);
    });
    const auto rows = eventsOf<LineRowFinished>(events);
    QCOMPARE(rows.size(), std::size_t(4));
    QCOMPARE(built, 1);
    for (const std::size_t i : {0, 2}) {
        QVERIFY(rows[i].row.status == PointStatus::Skipped);
        QVERIFY2(rows[i].row.reason.find("fp16") != std::string::npos, rows[i].row.reason.c_str());
    }
    QVERIFY(rows[1].row.status == PointStatus::Ok);
    QVERIFY(rows[3].row.status == PointStatus::Skipped);
    QVERIFY2(rows[3].row.reason.find("the memory limit of the run") != std::string::npos, rows[3].row.reason.c_str());
}

void TestExperimentLogic::aStoppedLineEnds()
{
    std::stop_source stop;
    std::vector<Event> events;
    const EventSink sink = [&](const Event &event) {
        events.push_back(event);
        if (std::holds_alternative<LineRowFinished>(event))
            stop.request_stop();
    };
    const auto device = DeviceProbe::open("cpu");
    RunContext context(tinyLine(), sink, stop.get_token(), *device,
                       bookDecoder([](const BookDecoder &, const std::string &) {}));
    try {
        runLine(context);
        QFAIL("it went on");
    } catch (const Error &error) {
        QVERIFY(error.kind() == ErrorKind::Cancelled);
    }
    QCOMPARE(eventsOf<LineRowFinished>(events).size(), std::size_t(1));
}

void TestExperimentLogic::memoryArithmeticIsTold()
{
    ModelShape shape = tinyShape(); // 2 x 2 layers x 2 heads x 16 x 2 bytes
    const MemoryNeed need = memoryNeed(shape, DType::BF16, 128, 2098, 128, 0.27e9);
    QCOMPARE(need.kvPerToken, 256.0);
    QCOMPARE(need.kv, 128.0 * 2098 * 256);
    QCOMPARE(need.weights, 0.27e9);
    QVERIFY(need.workspace >= 128 * 300 * 4.0); // the logits alone
    QCOMPARE(need.total(), need.weights + need.kv + need.workspace);
    const std::string sentence = memorySentence(need, 3.5e8, "what cpu has free");
    for (const char *part : {"weights 270 MB", "KV 128 x 2,098 x 256 B = 68.7 MB", "> 350 MB", "what cpu has free"})
        QVERIFY2(sentence.find(part) != std::string::npos, sentence.c_str());
    // Without a decoder the weights are counted from the shape.
    QCOMPARE(memoryNeed(shape, DType::BF16, 1, 1, 1, kMissing).weights, 2 * countParameters(shape).total);
}

void TestExperimentLogic::usableMemoryIsTheLimitOrWhatIsThere()
{
    const auto device = DeviceProbe::open("cpu");
    RunPlan plan;
    plan.memoryLimitBytes = 1e6;
    QCOMPARE(usableBytes(plan, *device, 0), 1e6);
    plan.memoryLimitBytes = 0;
    QVERIFY(usableBytes(plan, *device, 0) > 0);
    QVERIFY(usableBytes(plan, *device, 1e15) > 1e15); // what the run holds already is free to it as well
    plan.memoryLimitBytes = 1e18; // a limit beyond what is there gives nothing
    QVERIFY(usableBytes(plan, *device, 0) < 1e18);
}

void TestExperimentLogic::builtInPromptKeepsToOrdinaryIds_data()
{
    QTest::addColumn<qlonglong>("vocab");
    QTest::addColumn<qlonglong>("length");
    QTest::newRow("usual") << 32000LL << 2048LL;
    QTest::newRow("small vocabulary") << 4LL << 50LL;
    QTest::newRow("one token") << 300LL << 1LL;
}

void TestExperimentLogic::builtInPromptKeepsToOrdinaryIds()
{
    QFETCH(qlonglong, vocab);
    QFETCH(qlonglong, length);
    ModelShape shape = tinyShape();
    shape.vocab = vocab;
    const auto ids = promptTokens(shape, nullptr, "", length);
    QCOMPARE(ids.size(), std::size_t(length));
    QCOMPARE(ids, promptTokens(shape, nullptr, "", length)); // the same on every run
    QCOMPARE(ids.front(), shape.bosToken);
    for (std::size_t i = 1; i < ids.size(); ++i) {
        QVERIFY(ids[i] >= 0 && ids[i] < vocab);
        QVERIFY(ids[i] != shape.bosToken && ids[i] != shape.eosTokens.front());
    }
}

void TestExperimentLogic::promptOfATokenizer()
{
    const WordTokenizer tokenizer;
    const ModelShape shape = tinyShape();
    using Ids = std::vector<std::int64_t>;
    QCOMPARE(promptTokens(shape, &tokenizer, "a bb ccc", 0), (Ids{5, 11, 12, 13}));
    QCOMPARE(promptTokens(shape, &tokenizer, "a bb ccc", 3), (Ids{5, 11, 12}));
    QCOMPARE(promptTokens(shape, &tokenizer, "a bb ccc", 6), (Ids{5, 11, 12, 13, 11, 12}));
    QCOMPARE(promptTokens(shape, &tokenizer, "", 500).size(), std::size_t(500)); // text of the program's own
    QVERIFY_EXCEPTION_THROWN(promptTokens(shape, &tokenizer, "  ", 0), Error);
    QVERIFY_EXCEPTION_THROWN(promptTokens(shape, &tokenizer, "beyond", 0), Error);
    QVERIFY_EXCEPTION_THROWN(promptTokens(shape, nullptr, "text", 0), Error);
}

void TestExperimentLogic::overheadShapeKeepsTheOperations()
{
    ModelShape shape = tinyShape();
    shape.layers = 30;
    shape.heads = 9;
    shape.kvHeads = 3;
    shape.qkNorm = true;
    shape.qkvBias = true;
    const ModelShape small = overheadShape(shape);
    QCOMPARE(small.layers, std::int64_t(30));
    QCOMPARE(small.heads / small.kvHeads, std::int64_t(3));
    QVERIFY(small.qkNorm && small.qkvBias);
    QVERIFY(countParameters(small).total < 2e6); // in the cache
    QCOMPARE(overheadShape({}).layers, std::int64_t(22));
}

void TestExperimentLogic::procTextsAreRead()
{
    QCOMPARE(host::parseCpuName("processor\t: 0\nmodel name\t: Some CPU @ 2 GHz\n"), std::string("Some CPU @ 2 GHz"));
    QCOMPARE(host::parseCpuName("nothing here\n"), std::string());
    QCOMPARE(host::parseKilobytes("MemTotal:       2 kB\nMemAvailable:   1 kB\n", "MemAvailable").value_or(-1), 1024.0);
    QVERIFY(!host::parseKilobytes("MemTotal: 2 kB\n", "MemAvailable"));
    QVERIFY(!host::parseKilobytes("MemTotal: many kB\n", "MemTotal"));
    QCOMPARE(host::parseCacheSize("32768K\n").value_or(-1), 32.0 * 1024 * 1024);
    QCOMPARE(host::parseCacheSize("32M").value_or(-1), 32.0 * 1024 * 1024);
    QVERIFY(!host::parseCacheSize(""));
    QVERIFY(!host::parseCacheSize("0"));
    QVERIFY(host::freeMemoryBytes() <= host::memoryBytes());
    QVERIFY(host::residentBytes() > 0 && host::residentBytes() <= host::memoryBytes());
    QVERIFY(host::utcNow().size() == 20);
}

QTEST_GUILESS_MAIN(TestExperimentLogic)
#include "experiment_logic.moc"
