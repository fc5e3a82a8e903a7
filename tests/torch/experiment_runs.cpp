// SPDX-License-Identifier: GPL-3.0-or-later
// Whole runs of the engine on the CPU, on a model small enough for a test.
#include "core/torch/torch_engine.h"
#include "tests/torch/experiment_plans.h"

#include <QtTest>

#include <cmath>
#include <functional>

using namespace ridgepoint;
using namespace ridgepoint::test;

namespace {

std::vector<Event> runPlan(const RunPlan &plan, std::stop_token stop = {})
{
    std::vector<Event> events;
    makeTorchEngine()->run(plan, [&](const Event &event) { events.push_back(event); }, stop);
    return events;
}

} // namespace

class TestExperiments : public QObject {
    Q_OBJECT
private slots:
    void everyEventCarriesTheRunAndTheEndIsLast_data();
    void everyEventCarriesTheRunAndTheEndIsLast();
    void sweepTellsEachPointInOrder();
    void sweepForecastIsFixedBeforeThePoint();
    void sweepRecordsWhatDoesNotFitAndGoesOn();
    void sweepGoesOnAfterOutOfMemory();
    void sweepCalibratesWhereNothingIsMeasured();
    void ttftTimesEachMethod_data();
    void ttftTimesEachMethod();
    void ttftThatDoesNotFitFailsWithTheArithmetic();
    void sameSeedGivesTheSameTokens();
    void calibrationGivesPositiveFigures();
    void stopsWithinOneStep_data();
    void stopsWithinOneStep();
    void aFaultOfTheReceiverEndsTheRun();
    void hostilePlansEndInASentence_data();
    void hostilePlansEndInASentence();
};

void TestExperiments::everyEventCarriesTheRunAndTheEndIsLast_data()
{
    QTest::addColumn<int>("experiment");
    QTest::newRow("sweep") << int(Experiment::Sweep);
    QTest::newRow("ttft") << int(Experiment::Ttft);
}

void TestExperiments::everyEventCarriesTheRunAndTheEndIsLast()
{
    QFETCH(int, experiment);
    const RunPlan plan = tinyPlan(Experiment(experiment));
    const auto events = runPlan(plan);
    for (const Event &event : events)
        QCOMPARE(runIdOf(event), plan.runId);
    const auto ends = eventsOf<RunEnded>(events);
    QCOMPARE(ends.size(), std::size_t(1));
    QVERIFY2(ends[0].how == RunEnded::How::Done, ends[0].sentence.c_str());
    QVERIFY(std::holds_alternative<RunEnded>(events.back()));
    const auto starts = eventsOf<RunStarted>(events);
    QCOMPARE(starts.size(), std::size_t(1));
    // Calibration comes first and tells how far it is; nothing else precedes the plan as it is run.
    for (const Event &event : events) {
        if (std::holds_alternative<RunStarted>(event))
            break;
        QVERIFY(std::holds_alternative<Progress>(event));
    }
    QVERIFY(starts[0].plan.threads >= 1);
    const Provenance &provenance = starts[0].provenance;
    QCOMPARE(provenance.deviceId, std::string("cpu"));
    QCOMPARE(provenance.threads, starts[0].plan.threads);
    for (const std::string &text : {provenance.deviceName, provenance.threadNote, provenance.engineVersion,
                                    provenance.programVersion, provenance.gitCommit, provenance.hostOs,
                                    provenance.commandLine, provenance.startedUtc})
        QVERIFY(!text.empty());
    QVERIFY(provenance.engineVersion.starts_with("libtorch "));
    QVERIFY(eventsOf<CalibrationFinished>(events).empty()); // ceilings were given
}

void TestExperiments::sweepTellsEachPointInOrder()
{
    const RunPlan plan = tinyPlan(Experiment::Sweep);
    const auto events = runPlan(plan);
    std::size_t steps = 0;
    int current = -1;
    for (const Event &event : events) {
        if (const auto *start = std::get_if<PointStarted>(&event)) {
            QCOMPARE(start->index, current + 1);
            current = start->index;
            steps = 0;
        } else if (const auto *step = std::get_if<StepTimed>(&event)) {
            QCOMPARE(step->index, current);
            QCOMPARE(step->sample.step, std::int64_t(steps++));
            QVERIFY(step->sample.wallSeconds > 0);
            QVERIFY(std::isnan(step->sample.deviceSeconds)); // the CPU has no timer of its own
        } else if (const auto *end = std::get_if<PointFinished>(&event)) {
            const SweepPoint &point = end->point;
            QCOMPARE(point.index, current);
            QCOMPARE(point.prompt, plan.prompts[std::size_t(current) / 2]);
            QCOMPARE(point.batch, plan.batches[std::size_t(current) % 2]);
            QVERIFY2(point.status == PointStatus::Ok, point.reason.c_str());
            QCOMPARE(point.context, double(point.prompt) + 2 + 2);
            QCOMPARE(point.steps.size(), std::size_t(4));
            QCOMPARE(steps, std::size_t(4));
            QCOMPARE(point.steps.front().context, point.prompt + 2);
            QVERIFY(point.minSeconds <= point.stepSeconds && point.stepSeconds <= point.maxSeconds);
            QVERIFY(point.peakBytes > 0);
            QVERIFY(point.prefillSeconds > 0);
            QCOMPARE(point.kvBytes, double(point.batch * (point.prompt + 6)) * kvBytesPerToken(tinyShape(), plan.dtype));
        }
    }
    QCOMPARE(current, 3);
    for (const Progress &progress : eventsOf<Progress>(events))
        QVERIFY(progress.fraction >= 0 && progress.fraction <= 1);
    QCOMPARE(eventsOf<Progress>(events).back().fraction, 1.0);
}

void TestExperiments::sweepForecastIsFixedBeforeThePoint()
{
    RunPlan plan = tinyPlan(Experiment::Sweep);
    plan.measured->timings = ShapeTimings{plan.model.shape.id, plan.dtype, DecodeMode::Eager, {{1, 8, 2e-3}, {1, 200, 2e-3}}, {}};
    const auto events = runPlan(plan);
    const auto starts = eventsOf<PointStarted>(events);
    const auto ends = eventsOf<PointFinished>(events);
    QCOMPARE(starts.size(), ends.size());
    for (std::size_t i = 0; i < starts.size(); ++i) {
        const PointForecast &forecast = starts[i].forecast;
        QCOMPARE(forecast.floorNominal, ends[i].point.forecast.floorNominal);
        QCOMPARE(forecast.predicted, ends[i].point.forecast.predicted);
        QCOMPARE(forecast.floorNominal.overheadSeconds, 0.0);
        QVERIFY(forecast.floorMeasured && forecast.predicted);
        QCOMPARE(forecast.floorMeasured->memorySeconds, forecast.floorNominal.memorySeconds * 50 / 20);
        QCOMPARE(forecast.predicted->stepSeconds, 2e-3); // as the timings of the shape say
        QCOMPARE(forecast.predicted->context, starts[i].context);
    }

    // Timings of another shape say nothing of this one: it is timed before the run, each batch at contexts of its own.
    RunPlan other = plan;
    other.measured->timings->shape = "another";
    const auto timed = eventsOf<RunStarted>(runPlan(other)).front().plan.measured->timings;
    QVERIFY(timed && timed->shape == plan.model.shape.id);
    for (const std::int64_t batch : plan.batches)
        QVERIFY(std::any_of(timed->steps.begin(), timed->steps.end(), [&](const StepTiming &step) {
            return step.batch == double(batch) && step.seconds > 0 && step.context != starts.front().context;
        }));

    // Without a hardware profile there is no nominal floor, and none is made up.
    plan.nominal = {};
    const auto without = eventsOf<PointStarted>(runPlan(plan));
    QCOMPARE(without.front().forecast.floorNominal.stepSeconds, 0.0);
    QVERIFY(without.front().forecast.predicted);
}

void TestExperiments::sweepRecordsWhatDoesNotFitAndGoesOn()
{
    RunPlan plan = tinyPlan(Experiment::Sweep);
    plan.prompts = {8};
    plan.batches = {60000, 1};
    plan.memoryLimitBytes = 40e6;
    const auto points = eventsOf<PointFinished>(runPlan(plan));
    QCOMPARE(points.size(), std::size_t(2));
    QVERIFY(points[0].point.status == PointStatus::Skipped);
    QVERIFY(points[0].point.steps.empty());
    QVERIFY(std::isnan(points[0].point.stepSeconds));
    for (const char *part : {"weights ", "KV 60000 x 14 x ", " + workspace ", " > 40.0 MB", "memory limit of the run"})
        QVERIFY2(points[0].point.reason.find(part) != std::string::npos, points[0].point.reason.c_str());
    QVERIFY2(points[1].point.status == PointStatus::Ok, points[1].point.reason.c_str());
}

void TestExperiments::sweepGoesOnAfterOutOfMemory()
{
    RunPlan plan = tinyPlan(Experiment::Sweep);
    plan.model.shape.layers = 8;
    plan.model.shape.heads = 8;
    plan.model.shape.kvHeads = 8;
    plan.model.shape.headDim = 256; // 64 KiB a token: 4.3 TB of cache for the first point, 66 MB for the second
    plan.prompts = {1000};
    plan.batches = {65536, 1};
    plan.tryBeyondCapacity = true;
    plan.memoryLimitBytes = 1e6; // not asked about: the user wants to try
    const auto points = eventsOf<PointFinished>(runPlan(plan));
    QCOMPARE(points.size(), std::size_t(2));
    QVERIFY2(points[0].point.status == PointStatus::OutOfMemory, points[0].point.reason.c_str());
    QVERIFY(!points[0].point.reason.empty());
    QVERIFY(points[0].point.steps.empty());
    QVERIFY2(points[1].point.status == PointStatus::Ok, points[1].point.reason.c_str());
    QCOMPARE(points[1].point.steps.size(), std::size_t(4));
}

void TestExperiments::sweepCalibratesWhereNothingIsMeasured()
{
    RunPlan plan = tinyPlan(Experiment::Sweep);
    plan.measured.reset();
    plan.prompts = {4};
    plan.batches = {1};
    const auto events = runPlan(plan);
    const auto starts = eventsOf<RunStarted>(events);
    const auto calibrations = eventsOf<CalibrationFinished>(events);
    QCOMPARE(starts.size(), std::size_t(1));
    QCOMPARE(calibrations.size(), std::size_t(1));
    QVERIFY(starts[0].plan.measured.has_value());
    QVERIFY(*starts[0].plan.measured == calibrations[0].result.ceilings);
    QCOMPARE(starts[0].plan.measured->overheadLayers, plan.model.shape.layers);
    QVERIFY(eventsOf<PointStarted>(events).front().forecast.predicted.has_value());
}

void TestExperiments::ttftTimesEachMethod_data()
{
    QTest::addColumn<QList<int>>("methods");
    QTest::newRow("all") << QList<int>{1, 2, 3};
    QTest::newRow("subtraction") << QList<int>{1};
    QTest::newRow("stream") << QList<int>{2};
    QTest::newRow("loop") << QList<int>{3};
    QTest::newRow("another order") << QList<int>{3, 1};
}

void TestExperiments::ttftTimesEachMethod()
{
    QFETCH(QList<int>, methods);
    RunPlan plan = tinyPlan(Experiment::Ttft);
    plan.batches = {2};
    plan.methods.clear();
    for (const int method : methods)
        plan.methods.push_back(TtftMethod(method));
    const auto events = runPlan(plan);
    const auto results = eventsOf<TtftFinished>(events);
    QCOMPARE(results.size(), std::size_t(1));
    const TtftResult &result = results[0].result;
    QCOMPARE(result.prompt, std::int64_t(5));
    QCOMPARE(result.batch, std::int64_t(2));
    QCOMPARE(result.newTokens, std::int64_t(6));
    QCOMPARE(result.tokens.size(), std::size_t(6));
    QVERIFY(result.text.empty()); // no vocabulary
    QVERIFY(result.peakBytes > 0);
    QCOMPARE(result.forecast.floorNominal.context, 8.0);
    QCOMPARE(result.prefillFloor.prompt, 5.0);
    QCOMPARE(result.methods.size(), std::size_t(methods.size()));
    for (std::size_t i = 0; i < result.methods.size(); ++i) {
        const TtftMethodResult &one = result.methods[i];
        QCOMPARE(int(one.method), methods[qsizetype(i)]);
        QCOMPARE(one.ttftSamples.size(), std::size_t(2));
        QCOMPARE(one.tpotSamples.size(), std::size_t(2));
        QVERIFY(one.ttftSeconds > 0);
        if (one.method == TtftMethod::Subtraction) {
            QVERIFY(one.steps.empty());
            QVERIFY(std::isnan(one.tpotMinSeconds));
            continue;
        }
        QCOMPARE(one.steps.size(), std::size_t(5));
        QCOMPARE(one.steps.front().context, std::int64_t(5));
        QCOMPARE(one.steps.back().context, std::int64_t(9));
        QVERIFY(one.tpotMinSeconds > 0);
        QVERIFY(one.tpotMinSeconds <= one.tpotSeconds && one.tpotSeconds <= one.tpotMaxSeconds);
    }
    // Steps are told live by the loop only: telling them would disturb the other two.
    const std::size_t told = methods.contains(3) ? 2 * 5 : 0;
    QCOMPARE(eventsOf<StepTimed>(events).size(), told);
}

void TestExperiments::ttftThatDoesNotFitFailsWithTheArithmetic()
{
    RunPlan plan = tinyPlan(Experiment::Ttft);
    plan.memoryLimitBytes = 1000;
    const auto events = runPlan(plan);
    const auto &end = std::get<RunEnded>(events.back());
    QVERIFY(end.how == RunEnded::How::Failed);
    QVERIFY(end.errorKind == ErrorKind::Failure);
    QVERIFY2(end.sentence.find("KV 1 x 11 x ") != std::string::npos, end.sentence.c_str());
    QVERIFY2(end.sentence.find("memory limit of the run") != std::string::npos, end.sentence.c_str());
}

void TestExperiments::sameSeedGivesTheSameTokens()
{
    RunPlan plan = tinyPlan(Experiment::Ttft);
    plan.methods = {TtftMethod::Loop};
    plan.repeats = 1;
    plan.newTokens = 24;
    const auto tokensOf = [](const RunPlan &of) { return eventsOf<TtftFinished>(runPlan(of)).front().result.tokens; };
    const auto first = tokensOf(plan);
    QCOMPARE(tokensOf(plan), first);
    for (const std::int64_t token : first)
        QVERIFY(token >= 0 && token < plan.model.shape.vocab);
    plan.seed = 2;
    QVERIFY(tokensOf(plan) != first);
}

void TestExperiments::calibrationGivesPositiveFigures()
{
    RunPlan plan = tinyPlan(Experiment::Calibrate);
    plan.model = {}; // calibration needs no model
    plan.measured.reset();
    const auto events = runPlan(plan);
    const auto results = eventsOf<CalibrationFinished>(events);
    QVERIFY2(results.size() == 1, std::get<RunEnded>(events.back()).sentence.c_str());
    const CalibrationResult &result = results[0].result;
    QCOMPARE(result.runId, plan.runId);
    QVERIFY(result.ceilings.readBandwidth > 0.0);
    QVERIFY(result.ceilings.copyBandwidth > 0.0);
    QVERIFY(result.ceilings.matmulFlops.at(DType::F32) > 0);
    QVERIFY(result.ceilings.matmulFlops.at(DType::BF16) > 0);
    QVERIFY(result.ceilings.stepOverhead > 0.0);
    QVERIFY(result.ceilings.launchOverhead > 0.0);
    QCOMPARE(result.ceilings.overheadLayers, std::int64_t(22));
    QVERIFY(result.ceilings.threads >= 1);
    for (const CalibrationSample &sample : result.samples) {
        QVERIFY2(sample.value > 0 && sample.median > 0 && sample.spread >= 0, sample.what.c_str());
        if (sample.unit != "s")
            QVERIFY2(sample.value >= sample.median, sample.what.c_str());
    }
}

void TestExperiments::stopsWithinOneStep_data()
{
    QTest::addColumn<int>("experiment");
    QTest::addColumn<int>("after"); // timed steps (calibration: progress events) before the stop
    QTest::newRow("before the start") << int(Experiment::Sweep) << 0;
    QTest::newRow("sweep, first step") << int(Experiment::Sweep) << 1;
    QTest::newRow("sweep, second point") << int(Experiment::Sweep) << 6;
    QTest::newRow("ttft") << int(Experiment::Ttft) << 3;
    QTest::newRow("calibration") << int(Experiment::Calibrate) << 1;
}

void TestExperiments::stopsWithinOneStep()
{
    QFETCH(int, experiment);
    QFETCH(int, after);
    RunPlan plan = tinyPlan(Experiment(experiment));
    plan.methods = {TtftMethod::Loop};
    std::stop_source source;
    if (after == 0)
        source.request_stop();
    std::vector<Event> events;
    int seen = 0, later = 0;
    makeTorchEngine()->run(
        plan,
        [&](const Event &event) {
            events.push_back(event);
            const bool counted = plan.experiment == Experiment::Calibrate ? std::holds_alternative<Progress>(event)
                                                                          : std::holds_alternative<StepTimed>(event);
            if (source.stop_requested() && !std::holds_alternative<Progress>(event) &&
                !std::holds_alternative<RunEnded>(event))
                ++later;
            if (counted && ++seen == after)
                source.request_stop();
        },
        source.get_token());
    QCOMPARE(later, 0); // no step, no point and no result after the wish to stop
    const auto &end = std::get<RunEnded>(events.back());
    QVERIFY2(end.how == RunEnded::How::Cancelled, end.sentence.c_str());
    QVERIFY(end.errorKind == ErrorKind::Cancelled);
    if (plan.experiment == Experiment::Sweep && after == 6)
        QCOMPARE(eventsOf<PointFinished>(events).size(), std::size_t(1)); // the finished point stays
}

void TestExperiments::aFaultOfTheReceiverEndsTheRun()
{
    const RunPlan plan = tinyPlan(Experiment::Sweep);
    std::vector<Event> events;
    makeTorchEngine()->run(
        plan,
        [&](const Event &event) {
            events.push_back(event);
            if (std::holds_alternative<PointFinished>(event))
                throw Error(ErrorKind::Failure, "The journal is full.");
        },
        {});
    QCOMPARE(eventsOf<PointFinished>(events).size(), std::size_t(1));
    const auto &end = std::get<RunEnded>(events.back());
    QVERIFY(end.how == RunEnded::How::Failed);
    QCOMPARE(end.sentence, std::string("The journal is full."));
}

void TestExperiments::hostilePlansEndInASentence_data()
{
    QTest::addColumn<int>("index");
    QTest::addColumn<bool>("usage");
    QTest::addColumn<QString>("told");
    QTest::newRow("unknown device") << 0 << true << "tpu";
    QTest::newRow("a GPU that is not there") << 1 << false << "cuda:99";
    QTest::newRow("graph mode on the CPU") << 2 << true << "graph";
    QTest::newRow("fp16 on the CPU") << 3 << true << "fp16";
    QTest::newRow("batch 0") << 4 << true << "0";
    QTest::newRow("no batch") << 5 << true << "batches";
    QTest::newRow("a trillion tokens") << 6 << true << "1000000000000";
    QTest::newRow("heads that do not divide") << 7 << true << "head";
    QTest::newRow("no layers") << 8 << true << "layers";
    QTest::newRow("a folder that is not there") << 9 << false << "nowhere";
    QTest::newRow("a rotary scaling that is not run") << 10 << false << "yarn";
    QTest::newRow("text without a tokenizer") << 11 << true << "tokenizer";
    QTest::newRow("negative threads") << 12 << true << "-1";
    QTest::newRow("memory limit that is no number") << 13 << true << "memory limit";
}

void TestExperiments::hostilePlansEndInASentence()
{
    QFETCH(int, index);
    QFETCH(bool, usage);
    QFETCH(QString, told);
    const std::vector<std::function<void(RunPlan &)>> changes{
        [](RunPlan &p) { p.device = "tpu"; },
        [](RunPlan &p) { p.device = "cuda:99"; },
        [](RunPlan &p) { p.mode = DecodeMode::Graph; },
        [](RunPlan &p) { p.dtype = DType::F16; },
        [](RunPlan &p) { p.batches = {1, 0}; },
        [](RunPlan &p) { p.batches.clear(); },
        [](RunPlan &p) { p.prompts = {1'000'000'000'000}; },
        [](RunPlan &p) { p.model.shape.heads = 3; },
        [](RunPlan &p) { p.model.shape.layers = 0; },
        [](RunPlan &p) { p.model.folder = "/nowhere/at/all"; },
        [](RunPlan &p) { p.model.shape.ropeScalingType = "yarn"; },
        [](RunPlan &p) { p.promptText = "Once upon a time"; },
        [](RunPlan &p) { p.threads = -1; },
        [](RunPlan &p) { p.memoryLimitBytes = kMissing; },
    };
    RunPlan plan = tinyPlan(Experiment::Sweep);
    changes.at(std::size_t(index))(plan);
    const auto events = runPlan(plan);
    const auto &end = std::get<RunEnded>(events.back());
    QVERIFY(end.how == RunEnded::How::Failed);
    QVERIFY(eventsOf<PointFinished>(events).empty());
    QVERIFY2((end.errorKind == ErrorKind::Usage) == usage, end.sentence.c_str());
    // A CUDA engine without a driver cannot say which GPUs there would be: it tells what all of them need.
    const bool noDriver = told == "cuda:99" && end.sentence.find("no GPU can be used") != std::string::npos;
    QVERIFY2(noDriver || QString::fromStdString(end.sentence).contains(told), end.sentence.c_str());
    QVERIFY2(end.sentence.size() < 700 && end.sentence.find('\n') == std::string::npos, end.sentence.c_str());
}

QTEST_GUILESS_MAIN(TestExperiments)
#include "experiment_runs.moc"
