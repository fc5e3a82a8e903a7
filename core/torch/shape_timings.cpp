// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/torch/shape_timings.h"

#include "core/torch/experiments.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace ridgepoint {

namespace {

constexpr int kUntimed = 3;  ///< the first step of a cache sets up a graph, the next ones warm it up
constexpr int kMostSteps = 60;
constexpr int kLeastSteps = 3;
constexpr double kStepSeconds = 0.12; ///< after which no more steps of one batch and context are timed
/// Of steps that the host issues one operation at a time, before the first that counts: a fresh process was seen to issue them
/// a third slower than two seconds later.
constexpr double kHostWarmSeconds = 2;
constexpr int kHostRounds = 3;
constexpr double kPrefillSeconds = 1.5; ///< a prefill expected to take longer is not timed

class Timing {
public:
    explicit Timing(RunContext &context) : m_context(context), m_plan(context.plan)
    {
        m_result.shape = m_plan.model.shape.id;
        m_result.dtype = m_plan.dtype;
        m_result.mode = m_plan.mode;
    }

    ShapeTimings run()
    {
        const std::int64_t prompt = *std::max_element(m_plan.prompts.begin(), m_plan.prompts.end());
        const bool ttft = m_plan.experiment == Experiment::Ttft;
        const std::int64_t more = ttft ? m_plan.newTokens : m_plan.warmup + m_plan.steps;
        std::set<std::int64_t> batches(m_plan.batches.begin(), m_plan.batches.end());
        if (ttft)
            batches = {m_plan.batches.front()};
        // What the host needs to issue a step is disturbed for seconds at a time and never the other way: the least of several
        // rounds is what it costs.
        const int rounds = issuedByHost() ? kHostRounds : 1;
        for (int round = 0; round < rounds; ++round)
            for (const std::int64_t batch : batches)
                steps(batch, timedContexts(prompt + more));
        if (ttft)
            prefills();
        if (m_context.decoder)
            m_context.decoder->releaseCache();
        m_context.device.releaseCached();
        return std::move(m_result);
    }

private:
    /// Whether the device waits for the host to issue each operation.
    bool issuedByHost() const { return m_plan.mode == DecodeMode::Eager && m_context.device.asynchronous(); }

    void tell(const std::string &what)
    {
        m_context.checkStop();
        m_context.progress("Calibration: " + what, 0.9);
    }

    /// False where the memory arithmetic says no: trying would only push others out.
    bool fits(std::int64_t batch, std::int64_t tokens, std::int64_t rows) const
    {
        const double held = m_context.decoder->weightBytes();
        const MemoryNeed need =
            memoryNeed(m_plan.model.shape, m_plan.dtype, batch, tokens, rows, held, m_context.device.workspace(m_plan.mode));
        double limit = m_context.device.freeBytes() + held;
        if (m_plan.memoryLimitBytes > 0)
            limit = std::min(std::isnan(limit) ? m_plan.memoryLimitBytes : limit, m_plan.memoryLimitBytes);
        return !(need.total() > limit);
    }

    /// Seconds by the device's own timer where it has one.
    template <typename Work>
    double timed(Work &&work)
    {
        m_context.checkStop();
        const Clock::time_point from = Clock::now();
        m_context.device.startTimer();
        work();
        const double device = m_context.device.stopTimer();
        return std::isfinite(device) ? device : secondsBetween(from, Clock::now());
    }

    void steps(std::int64_t batch, std::vector<std::int64_t> contexts)
    {
        constexpr std::int64_t room = kUntimed + kMostSteps;
        while (!contexts.empty() && !fits(batch, contexts.back() + room, 1))
            contexts.pop_back();
        if (contexts.empty())
            return;
        Decoder &decoder = *m_context.decoder;
        decoder.allocateCache(batch, contexts.back() + room);
        if (!m_hostWarm && issuedByHost()) {
            tell("the host's way of issuing steps");
            for (const Clock::time_point from = Clock::now(); secondsBetween(from, Clock::now()) < kHostWarmSeconds;) {
                m_context.checkStop();
                decoder.holdContext(contexts.front());
                for (int i = 0; i < kMostSteps; ++i)
                    decoder.step();
            }
            m_hostWarm = true;
        }
        for (const std::int64_t context : contexts) {
            tell(fmt::format("steps of batch {} at context {}", batch, context));
            decoder.holdContext(context);
            double slowest = 0;
            for (int i = 0; i < kUntimed; ++i) {
                slowest = timed([&] {
                    decoder.issueStep();
                    decoder.wait();
                });
                if (slowest > kStepSeconds)
                    break; // warm enough
            }
            std::vector<double> seconds;
            double spent = 0;
            while (static_cast<int>(seconds.size()) < kMostSteps &&
                   (static_cast<int>(seconds.size()) < kLeastSteps || spent < kStepSeconds)) {
                seconds.push_back(timed([&] { decoder.issueStep(); }));
                spent += seconds.back();
            }
            decoder.wait();
            const StepTiming timing{static_cast<double>(batch), static_cast<double>(context), median(seconds)};
            const auto known = std::find_if(m_result.steps.begin(), m_result.steps.end(), [&](const StepTiming &other) {
                return other.batch == timing.batch && other.context == timing.context;
            });
            if (known == m_result.steps.end())
                m_result.steps.push_back(timing);
            else
                known->seconds = std::min(known->seconds, timing.seconds);
        }
    }

    void prefills()
    {
        struct Size {
            std::int64_t batch, prompt;
        };
        // 8 x 512 has as many rows as one sequence of 4,096: the difference is attention's.
        const std::vector<Size> sizes{{1, 16}, {1, 64}, {1, 256}, {1, 1024}, {8, 512}, {1, 4096}, {16, 512}};
        double lastSeconds = 0;
        std::int64_t lastRows = 1;
        Decoder &decoder = *m_context.decoder;
        for (const Size &size : sizes) {
            const std::int64_t rows = size.batch * size.prompt;
            if (lastSeconds * static_cast<double>(rows) / static_cast<double>(lastRows) > kPrefillSeconds ||
                !fits(size.batch, size.prompt, rows))
                continue;
            tell(fmt::format("prefill of {} x {} tokens", size.batch, size.prompt));
            decoder.allocateCache(size.batch, size.prompt);
            const std::vector<std::int64_t> prompt(static_cast<std::size_t>(size.prompt), 1);
            std::vector<double> seconds;
            double spent = 0;
            for (int i = 0; i < kMostSteps && (i < 3 || spent < kStepSeconds); ++i) {
                decoder.rewind(0);
                const double one = timed([&] { decoder.prefill(prompt, Decoder::PrefillMode::EverySequence); });
                spent += one;
                if (i > 0 || one > kStepSeconds)
                    seconds.push_back(one);
                if (one > kStepSeconds && i > 0)
                    break;
            }
            lastSeconds = median(seconds);
            lastRows = rows;
            m_result.prefills.push_back({static_cast<double>(size.batch), static_cast<double>(size.prompt), lastSeconds});
        }
    }

    RunContext &m_context;
    const RunPlan &m_plan;
    ShapeTimings m_result;
    bool m_hostWarm = false;
};

} // namespace

std::vector<std::int64_t> timedContexts(std::int64_t longest)
{
    constexpr std::int64_t least = 8, low = 200;
    std::vector<std::int64_t> contexts{least};
    if (longest > low / 2)
        contexts.push_back(low);
    if (const std::int64_t high = longest * 7 / 10; high > 2 * low)
        contexts.push_back(high);
    return contexts;
}

ShapeTimings timeShape(RunContext &context)
{
    try {
        if (!context.decoder)
            context.decoder = context.createDecoder(
                context.plan.model, context.plan.dtype, context.plan.device, context.plan.mode, context.plan.seed,
                [&](double fraction) { context.progress(fmt::format("Calibration: weights, {:.0f} %", fraction * 100), 0.85); },
                context.stop);
        return Timing(context).run();
    } catch (...) {
        const Fault fault = currentFault();
        if (!fault.outOfMemory)
            throw;
        if (context.decoder)
            context.decoder->releaseCache();
        context.device.releaseCached();
        return {context.plan.model.shape.id, context.plan.dtype, context.plan.mode, {}, {}};
    }
}

} // namespace ridgepoint
