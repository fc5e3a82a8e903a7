// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/torch/torch_engine.h"

#include "core/analytic/forecast.h"
#include "core/catalog/model_config.h"
#include "core/torch/anatomy_experiment.h"
#include "core/torch/calibrate.h"
#include "core/torch/device.h"
#include "core/torch/device_faults.h"
#include "core/torch/experiments.h"
#include "core/torch/host.h"
#include "core/torch/shape_timings.h"
#include "core/torch/threads.h"

#include <algorithm>

namespace ridgepoint {

namespace {

Provenance describe(const RunContext &context, const ThreadSetup &threads, const std::string &startedUtc)
{
    const DeviceProbe &probe = context.device;
    const DeviceInfo device = probe.info();
    Provenance result;
    result.deviceId = device.id;
    result.deviceName = device.name;
    result.deviceMemoryBytes = device.memoryBytes;
    result.lastLevelCacheBytes = device.lastLevelCacheBytes;
    result.threads = threads.threads;
    result.threadNote = threads.note;
    result.engineVersion = libtorchDetails();
    result.programVersion = RIDGEPOINT_VERSION;
    result.gitCommit = RIDGEPOINT_GIT_COMMIT;
    result.hostCpu = host::cpuName();
    result.hostOs = host::osName();
    result.commandLine = host::commandLine();
    // Calibration may have built the decoder already: its weights are part of what the run may use.
    result.usableBytes = usableBytes(context.plan, probe, context.decoder ? context.decoder->weightBytes() : 0);
    result.workspace = probe.workspace(context.plan.mode);
    result.startedUtc = startedUtc;
    result.extra = probe.facts();
    return result;
}

/// A line's plan with the model and dtype that its calibration uses: the first model, the first dtype of the device.
RunPlan calibratedBy(const RunPlan &plan, const DeviceInfo &device)
{
    for (const DType dtype : plan.dtypes) {
        if (std::find(device.dtypes.begin(), device.dtypes.end(), dtype) == device.dtypes.end())
            continue;
        RunPlan chosen = planOfLineRow(plan, plan.models.front(), dtype);
        chosen.models = plan.models;
        return chosen;
    }
    RunPlan refused = plan; // checkDevice() has the sentence
    refused.dtype = plan.dtypes.front();
    return refused;
}

void runPlan(const RunPlan &wanted, const EventSink &sink, const std::stop_token &stop)
{
    const std::string startedUtc = host::utcNow();
    RunPlan plan = wanted;
    if (plan.experiment != Experiment::Calibrate && plan.experiment != Experiment::Line && !plan.model.folder.empty())
        plan.model.shape = modelShapeFromFolder(plan.model.folder); // the folder is what is run, whatever the plan says
    for (ModelSource &model : plan.models)
        if (!model.folder.empty())
            model.shape = modelShapeFromFolder(model.folder);
    validatePlan(plan);
    const std::unique_ptr<DeviceProbe> probe = DeviceProbe::open(plan.device);
    if (plan.experiment == Experiment::Line)
        plan = calibratedBy(plan, probe->info());
    checkDevice(probe->info(), plan);
    const ThreadSetup threads = setThreads(plan.threads);
    plan.threads = threads.threads;

    RunContext context(plan, sink, stop, *probe, Decoder::create);
    context.checkStop();
    if (plan.experiment == Experiment::Calibrate) {
        context.send(RunStarted{plan.runId, context.plan, describe(context, threads, startedUtc)});
        const CalibrationResult result = calibrate(context, CalibrationDepth::Full, threads.threads);
        context.send(CalibrationFinished{plan.runId, result});
        return;
    }

    if (plan.experiment == Experiment::Anatomy) {
        // Nothing is forecast, so nothing is calibrated.
        context.send(RunStarted{plan.runId, context.plan, describe(context, threads, startedUtc)});
        runAnatomy(context);
        return;
    }

    // What the predictions need is measured before anything is timed, and told with the plan: fixed from then on.
    std::optional<CalibrationResult> calibration;
    if (!plan.measured) {
        calibration = calibrate(context, CalibrationDepth::Brief, threads.threads);
        context.plan.measured = calibration->ceilings;
    }
    if (plan.experiment != Experiment::Line &&
        !hasTimings(*context.plan.measured, context.plan.model.shape.id, plan.dtype, plan.mode)) {
        context.plan.measured->timings = timeShape(context);
        if (calibration)
            calibration->ceilings.timings = context.plan.measured->timings;
    }
    context.send(RunStarted{plan.runId, context.plan, describe(context, threads, startedUtc)});
    if (calibration)
        context.send(CalibrationFinished{plan.runId, *calibration});
    if (plan.experiment == Experiment::Sweep)
        runSweep(context);
    else if (plan.experiment == Experiment::Line)
        runLine(context);
    else
        runTtft(context);
}

class TorchEngine final : public Engine {
public:
    std::string version() const override { return libtorchVersion(); }

    std::vector<DeviceInfo> devices() const override { return listDevices(); }

    void run(const RunPlan &plan, const EventSink &sink, std::stop_token stop) override
    {
        RunEnded end{plan.runId, RunEnded::How::Done, ErrorKind::Failure, {}};
        try {
            runPlan(plan, sink, stop);
        } catch (...) {
            const Fault fault = currentFault();
            end.how = fault.kind == ErrorKind::Cancelled ? RunEnded::How::Cancelled : RunEnded::How::Failed;
            end.errorKind = fault.kind;
            end.sentence = fault.sentence;
            end.deviceLost = fault.deviceLost;
        }
        try {
            sink(end);
        } catch (...) {
            // The receiver of the last event failed: there is nobody left to tell.
        }
    }
};

} // namespace

std::unique_ptr<Engine> makeTorchEngine()
{
    return std::make_unique<TorchEngine>();
}

} // namespace ridgepoint
