// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analytic/dtype.h"

#include <cuda_runtime_api.h>

#include <cstdint>

/// A whole decode step of one sequence as one kernel that stays on the card: a block a multiprocessor, and within each a thread
/// that does nothing but stream the next weights into a ring in shared memory while the other warps multiply. Weights depend on
/// nothing, so the stream goes on while the blocks wait for each other. What blocks hand to each other (the q/k/v product, the
/// attention, the residual stream's additions, the activations) travels as words of eight bytes that carry their own flag: no
/// barrier, no fence, and a stale word can't be taken for a fresh one.
///
/// Compute capability 9.0 and newer (bulk copies), fp16 and bf16, batch 1. Device pointers, no torch type.
namespace ridgepoint::cuda {

/// One layer's weights and cache. Matrices are [rows, columns] of the dtype.
struct PersistentLayer {
    const void *qkv, *o, *gateUp, *down; ///< gateUp: the gate's rows, then the up's
    const float *qkvBias, *oBias, *gateUpBias, *downBias; ///< or null
    const float *inputNorm, *postNorm;   ///< [hidden]
    const float *qNorm, *kNorm;          ///< [headDim] or null
    void *keys, *values;                 ///< [kvHeads, maxContext, headDim]
    std::int64_t window;                 ///< positions looked back over; 0: all
};

struct PersistentArgs {
    const PersistentLayer *layers; ///< on the device
    const void *embedding, *head;  ///< [vocab, hidden]
    const float *finalNorm;
    const float *cosine, *sine;    ///< [positions, headDim / 2]
    std::int64_t *tokens;          ///< [positions]: the token at each
    std::int64_t *position;        ///< tokens in the cache; one more afterwards
    void *logits;                  ///< [vocab], out
    void *exchange;                ///< persistentExchangeBytes(), zeros before the first step and then left alone
    int layerCount, hidden, heads, kvHeads, headDim, ffn, vocab, maxContext;
    float eps, scale;
    bool gelu;
    int blocks; ///< multiprocessors: all must be free, since blocks wait for each other
};

/// Whether this card and these sizes are served.
bool persistentSupports(DType dtype, const PersistentArgs &args, int computeCapability, std::int64_t sharedLimit);
std::int64_t persistentExchangeBytes(const PersistentArgs &args);
/// Launches one step. cudaErrorInvalidValue for what persistentSupports() does not accept.
cudaError_t persistentStep(DType dtype, const PersistentArgs &args, std::int64_t sharedLimit, cudaStream_t stream);

} // namespace ridgepoint::cuda
