// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analytic/decode_mode.h"
#include "core/analytic/dtype.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace ridgepoint {

enum class DeviceKind { Gpu, Cpu, Integrated };

/// Where one figure of a hardware profile comes from.
struct FigureSource {
    std::string figure; ///< "memory_bandwidth", "peak_fp16", ...
    std::string source; ///< document and the arithmetic, where a datasheet gives another convention
    bool operator==(const FigureSource &) const = default;
};

/// Datasheet figures of one device. Dense peaks only: where a datasheet prints the figure "with sparsity", half of it.
struct HardwareProfile {
    std::string id;     ///< catalogue name: "t4"
    std::string name;   ///< "NVIDIA T4"
    std::string vendor; ///< "NVIDIA"
    DeviceKind kind = DeviceKind::Gpu;
    double memoryBandwidth = 0;        ///< B/s
    std::map<DType, double> peakFlops; ///< FLOP/s, dense; a dtype that is absent has no fast path on the device
    double memoryBytes = 0;            ///< B; 0: unknown (a CPU: the machine's own)
    double lastLevelCacheBytes = 0;    ///< B; 0: unknown
    std::string computeCapability;     ///< "7.5"; empty where it has no meaning
    int deviceCount = 1;
    std::string note; ///< what a reader must know: shared memory, variants, estimates
    std::vector<FigureSource> sources;
    bool operator==(const HardwareProfile &) const = default;

    /// Dense peak of `dtype`; where the device has no fast path for it, the fp32 peak (the arithmetic is then done
    /// there). 0 when neither is known.
    double peak(DType dtype) const;
};

/// A decode step that calibration timed, at a context of its own choice.
struct StepTiming {
    double batch = 0;
    double context = 0; ///< tokens in the cache
    double seconds = 0; ///< median
    bool operator==(const StepTiming &) const = default;
};
/// Likewise a prefill of every sequence.
struct PrefillTiming {
    double batch = 0;
    double prompt = 0; ///< tokens
    double seconds = 0;
    bool operator==(const PrefillTiming &) const = default;
};
/// What calibration found of one model's shape: how fast this device runs products and attention of these very sizes.
struct ShapeTimings {
    std::string shape; ///< ModelShape::id
    DType dtype = DType::F16;
    DecodeMode mode = DecodeMode::Eager; ///< of the steps
    std::vector<StepTiming> steps;
    std::vector<PrefillTiming> prefills;
    bool operator==(const ShapeTimings &) const = default;
};

/// Ceilings measured on one device by the calibrate experiment. SI units; absent: not measured.
struct MeasuredCeilings {
    std::optional<double> readBandwidth;  ///< B/s, bytes read only, buffers many times the last-level cache
    std::optional<double> copyBandwidth;  ///< B/s, read + written bytes both counted
    std::map<DType, double> matmulFlops;  ///< FLOP/s, best of the sizes tried
    std::optional<double> stepOverhead;   ///< s, fixed cost of one decode step of `overheadShape`
    std::optional<double> graphStepOverhead; ///< s, the same step captured as a CUDA graph and replayed
    std::optional<double> launchOverhead; ///< s, one empty launch (or one trivial operation on the CPU)
    std::optional<double> graphNodeOverhead; ///< s, one empty kernel as a node of a CUDA graph
    std::string overheadShape;            ///< which shape's layer count the step overhead was measured with
    std::int64_t overheadLayers = 0;      ///< layers of that shape
    int threads = 0;                      ///< CPU threads used; 0 on a GPU
    std::optional<ShapeTimings> timings;  ///< of the shape that was to be run
    std::string dateUtc;                  ///< ISO 8601
    std::string deviceName;               ///< as the driver or the CPU reports it; empty: not recorded
    std::string deviceHash;               ///< of the card's UUID, so that another card of the same name is known; empty on the CPU
    std::string driver;                   ///< driver version; empty on the CPU
    std::string clocks;                   ///< "SM 1980 MHz, memory 3201 MHz" while the rates were measured; empty: unknown
    bool operator==(const MeasuredCeilings &) const = default;

    /// Step overhead (of a graph's replay where `graph`) scaled to `layers`: the cost is a count of operations, which
    /// grows with the layers. Unscaled where either layer count is unknown (0); nothing where that was not measured.
    std::optional<double> stepOverheadFor(std::int64_t layers, bool graph = false) const;
};

/// The four numbers that a prediction needs. Every one can be overridden by a slider or a flag.
struct Ceilings {
    double bandwidth = 0; ///< B/s
    double flops = 0;     ///< FLOP/s of the dtype in use
    double overhead = 0;  ///< s a step
    double memory = 0;    ///< B; 0: unknown, capacity is then not limited
    bool operator==(const Ceilings &) const = default;

    double ridge() const { return bandwidth > 0 ? flops / bandwidth : 0; } ///< FLOP/B
};

/// Datasheet ceilings: no overhead.
Ceilings nominalCeilings(const HardwareProfile &hardware, DType dtype);
/// Measured ceilings, each falling back to the nominal figure where it was not measured.
Ceilings measuredCeilings(const HardwareProfile &hardware, const MeasuredCeilings &measured, DType dtype,
                          std::int64_t layers, bool graph = false);

} // namespace ridgepoint
