// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/torch/device.h"

#include "core/torch/decoder.h"
#include "core/torch/device_faults.h"
#include "core/torch/host.h"
#ifdef RIDGEPOINT_WITH_CUDA
#include "core/cuda/device_cuda.h"
#endif

#include <ATen/Context.h>
#include <ATen/Version.h>
#include <c10/util/Exception.h>
#include <torch/version.h>

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <malloc.h>
#include <new>
#include <set>

namespace ridgepoint {

namespace {

/// The host as a device. The process's resident set stands for allocated memory: it is what the machine runs out of.
class CpuProbe final : public DeviceProbe {
public:
    DeviceInfo info() const override
    {
        DeviceInfo info;
        info.id = "cpu";
        info.name = host::cpuName();
        info.memoryBytes = host::memoryBytes();
        info.freeBytes = host::freeMemoryBytes();
        info.lastLevelCacheBytes = host::lastLevelCacheBytes();
        info.dtypes = {DType::BF16, DType::F32}; // the first is what is run where nothing is chosen
        info.modes = {DecodeMode::Eager};
        return info;
    }
    double freeBytes() const override { return host::freeMemoryBytes(); }
    double usedBytes() const override
    {
        const double used = host::residentBytes();
        m_sampledPeak = std::max(m_sampledPeak, used);
        return used;
    }
    void resetPeak() override
    {
        m_kernelPeak = host::resetResidentPeak();
        m_sampledPeak = host::residentBytes();
    }
    double peakBytes() const override
    {
        usedBytes();
        // Without the kernel's own mark the samples taken between steps are a lower bound of the peak.
        return m_kernelPeak ? host::residentPeakBytes() : m_sampledPeak;
    }
    void releaseCached() override { malloc_trim(0); }
    void synchronise() override {} // libtorch's CPU operations return when they are done
    void startTimer() override {}
    double stopTimer() override { return kMissing; }
    std::unique_ptr<StepTracer> openTracer(std::string &) override { return makeCpuTracer(); }
    std::unique_ptr<PartTimer> makePartTimer() override { return makeCpuPartTimer(); }
    bool usable() const override { return true; }
    std::map<std::string, std::string> facts() const override
    {
        return {{"peak memory", m_kernelPeak ? "peak resident set of the process, reset for each point"
                                             : "largest resident set seen between steps"}};
    }

private:
    bool m_kernelPeak = host::resetResidentPeak();
    mutable double m_sampledPeak = 0;
};

/// N of "cuda:N"; nothing for any other text.
std::optional<int> cudaIndex(const std::string &device)
{
    if (device.rfind("cuda:", 0) != 0)
        return std::nullopt;
    int index = -1;
    const char *const last = device.data() + device.size();
    const auto [end, error] = std::from_chars(device.data() + 5, last, index);
    if (error != std::errc() || end != last || index < 0)
        return std::nullopt;
    return index;
}

bool tellsOfMemory(const std::string &text)
{
    return text.find("can't allocate memory") != std::string::npos || text.find("out of memory") != std::string::npos ||
           text.find("not enough memory") != std::string::npos || text.find("bad_alloc") != std::string::npos ||
           text.find("ALLOC_FAILED") != std::string::npos; // cuBLAS and cuDNN
}

Fault libraryFault(const std::string &text)
{
    Fault fault;
    if (const auto lost = lostDeviceSentence(text)) {
        fault.deviceLost = true;
        fault.sentence = *lost;
        return fault;
    }
    fault.outOfMemory = tellsOfMemory(text);
    fault.sentence = fault.outOfMemory
                         ? fmt::format("The device ran out of memory ({}): choose a smaller batch, prompt or model.",
                                       firstLine(text))
                         : fmt::format("libtorch could not carry out an operation: {}.", firstLine(text));
    return fault;
}

/// File names of the matrix libraries that are mapped into this process: which BLAS a generic build really uses.
std::set<std::string> mappedMatrixLibraries()
{
    std::set<std::string> result;
    std::ifstream maps("/proc/self/maps");
    std::string line;
    while (std::getline(maps, line)) {
        const auto slash = line.rfind('/');
        if (slash == std::string::npos)
            continue;
        const std::string name = line.substr(slash + 1);
        for (const char *part : {"libopenblas", "libblis", "libmkl_rt", "libmkl_core", "libatlas", "libblas"})
            if (name.rfind(part, 0) == 0)
                result.insert(name);
    }
    return result;
}

} // namespace

std::unique_ptr<DeviceProbe> DeviceProbe::open(const std::string &device)
{
    if (device == "cpu")
        return std::make_unique<CpuProbe>();
    const std::optional<int> index = cudaIndex(device);
    if (!index)
        throw Error(ErrorKind::Usage,
                    fmt::format("\"{}\" is no device: write cpu, or cuda:N with the number of the GPU.", device));
#ifdef RIDGEPOINT_WITH_CUDA
    return openCudaProbe(*index);
#else
    throw Error(ErrorKind::Failure,
                fmt::format("{} cannot be used: this engine is built for the CPU only ({}). Build it with "
                            "-DRIDGEPOINT_CUDA=ON against a libtorch with CUDA, or choose the device cpu.",
                            device, libtorchVersion()));
#endif
}

std::vector<DeviceInfo> listDevices()
{
    std::vector<DeviceInfo> devices{CpuProbe().info()};
#ifdef RIDGEPOINT_WITH_CUDA
    for (DeviceInfo &device : listCudaDevices())
        devices.push_back(std::move(device));
#endif
    return devices;
}

Fault currentFault()
{
    try {
        throw;
    } catch (const OutOfMemory &error) {
        return {error.kind(), true, error.what()};
    } catch (const DeviceLost &error) {
        return {error.kind(), false, error.what(), true};
    } catch (const Error &error) {
        if (const auto lost = lostDeviceSentence(error.what()))
            return {error.kind(), false, *lost, true};
        return {error.kind(), false, error.what()};
    } catch (const std::bad_alloc &) {
        return {ErrorKind::Failure, true, "Memory ran out: choose a smaller batch, prompt or model."};
    } catch (const c10::Error &error) {
        return libraryFault(error.what_without_backtrace());
    } catch (const std::exception &error) {
        return libraryFault(error.what());
    } catch (...) {
        return {ErrorKind::Failure, false,
                "A fault of unknown type ended the run: run it again, and report it if it comes back."};
    }
}

std::string libtorchVersion()
{
#ifdef RIDGEPOINT_WITH_CUDA
    return fmt::format("libtorch {} (CUDA {})", TORCH_VERSION, cudaVersion());
#else
    return fmt::format("libtorch {} (CPU)", TORCH_VERSION);
#endif
}

std::string libtorchDetails()
{
    std::string result = libtorchVersion();
    // "Intel(R) MKL-DNN v2.6.3 (Git Hash N/A)": the name oneDNN had before.
    const std::string dnn = at::get_mkldnn_version();
    if (const auto v = dnn.find(" v"); v != std::string::npos)
        result += ", oneDNN " + dnn.substr(v + 2, dnn.find(' ', v + 2) - v - 2);
    const std::string config = at::show_config();
    if (const auto blas = config.find("BLAS_INFO="); blas != std::string::npos) {
        const std::string name = config.substr(blas + 10, config.find(',', blas) - blas - 10);
        if (name != "generic")
            result += ", BLAS " + name;
    }
    for (const std::string &library : mappedMatrixLibraries())
        result += ", " + library;
    return result;
}

} // namespace ridgepoint
