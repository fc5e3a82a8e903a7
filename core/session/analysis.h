// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analytic/capacity_frontier.h"
#include "core/session/bend.h"
#include "core/session/decompose_session.h"
#include "core/session/tables.h"
#include "core/session/verdict.h"

#include <string>
#include <vector>

/// What a session's points say, as tables and sentences: shared by `ridgepoint explain` and the report.
namespace ridgepoint {

/// The memory of a run as its frontier is drawn: what the run recorded as usable; in files from before that, the device's
/// memory (or the run's limit) less what the driver counted beyond the run's own bytes.
FrontierMemory frontierMemoryOf(const RunRecord &run);
/// True where the run recorded what it could use and how it keeps its buffers.
bool recordedUsableMemory(const RunRecord &run);
/// Positions of the cache that a point of the run needs: from the bytes it allocated, else from the plan.
double cachePositions(const RunRecord &run, const SweepPoint &point);

/// A point against the frontier.
struct FrontierCheck {
    int index = 0;
    double batch = 0, prompt = 0;
    double positions = 0;    ///< of the cache
    double largest = 0;      ///< batch that fits at these positions
    bool predictedFits = false;
    PointStatus status = PointStatus::Ok;
    /// Ran and fits, or ran out of memory and does not fit. Nothing: the point was not tried (skipped) or failed otherwise.
    std::optional<bool> rightSide;
};
/// Every point of a sweep; empty where the memory is not known.
std::vector<FrontierCheck> checkFrontier(const RunRecord &run);

TextTable verdictTable(const Session &session, const RunRecord &run); ///< finished points of a sweep, or the TTFT record
TextTable bendTable(const std::vector<BendAnalysis> &bends);
std::vector<std::string> bendSentences(const std::vector<BendAnalysis> &bends);
TextTable decompositionTable(const SessionDecomposition &decomposition);
/// "NVIDIA H200, fp16, graph: 9 points of llama-2-7b"
std::string decompositionTitle(const SessionDecomposition &decomposition);
/// What a reader must know beside the table.
std::vector<std::string> decompositionSentences(const SessionDecomposition &decomposition);
TextTable frontierTable(const std::vector<FrontierCheck> &checks);
std::vector<std::string> frontierSentences(const RunRecord &run, const std::vector<FrontierCheck> &checks);

} // namespace ridgepoint
