// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/format.h"
#include "core/session/report.h"

#include <cmath>
#include <fmt/format.h>

namespace ridgepoint {

std::vector<FilledFormula> explainStep(const Workload &workload, const Ceilings &ceilings, double batch, double context,
                                       double measuredSeconds)
{
    const StepPrediction step = predictStep(workload, ceilings, batch, context);
    const double ridge = ceilings.ridge();
    const bool exact = workload.accounting == Accounting::Exact;
    const bool windowed = exact && workload.slidingLayers > 0 && workload.slidingWindow < context;
    const double kvRead = workload.kvReadBytes(context); // of one sequence
    const std::string b = format::count(batch), n = format::exact(context);
    const std::string weights = format::bytes(workload.weightBytes), kv = format::bytes(workload.kvBytesPerToken);

    std::vector<FilledFormula> lines;
    const auto add = [&lines](std::string name, std::string formula, std::string filled, std::string result) {
        lines.push_back({std::move(name), std::move(formula), std::move(filled), std::move(result)});
    };

    // Where some layers look back over a window only, n kv no longer says what a sequence reads.
    const std::string readName = windowed ? "b kv(n)" : "b n kv";
    const std::string readFilled =
        windowed ? fmt::format("{} x {}", b, format::bytes(kvRead)) : fmt::format("{} x {} x {}", b, n, kv);
    if (exact)
        add("bytes of a step", fmt::format("W + {} + b kv", readName),
            fmt::format("{} + {} + {} x {}", weights, readFilled, b, format::bytes(workload.kvWriteBytes())),
            format::bytes(step.bytes));
    else
        add("bytes of a step", "W + b n kv", fmt::format("{} + {}", weights, readFilled), format::bytes(step.bytes));
    const double productFlop = 2 * workload.parameters * batch;
    if (exact)
        add("FLOP of a step", windowed ? "2 N b + attention over the window" : "2 N b + 4 b n heads head_dim layers",
            windowed ? fmt::format("2 x {} x {} + {}", format::count(workload.parameters), b,
                                   format::flop(step.flop - productFlop))
                     : fmt::format("2 x {} x {} + 4 x {} x {} x {} x {}", format::count(workload.parameters), b, b, n,
                                   format::count(workload.attentionWidth), format::count(workload.layers)),
            format::flop(step.flop));
    else
        add("FLOP of a step", "2 N b", fmt::format("2 x {} x {}", format::count(workload.parameters), b),
            format::flop(step.flop));
    add("arithmetic intensity", "FLOP / bytes",
        fmt::format("{} / {}", format::flop(step.flop), format::bytes(step.bytes)), format::intensity(step.intensity));
    add("ridge", "P / B", fmt::format("{} / {}", format::flops(ceilings.flops), format::bandwidth(ceilings.bandwidth)),
        format::intensity(ridge));
    add("bound", "AI against ridge",
        fmt::format("{} {} {}", format::intensity(step.intensity),
                    step.intensity < ridge ? "<" : ">=", format::intensity(ridge)),
        fmt::format("{}-bound", boundName(step.bound)));
    add("memory time", "bytes / B",
        fmt::format("{} / {}", format::bytes(step.bytes), format::bandwidth(ceilings.bandwidth)),
        format::seconds(step.memorySeconds));
    add("compute time", "FLOP / P", fmt::format("{} / {}", format::flop(step.flop), format::flops(ceilings.flops)),
        format::seconds(step.computeSeconds));
    add("floor", "max(bytes / B, FLOP / P)",
        fmt::format("max({}, {})", format::seconds(step.memorySeconds), format::seconds(step.computeSeconds)),
        format::seconds(step.floorSeconds()));
    add("predicted step", "floor + overhead",
        fmt::format("{} + {}", format::seconds(step.floorSeconds()), format::seconds(step.overheadSeconds)),
        format::seconds(step.stepSeconds));
    add("predicted tokens a second", "b / t", fmt::format("{} / {}", b, format::seconds(step.stepSeconds)),
        format::tokensPerSecond(step.tokensPerSecond));

    if (std::isfinite(measuredSeconds) && measuredSeconds > 0) {
        const std::string t = format::seconds(measuredSeconds);
        const double toFloor = measuredSeconds / step.floorSeconds();
        add("measured tokens a second", "b / t", fmt::format("{} / {}", b, t),
            format::tokensPerSecond(batch / measuredSeconds));
        add("measured / floor", "t / floor", fmt::format("{} / {}", t, format::seconds(step.floorSeconds())),
            fmt::format("{}. {}", format::ratio(toFloor), ratioBandText(ratioBand(toFloor))));
        add("measured / predicted", "t / prediction", fmt::format("{} / {}", t, format::seconds(step.stepSeconds)),
            format::ratio(measuredSeconds / step.stepSeconds));
        add("achieved arithmetic rate", "FLOP / t", fmt::format("{} / {}", format::flop(step.flop), t),
            format::flops(step.flop / measuredSeconds));
        const EffectiveBytes e = effectiveBytes(workload, ceilings.bandwidth, batch, context, measuredSeconds);
        add("effective bytes", "t B", fmt::format("{} x {}", t, format::bandwidth(ceilings.bandwidth)),
            format::bytes(e.effective));
        add("effective bytes less W", fmt::format("t B - W, held against {}", readName),
            fmt::format("{} - {}", format::bytes(e.effective), weights),
            fmt::format("{} against {}", format::bytes(e.lessWeights), format::bytes(batch * kvRead)));
    }

    const double most = maxIntensity(workload, context);
    const double perSequenceBytes = kvRead + workload.kvWriteBytes();
    if (std::isfinite(most))
        add("AI_max", exact ? "FLOP a sequence / KV bytes a sequence" : "2 N / (n kv)",
            exact ? fmt::format("{} / {}", format::flop(workload.flopPerSequence(context)),
                                format::bytes(perSequenceBytes))
                  : fmt::format("2 x {} / ({} x {})", format::count(workload.parameters), n, kv),
            format::intensity(most));
    else
        add("AI_max", "2 N / (n kv)", "no KV cache is read", "without bound");
    const std::optional<double> roof = batchAtRidge(workload, ridge, context);
    add("b*, the batch that reaches the roof",
        exact ? "ridge W / (FLOP a sequence - ridge KV bytes a sequence)" : "ridge W / (2 N - ridge n kv)",
        exact ? fmt::format("{} x {} / ({} - {} x {})", format::significant(ridge, 3), weights,
                            format::flop(workload.flopPerSequence(context)), format::significant(ridge, 3),
                            format::bytes(perSequenceBytes))
              : fmt::format("{} x {} / (2 x {} - {} x {} x {})", format::significant(ridge, 3), weights,
                            format::count(workload.parameters), format::significant(ridge, 3), n, kv),
        roof ? format::significant(*roof, 3)
             : fmt::format("never: AI_max {} < ridge {}", format::significant(most, 3), format::significant(ridge, 3)));
    // A memory of 0 means unknown; "0 sequences fit" would be a claim.
    const std::optional<double> fits =
        ceilings.memory > 0 ? capacity(workload, ceilings.memory, context) : std::nullopt;
    add("capacity", "floor((memory - W_total) / (n kv))",
        fits
            ? fmt::format("({} - {}) / {}", format::bytes(ceilings.memory), format::bytes(workload.residentWeightBytes),
                          format::bytes(workload.kvResidentBytes(context)))
            : std::string("the device's memory is not known"),
        fits ? fmt::format("{} sequences", format::count(*fits)) : std::string("not known"));
    return lines;
}

} // namespace ridgepoint
