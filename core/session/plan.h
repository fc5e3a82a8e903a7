// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analytic/decode_mode.h"
#include "core/analytic/decode_model.h"
#include "core/analytic/hardware.h"
#include "core/analytic/model_shape.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ridgepoint {

enum class Experiment { Calibrate, Ttft, Sweep, Line, Anatomy };
std::string_view experimentName(Experiment experiment); ///< "calibrate", "ttft", "sweep", "line", "anatomy"
std::optional<Experiment> parseExperiment(std::string_view text);

/// The three methods of the TTFT/TPOT experiment (spec section 4).
enum class TtftMethod { Subtraction = 1, Stream = 2, Loop = 3 };

/// What is timed: a catalogue shape with random weights, or a checkpoint folder.
struct ModelSource {
    ModelShape shape;
    std::filesystem::path folder; ///< empty: random weights of `shape`
    bool operator==(const ModelSource &) const = default;
};

/// What a person wrote down before a run: the record sets it beside forecast and measurement. Absent: nothing was expected.
struct Expectation {
    std::optional<double> tpotSeconds;    ///< a step at the smallest batch (ttft: TPOT)
    std::optional<double> ratio;          ///< measured / floor at the smallest batch
    std::optional<double> firstDeparture; ///< batch at which throughput first lies over 5 % below linear
    bool empty() const { return !tpotSeconds && !ratio && !firstDeparture; }
    bool operator==(const Expectation &) const = default;
};

/// Everything one run needs to know; a plain value that serialises. Defaults are the spec's.
struct RunPlan {
    std::string runId; ///< unique; results carry it, late ones of another run are dropped
    Experiment experiment = Experiment::Sweep;
    std::string device = "cpu"; ///< "cpu" or "cuda:N"
    ModelSource model;
    DType dtype = DType::BF16;
    DecodeMode mode = DecodeMode::Eager;
    std::vector<std::int64_t> prompts{128, 2048};         ///< tokens; ttft, line and anatomy use the first
    std::vector<std::int64_t> batches{1, 4, 16, 64, 128}; ///< ttft and anatomy use the first
    std::int64_t newTokens = 64;                          ///< ttft, line: N
    int warmup = 10;                                      ///< untimed steps a point (ttft, line: untimed repeats)
    int steps = 40;                                       ///< timed steps a point
    int repeats = 10;                                     ///< ttft, line: timed repeats, the median counts
    std::vector<TtftMethod> methods{TtftMethod::Subtraction, TtftMethod::Stream, TtftMethod::Loop};
    /// line: every model in every dtype, at batch 1; `model` and `dtype` are then those that the calibration uses.
    std::vector<ModelSource> models;
    std::vector<DType> dtypes;
    std::string promptText;         ///< encoded with the folder's tokenizer; empty: the built-in token sequence
    int threads = 0;                ///< CPU threads; 0: all that this process may use
    std::uint64_t seed = 1;         ///< of random weights
    double memoryLimitBytes = 0;    ///< points that need more are recorded as skipped; 0: what the device has free
    bool tryBeyondCapacity = false; ///< run points that the capacity arithmetic says cannot fit
    bool telemetry = true;          ///< sample clocks, temperature, power and throttling beside the steps of a GPU
    /// Prediction to lay beside the measurement: fixed before the run starts, never tuned by it.
    Ceilings nominal;                         ///< of the chosen hardware profile
    std::map<DType, double> nominalFlops;     ///< line: that profile's dense peaks, FLOP/s; `nominal` has one dtype's
    std::string hardwareId;                   ///< that profile's id
    std::optional<MeasuredCeilings> measured; ///< of an earlier calibration; absent: the run calibrates briefly first
    Expectation expectation;                  ///< never enters a forecast
    bool operator==(const RunPlan &) const = default;
};

/// Throws Error (Usage) naming the field and its bounds: batch 1..65536, prompt 1..1e7, steps 1..1e6, empty lists, ...
/// and combinations that cannot be run (graph mode or fp16 on the CPU, context beyond the positions of a checkpoint;
/// random weights may run past them, since their text means nothing and a step costs the same).
void validatePlan(const RunPlan &plan);

/// A new random id for runs and sessions (UUID, version 4).
std::string newId();

/// The plan of one row of a line: `plan` with that model, dtype and its nominal rate.
RunPlan planOfLineRow(const RunPlan &plan, const ModelSource &model, DType dtype);

} // namespace ridgepoint
