// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/lesson.h"

#include "core/base/error.h"
#include "core/base/format.h"
#include "core/session/line.h"
#include "core/session/tables.h"
#include "core/session/session_title.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <functional>

namespace ridgepoint {

namespace {

using Kind = LessonFigure::Kind;

[[noreturn]] void fail(const std::string &sentence)
{
    throw Error(ErrorKind::Failure, sentence);
}

std::optional<double> number(std::string_view text)
{
    double value = 0;
    const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (fault != std::errc() || end != text.data() + text.size() || !std::isfinite(value))
        return std::nullopt;
    return value;
}

/// What a quantity is worked out from, with its own arguments laid over the context.
struct Work {
    const LessonContext &context;
    const LessonQuantity &quantity;
    Workload load;

    std::optional<double> argument(const char *name) const
    {
        const auto at = quantity.arguments.find(name);
        return at == quantity.arguments.end() ? std::nullopt : number(at->second);
    }
    StepPrediction step() const { return predictStep(load, context.ceilings, context.batch, context.context); }
    PrefillPrediction prefill() const { return predictPrefill(load, context.ceilings, context.batch, context.prompt); }
    double newTokens() const { return argument("new").value_or(64); }
    double ttft() const { return prefill().floorSeconds; }
    std::vector<SweepPrediction> sweep() const
    {
        return predictSweep(load, context.ceilings, context.batches, context.context);
    }
};

LessonFigure figure(Kind kind, double value)
{
    LessonFigure result;
    result.kind = kind;
    result.value = value;
    return result;
}

LessonFigure maybe(Kind kind, const std::optional<double> &value)
{
    LessonFigure result = figure(kind, value.value_or(kMissing));
    result.never = !value;
    return result;
}

LessonFigure choice(std::string word, std::vector<std::string> all)
{
    LessonFigure result;
    result.kind = Kind::Choice;
    result.choice = std::move(word);
    result.choices = std::move(all);
    return result;
}

// ---- recordings ----

std::string wantedMode(const Work &work)
{
    const auto at = work.quantity.arguments.find("mode");
    return at != work.quantity.arguments.end() ? at->second : work.context.mode;
}

const RunRecord &recordedRun(const Work &work, Experiment experiment, const std::function<bool(const RunRecord &)> &suits = {})
{
    if (!work.context.session)
        fail("No recording is open. Set the step up again.");
    const std::string mode = wantedMode(work);
    for (const RunRecord &run : work.context.session->runs) {
        if (run.plan.experiment == experiment && (mode.empty() || mode == modeName(run.plan.mode)) && (!suits || suits(run)))
            return run;
    }
    fail("The recording has no such run of the experiment \"" + std::string(experimentName(experiment)) + "\".");
}

const TtftResult &recordedTtft(const Work &work)
{
    return *recordedRun(work, Experiment::Ttft, [&](const RunRecord &run) {
                return run.ttft && recordMethod(*run.ttft) &&
                       double(run.ttft->prompt) == work.argument("prompt").value_or(double(run.ttft->prompt)) &&
                       double(run.ttft->batch) == work.argument("batch").value_or(double(run.ttft->batch));
            }).ttft;
}

const RunRecord &recordedSweep(const Work &work)
{
    return recordedRun(work, Experiment::Sweep);
}

SweepRow recordedRow(const Work &work)
{
    const RunRecord &run = recordedSweep(work);
    const double batch = work.argument("batch").value_or(work.context.batch);
    const double prompt = work.argument("prompt").value_or(work.context.prompt);
    for (SweepRow &row : sweepRows(run)) {
        if (row.batch == batch && row.prompt == prompt)
            return row;
    }
    fail("The recording has no point of batch " + format::count(batch) + " and prompt " + format::count(prompt) + ".");
}

SweepSummary recordedSummary(const Work &work)
{
    const double prompt = work.argument("prompt").value_or(work.context.prompt);
    for (const SweepSummary &summary : sweepSummaries(recordedSweep(work))) {
        if (summary.prompt == prompt)
            return summary;
    }
    fail("The recording has no sweep of prompt " + format::count(prompt) + ".");
}

const RunRecord &recordedLine(const Work &work)
{
    return recordedRun(work, Experiment::Line);
}

double lineShare(const Work &work)
{
    const RunRecord &run = recordedLine(work);
    const LineReading reading = readLine(run);
    const auto model = work.quantity.arguments.find("model");
    const auto dtype = work.quantity.arguments.find("dtype");
    for (std::size_t i = 0; i < run.line.size(); ++i) {
        const LineRow &row = run.line[i];
        if (model != work.quantity.arguments.end() && row.model == model->second &&
            (dtype == work.quantity.arguments.end() || row.dtype == dtype->second)) {
            if (const LineRowFigures *figures = reading.figuresOf(i))
                return figures->readingShare;
        }
    }
    fail("The recorded line has no such row. Name it: line_share model=tinyllama-1.1b dtype=fp16.");
}

double given(double value, const char *what)
{
    if (!std::isfinite(value))
        fail(std::string("The recording does not hold ") + what + ".");
    return value;
}

struct Known {
    const char *name;
    bool recorded;
    std::function<LessonFigure(const Work &)> work;
};

/// A batch or a context: "64", "98,000"; one that is no whole number keeps three digits.
std::string plainCount(double value)
{
    return value >= 1000 || value == std::round(value) ? format::count(std::round(value)) : format::significant(value, 3);
}

std::string boundWord(Bound bound)
{
    return std::string(boundName(bound));
}

const std::vector<Known> &known()
{
    static const std::vector<Known> all{
        {"weight_bytes", false, [](const Work &w) { return figure(Kind::Bytes, w.load.weightBytes); }},
        {"kv_per_token", false, [](const Work &w) { return figure(Kind::Bytes, w.load.kvBytesPerToken); }},
        {"kv_bytes", false,
         [](const Work &w) { return figure(Kind::Bytes, w.context.batch * w.load.kvResidentBytes(w.context.context)); }},
        {"kv_context", false, [](const Work &w) { return figure(Kind::Count, contextWhereKvEqualsWeights(w.load)); }},
        {"bandwidth", false, [](const Work &w) { return figure(Kind::Bandwidth, w.context.ceilings.bandwidth); }},
        {"memory", false, [](const Work &w) { return figure(Kind::Bytes, w.context.ceilings.memory); }},
        {"ridge", false, [](const Work &w) { return figure(Kind::Intensity, w.context.ceilings.ridge()); }},
        {"bytes", false, [](const Work &w) { return figure(Kind::Bytes, w.step().bytes); }},
        {"memory_time", false, [](const Work &w) { return figure(Kind::Seconds, w.step().memorySeconds); }},
        {"compute_time", false, [](const Work &w) { return figure(Kind::Seconds, w.step().computeSeconds); }},
        {"overhead", false, [](const Work &w) { return figure(Kind::Seconds, w.context.ceilings.overhead); }},
        {"intensity", false, [](const Work &w) { return figure(Kind::Intensity, w.step().intensity); }},
        {"tpot_floor", false, [](const Work &w) { return figure(Kind::Seconds, w.step().floorSeconds()); }},
        {"step", false, [](const Work &w) { return figure(Kind::Seconds, w.step().stepSeconds); }},
        {"ratio", false, [](const Work &w) { return figure(Kind::Ratio, w.step().stepSeconds / w.step().floorSeconds()); }},
        {"tokens_per_second", false, [](const Work &w) { return figure(Kind::TokensPerSecond, w.step().tokensPerSecond); }},
        {"step_bound", false, [](const Work &w) { return choice(boundWord(w.step().bound), {"memory", "compute"}); }},
        {"ttft_floor", false, [](const Work &w) { return figure(Kind::Seconds, w.prefill().floorSeconds); }},
        {"prefill_compute_time", false, [](const Work &w) { return figure(Kind::Seconds, w.prefill().computeSeconds); }},
        {"prefill_intensity", false, [](const Work &w) { return figure(Kind::Intensity, w.prefill().intensity); }},
        {"prefill_bound", false, [](const Work &w) { return choice(boundWord(w.prefill().bound), {"memory", "compute"}); }},
        {"total", false,
         [](const Work &w) { return figure(Kind::Seconds, totalSeconds(w.ttft(), w.step().stepSeconds, w.newTokens())); }},
        {"total_per_token", false,
         [](const Work &w) {
             return figure(Kind::Seconds, totalSeconds(w.ttft(), w.step().stepSeconds, w.newTokens()) / w.newTokens());
         }},
        {"max_intensity", false,
         [](const Work &w) { return figure(Kind::Intensity, maxIntensity(w.load, w.context.context)); }},
        {"batch_at_ridge", false,
         [](const Work &w) {
             return maybe(Kind::Count, batchAtRidge(w.load, w.context.ceilings.ridge(), w.context.context));
         }},
        {"batch_at_ridge_without_kv", false,
         [](const Work &w) { return figure(Kind::Count, batchAtRidgeWithoutKv(w.load, w.context.ceilings.ridge())); }},
        {"capacity", false,
         [](const Work &w) {
             const auto most = capacity(w.load, w.context.ceilings.memory, w.context.context);
             if (!most)
                 fail("The memory of this device is not known.");
             return figure(Kind::Count, *most);
         }},
        {"fits", false,
         [](const Work &w) {
             const auto most = capacity(w.load, w.context.ceilings.memory, w.context.context);
             if (!most)
                 fail("The memory of this device is not known.");
             return choice(w.context.batch <= *most ? "yes" : "no", {"yes", "no"});
         }},
        {"departure", false,
         [](const Work &w) {
             const StepPrediction one = predictStep(w.load, w.context.ceilings, 1, w.context.context);
             return figure(Kind::Percent, departure(w.step().tokensPerSecond,
                                                    linearTokensPerSecond(w.context.batch, 1, one.tokensPerSecond)));
         }},
        {"first_departure", false, [](const Work &w) { return maybe(Kind::Count, firstDeparture(w.sweep())); }},
        {"growth", false,
         [](const Work &w) {
             const StepPrediction one = predictStep(w.load, w.context.ceilings, 1, w.context.context);
             return figure(Kind::Percent, w.step().stepSeconds / one.stepSeconds - 1);
         }},
        {"recorded_ttft", true,
         [](const Work &w) { return figure(Kind::Seconds, given(recordMethod(recordedTtft(w))->ttftSeconds, "a TTFT")); }},
        {"recorded_tpot", true,
         [](const Work &w) { return figure(Kind::Seconds, given(recordMethod(recordedTtft(w))->tpotSeconds, "a TPOT")); }},
        {"recorded_tpot_floor", true,
         [](const Work &w) {
             return figure(Kind::Seconds, given(recordedTtft(w).forecast.floorNominal.floorSeconds(), "a floor"));
         }},
        {"recorded_tpot_ratio", true,
         [](const Work &w) {
             const TtftResult &record = recordedTtft(w);
             return figure(Kind::Ratio, given(recordMethod(record)->tpotSeconds / record.forecast.floorNominal.floorSeconds(),
                                              "a TPOT and its floor"));
         }},
        {"recorded_ttft_over_tpot", true,
         [](const Work &w) {
             const TtftMethodResult &method = *recordMethod(recordedTtft(w));
             return figure(Kind::Ratio, given(method.ttftSeconds / method.tpotSeconds, "both TTFT and TPOT"));
         }},
        {"recorded_step", true,
         [](const Work &w) { return figure(Kind::Seconds, given(recordedRow(w).stepSeconds, "a time of that point")); }},
        {"recorded_floor", true,
         [](const Work &w) { return figure(Kind::Seconds, given(recordedRow(w).floorSeconds, "a floor of that point")); }},
        {"recorded_ratio", true,
         [](const Work &w) { return figure(Kind::Ratio, given(recordedRow(w).ratioToFloor, "a ratio of that point")); }},
        {"recorded_departure", true,
         [](const Work &w) { return figure(Kind::Percent, given(recordedRow(w).departure, "a departure of that point")); }},
        {"recorded_status", true,
         [](const Work &w) {
             return choice(std::string(statusName(recordedRow(w).status)), {"ok", "oom", "skipped", "failed"});
         }},
        {"recorded_growth", true,
         [](const Work &w) { return figure(Kind::Percent, given(recordedSummary(w).growthMeasured, "a growth")); }},
        {"recorded_first_departure", true,
         [](const Work &w) {
             const double batch = recordedSummary(w).firstDepartureMeasured;
             return maybe(Kind::Count, std::isfinite(batch) ? std::optional(batch) : std::nullopt);
         }},
        {"line_bandwidth", true,
         [](const Work &w) { return figure(Kind::Bandwidth, given(readLine(recordedLine(w)).fit.all.bandwidth, "a line")); }},
        {"line_fixed", true,
         [](const Work &w) { return figure(Kind::Seconds, given(readLine(recordedLine(w)).fit.all.intercept, "a line")); }},
        {"line_r2", true, [](const Work &w) { return figure(Kind::Ratio, given(readLine(recordedLine(w)).fit.all.r2, "a line")); }},
        {"line_ceiling", true,
         [](const Work &w) { return figure(Kind::Bandwidth, given(readLine(recordedLine(w)).nominalCeiling, "a ceiling")); }},
        {"line_share", true, [](const Work &w) { return figure(Kind::Percent, given(lineShare(w), "a share")); }},
    };
    return all;
}

const Known *knownBy(std::string_view name)
{
    for (const Known &one : known()) {
        if (one.name == name)
            return &one;
    }
    return nullptr;
}

constexpr std::array kNumbers{"batch", "context", "prompt", "new", "overhead_ms"};
constexpr std::array kWords{"model", "device", "dtype", "accounting", "mode"};

std::string basisOf(const Work &work, bool recorded)
{
    const LessonContext &c = work.context;
    if (recorded) {
        const RunRecord &run = c.session->runs.front();
        std::string title = shownTitle(*c.session);
        if (title.empty())
            title = experimentName(run.plan.experiment);
        if (!run.provenance.deviceName.empty() && title.find(run.provenance.deviceName) == std::string::npos)
            title += ", " + run.provenance.deviceName;
        if (!run.provenance.startedUtc.empty())
            title += ", " + run.provenance.startedUtc.substr(0, 10);
        return title;
    }
    return c.shape.name + ", " + std::string(dtypeName(c.dtype)) + ", " + c.hardware + " (" + format::bandwidth(c.ceilings.bandwidth) +
           ", " + format::flops(c.ceilings.flops) + "), " + std::string(accountingName(c.accounting)) + ", b = " +
           plainCount(c.batch) + ", n = " + plainCount(c.context) + ", p = " + plainCount(c.prompt);
}

} // namespace

LessonQuantity parseLessonQuantity(std::string_view text)
{
    LessonQuantity quantity;
    std::size_t at = 0;
    while (at < text.size()) {
        const std::size_t from = text.find_first_not_of(" \t", at);
        if (from == std::string_view::npos)
            break;
        at = std::min(text.find_first_of(" \t", from), text.size());
        const std::string word(text.substr(from, at - from));
        if (quantity.name.empty()) {
            quantity.name = word;
            continue;
        }
        const auto equals = word.find('=');
        const std::string name = word.substr(0, equals);
        const std::string value = equals == std::string::npos ? std::string() : word.substr(equals + 1);
        const bool isNumber = std::find(kNumbers.begin(), kNumbers.end(), name) != kNumbers.end();
        if (!isNumber && std::find(kWords.begin(), kWords.end(), name) == kWords.end())
            fail("\"" + word + "\" is nothing that a quantity takes. It takes batch=, context=, prompt=, new=, overhead_ms=, "
                               "model=, device=, dtype=, accounting= and mode=.");
        if (isNumber) {
            const std::optional<double> found = number(value);
            if (!found || *found < 0 || (*found == 0 && name != "overhead_ms"))
                fail("\"" + word + "\" needs a number above zero.");
        }
        if ((name == "dtype" && !parseDType(value)) || (name == "accounting" && !parseAccounting(value)) ||
            (name == "mode" && !parseMode(value)) || value.empty())
            fail("\"" + word + "\" has no value that \"" + name + "\" can take.");
        quantity.arguments[name] = value;
    }
    if (!knownBy(quantity.name)) {
        std::vector<std::string> names;
        for (const Known &one : known())
            names.emplace_back(one.name);
        std::string near;
        for (const std::string &name : nearestNames(quantity.name, names))
            near += (near.empty() ? "" : ", ") + name;
        fail("\"" + quantity.name + "\" is no quantity. " + (near.empty() ? std::string() : "Near it: " + near + ". ") +
             "docs/lessons.md lists all of them.");
    }
    return quantity;
}

LessonContext contextAfter(const LessonSetup &setup, LessonContext context)
{
    if (setup.model)
        context.shape = context.catalog->modelById(*setup.model);
    if (setup.dtype)
        context.dtype = *setup.dtype;
    if (setup.device) {
        // The fixed cost of a step is the program's and its host's: another card does not take it away.
        const double overhead = context.ceilings.overhead;
        const HardwareProfile &hardware = context.catalog->hardwareById(*setup.device);
        context.hardware = hardware.name;
        context.hardwareId = hardware.id;
        context.ceilings = nominalCeilings(hardware, context.dtype);
        context.ceilings.overhead = overhead;
    } else if (setup.dtype && !context.hardwareId.empty()) {
        context.ceilings.flops = context.catalog->hardwareById(context.hardwareId).peak(context.dtype);
    }
    context.accounting = setup.accounting.value_or(context.accounting);
    context.batch = setup.batch.value_or(context.batch);
    context.context = setup.context.value_or(context.context);
    context.prompt = setup.prompt.value_or(context.prompt);
    context.ceilings.bandwidth = setup.bandwidth.value_or(context.ceilings.bandwidth);
    context.ceilings.flops = setup.peak.value_or(context.ceilings.flops);
    context.ceilings.overhead = setup.overhead.value_or(context.ceilings.overhead);
    if (!setup.batches.empty())
        context.batches = setup.batches;
    context.mode = setup.mode.value_or(setup.sample ? std::string() : context.mode);
    return context;
}

LessonFigure lessonFigure(const LessonQuantity &quantity, const LessonContext &before)
{
    const Known *one = knownBy(quantity.name);
    if (!one)
        fail("\"" + quantity.name + "\" is no quantity.");
    // A recorded figure belongs to its recording: its arguments choose a run or a point and change no prediction.
    if (one->recorded) {
        const Work work{before, quantity, {}};
        LessonFigure result = one->work(work);
        result.recorded = true;
        result.basis = basisOf(work, true);
        return result;
    }
    const auto word = [&](const char *name) -> std::optional<std::string> {
        const auto at = quantity.arguments.find(name);
        return at == quantity.arguments.end() ? std::nullopt : std::optional(at->second);
    };
    const auto value = [&](const char *name) -> std::optional<double> {
        const auto text = word(name);
        return text ? number(*text) : std::nullopt;
    };
    LessonSetup own;
    own.model = word("model");
    own.device = word("device");
    if (const auto dtype = word("dtype"))
        own.dtype = parseDType(*dtype);
    if (const auto accounting = word("accounting"))
        own.accounting = parseAccounting(*accounting);
    own.batch = value("batch");
    own.context = value("context");
    own.prompt = value("prompt");
    if (const auto overhead = value("overhead_ms"))
        own.overhead = *overhead * 1e-3;
    const LessonContext context = contextAfter(own, before);
    const Work work{context, quantity, makeWorkload(context.shape, context.dtype, context.accounting)};
    LessonFigure result = one->work(work);
    result.basis = basisOf(work, false);
    return result;
}

std::string LessonFigure::text() const
{
    if (never)
        return "never";
    switch (kind) {
    case Kind::Seconds:
        return format::seconds(value);
    case Kind::Bytes:
        return format::bytes(value);
    case Kind::Count:
        return plainCount(value);
    case Kind::Intensity:
        return format::intensity(value);
    case Kind::TokensPerSecond:
        return format::tokensPerSecond(value);
    case Kind::Ratio:
        return format::ratio(value);
    case Kind::Percent:
        return format::percent(value);
    case Kind::Bandwidth:
        return format::bandwidth(value);
    case Kind::Choice:
        return choice;
    }
    return {};
}

namespace {

/// Calls `each` with the text between every {{ and }}, and where it stands.
void eachFigure(std::string_view markdown, const std::function<void(std::size_t, std::size_t, std::string_view)> &each)
{
    for (std::size_t from = markdown.find("{{"); from != std::string_view::npos; from = markdown.find("{{", from)) {
        const std::size_t to = markdown.find("}}", from);
        if (to == std::string_view::npos)
            fail("A figure has no end. Close it: {{tpot_floor}}.");
        each(from, to + 2, markdown.substr(from + 2, to - from - 2));
        from = to + 2;
    }
}

} // namespace

std::vector<LessonQuantity> figuresIn(std::string_view markdown)
{
    std::vector<LessonQuantity> found;
    eachFigure(markdown, [&](std::size_t, std::size_t, std::string_view text) { found.push_back(parseLessonQuantity(text)); });
    return found;
}

std::string fillFigures(const std::string &markdown, const LessonContext &context)
{
    std::string filled;
    std::size_t done = 0;
    eachFigure(markdown, [&](std::size_t from, std::size_t to, std::string_view text) {
        filled += markdown.substr(done, from - done);
        try {
            filled += lessonFigure(parseLessonQuantity(text), context).text();
        } catch (const Error &error) {
            filled += std::string("(–: ") + error.what() + ")";
        }
        done = to;
    });
    return filled + markdown.substr(done);
}

std::string usualUnit(const LessonFigure &figure)
{
    switch (figure.kind) {
    case Kind::Seconds:
        return "ms";
    case Kind::Bytes:
        return !figure.never && figure.value < 1e6 ? "KB" : "GB";
    case Kind::Intensity:
        return "FLOP/B";
    case Kind::TokensPerSecond:
        return "tok/s";
    case Kind::Percent:
        return "%";
    case Kind::Bandwidth:
        return figure.value >= 1e12 ? "TB/s" : "GB/s";
    case Kind::Count:
    case Kind::Ratio:
    case Kind::Choice:
        break;
    }
    return {};
}

std::optional<double> parseExpectation(std::string_view text, const LessonFigure &figure, bool *never)
{
    *never = false;
    std::string plain;
    for (const char c : text) {
        if (c != ' ' && c != '\t')
            plain += c;
    }
    std::string lower = plain;
    std::transform(lower.begin(), lower.end(), lower.begin(), [](unsigned char c) { return char(std::tolower(c)); });
    if (lower == "never" || plain == "永不" || plain == "永远不会" || plain == "不会") {
        *never = true;
        return kMissing;
    }
    // A comma before three digits parts thousands; elsewhere it is a decimal one.
    if (const auto comma = plain.find(','); comma != std::string::npos) {
        std::size_t digits = comma + 1;
        while (digits < plain.size() && std::isdigit(static_cast<unsigned char>(plain[digits])))
            ++digits;
        if (digits - comma - 1 == 3 || plain.find(',', comma + 1) != std::string::npos)
            std::erase(plain, ',');
        else
            plain[comma] = '.';
    }
    double value = 0;
    const auto [end, fault] = std::from_chars(plain.data(), plain.data() + plain.size(), value);
    if (fault != std::errc() || !std::isfinite(value))
        return std::nullopt;
    std::string unit(plain, std::size_t(end - plain.data()));
    if (unit.empty())
        unit = usualUnit(figure);
    struct Unit {
        Kind kind;
        const char *name;
        double factor;
    };
    static constexpr Unit units[] = {
        {Kind::Seconds, "s", 1},           {Kind::Seconds, "ms", 1e-3},      {Kind::Seconds, "us", 1e-6},
        {Kind::Seconds, "µs", 1e-6},       {Kind::Bytes, "B", 1},            {Kind::Bytes, "KB", 1e3},
        {Kind::Bytes, "kB", 1e3},          {Kind::Bytes, "MB", 1e6},         {Kind::Bytes, "GB", 1e9},
        {Kind::Bytes, "TB", 1e12},         {Kind::Bandwidth, "GB/s", 1e9},   {Kind::Bandwidth, "TB/s", 1e12},
        {Kind::Percent, "%", 0.01},        {Kind::Intensity, "FLOP/B", 1},   {Kind::TokensPerSecond, "tok/s", 1},
        {Kind::Ratio, "x", 1},             {Kind::Ratio, "", 1},             {Kind::Count, "", 1},
        {Kind::Count, "k", 1e3},           {Kind::Count, "K", 1e3},          {Kind::Count, "M", 1e6}};
    for (const Unit &one : units) {
        if (one.kind == figure.kind && unit == one.name)
            return value * one.factor;
    }
    return std::nullopt;
}

} // namespace ridgepoint
