// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analytic/hardware.h"
#include "core/analytic/model_shape.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// The analytic model of decode and prefill (spec sections 2 and 4). Pure functions of numbers.
namespace ridgepoint {

/// How bytes and FLOP are counted.
enum class Accounting {
    Textbook, ///< W = bytes x N, FLOP = 2 N b, KV read only: the seeds' arithmetic
    Exact,    ///< what a step really streams and multiplies, attention and the KV write included
};
std::string_view accountingName(Accounting accounting); ///< "textbook", "exact"
std::optional<Accounting> parseAccounting(std::string_view text);

/// Figures that a user typed in place of the derived ones.
struct WorkloadOverrides {
    /// N. In the textbook W follows it; the exact W is a count of tensors and does not.
    std::optional<double> parameters;
    /// W, streamed a step. Resident weights follow it: plus, in the exact accounting, the gathered input embedding.
    std::optional<double> weightBytes;
    std::optional<double> kvBytesPerToken; ///< kv
    bool operator==(const WorkloadOverrides &) const = default;
};

/// One model in one dtype under one accounting: everything the formulas need of it.
struct Workload {
    Accounting accounting = Accounting::Textbook;
    DType dtype = DType::F16;
    double parameters = 0;          ///< N used in FLOP = 2 N b (textbook: all; exact: multiplied ones)
    double weightBytes = 0;         ///< W: bytes of weights that one step reads
    double residentWeightBytes = 0; ///< bytes of weights that occupy memory
    double kvBytesPerToken = 0;     ///< kv, as stored
    double layers = 0;
    double fullLayers = 0; ///< layers that attend to the whole context
    double slidingLayers = 0;
    double slidingWindow = 0;  ///< tokens
    double attentionWidth = 0; ///< heads x head_dim
    double headParameters = 0; ///< the output head's part of `parameters`; prefill needs it at one position only
    bool operator==(const Workload &) const = default;

    /// KV bytes that one sequence reads in a step at context n (window-limited where the accounting is exact).
    double kvReadBytes(double context) const;
    /// KV bytes that one sequence writes in a step: kv when exact, 0 in the textbook.
    double kvWriteBytes() const;
    /// FLOP of one sequence in a step at context n.
    double flopPerSequence(double context) const;
    /// KV bytes that one sequence of n tokens occupies: n x kv, since a static cache keeps every position of every
    /// layer.
    double kvResidentBytes(double context) const;
};

/// Derives a workload. Throws Error (Usage) for a shape that does not hold together (see countParameters) and for an
/// override that is not a finite number above zero (kv: zero or above).
Workload makeWorkload(const ModelShape &shape, DType dtype, Accounting accounting,
                      const WorkloadOverrides &overrides = {});

enum class Bound { Memory, Compute };
std::string_view boundName(Bound bound); ///< "memory", "compute"

/// Prediction of one decode step.
struct StepPrediction {
    double batch = 0;
    double context = 0;
    double bytes = 0;
    double flop = 0;
    double intensity = 0;      ///< FLOP/B
    double memorySeconds = 0;  ///< bytes / B
    double computeSeconds = 0; ///< FLOP / P
    double overheadSeconds = 0;
    double stepSeconds = 0; ///< max(memory, compute) + overhead
    double tokensPerSecond = 0;
    Bound bound = Bound::Memory;
    double floorSeconds() const { return memorySeconds > computeSeconds ? memorySeconds : computeSeconds; }
    bool operator==(const StepPrediction &) const = default;
};

/// t(b, n) = max(bytes / B, FLOP / P) + overhead. Throws Error (Usage) for non-positive or non-finite batch, context, B
/// or P, a negative overhead, and for a step too large to be a number.
StepPrediction predictStep(const Workload &workload, const Ceilings &ceilings, double batch, double context);

/// Prediction of one prefill of `prompt` tokens for `batch` sequences: floor = max(FLOP / P, bytes / B).
/// Textbook: FLOP = 2 N p b, bytes = W. Exact: the head multiplies the last position only, causal attention is counted
/// (2 p (p + 1) x heads x head_dim a full layer), bytes = W + the KV written. Throws like predictStep.
struct PrefillPrediction {
    double prompt = 0;
    double batch = 0;
    double flop = 0;
    double bytes = 0;
    double intensity = 0; ///< FLOP/B; p x b for two-byte weights in the textbook
    double memorySeconds = 0;
    double computeSeconds = 0;
    double floorSeconds = 0; ///< TTFT floor: the greater of the two
    Bound bound = Bound::Memory;
    bool operator==(const PrefillPrediction &) const = default;
};
PrefillPrediction predictPrefill(const Workload &workload, const Ceilings &ceilings, double batch, double prompt);

/// AI_max(n): intensity as b grows without bound. Infinite where the KV cache costs nothing (kv overridden by 0).
double maxIntensity(const Workload &workload, double context);
/// b*(n): the batch whose intensity equals `ridge`; nothing where AI_max(n) <= ridge ("never").
std::optional<double> batchAtRidge(const Workload &workload, double ridge, double context);
/// Batch at which compute overtakes memory when the KV cache is left out: ridge x W / (2 N).
double batchAtRidgeWithoutKv(const Workload &workload, double ridge);
/// Context at which one sequence's KV cache weighs as much as the weights: W / kv.
double contextWhereKvEqualsWeights(const Workload &workload);
/// capacity(n) = floor((memory - W_total - workspace) / (n x kv)); nothing where memory is unknown (0)
/// or the KV cache costs nothing, 0 where not even one fits. W_total is residentWeightBytes.
std::optional<double> capacity(const Workload &workload, double memoryBytes, double context, double workspaceBytes = 0);

/// linear(b) = b x tokens/s at the smallest batch / that batch.
double linearTokensPerSecond(double batch, double smallestBatch, double tokensPerSecondAtSmallest);
/// departure = 1 - tokens/s / linear. NaN where linear is not above zero.
double departure(double tokensPerSecond, double linearTokensPerSecond);
/// Total = TTFT + (new - 1) x TPOT. NaN for new < 1.
double totalSeconds(double ttftSeconds, double tpotSeconds, double newTokens);
/// TPOT by method 1: (total(N) - total(1)) / (N - 1). NaN for N < 2.
double tpotBySubtraction(double totalSeconds, double ttftSeconds, double newTokens);

/// Bands of the ratio measured TPOT / floor (spec section 4).
enum class RatioBand { Impossible, NearBandwidth, MemoryBound, PartlyElsewhere, OverheadRules };
/// An edge belongs to the band above it, but 6 itself to PartlyElsewhere ("over 6"). Throws Error (Usage) for a ratio
/// that is not finite: a missing measurement has no band.
RatioBand ratioBand(double ratio);
/// One or two sentences: what the band means and what to look at next. English; the window translates by band.
std::string_view ratioBandText(RatioBand band);

/// One row of the batch table with its linear reference.
struct SweepPrediction {
    StepPrediction step;
    double linear = 0;
    double departure = 0;
    std::optional<double> capacity;
    bool fits = true;
};
/// Predicts every batch at one context, in the order given; the linear reference is the smallest batch of the list.
std::vector<SweepPrediction> predictSweep(const Workload &workload, const Ceilings &ceilings,
                                          const std::vector<std::int64_t> &batches, double context,
                                          double workspaceBytes = 0);
/// First batch whose departure exceeds `threshold`; nothing when none does.
std::optional<double> firstDeparture(const std::vector<SweepPrediction> &rows, double threshold = 0.05);

/// Effective bytes of a measured step, and what they hold against the model ("why it bends", spec section 4).
struct EffectiveBytes {
    double effective = 0;   ///< step time x measured bandwidth
    double lessWeights = 0; ///< effective - W
    double kvPredicted = 0; ///< b x n x kv (exact: window-limited, and the KV written)
};
EffectiveBytes effectiveBytes(const Workload &workload, double measuredBandwidth, double batch, double context,
                              double stepSeconds);

/// Least squares y = slope x + intercept.
struct LineFit {
    double slope = 0;
    double intercept = 0;
    double r2 = 0; ///< NaN where every y is the same: there is no variance to explain
};
/// Throws Error (Usage) for lists of different lengths, values that are not finite, or fewer than two distinct x.
LineFit fitLine(const std::vector<double> &x, const std::vector<double> &y);

/// Median, and percentiles by linear interpolation between order statistics. NaN of an empty list and of one that holds
/// a NaN. Throws Error (Usage) for a fraction outside 0..1.
double median(std::vector<double> values);
double percentile(std::vector<double> values, double fraction);

} // namespace ridgepoint
