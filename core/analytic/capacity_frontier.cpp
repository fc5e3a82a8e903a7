// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analytic/capacity_frontier.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ridgepoint {

namespace {

constexpr double kMostTokens = 1e12; // products with a head's size stay whole numbers of 64 bits

} // namespace

bool fitsMemory(const ModelShape &shape, DType dtype, const FrontierMemory &memory, double batch, double context)
{
    const double weights =
        memory.residentWeights > 0 ? memory.residentWeights : std::numeric_limits<double>::quiet_NaN();
    // The cache holds whole positions.
    const std::int64_t tokens = static_cast<std::int64_t>(std::ceil(std::min(context, kMostTokens)));
    const MemoryNeed need = memoryNeed(shape, dtype, static_cast<std::int64_t>(batch), tokens,
                                       memory.wholePrompt ? tokens : 0, weights, memory.workspace);
    return need.total() + memory.runtimeBytes <= memory.bytes;
}

std::vector<FrontierPoint> capacityFrontier(const ModelShape &shape, DType dtype, const FrontierMemory &memory,
                                            const std::vector<double> &contexts)
{
    std::vector<FrontierPoint> frontier;
    if (!(memory.bytes > 0) || !std::isfinite(memory.bytes))
        return frontier;
    for (const double context : contexts) {
        if (!std::isfinite(context) || context < 1)
            continue;
        const auto fits = [&](double batch) { return fitsMemory(shape, dtype, memory, batch, context); };
        // What is needed grows with the batch, so one edge separates what fits from what does not.
        double most = 0, tooMany = 1;
        while (tooMany <= kMostSequences && fits(tooMany)) {
            most = tooMany;
            tooMany *= 2;
        }
        tooMany = std::min(tooMany, kMostSequences + 1);
        while (tooMany - most > 1) {
            const double middle = std::floor((most + tooMany) / 2);
            (fits(middle) ? most : tooMany) = middle;
        }
        frontier.push_back({context, most});
    }
    return frontier;
}

} // namespace ridgepoint
