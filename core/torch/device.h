// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analytic/memory_need.h"
#include "core/engine/engine.h"
#include "core/torch/step_tracer.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace ridgepoint {

/// What the driver says of a device at one moment. NaN and empty: it does not say.
struct DeviceState {
    double smClockHz = kMissing;
    double memoryClockHz = kMissing;
    double temperatureC = kMissing;
    double powerWatts = kMissing;
    std::string throttle; ///< reasons, comma separated: "power cap", "thermal", ...; empty: none
};

/// Samples a device's state on a thread of its own, so that no step waits for the driver. Sampling runs while the object
/// lives.
class Telemetry {
public:
    virtual ~Telemetry() = default;
    /// The newest sample; costs a short lock and no call of the driver.
    virtual DeviceState latest() const = 0;
};

/// The device of one run as the experiments see it: memory, synchronisation, device timers. No torch type appears here.
/// Used on the engine's thread only.
class DeviceProbe {
public:
    /// "cpu" or "cuda:N". Throws Error (Usage) for any other text, Error (Failure) naming the remedy for a device that is
    /// not there or that this libtorch cannot use.
    static std::unique_ptr<DeviceProbe> open(const std::string &device);
    virtual ~DeviceProbe() = default;

    virtual DeviceInfo info() const = 0;
    /// Bytes that the run may still allocate: system, container and allocator cache counted. NaN: unknown.
    virtual double freeBytes() const = 0;
    /// Bytes in use: resident set of the process on the CPU, allocated bytes on a GPU. NaN: unknown.
    virtual double usedBytes() const = 0;
    /// Bytes in use on the device by all processes, as the driver counts. NaN on the CPU and where it is unknown.
    virtual double deviceUsedBytes() const { return kMissing; }
    /// Starts sampling the device's state. Null where there is nothing to sample: the CPU, a driver without NVML.
    virtual std::unique_ptr<Telemetry> startTelemetry() const { return nullptr; }
    /// Identity and state that a calibration is saved with. Empty texts on the CPU.
    struct Identity {
        std::string hash;   ///< of the card's UUID
        std::string driver; ///< version
        std::string clocks; ///< "SM 1980 MHz, memory 3201 MHz", now
    };
    virtual Identity identity() const { return {}; }
    virtual DeviceWorkspace workspace(DecodeMode mode) const
    {
        (void)mode;
        return {};
    }
    /// Starts a new peak of usedBytes().
    virtual void resetPeak() = 0;
    /// Peak since resetPeak(). NaN: unknown.
    virtual double peakBytes() const = 0;
    /// Gives cached memory back to the system, so that the next point starts from the same ground.
    virtual void releaseCached() = 0;
    /// Waits until the device has done all that was issued.
    virtual void synchronise() = 0;
    /// Device timer around one piece of work that is issued between the two; stopTimer() waits until the device has done
    /// it and gives its seconds, NaN where the device has no timer of its own.
    /// True where work is issued and done at different times, so that waiting for it costs something.
    virtual bool asynchronous() const { return false; }
    /// Records what the device does in a step. Null where nothing can; `why` is then a sentence.
    virtual std::unique_ptr<StepTracer> openTracer(std::string &why) = 0;
    /// Times the parts of a step apart.
    virtual std::unique_ptr<PartTimer> makePartTimer() = 0;
    virtual void startTimer() = 0;
    virtual double stopTimer() = 0;
    /// False after a fault that no further work on the device survives.
    virtual bool usable() const = 0;
    /// Driver, compute capability, ...: for the provenance.
    virtual std::map<std::string, std::string> facts() const = 0;
};

/// All devices: the CPU first, then the GPUs that this libtorch can use.
std::vector<DeviceInfo> listDevices();

/// What a caught exception means for a run.
struct Fault {
    ErrorKind kind = ErrorKind::Failure;
    bool outOfMemory = false;
    std::string sentence;    ///< no stack trace, one sentence of the library at most
    bool deviceLost = false; ///< nothing more can be run on the GPU by this process
};
/// Describes the exception that is being handled. Only inside a catch block.
Fault currentFault();

/// "libtorch 1.13.1 (CPU)"
std::string libtorchVersion();
/// libtorchVersion() with its matrix libraries: "libtorch 1.13.1 (CPU), oneDNN 2.6.3, libopenblasp-r0.3.21.so".
std::string libtorchDetails();

} // namespace ridgepoint
