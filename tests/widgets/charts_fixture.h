// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/atomic_file.h"
#include "core/session/line.h"
#include "widgets/chart_view.h"
#include "widgets/workbench_model.h"

#include <QFont>
#include <QFontDatabase>
#include <QGuiApplication>

#include <cmath>
#include <random>

/// Sessions made for the tests of the charts. Their times are arithmetic, not measurements.
namespace ridgepoint::fixture {

/// The font that every picture is drawn with, so that layouts do not depend on the machine's default.
inline bool pinFont()
{
    if (!QFontDatabase::families().contains(QStringLiteral("DejaVu Sans")))
        return false;
    QFont font(QStringLiteral("DejaVu Sans"));
    font.setPointSizeF(9);
    QGuiApplication::setFont(font);
    return true;
}

inline ModelShape tinyLlama()
{
    ModelShape shape;
    shape.id = "tinyllama-1.1b";
    shape.name = "TinyLlama 1.1B";
    shape.architecture = "LlamaForCausalLM";
    shape.layers = 22;
    shape.hidden = 2048;
    shape.heads = 32;
    shape.kvHeads = 4;
    shape.headDim = 64;
    shape.ffn = 5632;
    shape.vocab = 32000;
    shape.maxPositions = 2048;
    return shape;
}

inline HardwareProfile t4()
{
    HardwareProfile hardware;
    hardware.id = "t4";
    hardware.name = "NVIDIA T4";
    hardware.vendor = "NVIDIA";
    hardware.memoryBandwidth = 320e9;
    hardware.peakFlops[DType::F16] = 65e12;
    hardware.memoryBytes = 16e9;
    return hardware;
}

inline MeasuredCeilings t4Measured()
{
    MeasuredCeilings measured;
    measured.readBandwidth = 270e9;
    measured.matmulFlops[DType::F16] = 50e12;
    measured.stepOverhead = 8e-3;
    measured.overheadLayers = 22;
    return measured;
}

/// Nothing run: TinyLlama on a T4, at its datasheet's figures or at measured ones.
inline WhatIf whatIf(bool measured = false)
{
    WhatIf values;
    values.hardware = t4();
    values.shape = tinyLlama();
    values.dtype = DType::F16;
    values.accounting = Accounting::Exact;
    values.nominal = nominalCeilings(values.hardware, DType::F16);
    values.ceilings = values.nominal;
    if (measured) {
        values.measured = t4Measured();
        values.ceilings = measuredCeilings(values.hardware, *values.measured, DType::F16, 22);
    }
    values.batch = 8;
    values.context = 256;
    values.prompt = 200;
    return values;
}

inline RunPlan plan()
{
    RunPlan made;
    made.runId = "11111111-1111-4111-8111-111111111111";
    made.experiment = Experiment::Sweep;
    made.device = "cuda:0";
    made.model.shape = tinyLlama();
    made.dtype = DType::F16;
    made.prompts = {128, 2048};
    made.batches = {1, 4, 16, 64, 128};
    made.nominal = nominalCeilings(t4(), DType::F16);
    made.hardwareId = "t4";
    made.measured = t4Measured();
    return made;
}

inline PointForecast forecast(std::int64_t batch, double context)
{
    const Workload workload = makeWorkload(tinyLlama(), DType::F16, Accounting::Exact);
    const HardwareProfile hardware = t4();
    Ceilings ceilings = measuredCeilings(hardware, t4Measured(), DType::F16, 22);
    PointForecast made;
    made.floorNominal =
        predictStep(workload, nominalCeilings(hardware, DType::F16), static_cast<double>(batch), context);
    made.predicted = predictStep(workload, ceilings, static_cast<double>(batch), context);
    ceilings.overhead = 0;
    made.floorMeasured = predictStep(workload, ceilings, static_cast<double>(batch), context);
    return made;
}

/// `count` steps about `seconds`, a few of them outliers with a low clock.
inline std::vector<StepSample> steps(std::size_t count, double seconds, std::int64_t context, unsigned seed)
{
    std::mt19937 random(seed);
    std::normal_distribution<double> jitter(1.0, 0.02);
    std::vector<StepSample> made(count);
    for (std::size_t i = 0; i < count; ++i) {
        StepSample &step = made[i];
        step.step = static_cast<std::int64_t>(i);
        step.context = context + static_cast<std::int64_t>(i);
        step.deviceSeconds = seconds * jitter(random);
        step.smClockHz = 1590e6;
        step.temperatureC = 61;
        step.powerWatts = 68;
        if (i % 37 == 11) {
            step.deviceSeconds *= 1.8;
            step.smClockHz = 900e6;
            step.throttle = "power cap";
        }
        step.wallSeconds = step.deviceSeconds * 1.02;
    }
    return made;
}

inline SweepPoint point(int index, std::int64_t batch, std::int64_t prompt, double overForecast, std::size_t count = 40)
{
    SweepPoint made;
    made.runId = plan().runId;
    made.index = index;
    made.batch = batch;
    made.prompt = prompt;
    made.context = static_cast<double>(prompt) + 30;
    made.forecast = forecast(batch, made.context);
    made.steps = steps(count, made.forecast.predicted->stepSeconds * overForecast, prompt + 10,
                       static_cast<unsigned>(index) + 1);
    summariseSteps(made);
    made.peakBytes = 2.4e9 + static_cast<double>(batch) * made.context * 22528;
    made.prefillSeconds = static_cast<double>(batch * prompt) * 2.2e9 / 40e12 + 9e-3;
    return made;
}

/// Five batches by two prompts; the last but one is skipped, the last out of memory.
inline Session sweepSession(std::size_t stepsPerPoint = 40)
{
    Session session = newSession();
    RunRecord run;
    run.plan = plan();
    run.provenance.deviceName = "NVIDIA T4";
    run.provenance.deviceMemoryBytes = 16e9;
    int index = 0;
    for (const std::int64_t prompt : {128, 2048}) {
        for (const std::int64_t batch : {1, 4, 16, 64, 128}) {
            const double over = 1.04 + 0.03 * index;
            SweepPoint made = point(index, batch, prompt, over, stepsPerPoint);
            if (prompt == 2048 && batch >= 64) {
                made.status = batch == 64 ? PointStatus::Skipped : PointStatus::OutOfMemory;
                made.reason = batch == 64 ? "needs 5.19 GB, the limit is 5.00 GB" : "out of memory at step 3";
                made.steps.clear();
                made.stepSeconds = made.p10Seconds = made.p90Seconds = made.minSeconds = made.maxSeconds = kMissing;
                made.peakBytes = made.prefillSeconds = kMissing;
            }
            run.points.push_back(std::move(made));
            ++index;
        }
    }
    run.state = RunRecord::State::Done;
    session.runs.push_back(std::move(run));
    return session;
}

/// The same sweep in all three modes, the graph's replays faster and the fused ones faster still; each a run.
inline Session modesSession()
{
    Session session = sweepSession();
    const RunRecord eager = session.runs[0];
    double factor = 1;
    for (const auto &[id, mode] : {std::pair{"graph", DecodeMode::Graph}, std::pair{"fused", DecodeMode::Fused}}) {
        factor *= 0.72;
        RunRecord run = eager;
        run.plan.runId = id;
        run.plan.mode = mode;
        for (SweepPoint &point : run.points) {
            point.runId = id;
            point.mode = mode;
            point.stepSeconds *= factor;
            for (StepSample &step : point.steps) {
                step.deviceSeconds *= factor;
                step.wallSeconds *= factor;
            }
        }
        session.runs.push_back(std::move(run));
    }
    return session;
}

/// The sweep and the same of another day, to hold against it: a point each is slower, faster, the same and ambiguous, the other
/// four are a little slower; each side has one without a partner.
inline std::vector<Session> comparedSessions()
{
    std::vector<Session> sessions{sweepSession(), sweepSession()};
    std::vector<SweepPoint> &points = sessions[1].runs[0].points;
    const double factors[] = {1.35, 0.7, 1, 1.25, 1, 1.1, 1.1, 1.1};
    for (std::size_t i = 0; i < std::size(factors); ++i) {
        for (StepSample &step : points[i].steps)
            step.deviceSeconds *= factors[i];
        summariseSteps(points[i]);
    }
    points[3].context *= 2; // another step than the baseline's
    points[4].batch = 32;
    return sessions;
}

/// The same in mid-run: four points finished, the fifth at its 23rd step.
inline void makeLive(WorkbenchModel &model)
{
    Session session = sweepSession();
    session.runs[0].points.resize(4);
    session.runs[0].state = RunRecord::State::Running;
    model.setSession(std::make_shared<const Session>(std::move(session)));
    LivePoint live;
    live.runId = plan().runId;
    live.index = 4;
    live.batch = 128;
    live.prompt = 128;
    live.context = 158;
    live.forecast = forecast(128, 158);
    model.setLive(live);
    model.appendLiveSteps(steps(23, live.forecast.predicted->stepSeconds * 1.1, 138, 99));
}

inline TtftResult ttftRecord()
{
    TtftResult record;
    record.runId = "22222222-2222-4222-8222-222222222222";
    record.batch = 1;
    record.prompt = 200;
    record.newTokens = 64;
    record.forecast = forecast(1, 232);
    record.prefillFloor = predictPrefill(makeWorkload(tinyLlama(), DType::F16, Accounting::Exact),
                                         nominalCeilings(t4(), DType::F16), 1, 200);
    const double step = record.forecast.predicted->stepSeconds;
    for (const TtftMethod method : {TtftMethod::Subtraction, TtftMethod::Stream, TtftMethod::Loop}) {
        TtftMethodResult made;
        made.method = method;
        made.ttftSeconds = 0.021;
        made.tpotSeconds = step * 1.08;
        if (method != TtftMethod::Subtraction)
            made.steps = steps(63, step * 1.08, 200, 7);
        record.methods.push_back(std::move(made));
    }
    return record;
}

inline Session ttftSession()
{
    Session session = newSession();
    RunRecord run;
    run.plan = plan();
    run.plan.runId = ttftRecord().runId;
    run.plan.experiment = Experiment::Ttft;
    run.plan.prompts = {200};
    run.plan.batches = {1};
    run.provenance.deviceName = "NVIDIA T4";
    run.ttft = ttftRecord();
    run.state = RunRecord::State::Done;
    session.runs.push_back(std::move(run));
    return session;
}

/// One step of TinyLlama taken apart. Every figure is made up: kernels of round lengths, layer after layer, a gap after each.
inline StepAnatomy madeUpAnatomy()
{
    StepAnatomy made;
    made.mode = DecodeMode::Eager;
    made.batch = 4;
    made.context = 512;
    made.tracer = "made up";
    made.note = "made-up figures of a test";
    made.partsBy = "made up";
    struct Kernel {
        const char *name;
        StepPart part;
        double seconds;
    };
    const Kernel layer[] = {{"rms_norm", StepPart::Norms, 3e-6},
                            {"gemm_64x64_qkv", StepPart::Qkv, 40e-6},
                            {"rope_append", StepPart::Rope, 4e-6},
                            {"split_attention", StepPart::Attention, 60e-6},
                            {"gemm_64x64_o", StepPart::Output, 33e-6},
                            {"rms_norm", StepPart::Norms, 3e-6},
                            {"gemm_128x64_gate_up", StepPart::GateUp, 185e-6},
                            {"silu_multiply", StepPart::Activation, 4e-6},
                            {"gemm_128x64_down", StepPart::Down, 92e-6}};
    double at = 0;
    const auto add = [&](const Kernel &kernel, int of) {
        made.kernels.push_back({kernel.name, at, kernel.seconds, 7, kernel.part, of});
        at += kernel.seconds + 6e-6; // a gap after each
    };
    add({"embedding", StepPart::Embed, 3e-6}, -1);
    for (int of = 0; of < 22; ++of)
        for (const Kernel &kernel : layer)
            add(kernel, of);
    add({"gemm_256x64_head_with_a_name_that_is_far_too_long_for_any_column", StepPart::Head, 1.1e-3}, -1);
    add({"argmax", StepPart::Pick, 5e-6}, -1);
    made.tracedSeconds = made.kernels.back().startSeconds + made.kernels.back().seconds;
    made.busySeconds = 0;
    for (const TracedKernel &kernel : made.kernels)
        made.busySeconds += kernel.seconds;
    made.untracedSeconds = made.tracedSeconds * 0.93;
    made.wallSeconds = made.tracedSeconds * 1.1;
    const Workload work = makeWorkload(tinyLlama(), DType::F16, Accounting::Exact);
    const double weights = work.weightBytes;
    const auto part = [&](StepPart which, double share, double seconds, double flopPerByte) {
        made.parts.push_back({which, seconds, weights * share, weights * share * flopPerByte});
    };
    part(StepPart::Qkv, 0.11, 40e-6 * 22, 4);
    part(StepPart::Attention, 0.02, 60e-6 * 22, 7.5);
    part(StepPart::Output, 0.09, 33e-6 * 22, 4);
    part(StepPart::GateUp, 0.47, 185e-6 * 22, 4);
    part(StepPart::Down, 0.235, 92e-6 * 22, 4);
    part(StepPart::Head, 0.06, 1.1e-3, 4);
    return made;
}

/// A sweep and, after it, an anatomy of the same model.
inline Session anatomySession(bool withSweep = true)
{
    Session session = withSweep ? sweepSession() : newSession();
    RunRecord run;
    run.plan = plan();
    run.plan.runId = "55555555-5555-4555-8555-555555555555";
    run.plan.experiment = Experiment::Anatomy;
    run.plan.prompts = {512};
    run.plan.batches = {4};
    run.provenance.deviceName = "NVIDIA T4";
    run.anatomy = madeUpAnatomy();
    run.anatomy->runId = run.plan.runId;
    run.state = RunRecord::State::Done;
    session.runs.push_back(std::move(run));
    return session;
}

/// t4Measured() with steps of TinyLlama that a calibration timed (made up): 9 ms, rising with batch and context.
inline MeasuredCeilings t4Timed()
{
    MeasuredCeilings measured = t4Measured();
    ShapeTimings timings;
    timings.shape = tinyLlama().id;
    timings.dtype = DType::F16;
    for (const double batch : {1.0, 4.0, 16.0, 64.0, 128.0})
        for (const double context : {8.0, 200.0, 1468.0})
            timings.steps.push_back({batch, context, 9e-3 + 4e-5 * batch + 1e-7 * batch * context});
    measured.timings = timings;
    return measured;
}

/// The laptop's table: rows that were measured elsewhere.
inline Session importedSession(double bandwidth = 200e9)
{
    Session session = newSession();
    const std::string csv = readWholeFile(RIDGEPOINT_SOURCE_DIR "/tests/fixtures/line/model_line_laptop.csv");
    session.runs.push_back(
        importedRun(importLine(csv, "laptop.csv"), "laptop.csv", Ceilings{bandwidth, 0, 0, 0}, nullptr));
    return session;
}

/// A line of four models in two dtypes on a made-up card, by eager steps and by graphs: 3 ms and 0.4 ms of fixed cost.
inline Session lineSession()
{
    Session session = newSession();
    for (const DecodeMode mode : {DecodeMode::Graph, DecodeMode::Eager}) {
        RunRecord run;
        run.plan = plan();
        run.plan.runId = mode == DecodeMode::Eager ? "33333333-3333-4333-8333-333333333333"
                                                   : "44444444-4444-4444-8444-444444444444";
        run.plan.experiment = Experiment::Line;
        run.plan.mode = mode;
        run.plan.prompts = {128};
        run.plan.batches = {1};
        run.plan.newTokens = 100;
        run.plan.repeats = 5;
        run.plan.dtypes = {DType::F16, DType::F32};
        run.provenance.deviceName = "NVIDIA T4";
        run.provenance.lastLevelCacheBytes = 4e6 * 20;
        run.state = RunRecord::State::Done;
        const char *const families[] = {"llama", "qwen2", "qwen3", "gemma3"};
        const double weights[] = {0.15e9, 0.9e9, 1.3e9, 2.2e9};
        for (int i = 0; i < 9; ++i) {
            LineRow row;
            row.runId = run.plan.runId;
            row.index = i;
            row.mode = mode;
            row.family = families[i / 2 % 4];
            row.model = row.family + "-" + std::to_string(i / 2);
            row.name = "Model " + std::to_string(i / 2);
            row.dtype = i % 2 ? "fp32" : "fp16";
            row.weightBytes = i < 8 ? weights[i / 2] * (i % 2 ? 2 : 1) : 3.1e9;
            row.prompt = 128;
            row.newTokens = 100;
            if (i == 8) {
                row.status = PointStatus::Skipped;
                row.reason = "weights 3.10 GB > 3.00 GB, what cuda:0 has free.";
            } else {
                const double wobble = 1 + 0.03 * ((i * 7) % 5 - 2);
                const double seconds =
                    row.weightBytes / 250e9 + (mode == DecodeMode::Eager ? 3e-3 : 0.4e-3) * wobble;
                row.samples = {seconds * 0.99, seconds, seconds * 1.02};
                summariseSamples(row);
                row.forecast.floorNominal.stepSeconds = row.weightBytes / 320e9;
                row.forecast.floorNominal.memorySeconds = row.forecast.floorNominal.stepSeconds;
                row.forecast.predicted = row.forecast.floorNominal;
                row.forecast.predicted->stepSeconds = row.weightBytes / 270e9 + (mode == DecodeMode::Eager ? 2.6e-3 : 0.3e-3);
            }
            run.line.push_back(std::move(row));
        }
        session.runs.push_back(std::move(run));
    }
    return session;
}

} // namespace ridgepoint::fixture
