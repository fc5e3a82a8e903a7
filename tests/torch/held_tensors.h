// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/checkpoint/checkpoint.h"

namespace ridgepoint::test {

/// What the tensors of loaded weights themselves say, each piece of memory counted once. No torch type: Qt's tests read it.
struct HeldTensors {
    double bytes = 0;
    double claimedBytes = 0;   ///< DecoderWeights::bytes
    double multiplied = 0;     ///< elements of the matrices that a token is multiplied with
    double gatheredBytes = 0;  ///< of an embedding that is no head
    double vectorElements = 0; ///< of norms and biases
    bool slicesLieInTheirGroups = true; ///< q, k, v within qkv, gate and up within gateUp, in order and without a gap
};

/// Loads `checkpoint` in `dtype` on the CPU.
HeldTensors heldTensors(const Checkpoint &checkpoint, DType dtype);

} // namespace ridgepoint::test
