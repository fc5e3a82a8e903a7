// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/torch/experiments.h"

#include "core/analytic/forecast.h"
#include "core/base/format.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <condition_variable>
#include <deque>
#include <exception>
#include <limits>
#include <mutex>
#include <optional>
#include <thread>

namespace ridgepoint {

namespace {

bool usable(const Ceilings &ceilings)
{
    return ceilings.bandwidth > 0 && ceilings.flops > 0;
}

/// Ceilings measured before the run; nothing where the read bandwidth was not measured.
std::optional<Ceilings> measuredOf(const RunPlan &plan)
{
    if (!plan.measured || !plan.measured->readBandwidth)
        return std::nullopt;
    HardwareProfile hardware;
    hardware.memoryBandwidth = plan.nominal.bandwidth;
    if (plan.nominal.flops > 0)
        hardware.peakFlops[plan.dtype] = plan.nominal.flops;
    hardware.memoryBytes = plan.nominal.memory;
    const Ceilings ceilings = measuredCeilings(hardware, *plan.measured, plan.dtype, plan.model.shape.layers,
                                               isReplayed(plan.mode));
    return usable(ceilings) ? std::optional<Ceilings>(ceilings) : std::nullopt;
}

/// Seconds that a step is expected to take, only to weigh parts of a run against one another.
double expectedSeconds(const PointForecast &forecast)
{
    if (forecast.predicted)
        return forecast.predicted->stepSeconds;
    if (forecast.floorMeasured)
        return forecast.floorMeasured->stepSeconds;
    return forecast.floorNominal.stepSeconds > 0 ? forecast.floorNominal.stepSeconds : 1e-3;
}

double expectedPrefillSeconds(const RunPlan &plan, std::int64_t batch, std::int64_t prompt)
{
    const std::optional<Ceilings> measured = measuredOf(plan);
    const Ceilings ceilings = measured ? *measured : plan.nominal;
    if (!usable(ceilings))
        return 1e-3 * static_cast<double>(prompt);
    const Workload workload = makeWorkload(plan.model.shape, plan.dtype, Accounting::Exact);
    return predictPrefill(workload, ceilings, static_cast<double>(batch), static_cast<double>(prompt)).floorSeconds;
}

/// How much of a run is done and how long the rest will take: the expected seconds of every part, scaled by how the parts
/// done so far compare with what was expected of them.
class WorkClock {
public:
    explicit WorkClock(double expectedTotal) : m_total(expectedTotal) {}

    void start() { m_start = Clock::now(); }
    void done(double expected) { m_done += expected; }
    void dropped(double expected) { m_total -= expected; }
    double fraction() const { return m_total > 0 ? std::clamp(m_done / m_total, 0.0, 1.0) : 1.0; }
    double secondsLeft() const
    {
        if (!(m_done > 0) || !m_start)
            return kMissing;
        return secondsBetween(*m_start, Clock::now()) / m_done * std::max(0.0, m_total - m_done);
    }
    double doneSoFar() const { return m_done; }
    void setDone(double expected) { m_done = expected; }

private:
    double m_total;
    double m_done = 0;
    std::optional<Clock::time_point> m_start;
};

/// Runs `work`, which need not wait for the device, between wall clock and device timer.
template <typename Work>
StepSample timed(DeviceProbe &device, Work &&work)
{
    StepSample sample;
    const Clock::time_point from = Clock::now();
    device.startTimer();
    work();
    sample.deviceSeconds = device.stopTimer();
    sample.wallSeconds = secondsBetween(from, Clock::now());
    return sample;
}

std::unique_ptr<Telemetry> startTelemetry(const RunContext &context)
{
    return context.plan.telemetry ? context.device.startTelemetry() : nullptr;
}

/// Steps of the back-to-back figure.
constexpr std::int64_t kBackToBackSteps = 64;

/// What a run may use, and how to call it in a sentence.
struct MemoryLimit {
    double bytes = std::numeric_limits<double>::infinity();
    std::string name;
};

/// `heldBytes`: what the run holds already and the arithmetic counts again.
MemoryLimit memoryLimit(const RunPlan &plan, const DeviceProbe &device, double heldBytes)
{
    MemoryLimit limit;
    if (const double free = device.freeBytes(); !std::isnan(free))
        limit = {free + heldBytes, fmt::format("what {} has free", plan.device)};
    if (plan.memoryLimitBytes > 0 && plan.memoryLimitBytes < limit.bytes)
        limit = {plan.memoryLimitBytes, "the memory limit of the run"};
    return limit;
}

/// Why a point cannot fit; nothing when it does.
std::optional<std::string> whyItDoesNotFit(const RunContext &context, const Decoder *decoder, std::int64_t batch,
                                           std::int64_t tokens, std::int64_t prefillRows)
{
    return whyItDoesNotFit(context.plan, context.device, decoder ? decoder->weightBytes() : kMissing, batch, tokens,
                           prefillRows);
}

std::unique_ptr<Decoder> buildDecoder(RunContext &context, const std::string &experiment)
{
    if (context.decoder)
        return std::move(context.decoder);
    const RunPlan &plan = context.plan;
    const std::string what = plan.model.folder.empty() ? "random weights" : "weights of " + plan.model.folder.string();
    const auto tell = [&](double fraction) {
        context.progress(fmt::format("{}: {}, {:.0f} %", experiment, what, std::clamp(fraction, 0.0, 1.0) * 100), 0);
    };
    tell(0);
    std::unique_ptr<Decoder> decoder =
        context.createDecoder(plan.model, plan.dtype, plan.device, plan.mode, plan.seed, tell, context.stop);
    context.checkStop();
    return decoder;
}

/// Own text, so that a sweep over a real checkpoint reads words and not noise.
constexpr const char *kDefaultText =
    "A computer that writes text does it one word after another. For each new word it reads every number that it has "
    "learned, and then it reads its notes about all the words that came before. The numbers stay the same, however many "
    "people ask at once; the notes grow with every word and with every reader. That is why a machine can serve a few "
    "readers almost as fast as one, and why it slows down once their notes weigh more than what it has learned. ";

// ---- sweep -----------------------------------------------------------------------------------------------------

class Sweep {
public:
    explicit Sweep(RunContext &context) : m_context(context), m_plan(context.plan), m_clock(0)
    {
        if (!m_plan.model.folder.empty())
            m_tokenizer = Tokenizer::open(m_plan.model.folder);
        // Every forecast is fixed here, before the first point is timed.
        double total = 0;
        for (const std::int64_t prompt : m_plan.prompts) {
            for (const std::int64_t batch : m_plan.batches) {
                Part part;
                part.point.runId = m_plan.runId;
                part.point.index = static_cast<int>(m_parts.size());
                part.point.batch = batch;
                part.point.prompt = prompt;
                part.point.mode = m_plan.mode;
                part.point.context = static_cast<double>(prompt) + m_plan.warmup + m_plan.steps / 2.0;
                part.point.forecast = forecastStep(m_plan, batch, part.point.context);
                part.stepSeconds = expectedSeconds(part.point.forecast);
                part.prefillSeconds = expectedPrefillSeconds(m_plan, 1, prompt);
                part.totalSeconds = part.prefillSeconds + part.stepSeconds * (m_plan.warmup + m_plan.steps);
                total += part.totalSeconds;
                m_parts.push_back(std::move(part));
            }
        }
        m_clock = WorkClock(total);
    }

    void run()
    {
        m_telemetry = startTelemetry(m_context);
        m_decoder = std::move(m_context.decoder);
        if (m_decoder)
            m_clock.start();
        for (Part &part : m_parts) {
            m_context.checkStop();
            runPoint(part);
            if (!m_context.device.usable())
                throw DeviceLost(fmt::format("The device {} no longer works after batch {}, prompt {}: {} Start the program "
                                        "again; the finished points are kept.",
                                        m_plan.device, part.point.batch, part.point.prompt, part.point.reason));
        }
        m_context.progress("Sweep: done", 1, 0, true);
    }

private:
    struct Part {
        SweepPoint point;
        double stepSeconds = 0; // expected
        double prefillSeconds = 0;
        double totalSeconds = 0;
    };

    /// Where the back-to-back steps begin: they lie around the middle of the timed ones, so that both have one context.
    std::int64_t backToBackFrom(const SweepPoint &point) const
    {
        return std::max(point.prompt, point.prompt + m_plan.warmup + m_plan.steps / 2 - kBackToBackSteps / 2);
    }
    /// How many of them: fewer where a checkpoint's positions end, none where the device is never waited for.
    std::int64_t backToBackSteps(const SweepPoint &point) const
    {
        if (!m_context.device.asynchronous())
            return 0;
        const std::int64_t limit = m_plan.model.folder.empty() ? 0 : m_plan.model.shape.maxPositions;
        const std::int64_t room = limit > 0 ? limit - backToBackFrom(point) : kBackToBackSteps;
        return std::clamp<std::int64_t>(room, 0, kBackToBackSteps);
    }
    std::int64_t cacheTokens(const SweepPoint &point) const
    {
        return std::max(point.prompt + m_plan.warmup + m_plan.steps, backToBackFrom(point) + backToBackSteps(point));
    }

    void runPoint(Part &part)
    {
        SweepPoint &point = part.point;
        m_context.send(
            PointStarted{m_plan.runId, point.index, point.batch, point.prompt, point.context, point.forecast});
        const double before = m_clock.doneSoFar();
        if (const auto reason =
                whyItDoesNotFit(m_context, m_decoder.get(), point.batch, cacheTokens(point), point.prompt)) {
            point.status = PointStatus::Skipped;
            point.reason = *reason;
        } else if (makeDecoder(point)) {
            timePoint(part);
        }
        if (point.status == PointStatus::Ok) {
            m_clock.setDone(before + part.totalSeconds);
        } else {
            m_clock.setDone(before);
            m_clock.dropped(part.totalSeconds);
        }
        m_context.send(PointFinished{m_plan.runId, point});
        point.steps.clear(); // the event has them
    }

    /// False when the weights do not fit: the point is then a row, like every later one.
    bool makeDecoder(SweepPoint &point)
    {
        if (m_decoder)
            return true;
        if (m_noWeights.empty()) {
            try {
                m_decoder = buildDecoder(m_context, "Sweep");
                m_clock.start();
                return true;
            } catch (...) {
                const Fault fault = currentFault();
                if (!fault.outOfMemory)
                    throw;
                m_noWeights = fault.sentence;
            }
            m_context.device.releaseCached();
        }
        point.status = PointStatus::OutOfMemory;
        point.reason = m_noWeights;
        return false;
    }

    void timePoint(Part &part)
    {
        SweepPoint &point = part.point;
        m_context.device.resetPeak();
        try {
            timeSteps(part);
            summariseSteps(point);
        } catch (...) {
            const Fault fault = currentFault();
            if (fault.kind == ErrorKind::Cancelled) {
                m_decoder->releaseCache();
                throw;
            }
            point.status = fault.outOfMemory ? PointStatus::OutOfMemory : PointStatus::Failed;
            point.reason = fault.sentence;
        }
        point.peakBytes = m_context.device.peakBytes();
        if (m_context.device.usable()) {
            m_decoder->releaseCache();
            m_context.device.releaseCached();
        }
    }

    void timeSteps(Part &part)
    {
        SweepPoint &point = part.point;
        const std::vector<std::int64_t> prompt =
            promptTokens(m_plan.model.shape, m_tokenizer.get(), m_plan.promptText, point.prompt);
        tell(point, fmt::format("prompt of {} tokens", point.prompt));
        m_decoder->allocateCache(point.batch, cacheTokens(point));
        point.kvBytes = m_decoder->kvBytes();
        m_context.checkStop();
        point.prefillSeconds = timed(m_context.device, [&] {
                                   m_decoder->prefill(prompt, Decoder::PrefillMode::OnceCopied);
                               }).wallSeconds;
        m_clock.done(part.prefillSeconds);
        for (int step = 0; step < m_plan.warmup; ++step) {
            m_context.checkStop();
            m_decoder->step();
            m_clock.done(part.stepSeconds);
            if (m_context.progressDue())
                tell(point, fmt::format("untimed step {} of {}", step + 1, m_plan.warmup));
        }
        point.steps.reserve(static_cast<std::size_t>(m_plan.steps));
        for (int step = 0; step < m_plan.steps; ++step) {
            m_context.checkStop();
            const std::int64_t cached = m_decoder->context();
            StepSample sample = timed(m_context.device, [&] { m_decoder->issueStep(); });
            addState(sample, m_telemetry.get());
            sample.step = step;
            sample.context = cached;
            point.steps.push_back(sample);
            m_clock.done(part.stepSeconds);
            // Told between two timed steps, never inside one.
            m_context.send(StepTimed{m_plan.runId, point.index, sample});
            if (m_context.progressDue())
                tell(point, fmt::format("step {} of {}", step + 1, m_plan.steps));
        }
        point.attention = m_decoder->attentionPath();
        point.graphNodes = m_decoder->graphNodes();
        point.deviceUsedBytes = m_context.device.deviceUsedBytes();
        timeBackToBack(point);
    }

    /// Steps that follow one another with nothing between them: what waiting for each step costs is the difference.
    void timeBackToBack(SweepPoint &point)
    {
        const std::int64_t steps = backToBackSteps(point);
        if (steps <= 0)
            return;
        m_decoder->rewind(backToBackFrom(point));
        m_context.device.synchronise();
        const StepSample all = timed(m_context.device, [&] {
            for (std::int64_t i = 0; i < steps; ++i)
                m_decoder->issueStep();
        });
        point.backToBackSteps = static_cast<int>(steps);
        point.backToBackSeconds = all.seconds() / static_cast<double>(steps);
    }

    void tell(const SweepPoint &point, const std::string &where)
    {
        m_context.progress(fmt::format("Sweep: batch {} of {}, prompt {}, {}", point.batch,
                                       *std::max_element(m_plan.batches.begin(), m_plan.batches.end()), point.prompt,
                                       where),
                           m_clock.fraction(), m_clock.secondsLeft());
    }

    RunContext &m_context;
    const RunPlan &m_plan;
    WorkClock m_clock;
    std::vector<Part> m_parts;
    std::unique_ptr<Tokenizer> m_tokenizer;
    std::unique_ptr<Decoder> m_decoder;
    std::unique_ptr<Telemetry> m_telemetry;
    std::string m_noWeights; ///< why the weights could not be held; empty: they could, or it was not tried
};

// ---- TTFT and TPOT ---------------------------------------------------------------------------------------------

/// The reader at the other end of a stream: a thread of its own that turns ids into text and notes when each arrived.
class TokenReader {
public:
    explicit TokenReader(const Tokenizer *tokenizer) : m_thread([this, tokenizer](std::stop_token stop) {
        read(tokenizer, stop);
    })
    {
    }

    void push(std::int64_t token)
    {
        {
            const std::lock_guard lock(m_mutex);
            m_waiting.push_back(token);
        }
        m_arrived.notify_one();
    }

    /// Ends the stream and gives the time stamp of each token.
    std::vector<Clock::time_point> finish()
    {
        {
            const std::lock_guard lock(m_mutex);
            m_closed = true;
        }
        m_arrived.notify_one();
        m_thread.join();
        if (m_fault)
            std::rethrow_exception(m_fault);
        return std::move(m_stamps);
    }

private:
    void read(const Tokenizer *tokenizer, std::stop_token stop)
    {
        try {
            std::optional<StreamDecoder> decoder;
            if (tokenizer)
                decoder.emplace(*tokenizer);
            std::string text;
            for (;;) {
                std::int64_t token = 0;
                {
                    std::unique_lock lock(m_mutex);
                    m_arrived.wait(lock, stop, [this] { return m_closed || !m_waiting.empty(); });
                    if (m_waiting.empty())
                        return;
                    token = m_waiting.front();
                    m_waiting.pop_front();
                }
                if (decoder)
                    text += decoder->push(token);
                m_stamps.push_back(Clock::now());
            }
        } catch (...) {
            m_fault = std::current_exception();
        }
    }

    std::mutex m_mutex;
    std::condition_variable_any m_arrived;
    std::deque<std::int64_t> m_waiting;
    bool m_closed = false;
    std::vector<Clock::time_point> m_stamps;
    std::exception_ptr m_fault;
    std::jthread m_thread; // last: it uses the members above
};

class Ttft {
public:
    explicit Ttft(RunContext &context) : m_context(context), m_plan(context.plan), m_clock(0)
    {
        if (!m_plan.model.folder.empty())
            m_tokenizer = Tokenizer::open(m_plan.model.folder);
        m_prompt = promptTokens(m_plan.model.shape, m_tokenizer.get(), m_plan.promptText,
                                m_plan.promptText.empty() ? m_plan.prompts.front() : 0);
        m_result.runId = m_plan.runId;
        m_result.batch = m_plan.batches.front();
        m_result.prompt = static_cast<std::int64_t>(m_prompt.size());
        m_result.newTokens = m_plan.newTokens;
        m_result.promptText = promptAsText();
        checkPositions();
        fixForecast();
    }

    void run()
    {
        const std::int64_t tokens = m_result.prompt + m_result.newTokens;
        // Every sequence is computed here, not one and copies of it.
        if (const auto reason =
                whyItDoesNotFit(m_context, m_context.decoder.get(), m_result.batch, tokens, m_result.batch * m_result.prompt))
            throw Error(ErrorKind::Failure, fmt::format("The run does not fit: {} Choose a smaller batch, prompt or "
                                                        "model, or raise the limit.",
                                                        *reason));
        m_decoder = buildDecoder(m_context, "TTFT");
        m_telemetry = startTelemetry(m_context);
        m_context.device.resetPeak();
        m_decoder->allocateCache(m_result.batch, tokens);
        m_clock.start();
        for (const TtftMethod method : m_plan.methods)
            m_result.methods.push_back(runMethod(method));
        m_result.peakBytes = m_context.device.peakBytes();
        m_decoder->releaseCache();
        m_context.progress("TTFT: done", 1, 0, true);
        m_context.send(TtftFinished{m_plan.runId, m_result});
    }

private:
    /// Untimed generations before each method: three, fewer where the plan says so, but one at least, which gives the text.
    int warmups() const { return std::clamp(m_plan.warmup, 1, 3); }

    std::string promptAsText() const
    {
        if (!m_plan.promptText.empty() || !m_tokenizer)
            return m_plan.promptText;
        StreamDecoder decoder(*m_tokenizer);
        std::string text;
        for (const std::int64_t token : m_prompt)
            text += decoder.push(token);
        return text + decoder.flush();
    }

    void checkPositions() const
    {
        // A prompt given as text has a length only now.
        const std::int64_t limit = m_plan.model.shape.maxPositions;
        if (m_plan.model.folder.empty() || limit <= 0 || m_result.prompt + m_result.newTokens <= limit)
            return;
        throw Error(ErrorKind::Usage,
                    fmt::format("The prompt text has {} tokens; with {} new ones that is more than the {} positions of {}. "
                                "Shorten the text, or generate fewer tokens.",
                                m_result.prompt, m_result.newTokens, limit, m_plan.model.shape.id));
    }

    void fixForecast()
    {
        const double middle = static_cast<double>(m_result.prompt) + static_cast<double>(m_result.newTokens) / 2;
        m_result.forecast = forecastStep(m_plan, m_result.batch, middle);
        if (usable(m_plan.nominal)) {
            Ceilings nominal = m_plan.nominal;
            nominal.overhead = 0;
            m_result.prefillFloor =
                predictPrefill(makeWorkload(m_plan.model.shape, m_plan.dtype, Accounting::Exact), nominal,
                               static_cast<double>(m_result.batch), static_cast<double>(m_result.prompt));
        }
        if (m_plan.measured && hasTimings(*m_plan.measured, m_plan.model.shape.id, m_plan.dtype, m_plan.mode))
            m_result.ttftForecastSeconds =
                forecastPrefillSeconds(*m_plan.measured->timings, static_cast<double>(m_result.batch),
                                       static_cast<double>(m_result.prompt))
                    .value_or(kMissing);
        m_stepSeconds = expectedSeconds(m_result.forecast);
        m_prefillSeconds = expectedPrefillSeconds(m_plan, m_result.batch, m_result.prompt);
        const double generation = m_prefillSeconds + m_stepSeconds * static_cast<double>(m_result.newTokens - 1);
        double total = 0;
        for (const TtftMethod method : m_plan.methods) {
            total += generation * (warmups() + m_plan.repeats);
            if (method == TtftMethod::Subtraction)
                total += m_prefillSeconds * m_plan.repeats;
        }
        m_clock = WorkClock(total);
    }

    void begin()
    {
        m_context.checkStop();
        m_decoder->rewind(0);
    }
    void prefill() { m_decoder->prefill(m_prompt, Decoder::PrefillMode::EverySequence); }

    /// One generation that is not timed; the first of the run gives the text and the ids.
    void warmUp(const std::string &where)
    {
        const bool first = m_result.tokens.empty();
        std::optional<StreamDecoder> decoder;
        if (first && m_tokenizer)
            decoder.emplace(*m_tokenizer);
        const auto arrived = [&] {
            if (!first)
                return;
            m_result.tokens.push_back(m_decoder->lastTokens().front());
            if (!decoder)
                return;
            say(decoder->push(m_result.tokens.back()));
        };
        begin();
        prefill();
        m_clock.done(m_prefillSeconds);
        arrived();
        for (std::int64_t token = 1; token < m_result.newTokens; ++token) {
            m_context.checkStop();
            m_decoder->step();
            m_clock.done(m_stepSeconds);
            arrived();
            tell(where);
        }
        if (decoder)
            say(decoder->flush());
    }

    void say(const std::string &text)
    {
        if (text.empty())
            return;
        m_result.text += text;
        m_context.send(TextArrived{m_plan.runId, text});
    }

    void tell(const std::string &where)
    {
        if (m_context.progressDue())
            m_context.progress("TTFT: " + where, m_clock.fraction(), m_clock.secondsLeft());
    }

    TtftMethodResult runMethod(TtftMethod method)
    {
        m_current = TtftMethodResult{};
        m_current.method = method;
        m_repeatSteps.clear();
        const int number = static_cast<int>(method);
        for (int i = 0; i < warmups(); ++i)
            warmUp(fmt::format("method {}, untimed generation {} of {}", number, i + 1, warmups()));
        for (int repeat = 0; repeat < m_plan.repeats; ++repeat) {
            m_where = fmt::format("method {}, generation {} of {}", number, repeat + 1, m_plan.repeats);
            tell(m_where);
            switch (method) {
            case TtftMethod::Subtraction:
                subtract();
                break;
            case TtftMethod::Stream:
                stream();
                break;
            case TtftMethod::Loop:
                loop();
                break;
            }
            ++m_timedRepeats;
        }
        m_current.ttftSeconds = median(m_current.ttftSamples);
        m_current.tpotSeconds = median(m_current.tpotSamples);
        if (!m_repeatSteps.empty())
            keepMedianRepeat();
        return m_current;
    }

    /// Method 1: two generations timed as wholes, no look inside.
    void subtract()
    {
        begin();
        Clock::time_point from = Clock::now();
        prefill();
        const double one = secondsBetween(from, Clock::now());
        m_clock.done(m_prefillSeconds);

        begin();
        from = Clock::now();
        prefill();
        for (std::int64_t token = 1; token < m_result.newTokens; ++token) {
            m_context.checkStop();
            m_decoder->step();
        }
        const double whole = secondsBetween(from, Clock::now());
        m_clock.done(m_prefillSeconds + m_stepSeconds * static_cast<double>(m_result.newTokens - 1));
        m_current.ttftSamples.push_back(one);
        m_current.tpotSamples.push_back(tpotBySubtraction(whole, one, static_cast<double>(m_result.newTokens)));
    }

    /// Method 2: what a reader on another thread sees.
    void stream()
    {
        begin();
        TokenReader reader(m_tokenizer.get());
        const Clock::time_point from = Clock::now();
        prefill();
        reader.push(m_decoder->lastTokens().front());
        for (std::int64_t token = 1; token < m_result.newTokens; ++token) {
            m_context.checkStop();
            m_decoder->step();
            reader.push(m_decoder->lastTokens().front());
        }
        const std::vector<Clock::time_point> stamps = reader.finish();
        m_clock.done(m_prefillSeconds + m_stepSeconds * static_cast<double>(m_result.newTokens - 1));

        m_current.ttftSamples.push_back(secondsBetween(from, stamps.front()));
        std::vector<StepSample> steps;
        for (std::size_t i = 1; i < stamps.size(); ++i) {
            StepSample sample;
            sample.step = static_cast<std::int64_t>(i) - 1;
            sample.context = m_result.prompt + sample.step;
            sample.wallSeconds = secondsBetween(stamps[i - 1], stamps[i]);
            steps.push_back(sample);
        }
        addRepeat(std::move(steps));
    }

    /// Method 3: every step by itself, by device timer and by wall clock.
    void loop()
    {
        begin();
        m_current.ttftSamples.push_back(timed(m_context.device, [&] { prefill(); }).wallSeconds);
        m_clock.done(m_prefillSeconds);
        std::vector<StepSample> steps;
        steps.reserve(static_cast<std::size_t>(m_result.newTokens));
        for (std::int64_t token = 1; token < m_result.newTokens; ++token) {
            m_context.checkStop();
            const std::int64_t cached = m_decoder->context();
            StepSample sample = timed(m_context.device, [&] { m_decoder->issueStep(); });
            addState(sample, m_telemetry.get());
            sample.step = token - 1;
            sample.context = cached;
            steps.push_back(sample);
            m_clock.done(m_stepSeconds);
            m_context.send(StepTimed{m_plan.runId, m_timedRepeats, sample});
            tell(m_where);
        }
        addRepeat(std::move(steps));
    }

    void addRepeat(std::vector<StepSample> steps)
    {
        std::vector<double> seconds;
        for (const StepSample &sample : steps)
            seconds.push_back(sample.seconds());
        m_current.tpotSamples.push_back(median(seconds));
        m_repeatSteps.push_back(std::move(steps));
    }

    /// Minimum and maximum over all steps; of the steps themselves only the repeat nearest the median is kept.
    void keepMedianRepeat()
    {
        std::size_t nearest = 0;
        double low = std::numeric_limits<double>::infinity(), high = 0;
        for (std::size_t i = 0; i < m_repeatSteps.size(); ++i) {
            if (std::abs(m_current.tpotSamples[i] - m_current.tpotSeconds) <
                std::abs(m_current.tpotSamples[nearest] - m_current.tpotSeconds))
                nearest = i;
            for (const StepSample &sample : m_repeatSteps[i]) {
                low = std::min(low, sample.seconds());
                high = std::max(high, sample.seconds());
            }
        }
        if (low <= high) {
            m_current.tpotMinSeconds = low;
            m_current.tpotMaxSeconds = high;
        }
        m_current.steps = std::move(m_repeatSteps[nearest]);
    }

    RunContext &m_context;
    const RunPlan &m_plan;
    WorkClock m_clock;
    std::unique_ptr<Tokenizer> m_tokenizer;
    std::vector<std::int64_t> m_prompt;
    std::unique_ptr<Decoder> m_decoder;
    std::unique_ptr<Telemetry> m_telemetry;
    TtftResult m_result;
    TtftMethodResult m_current;
    std::vector<std::vector<StepSample>> m_repeatSteps;
    int m_timedRepeats = 0;
    std::string m_where;      ///< for progress
    double m_stepSeconds = 0; ///< expected
    double m_prefillSeconds = 0;
};

} // namespace

void addState(StepSample &sample, const Telemetry *telemetry)
{
    if (!telemetry)
        return;
    const DeviceState state = telemetry->latest();
    sample.smClockHz = state.smClockHz;
    sample.memoryClockHz = state.memoryClockHz;
    sample.temperatureC = state.temperatureC;
    sample.powerWatts = state.powerWatts;
    sample.throttle = state.throttle;
}

double usableBytes(const RunPlan &plan, const DeviceProbe &device, double heldBytes)
{
    const double bytes = memoryLimit(plan, device, heldBytes).bytes;
    return std::isfinite(bytes) ? bytes : kMissing;
}

std::optional<std::string> whyItDoesNotFit(const RunPlan &plan, const DeviceProbe &device, double heldBytes,
                                           std::int64_t batch, std::int64_t tokens, std::int64_t prefillRows)
{
    if (plan.tryBeyondCapacity)
        return std::nullopt;
    const MemoryNeed need = memoryNeed(plan.model.shape, plan.dtype, batch, tokens, prefillRows, heldBytes,
                                       device.workspace(plan.mode));
    const MemoryLimit limit = memoryLimit(plan, device, std::isnan(heldBytes) ? 0 : heldBytes);
    if (need.total() <= limit.bytes)
        return std::nullopt;
    return memorySentence(need, limit.bytes, limit.name);
}

PointForecast forecastStep(const RunPlan &plan, std::int64_t batch, double context)
{
    const Workload workload = makeWorkload(plan.model.shape, plan.dtype, Accounting::Exact);
    const double sequences = static_cast<double>(batch);
    PointForecast forecast;
    if (usable(plan.nominal)) {
        Ceilings nominal = plan.nominal;
        nominal.overhead = 0;
        forecast.floorNominal = predictStep(workload, nominal, sequences, context);
    }
    if (const std::optional<Ceilings> measured = measuredOf(plan)) {
        Ceilings floor = *measured;
        floor.overhead = 0;
        forecast.floorMeasured = predictStep(workload, floor, sequences, context);
        if (plan.measured->stepOverheadFor(plan.model.shape.layers, isReplayed(plan.mode)))
            forecast.predicted = predictStep(workload, *measured, sequences, context);
        if (hasTimings(*plan.measured, plan.model.shape.id, plan.dtype, plan.mode)) {
            if (const auto timed = forecastStep(*plan.measured->timings, workload, *measured, sequences, context))
                forecast.predicted = timed;
        }
    }
    return forecast;
}

std::vector<std::int64_t> promptTokens(const ModelShape &shape, const Tokenizer *tokenizer, const std::string &text,
                                       std::int64_t length)
{
    std::vector<std::int64_t> result;
    if (!tokenizer) {
        if (!text.empty())
            throw Error(ErrorKind::Usage,
                        fmt::format("The prompt text cannot be turned into tokens: {} comes without a tokenizer. Name a "
                                    "folder with tokenizer.json or tokenizer.model, or leave the text out.",
                                    shape.id.empty() ? "this model" : shape.id));
        const auto special = [&shape](std::int64_t id) {
            return id == shape.bosToken || std::find(shape.eosTokens.begin(), shape.eosTokens.end(), id) !=
                                               shape.eosTokens.end();
        };
        // By custom the first ids mark unknown, begin and end.
        const std::int64_t first = shape.vocab > 16 ? 3 : 0;
        const std::uint64_t span = static_cast<std::uint64_t>(shape.vocab - first);
        if (shape.bosToken >= 0 && shape.bosToken < shape.vocab && length > 0)
            result.push_back(shape.bosToken);
        std::uint64_t state = 1;
        while (static_cast<std::int64_t>(result.size()) < length) {
            state = state * 6364136223846793005ULL + 1442695040888963407ULL; // Knuth's MMIX generator
            std::int64_t id = first + static_cast<std::int64_t>((state >> 33) % span);
            for (std::uint64_t tries = 0; special(id) && tries < span; ++tries)
                id = id + 1 < shape.vocab ? id + 1 : first;
            result.push_back(id);
        }
        return result;
    }

    const std::vector<std::int64_t> body = tokenizer->encode(text.empty() ? std::string(kDefaultText) : text);
    if (body.empty())
        throw Error(ErrorKind::Usage, "The prompt text gives no token: write at least one word.");
    // The mark of the beginning stands once, however often the text is repeated.
    result = tokenizer->promptPrefix();
    const std::size_t wanted = length > 0 ? static_cast<std::size_t>(length) : result.size() + body.size();
    result.reserve(std::max(wanted, result.size()));
    for (std::size_t i = 0; result.size() < wanted; ++i)
        result.push_back(body[i % body.size()]);
    result.resize(wanted);
    for (const std::int64_t id : result)
        if (id < 0 || id >= shape.vocab)
            throw Error(ErrorKind::Failure,
                        fmt::format("The tokenizer gave token {}, but the vocabulary of {} has {} entries: the tokenizer "
                                    "belongs to another model. Put the files of one model into the folder.",
                                    id, shape.id, shape.vocab));
    return result;
}

void runSweep(RunContext &context)
{
    Sweep(context).run();
}

void runTtft(RunContext &context)
{
    Ttft(context).run();
}

} // namespace ridgepoint
