// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/session/events.h"

#include <filesystem>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

namespace ridgepoint {

/// A device that an engine can run on.
struct DeviceInfo {
    std::string id;   ///< "cpu", "cuda:0"
    std::string name; ///< "AMD EPYC 9654", "NVIDIA H200"
    double memoryBytes = kMissing;
    double freeBytes = kMissing;
    double lastLevelCacheBytes = kMissing;
    std::string computeCapability;
    std::vector<DType> dtypes;      ///< what run() accepts on it
    std::vector<DecodeMode> modes;  ///< likewise
    std::string problem;            ///< a sentence when the device is there but cannot be used; empty: fine
};

/// The decode engine as the rest of the program knows it. Lives on one thread: the one that loaded it.
class Engine {
public:
    virtual ~Engine() = default;
    /// "libtorch 1.13.1 (CPU)"
    virtual std::string version() const = 0;
    virtual std::vector<DeviceInfo> devices() const = 0;
    /// Runs `plan` to its end on the calling thread; events go to `sink` on this thread. Stops within one step once `stop`
    /// is requested. Never throws: a fault ends in RunEnded::Failed with its sentence. Always sends RunEnded last.
    virtual void run(const RunPlan &plan, const EventSink &sink, std::stop_token stop) = 0;
};

/// Increased whenever a type that crosses the module's boundary changes.
inline constexpr int kEngineAbi = 4;
/// The module exports: int ridgepoint_engine_abi(); ridgepoint::Engine *ridgepoint_engine_create();
using EngineAbiFunction = int (*)();
using EngineCreateFunction = Engine *(*)();

/// Finds and loads the engine module. RIDGEPOINT_ENGINE (a file) overrides the search: <exe dir>, <exe dir>/engine,
/// <exe dir>/../lib/ridgepoint, the install prefix. Throws Error (Failure) naming what was looked for, why it did not load
/// (a missing libtorch is named) and the remedy. The module stays loaded until the process ends: libtorch does not unload.
std::unique_ptr<Engine> loadEngine();
/// Where loadEngine() looks, in order: only the file that RIDGEPOINT_ENGINE names where that is set.
std::vector<std::filesystem::path> engineCandidates();
/// The path that loadEngine() would take; empty: none found.
std::filesystem::path findEngineModule();

} // namespace ridgepoint
