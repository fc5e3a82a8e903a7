// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/Parallel.h>

#include <algorithm>
#include <atomic>
#include <cstdint>

namespace ridgepoint {

/// Runs body(task, worker) for every task in [0, tasks) over libtorch's threads. Tasks are handed out one by one, in
/// order, so that a thread that is slowed down does not hold the others up. `worker` is below at::get_num_threads().
template <typename Body>
void parallelTasks(std::int64_t tasks, const Body &body)
{
    const std::int64_t workers = std::min<std::int64_t>(tasks, at::get_num_threads());
    if (workers <= 1) {
        for (std::int64_t task = 0; task < tasks; ++task)
            body(task, std::int64_t(0));
        return;
    }
    std::atomic<std::int64_t> next{0};
    at::parallel_for(0, workers, 1, [&](std::int64_t begin, std::int64_t) {
        for (std::int64_t task; (task = next.fetch_add(1, std::memory_order_relaxed)) < tasks;)
            body(task, begin);
    });
}

} // namespace ridgepoint
