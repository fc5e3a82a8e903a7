// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analytic/dtype.h"

#include <cuda_runtime_api.h>

#include <cstdint>

/// The parts of a decode step that are not matrix products, as one kernel each. Device pointers, no torch type. `dtype` is
/// that of weights, activations and cache; arithmetic is fp32. Every launch goes to `stream`, allocates nothing and waits
/// for nothing, so that it can be captured into a graph. Each function returns the launch's status; cudaErrorInvalidValue
/// for sizes that kernelsSupport() does not accept.
///
/// The position of a step lives on the device: `position` points to the number of tokens in the cache, which is also the
/// place that the step's token takes.
namespace ridgepoint::cuda {

/// Sizes that the kernels take: vectors of 8 elements (hidden, ffn, headDim multiples of 8), headDim at most 256, hidden at
/// most 32768.
bool kernelsSupport(std::int64_t hidden, std::int64_t ffn, std::int64_t headDim);

/// x[row] = embedding[tokens[*position * batch + row]] * scale, for `batch` rows.
struct EmbedArgs {
    const void *embedding;       ///< [vocab, hidden]
    const std::int64_t *tokens;  ///< [positions, batch]
    const std::int64_t *position;
    void *x;                     ///< [batch, hidden]
    std::int64_t batch, hidden;
    float scale = 1;
    bool wideX = false; ///< x is fp32, whatever the dtype
    bool overlap = false; ///< as AttendArgs::overlap
};
cudaError_t embed(DType dtype, const EmbedArgs &args, cudaStream_t stream);

/// x += y + bias, or with `yWeight` x += rmsNorm(y + bias) * yWeight; then out = rmsNorm(x) * weight. `y` null: nothing is
/// added.
struct AddNormArgs {
    void *x;             ///< [rows, hidden], in and out
    const void *y;       ///< [rows, hidden] or null
    const float *bias;    ///< [hidden] or null; only with y
    const float *yWeight; ///< [hidden] or null; only with y
    const float *weight;  ///< [hidden]
    void *out;           ///< [rows, hidden]
    std::int64_t rows, hidden;
    float eps;
    bool wideX; ///< x is fp32, whatever the dtype: a residual stream that fp16 cannot hold
    bool overlap = false; ///< as AttendArgs::overlap
};
cudaError_t addNorm(DType dtype, const AddNormArgs &args, cudaStream_t stream);

/// Splits the rows of a q/k/v product, adds the bias, normalises q and k over a head where wanted, rotates them, writes q
/// out and k and v into the cache. Row r is token r % tokens of sequence r / tokens; its position is
/// (position ? *position : firstPosition) + r % tokens.
struct RopeAppendArgs {
    const void *qkv;      ///< [rows, (heads + 2 kvHeads) * headDim]
    const float *bias;    ///< as wide as a row, or null
    const float *qNorm;   ///< [headDim] or null
    const float *kNorm;
    const float *cosine;  ///< [positions, headDim / 2]
    const float *sine;
    const std::int64_t *position; ///< null: firstPosition
    std::int64_t firstPosition;
    void *q;              ///< [rows, heads * headDim]
    void *keys;           ///< [sequences, kvHeads, maxContext, headDim]: the first sequence of this call
    void *values;
    std::int64_t rows, tokens, heads, kvHeads, headDim, maxContext;
    float eps;
};
cudaError_t ropeAppend(DType dtype, const RopeAppendArgs &args, cudaStream_t stream);

/// Attention of one new token a sequence over what the cache holds, its own key included: K and V are read once for all
/// query heads that share them, and only up to the live context. The context is split over blocks; the last one to finish
/// joins the parts.
struct AttendArgs {
    const void *q;      ///< [batch, heads * headDim]; not used with `raw.qkv`
    void *keys;         ///< [batch, kvHeads, maxContext, headDim]; written to only with `raw.qkv`
    void *values;
    const std::int64_t *position;
    void *out;          ///< [batch, heads * headDim]
    float *partial;     ///< attendPartialFloats() floats of working memory
    unsigned *counters; ///< attendCounters() zeros; zeros again afterwards
    std::int64_t batch, heads, kvHeads, headDim, maxContext;
    std::int64_t window = 0; ///< positions looked back over, the own one included; 0: all
    float scale = 1;
    int splits = 1; ///< attendSplits()
    /// With `qkv` set the kernel itself does ropeAppend()'s work: bias, norms of q and k, rotation, the append.
    struct Raw {
        const void *qkv = nullptr; ///< [batch, (heads + 2 kvHeads) * headDim]
        const float *bias = nullptr, *qNorm = nullptr, *kNorm = nullptr, *cosine = nullptr, *sine = nullptr;
        float eps = 0;
    } raw;
    bool overlap = false; ///< launched to overlap with the kernel ahead (compute capability 9.0)
    bool early = false;   ///< with `raw` and `overlap`: the next kernel may start before the one ahead has ended
    bool stream = false;  ///< by attendStream() where it supports this
    bool tensorCores = false; ///< only on compute capability 8.0 and newer; sizes and dtypes that they do not suit run without
};
/// Parts that the context is split into, from the sizes alone, so that a captured step is right at every position.
int attendSplits(std::int64_t batch, std::int64_t heads, std::int64_t kvHeads, std::int64_t headDim,
                 std::int64_t maxContext, int multiprocessors);
std::int64_t attendPartialFloats(std::int64_t batch, std::int64_t heads, std::int64_t headDim, int splits);
std::int64_t attendCounters(std::int64_t batch, std::int64_t heads);
/// Whether `tensorCores` has an effect.
bool attendUsesTensorCores(DType dtype, std::int64_t headDim);
cudaError_t attend(DType dtype, const AttendArgs &args, cudaStream_t stream);

/// out = act(gate + bias) * (up + bias), gate and up side by side in a row.
struct ActivateArgs {
    const void *gateUp; ///< [rows, 2 * ffn]
    const float *bias;  ///< [2 * ffn] or null
    void *out;          ///< [rows, ffn]
    std::int64_t rows, ffn;
    bool gelu = false; ///< tanh approximation; otherwise SiLU
};
cudaError_t activate(DType dtype, const ActivateArgs &args, cudaStream_t stream);

/// tokens[(*position + 1) * batch + firstSequence + i] = index of the greatest logit of row i, the first of equals; then
/// *position += 1 where `advance`.
struct PickArgs {
    const void *logits; ///< [sequences, vocab]
    std::int64_t *tokens;
    std::int64_t *position;
    void *partial;      ///< pickPartialBytes() of working memory
    unsigned *counters; ///< sequences + 1 zeros; zeros again afterwards
    std::int64_t sequences, firstSequence, batch, vocab;
    bool advance = true;
    bool overlap = false; ///< as AttendArgs::overlap
};
std::int64_t pickPartialBytes(std::int64_t batch);
cudaError_t pick(DType dtype, const PickArgs &args, cudaStream_t stream);

/// *position = value.
cudaError_t setPosition(std::int64_t *position, std::int64_t value, cudaStream_t stream);

} // namespace ridgepoint::cuda
