// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analytic/decode_model.h"

#include "core/base/error.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace ridgepoint {

namespace {

constexpr double Missing = std::numeric_limits<double>::quiet_NaN();

[[noreturn]] void usage(const std::string &sentence)
{
    throw Error(ErrorKind::Usage, sentence);
}

void requirePositive(std::string_view what, double value)
{
    if (!std::isfinite(value) || value <= 0)
        usage(fmt::format("The {} must be a finite number above zero; {} was given.", what, value));
}

void requireNotNegative(std::string_view what, double value)
{
    if (!std::isfinite(value) || value < 0)
        usage(fmt::format("The {} must be a finite number, zero or above; {} was given.", what, value));
}

void requireCeilings(const Ceilings &ceilings)
{
    requirePositive("memory bandwidth (B/s)", ceilings.bandwidth);
    requirePositive("peak arithmetic rate (FLOP/s)", ceilings.flops);
    requireNotNegative("overhead of a step (s)", ceilings.overhead);
}

/// Tokens that the layers together attend to at context n, one count a layer.
double attendedTokens(const Workload &workload, double context)
{
    return workload.fullLayers * context + workload.slidingLayers * std::min(context, workload.slidingWindow);
}

/// Sum over the positions 1..p of the tokens each attends to, at most `window` of them.
double causalPairs(double prompt, double window)
{
    const double ramp = std::min(prompt, window);
    return ramp * (ramp + 1) / 2 + (prompt - ramp) * window;
}

/// KV bytes that each sequence adds to the traffic of a step.
double kvTrafficBytes(const Workload &workload, double context)
{
    return workload.kvReadBytes(context) + workload.kvWriteBytes();
}

} // namespace

std::string_view accountingName(Accounting accounting)
{
    return accounting == Accounting::Textbook ? "textbook" : "exact";
}

std::optional<Accounting> parseAccounting(std::string_view text)
{
    if (text == "textbook")
        return Accounting::Textbook;
    if (text == "exact")
        return Accounting::Exact;
    return std::nullopt;
}

double Workload::kvReadBytes(double context) const
{
    if (accounting == Accounting::Textbook || slidingLayers <= 0)
        return context * kvBytesPerToken;
    return kvBytesPerToken / layers * attendedTokens(*this, context);
}

double Workload::kvWriteBytes() const
{
    return accounting == Accounting::Exact ? kvBytesPerToken : 0;
}

double Workload::flopPerSequence(double context) const
{
    const double products = 2 * parameters;
    if (accounting == Accounting::Textbook)
        return products;
    // Scores and weighted sum: two multiply-adds for each of heads x head_dim and each token attended to.
    return products + 4 * attentionWidth * attendedTokens(*this, context);
}

double Workload::kvResidentBytes(double context) const
{
    return context * kvBytesPerToken;
}

Workload makeWorkload(const ModelShape &shape, DType dtype, Accounting accounting, const WorkloadOverrides &overrides)
{
    const ParameterCount count = countParameters(shape);
    const double elementBytes = bytesPerElement(dtype);
    if (overrides.parameters)
        requirePositive("number of parameters", *overrides.parameters);
    if (overrides.weightBytes)
        requirePositive("weight bytes", *overrides.weightBytes);
    if (overrides.kvBytesPerToken)
        requireNotNegative("KV bytes per token", *overrides.kvBytesPerToken);

    Workload workload;
    workload.accounting = accounting;
    workload.dtype = dtype;
    const double table = static_cast<double>(shape.vocab) * static_cast<double>(shape.hidden);
    double gatheredBytes = 0; // stored, never streamed
    if (accounting == Accounting::Textbook) {
        workload.parameters = overrides.parameters.value_or(count.total);
        workload.weightBytes = elementBytes * workload.parameters;
        workload.headParameters = table * (workload.parameters / count.total);
    } else {
        workload.parameters = overrides.parameters.value_or(count.multiplied);
        workload.weightBytes = elementBytes * count.streamed;
        gatheredBytes = elementBytes * (count.total - count.streamed);
        // With N typed in, the head keeps its share of it.
        workload.headParameters = overrides.parameters ? table * (workload.parameters / count.multiplied) : table;
    }
    workload.weightBytes = overrides.weightBytes.value_or(workload.weightBytes);
    workload.residentWeightBytes = workload.weightBytes + gatheredBytes;
    workload.kvBytesPerToken = overrides.kvBytesPerToken.value_or(kvBytesPerToken(shape, dtype));
    workload.layers = static_cast<double>(shape.layers);
    workload.slidingWindow = static_cast<double>(shape.slidingWindow);
    if (shape.slidingWindow > 0) {
        workload.slidingLayers =
            shape.slidingLayers.empty()
                ? workload.layers
                : static_cast<double>(std::count(shape.slidingLayers.begin(), shape.slidingLayers.end(), true));
    }
    workload.fullLayers = workload.layers - workload.slidingLayers;
    workload.attentionWidth = static_cast<double>(shape.heads) * static_cast<double>(shape.headDim);
    return workload;
}

std::string_view boundName(Bound bound)
{
    return bound == Bound::Memory ? "memory" : "compute";
}

StepPrediction predictStep(const Workload &workload, const Ceilings &ceilings, double batch, double context)
{
    requirePositive("batch", batch);
    requirePositive("context (tokens)", context);
    requireCeilings(ceilings);

    StepPrediction step;
    step.batch = batch;
    step.context = context;
    step.bytes = workload.weightBytes + batch * kvTrafficBytes(workload, context);
    step.flop = batch * workload.flopPerSequence(context);
    step.intensity = step.flop / step.bytes;
    step.memorySeconds = step.bytes / ceilings.bandwidth;
    step.computeSeconds = step.flop / ceilings.flops;
    step.overheadSeconds = ceilings.overhead;
    step.bound = step.computeSeconds > step.memorySeconds ? Bound::Compute : Bound::Memory;
    step.stepSeconds = step.floorSeconds() + step.overheadSeconds;
    step.tokensPerSecond = batch / step.stepSeconds;
    if (!std::isfinite(step.intensity) || !std::isfinite(step.stepSeconds) || !std::isfinite(step.tokensPerSecond))
        usage(fmt::format("A step of batch {} at context {} is beyond what can be computed; choose smaller numbers.",
                          batch, context));
    return step;
}

PrefillPrediction predictPrefill(const Workload &workload, const Ceilings &ceilings, double batch, double prompt)
{
    requirePositive("batch", batch);
    requirePositive("prompt (tokens)", prompt);
    requireCeilings(ceilings);

    PrefillPrediction prefill;
    prefill.prompt = prompt;
    prefill.batch = batch;
    if (workload.accounting == Accounting::Textbook) {
        prefill.flop = 2 * workload.parameters * prompt * batch;
        prefill.bytes = workload.weightBytes;
    } else {
        const double body = 2 * (workload.parameters - workload.headParameters) * prompt;
        const double head = 2 * workload.headParameters;
        const double attention = 4 * workload.attentionWidth *
                                 (workload.fullLayers * causalPairs(prompt, prompt) +
                                  workload.slidingLayers * causalPairs(prompt, workload.slidingWindow));
        prefill.flop = batch * (body + head + attention);
        prefill.bytes = workload.weightBytes + batch * prompt * workload.kvBytesPerToken;
    }
    prefill.intensity = prefill.flop / prefill.bytes;
    prefill.memorySeconds = prefill.bytes / ceilings.bandwidth;
    prefill.computeSeconds = prefill.flop / ceilings.flops;
    prefill.floorSeconds = std::max(prefill.memorySeconds, prefill.computeSeconds);
    prefill.bound = prefill.computeSeconds > prefill.memorySeconds ? Bound::Compute : Bound::Memory;
    if (!std::isfinite(prefill.intensity) || !std::isfinite(prefill.floorSeconds))
        usage(fmt::format("A prefill of batch {} and {} tokens is beyond what can be computed; choose smaller numbers.",
                          batch, prompt));
    return prefill;
}

double maxIntensity(const Workload &workload, double context)
{
    requirePositive("context (tokens)", context);
    return workload.flopPerSequence(context) / kvTrafficBytes(workload, context);
}

std::optional<double> batchAtRidge(const Workload &workload, double ridge, double context)
{
    requirePositive("ridge (FLOP/B)", ridge);
    requirePositive("context (tokens)", context);
    const double room = workload.flopPerSequence(context) - ridge * kvTrafficBytes(workload, context);
    if (!(room > 0))
        return std::nullopt;
    return ridge * workload.weightBytes / room;
}

double batchAtRidgeWithoutKv(const Workload &workload, double ridge)
{
    requirePositive("ridge (FLOP/B)", ridge);
    return ridge * workload.weightBytes / (2 * workload.parameters);
}

double contextWhereKvEqualsWeights(const Workload &workload)
{
    return workload.weightBytes / workload.kvBytesPerToken;
}

std::optional<double> capacity(const Workload &workload, double memoryBytes, double context, double workspaceBytes)
{
    requirePositive("context (tokens)", context);
    requireNotNegative("memory (B)", memoryBytes);
    requireNotNegative("workspace (B)", workspaceBytes);
    if (memoryBytes == 0)
        return std::nullopt;
    const double room = memoryBytes - workload.residentWeightBytes - workspaceBytes;
    if (room < 0)
        return 0;
    const double sequence = workload.kvResidentBytes(context);
    if (sequence <= 0)
        return std::nullopt;
    return std::floor(room / sequence);
}

double linearTokensPerSecond(double batch, double smallestBatch, double tokensPerSecondAtSmallest)
{
    requirePositive("smallest batch", smallestBatch);
    return batch * tokensPerSecondAtSmallest / smallestBatch;
}

double departure(double tokensPerSecond, double linearTokensPerSecond)
{
    return linearTokensPerSecond > 0 ? 1 - tokensPerSecond / linearTokensPerSecond : Missing;
}

double totalSeconds(double ttftSeconds, double tpotSeconds, double newTokens)
{
    return newTokens >= 1 ? ttftSeconds + (newTokens - 1) * tpotSeconds : Missing;
}

double tpotBySubtraction(double totalSeconds, double ttftSeconds, double newTokens)
{
    return newTokens >= 2 ? (totalSeconds - ttftSeconds) / (newTokens - 1) : Missing;
}

RatioBand ratioBand(double ratio)
{
    if (!std::isfinite(ratio))
        usage(
            "The ratio of measured time to floor is not a finite number, so it has no band; measure the point first.");
    if (ratio < 1.0)
        return RatioBand::Impossible;
    if (ratio < 1.5)
        return RatioBand::NearBandwidth;
    if (ratio < 3.0)
        return RatioBand::MemoryBound;
    if (ratio <= 6.0)
        return RatioBand::PartlyElsewhere;
    return RatioBand::OverheadRules;
}

std::string_view ratioBandText(RatioBand band)
{
    switch (band) {
    case RatioBand::Impossible:
        return "Impossible: a step cannot be faster than its floor. Look for the fault: a missing synchronise, weights "
               "that stay in the cache, the wrong card or the wrong dtype.";
    case RatioBand::NearBandwidth:
        return "Nearly at the bandwidth: the step does little else than read weights. Only fewer bytes or more "
               "bandwidth "
               "make it faster.";
    case RatioBand::MemoryBound:
        return "Memory-bound holds: a third of the step or more is what memory takes at its best. Look at the kernels and the launches for the rest.";
    case RatioBand::PartlyElsewhere:
        return "A clear part of the time moves no weights. The device may be waiting for launches: look at the gaps "
               "between kernels before calling the bandwidth unused.";
    case RatioBand::OverheadRules:
        return "Overhead rules: the step is mostly fixed cost. A faster device would hardly help; fewer launches, a "
               "graph or a larger batch would.";
    }
    return {};
}

std::vector<SweepPrediction> predictSweep(const Workload &workload, const Ceilings &ceilings,
                                          const std::vector<std::int64_t> &batches, double context,
                                          double workspaceBytes)
{
    std::vector<SweepPrediction> rows;
    if (batches.empty())
        return rows;
    const std::optional<double> limit = capacity(workload, ceilings.memory, context, workspaceBytes);
    const StepPrediction smallest = predictStep(
        workload, ceilings, static_cast<double>(*std::min_element(batches.begin(), batches.end())), context);
    rows.reserve(batches.size());
    for (const std::int64_t batch : batches) {
        SweepPrediction row;
        row.step = predictStep(workload, ceilings, static_cast<double>(batch), context);
        row.linear = linearTokensPerSecond(row.step.batch, smallest.batch, smallest.tokensPerSecond);
        row.departure = departure(row.step.tokensPerSecond, row.linear);
        row.capacity = limit;
        row.fits = !limit || row.step.batch <= *limit;
        rows.push_back(row);
    }
    return rows;
}

std::optional<double> firstDeparture(const std::vector<SweepPrediction> &rows, double threshold)
{
    std::optional<double> first;
    for (const SweepPrediction &row : rows) {
        if (row.departure > threshold && (!first || row.step.batch < *first))
            first = row.step.batch;
    }
    return first;
}

EffectiveBytes effectiveBytes(const Workload &workload, double measuredBandwidth, double batch, double context,
                              double stepSeconds)
{
    EffectiveBytes result;
    result.effective = stepSeconds * measuredBandwidth;
    result.lessWeights = result.effective - workload.weightBytes;
    result.kvPredicted = batch * kvTrafficBytes(workload, context);
    return result;
}

} // namespace ridgepoint
