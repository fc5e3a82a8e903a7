// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/torch/device_faults.h"

#include "core/base/error.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <sstream>

namespace ridgepoint {

namespace {

std::string namesOf(const std::vector<DType> &dtypes)
{
    std::string names;
    for (const DType dtype : dtypes)
        names.append(names.empty() ? "" : ", ").append(dtypeName(dtype));
    return names;
}

std::string namesOf(const std::vector<DecodeMode> &modes)
{
    std::string names;
    for (const DecodeMode mode : modes)
        names.append(names.empty() ? "" : ", ").append(modeName(mode));
    return names;
}

/// Major version of a compute capability "7.5"; 0 where there is none.
int majorOf(const std::string &capability)
{
    int major = 0;
    return std::sscanf(capability.c_str(), "%d", &major) == 1 ? major : 0;
}

/// How CUDA begins to word the faults that leave its context unusable.
constexpr std::array kLost{
    "illegal memory access",
    "unspecified launch failure",
    "device-side assert",
    "uncorrectable ECC",
    "uncorrectable NVLink",
    "illegal instruction",
    "misaligned address",
    "hardware stack error",
    "invalid program counter",
    "operation not supported on global/shared address space",
    "the launch timed out",
    "GPU is lost",
    "context is destroyed",
};

constexpr const char *kLostStart = "The GPU stopped with a fault";

} // namespace

std::string cudaVersionText(int version)
{
    return fmt::format("{}.{}", version / 1000, version % 1000 / 10);
}

std::string cudaStartSentence(const CudaStartFault &fault)
{
    using namespace cuda_code;
    switch (fault.code) {
    case kStubLibrary:
        return "The libcuda.so that was found is the toolkit's stub, not the driver's: take the folder \"stubs\" off "
               "LD_LIBRARY_PATH, or choose the device cpu.";
    case kInsufficientDriver:
        if (fault.driverVersion <= 0)
            return "No NVIDIA driver was found (libcuda.so.1), so that no GPU can be used: install the driver of the card, give "
                   "the container access to the GPU (--gpus all), or choose the device cpu.";
        return fmt::format("The NVIDIA driver supports CUDA up to {}, but this engine is built with CUDA {}: update the driver, "
                           "or build the engine with a toolkit and a libtorch of CUDA {} or older, or choose the device cpu.",
                           cudaVersionText(fault.driverVersion), cudaVersionText(fault.toolkitVersion),
                           cudaVersionText(fault.driverVersion));
    case kNoDevice:
        return fmt::format("The NVIDIA driver shows no GPU to this program{}: look whether nvidia-smi lists one, or choose the "
                           "device cpu.",
                           fault.visibleSet ? fmt::format(" (CUDA_VISIBLE_DEVICES is \"{}\")", fault.visible.substr(0, 60))
                                            : "");
    case kDevicesUnavailable:
        return fmt::format("{} is closed to this program: its compute mode is exclusive and another process uses it, or it is "
                           "prohibited. nvidia-smi shows both; end that process, set the mode back (nvidia-smi -c 0), or choose "
                           "another device.",
                           fault.device);
    case kMemoryAllocation:
        return fmt::format("{} has too little free memory to begin at all: other processes hold it. nvidia-smi lists them; end "
                           "one, or choose another device.",
                           fault.device);
    case kNoKernelImage:
    case kUnsupportedPtx:
        return fmt::format("The engine or its libtorch holds no code that {} can run ({}): build the engine with "
                           "-DCMAKE_CUDA_ARCHITECTURES for this card against a libtorch that supports it, or choose the device "
                           "cpu.",
                           fault.device, firstLine(fault.text));
    case kSystemNotReady:
        return fmt::format("The GPUs of this machine are not ready ({}): start the service nvidia-fabricmanager that connects "
                           "them, or choose the device cpu.",
                           firstLine(fault.text));
    case kSystemDriverMismatch:
        return fmt::format("The NVIDIA driver's library and its kernel module are of different versions ({}): restart the "
                           "machine, or choose the device cpu.",
                           firstLine(fault.text));
    case kCompatNotSupported:
        return fmt::format("The CUDA compatibility libraries on the library path do not fit this card ({}): take them off "
                           "LD_LIBRARY_PATH, update the driver, or choose the device cpu.",
                           firstLine(fault.text));
    default:
        break;
    }
    if (const auto lost = lostDeviceSentence(fault.text))
        return *lost;
    return fmt::format("{} cannot be used: {}. Check the driver with nvidia-smi, or choose the device cpu.", fault.device,
                       firstLine(fault.text));
}

std::optional<std::string> lostDeviceSentence(const std::string &text)
{
    if (text.rfind(kLostStart, 0) == 0)
        return text; // told already
    for (const char *const words : kLost) {
        const auto at = text.find(words);
        if (at == std::string::npos)
            continue;
        // The line of the words themselves: what stands before may be a sentence about the operation that met the fault.
        const auto before = text.rfind('\n', at);
        const auto after = text.find('\n', at);
        const auto from = before == std::string::npos ? 0 : before + 1;
        return fmt::format("{} ({}). Results so far are kept, but this process cannot use the GPU again: start the program "
                           "again to go on{}.",
                           kLostStart, firstLine(text.substr(from, after == std::string::npos ? after : after - from)),
                           std::string_view(words).find("ECC") != std::string_view::npos
                               ? "; where it comes back, the card's memory fails (nvidia-smi -q -d ECC)"
                               : "");
    }
    return std::nullopt;
}

std::string oldCardSentence(const std::string &device, const std::string &name, int major, int minor, int oldest)
{
    constexpr int supported = 75; // Turing: the oldest with the instructions that the kernels use
    const int capability = major * 10 + minor;
    if (capability < supported)
        return fmt::format("{} ({}) has compute capability {}.{}; the engine's kernels need 7.5 (Turing: T4, RTX 20) or newer. "
                           "Choose the device cpu or another GPU.",
                           device, name, major, minor);
    if (capability < oldest)
        return fmt::format("{} ({}) has compute capability {}.{}, but this engine is compiled for {}.{} and newer: build it with "
                           "-DCMAKE_CUDA_ARCHITECTURES={}, or choose the device cpu.",
                           device, name, major, minor, oldest / 10, oldest % 10, capability);
    return {};
}

void checkDevice(const DeviceInfo &device, const RunPlan &plan)
{
    if (!device.problem.empty())
        throw Error(ErrorKind::Failure, device.problem);
    if (std::find(device.dtypes.begin(), device.dtypes.end(), plan.dtype) == device.dtypes.end()) {
        if (const int major = majorOf(device.computeCapability); plan.dtype == DType::BF16 && major > 0 && major < 8)
            throw Error(ErrorKind::Usage,
                        fmt::format("bf16 cannot be run on {} ({}): a card of compute capability {} has no fast bf16 arithmetic "
                                    "(8.0 and newer have it). Choose fp16, which its tensor cores do.",
                                    device.id, device.name, device.computeCapability));
        throw Error(ErrorKind::Usage, fmt::format("{} cannot be run on {} ({}): choose one of {}.", dtypeName(plan.dtype),
                                                  device.id, device.name, namesOf(device.dtypes)));
    }
    if (std::find(device.modes.begin(), device.modes.end(), plan.mode) == device.modes.end())
        throw Error(ErrorKind::Usage, fmt::format("The mode {} is not available on {} ({}): choose one of {}.",
                                                  modeName(plan.mode), device.id, device.name, namesOf(device.modes)));
}

std::string driverVersionIn(const std::string &procText)
{
    // "NVRM version: NVIDIA UNIX x86_64 Kernel Module  550.54.15  Tue ..." or "... Open Kernel Module for x86_64  570.86 ...":
    // the first word of digits and dots alone.
    std::istringstream words(procText.substr(0, procText.find('\n')));
    std::string word;
    while (words >> word) {
        if (word.find('.') != std::string::npos && word.find_first_not_of("0123456789.") == std::string::npos)
            return word;
    }
    return {};
}

std::string hashOf(const std::string &text)
{
    std::uint64_t hash = 14695981039346656037ull;
    for (const char c : text) {
        hash ^= static_cast<unsigned char>(c);
        hash *= 1099511628211ull;
    }
    return fmt::format("{:016x}", hash);
}

std::string firstLine(const std::string &text)
{
    std::string line = text.substr(0, text.find('\n'));
    constexpr std::size_t longest = 300;
    if (line.size() > longest)
        line = line.substr(0, longest) + "...";
    while (!line.empty() && (line.back() == '.' || line.back() == ' '))
        line.pop_back();
    return line;
}

} // namespace ridgepoint
