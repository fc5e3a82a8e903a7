// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/analysis.h"

#include "core/base/error.h"
#include "core/base/format.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace ridgepoint {

namespace {

bool known(double value)
{
    return std::isfinite(value);
}

std::string listed(const std::vector<std::string> &items)
{
    std::string text;
    for (const std::string &item : items)
        text += (text.empty() ? "" : ", ") + item;
    return text;
}

std::string signedSeconds(double value)
{
    return value < 0 ? "-" + format::seconds(-value) : format::seconds(value);
}

std::string batchOr(const std::optional<double> &batch, bool any)
{
    return batch ? "batch " + format::count(*batch) : any ? std::string("none") : std::string("not known");
}

} // namespace

bool recordedUsableMemory(const RunRecord &run)
{
    return known(run.provenance.usableBytes) && run.provenance.usableBytes > 0;
}

FrontierMemory frontierMemoryOf(const RunRecord &run)
{
    FrontierMemory memory;
    if (recordedUsableMemory(run)) {
        memory.bytes = run.provenance.usableBytes;
        memory.workspace = run.provenance.workspace;
        return memory;
    }
    memory.workspace.keepsStepBuffers = run.plan.device != "cpu"; // as the engine has always done on a GPU
    const double device = run.provenance.deviceMemoryBytes;
    memory.bytes = device > 0 && known(device) ? device : memoryOf(run);
    double beside = kMissing; // the runtime and other processes
    for (const SweepPoint &p : run.points)
        if (const double b = p.deviceUsedBytes - p.peakBytes; b > 0 && !(b >= beside))
            beside = b;
    if (known(beside))
        memory.runtimeBytes = beside;
    if (run.plan.memoryLimitBytes > 0 && run.plan.memoryLimitBytes < memory.bytes - memory.runtimeBytes) {
        memory.bytes = run.plan.memoryLimitBytes;
        memory.runtimeBytes = 0;
    }
    return memory;
}

double cachePositions(const RunRecord &run, const SweepPoint &point)
{
    const double perToken = kvBytesPerToken(run.plan.model.shape, run.plan.dtype);
    const double batch = static_cast<double>(point.batch);
    if (point.kvBytes > 0 && known(point.kvBytes) && perToken > 0 && batch > 0)
        return std::round(point.kvBytes / (batch * perToken));
    int backToBack = 0; // steps of the run's other points
    for (const SweepPoint &p : run.points)
        backToBack = std::max(backToBack, p.backToBackSteps);
    const double prompt = static_cast<double>(point.prompt), warmup = run.plan.warmup, steps = run.plan.steps;
    // The back-to-back steps lie around the middle of the timed ones.
    const double from = std::max(prompt, prompt + warmup + std::floor(steps / 2) - std::floor(backToBack / 2.0));
    return std::max(prompt + warmup + steps, from + backToBack);
}

std::vector<FrontierCheck> checkFrontier(const RunRecord &run)
{
    std::vector<FrontierCheck> checks;
    const FrontierMemory memory = frontierMemoryOf(run);
    try {
        for (const SweepPoint &p : run.points) {
            FrontierCheck c;
            c.index = p.index;
            c.batch = static_cast<double>(p.batch);
            c.prompt = static_cast<double>(p.prompt);
            c.positions = cachePositions(run, p);
            c.status = p.status;
            // A sweep's workspace holds one prompt, not the whole cache; the frontier counts the cache's positions for it.
            const auto edge = capacityFrontier(run.plan.model.shape, run.plan.dtype, memory, {c.positions});
            if (edge.empty())
                return {};
            c.largest = edge.front().batch;
            c.predictedFits = c.batch <= c.largest;
            if (p.status == PointStatus::Ok || p.status == PointStatus::OutOfMemory)
                c.rightSide = c.predictedFits == (p.status == PointStatus::Ok);
            checks.push_back(c);
        }
    } catch (const Error &) {
        return {}; // no model
    }
    return checks;
}

TextTable verdictTable(const Session &session, const RunRecord &run)
{
    TextTable table{{"prompt", "batch", "step", "ratio", "memory", "compute", "launch", "verdict", "because"}, {}};
    const auto add = [&table](double prompt, double batch, double seconds, const Verdict &v) {
        std::string because = v.sentence.english();
        if (const auto colon = because.find(": "); colon != std::string::npos) // the kind has a column
            because.erase(0, colon + 2);
        table.rows.push_back({format::count(prompt), format::count(batch), format::seconds(seconds), format::ratio(v.ratio),
                              format::percent(v.memoryShare), format::percent(v.computeShare),
                              format::percent(v.launchShare), std::string(verdictName(v.kind)), std::move(because)});
    };
    for (const SweepPoint &p : run.points)
        if (p.status == PointStatus::Ok)
            add(static_cast<double>(p.prompt), static_cast<double>(p.batch), p.stepSeconds, judge(session, run, p));
    if (run.ttft) {
        const TtftMethodResult *best = recordMethod(*run.ttft);
        add(static_cast<double>(run.ttft->prompt), static_cast<double>(run.ttft->batch), best ? best->tpotSeconds : kMissing,
            judgeTtft(session, run));
    }
    return table;
}

TextTable bendTable(const std::vector<BendAnalysis> &bends)
{
    TextTable table{{"prompt", "batch", "departure", "lost per step", "KV bytes explain", "compute explains",
                     "left to kernels", "effective bytes", "W + b n kv"},
                    {}};
    for (const BendAnalysis &bend : bends)
        for (const BendPoint &p : bend.points)
            table.rows.push_back({format::count(bend.prompt), format::count(p.batch), format::percent(p.departure),
                                  signedSeconds(p.excessSeconds), format::percent(p.kvShare),
                                  format::percent(p.computeShare), format::percent(p.kernelShare),
                                  format::bytes(p.effectiveBytes), format::bytes(p.modelBytes)});
    return table;
}

std::vector<std::string> bendSentences(const std::vector<BendAnalysis> &bends)
{
    std::vector<std::string> sentences;
    for (const BendAnalysis &bend : bends) {
        std::string text = fmt::format("Prompt {}: first departure over 5 % at: measured {}, forecast {}, floor {}.",
                                       format::count(bend.prompt),
                                       batchOr(bend.firstDepartureMeasured, !bend.points.empty()),
                                       batchOr(bend.firstDepartureForecast, bend.hasForecast),
                                       batchOr(bend.firstDepartureFloor, bend.hasFloor));
        if (known(bend.ridge)) {
            const char *which = bend.measuredCeilings ? "measured" : "nominal";
            text += bend.roofBatch
                        ? fmt::format(" The arithmetic overtakes the bytes at batch {} (AI_max {}, {} ridge {}).",
                                      format::significant(*bend.roofBatch, 3), format::intensity(bend.maxIntensity), which,
                                      format::intensity(bend.ridge))
                        : fmt::format(" The arithmetic never overtakes the bytes: AI_max {} < {} ridge {}.",
                                      format::intensity(bend.maxIntensity), which, format::intensity(bend.ridge));
        }
        if (!bend.cutOff.empty()) {
            std::vector<std::string> batches;
            for (const double b : bend.cutOff)
                batches.push_back(format::count(b));
            text += fmt::format(" Memory cut off batch {}.", listed(batches));
        }
        sentences.push_back(std::move(text));
    }
    return sentences;
}

std::string decompositionTitle(const SessionDecomposition &d)
{
    return fmt::format("{}, {}, {}: {} points of {}", d.device, dtypeName(d.dtype), modeName(d.mode),
                       d.observations.size(), listed(d.models));
}

TextTable decompositionTable(const SessionDecomposition &d)
{
    TextTable table{{"term", "value", "95 % interval", "note"}, {}};
    const auto add = [&table](const char *term, const Estimate &e, std::string (*show)(double), std::string note) {
        if (e.value)
            table.rows.push_back({term, show(*e.value), show(e.low) + " to " + show(e.high), std::move(note)});
        else
            table.rows.push_back({term, "-", "-", e.why.english()});
    };
    const auto against = [](const Estimate &e, double ceiling, std::string (*show)(double)) {
        return e.value && known(ceiling)
                   ? fmt::format("{} of the measured {}", format::percent(*e.value / ceiling), show(ceiling))
                   : std::string();
    };
    const Decomposition &r = d.result;
    add("fixed cost of a step", r.fixedSeconds, signedSeconds, "");
    add("weight bandwidth", r.weightBandwidth, format::bandwidth,
        against(r.weightBandwidth, d.readBandwidth, format::bandwidth));
    if (r.fixedAndWeights.value || !(r.fixedSeconds.value || r.weightBandwidth.value))
        add("fixed cost + weights", r.fixedAndWeights, signedSeconds, "");
    add("KV bandwidth", r.kvBandwidth, format::bandwidth, against(r.kvBandwidth, d.readBandwidth, format::bandwidth));
    add("arithmetic rate", r.flopRate, format::flops, against(r.flopRate, d.matmulRate, format::flops));
    return table;
}

std::vector<std::string> decompositionSentences(const SessionDecomposition &d)
{
    std::vector<std::string> sentences;
    if (!d.result.problem.empty())
        return sentences; // every row of the table says it
    double worst = kMissing;
    std::size_t at = 0;
    for (std::size_t i = 0; i < d.observations.size(); ++i) {
        const double relative = d.result.residuals[i] / d.observations[i].seconds;
        if (known(relative) && !(std::abs(relative) <= std::abs(worst))) {
            worst = relative;
            at = i;
        }
    }
    if (known(worst))
        sentences.push_back(fmt::format("R^2 {}; the greatest residual is {:+.1f} % of its step ({}).",
                                        format::significant(d.result.r2, 4), worst * 100, d.observations[at].name));
    if (d.models.size() > 1)
        sentences.push_back("One fixed cost is fitted for all these models, though it grows with their layers.");
    for (const auto &[estimate, ceiling, what] :
         {std::tuple{&d.result.weightBandwidth, d.readBandwidth, "weights"},
          std::tuple{&d.result.kvBandwidth, d.readBandwidth, "KV cache"}})
        if (estimate->value && known(ceiling) && estimate->low > ceiling)
            sentences.push_back(fmt::format("The bandwidth of the {} lies above the measured {} with its whole interval: "
                                            "the steps do not follow these terms alone.",
                                            what, format::bandwidth(ceiling)));
    return sentences;
}

TextTable frontierTable(const std::vector<FrontierCheck> &checks)
{
    TextTable table{{"prompt", "batch", "positions", "largest that fits", "predicted", "outcome", "right side"}, {}};
    for (const FrontierCheck &c : checks)
        table.rows.push_back({format::count(c.prompt), format::count(c.batch), format::count(c.positions),
                              format::count(c.largest), c.predictedFits ? "fits" : "does not fit",
                              std::string(statusName(c.status)),
                              c.rightSide ? (*c.rightSide ? "yes" : "NO") : "not tried"});
    return table;
}

std::vector<std::string> frontierSentences(const RunRecord &run, const std::vector<FrontierCheck> &checks)
{
    if (checks.empty())
        return {};
    const FrontierMemory memory = frontierMemoryOf(run);
    std::vector<std::string> sentences;
    if (recordedUsableMemory(run))
        sentences.push_back(fmt::format("Weights, KV cache and workspace against the {} that the run could use when it began.",
                                        format::bytes(memory.bytes)));
    else
        sentences.push_back(fmt::format("Weights, KV cache and workspace against {}{}; this file does not say what the run "
                                        "could use, so the edge is near rather than exact.",
                                        format::bytes(memory.bytes),
                                        memory.runtimeBytes > 0
                                            ? fmt::format(" less {} for the runtime and others", format::bytes(memory.runtimeBytes))
                                            : std::string()));
    const auto wrong = std::count_if(checks.begin(), checks.end(),
                                     [](const FrontierCheck &c) { return c.rightSide && !*c.rightSide; });
    const auto tried =
        std::count_if(checks.begin(), checks.end(), [](const FrontierCheck &c) { return c.rightSide.has_value(); });
    sentences.push_back(fmt::format("{} of {} tried points lie on the right side of the frontier.", tried - wrong, tried));
    return sentences;
}

} // namespace ridgepoint
