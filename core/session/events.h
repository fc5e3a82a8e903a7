// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/error.h"
#include "core/session/results.h"

#include <functional>
#include <memory>
#include <variant>

namespace ridgepoint {

/// What an engine tells while it runs a plan; every event carries the run's id. Plain values that can be copied to
/// another thread. Emitted on the engine's thread.

/// Once, before anything is timed: the device as it is, and the plan as it will be run (threads resolved, measured
/// ceilings filled in when the run calibrated first).
struct RunStarted {
    std::string runId;
    RunPlan plan;
    Provenance provenance;
};
struct Progress {
    std::string runId;
    std::string what;              ///< "Sweep: batch 16, prompt 128, step 23 of 40"
    double fraction = 0;           ///< 0..1
    double secondsLeft = kMissing; ///< NaN while unknown
    double memoryBytes = kMissing; ///< in use on the device
};
/// A point of a sweep, or a row of a line (batch 1), begins; its forecast is already fixed.
struct PointStarted {
    std::string runId;
    int index = 0;
    std::int64_t batch = 0;
    std::int64_t prompt = 0;
    double context = 0;
    PointForecast forecast;
};
/// One timed step. `index` is the point's (sweep), the repeat's (ttft) or the row's (line).
struct StepTimed {
    std::string runId;
    int index = 0;
    StepSample sample;
};
struct PointFinished {
    std::string runId;
    SweepPoint point;
};
/// A token reached the reader (method 2).
struct TextArrived {
    std::string runId;
    std::string text;
};
struct TtftFinished {
    std::string runId;
    TtftResult result;
};
struct CalibrationFinished {
    std::string runId;
    CalibrationResult result;
};
/// A row of the line over models is done, skipped or failed.
struct LineRowFinished {
    std::string runId;
    LineRow row;
};
/// A step was taken apart.
struct AnatomyFinished {
    std::string runId;
    StepAnatomy anatomy;
};
/// The last event of a run, always sent.
struct RunEnded {
    std::string runId;
    enum class How { Done, Cancelled, Failed } how = How::Done;
    ErrorKind errorKind = ErrorKind::Failure;
    std::string sentence; ///< Failed: what is wrong and what to do
    /// Failed: the process can no longer use the device (a sticky fault of its context); only a new one can.
    bool deviceLost = false;
};

using Event = std::variant<RunStarted, Progress, PointStarted, StepTimed, PointFinished, TextArrived, TtftFinished,
                           CalibrationFinished, LineRowFinished, AnatomyFinished, RunEnded>;
using EventSink = std::function<void(const Event &)>;

const std::string &runIdOf(const Event &event);

} // namespace ridgepoint
