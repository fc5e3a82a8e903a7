// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/cuda/nvml.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <array>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>
#include <utility>

namespace ridgepoint {

namespace {

// The few types and numbers of NVML that are used here, so that neither its header nor its library is needed to build. They
// are part of its binary interface and the same in every driver.
using Handle = struct nvmlDevice_st *;
using Return = int;
constexpr Return kSuccess = 0;
constexpr int kClockSm = 1;
constexpr int kClockMemory = 2;
constexpr int kSensorGpu = 0;
constexpr int kEnabled = 1;
constexpr unsigned kVersionLength = 96;

struct Reason {
    std::uint64_t bit;
    const char *name;
};
constexpr std::uint64_t kIdle = 0x1;
constexpr std::array kReasons{
    Reason{0x4, "power cap"},      Reason{0x20, "thermal"},          Reason{0x40, "thermal"},
    Reason{0x8, "hardware slowdown"}, Reason{0x80, "power brake"},   Reason{0x10, "sync boost"},
    Reason{0x2, "applications clocks"}, Reason{0x100, "display clocks"},
};

/// Between two samples. The driver renews clocks and power about every 20 ms at best, so more would only repeat them; and each
/// sample takes the driver's locks for a fraction of a millisecond, which launches need as well.
constexpr std::chrono::milliseconds kSamplePeriod(20);

/// The functions of the library. A null one is missing in this driver.
struct Functions {
    Return (*init)() = nullptr;
    Return (*shutdown)() = nullptr;
    const char *(*errorString)(Return) = nullptr;
    Return (*handleByUuid)(const char *, Handle *) = nullptr;
    Return (*clock)(Handle, int, unsigned *) = nullptr;
    Return (*maxClock)(Handle, int, unsigned *) = nullptr;
    Return (*temperature)(Handle, int, unsigned *) = nullptr;
    Return (*power)(Handle, unsigned *) = nullptr;
    Return (*reasons)(Handle, unsigned long long *) = nullptr;
    Return (*powerLimit)(Handle, unsigned *) = nullptr;
    Return (*eccMode)(Handle, int *, int *) = nullptr;
    Return (*persistence)(Handle, int *) = nullptr;
    Return (*driverVersion)(char *, unsigned) = nullptr;
};

template <typename Function>
void find(void *library, const char *name, Function &function)
{
    if (!function)
        function = reinterpret_cast<Function>(dlsym(library, name));
}

Functions findFunctions(void *library)
{
    Functions f;
    find(library, "nvmlInit_v2", f.init);
    find(library, "nvmlShutdown", f.shutdown);
    find(library, "nvmlErrorString", f.errorString);
    find(library, "nvmlDeviceGetHandleByUUID", f.handleByUuid);
    find(library, "nvmlDeviceGetClockInfo", f.clock);
    find(library, "nvmlDeviceGetMaxClockInfo", f.maxClock);
    find(library, "nvmlDeviceGetTemperature", f.temperature);
    find(library, "nvmlDeviceGetPowerUsage", f.power);
    find(library, "nvmlDeviceGetCurrentClocksEventReasons", f.reasons);
    find(library, "nvmlDeviceGetCurrentClocksThrottleReasons", f.reasons); // its name before driver 535
    find(library, "nvmlDeviceGetEnforcedPowerLimit", f.powerLimit);
    find(library, "nvmlDeviceGetEccMode", f.eccMode);
    find(library, "nvmlDeviceGetPersistenceMode", f.persistence);
    find(library, "nvmlSystemGetDriverVersion", f.driverVersion);
    return f;
}

class LoadedNvml final : public NvmlDevice {
public:
    LoadedNvml(Functions functions, Handle handle) : m_nvml(functions), m_handle(handle) {}
    ~LoadedNvml() override { m_nvml.shutdown(); } // counted by NVML: other users of it in this process go on
    LoadedNvml(const LoadedNvml &) = delete;
    LoadedNvml &operator=(const LoadedNvml &) = delete;

    DeviceState state() const override
    {
        DeviceState state;
        state.smClockHz = megahertz(m_nvml.clock, kClockSm);
        state.memoryClockHz = megahertz(m_nvml.clock, kClockMemory);
        if (unsigned celsius = 0; m_nvml.temperature && m_nvml.temperature(m_handle, kSensorGpu, &celsius) == kSuccess)
            state.temperatureC = celsius;
        if (unsigned milliwatts = 0; m_nvml.power && m_nvml.power(m_handle, &milliwatts) == kSuccess)
            state.powerWatts = milliwatts * 1e-3;
        if (unsigned long long reasons = 0; m_nvml.reasons && m_nvml.reasons(m_handle, &reasons) == kSuccess)
            state.throttle = throttleNames(reasons);
        return state;
    }

    std::string driverVersion() const override
    {
        std::array<char, kVersionLength> text{};
        if (!m_nvml.driverVersion || m_nvml.driverVersion(text.data(), kVersionLength - 1) != kSuccess)
            return {};
        return text.data();
    }

    std::map<std::string, std::string> facts() const override
    {
        std::map<std::string, std::string> facts;
        const DeviceState now = state();
        if (std::string text = clocksText(now.smClockHz, now.memoryClockHz); !text.empty())
            facts["clocks at start"] = std::move(text);
        if (std::string text = clocksText(megahertz(m_nvml.maxClock, kClockSm), megahertz(m_nvml.maxClock, kClockMemory));
            !text.empty())
            facts["highest clocks"] = std::move(text);
        if (unsigned milliwatts = 0; m_nvml.powerLimit && m_nvml.powerLimit(m_handle, &milliwatts) == kSuccess)
            facts["power limit"] = fmt::format("{:.0f} W", milliwatts * 1e-3);
        if (int current = 0, pending = 0; m_nvml.eccMode && m_nvml.eccMode(m_handle, &current, &pending) == kSuccess)
            facts["ECC"] = current == kEnabled ? "on" : "off";
        if (int mode = 0; m_nvml.persistence && m_nvml.persistence(m_handle, &mode) == kSuccess)
            facts["persistence mode"] = mode == kEnabled ? "on" : "off";
        return facts;
    }

private:
    double megahertz(Return (*read)(Handle, int, unsigned *), int which) const
    {
        unsigned value = 0;
        return read && read(m_handle, which, &value) == kSuccess ? value * 1e6 : kMissing;
    }

    Functions m_nvml;
    Handle m_handle;
};

class NvmlTelemetry final : public Telemetry {
public:
    explicit NvmlTelemetry(std::shared_ptr<const NvmlDevice> device)
        : m_device(std::move(device)), m_latest(m_device->state()),
          m_thread([this](const std::stop_token &stop) { sample(stop); })
    {
    }

    DeviceState latest() const override
    {
        const std::lock_guard lock(m_mutex);
        return m_latest;
    }

private:
    void sample(const std::stop_token &stop)
    {
        std::mutex waiting;
        std::condition_variable_any wake;
        std::unique_lock wait(waiting);
        // Ends at once when the stop is requested, so that a run does not wait a period at its end.
        while (!wake.wait_for(wait, stop, kSamplePeriod, [&] { return stop.stop_requested(); })) {
            DeviceState state = m_device->state();
            const std::lock_guard lock(m_mutex);
            std::swap(m_latest, state);
        }
    }

    std::shared_ptr<const NvmlDevice> m_device;
    mutable std::mutex m_mutex;
    DeviceState m_latest;
    std::jthread m_thread; // last: joined before what it uses goes
};

} // namespace

std::string throttleNames(std::uint64_t reasons)
{
    std::string names;
    const auto add = [&](const std::string &name) {
        if (names.find(name) == std::string::npos)
            names.append(names.empty() ? "" : ", ").append(name);
    };
    std::uint64_t known = kIdle;
    for (const Reason &reason : kReasons) {
        known |= reason.bit;
        if (reasons & reason.bit)
            add(reason.name);
    }
    if (reasons & ~known)
        add("other");
    return names;
}

std::string clocksText(double smClockHz, double memoryClockHz)
{
    std::string text;
    if (std::isfinite(smClockHz))
        text = fmt::format("SM {:.0f} MHz", smClockHz * 1e-6);
    if (std::isfinite(memoryClockHz))
        text += fmt::format("{}memory {:.0f} MHz", text.empty() ? "" : ", ", memoryClockHz * 1e-6);
    return text;
}

std::shared_ptr<NvmlDevice> NvmlDevice::open(const std::string &uuid, std::string &why, const std::string &library)
{
    why.clear();
    // Never unloaded: a driver's library is not made for it, and it costs nothing to keep.
    void *const loaded = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!loaded) {
        const char *const reason = dlerror();
        why = fmt::format("the driver's library {} could not be loaded: {}", library, reason ? reason : "no reason given");
        return nullptr;
    }
    const Functions nvml = findFunctions(loaded);
    if (!nvml.init || !nvml.shutdown || !nvml.handleByUuid) {
        why = fmt::format("{} lacks functions that are needed", library);
        return nullptr;
    }
    const auto text = [&](Return code) {
        const char *const words = nvml.errorString ? nvml.errorString(code) : nullptr;
        return words ? std::string(words) : fmt::format("NVML error {}", code);
    };
    if (const Return code = nvml.init(); code != kSuccess) {
        why = fmt::format("NVML could not be started: {}", text(code));
        return nullptr;
    }
    Return code = kSuccess;
    for (const char *const prefix : {"GPU-", "MIG-"}) { // a slice of a GPU has a UUID of its own
        Handle handle = nullptr;
        code = nvml.handleByUuid((prefix + uuid).c_str(), &handle);
        if (code == kSuccess)
            return std::make_shared<LoadedNvml>(nvml, handle);
    }
    why = fmt::format("NVML does not know this GPU: {}", text(code));
    nvml.shutdown();
    return nullptr;
}

std::unique_ptr<Telemetry> sampleNvml(std::shared_ptr<const NvmlDevice> device)
{
    return std::make_unique<NvmlTelemetry>(std::move(device));
}

} // namespace ridgepoint
