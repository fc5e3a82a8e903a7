// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/cuda/decode_kernels.h"
#include "core/cuda/device_parts.cuh"

/// What the kernels of the attention share: a head of a raw product made ready, and the joining of what warps and blocks have. Included
/// by .cu files only.
namespace ridgepoint::cuda {

constexpr int kMaxGroup = 8;       ///< query heads that a block serves together; more are split over blocks
constexpr int kMaxSplits = 64;     ///< blocks that share a context
/// Keys that a block takes by itself, 160 KB of them: joining blocks takes longer than reading so much (about 4 us).
__host__ __device__ constexpr int leastKeys(int headDim) { return 160 * 1024 / (headDim * 4); }

constexpr int kMaxHeadDim = 256;
constexpr int kRopePairs = kMaxHeadDim / 2 / kWarp;

/// One head of a row of a q/k/v product, as a warp holds it: lane l has the pairs (i, i + headDim / 2) for i = l, l + 32, ...
template <typename T, int kPairs>
struct RawHead {
    float first[kPairs], second[kPairs];
    __device__ void load(const T *from, int headDim)
    {
        const int half = headDim / 2, lane = threadIdx.x % kWarp;
#pragma unroll
        for (int p = 0; p < kPairs; ++p) {
            const int i = lane + p * kWarp;
            first[p] = i < half ? toFloat(from[i]) : 0.0f;
            second[p] = i < half ? toFloat(from[i + half]) : 0.0f;
        }
    }
    /// Bias, norm over the head where there is one, rotation. `also`: a second place for the result.
    __device__ void finish(const float *bias, const float *norm, float eps, const float (&cosine)[kPairs], const float (&sine)[kPairs],
                           bool rotated, int headDim, T *to, T *also)
    {
        const int half = headDim / 2, lane = threadIdx.x % kWarp;
#pragma unroll
        for (int p = 0; p < kPairs; ++p) {
            const int i = lane + p * kWarp;
            if (bias && i < half) {
                first[p] = rounded<T>(first[p] + bias[i]);
                second[p] = rounded<T>(second[p] + bias[i + half]);
            }
        }
        if (norm) {
            float squares = 0;
#pragma unroll
            for (int p = 0; p < kPairs; ++p)
                squares += first[p] * first[p] + second[p] * second[p];
            const float scale = rsqrtf(warpSum(squares) / float(headDim) + eps);
#pragma unroll
            for (int p = 0; p < kPairs; ++p) {
                const int i = lane + p * kWarp;
                if (i < half) {
                    first[p] = rounded<T>(first[p] * scale * norm[i]);
                    second[p] = rounded<T>(second[p] * scale * norm[i + half]);
                }
            }
        }
#pragma unroll
        for (int p = 0; p < kPairs; ++p) {
            const int i = lane + p * kWarp;
            if (i >= half)
                continue;
            const float c = rotated ? cosine[p] : 1.0f, s = rotated ? sine[p] : 0.0f;
            const T low = fromFloat<T>(first[p] * c - second[p] * s), high = fromFloat<T>(second[p] * c + first[p] * s);
            to[i] = low;
            to[i + half] = high;
            if (also) {
                also[i] = low;
                also[i + half] = high;
            }
        }
    }
};
/// What a warp needs of a table of rotations at a position.
template <int kPairs>
__device__ inline void loadRotation(const float *from, int headDim, float (&to)[kPairs])
{
#pragma unroll
    for (int p = 0; p < kPairs; ++p) {
        const int i = int(threadIdx.x) % kWarp + p * kWarp;
        to[p] = i < headDim / 2 ? from[i] : 0.0f;
    }
}

/// One head from the raw product to where it belongs. A warp. `cosine`, `sine`: null where it is not rotated.
template <typename T>
__device__ void finishHead(const T *from, const float *bias, const float *norm, float eps, const float *cosine, const float *sine,
                           int headDim, T *to, T *also = nullptr)
{
    RawHead<T, kRopePairs> head;
    float c[kRopePairs] = {}, s[kRopePairs] = {};
    // All loads before any use: one wait for all of them.
    head.load(from, headDim);
    if (cosine) {
        loadRotation(cosine, headDim, c);
        loadRotation(sine, headDim, s);
    }
    head.finish(bias, norm, eps, c, s, cosine != nullptr, headDim, to, also);
}

/// From the raw product: the block's query heads into `queries` [heads][headDim] in shared memory and, by the block that has
/// the newest position, its key and value into the cache and, where that is given, into `fresh` [2][headDim]. The block's first `warps` warps; the caller lets them meet behind it.
template <typename T>
__device__ void finishHeads(const AttendArgs &a, T *queries, T *fresh, std::int64_t sequence, int kvHead, int firstHead,
                            int heads, std::int64_t position, bool appends, int warps)
{
    const int dim = int(a.headDim), all = int(a.heads + 2 * a.kvHeads);
    const T *row = static_cast<const T *>(a.raw.qkv) + sequence * all * dim;
    const float *cosine = a.raw.cosine + position * (dim / 2), *sine = a.raw.sine + position * (dim / 2);
    const std::int64_t slot = ((sequence * a.kvHeads + kvHead) * a.maxContext + position) * dim;
    for (int job = threadIdx.x / kWarp; job < heads + (appends ? 2 : 0); job += warps) {
        const bool isKey = job == heads, isValue = job > heads;
        const std::int64_t head = isKey     ? a.heads + kvHead
                                  : isValue ? a.heads + a.kvHeads + kvHead
                                            : firstHead + job;
        finishHead<T>(row + head * dim, a.raw.bias ? a.raw.bias + head * dim : nullptr,
                      isValue ? nullptr
                      : isKey ? a.raw.kNorm
                              : a.raw.qNorm,
                      a.raw.eps, isValue ? nullptr : cosine, isValue ? nullptr : sine, dim,
                      isValue ? static_cast<T *>(a.values) + slot
                      : isKey ? static_cast<T *>(a.keys) + slot
                              : queries + job * dim,
                      fresh && isValue ? fresh + dim
                      : fresh && isKey ? fresh
                                       : nullptr);
    }
}

/// Joins what the warps of a block have over their keys, and what the blocks of a context have; the block that finishes last
/// writes the result. Maxima are in units in which 2^x is the exponential. A part is headDim sums, its maximum, its total.
/// The block's first kWarps warps, which `meet` lets wait for each other; `counter`: of the blocks that share this context.
template <typename T, int kGroup, int kWidth, int kWarps, typename Meet>
__device__ void joinParts(const AttendArgs &a, const float (&sharedSum)[kWarps][kGroup][kWidth],
                          const float (&sharedMax)[kWarps][kGroup], const float (&sharedTotal)[kWarps][kGroup],
                          std::int64_t sequence, int firstHead, int heads, int split, int active, unsigned *counter,
                          Meet &&meet)
{
    __shared__ bool isLast;
    __shared__ float factors[kGroup][kMaxSplits];
    const std::int64_t stride = a.headDim + 2;
    for (int i = threadIdx.x; i < heads * int(a.headDim); i += kWarps * kWarp) {
        const int g = i / int(a.headDim), e = i % int(a.headDim);
        float best = sharedMax[0][g];
#pragma unroll
        for (int w = 1; w < kWarps; ++w)
            best = fmaxf(best, sharedMax[w][g]);
        float joined = 0, all = 0;
#pragma unroll
        for (int w = 0; w < kWarps; ++w) {
            const float factor = exp2f(sharedMax[w][g] - best); // 0 for a warp that had no key
            joined += factor * sharedSum[w][g][e];
            all += factor * sharedTotal[w][g];
        }
        const std::int64_t head = sequence * a.heads + firstHead + g;
        if (active == 1) {
            static_cast<T *>(a.out)[head * a.headDim + e] = fromFloat<T>(joined / all);
        } else {
            float *mine = a.partial + (head * a.splits + split) * stride;
            mine[e] = joined;
            if (e == 0) {
                mine[a.headDim] = best;
                mine[a.headDim + 1] = all;
            }
        }
    }
    if (active == 1)
        return;

    // Join the splits: the block that finishes last has everything before it.
    __threadfence();
    meet();
    if (threadIdx.x == 0) {
        isLast = atomicAdd(counter, 1u) == unsigned(active - 1);
        if (isLast)
            *counter = 0;
    }
    meet();
    if (!isLast)
        return;
    __threadfence();
    // What each part counts for, a warp a head: worked out once, so that the sums below are loads that do not wait for one
    // another.
    for (int g = threadIdx.x / kWarp; g < heads; g += kWarps) {
        const float *parts = a.partial + (sequence * a.heads + firstHead + g) * a.splits * stride + a.headDim;
        const int lane = threadIdx.x % kWarp;
        float best[kMaxSplits / kWarp], total = 0, greatest = -INFINITY;
#pragma unroll
        for (int k = 0; k < kMaxSplits / kWarp; ++k) {
            const int s = lane + k * kWarp;
            best[k] = s < active ? __ldcg(parts + s * stride) : -INFINITY;
            greatest = fmaxf(greatest, best[k]);
        }
#pragma unroll
        for (int step = kWarp / 2; step > 0; step /= 2)
            greatest = fmaxf(greatest, __shfl_xor_sync(kAllLanes, greatest, step));
#pragma unroll
        for (int k = 0; k < kMaxSplits / kWarp; ++k) {
            const int s = lane + k * kWarp;
            best[k] = exp2f(best[k] - greatest); // 0 for a part that is not there
            total += s < active ? best[k] * __ldcg(parts + s * stride + 1) : 0.0f;
        }
        total = warpSum(total);
#pragma unroll
        for (int k = 0; k < kMaxSplits / kWarp; ++k)
            factors[g][lane + k * kWarp] = best[k] / total;
    }
    meet();
    for (int i = threadIdx.x; i < heads * int(a.headDim); i += kWarps * kWarp) {
        const int g = i / int(a.headDim), e = i % int(a.headDim);
        const std::int64_t head = sequence * a.heads + firstHead + g;
        const float *parts = a.partial + head * a.splits * stride + e;
        float joined = 0;
#pragma unroll 8
        for (int s = 0; s < active; ++s)
            joined = fmaf(factors[g][s], __ldcg(parts + s * stride), joined);
        static_cast<T *>(a.out)[head * a.headDim + e] = fromFloat<T>(joined);
    }
}

} // namespace ridgepoint::cuda
