// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/torch/decoder_torch.h"

#include <string>

namespace ridgepoint {

/// Rows (sequences x tokens) that one pass over a prompt holds: enough for most prompts to be one piece, which attention
/// kernels want, while a row's working memory (90 kB in TinyLlama) stays far below the card's.
inline constexpr std::int64_t kCudaPrefillRows = 8192;

/// Why the kernels of the CUDA decoder cannot run `shape`; empty: they can.
std::string whyNotOnCuda(const ModelShape &shape);

/// The decoder on a GPU: libtorch's matrix products, own kernels for everything between them (decode_kernels.h), position
/// and tokens on the device. DecodeMode::Eager launches an operation at a time; Graph captures the step once for each
/// allocated cache, during its first step, and replays it. Both run the same operations and give the same tokens. Works on
/// the stream that is current on the thread.
std::unique_ptr<Decoder> makeCudaDecoder(ModelShape shape, DecoderWeights weights, DType dtype, const at::Device &device,
                                         DecodeMode mode);

} // namespace ridgepoint
