// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/torch/run_context.h"

namespace ridgepoint {

enum class CalibrationDepth {
    Full,  ///< the experiment of its own: every dtype and size, within about 12 s on two cores
    Brief, ///< before a run that has no measured ceilings: the plan's dtype only, within about 4 s
};

/// Measures the ceilings of the run's device (spec section 4): read-only and copy bandwidth with buffers many times the
/// last-level cache and random data, the matrix-product rate, the fixed cost of a step of the plan's layer count and of one
/// trivial operation. `threads`: CPU threads of the run. What cannot be measured (no memory for a buffer beyond the cache)
/// is absent from the ceilings; a Full calibration without a read bandwidth throws Error (Failure).
CalibrationResult calibrate(RunContext &context, CalibrationDepth depth, int threads);

/// The smallest shape that issues the same operations a layer as `shape`, with as many layers: its weights stay in the
/// cache, so that a step of it costs little else than issuing them. A shape without layers (a calibration that no model was
/// chosen for) gives 22 layers of the Llama family, those of TinyLlama.
ModelShape overheadShape(const ModelShape &shape);

} // namespace ridgepoint
