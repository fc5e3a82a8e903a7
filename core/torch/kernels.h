// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

/// The arithmetic of a decode step on the CPU, one thread's share of it: plain pointers in and out, no libtorch, no
/// threads. Each set of kernels is the same source compiled for one instruction set; the best one that the processor
/// knows is chosen at run time. They exist because libtorch 1.13 streams weights in a matrix-vector product at half to
/// two thirds of what the memory gives.
namespace ridgepoint::kernels {

/// A bfloat16 as it lies in memory.
struct Bf16 {
    std::uint16_t bits;
};

/// y[m, n] (+)= sum over k of x[m, k] * w[n, k] (+ bias[n]). Rows of x and w are contiguous.
template <typename T>
struct GemmArgs {
    const T *x = nullptr; ///< [m, k]
    std::int64_t ldx = 0; ///< elements from one row of x to the next
    std::int64_t m = 0;
    const T *w = nullptr; ///< [n, k], as a checkpoint stores a projection
    std::int64_t ldw = 0;
    std::int64_t n = 0;
    std::int64_t k = 0;
    const float *bias = nullptr; ///< [n] or null
    float *y = nullptr;          ///< [m, n]
    std::int64_t ldy = 0;
    bool accumulate = false; ///< add to what y holds
};

/// Attention of some query rows over one sequence's keys and values of one kv head. Online softmax in fp32 over blocks of
/// the context; K and V are read once for all rows. Results are left unnormalised, so that parts of a context that
/// several threads worked on can be joined by AttentionPart's rule.
template <typename T>
struct AttendArgs {
    const T *q = nullptr;           ///< [rows, headDim], contiguous
    std::int64_t rows = 0;          ///< query tokens x group
    std::int64_t group = 1;         ///< query heads that share this kv head
    std::int64_t firstPosition = 0; ///< of the first query token; row r sits at firstPosition + r / group
    std::int64_t window = 0;        ///< a row sees this many newest positions, itself included; 0: all
    const T *k = nullptr;           ///< [context, headDim]
    const T *v = nullptr;           ///< [context, headDim]
    std::int64_t begin = 0;         ///< cached positions of this part: [begin, end)
    std::int64_t end = 0;
    std::int64_t headDim = 0;
    float scale = 1;
    float *maximum = nullptr; ///< [rows] largest score; -infinity where a row sees nothing of this part
    float *sum = nullptr;     ///< [rows] sum of exp(score - maximum)
    float *acc = nullptr;     ///< [rows, headDim] sum of exp(score - maximum) * v
    float *scores = nullptr;  ///< scratch, [rows, kAttendBlock]
};

/// Positions of the context that are handled at once: their K and V (2 x 256 x 128 x 2 bytes at most in bf16) and the
/// scores of a tile of rows stay in the second-level cache.
inline constexpr std::int64_t kAttendBlock = 256;

template <typename T>
struct Ops {
    const char *name; ///< "avx512-bf16", "avx512", "avx2", "portable"
    bool (*supported)();
    void (*gemm)(const GemmArgs<T> &args);
    void (*attend)(const AttendArgs<T> &args);
    /// out[i] = acc[i] / sum, the end of attend() when one part covered the context.
    void (*scaleInto)(const float *acc, float factor, T *out, std::int64_t n);
    /// y = x / sqrt(mean(x^2) + eps) * weight.
    void (*rmsNorm)(const float *x, const float *weight, float eps, T *y, std::int64_t n);
    void (*rmsNormInPlace)(float *x, const float *weight, float eps, std::int64_t n);
    /// y += x / sqrt(mean(x^2) + eps) * weight.
    void (*rmsNormAdd)(const float *x, const float *weight, float eps, float *y, std::int64_t n);
    /// Rotates one head of `half` pairs (i, i + half) and writes it to `out`.
    void (*rope)(const float *head, const float *cosine, const float *sine, std::int64_t half, T *out);
    /// out = gate / (1 + exp(-gate)) * up.
    void (*siluMultiply)(const float *gate, const float *up, T *out, std::int64_t n);
    /// out = gate / 2 (1 + tanh(sqrt(2 / pi) (gate + 0.044715 gate^3))) * up.
    void (*geluMultiply)(const float *gate, const float *up, T *out, std::int64_t n);
    void (*toFloat)(const T *in, float *out, std::int64_t n);
    void (*fromFloat)(const float *in, T *out, std::int64_t n);
    void (*fromHalf)(const std::uint16_t *in, T *out, std::int64_t n); ///< from IEEE fp16
    /// Evenly spread values in [-amplitude, amplitude], a function of (seed, first + i) alone, never a denormal.
    void (*fillUniform)(T *out, std::int64_t n, std::uint32_t seed, std::uint32_t first, float amplitude);
    std::int64_t (*argmax)(const float *values, std::int64_t n); ///< first of the largest
};

/// Every set that was built and that this processor can run, best first. RIDGEPOINT_KERNELS=name limits it to one.
template <typename T>
const std::vector<const Ops<T> *> &availableOps();
/// The first of them.
template <typename T>
const Ops<T> &bestOps()
{
    return *availableOps<T>().front();
}

} // namespace ridgepoint::kernels
