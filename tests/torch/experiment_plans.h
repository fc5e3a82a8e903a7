// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/session/events.h"

#include <vector>

namespace ridgepoint::test {

/// Two layers of 64: a whole run takes a fraction of a second.
inline ModelShape tinyShape()
{
    ModelShape shape;
    shape.id = "tiny";
    shape.name = "Tiny";
    shape.architecture = "LlamaForCausalLM";
    shape.layers = 2;
    shape.hidden = 64;
    shape.heads = 4;
    shape.kvHeads = 2;
    shape.headDim = 16;
    shape.ffn = 128;
    shape.vocab = 300;
    shape.maxPositions = 4096;
    shape.bosToken = 1;
    shape.eosTokens = {2};
    return shape;
}

/// Ceilings are given, so that a run has nothing to calibrate.
inline RunPlan tinyPlan(Experiment experiment)
{
    RunPlan plan;
    plan.runId = newId();
    plan.experiment = experiment;
    plan.model.shape = tinyShape();
    plan.prompts = {5, 9};
    plan.batches = {1, 3};
    plan.warmup = 2;
    plan.steps = 4;
    plan.newTokens = 6;
    plan.repeats = 2;
    plan.nominal.bandwidth = 50e9;
    plan.nominal.flops = 1e12;
    plan.nominal.overhead = 1e-3; // must not enter a floor
    MeasuredCeilings measured;
    measured.readBandwidth = 20e9;
    measured.matmulFlops[DType::BF16] = 100e9;
    measured.stepOverhead = 1e-4;
    measured.overheadLayers = 2;
    plan.measured = measured;
    return plan;
}

template <typename Kind>
std::vector<Kind> eventsOf(const std::vector<Event> &events)
{
    std::vector<Kind> result;
    for (const Event &event : events)
        if (const auto *wanted = std::get_if<Kind>(&event))
            result.push_back(*wanted);
    return result;
}

} // namespace ridgepoint::test
