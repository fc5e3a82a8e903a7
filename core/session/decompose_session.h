// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analytic/decomposition.h"
#include "core/session/session.h"

#include <string>
#include <vector>

namespace ridgepoint {

/// The finished sweep points of one device, dtype and mode, over all runs and models of a session, split into fixed cost,
/// weights, KV and arithmetic. The fixed cost is taken as one for all models in it, though it grows with their layers.
struct SessionDecomposition {
    std::string device; ///< as the driver reports it, else the plan's
    DType dtype = DType::F16;
    DecodeMode mode = DecodeMode::Eager;
    std::vector<std::string> models; ///< ids, in order of appearance
    std::vector<StepObservation> observations;
    double readBandwidth = kMissing; ///< B/s, measured by the newest of those runs; what a bandwidth stands against
    double matmulRate = kMissing;    ///< FLOP/s, likewise
    Decomposition result;
};
/// One for each (device, dtype, mode) that has a finished point, in order of appearance. Exact accounting. Never throws.
std::vector<SessionDecomposition> decomposeSession(const Session &session);

} // namespace ridgepoint
