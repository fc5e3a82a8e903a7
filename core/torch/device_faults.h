// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engine/engine.h"

#include <optional>
#include <string>

/// What can go wrong with a GPU, as sentences. Knows CUDA by its error numbers only, so that builds without it can be tested.
namespace ridgepoint {

/// Numbers of cudaError_t, which CUDA keeps from version to version.
namespace cuda_code {
inline constexpr int kMemoryAllocation = 2;
inline constexpr int kStubLibrary = 34;
inline constexpr int kInsufficientDriver = 35;
inline constexpr int kDevicesUnavailable = 46;
inline constexpr int kNoDevice = 100;
inline constexpr int kNoKernelImage = 209;
inline constexpr int kUnsupportedPtx = 222;
inline constexpr int kSystemNotReady = 802;
inline constexpr int kSystemDriverMismatch = 803;
inline constexpr int kCompatNotSupported = 804;
} // namespace cuda_code

/// A CUDA call that failed while a device was looked for or opened.
struct CudaStartFault {
    int code = 0;            ///< cudaError_t
    std::string text;        ///< CUDA's own words for it
    std::string device;      ///< "cuda:0"
    int driverVersion = 0;   ///< newest CUDA that the driver supports, as 12040; 0: there is no driver
    int toolkitVersion = 0;  ///< CUDA that the engine was built with, as 13000
    std::string visible;     ///< value of CUDA_VISIBLE_DEVICES
    bool visibleSet = false; ///< whether that variable is set at all
};
/// Why the device cannot be used and what to do about it.
std::string cudaStartSentence(const CudaStartFault &fault);

/// The sentence for a device that no further work in this process survives (an illegal access, an uncorrectable memory error),
/// when `text`, of CUDA or of libtorch, tells of one; nothing for any other fault.
std::optional<std::string> lostDeviceSentence(const std::string &text);

/// Why a card of compute capability `major`.`minor` cannot run this engine, compiled for `oldest` (75) and newer; empty: it can.
std::string oldCardSentence(const std::string &device, const std::string &name, int major, int minor, int oldest);

/// Throws Error naming the remedy when `plan` asks for a dtype or mode that `device` does not have, or when the device has a
/// problem.
void checkDevice(const DeviceInfo &device, const RunPlan &plan);

/// "13.0" of 13000.
std::string cudaVersionText(int version);

/// Version of the driver's kernel module in the text of /proc/driver/nvidia/version; empty where there is none.
std::string driverVersionIn(const std::string &procText);

/// FNV-1a (64 bit) of `text` as 16 hexadecimal digits: tells two cards apart without keeping the UUID itself.
std::string hashOf(const std::string &text);

/// Up to the end of the first line, without the trace and the advice for libtorch's own developers, nor a final full stop.
std::string firstLine(const std::string &text);

} // namespace ridgepoint
