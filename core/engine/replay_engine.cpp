// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/replay_engine.h"

#include "core/session/replay.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <fmt/format.h>
#include <mutex>

namespace ridgepoint {

namespace {

/// No single step of a recording holds the window up longer than this.
constexpr double kLongestWait = 60;

/// Waits, but no longer than until the stop. False: it was stopped.
bool waitFor(double seconds, const std::stop_token &stop)
{
    if (std::isfinite(seconds) && seconds > 0) {
        std::mutex mutex;
        std::condition_variable_any woken;
        std::unique_lock lock(mutex);
        woken.wait_for(lock, stop, std::chrono::duration<double>(std::min(seconds, kLongestWait)), [] { return false; });
    }
    return !stop.stop_requested();
}

double secondsOf(const std::vector<StepSample> &steps)
{
    double total = 0;
    for (const StepSample &step : steps)
        if (std::isfinite(step.wallSeconds))
            total += step.wallSeconds;
    return total;
}

/// One recording on its way to the window.
struct Player {
    const RunRecord &recorded;
    const std::string &runId;
    const EventSink &sink;
    const std::stop_token &stop;
    double speed;
    double total = 0; ///< recorded seconds of all steps
    double played = 0;

    bool wait(double seconds) const { return speed > 0 ? waitFor(seconds / speed, stop) : !stop.stop_requested(); }

    bool play(int index, const std::vector<StepSample> &steps, const std::string &what)
    {
        for (std::size_t i = 0; i < steps.size(); ++i) {
            if (!wait(steps[i].wallSeconds))
                return false;
            if (std::isfinite(steps[i].wallSeconds))
                played += steps[i].wallSeconds;
            sink(StepTimed{runId, index, steps[i]});
            sink(Progress{runId, fmt::format("Recording: {}, step {} of {}", what, i + 1, steps.size()),
                          total > 0 ? played / total : 0, speed > 0 ? (total - played) / speed : kMissing, kMissing});
        }
        return !stop.stop_requested();
    }

    bool playPoints()
    {
        for (SweepPoint point : recorded.points) {
            sink(PointStarted{runId, point.index, point.batch, point.prompt, point.context, point.forecast});
            // The untimed steps took their time too.
            if (!wait(recorded.plan.warmup * point.stepSeconds) ||
                !play(point.index, point.steps, fmt::format("batch {}, prompt {}", point.batch, point.prompt)))
                return false;
            point.runId = runId;
            sink(PointFinished{runId, std::move(point)});
        }
        return true;
    }

    bool playLine()
    {
        for (LineRow row : recorded.line) {
            sink(PointStarted{runId, row.index, 1, row.prompt, static_cast<double>(row.prompt), row.forecast});
            if (!play(row.index, row.steps, (row.name.empty() ? row.model : row.name) + " " + row.dtype))
                return false;
            row.runId = runId;
            sink(LineRowFinished{runId, std::move(row)});
        }
        return true;
    }

    bool playTtft()
    {
        if (!recorded.ttft)
            return true;
        TtftResult result = *recorded.ttft;
        const TtftMethodResult *best = recordMethod(result);
        if (best && (!wait(best->ttftSeconds) || !play(0, best->steps, "tokens")))
            return false;
        if (!result.text.empty())
            sink(TextArrived{runId, result.text});
        result.runId = runId;
        sink(TtftFinished{runId, std::move(result)});
        return true;
    }

    /// False: it was stopped before its end.
    bool playAll()
    {
        for (const SweepPoint &point : recorded.points)
            total += secondsOf(point.steps);
        for (const LineRow &row : recorded.line)
            total += secondsOf(row.steps);
        if (recorded.ttft)
            if (const TtftMethodResult *best = recordMethod(*recorded.ttft))
                total += secondsOf(best->steps);
        if (recorded.calibration) {
            CalibrationResult calibration = *recorded.calibration;
            calibration.runId = runId;
            sink(CalibrationFinished{runId, std::move(calibration)});
        }
        if (stop.stop_requested() || !playPoints() || !playLine() || !playTtft())
            return false;
        if (recorded.anatomy) {
            StepAnatomy anatomy = *recorded.anatomy;
            anatomy.runId = runId;
            sink(AnatomyFinished{runId, std::move(anatomy)});
        }
        return true;
    }
};

} // namespace

ReplayEngine::ReplayEngine(RunRecord recorded, double speed) : m_recorded(std::move(recorded)), m_speed(speed) {}

std::string ReplayEngine::version() const
{
    return m_recorded.provenance.engineVersion;
}

void ReplayEngine::run(const RunPlan &plan, const EventSink &sink, std::stop_token stop)
{
    const std::string runId = plan.runId;
    RunStarted started{runId, m_recorded.plan, m_recorded.provenance};
    started.plan.runId = runId;
    started.provenance.extra.emplace(
        kReplayKey, fmt::format("run {}{}", m_recorded.plan.runId,
                                m_recorded.provenance.startedUtc.empty() ? "" : ", " + m_recorded.provenance.startedUtc));
    sink(started);
    RunEnded end{runId, RunEnded::How::Done, ErrorKind::Failure, {}, false};
    const bool whole = Player{m_recorded, runId, sink, stop, m_speed}.playAll();
    if (!whole || m_recorded.state == RunRecord::State::Cancelled || m_recorded.state == RunRecord::State::Interrupted)
        end.how = RunEnded::How::Cancelled;
    else if (m_recorded.state == RunRecord::State::Failed) {
        end.how = RunEnded::How::Failed;
        end.sentence = "The recorded run failed here: " + m_recorded.sentence;
    }
    sink(end);
}

} // namespace ridgepoint
