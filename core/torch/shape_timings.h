// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/torch/run_context.h"

namespace ridgepoint {

/// Contexts at which calibration times steps of a run whose longest context is `longest`: one that is next to nothing, one in
/// the low hundreds, one of about seventy parts in a hundred of the longest. They are the calibration's own: a run's points lie
/// elsewhere, between and beyond them.
std::vector<std::int64_t> timedContexts(std::int64_t longest);

/// Times decode steps of the plan's model, dtype and mode for each of its batches at timedContexts(), and for a TTFT run
/// prefills of up to 8,192 rows as well. The cache's contents are not computed: a step costs the same. A batch or context that
/// does not fit is left out. Builds the decoder where context.decoder is null, and leaves it there for the run; what a full
/// memory prevents gives fewer timings, not a fault. Throws Error (Cancelled) when stopped, and what building the decoder
/// throws but OutOfMemory.
ShapeTimings timeShape(RunContext &context);

} // namespace ridgepoint
