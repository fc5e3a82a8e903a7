// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <cstdint>
#include <cstring>

/// What the kernels share: dtypes, vectors of eight elements, sums over a block, the tensor cores' product, and launches that
/// overlap. Included by .cu files only.
namespace ridgepoint::cuda {

constexpr int kWarp = 32;
constexpr unsigned kAllLanes = 0xffffffffu;
constexpr int kVec = 8; ///< elements that a lane loads at once: 16 bytes of a two-byte dtype

__device__ inline float toFloat(float x) { return x; }
__device__ inline float toFloat(__half x) { return __half2float(x); }
__device__ inline float toFloat(__nv_bfloat16 x) { return __bfloat162float(x); }
template <typename T>
__device__ T fromFloat(float x);
template <>
__device__ inline float fromFloat<float>(float x)
{
    return x;
}
template <>
__device__ inline __half fromFloat<__half>(float x)
{
    return __float2half_rn(x);
}
template <>
__device__ inline __nv_bfloat16 fromFloat<__nv_bfloat16>(float x)
{
    return __float2bfloat16_rn(x);
}
template <typename T>
constexpr bool kIsBf16 = false;
template <>
constexpr bool kIsBf16<__nv_bfloat16> = true;
/// What storing x in T and reading it back gives.
template <typename T>
__device__ inline float rounded(float x)
{
    return toFloat(fromFloat<T>(x));
}

/// Eight neighbouring elements as they lie in memory.
template <typename T>
struct Packed {
    uint4 bits;
    __device__ void load(const T *from) { bits = *reinterpret_cast<const uint4 *>(from); }
    __device__ void clear() { bits = make_uint4(0, 0, 0, 0); }
    __device__ void unpack(float (&to)[kVec]) const
    {
        const T *element = reinterpret_cast<const T *>(&bits);
#pragma unroll
        for (int i = 0; i < kVec; ++i)
            to[i] = toFloat(element[i]);
    }
};
template <>
struct Packed<float> {
    float4 low, high;
    __device__ void load(const float *from)
    {
        low = reinterpret_cast<const float4 *>(from)[0];
        high = reinterpret_cast<const float4 *>(from)[1];
    }
    __device__ void clear() { low = high = make_float4(0, 0, 0, 0); }
    __device__ void unpack(float (&to)[kVec]) const
    {
        to[0] = low.x, to[1] = low.y, to[2] = low.z, to[3] = low.w;
        to[4] = high.x, to[5] = high.y, to[6] = high.z, to[7] = high.w;
    }
};

template <typename T>
__device__ inline void load(const T *from, float (&to)[kVec])
{
    Packed<T> packed;
    packed.load(from);
    packed.unpack(to);
}
template <typename T>
__device__ inline void store(const float (&from)[kVec], T *to)
{
    uint4 bits;
    T *element = reinterpret_cast<T *>(&bits);
#pragma unroll
    for (int i = 0; i < kVec; ++i)
        element[i] = fromFloat<T>(from[i]);
    *reinterpret_cast<uint4 *>(to) = bits;
}
template <>
__device__ inline void store<float>(const float (&from)[kVec], float *to)
{
    reinterpret_cast<float4 *>(to)[0] = make_float4(from[0], from[1], from[2], from[3]);
    reinterpret_cast<float4 *>(to)[1] = make_float4(from[4], from[5], from[6], from[7]);
}

__device__ inline float warpSum(float x)
{
#pragma unroll
    for (int step = kWarp / 2; step > 0; step /= 2)
        x += __shfl_xor_sync(kAllLanes, x, step);
    return x;
}

/// Sum over the block, in every thread. `shared`: 32 floats.
__device__ inline float blockSum(float x, float *shared)
{
    x = warpSum(x);
    const int warp = threadIdx.x / kWarp, lane = threadIdx.x % kWarp, warps = (blockDim.x + kWarp - 1) / kWarp;
    if (lane == 0)
        shared[warp] = x;
    __syncthreads();
    x = warpSum(lane < warps ? shared[lane] : 0.0f);
    return x;
}

/// A product of matrices in T, a two-byte dtype, on the tensor cores, summed in fp32: d[16 x 8] += a[16 x 16] b[16 x 8].
template <typename T>
__device__ inline void multiplyAdd(float (&d)[4], unsigned a0, unsigned a1, unsigned a2, unsigned a3, unsigned b0, unsigned b1)
{
#if __CUDA_ARCH__ >= 800
    if constexpr (sizeof(T) == 2 && !kIsBf16<T>)
        asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
                     : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                     : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "r"(b0), "r"(b1));
    else
        asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
                     : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                     : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "r"(b0), "r"(b1));
#else
    (void)d, (void)a0, (void)a1, (void)a2, (void)a3, (void)b0, (void)b1;
#endif
}

/// An 8 x 8 matrix of two-byte elements, a row in four lanes, turned over.
__device__ inline unsigned transposed(unsigned x)
{
    unsigned y;
    asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;" : "=r"(y) : "r"(x));
    return y;
}

template <typename T>
__device__ inline unsigned pair(float low, float high)
{
    T both[2] = {fromFloat<T>(low), fromFloat<T>(high)};
    unsigned bits;
    memcpy(&bits, both, 4);
    return bits;
}

/// SiLU, or GELU by its tanh approximation.
__device__ inline float activated(float x, bool gelu)
{
    return gelu ? 0.5f * x * (1.0f + tanhf(0.7978845608028654f * (x + 0.044715f * x * x * x))) : x / (1.0f + __expf(-x));
}

/// Lets the next kernel of the stream start as soon as there is room for it, where it was launched to overlap. It must wait
/// before it touches what this kernel writes.
__device__ inline void letDependentsStart()
{
#if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
#endif
}
/// Waits until the kernel ahead has ended and what it wrote can be seen. Nothing for a kernel that was not launched to overlap.
__device__ inline void waitForDependency()
{
#if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

/// Kernels that are to run side by side must want the same split between shared memory and cache: a multiprocessor changes it
/// only when it is empty.
template <typename Kernel>
void preferSharedMemory(Kernel *kernel)
{
    cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout, cudaSharedmemCarveoutMaxShared);
}

/// Launches `kernel`; with `overlap` it may start while the kernel ahead of it in the stream still runs (compute capability
/// 9.0; older cards ignore it only if never asked, so the caller decides).
template <typename... Parameters, typename... Arguments>
cudaError_t launchOverlapped(void (*kernel)(Parameters...), dim3 grid, dim3 block, std::size_t sharedBytes, cudaStream_t stream,
                             bool overlap, const Arguments &...arguments)
{
    cudaLaunchConfig_t config = {};
    config.gridDim = grid;
    config.blockDim = block;
    config.dynamicSmemBytes = sharedBytes;
    config.stream = stream;
    cudaLaunchAttribute attribute = {};
    attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attribute.val.programmaticStreamSerializationAllowed = 1;
    config.attrs = &attribute;
    config.numAttrs = overlap ? 1 : 0;
    if (overlap)
        preferSharedMemory(kernel);
    return cudaLaunchKernelEx(&config, kernel, Parameters(arguments)...);
}

} // namespace ridgepoint::cuda
