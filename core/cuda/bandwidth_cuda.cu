// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/cuda/bandwidth_cuda.h"

#include "core/base/error.h"

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>

namespace ridgepoint {

namespace {

void check(cudaError_t status, const char *what)
{
    if (status != cudaSuccess)
        throw Error(ErrorKind::Failure, std::string("The GPU could not ") + what + ": CUDA error: " +
                                            cudaGetErrorString(status) + ". Look at nvidia-smi, then run again.");
}

/// Bits without a pattern, a different word for each index.
__device__ std::uint32_t mixed(std::uint64_t index)
{
    index += 0x9e3779b97f4a7c15ull;
    index = (index ^ (index >> 30)) * 0xbf58476d1ce4e5b9ull;
    index = (index ^ (index >> 27)) * 0x94d049bb133111ebull;
    return static_cast<std::uint32_t>(index ^ (index >> 31));
}

__global__ void fillKernel(uint4 *data, std::size_t count)
{
    const std::size_t stride = std::size_t(gridDim.x) * blockDim.x;
    for (std::size_t i = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += stride)
        data[i] = make_uint4(mixed(4 * i), mixed(4 * i + 1), mixed(4 * i + 2), mixed(4 * i + 3));
}

/// Neighbouring threads read neighbouring 16 bytes, and the whole grid walks through memory together. Streaming loads: what
/// is read once need not displace anything in the caches.
template <int Loads>
__global__ void readKernel(const uint4 *__restrict__ data, std::size_t count, std::uint32_t *sink)
{
    const std::size_t stride = std::size_t(gridDim.x) * blockDim.x;
    std::size_t i = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x;
    std::uint32_t folded = 0;
    for (; i + (Loads - 1) * stride < count; i += Loads * stride) {
        uint4 value[Loads];
#pragma unroll
        for (int k = 0; k < Loads; ++k)
            value[k] = __ldcs(data + i + k * stride);
#pragma unroll
        for (int k = 0; k < Loads; ++k)
            folded ^= value[k].x ^ value[k].y ^ value[k].z ^ value[k].w;
    }
    for (; i < count; i += stride) {
        const uint4 value = __ldcs(data + i);
        folded ^= value.x ^ value.y ^ value.z ^ value.w;
    }
    if (folded == 0x5bd1e995u)
        *sink = folded;
}

/// The same with the loads of a block side by side: which of the two a card's memory likes better differs from card to card.
template <int Loads>
__global__ void readTogetherKernel(const uint4 *__restrict__ data, std::size_t count, std::uint32_t *sink)
{
    const std::size_t tile = std::size_t(blockDim.x) * Loads;
    std::uint32_t folded = 0;
    std::size_t from = blockIdx.x * tile;
    for (; from + tile <= count; from += gridDim.x * tile) {
        uint4 value[Loads];
#pragma unroll
        for (int k = 0; k < Loads; ++k)
            value[k] = __ldcs(data + from + k * blockDim.x + threadIdx.x);
#pragma unroll
        for (int k = 0; k < Loads; ++k)
            folded ^= value[k].x ^ value[k].y ^ value[k].z ^ value[k].w;
    }
    for (std::size_t i = from + threadIdx.x; i < count && i < from + tile; i += blockDim.x) {
        const uint4 value = __ldcs(data + i);
        folded ^= value.x ^ value.y ^ value.z ^ value.w;
    }
    if (folded == 0x5bd1e995u)
        *sink = folded;
}

__global__ void emptyKernel() {}

} // namespace

std::string describe(const ReadLaunch &launch)
{
    return std::to_string(launch.threads) + " threads x " + std::to_string(launch.blocksPerMultiprocessor) +
           " blocks a multiprocessor, " + std::to_string(launch.loads) + " loads" +
           (launch.together ? " side by side" : "");
}

std::vector<ReadLaunch> readLaunches()
{
    std::vector<ReadLaunch> launches;
    for (const int threads : {256, 512, 1024})
        for (const int blocks : {1, 2, 4, 8, 16})
            for (const int loads : {4, 8})
                for (const bool together : {false, true})
                    launches.push_back({threads, blocks, loads, together});
    return launches;
}

void fillRandom(void *data, std::size_t bytes, CUstream_st *stream)
{
    constexpr int blocks = 4096, threads = 256;
    fillKernel<<<blocks, threads, 0, stream>>>(static_cast<uint4 *>(data), bytes / sizeof(uint4));
    check(cudaGetLastError(), "fill a buffer");
}

void readAll(const void *data, std::size_t bytes, const ReadLaunch &launch, int multiprocessors, void *sink,
             CUstream_st *stream)
{
    const unsigned blocks = static_cast<unsigned>(std::max(1, multiprocessors * launch.blocksPerMultiprocessor));
    const unsigned threads = static_cast<unsigned>(launch.threads);
    const auto *const from = static_cast<const uint4 *>(data);
    auto *const to = static_cast<std::uint32_t *>(sink);
    const std::size_t count = bytes / sizeof(uint4);
    if (launch.together && launch.loads == 8)
        readTogetherKernel<8><<<blocks, threads, 0, stream>>>(from, count, to);
    else if (launch.together)
        readTogetherKernel<4><<<blocks, threads, 0, stream>>>(from, count, to);
    else if (launch.loads == 8)
        readKernel<8><<<blocks, threads, 0, stream>>>(from, count, to);
    else
        readKernel<4><<<blocks, threads, 0, stream>>>(from, count, to);
    check(cudaGetLastError(), "read a buffer");
}

void copyOnDevice(void *to, const void *from, std::size_t bytes, CUstream_st *stream)
{
    check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, stream), "copy a buffer");
}

void launchEmpty(CUstream_st *stream)
{
    emptyKernel<<<1, 32, 0, stream>>>();
    check(cudaGetLastError(), "launch a kernel");
}

EmptyGraph::EmptyGraph(int nodes)
{
    // Captured on a stream of its own: the default stream cannot be.
    cudaStream_t stream = nullptr;
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t executable = nullptr;
    cudaError_t status = cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    if (status == cudaSuccess)
        status = cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal);
    if (status == cudaSuccess) {
        for (int i = 0; i < nodes; ++i)
            emptyKernel<<<1, 32, 0, stream>>>();
        const cudaError_t launched = cudaGetLastError();
        status = cudaStreamEndCapture(stream, &graph); // also after a failed launch: the stream must leave the capture
        if (status == cudaSuccess)
            status = launched;
    }
    if (status == cudaSuccess)
        status = cudaGraphInstantiateWithFlags(&executable, graph, 0);
    if (graph)
        cudaGraphDestroy(graph);
    if (stream)
        cudaStreamDestroy(stream);
    check(status, "make a graph");
    m_graph = executable;
}

EmptyGraph::~EmptyGraph()
{
    cudaGraphExecDestroy(static_cast<cudaGraphExec_t>(m_graph));
}

void EmptyGraph::launch(CUstream_st *stream) const
{
    check(cudaGraphLaunch(static_cast<cudaGraphExec_t>(m_graph), stream), "launch a graph");
}

std::vector<int> compiledCapabilities()
{
    std::vector<int> capabilities;
#ifdef __CUDA_ARCH_LIST__
    for (const int architecture : {__CUDA_ARCH_LIST__}) // 750, 900, ...
        capabilities.push_back(architecture / 10);
    std::sort(capabilities.begin(), capabilities.end());
#endif
    return capabilities;
}

std::string kernelCode()
{
    cudaFuncAttributes attributes{};
    int device = 0, major = 0, minor = 0;
    if (cudaFuncGetAttributes(&attributes, emptyKernel) != cudaSuccess || cudaGetDevice(&device) != cudaSuccess ||
        cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device) != cudaSuccess ||
        cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device) != cudaSuccess) {
        cudaGetLastError();
        return {};
    }
    const auto dotted = [](int version) { return std::to_string(version / 10) + "." + std::to_string(version % 10); };
    // A binary of an older architecture is run only within its own generation; else the driver has compiled it from PTX for
    // the card itself, whose binary version is then the card's but whose PTX is of an architecture in the list.
    const std::vector<int> compiled = compiledCapabilities();
    const bool own = std::any_of(compiled.begin(), compiled.end(), [&](int capability) {
        return capability == attributes.binaryVersion && capability / 10 == major;
    });
    return own ? "compiled for " + dotted(attributes.binaryVersion)
               : "compiled by the driver from code for " + dotted(attributes.ptxVersion);
}

} // namespace ridgepoint
