// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/cuda/cupti_trace.h"
#include "core/cuda/delay.h"
#include "core/cuda/device_cuda.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

namespace ridgepoint {

namespace {

using Clock = std::chrono::steady_clock;

/// A step that takes the host longer to issue than this is not waited for in full.
constexpr double kLongestDelay = 0.1;
/// Of the time that issuing took: how much longer the device is kept waiting.
constexpr double kDelayMargin = 1.5;

void check(cudaError_t status, const char *what)
{
    if (status != cudaSuccess)
        throw Error(ErrorKind::Failure, fmt::format("The GPU could not {}: CUDA error: {}. Look at nvidia-smi, then run again.",
                                                    what, cudaGetErrorString(status)));
}

class CudaPartTimer final : public PartTimer {
public:
    ~CudaPartTimer() override
    {
        for (const cudaEvent_t event : m_events)
            cudaEventDestroy(event);
    }

    std::string name() const override
    {
        std::string text = "device events around each part of steps that are issued one operation at a time, each step queued "
                           "behind a delay so that the device does not wait for the host";
        if (m_begunEarly > 0)
            text += fmt::format("; in {} of {} steps the device had begun before all was queued", m_begunEarly, m_delayed);
        if (m_dividedByClock)
            text += "; the step is one kernel, whose time is divided as one of its blocks found it by its clock";
        return text;
    }

    void begin(StepPart part, int, const char *) override
    {
        record();
        m_parts.push_back(part);
    }
    void end() override
    {
        record();
        m_issued = Clock::now();
        m_early = m_delay > 0 && cudaEventQuery(m_events.front()) != cudaErrorNotReady;
        cudaGetLastError(); // "not ready" is no fault
    }

    void within(std::function<std::map<StepPart, double>()> seconds) override
    {
        m_within = {m_parts.size() - 1, std::move(seconds)};
        m_dividedByClock = true;
    }

    void startStep() override
    {
        m_parts.clear();
        m_within.second = nullptr;
        m_used = 0;
        m_from = m_issued = Clock::now();
        check(cuda::delay(m_delay, currentStream()), "start a delay");
    }

    std::map<StepPart, double> finishStep() override
    {
        check(cudaStreamSynchronize(currentStream()), "finish its work");
        std::map<StepPart, double> seconds;
        if (m_used != m_parts.size() + 1)
            throw Error(ErrorKind::Failure, "The decoder did not tell where the last part of its step ends.");
        for (std::size_t i = 0; i < m_parts.size(); ++i) {
            float milliseconds = 0;
            check(cudaEventElapsedTime(&milliseconds, m_events[i], m_events[i + 1]), "read a timer");
            const double whole = static_cast<double>(milliseconds) * 1e-3;
            if (!m_within.second || i != m_within.first) {
                seconds[m_parts[i]] += whole;
                continue;
            }
            const std::map<StepPart, double> inner = m_within.second();
            double sum = 0;
            for (const auto &[part, value] : inner)
                sum += value;
            for (const auto &[part, value] : inner)
                seconds[part] += whole * value / sum;
        }
        if (m_delay > 0) {
            ++m_delayed;
            m_begunEarly += m_early;
        }
        // The first step makes the events, so that the second is the one to go by.
        if (++m_steps <= 2)
            m_delay = std::min(kLongestDelay,
                               kDelayMargin * std::chrono::duration<double>(m_issued - m_from).count());
        return seconds;
    }

private:
    void record()
    {
        if (m_used == m_events.size()) {
            cudaEvent_t event = nullptr;
            check(cudaEventCreate(&event), "create a timer");
            m_events.push_back(event);
        }
        check(cudaEventRecord(m_events[m_used++], currentStream()), "start a timer");
    }

    std::vector<cudaEvent_t> m_events;
    std::size_t m_used = 0;
    std::vector<StepPart> m_parts;
    double m_delay = 0;
    int m_steps = 0, m_delayed = 0, m_begunEarly = 0;
    bool m_early = false, m_dividedByClock = false;
    std::pair<std::size_t, std::function<std::map<StepPart, double>()>> m_within; ///< the part that it divides
    Clock::time_point m_from{}, m_issued{};
};

} // namespace

std::unique_ptr<PartTimer> makeCudaPartTimer()
{
    return std::make_unique<CudaPartTimer>();
}

} // namespace ridgepoint
