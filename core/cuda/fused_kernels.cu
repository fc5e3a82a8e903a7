// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/cuda/fused_kernels.h"

#include "core/cuda/device_parts.cuh"

namespace ridgepoint::cuda {

namespace {

constexpr int kWarps = 8;
constexpr int kThreads = kWarps * kWarp;
constexpr int kPiece = 64;        ///< columns of a row that are multiplied at a time: 128 bytes
constexpr int kHeldVectors = 4;   ///< of four floats that a lane keeps of a row it norms
constexpr int kWeightVectors = 4; ///< 16-byte vectors of weights that a lane has in a stage

/// Sixteen bytes into shared memory without passing through registers, where the card can; zeros where not `there`. Seen by
/// others only after a wait.
__device__ inline void fetch(uint4 *to, const void *from, bool there)
{
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.cg.shared.global.L2::128B [%0], [%1], 16, %2;" ::"r"(unsigned(__cvta_generic_to_shared(to))),
                 "l"(from), "r"(there ? 16 : 0)
                 : "memory");
#else
    *to = there ? *static_cast<const uint4 *>(from) : make_uint4(0, 0, 0, 0);
#endif
}
__device__ inline void fetchGroupEnds()
{
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.commit_group;" ::: "memory");
#endif
}
/// Waits until all but the newest kPending groups of this thread are there.
template <int kPending>
__device__ inline void fetchWait()
{
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.wait_group %0;" ::"n"(kPending) : "memory");
#endif
}

/// sum[16 rows x 8 sequences] += 16 rows of weights x 8 sequences over 32 columns. Lane (r, c) = (lane / 4, lane % 4) brings
/// columns 8c to 8c + 7 of rows r and r + 8 and of sequence r: a sum does not mind in which order its terms come, so its four
/// pairs serve as the columns that the instruction wants two by two.
template <typename T>
__device__ inline void multiplyPiece(float (&sum)[4], const uint4 &low, const uint4 &high, const uint4 &in)
{
#if __CUDA_ARCH__ >= 800
    multiplyAdd<T>(sum, low.x, high.x, low.y, high.y, in.x, in.y);
    multiplyAdd<T>(sum, low.z, high.z, low.w, high.w, in.z, in.w);
#elif __CUDA_ARCH__ >= 750
    if constexpr (!kIsBf16<T>) {
        const unsigned lows[4] = {low.x, low.y, low.z, low.w}, highs[4] = {high.x, high.y, high.z, high.w},
                       ins[4] = {in.x, in.y, in.z, in.w};
#pragma unroll
        for (int i = 0; i < 4; ++i)
            asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5}, {%6}, {%0,%1,%2,%3};"
                         : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
                         : "r"(lows[i]), "r"(highs[i]), "r"(ins[i]));
    }
#endif
}

/// A row of input in shared memory; the pad keeps neighbouring rows in other banks.
__host__ __device__ constexpr int rowBytes(int columns) { return columns * 2 + 64; }

/// in [batch, columns] T -> shared memory rows of rowBytes(). All threads of the block.
template <typename T>
__device__ void copyInto(unsigned char *rows, const LinearArgs &a)
{
    const int vectors = int(a.columns) / kVec;
    const uint4 *in = static_cast<const uint4 *>(a.in);
    for (int i = threadIdx.x; i < vectors * int(a.batch); i += kThreads)
        *reinterpret_cast<uint4 *>(rows + i / vectors * rowBytes(int(a.columns)) + i % vectors * 16) = __ldcg(in + i);
    __syncthreads();
}

/// Warps that share a row of the input when it is normed.
__device__ inline int warpsOfRow(int batch) { return batch == 1 ? 8 : batch == 2 ? 4 : batch <= 4 ? 2 : 1; }

/// in [batch, columns] fp32 -> T, normed, into shared memory rows of rowBytes(). All threads of the block. `weight`: the first
/// vectors of the norm that a lane will need, loaded before the input was there.
template <typename T>
__device__ void normInto(unsigned char *rows, const LinearArgs &a, const float4 (&weight)[kHeldVectors])
{
    __shared__ float squares[kWarps];
    const int warp = threadIdx.x / kWarp, lane = threadIdx.x % kWarp;
    const int columns = int(a.columns), batch = int(a.batch);
    const int together = warpsOfRow(batch);
    const int n = warp / together, part = warp % together;
    const bool mine = n < batch;
    const float4 *x = reinterpret_cast<const float4 *>(static_cast<const float *>(a.in) + std::int64_t(n) * columns);
    const int vectors = columns / 4, stride = together * kWarp;
    float4 held[kHeldVectors];
    float sum = 0;
    if (mine) {
#pragma unroll
        for (int i = 0; i < kHeldVectors; ++i) {
            const int at = part * kWarp + lane + i * stride;
            held[i] = at < vectors ? __ldcg(x + at) : make_float4(0, 0, 0, 0);
        }
#pragma unroll
        for (int i = 0; i < kHeldVectors; ++i)
            sum += held[i].x * held[i].x + held[i].y * held[i].y + held[i].z * held[i].z + held[i].w * held[i].w;
        for (int at = part * kWarp + lane + kHeldVectors * stride; at < vectors; at += stride) {
            const float4 v = __ldcg(x + at);
            sum += v.x * v.x + v.y * v.y + v.z * v.z + v.w * v.w;
        }
    }
    sum = warpSum(sum);
    if (lane == 0)
        squares[warp] = sum;
    __syncthreads();
    if (mine) {
        sum = 0;
        for (int w = 0; w < together; ++w)
            sum += squares[n * together + w];
        const float scale = rsqrtf(sum / float(columns) + a.eps);
        const auto put = [&](int at, const float4 &v, const float4 &w) {
            const uint2 both = make_uint2(pair<T>(v.x * scale * w.x, v.y * scale * w.y),
                                          pair<T>(v.z * scale * w.z, v.w * scale * w.w));
            *reinterpret_cast<uint2 *>(rows + n * rowBytes(columns) + at * 8) = both;
        };
#pragma unroll
        for (int i = 0; i < kHeldVectors; ++i) {
            const int at = part * kWarp + lane + i * stride;
            if (at < vectors)
                put(at, held[i], weight[i]);
        }
        for (int at = part * kWarp + lane + kHeldVectors * stride; at < vectors; at += stride)
            put(at, __ldcg(x + at), __ldg(reinterpret_cast<const float4 *>(a.norm) + at));
    }
    __syncthreads();
}

/// Where a block has its input.
enum class In {
    Ring, ///< fetched piece by piece with the weights: for rows that shared memory could not hold beside them
    Rows, ///< whole rows in shared memory
    Norm  ///< likewise, normed from the residual stream
};

/// kTiles: groups of eight sequences. kDepth: pieces that a warp has under way.
///
/// A tile is sixteen rows of the result (gated: eight, with their gate and their up row). Blocks take tiles in turn, so that
/// together they read memory from front to back: every block in a region of its own was seen to cost a sixth of the bandwidth.
/// What is left over after whole turns is cut into as many small tiles as there are blocks. The warps of a block share a
/// tile's columns, a piece each in turn, and add up what they have at its end.
template <typename T, int kTiles, In kIn, int kDepth>
__global__ void __launch_bounds__(kThreads, 2) linearKernel(LinearArgs a)
{
    constexpr int kInVectors = kIn == In::Ring ? 2 * kTiles : 0;
    constexpr int kVectors = kWeightVectors + kInVectors;
    extern __shared__ uint4 shared[];
    __shared__ float4 partial[2][kWarps][kTiles][kWarp];
    const int warp = threadIdx.x / kWarp, lane = threadIdx.x % kWarp;
    const int r = lane / 4, c = lane % 4;
    uint4 *ring = shared + (warp * kDepth * kVectors) * kWarp;
    unsigned char *rows = reinterpret_cast<unsigned char *>(shared + kWarps * kDepth * kVectors * kWarp);

    const int columns = int(a.columns), batch = int(a.batch), all = int(a.rows);
    const bool gated = a.end == LinearEnd::Activate;
    const int rowsOfTile = gated ? 8 : 16;
    const std::int64_t toHigh = (gated ? a.rows : 8) * a.columns; // from a tile's first eight rows of weights to the others
    const int highBeyond = gated ? 0 : 8;
    const int blocks = int(gridDim.x), block = int(blockIdx.x);
    const int turns = all / (rowsOfTile * blocks), rest = all - turns * rowsOfTile * blocks;
    const int restFirst = all - rest + int(std::int64_t(block) * rest / blocks);
    const int restCount = all - rest + int(std::int64_t(block + 1) * rest / blocks) - restFirst; // less than rowsOfTile
    const int tiles = turns + (restCount > 0 ? 1 : 0);
    const int pieces = (columns + kPiece - 1) / kPiece;
    const int each = (pieces - warp + kWarps - 1) / kWarps; // pieces of this warp in a tile; 0 where there are fewer
    const int total = tiles * each;
    const auto firstOf = [&](int tile) { return tile < turns ? (tile * blocks + block) * rowsOfTile : restFirst; };
    const auto countOf = [&](int tile) { return tile < turns ? rowsOfTile : restCount; };

    // Where the next fetch stands. Weights are fetched a whole 128-byte piece of a row by eight lanes. They lie as sixteen
    // such pieces; odd ones have their halves exchanged, so that the reads below meet no bank twice.
    int fetched = 0, fetchPiece = warp, fetchTile = 0;
    const int fetcher = lane / 8, chunk = lane % 8;
    const T *weights = static_cast<const T *>(a.weight) + std::int64_t(fetcher) * columns + chunk * kVec;
    const T *fetchAt = weights + std::int64_t(firstOf(0)) * columns;
    int fetchRows = countOf(0) - fetcher;
    const auto fetchWeights = [&](int slot) {
        uint4 *to = ring + slot * kVectors * kWarp + fetcher * 8 + (chunk ^ (fetcher % 2 * 4));
        const T *at = fetchAt + fetchPiece * kPiece;
        const bool inside = fetchPiece * kPiece + chunk * kVec < columns;
        fetch(to, at, inside && 0 < fetchRows);
        fetch(to + 4 * 8, at + 4 * columns, inside && 4 < fetchRows);
        fetch(to + 8 * 8, at + toHigh, inside && highBeyond < fetchRows);
        fetch(to + 12 * 8, at + toHigh + 4 * columns, inside && 4 + highBeyond < fetchRows);
    };
    const auto fetchIn = [&](int slot, int piece) {
        if constexpr (kIn == In::Ring) {
            uint4 *to = ring + (slot * kVectors + kWeightVectors) * kWarp + lane;
#pragma unroll
            for (int t = 0; t < kTiles; ++t) {
                const T *at = static_cast<const T *>(a.in) + std::int64_t(t * 8 + r) * columns + piece * kPiece + c * kVec;
                const int left = t * 8 + r < batch ? columns - piece * kPiece - c * kVec : 0;
                fetch(to + 2 * t * kWarp, at, 0 < left);
                fetch(to + (2 * t + 1) * kWarp, at + kPiece / 2, kPiece / 2 < left);
            }
        }
    };
    const auto advance = [&] {
        ++fetched;
        fetchPiece += kWarps;
        if (fetchPiece >= pieces) {
            fetchPiece = warp;
            ++fetchTile;
            fetchAt = weights + std::int64_t(firstOf(fetchTile)) * columns;
            fetchRows = countOf(fetchTile) - fetcher;
        }
    };

    letDependentsStart(); // while every multiprocessor has one block of this kernel: so the next one's spread as evenly
    const int ahead = min(total, kDepth);
#pragma unroll
    for (int i = 0; i < kDepth; ++i) {
        if (i < ahead) {
            fetchWeights(i);
            advance();
        }
        fetchGroupEnds();
    }
    float4 norm[kHeldVectors];
    if constexpr (kIn == In::Norm) {
        const int together = warpsOfRow(batch);
#pragma unroll
        for (int i = 0; i < kHeldVectors; ++i) {
            const int at = (warp % together + i * together) * kWarp + lane;
            if (at < columns / 4)
                norm[i] = __ldg(reinterpret_cast<const float4 *>(a.norm) + at);
        }
    }
    waitForDependency();
    if constexpr (kIn == In::Norm) {
        normInto<T>(rows, a, norm);
    } else if constexpr (kIn == In::Rows) {
        copyInto<T>(rows, a);
    } else {
        int piece = warp;
#pragma unroll
        for (int i = 0; i < kDepth; ++i) {
            if (i < ahead) {
                fetchIn(i, piece);
                piece = piece + kWarps >= pieces ? warp : piece + kWarps;
            }
            fetchGroupEnds();
        }
    }

    float sum[kTiles][4];
    int slot = 0, piece = warp;
    for (int tile = 0; tile < tiles; ++tile) {
        const bool adds = tile % kWarps == warp; // this warp adds up
        const int row = firstOf(tile) + r, rowsHere = countOf(tile) - r;
        float before[kTiles][4]; // the residual stream, read while there is nothing to wait for
        if (adds && a.end == LinearEnd::Add) {
#pragma unroll
            for (int t = 0; t < kTiles; ++t)
#pragma unroll
                for (int e = 0; e < 4; ++e) {
                    const int n = t * 8 + 2 * c + e % 2;
                    before[t][e] = n < batch && e / 2 * 8 < rowsHere
                                       ? __ldcg(static_cast<const float *>(a.out) + n * a.rows + row + e / 2 * 8)
                                       : 0;
                }
        }
#pragma unroll
        for (int t = 0; t < kTiles; ++t)
#pragma unroll
            for (int e = 0; e < 4; ++e)
                sum[t][e] = 0;
        for (int i = 0; i < each; ++i) {
            fetchWait<kDepth - 1>();
            __syncwarp();
            const uint4 *from = ring + slot * kVectors * kWarp;
            const uint4 *weight = from + r * 8 + (c ^ (r % 2 * 4)), *other = from + r * 8 + ((c + 4) ^ (r % 2 * 4));
            const uint4 low0 = weight[0], low1 = other[0], high0 = weight[8 * 8], high1 = other[8 * 8];
            uint4 in[kTiles][2];
#pragma unroll
            for (int t = 0; t < kTiles; ++t) {
                if constexpr (kIn == In::Ring) {
                    in[t][0] = from[(kWeightVectors + 2 * t) * kWarp + lane];
                    in[t][1] = from[(kWeightVectors + 2 * t + 1) * kWarp + lane];
                } else {
                    in[t][0] = in[t][1] = make_uint4(0, 0, 0, 0);
                    const int column = piece * kPiece + c * kVec;
                    const unsigned char *at = rows + (t * 8 + r) * rowBytes(columns) + column * 2;
                    if (t * 8 + r < batch && column < columns)
                        in[t][0] = *reinterpret_cast<const uint4 *>(at);
                    if (t * 8 + r < batch && column + kPiece / 2 < columns)
                        in[t][1] = *reinterpret_cast<const uint4 *>(at + kPiece);
                }
            }
            __syncwarp(); // all lanes have what the slot held
            if (fetched < total) {
                fetchWeights(slot);
                fetchIn(slot, fetchPiece);
                advance();
            }
            fetchGroupEnds();
            slot = slot + 1 == kDepth ? 0 : slot + 1;
            piece = piece + kWarps >= pieces ? warp : piece + kWarps;
#pragma unroll
            for (int t = 0; t < kTiles; ++t) {
                multiplyPiece<T>(sum[t], low0, high0, in[t][0]);
                multiplyPiece<T>(sum[t], low1, high1, in[t][1]);
            }
        }

#pragma unroll
        for (int t = 0; t < kTiles; ++t)
            partial[tile & 1][warp][t][lane] = make_float4(sum[t][0], sum[t][1], sum[t][2], sum[t][3]);
        __syncthreads();
        // One warp adds up while the others go on; the other half of `partial` is theirs meanwhile.
        if (!adds)
            continue;
#pragma unroll
        for (int t = 0; t < kTiles; ++t) {
            float4 of[kWarps];
#pragma unroll
            for (int w = 0; w < kWarps; ++w)
                of[w] = partial[tile & 1][w][t][lane];
#pragma unroll
            for (int w = 1; w < kWarps; ++w)
                of[0].x += of[w].x, of[0].y += of[w].y, of[0].z += of[w].z, of[0].w += of[w].w;
            const float sums[4] = {of[0].x, of[0].y, of[0].z, of[0].w}; // row + 8 (e / 2), sequence 2c + e % 2
#pragma unroll
            for (int e = 0; e < 4; ++e) {
                const int n = t * 8 + 2 * c + e % 2, beyond = e / 2 * 8;
                if (n >= batch || rowsHere <= (gated ? 0 : beyond) || (gated && e >= 2))
                    continue;
                const std::int64_t at = n * a.rows + row + beyond;
                float value = sums[e] + (a.bias ? a.bias[row + beyond] : 0.0f);
                if (gated) {
                    const float up = sums[e + 2 < 4 ? e + 2 : 3] + (a.bias ? a.bias[a.rows + row] : 0.0f);
                    static_cast<T *>(a.out)[at] = fromFloat<T>(activated(value, a.gelu) * up);
                } else if (a.end == LinearEnd::Add) {
                    __stcg(static_cast<float *>(a.out) + at, before[t][e] + value);
                } else {
                    static_cast<T *>(a.out)[at] = fromFloat<T>(value);
                }
            }
        }
    }
}

constexpr int kRowsDepth = 6, kRingDepth = 4, kWideDepth = 4; ///< pieces under way: beside whole rows; in the ring, 8 and 16 sequences
constexpr std::int64_t kHalfOfSharedMemory = 113 * 1024; ///< two kernels of an H200's multiprocessor at a time


std::int64_t sharedBytes(In in, std::int64_t columns, std::int64_t batch)
{
    const int tiles = batch <= 8 ? 1 : 2;
    const int vectors = kWeightVectors + (in == In::Ring ? 2 * tiles : 0);
    const int depth = in != In::Ring ? kRowsDepth : tiles == 1 ? kRingDepth : kWideDepth;
    return std::int64_t(kWarps) * depth * vectors * kWarp * 16 + (in == In::Ring ? 0 : batch * rowBytes(int(columns)));
}
std::int64_t fixedBytes(int tiles) { return 2 * kWarps * tiles * kWarp * 16 + 1024 + 256; } // `partial`, the system's, the sums of a norm

In inputOf(std::int64_t columns, std::int64_t batch, bool norm)
{
    if (norm)
        return In::Norm;
    return batch == 1 && sharedBytes(In::Rows, columns, batch) + fixedBytes(1) <= kHalfOfSharedMemory ? In::Rows : In::Ring;
}

template <typename T, int kTiles, In kIn, int kDepth>
cudaError_t launchLinear(const LinearArgs &a, cudaStream_t stream)
{
    const auto kernel = linearKernel<T, kTiles, kIn, kDepth>;
    const std::int64_t bytes = sharedBytes(kIn, a.columns, a.batch);
    static std::int64_t allowed = 0;
    if (bytes > allowed) {
        const cudaError_t status = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, int(bytes));
        if (status != cudaSuccess)
            return status;
        allowed = bytes;
    }
    return launchOverlapped(kernel, dim3(unsigned(a.blocks)), dim3(kThreads), std::size_t(bytes), stream, a.overlap, a);
}

template <typename T>
cudaError_t linearOf(const LinearArgs &a, cudaStream_t stream)
{
    if (a.batch > 8)
        return launchLinear<T, 2, In::Ring, kWideDepth>(a, stream);
    switch (inputOf(a.columns, a.batch, a.norm != nullptr)) {
    case In::Norm:
        return launchLinear<T, 1, In::Norm, kRowsDepth>(a, stream);
    case In::Rows:
        return launchLinear<T, 1, In::Rows, kRowsDepth>(a, stream);
    case In::Ring:
        break;
    }
    return launchLinear<T, 1, In::Ring, kRingDepth>(a, stream);
}

} // namespace

bool linearSupports(DType dtype, std::int64_t columns, std::int64_t batch, bool norm, int computeCapability,
                    std::int64_t sharedLimit)
{
    if (dtype == DType::F32 || computeCapability < (dtype == DType::BF16 ? 80 : 75))
        return false;
    if (columns % kVec != 0 || columns > (1 << 20) || batch < 1 || batch > (norm ? kLinearNormBatch : kLinearBatch))
        return false;
    return sharedBytes(inputOf(columns, batch, norm), columns, batch) + fixedBytes(batch <= 8 ? 1 : 2) <= sharedLimit; // 1 KB is the system's own
}

cudaError_t linear(DType dtype, const LinearArgs &args, cudaStream_t stream)
{
    if (args.columns % kVec != 0 || args.batch < 1 || args.batch > (args.norm ? kLinearNormBatch : kLinearBatch) ||
        args.blocks < 1)
        return cudaErrorInvalidValue;
    switch (dtype) {
    case DType::F16:
        return linearOf<__half>(args, stream);
    case DType::BF16:
        return linearOf<__nv_bfloat16>(args, stream);
    case DType::F32:
        break;
    }
    return cudaErrorInvalidValue;
}

} // namespace ridgepoint::cuda
