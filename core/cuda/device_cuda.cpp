// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/cuda/device_cuda.h"


#include "core/base/format.h"
#include "core/cuda/bandwidth_cuda.h"
#include "core/cuda/cuda_decoder.h"
#include "core/cuda/cupti_trace.h"
#include "core/cuda/nvml.h"
#include "core/torch/device_faults.h"

#include <ATen/ATen.h>
#include <ATen/cuda/CUDAContext.h>
#include <ATen/detail/CUDAHooksInterface.h>
#include <c10/cuda/CUDACachingAllocator.h>
#include <c10/cuda/CUDAFunctions.h>
#include <c10/cuda/CUDAGuard.h>
#include <cuda_runtime_api.h>

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <utility>

namespace ridgepoint {

namespace {

namespace allocator = c10::cuda::CUDACachingAllocator;

/// Position of the sum over all pools in the allocator's statistics.
constexpr std::size_t kAllPools = 0;

using namespace cuda_code;
static_assert(kMemoryAllocation == cudaErrorMemoryAllocation && kStubLibrary == cudaErrorStubLibrary &&
              kInsufficientDriver == cudaErrorInsufficientDriver && kDevicesUnavailable == cudaErrorDevicesUnavailable &&
              kNoDevice == cudaErrorNoDevice && kNoKernelImage == cudaErrorNoKernelImageForDevice &&
              kUnsupportedPtx == cudaErrorUnsupportedPtxVersion && kSystemNotReady == cudaErrorSystemNotReady &&
              kSystemDriverMismatch == cudaErrorSystemDriverMismatch &&
              kCompatNotSupported == cudaErrorCompatNotSupportedOnDevice);

/// Throws a sentence for a failed call of the CUDA runtime.
void check(cudaError_t status, const char *what)
{
    if (status == cudaSuccess)
        return;
    const std::string text = fmt::format("CUDA error: {}", cudaGetErrorString(status));
    if (const auto lost = lostDeviceSentence(text))
        throw Error(ErrorKind::Failure, *lost);
    throw Error(ErrorKind::Failure,
                fmt::format("The GPU could not {}: {}. Look at nvidia-smi, then run again.", what, text));
}

std::string idOf(int index)
{
    return fmt::format("cuda:{}", index);
}

/// The sentence for a device that could not be looked for or opened. Clears CUDA's memory of the error, which must not be
/// taken for a later fault.
std::string startSentence(cudaError_t status, int index)
{
    cudaGetLastError();
    CudaStartFault fault;
    fault.code = status;
    fault.text = cudaGetErrorString(status);
    fault.device = idOf(index);
    if (cudaDriverGetVersion(&fault.driverVersion) != cudaSuccess)
        fault.driverVersion = 0;
    fault.toolkitVersion = CUDART_VERSION;
    if (const char *const visible = std::getenv("CUDA_VISIBLE_DEVICES")) {
        fault.visible = visible;
        fault.visibleSet = true;
    }
    return cudaStartSentence(fault);
}

/// Number of GPUs; with 0 the reason as a sentence.
int deviceCount(std::string &problem)
{
    int count = 0;
    cudaError_t status = cudaGetDeviceCount(&count);
    if (status == cudaSuccess && count == 0)
        status = cudaErrorNoDevice;
    if (status == cudaSuccess)
        return count;
    problem = startSentence(status, 0);
    return 0;
}

/// "8-4-4-4-12" hexadecimal digits.
std::string uuidText(const cudaUUID_t &uuid)
{
    std::string text;
    for (int i = 0; i < 16; ++i) {
        if (i == 4 || i == 6 || i == 8 || i == 10)
            text += '-';
        text += fmt::format("{:02x}", static_cast<unsigned char>(uuid.bytes[i]));
    }
    return text;
}

int attribute(cudaDeviceAttr which, int index)
{
    int value = 0;
    if (cudaDeviceGetAttribute(&value, which, index) != cudaSuccess) {
        cudaGetLastError();
        return -1;
    }
    return value;
}

DeviceInfo describeDevice(int index)
{
    DeviceInfo info;
    info.id = idOf(index);
    cudaDeviceProp properties{};
    if (const cudaError_t status = cudaGetDeviceProperties(&properties, index); status != cudaSuccess) {
        info.name = info.id;
        info.problem = startSentence(status, index);
        return info;
    }
    info.name = properties.name;
    info.memoryBytes = static_cast<double>(properties.totalGlobalMem);
    info.lastLevelCacheBytes = properties.l2CacheSize > 0 ? static_cast<double>(properties.l2CacheSize) : kMissing;
    info.computeCapability = fmt::format("{}.{}", properties.major, properties.minor);
    info.dtypes = {DType::F16, DType::F32}; // the first is what is run where nothing is chosen
    if (properties.major >= 8)
        info.dtypes.insert(info.dtypes.begin(), DType::BF16);
    info.modes = {DecodeMode::Eager, DecodeMode::Graph, DecodeMode::Fused};
    const std::vector<int> compiled = compiledCapabilities();
    info.problem = oldCardSentence(info.id, info.name, properties.major, properties.minor,
                                   compiled.empty() ? 0 : compiled.front());
    if (info.problem.empty() && attribute(cudaDevAttrComputeMode, index) == cudaComputeModeProhibited)
        info.problem = fmt::format("{} ({}) is set to the compute mode \"prohibited\": set it back (nvidia-smi -c 0), or choose "
                                   "another device.",
                                   info.id, info.name);
    return info;
}

/// Version of the driver as the kernel module tells it, for machines without NVML.
std::string moduleVersion()
{
    std::ifstream file("/proc/driver/nvidia/version");
    std::string line;
    std::getline(file, line);
    return driverVersionIn(line);
}

/// CUDA events on the current stream time a step; the caching allocator counts the memory. After a fault of the device that
/// stays nothing here throws but what would need the device: destroying, asking and giving back are then without effect.
class CudaProbe final : public DeviceProbe {
public:
    explicit CudaProbe(int index) : m_index(index), m_guard(static_cast<c10::DeviceIndex>(index))
    {
        cudaDeviceProp properties{};
        check(cudaGetDeviceProperties(&properties, index), "describe itself");
        m_multiprocessors = properties.multiProcessorCount;
        const std::string uuid = uuidText(properties.uuid);
        m_hash = hashOf(uuid); // the UUID itself names one card in the world and is kept nowhere
        m_nvml = NvmlDevice::open(uuid, m_noTelemetry);
        check(cudaEventCreate(&m_start), "create a timer");
        if (const cudaError_t status = cudaEventCreate(&m_stop); status != cudaSuccess) {
            cudaEventDestroy(m_start);
            check(status, "create a timer");
        }
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
        DeviceInfo info = describeDevice(m_index);
        info.freeBytes = freeBytes();
        return info;
    }
    double freeBytes() const override
    {
        std::size_t free = 0, total = 0;
        if (!memory(free, total))
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
    double deviceUsedBytes() const override
    {
        std::size_t free = 0, total = 0;
        return memory(free, total) ? static_cast<double>(total - free) : kMissing;
    }
    std::unique_ptr<Telemetry> startTelemetry() const override { return m_nvml ? sampleNvml(m_nvml) : nullptr; }
    Identity identity() const override
    {
        Identity identity;
        identity.hash = m_hash;
        identity.driver = m_nvml ? m_nvml->driverVersion() : std::string();
        if (identity.driver.empty())
            identity.driver = moduleVersion();
        if (m_nvml) {
            const DeviceState state = m_nvml->state();
            identity.clocks = clocksText(state.smClockHz, state.memoryClockHz);
        }
        return identity;
    }
    DeviceWorkspace workspace(DecodeMode mode) const override
    {
        // libtorch gives cuBLAS 32 MiB on Hopper and newer and 8 MiB before, for each stream: a graph is captured on one of
        // its own.
        const int major = attribute(cudaDevAttrComputeCapabilityMajor, m_index);
        return {kCudaPrefillRows, true, (major >= 9 ? 32.0 : 8.0) * 1024 * 1024 * (mode == DecodeMode::Eager ? 1 : 2)};
    }
    void resetPeak() override { allocator::resetPeakStats(device()); }
    double peakBytes() const override
    {
        return static_cast<double>(allocator::getDeviceStats(device()).allocated_bytes[kAllPools].peak);
    }
    void releaseCached() override
    {
        try {
            allocator::emptyCache();
        } catch (const c10::Error &) {
            // Called on the way out of faults: one that the device does not survive is told by whatever met it.
            cudaGetLastError();
        }
    }
    void synchronise() override { check(cudaDeviceSynchronize(), "finish its work"); }
    std::unique_ptr<StepTracer> openTracer(std::string &why) override { return openCuptiTracer(why); }
    std::unique_ptr<PartTimer> makePartTimer() override { return makeCudaPartTimer(); }
    bool asynchronous() const override { return true; }
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
        std::map<std::string, std::string> result = m_nvml ? m_nvml->facts() : std::map<std::string, std::string>{};
        const auto tell = [&](const char *key, std::string text) {
            if (!text.empty())
                result[key] = std::move(text);
        };
        const Identity self = identity();
        tell("card id (hash of the UUID)", self.hash);
        tell("driver", self.driver);
        tell("CUDA toolkit", cudaVersion());
        if (int version = 0; cudaRuntimeGetVersion(&version) == cudaSuccess)
            tell("CUDA runtime", cudaVersionText(version));
        if (int version = 0; cudaDriverGetVersion(&version) == cudaSuccess)
            tell("driver supports CUDA", cudaVersionText(version));
        tell("compute capability", describeDevice(m_index).computeCapability);
        tell("kernels", kernelCode());
        tell("multiprocessors", std::to_string(m_multiprocessors));
        if (const int mode = attribute(cudaDevAttrComputeMode, m_index); mode >= 0)
            tell("compute mode", mode == cudaComputeModeDefault ? "default" : "exclusive");
        if (!result.count("ECC")) {
            if (const int ecc = attribute(cudaDevAttrEccEnabled, m_index); ecc >= 0)
                tell("ECC", ecc ? "on" : "off");
        }
        std::size_t free = 0, total = 0;
        if (memory(free, total))
            tell("memory in use at start", format::bytes(static_cast<double>(total - free)) + " (all processes)");
        tell("peak memory", "bytes allocated by libtorch, reset for each point");
        tell("telemetry", m_nvml ? "NVML, sampled beside the steps" : fmt::format("not available ({})", m_noTelemetry));
        return result;
    }

private:
    c10::DeviceIndex device() const { return static_cast<c10::DeviceIndex>(m_index); }
    static bool memory(std::size_t &free, std::size_t &total)
    {
        if (cudaMemGetInfo(&free, &total) == cudaSuccess)
            return true;
        cudaGetLastError();
        return false;
    }

    int m_index;
    c10::cuda::CUDAGuard m_guard; // the whole run works on this device
    int m_multiprocessors = 0;
    std::string m_hash;
    std::string m_noTelemetry; ///< why there is no NVML
    std::shared_ptr<NvmlDevice> m_nvml;
    cudaEvent_t m_start = nullptr;
    cudaEvent_t m_stop = nullptr;
};

} // namespace

std::unique_ptr<DeviceProbe> openCudaProbe(int index)
{
    std::string problem;
    const int count = deviceCount(problem);
    if (count == 0)
        throw Error(ErrorKind::Failure, problem);
    if (index >= count)
        throw Error(ErrorKind::Failure,
                    fmt::format("There is no cuda:{}: this machine has {} (cuda:0{}). Choose one of them.", index,
                                count == 1 ? "one GPU" : fmt::format("{} GPUs", count),
                                count == 1 ? "" : fmt::format(" to cuda:{}", count - 1)));
    if (const DeviceInfo info = describeDevice(index); !info.problem.empty())
        throw Error(ErrorKind::Failure, info.problem);
    // A libtorch for the CPU alone can be loaded in place of the one that the engine was linked to.
    if (!at::detail::getCUDAHooks().hasCUDA())
        throw Error(ErrorKind::Failure,
                    fmt::format("cuda:{} cannot be used: the libtorch that was loaded is built for the CPU only. Put the folder "
                                "of the one with CUDA that this engine was built against first on LD_LIBRARY_PATH, or choose the "
                                "device cpu.",
                                index));
    // The context is made here, by a call whose fault has a number: no memory left, a closed device.
    cudaError_t status = cudaSetDevice(index);
    if (status == cudaSuccess)
        status = cudaFree(nullptr);
    if (status != cudaSuccess)
        throw Error(ErrorKind::Failure, startSentence(status, index));
    try {
        // The allocator's books exist only once libtorch has set up CUDA, which its first tensor there does; and the fill finds out
        // whether libtorch has code for this card.
        at::zeros({1}, at::TensorOptions().device(c10::Device(c10::kCUDA, static_cast<c10::DeviceIndex>(index))));
        status = cudaDeviceSynchronize();
    } catch (const c10::Error &error) {
        const std::string text = error.what_without_backtrace();
        const bool memory = text.find("out of memory") != std::string::npos;
        const bool noCode = text.find("no kernel image") != std::string::npos;
        CudaStartFault fault;
        fault.code = memory ? kMemoryAllocation : noCode ? kNoKernelImage : static_cast<int>(cudaErrorUnknown);
        fault.text = text;
        fault.device = idOf(index);
        cudaGetLastError();
        throw Error(ErrorKind::Failure, cudaStartSentence(fault));
    }
    if (status != cudaSuccess)
        throw Error(ErrorKind::Failure, startSentence(status, index));
    return std::make_unique<CudaProbe>(index);
}

std::vector<DeviceInfo> listCudaDevices()
{
    std::string problem;
    const int count = deviceCount(problem);
    std::vector<DeviceInfo> devices;
    for (int index = 0; index < count; ++index)
        devices.push_back(describeDevice(index));
    if (count == 0) {
        // A build with CUDA is there to use a GPU: why it cannot is told where the GPU would stand.
        DeviceInfo missing;
        missing.id = idOf(0);
        missing.name = "NVIDIA GPU";
        missing.problem = problem;
        devices.push_back(std::move(missing));
    }
    return devices;
}

int multiprocessorCount()
{
    int device = 0;
    check(cudaGetDevice(&device), "say which device is used");
    return std::max(1, attribute(cudaDevAttrMultiProcessorCount, device));
}

CUstream_st *currentStream()
{
    return at::cuda::getCurrentCUDAStream().stream();
}

std::string cudaVersion()
{
    return cudaVersionText(CUDART_VERSION);
}

} // namespace ridgepoint
