// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/torch/device_faults.h"
#include "core/torch/experiments.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace ridgepoint {

namespace {

class Line {
public:
    explicit Line(RunContext &context) : m_context(context), m_plan(context.plan), m_info(context.device.info())
    {
        // Every forecast is fixed here, before the first row is timed.
        for (const ModelSource &model : m_plan.models) {
            for (const DType dtype : m_plan.dtypes) {
                Part part{planOfLineRow(m_plan, model, dtype), {}, 0};
                const Workload workload = makeWorkload(model.shape, dtype, Accounting::Exact);
                LineRow &row = part.row;
                row.runId = m_plan.runId;
                row.index = static_cast<int>(m_parts.size());
                row.model = model.shape.id;
                row.name = model.shape.name;
                row.family = familyName(model.shape.family);
                row.dtype = dtypeName(dtype);
                row.weightBytes = workload.weightBytes;
                row.residentBytes = workload.residentWeightBytes;
                row.prompt = m_plan.prompts.front();
                row.newTokens = m_plan.newTokens;
                row.mode = m_plan.mode;
                row.device = m_info.name;
                row.forecast = forecastStep(part.plan, 1, contextOf(row));
                part.work = workload.residentWeightBytes;
                m_work += part.work;
                m_parts.push_back(std::move(part));
            }
        }
    }

    void run()
    {
        m_began = Clock::now();
        m_telemetry = m_plan.telemetry ? m_context.device.startTelemetry() : nullptr;
        for (Part &part : m_parts) {
            m_context.checkStop();
            runRow(part);
            m_done += part.work;
            if (!m_context.device.usable())
                throw DeviceLost(fmt::format("The device {} no longer works after {} in {}: {} Start the program again; "
                                             "the finished rows are kept.",
                                             m_plan.device, part.row.model, part.row.dtype, part.row.reason));
        }
        m_context.progress("Line over models: done", 1, 0, true);
    }

private:
    struct Part {
        RunPlan plan; ///< of this row alone
        LineRow row;
        double work = 0; ///< what its time is taken to grow with, for the progress alone
    };

    /// Tokens in the cache in the middle of a generation.
    static double contextOf(const LineRow &row)
    {
        return static_cast<double>(row.prompt) + static_cast<double>(row.newTokens) / 2;
    }
    /// One untimed generation at least: the first of a model reads its weights from wherever they lie.
    int warmups() const { return std::clamp(m_plan.warmup, 1, 100); }

    void runRow(Part &part)
    {
        LineRow &row = part.row;
        m_context.send(PointStarted{m_plan.runId, row.index, 1, row.prompt, contextOf(row), row.forecast});
        if (const std::string reason = whyItIsNotRun(part); !reason.empty()) {
            row.status = PointStatus::Skipped;
            row.reason = reason;
        } else {
            timeRow(part);
        }
        m_context.send(LineRowFinished{m_plan.runId, row});
        row.steps.clear(); // the event has them
    }

    /// Empty: nothing stands against it.
    std::string whyItIsNotRun(const Part &part) const
    {
        try {
            checkDevice(m_info, part.plan);
        } catch (const Error &error) {
            return error.what();
        }
        const LineRow &row = part.row;
        return whyItDoesNotFit(part.plan, m_context.device, kMissing, 1, row.prompt + row.newTokens, row.prompt)
            .value_or(std::string());
    }

    void timeRow(Part &part)
    {
        LineRow &row = part.row;
        m_context.device.resetPeak();
        std::unique_ptr<Decoder> decoder; // gone before the next row's weights are made
        try {
            decoder = build(part);
            row.residentBytes = decoder->weightBytes();
            generate(part, *decoder);
            summariseSamples(row);
        } catch (...) {
            const Fault fault = currentFault();
            if (fault.kind == ErrorKind::Cancelled)
                throw;
            row.samples.clear();
            row.steps.clear();
            row.status = fault.outOfMemory ? PointStatus::OutOfMemory : PointStatus::Failed;
            row.reason = fault.sentence;
        }
        row.peakBytes = m_context.device.peakBytes();
        if (m_context.device.usable()) {
            decoder.reset();
            m_context.device.releaseCached();
        }
    }

    std::unique_ptr<Decoder> build(Part &part)
    {
        const RunPlan &plan = part.plan;
        const auto told = [&](double fraction) {
            tell(part, fmt::format("weights, {:.0f} %", std::clamp(fraction, 0.0, 1.0) * 100), 0.2 * fraction);
        };
        told(0);
        std::unique_ptr<Decoder> decoder =
            m_context.createDecoder(plan.model, plan.dtype, plan.device, plan.mode, plan.seed, told, m_context.stop);
        m_context.checkStop();
        return decoder;
    }

    void generate(Part &part, Decoder &decoder)
    {
        LineRow &row = part.row;
        std::unique_ptr<Tokenizer> tokenizer;
        if (!part.plan.model.folder.empty())
            tokenizer = Tokenizer::open(part.plan.model.folder);
        const std::vector<std::int64_t> prompt =
            promptTokens(part.plan.model.shape, tokenizer.get(), {}, row.prompt);
        decoder.allocateCache(1, row.prompt + row.newTokens);
        const int all = warmups() + m_plan.repeats;
        std::vector<std::vector<StepSample>> kept;
        for (int generation = 0; generation < all; ++generation) {
            const bool timed = generation >= warmups();
            const std::string where = timed ? fmt::format("generation {} of {}", generation - warmups() + 1, m_plan.repeats)
                                            : fmt::format("untimed generation {} of {}", generation + 1, warmups());
            m_context.checkStop();
            decoder.rewind(0);
            decoder.prefill(prompt, Decoder::PrefillMode::EverySequence);
            decoder.wait();
            std::vector<StepSample> steps;
            steps.reserve(static_cast<std::size_t>(row.newTokens));
            double seconds = 0;
            for (std::int64_t token = 1; token < row.newTokens; ++token) {
                m_context.checkStop();
                StepSample sample;
                sample.context = decoder.context();
                const Clock::time_point from = Clock::now();
                decoder.step();
                sample.wallSeconds = secondsBetween(from, Clock::now());
                seconds += sample.wallSeconds;
                if (timed) {
                    addState(sample, m_telemetry.get());
                    sample.step = static_cast<std::int64_t>(kept.size()) * (row.newTokens - 1) + token - 1;
                    steps.push_back(sample);
                    // Told between two timed steps, never inside one.
                    m_context.send(StepTimed{m_plan.runId, row.index, sample});
                }
                if (m_context.progressDue())
                    tell(part, where,
                         0.2 + 0.8 * (generation + static_cast<double>(token) / static_cast<double>(row.newTokens)) / all);
            }
            if (!timed)
                continue;
            row.samples.push_back(seconds / static_cast<double>(row.newTokens - 1));
            kept.push_back(std::move(steps));
        }
        keepMedianRepeat(row, kept);
        row.attention = decoder.attentionPath();
        row.graphNodes = decoder.graphNodes();
    }

    static void keepMedianRepeat(LineRow &row, std::vector<std::vector<StepSample>> &kept)
    {
        const double middle = median(row.samples);
        std::size_t nearest = 0;
        for (std::size_t i = 0; i < kept.size(); ++i)
            if (std::abs(row.samples[i] - middle) < std::abs(row.samples[nearest] - middle))
                nearest = i;
        row.steps = std::move(kept[nearest]);
        for (std::size_t i = 0; i < row.steps.size(); ++i)
            row.steps[i].step = static_cast<std::int64_t>(i);
    }

    /// `part`: of the row, 0..1.
    void tell(const Part &part, const std::string &where, double share)
    {
        const double done = (m_done + part.work * share) / m_work;
        const double passed = secondsBetween(m_began, Clock::now());
        m_context.progress(fmt::format("Line over models: {} {} ({} of {}), {}", part.row.model, part.row.dtype,
                                       part.row.index + 1, m_parts.size(), where),
                           done, done > 0.02 ? passed / done * (1 - done) : kMissing);
    }

    RunContext &m_context;
    const RunPlan &m_plan;
    const DeviceInfo m_info;
    std::vector<Part> m_parts;
    double m_work = 0, m_done = 0;
    Clock::time_point m_began{};
    std::unique_ptr<Telemetry> m_telemetry;
};

} // namespace

void runLine(RunContext &context)
{
    Line(context).run();
}

} // namespace ridgepoint
