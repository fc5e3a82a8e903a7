// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/cuda/warpgroup_products.h"

#include "core/cuda/bulk_copies.cuh"
#include "core/cuda/device_parts.cuh"

#include <cuda.h>

#include <algorithm>
#include <iterator>

// RIDGEPOINT_WARPGROUPS: built for compute capability 9.0 with its own instructions (sm_90a). Otherwise nothing is served.
#if RIDGEPOINT_WARPGROUPS

namespace ridgepoint::cuda {

namespace {

constexpr int kGroupThreads = 128;       ///< of a warpgroup
constexpr int kGroupRows = 64;           ///< sequences of an instruction
constexpr int kMostGroups = 2;           ///< warpgroups of a block that multiply; one more warp fetches
constexpr int kMostThreads = kMostGroups * kGroupThreads + kWarp;
constexpr int kBoxColumns = 64;          ///< 128 bytes: a row of a box, whose pieces of 16 bytes lie in the instruction's own order
constexpr int kBoxRowBytes = kBoxColumns * 2;
constexpr int kInstructionColumns = 16;
constexpr int kMostSlots = 12;
constexpr int kMostSplits = 8;
constexpr std::int64_t kFixedShared = 1024 + 1024 + 512; ///< the system's own; to begin the ring at a multiple of 1024; barriers

struct Sizes {
    int rows, columns, batch; ///< of the result; of a weight row; sequences
    int tiles, chunks;        ///< widths of weight rows; boxes along the columns
    int results;              ///< of a tile: its width, or half of it where it holds gate and up rows
    int splits, slots, inRows; ///< inRows: of a box of the input
    LinearEnd end;
    bool gelu;
};

// ---- the instruction ----

/// Where a box of rows of 128 bytes lies, as the instruction wants it: 16-byte pieces of a row exchanged by the row's number (128-byte
/// swizzle), eight rows every 1024 bytes.
__device__ inline std::uint64_t boxDescriptor(unsigned address)
{
    return std::uint64_t((address & 0x3ffff) >> 4) | (std::uint64_t(1) << 16) | (std::uint64_t(1024 >> 4) << 32) | (std::uint64_t(1) << 62);
}
/// Before the first instruction, and whenever registers of sums were touched otherwise.
__device__ inline void groupFence() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }
__device__ inline void groupCommit() { asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory"); }
template <int kPending>
__device__ inline void groupWait()
{
    asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(kPending) : "memory");
}

#define RP_SUMS_16 "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15"
#define RP_SUMS_32 RP_SUMS_16 ", %16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31"
#define RP_SUMS_48 RP_SUMS_32 ", %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47"
#define RP_SUMS_64 RP_SUMS_48 ", %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63"
#define RP_SUMS_80 RP_SUMS_64 ", %64, %65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79"
#define RP_SUMS_88 RP_SUMS_80 ", %80, %81, %82, %83, %84, %85, %86, %87"
#define RP_SUMS_96 RP_SUMS_88 ", %88, %89, %90, %91, %92, %93, %94, %95"
#define RP_SUMS_128                                                                                                                      \
    RP_SUMS_96 ", %96, %97, %98, %99, %100, %101, %102, %103, %104, %105, %106, %107, %108, %109, %110, %111, %112, %113, %114, %115, " \
               "%116, %117, %118, %119, %120, %121, %122, %123, %124, %125, %126, %127"
#define RP_EIGHT(i)                                                                                                                 \
    "+f"(d[i]), "+f"(d[i + 1]), "+f"(d[i + 2]), "+f"(d[i + 3]), "+f"(d[i + 4]), "+f"(d[i + 5]), "+f"(d[i + 6]), "+f"(d[i + 7])
#define RP_OUT_16 RP_EIGHT(0), RP_EIGHT(8)
#define RP_OUT_32 RP_OUT_16, RP_EIGHT(16), RP_EIGHT(24)
#define RP_OUT_48 RP_OUT_32, RP_EIGHT(32), RP_EIGHT(40)
#define RP_OUT_64 RP_OUT_48, RP_EIGHT(48), RP_EIGHT(56)
#define RP_OUT_80 RP_OUT_64, RP_EIGHT(64), RP_EIGHT(72)
#define RP_OUT_88 RP_OUT_80, RP_EIGHT(80)
#define RP_OUT_96 RP_OUT_88, RP_EIGHT(88)
#define RP_OUT_128 RP_OUT_96, RP_EIGHT(96), RP_EIGHT(104), RP_EIGHT(112), RP_EIGHT(120)
#define RP_MULTIPLY(WIDTH, SUMS, TYPE, A, B, MORE)                                                                            \
    asm volatile("{\n.reg .pred more;\nsetp.ne.b32 more, %" #MORE ", 0;\nwgmma.mma_async.sync.aligned.m64n" #WIDTH "k16.f32." TYPE \
                 "." TYPE " {" RP_SUMS_##SUMS "}, %" #A ", %" #B ", more, 1, 1, 0, 0;\n}"                                          \
                 : RP_OUT_##SUMS                                                                                                   \
                 : "l"(in), "l"(weights), "r"(more))
#define RP_MULTIPLY_EITHER(WIDTH, SUMS, A, B, MORE)         \
    if constexpr (kWidth == WIDTH) {                        \
        if constexpr (kIsBf16<T>)                           \
            RP_MULTIPLY(WIDTH, SUMS, "bf16", A, B, MORE);   \
        else                                                \
            RP_MULTIPLY(WIDTH, SUMS, "f16", A, B, MORE);    \
    }

/// d[64 sequences x kWidth rows of weights] = in x weights^T over 16 columns, added to d where `more`. Lane (r, c) = (lane / 4, lane % 4) of
/// warp w has sequences 16 w + r (d[4j], d[4j + 1]) and 16 w + r + 8 (d[4j + 2], d[4j + 3]) of the rows 8 j + 2 c and the next.
template <typename T, int kWidth>
__device__ inline void groupMultiply(float (&d)[kWidth / 2], std::uint64_t in, std::uint64_t weights, int more)
{
#if __CUDA_ARCH_FEAT_SM90_ALL
    RP_MULTIPLY_EITHER(32, 16, 16, 17, 18)
    RP_MULTIPLY_EITHER(64, 32, 32, 33, 34)
    RP_MULTIPLY_EITHER(96, 48, 48, 49, 50)
    RP_MULTIPLY_EITHER(128, 64, 64, 65, 66)
    RP_MULTIPLY_EITHER(160, 80, 80, 81, 82)
    RP_MULTIPLY_EITHER(176, 88, 88, 89, 90)
    RP_MULTIPLY_EITHER(192, 96, 96, 97, 98)
    RP_MULTIPLY_EITHER(256, 128, 128, 129, 130)
#endif
}

// ---- clusters ----

/// What was written to shared memory before it can be read by the others behind it.
__device__ inline void clusterSync()
{
    asm volatile("barrier.cluster.arrive.release.aligned;\nbarrier.cluster.wait.acquire.aligned;" ::: "memory");
}
/// All have come so far; about memory it says nothing and costs less.
__device__ inline void clusterMeet() { asm volatile("barrier.cluster.arrive.relaxed.aligned;\nbarrier.cluster.wait.aligned;" ::: "memory"); }
/// Four floats of another block of the cluster, at the same place in its shared memory as `address` in this one's.
__device__ inline float4 readOther(unsigned address, int block)
{
    unsigned there;
    asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(address), "r"(block));
    float4 v;
    asm volatile("ld.shared::cluster.v4.f32 {%0, %1, %2, %3}, [%4];" : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w) : "r"(there) : "memory");
    return v;
}

// ---- what becomes of the sums ----

template <typename T>
struct Ending {
    const Sizes &s;
    const float *bias;
    void *out;
    __device__ float biasOf(int row) const { return bias && row < (s.end == LinearEnd::Activate ? 2 * s.rows : s.rows) ? bias[row] : 0.0f; }
    __device__ float joined(float gate, float up, int row) const
    {
        return activated(gate + biasOf(row), s.gelu) * (up + biasOf(s.rows + row));
    }
    __device__ void one(int sequence, int row, float value) const
    {
        const std::int64_t at = std::int64_t(sequence) * s.rows + row;
        if (s.end == LinearEnd::Add) {
            float *to = static_cast<float *>(out) + at;
            __stcg(to, __ldcg(to) + value);
        } else {
            static_cast<T *>(out)[at] = fromFloat<T>(value);
        }
    }
    /// kCount neighbouring results, 2 or 4, with their biases already.
    template <int kCount>
    __device__ void several(int sequence, int row, const float (&value)[kCount]) const
    {
        const std::int64_t at = std::int64_t(sequence) * s.rows + row;
        if (row + kCount > s.rows || s.rows % kCount != 0) {
            for (int i = 0; i < kCount && row + i < s.rows; ++i)
                one(sequence, row + i, value[i]);
        } else if (s.end == LinearEnd::Add) {
            if constexpr (kCount == 4) {
                float4 *to = reinterpret_cast<float4 *>(static_cast<float *>(out) + at);
                const float4 was = __ldcg(to);
                __stcg(to, make_float4(was.x + value[0], was.y + value[1], was.z + value[2], was.w + value[3]));
            } else {
                float2 *to = reinterpret_cast<float2 *>(static_cast<float *>(out) + at);
                const float2 was = __ldcg(to);
                __stcg(to, make_float2(was.x + value[0], was.y + value[1]));
            }
        } else if constexpr (kCount == 4) {
            *reinterpret_cast<uint2 *>(static_cast<T *>(out) + at) = make_uint2(pair<T>(value[0], value[1]), pair<T>(value[2], value[3]));
        } else {
            *reinterpret_cast<unsigned *>(static_cast<T *>(out) + at) = pair<T>(value[0], value[1]);
        }
    }
};

/// Floats of a sequence's sums while a cluster adds up; the last eight keep neighbouring rows in other banks.
__host__ __device__ constexpr int stagedRow(int width) { return width + 8; }

/// The grid is `splits` blocks, a cluster, for each tile, or, without splits, as many as there are multiprocessors, which take tiles in turn.
template <typename T, int kWidth>
__global__ void __launch_bounds__(kMostThreads, 1)
    warpgroupKernel(const __grid_constant__ CUtensorMap weight, const __grid_constant__ CUtensorMap in, const Sizes s, const float *bias, void *out)
{
#if __CUDA_ARCH_FEAT_SM90_ALL
    extern __shared__ unsigned char dynamic[];
    __shared__ std::uint64_t barriers[2 * kMostSlots];
    const unsigned ring = (sharedAddress(dynamic) + 1023) & ~1023u;
    const unsigned full = sharedAddress(barriers), empty = full + kMostSlots * 8;
    const int weightBytes = kWidth * kBoxRowBytes, slotBytes = weightBytes + s.inRows * kBoxRowBytes;
    const int groups = (int(blockDim.x) - kWarp) / kGroupThreads, warp = threadIdx.x / kWarp, lane = threadIdx.x % kWarp;
    const int part = int(blockIdx.x) % s.splits, firstTile = int(blockIdx.x) / s.splits, tilesAtOnce = int(gridDim.x) / s.splits;
    const int firstChunk = part * s.chunks / s.splits, chunks = (part + 1) * s.chunks / s.splits - firstChunk;
    const bool gated = s.end == LinearEnd::Activate;
    if (threadIdx.x == 0) {
        for (int i = 0; i < s.slots; ++i) {
            barrierInit(full + i * 8, 1);
            barrierInit(empty + i * 8, groups * (kGroupThreads / kWarp));
        }
        barriersAreSet();
        prefetchMap(&weight);
        prefetchMap(&in);
    }
    __syncthreads();
    letDependentsStart();

    const Ending<T> ending{s, bias, out};
    if (warp == groups * (kGroupThreads / kWarp)) {
        if (lane == 0) {
            const std::uint64_t once = readOncePolicy();
            // Blocks begin at different columns, so that they do not all ask for the same piece of the input at once.
            const auto columnOf = [&](int chunk) {
                const int turned = chunk + firstTile % chunks;
                return (firstChunk + (turned < chunks ? turned : turned - chunks)) * kBoxColumns;
            };
            const auto fetchWeights = [&](int slot, int tile, int chunk) {
                const unsigned to = ring + slot * slotBytes, barrier = full + slot * 8;
                const int column = columnOf(chunk);
                barrierExpect(barrier, unsigned(slotBytes));
                boxCopyOnce(to, &weight, column, tile * s.results, barrier, once);
                if (gated)
                    boxCopyOnce(to + weightBytes / 2, &weight, column, s.rows + tile * s.results, barrier, once);
            };
            const auto fetchIn = [&](int slot, int chunk) { boxCopy(ring + slot * slotBytes + weightBytes, &in, columnOf(chunk), 0, full + slot * 8); };
            // Weights depend on nothing.
            const int ahead = min(s.slots, chunks);
            for (int i = 0; i < ahead; ++i)
                fetchWeights(i, firstTile, i);
            waitForDependency();
            for (int i = 0; i < ahead; ++i)
                fetchIn(i, i);
            int slot = ahead % s.slots;
            unsigned parity = ahead / s.slots;
            for (int tile = firstTile; tile < s.tiles; tile += tilesAtOnce)
                for (int chunk = tile == firstTile ? ahead : 0; chunk < chunks; ++chunk) {
                    barrierWait(empty + slot * 8, parity ^ 1);
                    fetchWeights(slot, tile, chunk);
                    fetchIn(slot, chunk);
                    if (++slot == s.slots)
                        slot = 0, parity ^= 1;
                }
        }
        __syncwarp();
    } else {
        waitForDependency();
        const int group = warp / (kGroupThreads / kWarp), sequence = group * kGroupRows + warp % (kGroupThreads / kWarp) * 16 + lane / 4;
        int slot = 0;
        unsigned parity = 0;
        for (int tile = firstTile; tile < s.tiles; tile += tilesAtOnce) {
            float d[kWidth / 2];
            int before = -1;
            for (int chunk = 0; chunk < chunks; ++chunk) {
                barrierWait(full + slot * 8, parity);
                const unsigned at = ring + slot * slotBytes;
                const std::uint64_t weights = boxDescriptor(at), inputs = boxDescriptor(at + weightBytes + group * kGroupRows * kBoxRowBytes);
                groupFence();
#pragma unroll
                for (int k = 0; k < kBoxColumns / kInstructionColumns; ++k) // a step along the row is 32 bytes, two of the descriptor's units
                    groupMultiply<T, kWidth>(d, inputs + 2 * k, weights + 2 * k, chunk > 0 || k > 0);
                groupCommit();
                if (before >= 0) {
                    groupWait<1>();
                    if (lane == 0)
                        barrierArrive(empty + before * 8, 1);
                }
                before = slot;
                if (++slot == s.slots)
                    slot = 0, parity ^= 1;
            }
            groupWait<0>();
            if (lane == 0)
                barrierArrive(empty + before * 8, 1);

            if (s.splits > 1) {
                // Every slot has been used for the last time: the ring is free.
                asm volatile("bar.sync 1, %0;" ::"r"(groups * kGroupThreads) : "memory");
#pragma unroll
                for (int half = 0; half < 2; ++half)
                    if (sequence + half * 8 < s.batch) {
                        const unsigned row = ring + unsigned((sequence + half * 8) * stagedRow(kWidth) + 2 * (lane % 4)) * 4;
#pragma unroll
                        for (int j = 0; j < kWidth / 8; ++j)
                            asm volatile("st.shared.v2.f32 [%0], {%1, %2};" ::"r"(row + j * 32), "f"(d[4 * j + 2 * half]), "f"(d[4 * j + 2 * half + 1])
                                         : "memory");
                    }
                break; // a split product has one tile a cluster
            }
            constexpr int kPieces = kWidth / 8;
#pragma unroll
            for (int half = 0; half < 2; ++half) {
                const int n = sequence + half * 8;
                if (n >= s.batch)
                    continue;
#pragma unroll
                for (int j = 0; j < kPieces; ++j) {
                    const int row = tile * s.results + j * 8 + 2 * (lane % 4);
                    if (gated && j >= kPieces / 2)
                        continue;
                    float value[2];
#pragma unroll
                    for (int e = 0; e < 2; ++e) {
                        const int up = j + kPieces / 2 < kPieces ? j + kPieces / 2 : 0;
                        const float own = d[4 * j + 2 * half + e];
                        value[e] = gated ? ending.joined(own, d[4 * up + 2 * half + e], row + e) : own + ending.biasOf(row + e);
                    }
                    if (row < s.rows)
                        ending.template several<2>(n, row, value);
                }
            }
        }
    }
    if (s.splits == 1)
        return;
    clusterSync();
    // This block's share of the results, four at a time, of every sequence.
    const int fours = s.results / 4, first = part * fours / s.splits, count = (part + 1) * fours / s.splits - first;
    for (int i = threadIdx.x; i < count * s.batch; i += blockDim.x) {
        const int n = i / count, within = (first + i % count) * 4;
        const unsigned at = ring + unsigned(n * stagedRow(kWidth) + within) * 4;
        const auto sumAt = [&](unsigned address) {
            float4 of[kMostSplits];
#pragma unroll
            for (int b = 0; b < kMostSplits; ++b)
                if (b < s.splits)
                    of[b] = readOther(address, b);
            float4 sum = of[0];
#pragma unroll
            for (int b = 1; b < kMostSplits; ++b)
                if (b < s.splits)
                    sum.x += of[b].x, sum.y += of[b].y, sum.z += of[b].z, sum.w += of[b].w;
            return sum;
        };
        const int row = firstTile * s.results + within;
        const float4 sum = sumAt(at), up = gated ? sumAt(at + kWidth / 2 * 4) : sum;
        const float sums[4] = {sum.x, sum.y, sum.z, sum.w}, ups[4] = {up.x, up.y, up.z, up.w};
        float value[4];
#pragma unroll
        for (int e = 0; e < 4; ++e)
            value[e] = gated ? ending.joined(sums[e], ups[e], row + e) : sums[e] + ending.biasOf(row + e);
        if (row < s.rows)
            ending.template several<4>(n, row, value);
    }
    clusterMeet(); // nobody leaves while others read its sums
#endif // elsewhere it is not launched
}

// ---- the host's part ----

int groupsOf(std::int64_t batch) { return batch <= kGroupRows ? 1 : kMostGroups; }
int inRowsOf(std::int64_t batch) { return int((batch + 7) / 8 * 8); }
std::int64_t slotBytesOf(int width, std::int64_t batch) { return std::int64_t(width + inRowsOf(batch)) * kBoxRowBytes; }
/// Behind the ring: an instruction reads 64 rows of input where a slot may have fewer; what it makes of the others is nobody's.
std::int64_t behindBytes(std::int64_t batch) { return std::int64_t(groupsOf(batch) * kGroupRows - inRowsOf(batch)) * kBoxRowBytes; }
/// So much of shared memory that a block of the attention finds room beside it.
constexpr std::int64_t kRingBytes = 200 * 1024;
int slotsOf(int width, std::int64_t batch, std::int64_t sharedLimit)
{
    const std::int64_t room = std::min(sharedLimit - kFixedShared, kRingBytes) - behindBytes(batch);
    return int(std::clamp<std::int64_t>(room / slotBytesOf(width, batch), 0, kMostSlots));
}
std::int64_t dynamicBytes(const WarpgroupPlan &plan, std::int64_t batch, int slots)
{
    const std::int64_t staged = plan.splits > 1 ? batch * stagedRow(plan.width) * 4 : 0;
    return 1024 + std::max(slots * slotBytesOf(plan.width, batch) + behindBytes(batch), staged);
}

using Encode = decltype(&cuTensorMapEncodeTiled);
Encode encoder()
{
    static const Encode found = [] {
        void *function = nullptr;
        cudaDriverEntryPointQueryResult result{};
#if CUDART_VERSION >= 12050
        const cudaError_t status = cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &function, 12000, cudaEnableDefault, &result);
#else
        const cudaError_t status = cudaGetDriverEntryPoint("cuTensorMapEncodeTiled", &function, cudaEnableDefault, &result);
#endif
        if (status != cudaSuccess)
            cudaGetLastError(); // told by its absence
        return status == cudaSuccess && result == cudaDriverEntryPointSuccess ? reinterpret_cast<Encode>(function) : nullptr;
    }();
    return found;
}
bool makeMap(CUtensorMap &map, DType dtype, const void *matrix, std::int64_t rows, std::int64_t columns, int boxRows)
{
    const cuuint64_t sizes[2] = {cuuint64_t(columns), cuuint64_t(rows)}, strides[1] = {cuuint64_t(columns) * 2};
    const cuuint32_t box[2] = {cuuint32_t(kBoxColumns), cuuint32_t(boxRows)}, steps[2] = {1, 1};
    return encoder()(&map, dtype == DType::F16 ? CU_TENSOR_MAP_DATA_TYPE_FLOAT16 : CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, 2,
                     const_cast<void *>(matrix), sizes, strides, box, steps, CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_128B,
                     CU_TENSOR_MAP_L2_PROMOTION_L2_128B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) == CUDA_SUCCESS;
}

template <typename T, int kWidth>
cudaError_t launch(DType dtype, const LinearArgs &a, const WarpgroupPlan &plan, std::int64_t sharedLimit, cudaStream_t stream)
{
    const bool gated = a.end == LinearEnd::Activate;
    Sizes s{};
    s.rows = int(a.rows), s.columns = int(a.columns), s.batch = int(a.batch);
    s.results = gated ? kWidth / 2 : kWidth;
    s.tiles = int((a.rows + s.results - 1) / s.results);
    s.chunks = int((a.columns + kBoxColumns - 1) / kBoxColumns);
    s.splits = plan.splits;
    s.slots = slotsOf(kWidth, a.batch, sharedLimit);
    s.inRows = inRowsOf(a.batch);
    s.end = a.end, s.gelu = a.gelu;
    const std::int64_t bytes = dynamicBytes(plan, a.batch, s.slots);
    if (s.slots < 2 || s.splits > s.chunks || bytes + kFixedShared - 1024 > sharedLimit)
        return cudaErrorInvalidValue;
    if (!encoder())
        return cudaErrorNotSupported;
    CUtensorMap weight, in;
    if (!makeMap(weight, dtype, a.weight, gated ? 2 * a.rows : a.rows, a.columns, s.results) || !makeMap(in, dtype, a.in, a.batch, a.columns, s.inRows))
        return cudaErrorInvalidValue;
    const auto kernel = warpgroupKernel<T, kWidth>;
    cudaError_t status = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, int(bytes));
    if (status != cudaSuccess)
        return status;
    preferSharedMemory(kernel);
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(unsigned(s.splits == 1 ? std::min(s.tiles, a.blocks) : s.tiles * s.splits));
    config.blockDim = dim3(unsigned(groupsOf(a.batch) * kGroupThreads + kWarp));
    config.dynamicSmemBytes = std::size_t(bytes);
    config.stream = stream;
    cudaLaunchAttribute attributes[2] = {};
    config.attrs = attributes;
    if (s.splits > 1) {
        attributes[config.numAttrs].id = cudaLaunchAttributeClusterDimension;
        attributes[config.numAttrs].val.clusterDim.x = unsigned(s.splits);
        attributes[config.numAttrs].val.clusterDim.y = attributes[config.numAttrs].val.clusterDim.z = 1;
        ++config.numAttrs;
    }
    if (a.overlap) {
        attributes[config.numAttrs].id = cudaLaunchAttributeProgrammaticStreamSerialization;
        attributes[config.numAttrs].val.programmaticStreamSerializationAllowed = 1;
        ++config.numAttrs;
    }
    return cudaLaunchKernelEx(&config, kernel, weight, in, s, a.bias, a.out);
}

template <typename T>
cudaError_t launchOf(DType dtype, const LinearArgs &a, const WarpgroupPlan &plan, std::int64_t sharedLimit, cudaStream_t stream)
{
    switch (plan.width) {
    case 32:
        return launch<T, 32>(dtype, a, plan, sharedLimit, stream);
    case 64:
        return launch<T, 64>(dtype, a, plan, sharedLimit, stream);
    case 96:
        return launch<T, 96>(dtype, a, plan, sharedLimit, stream);
    case 128:
        return launch<T, 128>(dtype, a, plan, sharedLimit, stream);
    case 160:
        return launch<T, 160>(dtype, a, plan, sharedLimit, stream);
    case 176:
        return launch<T, 176>(dtype, a, plan, sharedLimit, stream);
    case 192:
        return launch<T, 192>(dtype, a, plan, sharedLimit, stream);
    case 256:
        return launch<T, 256>(dtype, a, plan, sharedLimit, stream);
    default:
        return cudaErrorInvalidValue;
    }
}

} // namespace

bool warpgroupSupports(DType dtype, const LinearArgs &a, int computeCapability, std::int64_t sharedLimit)
{
    const auto aligned = [](const void *p) { return reinterpret_cast<std::uintptr_t>(p) % 16 == 0; };
    return dtype != DType::F32 && computeCapability == 90 && a.norm == nullptr && a.columns % kVec == 0 && a.columns > 0 && a.columns <= (1 << 20) &&
           a.rows > 0 && a.rows <= (1 << 24) && a.batch >= 1 && a.batch <= kWarpgroupBatch && aligned(a.weight) && aligned(a.in) && aligned(a.out) &&
           slotsOf(kWarpgroupWidths[0], a.batch, sharedLimit) >= 2 && encoder() != nullptr;
}

std::vector<WarpgroupPlan> warpgroupPlans(const LinearArgs &a, std::int64_t sharedLimit)
{
    const int chunks = int((a.columns + kBoxColumns - 1) / kBoxColumns);
    std::vector<WarpgroupPlan> plans;
    for (const int width : kWarpgroupWidths) {
        if (slotsOf(width, a.batch, sharedLimit) < 3)
            continue;
        const std::int64_t results = a.end == LinearEnd::Activate ? width / 2 : width, tiles = (a.rows + results - 1) / results;
        for (int splits = 1; splits <= std::min(kMostSplits, chunks); ++splits) {
            const std::int64_t blocks = tiles * splits;
            const bool fits = 1024 + a.batch * stagedRow(width) * 4 + kFixedShared <= sharedLimit;
            // Many narrow tiles fetch the input too often; few blocks leave multiprocessors idle; what is split must run at once.
            if (splits == 1 ? blocks <= 4 * a.blocks || width == kWarpgroupWidths[std::size(kWarpgroupWidths) - 1]
                            : fits && blocks <= a.blocks && 2 * blocks >= a.blocks - a.blocks / 8)
                plans.push_back({width, splits});
        }
    }
    return plans;
}

cudaError_t warpgroupLinear(DType dtype, const LinearArgs &args, WarpgroupPlan plan, std::int64_t sharedLimit, cudaStream_t stream)
{
    if (!warpgroupSupports(dtype, args, 90, sharedLimit) || plan.splits < 1 || plan.splits > kMostSplits || args.blocks < 1)
        return cudaErrorInvalidValue;
    return dtype == DType::F16 ? launchOf<__half>(dtype, args, plan, sharedLimit, stream)
                               : launchOf<__nv_bfloat16>(dtype, args, plan, sharedLimit, stream);
}

} // namespace ridgepoint::cuda

#else

namespace ridgepoint::cuda {
bool warpgroupSupports(DType, const LinearArgs &, int, std::int64_t) { return false; }
std::vector<WarpgroupPlan> warpgroupPlans(const LinearArgs &, std::int64_t) { return {}; }
cudaError_t warpgroupLinear(DType, const LinearArgs &, WarpgroupPlan, std::int64_t, cudaStream_t) { return cudaErrorInvalidValue; }
} // namespace ridgepoint::cuda

#endif
