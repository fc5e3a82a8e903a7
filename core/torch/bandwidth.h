// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <stop_token>
#include <vector>

namespace ridgepoint {

/// How long one series of passes goes on: until `seconds` are over or `passes` are done, whichever is first, but not before
/// three passes unless stopped.
struct PassBudget {
    double seconds = 1;
    int passes = 40;
};

/// Read-only bandwidth of the host in B/s, one value a pass over a buffer of `bytes` random bytes, by `threads` threads
/// with the widest loads that the CPU has; of several ways to walk the buffer the passes of the one with the highest
/// median count. Each thread fills the part that it reads, so that on a machine with several
/// memory nodes it lies near it. Empty where the buffer cannot be had.
std::vector<double> measureHostReads(std::size_t bytes, int threads, PassBudget budget, std::stop_token stop);
/// Copy bandwidth from one half of such a buffer to the other: bytes read and bytes written both counted.
std::vector<double> measureHostCopies(std::size_t bytes, int threads, PassBudget budget, std::stop_token stop);

} // namespace ridgepoint
