// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/session/session.h"

#include <optional>
#include <vector>

/// Why a curve of throughput against batch bends (spec section 4): the time by which each step exceeds that of the smallest
/// batch, shared out. Exact accounting.
namespace ridgepoint {

/// From here on a point departs from linear (spec section 4, "the first departure over 5 %").
inline constexpr double kDepartureThreshold = 0.05;

struct BendPoint {
    int index = 0; ///< of the point in its run
    double batch = 0, context = 0;
    double excessSeconds = kMissing; ///< measured step - step of the smallest batch: a linear curve has none
    double departure = kMissing;     ///< fraction
    double kvSeconds = kMissing;      ///< what the further KV bytes take at the measured bandwidth (nominal where none was)
    double computeSeconds = kMissing; ///< by which the compute time exceeds the memory time, less that of the smallest batch
    double kernelSeconds = kMissing;  ///< the rest: kernels of this size below both roofs; negative: faster than counted
    /// Of the excess; they sum to 1. Missing where the excess is not more than the width p10..p90 of this point or of the
    /// smallest batch's: a share of what may be jitter says nothing.
    double kvShare = kMissing, computeShare = kMissing, kernelShare = kMissing;
    double effectiveBytes = kMissing; ///< step time x measured bandwidth; missing where none was measured
    double modelBytes = kMissing;     ///< W + b n kv, read and written
};

struct BendAnalysis {
    double prompt = 0;
    std::vector<BendPoint> points;  ///< finished ones, by batch
    std::vector<double> cutOff;     ///< batches that memory did not let run, ascending
    /// Smallest batch over kDepartureThreshold; nothing: none. Forecast and floor also count points that were not run.
    std::optional<double> firstDepartureMeasured, firstDepartureForecast, firstDepartureFloor;
    bool hasForecast = false, hasFloor = false; ///< false: "none" would be a claim
    std::optional<double> roofBatch; ///< b*; nothing: never
    double maxIntensity = kMissing;  ///< AI_max at the points' context
    double ridge = kMissing;         ///< FLOP/B at the measured ceilings, else nominal; missing: neither is known
    bool measuredCeilings = false;   ///< a read bandwidth was measured
};
/// One for each prompt of the run, in order of appearance. Never throws for a run that was read; a prompt without a finished
/// point has no points.
std::vector<BendAnalysis> bendOf(const RunRecord &run);

/// The ceilings that a run's own calibration found, else those that its plan came with; null: none.
const MeasuredCeilings *measuredCeilingsOf(const RunRecord &run);
/// Bandwidth and rate of the run's dtype, measured where they were, else nominal; no overhead. 0: not known.
Ceilings bestCeilingsOf(const RunRecord &run);

} // namespace ridgepoint
