// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/checkpoint/checkpoint.h"
#include "core/torch/decoder.h"

#include <ATen/core/Tensor.h>

namespace ridgepoint {

/// The tensors of one layer. Matrices are [out, in] in the run's dtype, norms and biases fp32; undefined where the shape
/// has no such part. q, k and v are slices of qkv, gate and up of gateUp, in this order. Norms hold what the normed value is
/// multiplied by: 1 + w where the shape says so.
struct LayerWeights {
    at::Tensor inputNorm; ///< before attention
    at::Tensor postNorm;  ///< before the MLP
    /// Of what attention and the MLP give, before it joins the residual stream (hasPostNorms).
    at::Tensor postAttentionNorm, postFeedforwardNorm;
    at::Tensor q, k, v, qkv, qkvBias;
    at::Tensor qNorm, kNorm;
    at::Tensor o, oBias;
    at::Tensor gate, up, gateUp, gateUpBias;
    at::Tensor down, downBias;
};

struct DecoderWeights {
    at::Tensor embedding; ///< [vocab, hidden]
    at::Tensor head;      ///< [vocab, hidden]; the embedding itself where tied
    at::Tensor finalNorm;
    std::vector<LayerWeights> layers;
    double bytes = 0; ///< of all of them: heldWeightBytes() of the shape
};

at::ScalarType scalarType(DType dtype);

/// Random weights of `shape` (`checkpoint` null) or those of `checkpoint`, converted to `dtype` on `device`. On the CPU all
/// of them lie in one block on huge pages: even where the checkpoint has the run's dtype they are copied out of the
/// mapping, because a file's 4 KiB pages stream a quarter slower; the mapping's pages can be dropped by the system.
/// Throws OutOfMemory, and Error for a checkpoint that lacks a tensor or has weights that the decoder knows no use for.
DecoderWeights loadWeights(const ModelShape &shape, const Checkpoint *checkpoint, DType dtype, const at::Device &device,
                           std::uint64_t seed, const std::function<void(double)> &progress, std::stop_token stop);

} // namespace ridgepoint
