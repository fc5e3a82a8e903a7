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

/// No frontier asks for more sequences than this: beyond it a step has no meaning.
inline constexpr double kMostSequences = 1e9;

/// Whether `batch` sequences of `context` tokens fit: memoryNeed against what is there. Both at least 1.
bool fitsMemory(const ModelShape &shape, DType dtype, const FrontierMemory &memory, double batch, double context);

/// The largest batch at each context (weights + KV + workspace + context of the runtime), to the sequence: it fits and one more
/// does not. Never grows with the context. Empty where the memory is unknown; contexts that are not finite or below 1 are left
/// out. Throws Error (Usage) for a shape that does not hold together (see countParameters).
std::vector<FrontierPoint> capacityFrontier(const ModelShape &shape, DType dtype, const FrontierMemory &memory,
                                            const std::vector<double> &contexts);

} // namespace ridgepoint
