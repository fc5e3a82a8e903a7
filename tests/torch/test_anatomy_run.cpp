// SPDX-License-Identifier: GPL-3.0-or-later
// A step of the CPU's decoders taken apart, and whole runs of the experiment on it.
#include "core/torch/aten_decoder.h"
#include "core/torch/decoder.h"
#include "core/torch/step_tracer.h"
#include "core/torch/torch_engine.h"
#include "tests/torch/experiment_plans.h"

#include <QtTest>

#include <cmath>
#include <memory>
#include <set>

using namespace ridgepoint;
using namespace ridgepoint::test;

namespace {

constexpr StepPart kOfALayer[] = {StepPart::Norms, StepPart::Qkv,    StepPart::Rope,       StepPart::Attention, StepPart::Output,
                                  StepPart::Norms, StepPart::GateUp, StepPart::Activation, StepPart::Down};

/// What a decoder told.
class Listener : public PartMarks {
public:
    struct Told {
        StepPart part;
        int layer;
        bool operator==(const Told &) const = default;
    };
    void begin(StepPart part, int layer, const char *) override { told.push_back({part, layer}); }
    void end() override { ++ends; }
    std::vector<Told> told;
    int ends = 0;
};

ModelShape shapeOf(const QString &name)
{
    ModelShape shape = tinyShape();
    if (name == "four norms") {
        applyFamily(shape, Family::Gemma3);
        shape.tiedEmbeddings = true;
    }
    return shape;
}

std::unique_ptr<Decoder> decoderOf(const QString &kind, const ModelShape &shape)
{
    if (kind == "libtorch")
        return createAtenDecoder({shape, {}}, DType::F32, "cpu", 1);
    return Decoder::create({shape, {}}, kind == "bf16" ? DType::BF16 : DType::F32, "cpu", DecodeMode::Eager, 1, {}, {});
}

void fill(Decoder &decoder, std::int64_t batch)
{
    decoder.allocateCache(batch, 40);
    decoder.prefill({1, 5, 9, 13}, Decoder::PrefillMode::OnceCopied);
}

StepAnatomy anatomyOf(const RunPlan &plan)
{
    std::vector<Event> events;
    makeTorchEngine()->run(plan, [&](const Event &event) { events.push_back(event); }, {});
    const auto end = eventsOf<RunEnded>(events);
    if (end.size() != 1 || end[0].how != RunEnded::How::Done)
        throw Error(ErrorKind::Failure, end.empty() ? "no end" : end[0].sentence);
    const auto finished = eventsOf<AnatomyFinished>(events);
    if (finished.size() != 1 || eventsOf<RunStarted>(events).size() != 1 || !eventsOf<CalibrationFinished>(events).empty())
        throw Error(ErrorKind::Failure, "not one start and one anatomy without a calibration");
    return finished[0].anatomy;
}

} // namespace

class TestAnatomyRun : public QObject {
    Q_OBJECT
private slots:
    void decodersTellTheirPartsInOrder_data();
    void decodersTellTheirPartsInOrder();
    void marksChangeNoToken();
    void theTracerHoldsTheStepInOrder_data();
    void theTracerHoldsTheStepInOrder();
    void nestedOperationsAreListedOnce();
    void aWholeRun_data();
    void aWholeRun();
    void aStepThatDoesNotFitIsAFailure();
    void aStoppedRunIsCancelled();
};

void TestAnatomyRun::decodersTellTheirPartsInOrder_data()
{
    QTest::addColumn<QString>("kind");
    QTest::addColumn<QString>("shape");
    for (const char *kind : {"fp32", "bf16", "libtorch"})
        for (const char *shape : {"llama", "four norms"})
            QTest::addRow("%s, %s", kind, shape) << QString(kind) << QString(shape);
}

void TestAnatomyRun::decodersTellTheirPartsInOrder()
{
    QFETCH(QString, kind);
    QFETCH(QString, shape);
    const auto decoder = decoderOf(kind, shapeOf(shape));
    fill(*decoder, 2);
    Listener listener;
    decoder->setPartMarks(&listener);
    decoder->step();
    decoder->setPartMarks(nullptr);
    decoder->step();
    QCOMPARE(listener.ends, 1); // the second step told nothing

    // Neighbouring marks of one part count once: a norm after a product and the one before the next are both Norms.
    std::vector<Listener::Told> wanted{{StepPart::Embed, -1}};
    for (int layer = 0; layer < 2; ++layer)
        for (const StepPart part : kOfALayer)
            wanted.push_back({part, layer});
    for (const StepPart part : {StepPart::Norms, StepPart::Head, StepPart::Pick})
        wanted.push_back({part, -1});
    const auto merged = [](const std::vector<Listener::Told> &told) {
        std::vector<StepPart> parts;
        for (const Listener::Told &t : told)
            if (parts.empty() || parts.back() != t.part)
                parts.push_back(t.part);
        return parts;
    };
    QVERIFY(merged(listener.told) == merged(wanted));
    for (const Listener::Told &t : listener.told) {
        const bool outside = t.part == StepPart::Embed || t.part == StepPart::Head || t.part == StepPart::Pick;
        QVERIFY(t.part == StepPart::Norms || outside == (t.layer < 0));
    }
}

void TestAnatomyRun::marksChangeNoToken()
{
    std::vector<std::int64_t> tokens[2];
    for (const bool marked : {false, true}) {
        const auto decoder = decoderOf("bf16", tinyShape());
        fill(*decoder, 2);
        Listener listener;
        decoder->setPartMarks(marked ? &listener : nullptr);
        for (int i = 0; i < 8; ++i) {
            decoder->step();
            tokens[marked].push_back(decoder->lastTokens().front());
        }
    }
    QVERIFY(tokens[0] == tokens[1]);
}

void TestAnatomyRun::theTracerHoldsTheStepInOrder_data()
{
    QTest::addColumn<QString>("kind");
    QTest::newRow("own kernels") << "bf16";
    QTest::newRow("libtorch") << "libtorch";
}

void TestAnatomyRun::theTracerHoldsTheStepInOrder()
{
    QFETCH(QString, kind);
    const auto decoder = decoderOf(kind, tinyShape());
    fill(*decoder, 3);
    const auto tracer = makeCpuTracer();
    tracer->start(true);
    decoder->setPartMarks(tracer->marks());
    decoder->step();
    QVERIFY(!tracer->take().empty());
    decoder->step();
    const std::vector<TracedKernel> kernels = tracer->take();
    QVERIFY(tracer->take().empty());
    tracer->stop();
    decoder->step(); // traced no more
    QVERIFY(tracer->take().empty());
    decoder->setPartMarks(nullptr);

    QVERIFY(kernels.size() >= std::size_t(2 * 9 + 4));
    QCOMPARE(kernels.front().startSeconds, 0.0);
    double reached = 0;
    std::set<StepPart> parts;
    for (const TracedKernel &kernel : kernels) {
        QVERIFY2(kernel.startSeconds >= reached - 1e-12, "operations overlap"); // outermost ones alone
        QVERIFY(kernel.seconds >= 0 && !kernel.name.empty());
        reached = kernel.startSeconds + kernel.seconds;
        parts.insert(kernel.part);
        if (kind == "libtorch")
            QVERIFY2(kernel.name.rfind("aten::", 0) == 0, kernel.name.c_str());
    }
    for (const StepPart part : kOfALayer)
        QVERIFY2(parts.count(part), std::string(stepPartName(part)).c_str());
    for (const StepPart part : {StepPart::Embed, StepPart::Head, StepPart::Pick})
        QVERIFY2(parts.count(part), std::string(stepPartName(part)).c_str());
    if (kind != "libtorch")
        QVERIFY(!parts.count(StepPart::Other));
    QVERIFY(busyUnion(kernels) <= reached + 1e-12);
}

void TestAnatomyRun::nestedOperationsAreListedOnce()
{
    // A linear of libtorch calls transposes and products inside itself; the list holds it alone.
    const auto decoder = decoderOf("libtorch", tinyShape());
    fill(*decoder, 1);
    const auto tracer = makeCpuTracer();
    tracer->start(true);
    decoder->setPartMarks(tracer->marks());
    decoder->step();
    decoder->setPartMarks(nullptr);
    int down = 0;
    for (const TracedKernel &kernel : tracer->take())
        down += kernel.part == StepPart::Down;
    QCOMPARE(down, 2); // one a layer
}

void TestAnatomyRun::aWholeRun_data()
{
    QTest::addColumn<QString>("dtype");
    QTest::addColumn<int>("batch");
    QTest::newRow("bf16, batch 1") << "bf16" << 1;
    QTest::newRow("fp32, batch 9") << "fp32" << 9;
}

void TestAnatomyRun::aWholeRun()
{
    QFETCH(QString, dtype);
    QFETCH(int, batch);
    RunPlan plan = tinyPlan(Experiment::Anatomy);
    plan.measured.reset(); // nothing is calibrated for it
    plan.dtype = *parseDType(dtype.toStdString());
    plan.batches = {batch, 77};
    plan.prompts = {33, 5};
    const StepAnatomy a = anatomyOf(plan);
    QCOMPARE(a.runId, plan.runId);
    QCOMPARE(a.batch, double(batch));
    QCOMPARE(a.context, 33.0);
    QVERIFY(a.untracedSeconds > 0 && a.wallSeconds > 0);
    QVERIFY(a.busySeconds > 0 && a.busySeconds <= a.tracedSeconds * (1 + 1e-9));
    QVERIFY(a.tracedSeconds <= a.wallSeconds);
    QVERIFY(!a.tracer.empty() && !a.note.empty() && !a.partsBy.empty());
    // Every part of the model's work was timed, with the bytes and FLOP of the model.
    std::map<StepPart, PartTiming> timed;
    for (const PartTiming &part : a.parts) {
        QVERIFY(part.seconds >= 0);
        timed[part.part] = part;
    }
    for (const PartWork &work : partWork(plan.model.shape, plan.dtype, batch, 33)) {
        QVERIFY2(timed.count(work.part), std::string(stepPartName(work.part)).c_str());
        QCOMPARE(timed[work.part].bytes, work.bytes);
        QCOMPARE(timed[work.part].flop, work.flop);
    }
    // The marks tile the step: the kernels of the parts leave nothing between them but the tracer's own work.
    double sum = 0;
    for (const PartTiming &part : tracedParts(a)) {
        QVERIFY(part.part != StepPart::Other);
        sum += part.seconds;
    }
    QVERIFY(std::abs(sum - a.busySeconds) <= 1e-9);
    const auto totals = kernelTotals(a);
    for (std::size_t i = 1; i < totals.size(); ++i)
        QVERIFY(totals[i - 1].seconds >= totals[i].seconds);
    int products = 0;
    for (const TracedKernel &kernel : a.kernels)
        products += kernel.name == "matrix product";
    QCOMPARE(products, 2 * 4 + 1);
}

void TestAnatomyRun::aStepThatDoesNotFitIsAFailure()
{
    RunPlan plan = tinyPlan(Experiment::Anatomy);
    plan.memoryLimitBytes = 1000;
    try {
        anatomyOf(plan);
        QFAIL("it ran");
    } catch (const Error &fault) {
        QVERIFY2(QString(fault.what()).contains("limit"), fault.what());
    }
}

void TestAnatomyRun::aStoppedRunIsCancelled()
{
    std::stop_source stop;
    stop.request_stop();
    std::vector<Event> events;
    makeTorchEngine()->run(tinyPlan(Experiment::Anatomy), [&](const Event &event) { events.push_back(event); },
                           stop.get_token());
    QVERIFY(eventsOf<RunEnded>(events).at(0).how == RunEnded::How::Cancelled);
    QVERIFY(eventsOf<AnatomyFinished>(events).empty());
}

QTEST_GUILESS_MAIN(TestAnatomyRun)
#include "test_anatomy_run.moc"
