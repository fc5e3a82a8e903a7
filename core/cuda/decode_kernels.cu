// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/cuda/decode_kernels.h"

#include "core/cuda/attend_parts.cuh"
#include "core/cuda/attend_stream.h"

#include <algorithm>

namespace ridgepoint::cuda {

namespace {

template <typename T, typename X>
__global__ void embedKernel(EmbedArgs a)
{
    waitForDependency();
    letDependentsStart();
    const std::int64_t row = blockIdx.x;
    const std::int64_t id = a.tokens[*a.position * a.batch + row];
    const T *from = static_cast<const T *>(a.embedding) + id * a.hidden;
    X *to = static_cast<X *>(a.x) + row * a.hidden;
    for (std::int64_t i = threadIdx.x * kVec; i < a.hidden; i += blockDim.x * kVec) {
        float value[kVec];
        load(from + i, value);
#pragma unroll
        for (int e = 0; e < kVec; ++e)
            value[e] = rounded<T>(value[e] * a.scale);
        store(value, to + i);
    }
}

constexpr int kNormPieces = 4; ///< vectors that a thread keeps in registers at most: 4 x 1024 x 8 elements

/// T: dtype of y and out. X: of the residual stream. A block is at most 1024 threads, each with kPieces vectors.
template <typename T, typename X, int kPieces>
__global__ void __launch_bounds__(1024) addNormKernel(AddNormArgs a)
{
    __shared__ float sharedY[kWarp], sharedX[kWarp];
    waitForDependency();
    letDependentsStart();
    const std::int64_t row = blockIdx.x;
    X *x = static_cast<X *>(a.x) + row * a.hidden;
    const T *y = a.y ? static_cast<const T *>(a.y) + row * a.hidden : nullptr;
    T *out = static_cast<T *>(a.out) + row * a.hidden;
    float value[kPieces][kVec], add[kPieces][kVec];
    float squares = 0;
#pragma unroll
    for (int piece = 0; piece < kPieces; ++piece) {
        const std::int64_t i = (std::int64_t(piece) * blockDim.x + threadIdx.x) * kVec;
        if (i >= a.hidden)
            break;
        load(x + i, value[piece]);
        if (y) {
            load(y + i, add[piece]);
#pragma unroll
            for (int e = 0; e < kVec; ++e) {
                if (a.bias)
                    add[piece][e] = rounded<T>(add[piece][e] + a.bias[i + e]);
                squares += add[piece][e] * add[piece][e];
            }
        }
    }
    const bool normed = y && a.yWeight; // the same in all threads
    const float yScale = normed ? rsqrtf(blockSum(squares, sharedY) / float(a.hidden) + a.eps) : 1.0f;
    squares = 0;
#pragma unroll
    for (int piece = 0; piece < kPieces; ++piece) {
        const std::int64_t i = (std::int64_t(piece) * blockDim.x + threadIdx.x) * kVec;
        if (i >= a.hidden)
            break;
        if (y) {
            if (normed) {
                float weight[kVec];
                load(a.yWeight + i, weight);
#pragma unroll
                for (int e = 0; e < kVec; ++e)
                    add[piece][e] = rounded<T>(add[piece][e] * yScale * weight[e]);
            }
#pragma unroll
            for (int e = 0; e < kVec; ++e)
                value[piece][e] = rounded<X>(value[piece][e] + add[piece][e]);
            store(value[piece], x + i);
        }
#pragma unroll
        for (int e = 0; e < kVec; ++e)
            squares += value[piece][e] * value[piece][e];
    }
    const float scale = rsqrtf(blockSum(squares, sharedX) / float(a.hidden) + a.eps);
#pragma unroll
    for (int piece = 0; piece < kPieces; ++piece) {
        const std::int64_t i = (std::int64_t(piece) * blockDim.x + threadIdx.x) * kVec;
        if (i >= a.hidden)
            break;
        float weight[kVec];
        load(a.weight + i, weight);
#pragma unroll
        for (int e = 0; e < kVec; ++e)
            value[piece][e] *= scale * weight[e];
        store(value[piece], out + i);
    }
}

constexpr int kRopeWarps = 4;
/// A warp a head.
template <typename T>
__global__ void ropeAppendKernel(RopeAppendArgs a)
{
    const std::int64_t row = blockIdx.x;
    const int head = blockIdx.y * kRopeWarps + threadIdx.x / kWarp;
    const int all = int(a.heads + 2 * a.kvHeads);
    if (head >= all)
        return;
    const std::int64_t half = a.headDim / 2;
    const std::int64_t sequence = row / a.tokens;
    const std::int64_t position = (a.position ? *a.position : a.firstPosition) + row % a.tokens;
    const bool isQuery = head < a.heads, isValue = head >= a.heads + a.kvHeads;
    T *to;
    if (isQuery)
        to = static_cast<T *>(a.q) + (row * a.heads + head) * a.headDim;
    else
        to = static_cast<T *>(isValue ? a.values : a.keys) +
             ((sequence * a.kvHeads + (head - a.heads) % a.kvHeads) * a.maxContext + position) * a.headDim;
    finishHead<T>(static_cast<const T *>(a.qkv) + (row * all + head) * a.headDim,
                  a.bias ? a.bias + std::int64_t(head) * a.headDim : nullptr,
                  isValue   ? nullptr
                  : isQuery ? a.qNorm
                            : a.kNorm,
                  a.eps, isValue ? nullptr : a.cosine + position * half, isValue ? nullptr : a.sine + position * half,
                  int(a.headDim), to);
}

constexpr int kAttendWarps = 4;
constexpr int kAttendUnroll = 4;   ///< keys that a group of lanes has in flight

int lanesOfKey(std::int64_t headDim)
{
    int lanes = 4; // fewer would only multiply the variants
    while (lanes * kVec < headDim)
        lanes *= 2;
    return lanes;
}
/// Keys that one pass of a block covers.
int keysOfBlock(std::int64_t headDim) { return kAttendWarps * kAttendUnroll * (kWarp / lanesOfKey(headDim)); }
std::int64_t groupsOf(std::int64_t heads, std::int64_t kvHeads)
{
    return (heads / kvHeads + kMaxGroup - 1) / kMaxGroup;
}

/// `kLanes` lanes hold one key, eight elements each; the warp's other lanes hold the next keys. kGroup query heads share
/// them. Scores and sums are fp32; the softmax is taken along the way with a running maximum.
template <typename T, int kGroup, int kLanes>
__global__ void __launch_bounds__(kAttendWarps *kWarp) attendKernel(AttendArgs a, int pieces)
{
    constexpr int kKeys = kWarp / kLanes;            // of one load of a warp
    constexpr int kTile = kKeys * kAttendUnroll;     // of one pass of a warp
    constexpr int kBlockTile = kTile * kAttendWarps; // of one pass of the block
    constexpr int kWidth = kLanes * kVec;            // headDim rounded up
    __shared__ float sharedSum[kAttendWarps][kGroup][kWidth];
    __shared__ float sharedMax[kAttendWarps][kGroup], sharedTotal[kAttendWarps][kGroup];

    const int split = blockIdx.x;
    const int kvHead = blockIdx.y / pieces, piece = blockIdx.y % pieces;
    const std::int64_t sequence = blockIdx.z;
    const int warp = threadIdx.x / kWarp, lane = threadIdx.x % kWarp;
    const int keyOfLane = lane / kLanes, part = lane % kLanes;
    const bool inside = part * kVec < a.headDim;
    const int perKv = int(a.heads / a.kvHeads);
    const int firstHead = kvHead * perKv + piece * kGroup;
    const int heads = min(kGroup, perKv - piece * kGroup);

    waitForDependency();
    letDependentsStart();
    const std::int64_t end = *a.position + 1;
    const std::int64_t begin = a.window > 0 && end > a.window ? end - a.window : 0;
    const std::int64_t length = end - begin;
    std::int64_t each = (length + a.splits - 1) / a.splits;
    each = (each + kBlockTile - 1) / kBlockTile * kBlockTile;
    const int active = int((length + each - 1) / each);
    if (split >= active)
        return;
    const std::int64_t from = begin + split * each, to = min(end, from + each);

    const T *keys = static_cast<const T *>(a.keys) + (sequence * a.kvHeads + kvHead) * a.maxContext * a.headDim;
    const T *values = static_cast<const T *>(a.values) + (sequence * a.kvHeads + kvHead) * a.maxContext * a.headDim;
    const T *queries = static_cast<const T *>(a.q) + (sequence * a.heads + firstHead) * a.headDim;
    __shared__ __align__(16) T finished[kGroup * kWidth];
    if (a.raw.qkv) {
        finishHeads<T>(a, finished, nullptr, sequence, kvHead, firstHead, heads, end - 1, split == active - 1, kAttendWarps);
        __syncthreads();
        queries = finished;
    }

    float query[kGroup][kVec];
#pragma unroll
    for (int g = 0; g < kGroup; ++g) {
#pragma unroll
        for (int e = 0; e < kVec; ++e)
            query[g][e] = 0;
        if (inside && g < heads) {
            load(queries + g * a.headDim + part * kVec, query[g]);
            // In units in which 2^x is the exponential: one multiplication a score less.
#pragma unroll
            for (int e = 0; e < kVec; ++e)
                query[g][e] *= a.scale * 1.4426950408889634f;
        }
    }
    float sum[kGroup][kVec], greatest[kGroup], total[kGroup];
#pragma unroll
    for (int g = 0; g < kGroup; ++g) {
        greatest[g] = -INFINITY;
        total[g] = 0;
#pragma unroll
        for (int e = 0; e < kVec; ++e)
            sum[g][e] = 0;
    }

    for (std::int64_t tile = from + warp * kTile; tile < to; tile += kBlockTile) {
        Packed<T> key[kAttendUnroll], value[kAttendUnroll];
#pragma unroll
        for (int u = 0; u < kAttendUnroll; ++u) {
            const std::int64_t at = tile + u * kKeys + keyOfLane;
            key[u].clear();
            value[u].clear();
            if (at < to && inside) {
                key[u].load(keys + at * a.headDim + part * kVec);
                value[u].load(values + at * a.headDim + part * kVec);
            }
        }
        float score[kAttendUnroll][kGroup];
#pragma unroll
        for (int u = 0; u < kAttendUnroll; ++u) {
            float k[kVec];
            key[u].unpack(k);
            const bool live = tile + u * kKeys + keyOfLane < to;
#pragma unroll
            for (int g = 0; g < kGroup; ++g) {
                float dot = 0;
#pragma unroll
                for (int e = 0; e < kVec; ++e)
                    dot = fmaf(query[g][e], k[e], dot);
#pragma unroll
                for (int step = kLanes / 2; step > 0; step /= 2)
                    dot += __shfl_xor_sync(kAllLanes, dot, step);
                score[u][g] = live ? dot : -INFINITY;
            }
        }
#pragma unroll
        for (int g = 0; g < kGroup; ++g) {
            float best = score[0][g];
#pragma unroll
            for (int u = 1; u < kAttendUnroll; ++u)
                best = fmaxf(best, score[u][g]);
#pragma unroll
            for (int step = kWarp / 2; step >= kLanes; step /= 2)
                best = fmaxf(best, __shfl_xor_sync(kAllLanes, best, step));
            // A tile has one live key at least, so that `best` is finite; it is the same in all lanes.
            if (best > greatest[g]) {
                const float shrink = exp2f(greatest[g] - best);
                greatest[g] = best;
                total[g] *= shrink;
#pragma unroll
                for (int e = 0; e < kVec; ++e)
                    sum[g][e] *= shrink;
            }
#pragma unroll
            for (int u = 0; u < kAttendUnroll; ++u) {
                score[u][g] = exp2f(score[u][g] - greatest[g]);
                total[g] += score[u][g];
            }
        }
#pragma unroll
        for (int u = 0; u < kAttendUnroll; ++u) {
            float v[kVec];
            value[u].unpack(v);
#pragma unroll
            for (int g = 0; g < kGroup; ++g)
#pragma unroll
                for (int e = 0; e < kVec; ++e)
                    sum[g][e] = fmaf(score[u][g], v[e], sum[g][e]);
        }
    }

    // The keys of a warp lie in different lanes: add them up.
#pragma unroll
    for (int g = 0; g < kGroup; ++g) {
#pragma unroll
        for (int step = kWarp / 2; step >= kLanes; step /= 2) {
            total[g] += __shfl_xor_sync(kAllLanes, total[g], step);
#pragma unroll
            for (int e = 0; e < kVec; ++e)
                sum[g][e] += __shfl_xor_sync(kAllLanes, sum[g][e], step);
        }
        if (keyOfLane == 0) {
#pragma unroll
            for (int e = 0; e < kVec; ++e)
                sharedSum[warp][g][part * kVec + e] = sum[g][e];
            if (part == 0) {
                sharedMax[warp][g] = greatest[g];
                sharedTotal[warp][g] = total[g];
            }
        }
    }
    __syncthreads();

    joinParts<T, kGroup, kWidth, kAttendWarps>(a, sharedSum, sharedMax, sharedTotal, sequence, firstHead, heads, split, active,
                                               a.counters + sequence * gridDim.y + blockIdx.y, [] { __syncthreads(); });
}

/// Warps of a block of the kernel below: as many as shared memory has sums for.
__host__ __device__ constexpr int tensorWarps(int headDim) { return headDim <= 128 ? 8 : 4; }
/// The same attention on the tensor cores, for two-byte dtypes from compute capability 8.0 on and headDim a multiple of 32.
/// A warp takes 16 keys at a time: S^T = K Q^T with keys as the long side and up to eight heads as the short one, then
/// O^T += V^T P^T. Lane (r, c) = (lane / 4, lane % 4) loads 16-byte chunks c, c + 4, ... of keys r and r + 8, straight from
/// memory. A dot product does not mind in which order its elements come, so a chunk's four pairs serve as the k-columns that
/// the instruction wants two by two, the queries being laid out alike; V's are turned over in registers (movmatrix), which
/// makes row i of matrix m the dimension ((m / 4) * 4 + i / 2) * 8 + (m % 4) * 2 + i % 2.
/// With the raw product the cache before the newest position does not wait for the kernel ahead: the first pass's keys and
/// values are loaded before it has ended.
template <typename T, int kHeadDim>
__global__ void __launch_bounds__(tensorWarps(kHeadDim) * kWarp, 2) attendTensorKernel(AttendArgs a, int pieces)
{
    constexpr int kWarps = tensorWarps(kHeadDim);
    constexpr int kSets = kHeadDim / 32;                  // chunks of a lane in a key
    constexpr int kTiles = kHeadDim <= 64 ? 2 : 1;        // of 16 keys, in flight together
    constexpr int kPass = 16 * kTiles;                    // keys of one pass of a warp
    constexpr int kBlockPass = kPass * kWarps;
    __shared__ float sharedSum[kWarps][kMaxGroup][kHeadDim];
    __shared__ float sharedMax[kWarps][kMaxGroup], sharedTotal[kWarps][kMaxGroup];
    __shared__ __align__(16) T finished[kMaxGroup * kHeadDim];
    __shared__ __align__(16) T fresh[2][kHeadDim];

    const int split = blockIdx.x;
    const int kvHead = blockIdx.y / pieces, piece = blockIdx.y % pieces;
    const std::int64_t sequence = blockIdx.z;
    const int warp = threadIdx.x / kWarp, lane = threadIdx.x % kWarp;
    const int r = lane / 4, c = lane % 4;
    const int perKv = int(a.heads / a.kvHeads);
    const int firstHead = kvHead * perKv + piece * kMaxGroup;
    const int heads = min(kMaxGroup, perKv - piece * kMaxGroup);
    const bool raw = a.raw.qkv != nullptr;

    if (!raw) {
        waitForDependency();
        letDependentsStart();
    }
    if (raw && a.early)
        letDependentsStart();
    const std::int64_t end = *a.position + 1; // moved by the step before, which has ended
    const std::int64_t begin = a.window > 0 && end > a.window ? end - a.window : 0;
    const std::int64_t length = end - begin;
    std::int64_t each = (length + a.splits - 1) / a.splits;
    each = each < leastKeys(kHeadDim) ? leastKeys(kHeadDim) : each;
    each = (each + kBlockPass - 1) / kBlockPass * kBlockPass;
    const int active = int((length + each - 1) / each);
    if (split >= active)
        return;
    const std::int64_t from = begin + split * each, to = min(end, from + each);
    const std::int64_t known = raw ? min(to, end - 1) : to; // in the cache already

    const std::int64_t cache = (sequence * a.kvHeads + kvHead) * a.maxContext * kHeadDim;
    const T *keys = static_cast<const T *>(a.keys) + cache + c * kVec;
    const T *values = static_cast<const T *>(a.values) + cache + c * kVec;
    uint4 key[kTiles][2][kSets], value[kTiles][2][kSets];
    const auto loadPass = [&](std::int64_t tile) {
        const auto loadSide = [&](uint4(&to)[kTiles][2][kSets], const T *from) {
#pragma unroll
            for (int t = 0; t < kTiles; ++t) {
#pragma unroll
                for (int half = 0; half < 2; ++half) {
                    const std::int64_t at = tile + t * 16 + half * 8 + r;
#pragma unroll
                    for (int s = 0; s < kSets; ++s) {
                        to[t][half][s] = make_uint4(0, 0, 0, 0);
                        if (at < known)
                            to[t][half][s] = *reinterpret_cast<const uint4 *>(from + at * kHeadDim + s * 4 * kVec);
                    }
                }
            }
        };
        loadSide(key, keys);
        loadSide(value, values);
    };
    loadPass(from + warp * kPass);

    const T *queries = static_cast<const T *>(a.q) + (sequence * a.heads + firstHead) * kHeadDim;
    if (raw) {
        waitForDependency();
        // Not before, unless asked: while blocks of the kernel ahead are still leaving, the next one's may crowd where there is
        // room first, two on one multiprocessor and none on another.
        letDependentsStart();
        finishHeads<T>(a, finished, fresh[0], sequence, kvHead, firstHead, heads, end - 1, split == active - 1, kWarps);
        __syncthreads();
        queries = finished;
    }
    uint4 query[kSets];
#pragma unroll
    for (int s = 0; s < kSets; ++s) {
        query[s] = make_uint4(0, 0, 0, 0);
        if (r < heads)
            query[s] = *reinterpret_cast<const uint4 *>(queries + r * kHeadDim + (s * 4 + c) * kVec);
    }
    const float scale = a.scale * 1.4426950408889634f; // in units in which 2^x is the exponential
    float sum[kSets * 2][4] = {};                      // [16 dimensions][heads 2c and 2c + 1]
    float greatest[2] = {-INFINITY, -INFINITY}, total[2] = {0, 0};

    for (std::int64_t tile = from + warp * kPass; tile < to; tile += kBlockPass) {
        if (tile != from + warp * kPass)
            loadPass(tile);
        if (known < to && tile + kPass > known) { // the newest position, whose key and value this block has just made
#pragma unroll
            for (int t = 0; t < kTiles; ++t)
#pragma unroll
                for (int half = 0; half < 2; ++half)
                    if (tile + t * 16 + half * 8 + r == known) {
#pragma unroll
                        for (int s = 0; s < kSets; ++s) {
                            key[t][half][s] = *reinterpret_cast<const uint4 *>(fresh[0] + (s * 4 + c) * kVec);
                            value[t][half][s] = *reinterpret_cast<const uint4 *>(fresh[1] + (s * 4 + c) * kVec);
                        }
                    }
        }
        float score[kTiles][4];
        float best[2] = {-INFINITY, -INFINITY};
#pragma unroll
        for (int t = 0; t < kTiles; ++t) {
#pragma unroll
            for (int e = 0; e < 4; ++e)
                score[t][e] = 0;
#pragma unroll
            for (int s = 0; s < kSets; ++s) {
                const uint4 &low = key[t][0][s], &high = key[t][1][s];
                multiplyAdd<T>(score[t], low.x, high.x, low.y, high.y, query[s].x, query[s].y);
                multiplyAdd<T>(score[t], low.z, high.z, low.w, high.w, query[s].z, query[s].w);
            }
#pragma unroll
            for (int e = 0; e < 4; ++e) {
                const bool live = tile + t * 16 + (e / 2) * 8 + r < to;
                score[t][e] = live ? score[t][e] * scale : -INFINITY;
                best[e % 2] = fmaxf(best[e % 2], score[t][e]);
            }
        }
#pragma unroll
        for (int h = 0; h < 2; ++h) {
#pragma unroll
            for (int step = 4; step < kWarp; step *= 2)
                best[h] = fmaxf(best[h], __shfl_xor_sync(kAllLanes, best[h], step));
            // A pass has one live key at least, so that `best` is finite.
            best[h] = fmaxf(best[h], greatest[h]);
            const float shrink = exp2f(greatest[h] - best[h]);
            greatest[h] = best[h];
            total[h] *= shrink;
#pragma unroll
            for (int m = 0; m < kSets * 2; ++m) {
                sum[m][h] *= shrink;
                sum[m][2 + h] *= shrink;
            }
        }
#pragma unroll
        for (int t = 0; t < kTiles; ++t) {
#pragma unroll
            for (int e = 0; e < 4; ++e) {
                score[t][e] = exp2f(score[t][e] - greatest[e % 2]);
                total[e % 2] += score[t][e];
            }
            const unsigned weight0 = transposed(pair<T>(score[t][0], score[t][1]));
            const unsigned weight1 = transposed(pair<T>(score[t][2], score[t][3]));
#pragma unroll
            for (int s = 0; s < kSets; ++s) {
                const uint4 &low = value[t][0][s], &high = value[t][1][s];
                multiplyAdd<T>(sum[2 * s], transposed(low.x), transposed(low.y), transposed(high.x), transposed(high.y), weight0,
                               weight1);
                multiplyAdd<T>(sum[2 * s + 1], transposed(low.z), transposed(low.w), transposed(high.z), transposed(high.w),
                               weight0, weight1);
            }
        }
    }

#pragma unroll
    for (int h = 0; h < 2; ++h) {
#pragma unroll
        for (int step = 4; step < kWarp; step *= 2)
            total[h] += __shfl_xor_sync(kAllLanes, total[h], step);
        const int head = 2 * c + h;
        if (r == 0) {
            sharedMax[warp][head] = greatest[h];
            sharedTotal[warp][head] = total[h];
        }
#pragma unroll
        for (int m = 0; m < kSets * 4; ++m) {
            const int dimension = ((m / 4) * 4 + r / 2) * kVec + (m % 4) * 2 + r % 2;
            sharedSum[warp][head][dimension] = sum[m / 2][(m % 2) * 2 + h];
        }
    }
    __syncthreads();
    joinParts<T, kMaxGroup, kHeadDim, kWarps>(a, sharedSum, sharedMax, sharedTotal, sequence, firstHead, heads, split, active,
                                        a.counters + sequence * gridDim.y + blockIdx.y, [] { __syncthreads(); });
}

/// True when a.tensorCores asks for it and the sizes allow it; then the launch is done.
template <typename T>
bool attendOnTensorCores(const AttendArgs &a, int pieces, cudaStream_t stream)
{
    if constexpr (sizeof(T) == 2) {
        if (!a.tensorCores)
            return false;
        const dim3 grid(unsigned(a.splits), unsigned(a.kvHeads * pieces), unsigned(a.batch));
        const auto launch = [&](auto kernel) { launchOverlapped(kernel, grid, unsigned(tensorWarps(int(a.headDim)) * kWarp), 0, stream, a.overlap, a, pieces); };
        switch (a.headDim) {
        case 64:
            launch(attendTensorKernel<T, 64>);
            return true;
        case 96:
            launch(attendTensorKernel<T, 96>);
            return true;
        case 128:
            launch(attendTensorKernel<T, 128>);
            return true;
        case 256:
            launch(attendTensorKernel<T, 256>);
            return true;
        default:
            return false;
        }
    }
    return false;
}

template <typename T, int kGroup>
cudaError_t attendWith(const AttendArgs &a, int pieces, cudaStream_t stream)
{
    const dim3 grid(unsigned(a.splits), unsigned(a.kvHeads * pieces), unsigned(a.batch));
    constexpr int threads = kAttendWarps * kWarp;
    const auto launch = [&](auto kernel) { return launchOverlapped(kernel, grid, threads, 0, stream, a.overlap, a, pieces); };
    switch (lanesOfKey(a.headDim)) {
    case 4:
        return launch(attendKernel<T, kGroup, 4>);
    case 8:
        return launch(attendKernel<T, kGroup, 8>);
    case 16:
        return launch(attendKernel<T, kGroup, 16>);
    default:
        return launch(attendKernel<T, kGroup, 32>);
    }
}

template <typename T>
cudaError_t attendOf(const AttendArgs &a, cudaStream_t stream)
{
    const int pieces = int(groupsOf(a.heads, a.kvHeads));
    if (attendOnTensorCores<T>(a, pieces, stream))
        return cudaGetLastError();
    switch (std::min<std::int64_t>(a.heads / a.kvHeads, kMaxGroup)) {
    case 1:
        return attendWith<T, 1>(a, pieces, stream);
    case 2:
        return attendWith<T, 2>(a, pieces, stream);
    case 3:
    case 4:
        return attendWith<T, 4>(a, pieces, stream);
    default:
        return attendWith<T, 8>(a, pieces, stream);
    }
}

template <typename T>
__global__ void activateKernel(ActivateArgs a)
{
    const std::int64_t row = blockIdx.y;
    const std::int64_t i = (std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x) * kVec;
    if (i >= a.ffn)
        return;
    const T *from = static_cast<const T *>(a.gateUp) + row * 2 * a.ffn;
    float gate[kVec], up[kVec];
    load(from + i, gate);
    load(from + a.ffn + i, up);
#pragma unroll
    for (int e = 0; e < kVec; ++e) {
        if (a.bias) {
            gate[e] = rounded<T>(gate[e] + a.bias[i + e]);
            up[e] = rounded<T>(up[e] + a.bias[a.ffn + i + e]);
        }
        gate[e] = rounded<T>(activated(gate[e], a.gelu)) * up[e];
    }
    store(gate, static_cast<T *>(a.out) + row * a.ffn + i);
}

struct Best {
    float value;
    std::int64_t index;
};
__device__ inline Best better(Best a, Best b)
{
    return b.value > a.value || (b.value == a.value && b.index < a.index) ? b : a;
}

constexpr int kPickThreads = 256;
constexpr int kPickParts = 32;

__device__ inline Best blockBest(Best best, Best *shared)
{
#pragma unroll
    for (int step = kWarp / 2; step > 0; step /= 2) {
        Best other;
        other.value = __shfl_xor_sync(kAllLanes, best.value, step);
        other.index = __shfl_xor_sync(kAllLanes, static_cast<long long>(best.index), step);
        best = better(best, other);
    }
    if (threadIdx.x % kWarp == 0)
        shared[threadIdx.x / kWarp] = best;
    __syncthreads();
    best = shared[0];
    for (int w = 1; w < kPickThreads / kWarp; ++w)
        best = better(best, shared[w]);
    return best;
}

template <typename T>
__global__ void pickKernel(PickArgs a)
{
    __shared__ Best shared[kPickThreads / kWarp];
    __shared__ bool isLast;
    waitForDependency();
    letDependentsStart();
    const std::int64_t sequence = blockIdx.y;
    const T *logits = static_cast<const T *>(a.logits) + sequence * a.vocab;
    Best *partial = static_cast<Best *>(a.partial) + sequence * kPickParts;
    Best best{-INFINITY, 0};
    for (std::int64_t i = std::int64_t(blockIdx.x) * kPickThreads + threadIdx.x; i < a.vocab;
         i += std::int64_t(kPickThreads) * kPickParts)
        best = better(best, {toFloat(logits[i]), i});
    best = blockBest(best, shared);
    if (threadIdx.x == 0) {
        partial[blockIdx.x] = best;
        __threadfence();
        isLast = atomicAdd(a.counters + sequence, 1u) == kPickParts - 1;
    }
    __syncthreads();
    if (!isLast || threadIdx.x != 0)
        return;
    __threadfence();
    best = {-INFINITY, 0};
#pragma unroll 8
    for (int part = 0; part < kPickParts; ++part)
        best = better(best, {__ldcg(&partial[part].value), __ldcg(reinterpret_cast<const long long *>(&partial[part].index))});
    const std::int64_t position = *a.position;
    a.tokens[(position + 1) * a.batch + a.firstSequence + sequence] = best.index;
    a.counters[sequence] = 0;
    __threadfence();
    if (atomicAdd(a.counters + a.sequences, 1u) == unsigned(a.sequences - 1)) {
        a.counters[a.sequences] = 0;
        if (a.advance)
            *a.position = position + 1;
    }
}

__global__ void setPositionKernel(std::int64_t *position, std::int64_t value) { *position = value; }

/// Threads of a block that goes once over `elements` in vectors, a whole number of warps.
unsigned threadsFor(std::int64_t elements, std::int64_t most)
{
    const std::int64_t vectors = (elements + kVec - 1) / kVec;
    return unsigned(std::clamp<std::int64_t>((vectors + kWarp - 1) / kWarp * kWarp, kWarp, most));
}

template <template <typename> class Call, typename Args>
cudaError_t dispatch(DType dtype, const Args &args, cudaStream_t stream)
{
    switch (dtype) {
    case DType::F16:
        return Call<__half>::run(args, stream);
    case DType::BF16:
        return Call<__nv_bfloat16>::run(args, stream);
    case DType::F32:
        return Call<float>::run(args, stream);
    }
    return cudaErrorInvalidValue;
}

template <typename T>
struct Embed {
    static cudaError_t run(const EmbedArgs &a, cudaStream_t stream)
    {
        return launchOverlapped(a.wideX ? embedKernel<T, float> : embedKernel<T, T>, unsigned(a.batch), threadsFor(a.hidden, 256),
                                0, stream, a.overlap, a);
    }
};
template <typename T>
struct AddNorm {
    static cudaError_t run(const AddNormArgs &a, cudaStream_t stream)
    {
        const auto launch = [&](auto kernel) {
            return launchOverlapped(kernel, unsigned(a.rows), threadsFor(a.hidden, 1024), 0, stream, a.overlap, a);
        };
        // Most models need one vector a thread; the registers of four would not let 1024 threads run without spilling.
        if (a.hidden <= 1024 * kVec)
            return launch(a.wideX ? addNormKernel<T, float, 1> : addNormKernel<T, T, 1>);
        return launch(a.wideX ? addNormKernel<T, float, kNormPieces> : addNormKernel<T, T, kNormPieces>);
    }
};
template <typename T>
struct RopeAppend {
    static cudaError_t run(const RopeAppendArgs &a, cudaStream_t stream)
    {
        const dim3 grid(unsigned(a.rows), unsigned((a.heads + 2 * a.kvHeads + kRopeWarps - 1) / kRopeWarps));
        ropeAppendKernel<T><<<grid, kRopeWarps * kWarp, 0, stream>>>(a);
        return cudaGetLastError();
    }
};
template <typename T>
struct Attend {
    static cudaError_t run(const AttendArgs &a, cudaStream_t stream) { return attendOf<T>(a, stream); }
};
template <typename T>
struct Activate {
    static cudaError_t run(const ActivateArgs &a, cudaStream_t stream)
    {
        constexpr unsigned threads = 256;
        constexpr std::int64_t most = 65535; // of a grid's second dimension
        for (std::int64_t row = 0; row < a.rows; row += most) {
            ActivateArgs part = a;
            part.gateUp = static_cast<const T *>(a.gateUp) + row * 2 * a.ffn;
            part.out = static_cast<T *>(a.out) + row * a.ffn;
            part.rows = std::min(most, a.rows - row);
            const dim3 grid(unsigned((a.ffn / kVec + threads - 1) / threads), unsigned(part.rows));
            activateKernel<T><<<grid, threads, 0, stream>>>(part);
        }
        return cudaGetLastError();
    }
};
template <typename T>
struct Pick {
    static cudaError_t run(const PickArgs &a, cudaStream_t stream)
    {
        return launchOverlapped(pickKernel<T>, dim3(kPickParts, unsigned(a.sequences)), kPickThreads, 0, stream, a.overlap, a);
    }
};

} // namespace

bool kernelsSupport(std::int64_t hidden, std::int64_t ffn, std::int64_t headDim)
{
    return hidden % kVec == 0 && hidden <= std::int64_t(kNormPieces) * 1024 * kVec && ffn % kVec == 0 &&
           headDim % kVec == 0 && headDim <= kMaxHeadDim;
}

cudaError_t embed(DType dtype, const EmbedArgs &args, cudaStream_t stream)
{
    return dispatch<Embed>(dtype, args, stream);
}

cudaError_t addNorm(DType dtype, const AddNormArgs &args, cudaStream_t stream)
{
    return dispatch<AddNorm>(dtype, args, stream);
}

cudaError_t ropeAppend(DType dtype, const RopeAppendArgs &args, cudaStream_t stream)
{
    return dispatch<RopeAppend>(dtype, args, stream);
}

int attendSplits(std::int64_t batch, std::int64_t heads, std::int64_t kvHeads, std::int64_t headDim,
                 std::int64_t maxContext, int multiprocessors)
{
    // Enough blocks to fill the card twice over, but none that would have less than one pass to do.
    const std::int64_t blocks = batch * kvHeads * groupsOf(heads, kvHeads);
    const std::int64_t wanted = (2 * std::int64_t(multiprocessors) + blocks - 1) / blocks;
    const std::int64_t useful = (maxContext + keysOfBlock(headDim) - 1) / keysOfBlock(headDim);
    return int(std::clamp<std::int64_t>(std::min(wanted, useful), 1, kMaxSplits));
}

std::int64_t attendPartialFloats(std::int64_t batch, std::int64_t heads, std::int64_t headDim, int splits)
{
    return splits > 1 ? batch * heads * splits * (headDim + 2) : 0;
}

bool attendUsesTensorCores(DType dtype, std::int64_t headDim)
{
    return dtype != DType::F32 && (headDim == 64 || headDim == 96 || headDim == 128 || headDim == 256);
}

std::int64_t attendCounters(std::int64_t batch, std::int64_t heads)
{
    return batch * heads; // at most a block a query head
}

cudaError_t attend(DType dtype, const AttendArgs &args, cudaStream_t stream)
{
    if (args.batch > 65535 || args.kvHeads < 1 || args.heads % args.kvHeads != 0)
        return cudaErrorInvalidValue;
    if (args.stream && attendStreamSupports(dtype, args))
        return attendStream(dtype, args, stream);
    return dispatch<Attend>(dtype, args, stream);
}

cudaError_t activate(DType dtype, const ActivateArgs &args, cudaStream_t stream)
{
    return dispatch<Activate>(dtype, args, stream);
}

std::int64_t pickPartialBytes(std::int64_t batch) { return batch * kPickParts * std::int64_t(sizeof(Best)); }

cudaError_t pick(DType dtype, const PickArgs &args, cudaStream_t stream)
{
    if (args.sequences > 65535)
        return cudaErrorInvalidValue;
    return dispatch<Pick>(dtype, args, stream);
}

cudaError_t setPosition(std::int64_t *position, std::int64_t value, cudaStream_t stream)
{
    setPositionKernel<<<1, 1, 0, stream>>>(position, value);
    return cudaGetLastError();
}

} // namespace ridgepoint::cuda
