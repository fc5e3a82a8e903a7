// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/bend.h"

#include "core/base/error.h"

#include <algorithm>
#include <cmath>

namespace ridgepoint {

namespace {

bool measured(const SweepPoint &p)
{
    return p.status == PointStatus::Ok && p.batch > 0 && std::isfinite(p.stepSeconds) && p.stepSeconds > 0;
}

/// The width p10..p90 of a point's steps; 0 where it is not known.
double width(const SweepPoint &p)
{
    const double w = p.p90Seconds - p.p10Seconds;
    return std::isfinite(w) ? w : 0;
}

/// Smallest batch whose step exceeds the first one's by so much that it departs. `steps`: (batch, seconds), any order.
std::optional<double> firstDeparture(std::vector<std::pair<double, double>> steps)
{
    std::sort(steps.begin(), steps.end());
    for (const auto &[batch, seconds] : steps)
        // tokens/s over linear is t(smallest) / t.
        if (1 - steps.front().second / seconds > kDepartureThreshold)
            return batch;
    return std::nullopt;
}

} // namespace

const MeasuredCeilings *measuredCeilingsOf(const RunRecord &run)
{
    if (run.calibration)
        return &run.calibration->ceilings;
    return run.plan.measured ? &*run.plan.measured : nullptr;
}

Ceilings bestCeilingsOf(const RunRecord &run)
{
    Ceilings c = run.plan.nominal;
    c.overhead = 0;
    if (const MeasuredCeilings *m = measuredCeilingsOf(run)) {
        if (m->readBandwidth)
            c.bandwidth = *m->readBandwidth;
        if (const auto rate = m->matmulFlops.find(run.plan.dtype); rate != m->matmulFlops.end())
            c.flops = rate->second;
    }
    return c;
}

std::vector<BendAnalysis> bendOf(const RunRecord &run)
{
    std::vector<BendAnalysis> result;
    std::optional<Workload> workload;
    try {
        workload = runWorkload(run);
    } catch (const Error &) {
        // A run without a model (a calibration) has times and no bytes.
    }
    const Ceilings ceilings = bestCeilingsOf(run);
    // Those of an edited file may be any two numbers; no device has others than these.
    const bool sound = ceilings.bandwidth >= 1 && ceilings.bandwidth <= 1e20 && ceilings.flops >= 1 && ceilings.flops <= 1e25;
    const MeasuredCeilings *known = measuredCeilingsOf(run);
    const bool measuredBandwidth = known && known->readBandwidth;

    std::vector<std::int64_t> prompts;
    for (const SweepPoint &p : run.points)
        if (std::find(prompts.begin(), prompts.end(), p.prompt) == prompts.end())
            prompts.push_back(p.prompt);

    for (const std::int64_t prompt : prompts) {
        BendAnalysis &bend = result.emplace_back();
        bend.prompt = static_cast<double>(prompt);
        bend.measuredCeilings = measuredBandwidth;
        std::vector<const SweepPoint *> points;
        std::vector<std::pair<double, double>> steps, forecasts, floors;
        for (const SweepPoint &p : run.points) {
            if (p.prompt != prompt)
                continue;
            const double batch = static_cast<double>(p.batch);
            if (measured(p)) {
                points.push_back(&p);
                steps.emplace_back(batch, p.stepSeconds);
            }
            if (p.status == PointStatus::OutOfMemory || p.status == PointStatus::Skipped)
                bend.cutOff.push_back(batch);
            if (p.forecast.predicted && p.forecast.predicted->stepSeconds > 0)
                forecasts.emplace_back(batch, p.forecast.predicted->stepSeconds);
            const StepPrediction &floor = p.forecast.floorMeasured ? *p.forecast.floorMeasured : p.forecast.floorNominal;
            if (floor.floorSeconds() > 0)
                floors.emplace_back(batch, floor.floorSeconds());
        }
        std::sort(bend.cutOff.begin(), bend.cutOff.end());
        std::sort(points.begin(), points.end(),
                  [](const SweepPoint *a, const SweepPoint *b) { return a->batch < b->batch; });
        bend.firstDepartureMeasured = firstDeparture(steps);
        bend.firstDepartureForecast = firstDeparture(forecasts);
        bend.firstDepartureFloor = firstDeparture(floors);
        bend.hasForecast = !forecasts.empty();
        bend.hasFloor = !floors.empty();

        const auto usual = std::find_if(run.points.begin(), run.points.end(),
                                        [&](const SweepPoint &p) { return p.prompt == prompt && p.context > 0; });
        if (workload && usual != run.points.end()) {
            bend.maxIntensity = maxIntensity(*workload, usual->context);
            if (sound) {
                bend.ridge = ceilings.ridge();
                bend.roofBatch = batchAtRidge(*workload, bend.ridge, usual->context);
            }
        }

        std::optional<StepPrediction> base;
        for (const SweepPoint *p : points) {
            BendPoint &b = bend.points.emplace_back();
            const SweepPoint &first = *points.front();
            b.index = p->index;
            b.batch = static_cast<double>(p->batch);
            b.context = p->context;
            b.excessSeconds = p->stepSeconds - first.stepSeconds;
            b.departure = 1 - first.stepSeconds / p->stepSeconds;
            if (measuredBandwidth)
                b.effectiveBytes = p->stepSeconds * ceilings.bandwidth;
            if (!workload || !(p->context > 0))
                continue;
            b.modelBytes = workload->weightBytes +
                           b.batch * (workload->kvReadBytes(p->context) + workload->kvWriteBytes());
            if (!sound)
                continue;
            const StepPrediction step = predictStep(*workload, ceilings, b.batch, p->context);
            if (!base)
                base = step;
            const auto beyondMemory = [](const StepPrediction &s) {
                return std::max(0.0, s.computeSeconds - s.memorySeconds);
            };
            b.kvSeconds = (step.bytes - base->bytes) / ceilings.bandwidth;
            b.computeSeconds = beyondMemory(step) - beyondMemory(*base);
            b.kernelSeconds = b.excessSeconds - b.kvSeconds - b.computeSeconds;
            if (b.excessSeconds > std::max(width(*p), width(first))) {
                b.kvShare = b.kvSeconds / b.excessSeconds;
                b.computeShare = b.computeSeconds / b.excessSeconds;
                b.kernelShare = b.kernelSeconds / b.excessSeconds;
            }
        }
    }
    return result;
}

} // namespace ridgepoint
