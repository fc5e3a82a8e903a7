// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/torch/device.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>

namespace ridgepoint {

/// Names of the reasons why a GPU's clocks are held below what it could run, comma separated, from NVML's bit mask of clock
/// event reasons: "power cap", "thermal", "hardware slowdown", "power brake", "sync boost", "applications clocks", "display
/// clocks". An idle GPU lowers its clocks too, which is no throttle and not named. A bit of a newer driver: "other".
std::string throttleNames(std::uint64_t reasons);

/// One GPU as NVIDIA's management library knows it. The library comes with the driver and is loaded at run time: nothing
/// is linked, and a machine without it only lacks telemetry. Every call may be made from any thread.
class NvmlDevice {
public:
    /// The GPU with `uuid` ("8-4-4-4-12" hexadecimal digits, without the prefix that NVML writes before it): indices would be
    /// those of all cards, which CUDA_VISIBLE_DEVICES renumbers. Null with `why` (the end of a sentence: "the library ...
    /// could not be loaded: ...") where the library or the GPU is not to be had. `library`: another file, for tests.
    static std::shared_ptr<NvmlDevice> open(const std::string &uuid, std::string &why,
                                            const std::string &library = "libnvidia-ml.so.1");
    virtual ~NvmlDevice() = default;

    /// Clocks, temperature, power and throttle reasons now. What the driver does not say is NaN or empty.
    virtual DeviceState state() const = 0;
    /// "550.54.15"; empty: unknown.
    virtual std::string driverVersion() const = 0;
    /// "power limit", "ECC", "persistence mode", "clocks at start", "highest clocks", with their units in the text; what the
    /// driver does not say is absent.
    virtual std::map<std::string, std::string> facts() const = 0;
};

/// "SM 1980 MHz, memory 3201 MHz"; empty where neither is known.
std::string clocksText(double smClockHz, double memoryClockHz);

/// Starts a thread that samples `device` until the object goes.
std::unique_ptr<Telemetry> sampleNvml(std::shared_ptr<const NvmlDevice> device);

} // namespace ridgepoint
