// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/anatomy.h"

#include <algorithm>

namespace ridgepoint {

double busyUnion(const std::vector<TracedKernel> &kernels)
{
    std::vector<std::pair<double, double>> spans;
    for (const TracedKernel &kernel : kernels)
        spans.emplace_back(kernel.startSeconds, kernel.startSeconds + kernel.seconds);
    std::sort(spans.begin(), spans.end());
    double busy = 0, reached = -1;
    for (const auto &[from, to] : spans) {
        if (to <= reached)
            continue;
        busy += to - std::max(from, reached);
        reached = to;
    }
    return busy;
}

} // namespace ridgepoint
