// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engine/engine.h"
#include "core/session/session.h"

namespace ridgepoint {

/// Plays a recorded run as the events that a live run sends: points, steps, results and the recorded end, on the thread that
/// calls run(). The run that comes of it is marked (core/session/replay.h). It measures nothing and needs no engine module.
class ReplayEngine : public Engine {
public:
    /// `speed`: 1 is the pace of the recorded steps, their untimed ones included, 4 four times as fast; 0: at once.
    ReplayEngine(RunRecord recorded, double speed);

    std::string version() const override; ///< that of the recording's engine
    std::vector<DeviceInfo> devices() const override { return {}; }
    /// Of `plan` only the run's id counts; the rest is the recording's.
    void run(const RunPlan &plan, const EventSink &sink, std::stop_token stop) override;

private:
    RunRecord m_recorded;
    double m_speed;
};

} // namespace ridgepoint
