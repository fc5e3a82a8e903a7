// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/cuda/device_cuda.h"

#include <ATen/ATen.h>
#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDACachingAllocator.h>
#include <c10/cuda/CUDAFunctions.h>
#include <c10/cuda/CUDAGuard.h>
#include <cuda_runtime_api.h>

#include <fmt/format.h>

namespace ridgepoint {

namespace {

namespace allocator = c10::cuda::CUDACachingAllocator;

/// Position of the sum over all pools in the allocator's statistics.
constexpr std::size_t kAllPools = 0;

/// Throws a sentence for a failed call of the CUDA runtime.
void check(cudaError_t status, const char *what)
{
    if (status != cudaSuccess)
        throw Error(ErrorKind::Failure,
                    fmt::format("The GPU could not {}: {}. Look at nvidia-smi, then run again.", what,
                                cudaGetErrorString(status)));
}

int deviceCount(std::string &problem)
{
    int count = 0;
    const cudaError_t status = cudaGetDeviceCount(&count);
    if (status == cudaSuccess)
        return count;
    cudaGetLastError(); // the failed query must not be taken for a later fault
    problem = cudaGetErrorString(status);
    return 0;
}

DeviceInfo describe(int index)
{
    DeviceInfo info;
    info.id = fmt::format("cuda:{}", index);
    cudaDeviceProp properties{};
    if (const cudaError_t status = cudaGetDeviceProperties(&properties, index); status != cudaSuccess) {
        cudaGetLastError();
        info.name = info.id;
        info.problem = fmt::format("{} cannot be used: {}. Check the driver with nvidia-smi.", info.id,
                                   cudaGetErrorString(status));
        return info;
    }
    info.name = properties.name;
    info.memoryBytes = static_cast<double>(properties.totalGlobalMem);
    info.lastLevelCacheBytes = properties.l2CacheSize > 0 ? static_cast<double>(properties.l2CacheSize) : kMissing;
    info.computeCapability = fmt::format("{}.{}", properties.major, properties.minor);
    info.dtypes = {DType::F16, DType::F32}; // the first is what is run where nothing is chosen
    if (properties.major >= 8)
        info.dtypes.insert(info.dtypes.begin(), DType::BF16);
    info.modes = {DecodeMode::Eager};
    return info;
}

/// CUDA events on the current stream time a step; the caching allocator counts the memory.
class CudaProbe final : public DeviceProbe {
public:
    explicit CudaProbe(int index) : m_index(index), m_guard(static_cast<c10::DeviceIndex>(index))
    {
        check(cudaEventCreate(&m_start), "create a timer");
        check(cudaEventCreate(&m_stop), "create a timer");
    }
    ~CudaProbe() override
    {
        cudaEventDestroy(m_start);
        cudaEventDestroy(m_stop);
    }
    CudaProbe(const CudaProbe &) = delete;
    CudaProbe &operator=(const CudaProbe &) = delete;

    DeviceInfo info() const override
    {
        DeviceInfo info = describe(m_index);
        info.freeBytes = freeBytes();
        return info;
    }
    double freeBytes() const override
    {
        std::size_t free = 0, total = 0;
        if (cudaMemGetInfo(&free, &total) != cudaSuccess)
            return kMissing;
        // What the allocator has reserved but not handed out can be used as well.
        const auto stats = allocator::getDeviceStats(device());
        return static_cast<double>(free) + static_cast<double>(stats.reserved_bytes[kAllPools].current -
                                                               stats.allocated_bytes[kAllPools].current);
    }
    double usedBytes() const override
    {
        return static_cast<double>(allocator::getDeviceStats(device()).allocated_bytes[kAllPools].current);
    }
    void resetPeak() override { allocator::resetPeakStats(device()); }
    double peakBytes() const override
    {
        return static_cast<double>(allocator::getDeviceStats(device()).allocated_bytes[kAllPools].peak);
    }
    void releaseCached() override { allocator::emptyCache(); }
    void synchronise() override { check(cudaDeviceSynchronize(), "finish its work"); }
    void startTimer() override { check(cudaEventRecord(m_start, at::cuda::getCurrentCUDAStream()), "start a timer"); }
    double stopTimer() override
    {
        check(cudaEventRecord(m_stop, at::cuda::getCurrentCUDAStream()), "stop a timer");
        check(cudaEventSynchronize(m_stop), "finish its work");
        float milliseconds = 0;
        check(cudaEventElapsedTime(&milliseconds, m_start, m_stop), "read a timer");
        return static_cast<double>(milliseconds) * 1e-3;
    }
    bool usable() const override
    {
        // An error that stays (an illegal access, a lost device) is reported by every later call.
        return cudaDeviceSynchronize() == cudaSuccess;
    }
    std::map<std::string, std::string> facts() const override
    {
        std::map<std::string, std::string> result{{"CUDA", cudaVersion()},
                                                  {"compute capability", describe(m_index).computeCapability},
                                                  {"peak memory", "bytes allocated by libtorch, reset for each point"}};
        if (int driver = 0; cudaDriverGetVersion(&driver) == cudaSuccess)
            result["driver supports CUDA"] = fmt::format("{}.{}", driver / 1000, driver % 1000 / 10);
        return result;
    }

private:
    c10::DeviceIndex device() const { return static_cast<c10::DeviceIndex>(m_index); }

    int m_index;
    c10::cuda::CUDAGuard m_guard; // the whole run works on this device
    cudaEvent_t m_start = nullptr;
    cudaEvent_t m_stop = nullptr;
};

} // namespace

std::unique_ptr<DeviceProbe> openCudaProbe(int index)
{
    std::string problem;
    const int count = deviceCount(problem);
    if (count == 0)
        throw Error(ErrorKind::Failure,
                    fmt::format("cuda:{} cannot be used: {}. Check the driver with nvidia-smi, or choose the device cpu.",
                                index, problem.empty() ? "no GPU was found" : problem));
    if (index >= count)
        throw Error(ErrorKind::Failure,
                    fmt::format("There is no cuda:{}: this machine has {} (cuda:0{}). Choose one of them.", index,
                                count == 1 ? "one GPU" : fmt::format("{} GPUs", count),
                                count == 1 ? "" : fmt::format(" to cuda:{}", count - 1)));
    if (const DeviceInfo info = describe(index); !info.problem.empty())
        throw Error(ErrorKind::Failure, info.problem);
    // The allocator's books exist only once libtorch has set up CUDA, which its first tensor there does.
    at::empty({1}, at::TensorOptions().device(c10::Device(c10::kCUDA, static_cast<c10::DeviceIndex>(index))));
    return std::make_unique<CudaProbe>(index);
}

std::vector<DeviceInfo> listCudaDevices()
{
    std::string problem;
    const int count = deviceCount(problem);
    std::vector<DeviceInfo> devices;
    for (int index = 0; index < count; ++index)
        devices.push_back(describe(index));
    return devices;
}

std::string cudaVersion()
{
    return fmt::format("{}.{}", CUDART_VERSION / 1000, CUDART_VERSION % 1000 / 10);
}

} // namespace ridgepoint
