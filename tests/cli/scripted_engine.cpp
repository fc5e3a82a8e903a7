// SPDX-License-Identifier: GPL-3.0-or-later
// An engine module for tests of the command line: it lists a GPU beside the CPU and "runs" plans by script. Its figures
// are made up and never leave the tests. SCRIPTED_GPU names the card; empty: there is none.
#include "tests/app/fake_engine.h"

#include <cstdlib>

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
        test::scriptedSweep(
            plan,
            [&](Event event) {
                if (auto *started = std::get_if<RunStarted>(&event); started && plan.device != "cpu") {
                    started->provenance.deviceName = std::getenv("SCRIPTED_GPU");
                } else if (auto *point = std::get_if<PointFinished>(&event)) {
                    point->point.mode = plan.mode;
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
