// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/session/session.h"

#include <vector>

/// Why a curve of throughput against batch bends (spec section 4): the time by which each step exceeds that of the smallest
/// batch, shared out.
namespace ridgepoint {

struct BendPoint {
    int index = 0; ///< of the point in its run
    double batch = 0, context = 0;
    double excessSeconds = kMissing; ///< measured step - step of the smallest batch: a linear curve has none
    double departure = kMissing;     ///< fraction
    double kvSeconds = kMissing;      ///< what the further KV bytes take at the measured bandwidth
    double computeSeconds = kMissing; ///< by which the compute time exceeds the memory time
    double kernelSeconds = kMissing;  ///< the rest: kernels of this size below both roofs; negative: faster than counted
    double kvShare = kMissing, computeShare = kMissing, kernelShare = kMissing; ///< of the excess; missing where it is within the spread
    double effectiveBytes = kMissing; ///< step time x measured bandwidth
    double modelBytes = kMissing;     ///< W + b n kv
};

struct BendAnalysis {
    double prompt = 0;
    std::vector<BendPoint> points;  ///< finished ones, by batch
    std::vector<double> cutOff;     ///< batches that memory did not let run
    std::optional<double> firstDepartureMeasured, firstDepartureForecast, firstDepartureFloor; ///< batch over 5 %; nothing: none
    std::optional<double> roofBatch; ///< b*; nothing: never
    double maxIntensity = kMissing;  ///< AI_max at the middle context
    double ridge = kMissing;         ///< FLOP/B at the measured ceilings, else nominal
    bool measuredCeilings = false;
};
/// One for each prompt of the run. Never throws for a run that was read; a prompt without a finished point has no points.
std::vector<BendAnalysis> bendOf(const RunRecord &run);

} // namespace ridgepoint
