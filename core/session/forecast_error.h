// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/session/tables.h"

namespace ridgepoint {

/// How far a prediction lay from a measurement: predicted / measured - 1.
struct ForecastErrorRow {
    std::string what; ///< "step" or "ttft"
    std::string model, dtype, mode, device, runId;
    double batch = 0, prompt = 0;
    double measuredSeconds = kMissing;
    double forecast = kMissing;  ///< of what was stored before the point was timed
    double twoTerm = kMissing;   ///< of max(bytes / B, FLOP / P) + overhead, with the measured ceilings and step overhead
    double roofline = kMissing;  ///< of max(bytes / B, FLOP / P) with the measured ceilings
};
/// Finished sweep points and the TTFT of method 3 (else of the first method) of the runs; no two-term model of a TTFT.
std::vector<ForecastErrorRow> forecastErrors(const std::vector<RunRecord> &runs);

/// Mean absolute and worst error over rows, by column.
struct ForecastErrorSummary {
    std::string what;
    int points = 0;
    double forecastMean = kMissing, forecastWorst = kMissing;
    double twoTermMean = kMissing, twoTermWorst = kMissing;
    double rooflineMean = kMissing, rooflineWorst = kMissing;
};
std::vector<ForecastErrorSummary> summarise(const std::vector<ForecastErrorRow> &rows); ///< one for each `what`
TextTable toTable(const std::vector<ForecastErrorRow> &rows);
TextTable toTable(const std::vector<ForecastErrorSummary> &summaries);

} // namespace ridgepoint
