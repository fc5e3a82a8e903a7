// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/torch/anatomy_experiment.h"

#include "core/torch/experiments.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace ridgepoint {

namespace {

/// Steps before those that count in a pass: the first ones of a tracer set things up.
constexpr int kPassWarmup = 3;
/// Traced steps, of which the one with the median length is kept.
constexpr int kTracedSteps = 5;
/// Steps whose parts are timed.
constexpr int kPartSteps = 20;
/// Positions of the cache beyond the context: a step appends one.
constexpr std::int64_t kRoom = 16;

double lengthOf(const std::vector<TracedKernel> &kernels)
{
    double end = 0;
    for (const TracedKernel &kernel : kernels)
        end = std::max(end, kernel.startSeconds + kernel.seconds);
    return end;
}

class AnatomyRun {
public:
    explicit AnatomyRun(RunContext &context)
        : m_context(context), m_plan(context.plan), m_tokens(m_plan.prompts.front()), m_batch(m_plan.batches.front())
    {
        m_result.runId = m_plan.runId;
        m_result.mode = m_plan.mode;
        m_result.batch = static_cast<double>(m_batch);
        m_result.context = static_cast<double>(m_tokens);
    }

    void run()
    {
        prepare();
        timeUntraced();
        // The parts before the tracer: once a profiler was attached to a process, its launches may stay slower.
        timeParts();
        trace();
        m_decoder.reset();
        m_context.device.releaseCached();
        m_context.progress("Anatomy: done", 1, 0, true);
        m_context.send(AnatomyFinished{m_plan.runId, m_result});
    }

private:
    void tell(const std::string &what, double fraction)
    {
        m_context.progress(fmt::format("Anatomy: batch {}, context {}, {}", m_batch, m_tokens, what), fraction);
    }

    void prepare()
    {
        std::unique_ptr<Tokenizer> tokenizer;
        if (!m_plan.model.folder.empty())
            tokenizer = Tokenizer::open(m_plan.model.folder);
        m_prompt = promptTokens(m_plan.model.shape, tokenizer.get(), m_plan.promptText, m_tokens);
        if (const auto reason =
                whyItDoesNotFit(m_plan, m_context.device, kMissing, m_batch, m_tokens + kRoom, m_tokens))
            throw Error(ErrorKind::Failure, *reason);
        const auto told = [&](double fraction) {
            tell(fmt::format("weights, {:.0f} %", std::clamp(fraction, 0.0, 1.0) * 100), 0.4 * fraction);
        };
        told(0);
        m_decoder = m_context.createDecoder(m_plan.model, m_plan.dtype, m_plan.device, m_plan.mode, m_plan.seed, told,
                                            m_context.stop);
        m_context.checkStop();
        tell("prompt", 0.4);
        m_decoder->allocateCache(m_batch, m_tokens + kRoom);
        m_decoder->prefill(m_prompt, Decoder::PrefillMode::OnceCopied);
        for (int i = 0; i < std::max(m_plan.warmup, 2); ++i) { // the first of a graph captures it
            step([&] { m_decoder->step(); });
            if (m_context.progressDue())
                tell(fmt::format("untimed step {} of {}", i + 1, m_plan.warmup), 0.45);
        }
    }

    /// Brings the cache back to the context, waits, and lets `work` take a step.
    template <typename Work>
    void step(Work &&work)
    {
        m_context.checkStop();
        m_decoder->rewind(m_tokens);
        m_decoder->wait();
        work();
    }

    void timeUntraced()
    {
        std::vector<double> seconds;
        for (int i = 0; i < m_plan.steps; ++i) {
            step([&] {
                const Clock::time_point from = Clock::now();
                m_context.device.startTimer();
                m_decoder->issueStep();
                const double device = m_context.device.stopTimer();
                const double wall = secondsBetween(from, Clock::now());
                seconds.push_back(std::isnan(device) ? wall : device);
            });
            if (m_context.progressDue())
                tell(fmt::format("step {} of {}", i + 1, m_plan.steps), 0.5 + 0.15 * i / m_plan.steps);
        }
        m_result.untracedSeconds = median(seconds);
    }

    void timeParts()
    {
        const std::unique_ptr<PartTimer> timer = m_context.device.makePartTimer();
        std::map<StepPart, std::vector<double>> samples;
        const MarkedSteps marked(*m_decoder, timer.get());
        for (int i = 0; i < kPassWarmup + kPartSteps; ++i) {
            std::map<StepPart, double> seconds;
            step([&] {
                timer->startStep();
                m_decoder->issueStep();
                seconds = timer->finishStep();
            });
            if (i >= kPassWarmup)
                for (const auto &[part, value] : seconds)
                    samples[part].push_back(value);
            if (m_context.progressDue())
                tell(fmt::format("parts, step {} of {}", i + 1, kPassWarmup + kPartSteps), 0.65 + 0.2 * i / kPartSteps);
        }
        std::map<StepPart, PartWork> work;
        for (const PartWork &w : partWork(m_plan.model.shape, m_plan.dtype, m_result.batch, m_result.context))
            work[w.part] = w;
        for (const auto &[part, values] : samples)
            m_result.parts.push_back({part, median(values), work[part].bytes, work[part].flop});
        m_result.partsBy = timer->name();
    }

    void trace()
    {
        std::string why;
        const std::unique_ptr<StepTracer> tracer = m_context.device.openTracer(why);
        if (!tracer) {
            note(why);
            return;
        }
        tell("trace", 0.9);
        try {
            traceWith(*tracer);
            m_result.tracer = tracer->name();
            note(tracer->note());
        } catch (const DeviceLost &) {
            throw;
        } catch (const Error &fault) {
            if (fault.kind() == ErrorKind::Cancelled || !m_context.device.usable())
                throw;
            m_result.kernels.clear();
            m_result.tracedSeconds = m_result.busySeconds = m_result.wallSeconds = kMissing;
            note(fmt::format("There is no trace: {}", fault.what()));
        }
        tracer->stop();
    }

    struct Traced {
        std::vector<TracedKernel> kernels;
        double wallSeconds = kMissing;
    };

    /// The step of median length out of several.
    Traced tracedStep(StepTracer &tracer)
    {
        std::vector<Traced> steps;
        for (int i = 0; i < kPassWarmup + kTracedSteps; ++i) {
            Traced traced;
            step([&] {
                tracer.take(); // what brought the cache back
                const Clock::time_point from = Clock::now();
                m_decoder->step();
                traced.wallSeconds = secondsBetween(from, Clock::now());
                traced.kernels = tracer.take();
            });
            if (i >= kPassWarmup)
                steps.push_back(std::move(traced));
        }
        std::sort(steps.begin(), steps.end(),
                  [](const Traced &a, const Traced &b) { return lengthOf(a.kernels) < lengthOf(b.kernels); });
        return std::move(steps[steps.size() / 2]);
    }

    void traceWith(StepTracer &tracer)
    {
        Traced marked;
        {
            const MarkedSteps marks(*m_decoder, tracer.marks());
            tracer.start(true);
            marked = tracedStep(tracer);
            tracer.stop();
        }
        if (marked.kernels.empty())
            throw Error(ErrorKind::Failure, fmt::format("{} recorded nothing.", tracer.name()));
        const bool told = std::any_of(marked.kernels.begin(), marked.kernels.end(),
                                      [](const TracedKernel &kernel) { return kernel.part != StepPart::Other; });
        if (!told && (marked.kernels.size() > 1 || m_result.parts.empty())) // one kernel has its parts by its own clock
            note(fmt::format("{} did not tie the kernels to the parts, so that all of them are under other.", tracer.name()));
        Traced traced = std::move(marked);
        if (!tracer.needsMarks()) {
            const std::vector<TracedKernel> known = std::move(traced.kernels);
            tracer.start(false);
            if (isReplayed(m_plan.mode)) {
                // Captured anew: a tracer may know only the nodes of graphs that were made while it was there.
                m_decoder->allocateCache(m_batch, m_tokens + kRoom);
                m_decoder->prefill(m_prompt, Decoder::PrefillMode::OnceCopied);
                step([&] { m_decoder->step(); });
            }
            traced = tracedStep(tracer);
            tracer.stop();
            if (traced.kernels.empty())
                throw Error(ErrorKind::Failure, fmt::format("{} recorded nothing.", tracer.name()));
            if (!told)
                adoptParts(traced.kernels, {});
            else if (adoptParts(traced.kernels, known))
                note("The parts of the kernels are known from a step that was issued one operation at a time and marked; the "
                     "trace holds the same kernels in the same order.");
            else
                note(fmt::format("The parts of the kernels are not known: the traced step holds {} kernels, not those {} that a "
                                 "marked step held in that order.",
                                 traced.kernels.size(), known.size()));
        }
        m_result.kernels = std::move(traced.kernels);
        m_result.wallSeconds = traced.wallSeconds;
        m_result.tracedSeconds = lengthOf(m_result.kernels);
        m_result.busySeconds = busyUnion(m_result.kernels);
    }

    void note(const std::string &sentence)
    {
        if (!sentence.empty())
            m_result.note += (m_result.note.empty() ? "" : " ") + sentence;
    }

    /// Steps of `decoder` tell `marks` their parts while this lives.
    class MarkedSteps {
    public:
        MarkedSteps(Decoder &decoder, PartMarks *marks) : m_decoder(decoder) { m_decoder.setPartMarks(marks); }
        ~MarkedSteps() { m_decoder.setPartMarks(nullptr); }
        MarkedSteps(const MarkedSteps &) = delete;
        MarkedSteps &operator=(const MarkedSteps &) = delete;

    private:
        Decoder &m_decoder;
    };

    RunContext &m_context;
    const RunPlan &m_plan;
    const std::int64_t m_tokens, m_batch;
    std::vector<std::int64_t> m_prompt;
    std::unique_ptr<Decoder> m_decoder;
    StepAnatomy m_result;
};

} // namespace

void runAnatomy(RunContext &context)
{
    AnatomyRun(context).run();
}

} // namespace ridgepoint
