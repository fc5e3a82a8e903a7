// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/torch/decoder.h"

namespace ridgepoint {

/// Decoder::create, but with libtorch's own operations on the CPU too: what the kernels are tested and timed against.
std::unique_ptr<Decoder> createAtenDecoder(const ModelSource &source, DType dtype, const std::string &device,
                                           std::uint64_t seed);

} // namespace ridgepoint
