// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analytic/forecast.h"

#include "core/base/error.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

namespace ridgepoint {

namespace {

struct Node {
    double x = 0;
    double seconds = 0;
};

/// Piecewise linear through `nodes` (sorted by x, distinct), beyond the last along the last piece without falling, below the
/// first its value. NaN without a node.
double along(const std::vector<Node> &nodes, double x)
{
    if (nodes.empty())
        return std::nan("");
    if (x <= nodes.front().x || nodes.size() == 1)
        return nodes.front().seconds;
    std::size_t next = 1;
    while (next + 1 < nodes.size() && nodes[next].x < x)
        ++next;
    const Node &a = nodes[next - 1], &b = nodes[next];
    double slope = (b.seconds - a.seconds) / (b.x - a.x);
    if (x > b.x)
        slope = std::max(0.0, slope);
    return x > b.x ? b.seconds + slope * (x - b.x) : a.seconds + slope * (x - a.x);
}

/// Sorts by x and joins nodes of equal x into their mean.
std::vector<Node> ordered(std::vector<Node> nodes)
{
    std::sort(nodes.begin(), nodes.end(), [](const Node &a, const Node &b) { return a.x < b.x; });
    std::vector<Node> result;
    std::size_t of = 0;
    for (const Node &node : nodes) {
        if (!result.empty() && result.back().x == node.x) {
            ++of;
            result.back().seconds += (node.seconds - result.back().seconds) / static_cast<double>(of);
        } else {
            result.push_back(node);
            of = 1;
        }
    }
    return result;
}

bool sound(double value)
{
    return std::isfinite(value) && value > 0;
}

} // namespace

bool hasTimings(const MeasuredCeilings &measured, std::string_view shapeId, DType dtype, bool graph)
{
    return measured.timings && !measured.timings->steps.empty() && measured.timings->shape == shapeId &&
           measured.timings->dtype == dtype && measured.timings->graph == graph;
}

std::optional<double> forecastStepSeconds(const ShapeTimings &timings, const Workload &workload, double batch, double context)
{
    std::map<double, std::vector<Node>> ofBatch;
    for (const StepTiming &timing : timings.steps)
        if (sound(timing.batch) && std::isfinite(timing.context) && timing.context >= 0 && sound(timing.seconds))
            ofBatch[timing.batch].push_back({workload.kvReadBytes(timing.context), timing.seconds});
    std::vector<Node> batches;
    const double bytes = workload.kvReadBytes(context);
    for (auto &[timed, nodes] : ofBatch)
        batches.push_back({timed, along(ordered(std::move(nodes)), bytes)});
    const double seconds = along(batches, batch);
    return sound(seconds) ? std::optional<double>(seconds) : std::nullopt;
}

std::optional<StepPrediction> forecastStep(const ShapeTimings &timings, const Workload &workload, const Ceilings &ceilings,
                                           double batch, double context)
{
    const std::optional<double> seconds = forecastStepSeconds(timings, workload, batch, context);
    if (!seconds)
        return std::nullopt;
    Ceilings floor = ceilings;
    floor.overhead = 0;
    StepPrediction prediction = predictStep(workload, floor, batch, context);
    prediction.overheadSeconds = std::max(0.0, *seconds - prediction.floorSeconds());
    prediction.stepSeconds = *seconds;
    prediction.tokensPerSecond = batch / *seconds;
    return prediction;
}

Ceilings withTimedOverhead(Ceilings ceilings, const MeasuredCeilings &measured, const ModelShape &shape, DType dtype, bool graph,
                           double batch, double context)
{
    if (!hasTimings(measured, shape.id, dtype, graph))
        return ceilings;
    try {
        const Workload workload = makeWorkload(shape, dtype, Accounting::Exact);
        if (const auto step = forecastStep(*measured.timings, workload, ceilings, batch, context))
            ceilings.overhead = step->overheadSeconds;
    } catch (const Error &) {
        // No prediction can be made of these figures; whoever makes it says why.
    }
    return ceilings;
}

std::optional<double> forecastPrefillSeconds(const ShapeTimings &timings, double batch, double prompt)
{
    std::vector<PrefillTiming> usable;
    for (const PrefillTiming &timing : timings.prefills)
        if (sound(timing.batch) && sound(timing.prompt) && sound(timing.seconds))
            usable.push_back(timing);
    if (usable.size() < 2)
        return std::nullopt;
    const auto rows = [](const PrefillTiming &t) { return t.batch * t.prompt; };
    const auto squares = [](double b, double p) { return b * p * p; };
    // The pair with equal rows whose prompts differ most says what attention costs.
    double perSquare = 0, widest = 0;
    for (const PrefillTiming &a : usable) {
        for (const PrefillTiming &b : usable) {
            const double apart = squares(a.batch, a.prompt) - squares(b.batch, b.prompt);
            if (rows(a) != rows(b) || apart <= widest)
                continue;
            widest = apart;
            perSquare = std::max(0.0, (a.seconds - b.seconds) / apart);
        }
    }
    std::vector<Node> nodes;
    for (const PrefillTiming &timing : usable)
        nodes.push_back({rows(timing), timing.seconds - perSquare * squares(timing.batch, timing.prompt)});
    const double seconds = along(ordered(std::move(nodes)), batch * prompt) + perSquare * squares(batch, prompt);
    return sound(seconds) ? std::optional<double>(seconds) : std::nullopt;
}

} // namespace ridgepoint
