// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/message.h"

#include <optional>
#include <string>
#include <vector>

/// Measured steps split by regression: t = fixed + W / weight bandwidth + KV / KV bandwidth + FLOP / rate (spec section 4,
/// "overhead", "weights" and "KV" as separate measured quantities).
namespace ridgepoint {

struct StepObservation {
    double weightBytes = 0; ///< W that the step streams
    double kvBytes = 0;     ///< b x kv(n), read and written
    double flop = 0;
    double seconds = 0;
    std::string name; ///< "tinyllama fp16 graph b=16 n=158"
};

/// A figure with its 95 % interval, or why there is none.
struct Estimate {
    std::optional<double> value;
    double low = 0, high = 0; ///< `high` of a bandwidth or rate is always finite: one that may be infinite has no value
    Message why; ///< empty where there is a value: "not identifiable: vary context too"
};

struct Decomposition {
    Estimate fixedSeconds;    ///< s a step
    Estimate weightBandwidth; ///< B/s
    Estimate kvBandwidth;     ///< B/s
    Estimate flopRate;        ///< FLOP/s
    /// Where W never varies fixed cost and weights cannot be told apart: their sum, s a step.
    Estimate fixedAndWeights;
    double r2 = 0; ///< weighted; NaN where the times do not vary
    std::vector<double> residuals; ///< s, measured - fitted, one an observation; NaN for one that was left out
    std::vector<double> fitted;    ///< s; likewise
    Message problem; ///< why nothing at all was fitted; empty otherwise
};
/// Least squares, weighted by 1 / seconds^2 so that each step counts by its relative error. Intervals by Student's t with
/// (observations - terms) degrees of freedom.
///
/// A term that is a combination of the others (to 1e-6 of its length) is not identifiable and says what to vary. The FLOP
/// term stays only where its coefficient lies above zero with its whole interval: arithmetic that hides behind the bytes
/// takes no time of its own, and a term for it would only widen the other intervals. A coefficient whose interval reaches
/// zero or below gives no bandwidth and says so. Never throws: unusable observations (a time that is not above zero, bytes
/// or FLOP that are not finite or below zero) are left out.
Decomposition decompose(const std::vector<StepObservation> &observations);

} // namespace ridgepoint
