// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analytic/memory_need.h"

#include <vector>

namespace ridgepoint {

/// The memory that a frontier is drawn against.
struct FrontierMemory {
    double bytes = 0;              ///< what weights, cache and workspace may take together; 0: not known
    double residentWeights = 0;    ///< B; 0: counted from the shape
    DeviceWorkspace workspace;     ///< how the engine keeps its buffers
    double runtimeBytes = 0;       ///< context of the runtime and other processes, taken off `bytes`
    bool wholePrompt = true;       ///< workspace of the prefill counted (a sweep fills the cache from one copied sequence)
};

struct FrontierPoint {
    double context = 0; ///< tokens, the cache's positions
    double batch = 0;   ///< the largest that fits; 0: not even one
};
/// The largest batch at each context, weights + KV + workspace + context of the runtime; empty where the memory is unknown.
std::vector<FrontierPoint> capacityFrontier(const ModelShape &shape, DType dtype, const FrontierMemory &memory,
                                            const std::vector<double> &contexts);

} // namespace ridgepoint
