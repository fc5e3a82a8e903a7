// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analytic/model_shape.h"

#include <cstdint>
#include <string>

/// What a point needs in memory, counted from the shape and from how the engine's decoder keeps its buffers.
namespace ridgepoint {

/// How the decoder of a device uses working memory.
struct DeviceWorkspace {
    std::int64_t rowsAtOnce = 512; ///< rows of a prompt that one pass computes
    bool keepsStepBuffers = false; ///< the buffers of a step stay allocated during a prefill, all in the run's dtype
    double libraryBytes = 0;       ///< what the matrix library keeps for itself
    bool operator==(const DeviceWorkspace &) const = default;
};

/// Bytes that a point needs at its peak.
struct MemoryNeed {
    double weights = 0;   ///< B, held
    double kv = 0;        ///< B, of the whole cache
    double workspace = 0; ///< B, estimate of the greatest set of activations that live at once
    std::int64_t batch = 0;
    std::int64_t tokens = 0; ///< positions of the cache
    double kvPerToken = 0;   ///< B
    double total() const { return weights + kv + workspace; }
};
/// `weightBytes`: those of a decoder that is already there, or NaN to count them from the shape.
/// `prefillRows`: rows (sequences x tokens) of the whole prefill; `device` says how many of them are computed at once.
MemoryNeed memoryNeed(const ModelShape &shape, DType dtype, std::int64_t batch, std::int64_t tokens,
                      std::int64_t prefillRows, double weightBytes, const DeviceWorkspace &device = {});
/// "weights 0.27 GB + KV 128 x 2,098 x 23.0 KB = 6.18 GB + workspace 0.10 GB = 6.55 GB > 3.50 GB, the memory limit of the
/// run." `limitName` says what the limit is.
std::string memorySentence(const MemoryNeed &need, double limit, const std::string &limitName);

} // namespace ridgepoint
