// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analytic/forecast.h"

#include "core/base/error.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

namespace ridgepoint {

namespace {

bool sound(double value)
{
    return std::isfinite(value) && value > 0;
}

} // namespace

/// Piecewise linear through `nodes` (sorted by x, distinct), beyond the last along the last piece without falling, below the
/// first its value. NaN without a node.
double TimedSteps::along(const Node *nodes, std::size_t count, double x)
{
    if (count == 0)
        return std::nan("");
    if (x <= nodes[0].x || count == 1)
        return nodes[0].seconds;
    std::size_t next = 1;
    while (next + 1 < count && nodes[next].x < x)
        ++next;
    const Node &a = nodes[next - 1], &b = nodes[next];
    double slope = (b.seconds - a.seconds) / (b.x - a.x);
    if (x > b.x)
        slope = std::max(0.0, slope);
    return x > b.x ? b.seconds + slope * (x - b.x) : a.seconds + slope * (x - a.x);
}

/// Sorts by x and joins nodes of equal x into their mean.
std::vector<TimedSteps::Node> TimedSteps::ordered(std::vector<Node> nodes)
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

TimedSteps::TimedSteps(const ShapeTimings &timings, const Workload &workload) : m_workload(workload)
{
    std::map<double, std::vector<Node>> ofBatch;
    for (const StepTiming &timing : timings.steps)
        if (sound(timing.batch) && std::isfinite(timing.context) && timing.context >= 0 && sound(timing.seconds))
            ofBatch[timing.batch].push_back({workload.kvReadBytes(timing.context), timing.seconds});
    for (auto &[batch, nodes] : ofBatch)
        m_batches.push_back({batch, ordered(std::move(nodes))});
}

std::optional<double> TimedSteps::seconds(double batch, double context) const
{
    if (m_batches.empty())
        return std::nullopt;
    const double bytes = m_workload.kvReadBytes(context);
    const auto of = [bytes](const Timed &timed) {
        return Node{timed.batch, along(timed.nodes.data(), timed.nodes.size(), bytes)};
    };
    // Between two batches, or beyond the last along the last piece: two of them are enough.
    std::size_t next = 1;
    while (next + 1 < m_batches.size() && m_batches[next].batch < batch)
        ++next;
    double result = 0;
    if (m_batches.size() == 1 || batch <= m_batches.front().batch) {
        result = of(m_batches.front()).seconds;
    } else {
        const Node pair[] = {of(m_batches[next - 1]), of(m_batches[next])};
        result = along(pair, 2, batch);
    }
    return sound(result) ? std::optional<double>(result) : std::nullopt;
}

std::optional<StepPrediction> TimedSteps::step(const Ceilings &ceilings, double batch, double context) const
{
    const std::optional<double> timed = seconds(batch, context);
    if (!timed)
        return std::nullopt;
    Ceilings floor = ceilings;
    floor.overhead = 0;
    StepPrediction prediction = predictStep(m_workload, floor, batch, context);
    prediction.overheadSeconds = std::max(0.0, *timed - prediction.floorSeconds());
    prediction.stepSeconds = *timed;
    prediction.tokensPerSecond = batch / *timed;
    return prediction;
}

bool hasTimings(const MeasuredCeilings &measured, std::string_view shapeId, DType dtype, DecodeMode mode)
{
    return measured.timings && !measured.timings->steps.empty() && measured.timings->shape == shapeId &&
           measured.timings->dtype == dtype && measured.timings->mode == mode;
}

std::optional<double> forecastStepSeconds(const ShapeTimings &timings, const Workload &workload, double batch, double context)
{
    return TimedSteps(timings, workload).seconds(batch, context);
}

std::optional<StepPrediction> forecastStep(const ShapeTimings &timings, const Workload &workload, const Ceilings &ceilings,
                                           double batch, double context)
{
    return TimedSteps(timings, workload).step(ceilings, batch, context);
}

Ceilings withTimedOverhead(Ceilings ceilings, const MeasuredCeilings &measured, const ModelShape &shape, DType dtype, DecodeMode mode,
                           double batch, double context)
{
    if (!hasTimings(measured, shape.id, dtype, mode))
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
    std::vector<TimedSteps::Node> nodes;
    for (const PrefillTiming &timing : usable)
        nodes.push_back({rows(timing), timing.seconds - perSquare * squares(timing.batch, timing.prompt)});
    nodes = TimedSteps::ordered(std::move(nodes));
    const double seconds = TimedSteps::along(nodes.data(), nodes.size(), batch * prompt) + perSquare * squares(batch, prompt);
    return sound(seconds) ? std::optional<double>(seconds) : std::nullopt;
}

} // namespace ridgepoint
