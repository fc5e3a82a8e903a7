// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/cuda/attend_stream.h"

#include "core/cuda/attend_parts.cuh"
#include "core/cuda/bulk_copies.cuh"

#include <algorithm>

// For older cards the kernel is empty, and what it would call is not used.
#pragma nv_diag_suppress 177

namespace ridgepoint::cuda {

namespace {

constexpr int kWarps = 4; ///< that compute; one more copies
constexpr int kThreads = (kWarps + 1) * kWarp;
constexpr int kTileKeys = 16;         ///< of an instruction
constexpr int kSideBytes = 8 * 1024;  ///< of keys in a slot, and of values behind them
constexpr int kSlotBytes = 2 * kSideBytes;
constexpr int kBlocksAtOnce = 2;      ///< of a multiprocessor
__host__ __device__ constexpr int slotsOf(int headDim) { return headDim <= 64 ? 6 : 5; }
__host__ __device__ constexpr int positionsOf(int headDim) { return kSideBytes / (headDim * 2); }

/// One context, or a part of it, for the query heads of one block.
struct Item {
    std::int64_t sequence;
    int kvHead, piece, split;
};

template <typename T, int kHeadDim>
__global__ void __launch_bounds__(kThreads, kBlocksAtOnce) attendStreamKernel(AttendArgs a, int pieces)
{
#if __CUDA_ARCH__ >= 900
    constexpr int kSets = kHeadDim / 32; // chunks of 16 bytes that a lane has of a key
    constexpr int kSlots = slotsOf(kHeadDim), kPositions = positionsOf(kHeadDim);
    constexpr int kTiles = kPositions / kTileKeys, kSlotsAtOnce = kWarps / kTiles; // warps take tiles in turn, of kSlotsAtOnce slots
    extern __shared__ __align__(128) unsigned char ring[];
    __shared__ std::uint64_t barriers[2 * kSlots];
    __shared__ float sharedSum[kWarps][kMaxGroup][kHeadDim];
    __shared__ float sharedMax[kWarps][kMaxGroup], sharedTotal[kWarps][kMaxGroup];
    __shared__ __align__(16) T finished[kMaxGroup * kHeadDim];
    __shared__ __align__(16) T fresh[2][kHeadDim];

    const int warp = threadIdx.x / kWarp, lane = threadIdx.x % kWarp;
    const unsigned full = sharedAddress(barriers), empty = full + kSlots * 8;
    if (threadIdx.x == 0) {
        for (int i = 0; i < kSlots; ++i) {
            barrierInit(full + i * 8, 1);
            barrierInit(empty + i * 8, kWarps);
        }
        barriersAreSet();
    }
    __syncthreads();
    if (a.early)
        letDependentsStart();

    const std::int64_t end = *a.position + 1; // moved by the step before, which has ended
    const std::int64_t begin = a.window > 0 && end > a.window ? end - a.window : 0;
    std::int64_t each = (end - begin + a.splits - 1) / a.splits;
    each = each < leastKeys(kHeadDim) ? leastKeys(kHeadDim) : each;
    each = (each + kPositions - 1) / kPositions * kPositions;
    const int active = int((end - begin + each - 1) / each);
    const std::int64_t items = a.batch * a.kvHeads * pieces * active;
    const auto itemAt = [&](std::int64_t i) {
        Item item;
        item.split = int(i % active), i /= active;
        item.piece = int(i % pieces), i /= pieces;
        item.kvHead = int(i % a.kvHeads);
        item.sequence = i / a.kvHeads;
        return item;
    };
    const auto fromOf = [&](const Item &item) { return begin + item.split * each; };
    const auto toOf = [&](const Item &item) { return min(end, begin + (item.split + 1) * each); };

    if (warp == kWarps) {
        if (lane != 0)
            return;
        int slot = 0;
        unsigned parity = 0;
        for (std::int64_t i = blockIdx.x; i < items; i += gridDim.x) {
            const Item item = itemAt(i);
            const std::int64_t cache = (item.sequence * a.kvHeads + item.kvHead) * a.maxContext * kHeadDim;
            const T *keys = static_cast<const T *>(a.keys) + cache, *values = static_cast<const T *>(a.values) + cache;
            const std::int64_t to = toOf(item), known = min(to, end - 1); // the newest position is not in the cache yet
            for (std::int64_t at = fromOf(item); at < to; at += kPositions) {
                const unsigned bytes = unsigned(max(std::int64_t(0), min(std::int64_t(kPositions), known - at)) * kHeadDim * 2);
                const unsigned there = sharedAddress(ring) + slot * kSlotBytes;
                barrierWait(empty + slot * 8, parity ^ 1);
                barrierExpect(full + slot * 8, 2 * bytes);
                if (bytes > 0) {
                    bulkCopyOnce(there, keys + at * kHeadDim, bytes, full + slot * 8);
                    bulkCopyOnce(there + kSideBytes, values + at * kHeadDim, bytes, full + slot * 8);
                }
                if (++slot == kSlots)
                    slot = 0, parity ^= 1;
            }
        }
        return;
    }

    // A warp's heads of the raw product; those of the next context are asked for while this one's keys are gone through.
    constexpr int kJobs = (kMaxGroup + 2 + kWarps - 1) / kWarps, kPairs = kHeadDim / 2 / kWarp;
    const int perKv = int(a.heads / a.kvHeads), all = int(a.heads + 2 * a.kvHeads);
    const auto headsOf = [&](const Item &item) { return min(kMaxGroup, perKv - item.piece * kMaxGroup); };
    const auto headOf = [&](const Item &item, int job) { // of the product's, query heads first; below 0: none
        const int heads = headsOf(item), firstHead = item.kvHead * perKv + item.piece * kMaxGroup;
        const bool appends = toOf(item) == end;
        return job < heads ? firstHead + job : job < heads + 2 && appends ? int(a.heads) + (job - heads) * int(a.kvHeads) + item.kvHead : -1;
    };
    RawHead<T, kPairs> raw[kJobs];
    const auto ask = [&](std::int64_t i) {
        const Item item = itemAt(i);
        const T *row = static_cast<const T *>(a.raw.qkv) + item.sequence * all * kHeadDim;
#pragma unroll
        for (int j = 0; j < kJobs; ++j) {
            const int head = headOf(item, warp + j * kWarps);
            if (head >= 0)
                raw[j].load(row + head * kHeadDim, kHeadDim);
        }
    };
    float cosine[kPairs], sine[kPairs];
    loadRotation(a.raw.cosine + (end - 1) * (kHeadDim / 2), kHeadDim, cosine);
    loadRotation(a.raw.sine + (end - 1) * (kHeadDim / 2), kHeadDim, sine);
    waitForDependency();
    if (!a.early)
        letDependentsStart();
    if (blockIdx.x < items) // splits that the context is too short for leave blocks without one
        ask(blockIdx.x);
    const auto meet = [] { asm volatile("bar.sync 1, %0;" ::"n"(kWarps * kWarp) : "memory"); };
    const int r = lane / 4, c = lane % 4;
    const float scale = a.scale * 1.4426950408889634f; // in units in which 2^x is the exponential
    int slot = 0;
    unsigned parity = 0;
    for (std::int64_t i = blockIdx.x; i < items; i += gridDim.x) {
        const Item item = itemAt(i);
        const int firstHead = item.kvHead * perKv + item.piece * kMaxGroup, heads = headsOf(item);
        const std::int64_t from = fromOf(item), to = toOf(item), known = min(to, end - 1);
        const std::int64_t place = ((item.sequence * a.kvHeads + item.kvHead) * a.maxContext + end - 1) * kHeadDim;
#pragma unroll
        for (int j = 0; j < kJobs; ++j) {
            const int job = warp + j * kWarps, head = headOf(item, job);
            if (head < 0)
                continue;
            const bool isQuery = job < heads, isKey = job == heads;
            raw[j].finish(a.raw.bias ? a.raw.bias + head * kHeadDim : nullptr,
                          isQuery ? a.raw.qNorm
                          : isKey ? a.raw.kNorm
                                  : nullptr,
                          a.raw.eps, cosine, sine, isQuery || isKey, kHeadDim,
                          isQuery ? finished + job * kHeadDim
                          : isKey ? static_cast<T *>(a.keys) + place
                                  : static_cast<T *>(a.values) + place,
                          isQuery ? nullptr : fresh[isKey ? 0 : 1]);
        }
        meet();
        if (i + gridDim.x < items)
            ask(i + gridDim.x);
        uint4 query[kSets];
#pragma unroll
        for (int s = 0; s < kSets; ++s) {
            query[s] = make_uint4(0, 0, 0, 0);
            if (r < heads)
                query[s] = *reinterpret_cast<const uint4 *>(finished + r * kHeadDim + (s * 4 + c) * kVec);
        }
        float sum[kSets * 2][4] = {}; // [16 dimensions][heads 2c and 2c + 1]
        float greatest[2] = {-INFINITY, -INFINITY}, total[2] = {0, 0};
        int turn = 0;
        for (std::int64_t at = from; at < to; at += kPositions, turn = turn + 1 == kSlotsAtOnce ? 0 : turn + 1) {
            barrierWait(full + slot * 8, parity);
            const std::int64_t first = at + warp % kTiles * kTileKeys;
            if (turn == warp / kTiles && first < to) {
                const unsigned char *rows = ring + slot * kSlotBytes + (warp % kTiles * kTileKeys + r) * kHeadDim * 2 + c * 16;
                uint4 key[2][kSets], value[2][kSets];
#pragma unroll
                for (int half = 0; half < 2; ++half)
#pragma unroll
                    for (int s = 0; s < kSets; ++s) {
                        const unsigned char *chunk = rows + half * 8 * kHeadDim * 2 + s * 64;
                        key[half][s] = *reinterpret_cast<const uint4 *>(chunk);
                        value[half][s] = *reinterpret_cast<const uint4 *>(chunk + kSideBytes);
                    }
                if (first + kTileKeys > known) { // what lies behind the known ones is left over from another slot
#pragma unroll
                    for (int half = 0; half < 2; ++half) {
                        const std::int64_t position = first + half * 8 + r;
                        if (position < known)
                            continue;
#pragma unroll
                        for (int s = 0; s < kSets; ++s) {
                            key[half][s] = value[half][s] = make_uint4(0, 0, 0, 0);
                            if (position == known && known < to) { // the newest, whose key and value this block has just made
                                key[half][s] = *reinterpret_cast<const uint4 *>(fresh[0] + (s * 4 + c) * kVec);
                                value[half][s] = *reinterpret_cast<const uint4 *>(fresh[1] + (s * 4 + c) * kVec);
                            }
                        }
                    }
                }
                float score[4] = {}, best[2] = {-INFINITY, -INFINITY};
#pragma unroll
                for (int s = 0; s < kSets; ++s) {
                    const uint4 &low = key[0][s], &high = key[1][s];
                    multiplyAdd<T>(score, low.x, high.x, low.y, high.y, query[s].x, query[s].y);
                    multiplyAdd<T>(score, low.z, high.z, low.w, high.w, query[s].z, query[s].w);
                }
#pragma unroll
                for (int e = 0; e < 4; ++e) {
                    score[e] = first + e / 2 * 8 + r < to ? score[e] * scale : -INFINITY;
                    best[e % 2] = fmaxf(best[e % 2], score[e]);
                }
#pragma unroll
                for (int h = 0; h < 2; ++h) {
#pragma unroll
                    for (int step = 4; step < kWarp; step *= 2)
                        best[h] = fmaxf(best[h], __shfl_xor_sync(kAllLanes, best[h], step));
                    best[h] = fmaxf(best[h], greatest[h]); // finite: a tile has one live key at least
                    const float shrink = exp2f(greatest[h] - best[h]);
                    greatest[h] = best[h];
                    total[h] *= shrink;
#pragma unroll
                    for (int m = 0; m < kSets * 2; ++m)
                        sum[m][h] *= shrink, sum[m][2 + h] *= shrink;
                }
#pragma unroll
                for (int e = 0; e < 4; ++e) {
                    score[e] = exp2f(score[e] - greatest[e % 2]);
                    total[e % 2] += score[e];
                }
                const unsigned weight0 = transposed(pair<T>(score[0], score[1])), weight1 = transposed(pair<T>(score[2], score[3]));
#pragma unroll
                for (int s = 0; s < kSets; ++s) {
                    const uint4 &low = value[0][s], &high = value[1][s];
                    multiplyAdd<T>(sum[2 * s], transposed(low.x), transposed(low.y), transposed(high.x), transposed(high.y), weight0, weight1);
                    multiplyAdd<T>(sum[2 * s + 1], transposed(low.z), transposed(low.w), transposed(high.z), transposed(high.w), weight0, weight1);
                }
            }
            __syncwarp();
            if (lane == 0)
                barrierArrive(empty + slot * 8, 1);
            if (++slot == kSlots)
                slot = 0, parity ^= 1;
        }
#pragma unroll
        for (int h = 0; h < 2; ++h) {
#pragma unroll
            for (int step = 4; step < kWarp; step *= 2)
                total[h] += __shfl_xor_sync(kAllLanes, total[h], step);
            const int head = 2 * c + h;
            if (r == 0)
                sharedMax[warp][head] = greatest[h], sharedTotal[warp][head] = total[h];
#pragma unroll
            for (int m = 0; m < kSets * 4; ++m) {
                const int dimension = ((m / 4) * 4 + r / 2) * kVec + (m % 4) * 2 + r % 2;
                sharedSum[warp][head][dimension] = sum[m / 2][(m % 2) * 2 + h];
            }
        }
        meet();
        joinParts<T, kMaxGroup, kHeadDim, kWarps>(a, sharedSum, sharedMax, sharedTotal, item.sequence, firstHead, heads, item.split, active,
                                                  a.counters + (item.sequence * a.kvHeads + item.kvHead) * pieces + item.piece, meet);
        meet(); // before the next context's sums
    }
#endif // elsewhere it is not launched
}

int piecesOf(const AttendArgs &a) { return int((a.heads / a.kvHeads + kMaxGroup - 1) / kMaxGroup); }

template <typename T, int kHeadDim>
cudaError_t launch(const AttendArgs &a, cudaStream_t stream)
{
    int device = 0, multiprocessors = 0;
    cudaError_t status = cudaGetDevice(&device);
    if (status == cudaSuccess)
        status = cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device);
    const auto kernel = attendStreamKernel<T, kHeadDim>;
    const int bytes = slotsOf(kHeadDim) * kSlotBytes;
    if (status == cudaSuccess)
        status = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
    if (status != cudaSuccess)
        return status;
    const int pieces = piecesOf(a);
    const std::int64_t most = a.batch * a.kvHeads * pieces * a.splits;
    const unsigned blocks = unsigned(std::min<std::int64_t>(most, std::int64_t(multiprocessors) * kBlocksAtOnce));
    return launchOverlapped(kernel, dim3(blocks), dim3(kThreads), std::size_t(bytes), stream, a.overlap, a, pieces);
}

} // namespace

bool attendStreamSupports(DType dtype, const AttendArgs &a)
{
    const auto aligned = [](const void *p) { return reinterpret_cast<std::uintptr_t>(p) % 16 == 0; };
    return dtype != DType::F32 && a.overlap && a.tensorCores && a.raw.qkv && (a.headDim == 64 || a.headDim == 128) && a.splits <= kMaxSplits &&
           aligned(a.keys) && aligned(a.values) && a.kvHeads > 0 && a.heads % a.kvHeads == 0 && a.batch * a.kvHeads * piecesOf(a) >= 8;
}

cudaError_t attendStream(DType dtype, const AttendArgs &args, cudaStream_t stream)
{
    if (!attendStreamSupports(dtype, args))
        return cudaErrorInvalidValue;
    if (dtype == DType::F16)
        return args.headDim == 64 ? launch<__half, 64>(args, stream) : launch<__half, 128>(args, stream);
    return args.headDim == 64 ? launch<__nv_bfloat16, 64>(args, stream) : launch<__nv_bfloat16, 128>(args, stream);
}

} // namespace ridgepoint::cuda
