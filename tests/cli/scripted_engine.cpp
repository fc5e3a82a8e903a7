// SPDX-License-Identifier: GPL-3.0-or-later
// An engine module for tests of the command line: it lists a GPU beside the CPU and "runs" plans by script. Its figures
// are made up and never leave the tests. SCRIPTED_GPU names the card; empty: there is none. SCRIPTED_HOLD is a file that gets the
// process id once SCRIPTED_HOLD_AFTER points of a sweep are finished, which then waits to be stopped.
#include "tests/app/fake_engine.h"

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <thread>
#include <unistd.h>

namespace {

class ScriptedEngine : public ridgepoint::test::FakeEngine {
public:
    ScriptedEngine() : FakeEngine(script) {}
    std::vector<ridgepoint::DeviceInfo> devices() const override
    {
        std::vector<ridgepoint::DeviceInfo> list = FakeEngine::devices();
        const char *name = std::getenv("SCRIPTED_GPU");
        if (name && *name) {
            ridgepoint::DeviceInfo gpu;
            gpu.id = "cuda:0";
            gpu.name = name;
            gpu.memoryBytes = 16e9;
            gpu.dtypes = {ridgepoint::DType::F16, ridgepoint::DType::F32};
            gpu.modes = {ridgepoint::DecodeMode::Eager, ridgepoint::DecodeMode::Graph};
            if (std::getenv("SCRIPTED_GPU_BROKEN"))
                gpu.problem = "The scripted GPU cannot be used; take another.";
            list.push_back(gpu);
        }
        return list;
    }

private:
    static void script(const ridgepoint::RunPlan &plan, const ridgepoint::EventSink &sink, std::stop_token stop)
    {
        using namespace ridgepoint;
        if (plan.experiment == Experiment::Line) {
            test::scriptedLine(plan, sink, stop);
            return;
        }
        if (plan.experiment == Experiment::Anatomy) {
            sink(test::started(plan));
            StepAnatomy anatomy;
            anatomy.runId = plan.runId;
            anatomy.mode = plan.mode;
            anatomy.batch = double(plan.batches.front());
            anatomy.context = double(plan.prompts.front());
            anatomy.untracedSeconds = 9e-6;
            if (!std::getenv("SCRIPTED_NO_TRACE")) {
                anatomy.tracer = "script";
                anatomy.kernels = {{"product", 0, 6e-6, 7, StepPart::Qkv, 0}, {"pick", 8e-6, 2e-6, 7, StepPart::Pick, -1}};
                anatomy.tracedSeconds = 10e-6;
                anatomy.busySeconds = 8e-6;
                anatomy.wallSeconds = 12e-6;
            }
            anatomy.parts = {{StepPart::Qkv, 5e-6, 10e3, 20e3}};
            anatomy.partsBy = "a script";
            sink(AnatomyFinished{plan.runId, anatomy});
            sink(RunEnded{plan.runId, RunEnded::How::Done, ErrorKind::Failure, {}});
            return;
        }
        if (const char *file = std::getenv("SCRIPTED_HOLD")) {
            sink(test::started(plan));
            for (const char *what : {"Calibration: read bandwidth", "Calibration: matrix products"})
                sink(Progress{plan.runId, what, 0.1, kMissing, kMissing});
            for (int index = 0; index < std::atoi(std::getenv("SCRIPTED_HOLD_AFTER")); ++index)
                sink(PointFinished{plan.runId, test::point(plan, index, plan.batches.front())});
            std::ofstream(file) << getpid() << std::endl;
            while (!stop.stop_requested())
                std::this_thread::sleep_for(std::chrono::milliseconds(10));
            sink(RunEnded{plan.runId, RunEnded::How::Cancelled, ErrorKind::Cancelled, {}});
            return;
        }
        test::scriptedSweep(
            plan,
            [&](Event event) {
                if (auto *started = std::get_if<RunStarted>(&event); started && plan.device != "cpu") {
                    started->provenance.deviceName = std::getenv("SCRIPTED_GPU");
                } else if (auto *point = std::get_if<PointFinished>(&event)) {
                    point->point.mode = plan.mode;
                    if (std::getenv("SCRIPTED_ALL_SKIPPED")) {
                        point->point.status = PointStatus::Skipped;
                        point->point.reason = "By script.";
                        point->point.stepSeconds = kMissing;
                    }
                }
                sink(event);
            },
            stop);
    }
};

} // namespace

extern "C" int ridgepoint_engine_abi()
{
    return ridgepoint::kEngineAbi;
}

extern "C" ridgepoint::Engine *ridgepoint_engine_create()
{
    return new ScriptedEngine;
}
