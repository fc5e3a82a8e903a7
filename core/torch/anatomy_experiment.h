// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/torch/run_context.h"

namespace ridgepoint {

/// One decode step of the plan's first batch at a context of its first prompt, taken apart: the median of untimed steps, a
/// trace of one step, the time of each part; AnatomyFinished with all of it. What cannot be traced is said in the note, and
/// the parts are timed all the same. Throws Error (Failure) where the step does not fit, (Cancelled) when stopped.
void runAnatomy(RunContext &context);

} // namespace ridgepoint
