// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engine/engine.h"

#include <functional>
#include <thread>

/// A double of the engine for tests of the window: it emits what a test's script says. Its figures are made up and
/// never leave the tests.
namespace ridgepoint::test {

using Script = std::function<void(const RunPlan &, const EventSink &, std::stop_token)>;

class FakeEngine : public Engine {
public:
    explicit FakeEngine(Script script) : m_script(std::move(script)) {}
    std::string version() const override { return "scripted engine"; }
    std::vector<DeviceInfo> devices() const override
    {
        DeviceInfo cpu;
        cpu.id = "cpu";
        cpu.name = "Scripted CPU";
        cpu.memoryBytes = 16e9;
        cpu.dtypes = {DType::F32, DType::BF16};
        cpu.modes = {DecodeMode::Eager};
        return {cpu};
    }
    void run(const RunPlan &plan, const EventSink &sink, std::stop_token stop) override { m_script(plan, sink, stop); }

private:
    Script m_script;
};

inline StepSample sample(std::int64_t step, double seconds = 0.010)
{
    StepSample result;
    result.step = step;
    result.context = 128 + step;
    result.wallSeconds = seconds;
    return result;
}

inline RunStarted started(const RunPlan &plan)
{
    RunStarted event;
    event.runId = plan.runId;
    event.plan = plan;
    event.provenance.deviceId = plan.device;
    event.provenance.deviceName = "Scripted CPU";
    event.provenance.engineVersion = "scripted engine";
    event.provenance.startedUtc = "2026-01-31T12:34:56Z";
    return event;
}

inline SweepPoint point(const RunPlan &plan, int index, std::int64_t batch, int steps = 4)
{
    SweepPoint result;
    result.runId = plan.runId;
    result.index = index;
    result.batch = batch;
    result.prompt = plan.prompts.empty() ? 128 : plan.prompts.front();
    result.context = double(result.prompt) + plan.warmup + plan.steps / 2.0;
    for (int i = 0; i < steps; ++i)
        result.steps.push_back(sample(i, 0.010 + 0.001 * i));
    summariseSteps(result);
    result.peakBytes = 1e9;
    const Ceilings ceilings{25e9, 100e9, 0, 16e9};
    const Workload workload = makeWorkload(plan.model.shape, plan.dtype, Accounting::Exact);
    result.forecast.floorNominal = predictStep(workload, ceilings, double(batch), result.context);
    result.forecast.predicted = predictStep(workload, {25e9, 100e9, 1e-3, 16e9}, double(batch), result.context);
    return result;
}

/// A double with a GPU beside the CPU.
class FakeGpuEngine : public FakeEngine {
public:
    using FakeEngine::FakeEngine;
    std::vector<DeviceInfo> devices() const override
    {
        std::vector<DeviceInfo> list = FakeEngine::devices();
        DeviceInfo gpu;
        gpu.id = "cuda:0";
        gpu.name = "NVIDIA H200";
        gpu.memoryBytes = 141e9;
        gpu.dtypes = {DType::F16, DType::BF16, DType::F32};
        gpu.modes = {DecodeMode::Eager, DecodeMode::Graph};
        list.push_back(gpu);
        return list;
    }
};

/// A whole sweep of two points.
inline void scriptedSweep(const RunPlan &plan, const EventSink &sink, std::stop_token stop)
{
    sink(started(plan));
    int index = 0;
    for (const std::int64_t batch : {1, 4}) {
        if (stop.stop_requested())
            break;
        const SweepPoint finished = point(plan, index, batch);
        sink(PointStarted{plan.runId, index, batch, finished.prompt, finished.context, finished.forecast});
        for (const StepSample &step : finished.steps)
            sink(StepTimed{plan.runId, index, step});
        sink(Progress{plan.runId, "Sweep: batch " + std::to_string(batch), 0.5 * (index + 1), 12.0, 1e9});
        sink(PointFinished{plan.runId, finished});
        ++index;
    }
    sink(RunEnded{
        plan.runId, stop.stop_requested() ? RunEnded::How::Cancelled : RunEnded::How::Done, ErrorKind::Failure, {}});
}

/// A line: 1 ms and 5 ms a GB; fp16 is skipped on the CPU.
inline void scriptedLine(const RunPlan &plan, const EventSink &sink, std::stop_token stop)
{
    sink(started(plan));
    int index = 0;
    for (const ModelSource &model : plan.models) {
        for (const DType dtype : plan.dtypes) {
            if (stop.stop_requested())
                break;
            const Workload workload = makeWorkload(model.shape, dtype, Accounting::Exact);
            LineRow row;
            row.runId = plan.runId;
            row.index = index++;
            row.model = model.shape.id;
            row.name = model.shape.name;
            row.family = familyName(model.shape.family);
            row.dtype = dtypeName(dtype);
            row.weightBytes = workload.weightBytes;
            row.residentBytes = workload.residentWeightBytes;
            row.prompt = plan.prompts.front();
            row.newTokens = plan.newTokens;
            row.mode = plan.mode;
            sink(PointStarted{plan.runId, row.index, 1, row.prompt, double(row.prompt), {}});
            if (plan.device == "cpu" && dtype == DType::F16) {
                row.status = PointStatus::Skipped;
                row.reason = "fp16 cannot be run on cpu.";
            } else {
                const double seconds = 1e-3 + row.weightBytes * 5e-12;
                row.samples = {seconds, seconds, seconds};
                row.steps = {sample(0, seconds), sample(1, seconds)};
                summariseSamples(row);
                for (const StepSample &step : row.steps)
                    sink(StepTimed{plan.runId, row.index, step});
            }
            sink(LineRowFinished{plan.runId, row});
        }
    }
    sink(RunEnded{
        plan.runId, stop.stop_requested() ? RunEnded::How::Cancelled : RunEnded::How::Done, ErrorKind::Failure, {}});
}

inline std::function<std::unique_ptr<Engine>()> factory(Script script)
{
    return [script = std::move(script)] { return std::make_unique<FakeEngine>(script); };
}

/// A small shape, so that plans are valid without the catalogue.
inline ModelShape smallShape()
{
    ModelShape shape;
    shape.id = "small";
    shape.name = "Small";
    shape.architecture = "LlamaForCausalLM";
    shape.layers = 2;
    shape.hidden = 64;
    shape.heads = 4;
    shape.kvHeads = 2;
    shape.headDim = 16;
    shape.ffn = 128;
    shape.vocab = 256;
    shape.maxPositions = 8192;
    return shape;
}

inline RunPlan smallPlan()
{
    RunPlan plan;
    plan.model.shape = smallShape();
    plan.prompts = {128};
    plan.batches = {1, 4};
    plan.nominal = {25e9, 100e9, 0, 16e9};
    plan.hardwareId = "cpu";
    return plan;
}

} // namespace ridgepoint::test
