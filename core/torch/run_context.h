// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/session/events.h"
#include "core/torch/decoder.h"
#include "core/torch/device.h"

#include <chrono>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>

namespace ridgepoint {

using Clock = std::chrono::steady_clock;

inline double secondsBetween(Clock::time_point from, Clock::time_point to)
{
    return std::chrono::duration<double>(to - from).count();
}

/// Makes the decoder of a run; Decoder::create outside tests of the experiments' own logic.
using DecoderFactory =
    std::function<std::unique_ptr<Decoder>(const ModelSource &source, DType dtype, const std::string &device,
                                           DecodeMode mode, std::uint64_t seed, const std::function<void(double)> &progress,
                                           std::stop_token stop)>;

/// What the experiments of one run share: the plan, the way out for events, the wish to stop, the device.
class RunContext {
public:
    RunContext(RunPlan wanted, const EventSink &sink, std::stop_token stopToken, DeviceProbe &probe,
               DecoderFactory factory)
        : plan(std::move(wanted)), stop(std::move(stopToken)), device(probe), createDecoder(std::move(factory)),
          m_sink(sink)
    {
    }

    RunPlan plan; ///< as it is run
    std::stop_token stop;
    DeviceProbe &device;
    DecoderFactory createDecoder;
    std::unique_ptr<Decoder> decoder; ///< built by calibration already; the experiment takes it over. Null: not built

    void send(const Event &event) const { m_sink(event); }

    /// At most about twenty a second reach the sink, so that telling costs no measurable time; `always` sends regardless.
    void progress(const std::string &what, double fraction, double secondsLeft = kMissing, bool always = false)
    {
        const Clock::time_point now = Clock::now();
        if (!always && now - m_lastProgress < std::chrono::milliseconds(50))
            return;
        m_lastProgress = now;
        send(Progress{plan.runId, what, fraction, secondsLeft, device.usedBytes()});
    }
    /// True when progress() would send now: saves building its text at every step.
    bool progressDue() const { return Clock::now() - m_lastProgress >= std::chrono::milliseconds(50); }

    /// Throws Error (Cancelled) once the user asked to stop.
    void checkStop() const
    {
        if (stop.stop_requested())
            throw Error(ErrorKind::Cancelled, "The run was stopped.");
    }

private:
    const EventSink &m_sink;
    Clock::time_point m_lastProgress{};
};

} // namespace ridgepoint
