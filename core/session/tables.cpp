// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/tables.h"

#include "core/base/error.h"
#include "core/base/format.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <functional>

namespace ridgepoint {

namespace {

bool known(double value)
{
    return std::isfinite(value);
}

double over(double value, double by)
{
    return known(value) && known(by) && by > 0 ? value / by : kMissing;
}

/// The ceilings that the run's own calibration found, else those that its plan came with.
const MeasuredCeilings *measuredOf(const RunRecord &run)
{
    if (run.calibration)
        return &run.calibration->ceilings;
    return run.plan.measured ? &*run.plan.measured : nullptr;
}

/// Exact accounting, the one of measured runs. Nothing where the run carries no model (a calibration).
std::optional<Workload> workloadOf(const RunRecord &run)
{
    try {
        return runWorkload(run);
    } catch (const Error &) {
        return std::nullopt;
    }
}

std::vector<double> promptsOf(const std::vector<SweepRow> &rows)
{
    std::vector<double> prompts;
    for (const SweepRow &row : rows)
        if (std::find(prompts.begin(), prompts.end(), row.prompt) == prompts.end())
            prompts.push_back(row.prompt);
    return prompts;
}

/// The row of the smallest batch of `prompt` for which `has` holds.
const SweepRow *smallest(const std::vector<SweepRow> &rows, double prompt,
                         const std::function<bool(const SweepRow &)> &has)
{
    const SweepRow *found = nullptr;
    for (const SweepRow &row : rows)
        if (row.prompt == prompt && has(row) && (!found || row.batch < found->batch))
            found = &row;
    return found;
}

const SweepRow *greatest(const std::vector<SweepRow> &rows, double prompt,
                         const std::function<bool(const SweepRow &)> &has)
{
    const SweepRow *found = nullptr;
    for (const SweepRow &row : rows)
        if (row.prompt == prompt && has(row) && (!found || row.batch > found->batch))
            found = &row;
    return found;
}

bool isMeasured(const SweepRow &row)
{
    return row.batch > 0 && row.status == PointStatus::Ok && known(row.stepSeconds) && row.stepSeconds > 0;
}

bool isPredicted(const SweepRow &row)
{
    return row.batch > 0 && known(row.predictedSeconds) && row.predictedSeconds > 0;
}

/// Median of the values that there are; NaN: none.
template <typename Value>
double medianOf(const std::vector<StepSample> &steps, Value value)
{
    std::vector<double> values;
    values.reserve(steps.size());
    for (const StepSample &step : steps)
        if (const double v = value(step); known(v))
            values.push_back(v);
    return values.empty() ? kMissing : median(std::move(values));
}

} // namespace

std::vector<SweepRow> sweepRows(const RunRecord &run)
{
    std::vector<SweepRow> rows;
    rows.reserve(run.points.size());
    const std::optional<Workload> workload = workloadOf(run);
    const MeasuredCeilings *measured = measuredOf(run);
    const double bandwidth = measured && measured->readBandwidth ? *measured->readBandwidth : kMissing;
    for (const SweepPoint &p : run.points) {
        SweepRow &row = rows.emplace_back();
        row.runId = run.plan.runId;
        row.index = p.index;
        row.batch = static_cast<double>(p.batch);
        row.prompt = static_cast<double>(p.prompt);
        row.context = p.context;
        row.mode = p.mode;
        row.status = p.status;
        row.reason = p.reason;
        row.peakBytes = p.peakBytes;
        row.deviceUsedBytes = p.deviceUsedBytes;
        row.attention = p.attention;
        row.graphNodes = p.graphNodes;
        row.smClockHz = medianOf(p.steps, [](const StepSample &s) { return s.smClockHz; });
        row.throttledSteps = static_cast<std::size_t>(
            std::count_if(p.steps.begin(), p.steps.end(), [](const StepSample &s) { return !s.throttle.empty(); }));
        // A point that did not finish has no step time, whatever steps it managed.
        if (p.status == PointStatus::Ok) {
            row.stepSeconds = p.stepSeconds;
            row.p10Seconds = p.p10Seconds;
            row.p90Seconds = p.p90Seconds;
            row.minSeconds = p.minSeconds;
            row.maxSeconds = p.maxSeconds;
            row.wallSeconds = medianOf(p.steps, [](const StepSample &s) { return s.wallSeconds; });
            row.hostGapSeconds = medianOf(p.steps, [](const StepSample &s) { return s.hostGapSeconds(); });
            row.backToBackSeconds = p.backToBackSeconds;
            row.waitingSeconds = row.wallSeconds - p.backToBackSeconds;
        }
        row.tokensPerSecond = over(row.batch, row.stepSeconds);
        const StepPrediction &floor = p.forecast.floorNominal;
        if (floor.stepSeconds > 0) // a forecast that was never made is all zeros
            row.floorSeconds = floor.floorSeconds();
        if (p.forecast.floorMeasured)
            row.measuredFloorSeconds = p.forecast.floorMeasured->floorSeconds();
        if (p.forecast.predicted)
            row.predictedSeconds = p.forecast.predicted->stepSeconds;
        row.measuredOverPredicted = over(row.stepSeconds, row.predictedSeconds);
        row.ratioToFloor = over(row.stepSeconds, row.floorSeconds);
        if (floor.bytes > 0) {
            row.intensity = floor.intensity;
            row.achievedFlops = over(floor.flop, row.stepSeconds);
        }
        if (known(row.stepSeconds) && known(bandwidth))
            row.effectiveBytes = row.stepSeconds * bandwidth;
        if (workload && known(p.context)) {
            row.kvBytes = row.batch * workload->kvReadBytes(p.context);
            row.weightBytes = workload->weightBytes;
        }
    }
    for (const double prompt : promptsOf(rows)) {
        const SweepRow *first = smallest(rows, prompt, isMeasured);
        const SweepRow *firstPredicted = smallest(rows, prompt, isPredicted);
        for (SweepRow &row : rows) {
            if (row.prompt != prompt)
                continue;
            if (first && isMeasured(row)) {
                row.linearTokensPerSecond = linearTokensPerSecond(row.batch, first->batch, first->tokensPerSecond);
                row.departure = departure(row.tokensPerSecond, row.linearTokensPerSecond);
            }
            if (firstPredicted && isPredicted(row)) {
                const double linear = linearTokensPerSecond(row.batch, firstPredicted->batch,
                                                            firstPredicted->batch / firstPredicted->predictedSeconds);
                row.predictedDeparture = departure(row.batch / row.predictedSeconds, linear);
            }
        }
    }
    return rows;
}

void TelemetrySummary::Range::add(double value)
{
    if (!std::isfinite(value))
        return;
    least = known() ? std::min(least, value) : value;
    greatest = greatest == greatest ? std::max(greatest, value) : value;
}

namespace {

void addTelemetry(TelemetrySummary &summary, const std::vector<StepSample> &steps)
{
    summary.steps += steps.size();
    for (const StepSample &s : steps) {
        summary.smClockHz.add(s.smClockHz);
        summary.memoryClockHz.add(s.memoryClockHz);
        summary.temperatureC.add(s.temperatureC);
        summary.powerWatts.add(s.powerWatts);
        if (known(s.smClockHz) || known(s.memoryClockHz) || known(s.temperatureC) || known(s.powerWatts) ||
            !s.throttle.empty())
            ++summary.sampled;
        if (s.throttle.empty())
            continue;
        ++summary.throttled;
        std::size_t start = 0; // "power, thermal" are two reasons
        while (start < s.throttle.size()) {
            const std::size_t end = std::min(s.throttle.find(',', start), s.throttle.size());
            std::string reason = s.throttle.substr(start, end - start);
            reason.erase(0, reason.find_first_not_of(' '));
            const auto at = std::lower_bound(summary.reasons.begin(), summary.reasons.end(), reason);
            if (!reason.empty() && (at == summary.reasons.end() || *at != reason))
                summary.reasons.insert(at, std::move(reason));
            start = end + 1;
        }
    }
}

} // namespace

TelemetrySummary telemetryOf(const std::vector<StepSample> &steps)
{
    TelemetrySummary summary;
    addTelemetry(summary, steps);
    return summary;
}

TelemetrySummary telemetryOf(const RunRecord &run)
{
    TelemetrySummary summary;
    for (const SweepPoint &point : run.points)
        addTelemetry(summary, point.steps);
    for (const LineRow &row : run.line)
        addTelemetry(summary, row.steps);
    if (run.ttft)
        for (const TtftMethodResult &method : run.ttft->methods)
            addTelemetry(summary, method.steps);
    return summary;
}

std::string attentionSentence(const RunRecord &run)
{
    std::string path;
    for (const SweepPoint &point : run.points) {
        if (point.attention.empty())
            continue;
        if (!path.empty() && point.attention != path)
            return {}; // the table has a column then
        path = point.attention;
    }
    return path.empty() ? std::string() : "Attention: " + path + ".";
}

std::string scatterSentence(const RunRecord &run)
{
    constexpr double kNormal = 0.2; // of p10 to p90 over the median, as the verdict has it
    std::size_t timed = 0, wide = 0;
    double most = 0;
    const SweepPoint *worst = nullptr;
    for (const SweepPoint &p : run.points) {
        const double spread = (p.p90Seconds - p.p10Seconds) / p.stepSeconds;
        if (p.status != PointStatus::Ok || !std::isfinite(spread))
            continue;
        ++timed;
        wide += spread > kNormal ? 1 : 0;
        if (spread > most) {
            most = spread;
            worst = &p;
        }
    }
    if (wide == 0)
        return {};
    return fmt::format("At {} of {} points the steps differ by more than 20 % from p10 to p90 (by {} at batch {}, prompt {}): the machine "
                       "was busy with something else, or its clock varied. Measure again when it is idle.",
                       wide, timed, format::percent(most), worst->batch, worst->prompt);
}

std::string synchronisationSentence(const RunRecord &run)
{
    const SweepRow *least = nullptr, *most = nullptr; // by the share of the step that waiting takes
    const std::vector<SweepRow> rows = sweepRows(run);
    const auto share = [](const SweepRow &row) { return row.waitingSeconds / row.wallSeconds; };
    std::size_t count = 0;
    for (const SweepRow &row : rows) {
        if (!known(row.waitingSeconds) || !(row.wallSeconds > 0) || !(row.backToBackSeconds > 0))
            continue;
        ++count;
        if (!least || share(row) < share(*least))
            least = &row;
        if (!most || share(row) > share(*most))
            most = &row;
    }
    if (!count)
        return {};
    const auto of = [&](const SweepRow &row) {
        return fmt::format("{} of {} ({}) at batch {}, prompt {}, where the step takes {} back to back",
                           format::seconds(row.waitingSeconds), format::seconds(row.wallSeconds),
                           format::percent(share(row)), format::count(row.batch), format::count(row.prompt),
                           format::seconds(row.backToBackSeconds));
    };
    std::string text =
        "Every timed step is waited for, and a run of steps that follow one another without a wait shows "
        "what that costs: ";
    text += count == 1 ? of(*most) : fmt::format("from {} to {}", of(*least), of(*most));
    return text +
           ". Stepped figures are medians by the host's clock; a cost below zero is within what the two differ by "
           "from run to run.";
}

std::vector<SweepSummary> sweepSummaries(const RunRecord &run)
{
    constexpr double kThreshold = 0.05;
    const std::vector<SweepRow> rows = sweepRows(run);
    std::vector<SweepSummary> summaries;
    for (const double prompt : promptsOf(rows)) {
        SweepSummary &s = summaries.emplace_back();
        s.prompt = prompt;
        const SweepRow *first = smallest(rows, prompt, isMeasured);
        const SweepRow *last = greatest(rows, prompt, isMeasured);
        if (first && last != first)
            s.growthMeasured = last->stepSeconds / first->stepSeconds - 1;
        // Beside the measured growth stands the predicted one over the same batches; without any, over all of them.
        const SweepRow *from = first && last != first ? first : smallest(rows, prompt, isPredicted);
        const SweepRow *to = first && last != first ? last : greatest(rows, prompt, isPredicted);
        if (from && to != from && isPredicted(*from) && isPredicted(*to))
            s.growthPredicted = to->predictedSeconds / from->predictedSeconds - 1;
        const SweepRow *departs = smallest(rows, prompt, [](const SweepRow &r) { return r.departure > kThreshold; });
        const SweepRow *predicted =
            smallest(rows, prompt, [](const SweepRow &r) { return r.predictedDeparture > kThreshold; });
        if (departs)
            s.firstDepartureMeasured = departs->batch;
        if (predicted)
            s.firstDeparturePredicted = predicted->batch;
    }
    return summaries;
}

std::string csvField(std::string_view text)
{
    if (text.find_first_of(",\"\r\n") == std::string_view::npos)
        return std::string(text);
    std::string quoted = "\"";
    for (const char c : text) {
        if (c == '"')
            quoted += '"';
        quoted += c;
    }
    return quoted + '"';
}

namespace {

std::string csvLine(const std::vector<std::string> &fields)
{
    std::string line;
    for (std::size_t i = 0; i < fields.size(); ++i)
        line += (i ? "," : "") + csvField(fields[i]);
    return line + "\n";
}

std::string milli(double seconds)
{
    return format::exact(seconds * 1e3);
}

} // namespace

std::string sweepCsv(const std::vector<RunRecord> &runs)
{
    std::string csv = "batch,context,mode,status,step_ms,step_p10_ms,step_p90_ms,step_min_ms,step_max_ms,tokens_per_s,"
                      "linear_tokens_per_s,departure_pct,peak_bytes,predicted_step_ms,measured_over_predicted,"
                      "arithmetic_intensity,achieved_flops,effective_bytes,kv_bytes,reason,host_gap_ms,back_to_back_ms,"
                      "device_used_bytes,attention,graph_nodes,prompt,run\n";
    for (const RunRecord &run : runs)
        for (const SweepRow &r : sweepRows(run))
            csv += csvLine({format::exact(r.batch),
                            format::exact(r.context),
                            std::string(modeName(r.mode)),
                            std::string(statusName(r.status)),
                            milli(r.stepSeconds),
                            milli(r.p10Seconds),
                            milli(r.p90Seconds),
                            milli(r.minSeconds),
                            milli(r.maxSeconds),
                            format::exact(r.tokensPerSecond),
                            format::exact(r.linearTokensPerSecond),
                            format::exact(r.departure * 100),
                            format::exact(r.peakBytes),
                            milli(r.predictedSeconds),
                            format::exact(r.measuredOverPredicted),
                            format::exact(r.intensity),
                            format::exact(r.achievedFlops),
                            format::exact(r.effectiveBytes),
                            format::exact(r.kvBytes),
                            r.reason,
                            milli(r.hostGapSeconds),
                            milli(r.backToBackSeconds),
                            format::exact(r.deviceUsedBytes),
                            r.attention,
                            r.graphNodes > 0 ? std::to_string(r.graphNodes) : std::string(),
                            format::exact(r.prompt),
                            r.runId});
    return csv;
}

std::string stepsCsv(const std::vector<RunRecord> &runs)
{
    std::string csv = "point,step,context,device_ms,wall_ms,sm_clock_mhz,mem_clock_mhz,temperature_c,power_w,throttle,"
                      "host_gap_ms,run\n";
    const auto put = [&csv](const std::string &point, const StepSample &s, const std::string &run) {
        csv += csvLine({point, std::to_string(s.step), std::to_string(s.context), milli(s.deviceSeconds),
                        milli(s.wallSeconds), format::exact(s.smClockHz / 1e6), format::exact(s.memoryClockHz / 1e6),
                        format::exact(s.temperatureC), format::exact(s.powerWatts), s.throttle,
                        milli(s.hostGapSeconds()), run});
    };
    for (const RunRecord &run : runs) {
        for (const SweepPoint &point : run.points)
            for (const StepSample &step : point.steps)
                put(std::to_string(point.index), step, run.plan.runId);
        for (const LineRow &row : run.line)
            for (const StepSample &step : row.steps)
                put(fmt::format("{} {}", row.model, row.dtype), step, run.plan.runId);
        if (run.ttft)
            for (const TtftMethodResult &method : run.ttft->methods)
                for (const StepSample &step : method.steps)
                    put(fmt::format("method {}", static_cast<int>(method.method)), step, run.plan.runId);
    }
    return csv;
}

std::string ttftCsv(const std::vector<RunRecord> &runs)
{
    std::string csv = "batch,prompt,new_tokens,method,ttft_ms,tpot_ms,tpot_min_ms,tpot_max_ms,repeats,ttft_floor_ms,"
                      "tpot_floor_ms,predicted_tpot_ms,ratio_to_floor,tokens_per_s,peak_bytes,run\n";
    for (const RunRecord &run : runs) {
        if (!run.ttft)
            continue;
        const TtftResult &t = *run.ttft;
        const double floor =
            t.forecast.floorNominal.stepSeconds > 0 ? t.forecast.floorNominal.floorSeconds() : kMissing;
        const double prefill = t.prefillFloor.floorSeconds > 0 ? t.prefillFloor.floorSeconds : kMissing;
        const double predicted = t.forecast.predicted ? t.forecast.predicted->stepSeconds : kMissing;
        for (const TtftMethodResult &m : t.methods)
            csv += csvLine({std::to_string(t.batch), std::to_string(t.prompt), std::to_string(t.newTokens),
                            std::to_string(static_cast<int>(m.method)), milli(m.ttftSeconds), milli(m.tpotSeconds),
                            milli(m.tpotMinSeconds), milli(m.tpotMaxSeconds),
                            std::to_string(std::max(m.ttftSamples.size(), m.tpotSamples.size())), milli(prefill),
                            milli(floor), milli(predicted), format::exact(over(m.tpotSeconds, floor)),
                            format::exact(over(static_cast<double>(t.batch), m.tpotSeconds)),
                            format::exact(t.peakBytes), run.plan.runId});
    }
    return csv;
}

std::string calibrationCsv(const std::vector<RunRecord> &runs)
{
    std::string csv = "what,unit,value,median,spread,threads,date_utc,run\n";
    for (const RunRecord &run : runs)
        if (run.calibration)
            for (const CalibrationSample &s : run.calibration->samples)
                csv += csvLine({s.what, s.unit, format::exact(s.value), format::exact(s.median),
                                format::exact(s.spread), std::to_string(run.calibration->ceilings.threads),
                                run.calibration->ceilings.dateUtc, run.plan.runId});
    return csv;
}

TextTable sweepTable(const RunRecord &run)
{
    TextTable table{{"prompt", "batch", "context", "step", "p10", "p90", "tok/s", "linear", "departure", "peak memory",
                     "predicted", "measured/predicted", "floor", "measured/floor"},
                    {}};
    const std::vector<SweepRow> rows = sweepRows(run);
    const auto any = [&rows](auto has) { return std::any_of(rows.begin(), rows.end(), has); };
    struct Extra {
        bool shown;
        const char *name;
        std::function<std::string(const SweepRow &)> cell;
    };
    const Extra extras[] = {
        {any([](const SweepRow &r) { return known(r.hostGapSeconds); }), "host gap",
         [](const SweepRow &r) { return format::seconds(r.hostGapSeconds); }},
        {any([](const SweepRow &r) { return known(r.backToBackSeconds); }), "back to back",
         [](const SweepRow &r) { return format::seconds(r.backToBackSeconds); }},
        {any([](const SweepRow &r) { return known(r.deviceUsedBytes); }), "device memory used",
         [](const SweepRow &r) { return format::bytes(r.deviceUsedBytes); }},
        // One way for all rows is a sentence below the table (attentionSentence).
        {any([](const SweepRow &r) { return !r.attention.empty(); }) && attentionSentence(run).empty(), "attention",
         [](const SweepRow &r) { return r.attention.empty() ? std::string("-") : r.attention; }},
        {any([](const SweepRow &r) { return r.graphNodes > 0; }), "graph nodes",
         [](const SweepRow &r) {
             return r.graphNodes > 0 ? format::count(static_cast<double>(r.graphNodes)) : std::string("-");
         }},
        {any([](const SweepRow &r) { return r.throttledSteps > 0; }), "throttled steps",
         [](const SweepRow &r) { return format::count(static_cast<double>(r.throttledSteps)); }},
    };
    for (const Extra &extra : extras)
        if (extra.shown)
            table.header.push_back(extra.name);
    table.header.push_back("status");
    for (const SweepRow &r : rows) {
        std::string status(statusName(r.status));
        if (!r.reason.empty())
            status += ": " + r.reason;
        table.rows.push_back(
            {format::count(r.prompt), format::count(r.batch),
             known(r.context) ? format::exact(r.context) : std::string("-"), format::seconds(r.stepSeconds),
             format::seconds(r.p10Seconds), format::seconds(r.p90Seconds), format::significant(r.tokensPerSecond, 4),
             format::significant(r.linearTokensPerSecond, 4), format::percent(r.departure), format::bytes(r.peakBytes),
             format::seconds(r.predictedSeconds), format::ratio(r.measuredOverPredicted),
             format::seconds(r.floorSeconds), format::ratio(r.ratioToFloor)});
        for (const Extra &extra : extras)
            if (extra.shown)
                table.rows.back().push_back(extra.cell(r));
        table.rows.back().push_back(std::move(status));
    }
    return table;
}

TextTable ttftTable(const RunRecord &run)
{
    TextTable table{{"item", "value", "note"}, {}};
    if (!run.ttft)
        return table;
    const TtftResult &t = *run.ttft;
    const auto row = [&table](std::string item, std::string value, std::string note = {}) {
        table.rows.push_back({std::move(item), std::move(value), std::move(note)});
    };
    const auto methodOf = [&t](TtftMethod method) -> const TtftMethodResult * {
        for (const TtftMethodResult &m : t.methods)
            if (m.method == method)
                return &m;
        return nullptr;
    };
    constexpr std::array kMethods{TtftMethod::Subtraction, TtftMethod::Stream, TtftMethod::Loop};
    constexpr std::array<std::string_view, 3> kHow{"two generations subtracted", "each token as it reaches the reader",
                                                   "a loop with every step timed"};

    const TtftMethodResult *best = recordMethod(t);
    const double tpot = best ? best->tpotSeconds : kMissing;
    double ttft = best ? best->ttftSeconds : kMissing;
    for (const TtftMethodResult &m : t.methods)
        if (!known(ttft))
            ttft = m.ttftSeconds;

    row("Device", shownDevice(run),
        run.provenance.threads > 0 ? fmt::format("{} threads", run.provenance.threads) : std::string());
    row("Model and dtype",
        fmt::format("{}, {}", run.plan.model.shape.name.empty() ? run.plan.model.shape.id : run.plan.model.shape.name,
                    dtypeName(run.plan.dtype)),
        run.plan.model.folder.empty() ? "random weights of this shape" : "weights of a checkpoint");
    row("Prompt tokens", format::count(static_cast<double>(t.prompt)));
    row("Batch", format::count(static_cast<double>(t.batch)));
    row("New tokens N", format::count(static_cast<double>(t.newTokens)));
    for (std::size_t i = 0; i < kMethods.size(); ++i)
        if (const TtftMethodResult *m = methodOf(kMethods[i]))
            row(fmt::format("TTFT, method {}", i + 1), format::seconds(m->ttftSeconds),
                fmt::format("{}; median of {}", kHow[i], m->ttftSamples.size()));
    for (std::size_t i = 0; i < kMethods.size(); ++i)
        if (const TtftMethodResult *m = methodOf(kMethods[i]))
            row(fmt::format("TPOT, method {}", i + 1), format::seconds(m->tpotSeconds),
                fmt::format("{}; median of {}", kHow[i], m->tpotSamples.size()));
    if (best && (known(best->tpotMinSeconds) || known(best->tpotMaxSeconds))) {
        row(fmt::format("TPOT least, method {}", static_cast<int>(best->method)),
            format::seconds(best->tpotMinSeconds));
        row(fmt::format("TPOT greatest, method {}", static_cast<int>(best->method)),
            format::seconds(best->tpotMaxSeconds));
    }
    const StepPrediction &floor = t.forecast.floorNominal;
    const bool haveFloor = floor.stepSeconds > 0;
    const double floorSeconds = haveFloor ? floor.floorSeconds() : kMissing;
    const double prefillFloor = t.prefillFloor.floorSeconds > 0 ? t.prefillFloor.floorSeconds : kMissing;
    row("TTFT floor", format::seconds(prefillFloor),
        known(prefillFloor) ? fmt::format("{}-bound at {}, nominal ceilings", boundName(t.prefillFloor.bound),
                                          format::intensity(t.prefillFloor.intensity))
                            : std::string("not known"));
    if (known(t.ttftForecastSeconds))
        row("TTFT forecast", format::seconds(t.ttftForecastSeconds), "products and attention of these sizes, timed before the run");
    row("TPOT floor", format::seconds(floorSeconds),
        haveFloor
            ? fmt::format("{}-bound, {} a step, nominal ceilings", boundName(floor.bound), format::bytes(floor.bytes))
            : std::string("not known"));
    row("TPOT floor at measured ceilings",
        format::seconds(t.forecast.floorMeasured ? t.forecast.floorMeasured->floorSeconds() : kMissing),
        t.forecast.floorMeasured ? "" : "not measured");
    row("TPOT predicted", format::seconds(t.forecast.predicted ? t.forecast.predicted->stepSeconds : kMissing),
        t.forecast.predicted ? "from what calibration timed before the run" : "not measured");
    const double ratio = over(tpot, floorSeconds);
    row("Ratio TPOT / floor", format::ratio(ratio),
        known(ratio) ? std::string(ratioBandText(ratioBand(ratio))) : std::string());
    if (t.forecast.floorMeasured)
        row("Ratio TPOT / floor at measured ceilings",
            format::ratio(over(tpot, t.forecast.floorMeasured->floorSeconds())));
    if (t.forecast.predicted)
        row("Measured / predicted", format::ratio(over(tpot, t.forecast.predicted->stepSeconds)),
            "0.9 to 1.3: the model holds");
    const double rate = over(static_cast<double>(t.batch), tpot);
    row("Tokens a second", format::tokensPerSecond(rate),
        haveFloor
            ? fmt::format("the ceiling is {}", format::tokensPerSecond(static_cast<double>(t.batch) / floorSeconds))
            : std::string());
    row("TTFT / TPOT", format::ratio(over(ttft, tpot)), "2 to 5 is expected");
    row("Peak memory", format::bytes(t.peakBytes));
    const CrossCheck check = crossCheck(t);
    row("Cross-check", known(check.spread) ? format::percent(check.spread) : std::string("-"), check.text);
    return table;
}

TextTable calibrationTable(const RunRecord &run)
{
    TextTable table{{"what", "value", "median", "spread", "counted"}, {}};
    if (!run.calibration)
        return table;
    for (const CalibrationSample &s : run.calibration->samples) {
        const auto show = [&s](double value) {
            if (s.unit == "B/s")
                return format::bandwidth(value);
            if (s.unit == "FLOP/s")
                return format::flops(value);
            if (s.unit == "s")
                return format::seconds(value);
            return known(value) ? format::significant(value, 4) + " " + s.unit : std::string("-");
        };
        std::string counted;
        if (s.unit == "B/s")
            counted = s.what.find("copy") != std::string::npos ? "bytes read + bytes written" : "bytes read";
        else if (s.unit == "FLOP/s")
            counted = "2 m n k a product";
        else if (s.unit == "s")
            counted = "median time";
        table.rows.push_back({s.what, show(s.value), show(s.median), format::percent(s.spread), std::move(counted)});
    }
    // The figures of a graph that the samples do not name themselves.
    const MeasuredCeilings &c = run.calibration->ceilings;
    const auto sampled = [&](bool step) {
        return std::any_of(table.rows.begin(), table.rows.end(), [step](const auto &row) {
            return row[0].find("graph") != std::string::npos && (row[0].find("step") != std::string::npos) == step;
        });
    };
    if (c.graphStepOverhead && !sampled(true))
        table.rows.push_back({"graph step overhead", format::seconds(*c.graphStepOverhead), "-", "-",
                              fmt::format("{}, {} layers, replayed", c.overheadShape.empty() ? "-" : c.overheadShape,
                                          c.overheadLayers)});
    if (c.graphNodeOverhead && !sampled(false))
        table.rows.push_back(
            {"graph node overhead", format::seconds(*c.graphNodeOverhead), "-", "-", "an empty kernel in a graph"});
    return table;
}

std::vector<ExpectationRow> expectationRows(const RunRecord &run)
{
    std::vector<ExpectationRow> rows;
    const Expectation &expected = run.plan.expectation;
    if (expected.empty())
        return rows;
    const auto add = [&](double batch, double prompt, double floor, double forecast, double measured) {
        if (expected.tpotSeconds)
            rows.push_back({ExpectationRow::What::Tpot, batch, prompt, *expected.tpotSeconds, forecast, measured});
        if (expected.ratio)
            rows.push_back({ExpectationRow::What::Ratio, batch, prompt, *expected.ratio, over(forecast, floor), over(measured, floor)});
    };
    if (run.ttft) {
        const TtftResult &t = *run.ttft;
        const TtftMethodResult *best = recordMethod(t);
        add(static_cast<double>(t.batch), static_cast<double>(t.prompt),
            t.forecast.floorNominal.stepSeconds > 0 ? t.forecast.floorNominal.floorSeconds() : kMissing,
            t.forecast.predicted ? t.forecast.predicted->stepSeconds : kMissing, best ? best->tpotSeconds : kMissing);
        return rows;
    }
    const std::vector<SweepRow> points = sweepRows(run);
    const std::vector<SweepSummary> summaries = sweepSummaries(run);
    for (const SweepSummary &s : summaries) {
        const SweepRow *first = smallest(points, s.prompt, [](const SweepRow &) { return true; });
        add(first->batch, s.prompt, first->floorSeconds, first->predictedSeconds, first->stepSeconds);
        if (!expected.firstDeparture)
            continue;
        ExpectationRow row{ExpectationRow::What::FirstDeparture, 0, s.prompt, *expected.firstDeparture,
                           s.firstDeparturePredicted, s.firstDepartureMeasured};
        // "None" needs two batches at least.
        const auto several = [&](bool (*has)(const SweepRow &)) {
            return smallest(points, s.prompt, has) != greatest(points, s.prompt, has);
        };
        row.noneForecast = !known(row.forecast) && several(isPredicted);
        row.noneMeasured = !known(row.measured) && several(isMeasured);
        rows.push_back(row);
    }
    return rows;
}

TextTable expectationTable(const RunRecord &run)
{
    TextTable table{{"what", "prompt", "expected", "forecast", "measured", "measured/expected"}, {}};
    for (const ExpectationRow &row : expectationRows(run)) {
        const bool departs = row.what == ExpectationRow::What::FirstDeparture;
        const auto show = [&](double value, bool none) {
            if (departs)
                return known(value) ? "batch " + format::count(value) : std::string(none ? "none" : "-");
            return row.what == ExpectationRow::What::Tpot ? format::seconds(value) : format::ratio(value);
        };
        table.rows.push_back({departs                                   ? std::string("first departure over 5 %")
                              : row.what == ExpectationRow::What::Tpot ? fmt::format("TPOT, batch {}", format::count(row.batch))
                                                                        : fmt::format("TPOT / floor, batch {}", format::count(row.batch)),
                              format::count(row.prompt), show(row.expected, false), show(row.forecast, row.noneForecast),
                              show(row.measured, row.noneMeasured), format::ratio(over(row.measured, row.expected))});
    }
    return table;
}

namespace {

/// Code points: near enough to columns for the text that tables hold.
std::size_t width(std::string_view text)
{
    return static_cast<std::size_t>(
        std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

/// Longer ones are cut: a layout in lines and cells would take minutes over a text of a megabyte.
constexpr std::size_t kLongestLine = 1000;

std::string oneLine(std::string_view text)
{
    std::string line = format::elided(text, kLongestLine);
    for (char &c : line)
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f)
            c = ' ';
    return line;
}

bool isFigure(std::string_view cell)
{
    return cell.empty() || cell == "-" || (cell.front() >= '0' && cell.front() <= '9') ||
           (cell.size() > 1 && cell.front() == '-' && cell[1] >= '0' && cell[1] <= '9');
}

std::vector<bool> figureColumns(const TextTable &table)
{
    std::vector<bool> figures(table.header.size(), !table.rows.empty());
    for (const auto &row : table.rows)
        for (std::size_t i = 0; i < figures.size() && i < row.size(); ++i)
            figures[i] = figures[i] && isFigure(row[i]);
    return figures;
}

} // namespace

std::string toText(const TextTable &table)
{
    const std::vector<bool> figures = figureColumns(table);
    std::vector<std::size_t> widths;
    for (const std::string &cell : table.header)
        widths.push_back(width(cell));
    for (const auto &row : table.rows)
        for (std::size_t i = 0; i < widths.size() && i < row.size(); ++i)
            widths[i] = std::max(widths[i], width(oneLine(row[i])));
    std::string text;
    const auto put = [&](const std::vector<std::string> &row) {
        std::string line;
        for (std::size_t i = 0; i < widths.size(); ++i) {
            const std::string cell = i < row.size() ? oneLine(row[i]) : std::string();
            const std::string pad(widths[i] - width(cell), ' ');
            line += i ? "  " : "";
            line += figures[i] ? pad + cell : cell + pad;
        }
        line.erase(line.find_last_not_of(' ') + 1);
        text += line + "\n";
    };
    put(table.header);
    for (const auto &row : table.rows)
        put(row);
    return text;
}

std::string toMarkdown(const TextTable &table)
{
    const std::vector<bool> figures = figureColumns(table);
    std::string text;
    const auto put = [&](const std::vector<std::string> &row) {
        text += "|";
        for (std::size_t i = 0; i < table.header.size(); ++i)
            text += " " + (i < row.size() ? escapeMarkdown(row[i]) : std::string()) + " |";
        text += "\n";
    };
    put(table.header);
    text += "|";
    for (const bool figure : figures)
        text += figure ? " ---: |" : " --- |";
    text += "\n";
    for (const auto &row : table.rows)
        put(row);
    return text;
}

std::string escapeMarkdown(std::string_view text)
{
    std::string escaped;
    for (const char c : oneLine(text)) {
        // Everything that starts markup, a table cell, a link, an entity or HTML; all of it is ASCII punctuation, which
        // Markdown lets one escape. Signs that mark up only at the start of a line never stand there in a cell.
        if (std::string_view("\\`*_{}[]<>|#~&!").find(c) != std::string_view::npos)
            escaped += '\\';
        escaped += c;
    }
    return escaped;
}

} // namespace ridgepoint
