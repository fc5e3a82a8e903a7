// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analytic/memory_need.h"
#include "core/session/anatomy.h"

#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace ridgepoint {

inline constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

/// One timed decode step. Times in seconds; NaN: not measured on this device.
struct StepSample {
    std::int64_t step = 0;           ///< 0-based among the timed steps of its point
    std::int64_t context = 0;        ///< tokens in the cache when the step ran
    double deviceSeconds = kMissing; ///< by device events; NaN on the CPU
    double wallSeconds = kMissing;
    double smClockHz = kMissing;
    double memoryClockHz = kMissing;
    double temperatureC = kMissing;
    double powerWatts = kMissing;
    std::string throttle; ///< reasons, comma separated; empty: none or unknown

    /// Device time where there is one, else wall time.
    double seconds() const { return deviceSeconds == deviceSeconds ? deviceSeconds : wallSeconds; }
    /// Wall time during which the device's timer did not run: launching the first operation, waiting for the last. NaN
    /// where one of the two was not measured.
    double hostGapSeconds() const { return wallSeconds - deviceSeconds; }
};

enum class PointStatus { Ok, OutOfMemory, Skipped, Failed };
std::string_view statusName(PointStatus status); ///< "ok", "oom", "skipped", "failed"
std::optional<PointStatus> parseStatus(std::string_view text);

/// What was predicted for a point before it was run.
struct PointForecast {
    StepPrediction floorNominal;                 ///< datasheet ceilings, no overhead
    std::optional<StepPrediction> floorMeasured; ///< measured ceilings, no overhead
    std::optional<StepPrediction> predicted;     ///< measured ceilings with the measured step overhead
};

/// One (batch, prompt) point of a sweep. Immutable once finished.
struct SweepPoint {
    std::string runId;
    int index = 0; ///< position in its run
    std::int64_t batch = 0;
    std::int64_t prompt = 0;
    double context = 0; ///< middle of the timed steps: prompt + warmup + steps / 2
    DecodeMode mode = DecodeMode::Eager;
    PointStatus status = PointStatus::Ok;
    std::string reason;            ///< why it is oom, skipped or failed: the arithmetic in a sentence
    std::vector<StepSample> steps; ///< the timed ones
    double stepSeconds = kMissing; ///< median of the timed steps
    double p10Seconds = kMissing;
    double p90Seconds = kMissing;
    double minSeconds = kMissing;
    double maxSeconds = kMissing;
    double peakBytes =
        kMissing; ///< peak memory while the point ran (allocator on a GPU, process resident set on the CPU)
    /// Bytes in use on the whole device while the point ran, as the driver counts: other processes and the runtime's own
    /// share are in it. NaN on the CPU.
    double deviceUsedBytes = kMissing;
    /// Seconds a step when backToBackSteps steps follow one another with no wait between them, by device events around
    /// them all (wall clock on the CPU): the step without the cost of synchronising each.
    double backToBackSeconds = kMissing;
    int backToBackSteps = 0;
    std::string attention;            ///< which implementation attended in decode and in prefill; empty: not recorded
    std::int64_t graphNodes = 0;      ///< mode graph: nodes of the captured step; 0 otherwise
    double kvBytes = kMissing;        ///< bytes allocated for the KV cache
    double prefillSeconds = kMissing; ///< of the untimed prefill, for information
    PointForecast forecast;
};

/// Fills median, percentiles, minimum and maximum from `steps`.
void summariseSteps(SweepPoint &point);

/// Result of one method of the TTFT/TPOT experiment.
struct TtftMethodResult {
    TtftMethod method = TtftMethod::Loop;
    double ttftSeconds = kMissing;    ///< median over repeats; methods 1, 2 and 3
    double tpotSeconds = kMissing;    ///< median
    double tpotMinSeconds = kMissing; ///< methods 2 and 3: over all steps
    double tpotMaxSeconds = kMissing;
    std::vector<double> ttftSamples; ///< one a repeat
    std::vector<double> tpotSamples; ///< one a repeat
    std::vector<StepSample> steps;   ///< methods 2 and 3: every step of the median repeat
};

/// The record of the TTFT/TPOT experiment.
struct TtftResult {
    std::string runId;
    std::int64_t batch = 1;
    std::int64_t prompt = 0;
    std::int64_t newTokens = 0;
    std::vector<TtftMethodResult> methods;
    std::string text; ///< generated text of the first sequence, where the folder has a vocabulary
    std::string promptText;
    std::vector<std::int64_t> tokens; ///< generated ids of the first sequence
    double peakBytes = kMissing;
    PrefillPrediction prefillFloor; ///< nominal ceilings
    PointForecast forecast;         ///< of a step in the middle of the generation
    /// What calibration said of the prefill before it was timed. NaN: it did not time prefills of this shape.
    double ttftForecastSeconds = kMissing;
};

/// The method that speaks for the record: the loop, which times steps and nothing else; where it has no TPOT the
/// stream, then the subtraction. Null when none has one.
const TtftMethodResult *recordMethod(const TtftResult &result);

/// The cross-check of the methods: greatest over smallest TPOT.
struct CrossCheck {
    double spread = kMissing; ///< greatest / smallest - 1
    enum class Verdict {
        Agree,
        Wide,
        Disagree,
        NotEnough
    } verdict = Verdict::NotEnough; ///< <= 20 %, < factor 2, >= factor 2
    std::string text;               ///< a sentence; for Disagree what to check
};
CrossCheck crossCheck(const TtftResult &result);

/// One row of the line over models: a model in a dtype, at batch 1. Immutable once finished.
struct LineRow {
    std::string runId;
    int index = 0;
    std::string model;  ///< catalogue name, or the name that an imported table has
    std::string name;   ///< for people
    std::string family; ///< "qwen2"; empty: not told
    std::string dtype;  ///< "bf16", or whatever an imported table has
    double weightBytes = kMissing;   ///< B that a step streams (exact accounting)
    double residentBytes = kMissing; ///< B that the weights occupy; missing where imported
    std::int64_t prompt = 0;         ///< tokens; 0: not told
    std::int64_t newTokens = 0;      ///< tokens; 0: not told
    DecodeMode mode = DecodeMode::Eager;
    std::string device; ///< as the driver reports it; empty: not told
    PointStatus status = PointStatus::Ok;
    std::string reason; ///< why there is no time
    /// Seconds of the steps after the first token over their number, by wall clock: median, least and greatest of the
    /// repeats.
    double tpotSeconds = kMissing;
    double tpotMinSeconds = kMissing;
    double tpotMaxSeconds = kMissing;
    std::vector<double> samples;   ///< TPOT of each repeat
    std::vector<StepSample> steps; ///< of the repeat nearest the median
    double peakBytes = kMissing;
    std::string attention;       ///< as SweepPoint's
    std::int64_t graphNodes = 0; ///< as SweepPoint's
    PointForecast forecast;      ///< fixed before the row ran; all zeros where imported
    bool imported = false;       ///< from a table, not measured by this program
};

/// Fills median, least and greatest TPOT from `samples`.
void summariseSamples(LineRow &row);

/// One sample of calibration, kept so that the spread can be judged.
struct CalibrationSample {
    std::string what;        ///< "read", "copy", "matmul fp32 1024", "step overhead", ...
    std::string unit;        ///< "B/s", "FLOP/s", "s"
    double value = kMissing; ///< best for rates, median for times
    double median = kMissing;
    double spread = kMissing; ///< (p90 - p10) / median
};
struct CalibrationResult {
    std::string runId;
    MeasuredCeilings ceilings;
    std::vector<CalibrationSample> samples;
};

/// Where a run comes from that another program measured (core/session/import.h).
struct ImportSource {
    std::string tool;                   ///< "llama-bench", "vLLM bench serve", ...
    std::string file;                   ///< name of the file, without its folder
    std::string model;                  ///< as the file names it; empty: not told
    std::string dtype;                  ///< of the weights, as the file names it ("Q4_K - Medium"); empty: that of the plan
    std::vector<std::string> notes;     ///< how the figures were read, a sentence each
    double weightBytes = kMissing;      ///< B that a step streams, where the plan's dtype does not tell
    double kvBytesPerToken = kMissing;  ///< likewise of the KV cache
};

/// What was run on what, with which versions.
struct Provenance {
    std::string deviceId;   ///< "cpu", "cuda:0"
    std::string deviceName; ///< as the driver or the CPU reports it
    double deviceMemoryBytes = kMissing;
    double lastLevelCacheBytes = kMissing;
    int threads = 0;           ///< CPU threads that the engine used
    std::string threadNote;    ///< how the count was set (OpenMP, BLAS)
    std::string engineVersion; ///< "libtorch 1.13.1, OpenBLAS, oneDNN"
    std::string programVersion;
    std::string gitCommit;
    std::string hostCpu;
    std::string hostOs;
    std::string commandLine;
    double usableBytes = kMissing; ///< what weights, cache and workspace could take together when the run began
    DeviceWorkspace workspace;     ///< how the engine keeps its buffers on this device
    std::string startedUtc;                   ///< ISO 8601
    std::map<std::string, std::string> extra; ///< driver, CUDA, compute capability, clocks, ...
    std::optional<ImportSource> imported;     ///< absent: this program measured
};

} // namespace ridgepoint
