// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/report.h"

#include "core/analytic/forecast.h"
#include "core/base/atomic_file.h"
#include "core/base/error.h"
#include "core/base/format.h"
#include "core/session/analysis.h"
#include "core/session/line.h"
#include "core/session/profile_match.h"
#include "core/session/replay.h"
#include "core/session/report_html.h"
#include "core/session/session_title.h"
#include "core/session/tables.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace ridgepoint {

namespace {

bool known(double value)
{
    return std::isfinite(value);
}

std::string orDash(const std::string &text)
{
    return text.empty() ? "-" : text;
}

std::string modelName(const RunPlan &plan)
{
    const ModelShape &shape = plan.model.shape;
    return shape.name.empty() ? orDash(shape.id) : shape.name;
}

std::string deviceName(const RunRecord &run)
{
    if (run.provenance.deviceName.empty() && isImported(run))
        return "a device that the table does not name";
    return run.provenance.deviceName.empty() ? run.plan.device : run.provenance.deviceName;
}

const MeasuredCeilings *measuredOf(const RunRecord &run)
{
    if (run.calibration)
        return &run.calibration->ceilings;
    return run.plan.measured ? &*run.plan.measured : nullptr;
}

std::string numbers(const std::vector<std::int64_t> &values)
{
    std::string text;
    for (const std::int64_t v : values)
        text += (text.empty() ? "" : ", ") + std::to_string(v);
    return orDash(text);
}

std::string outcome(const RunRecord &run)
{
    switch (run.state) {
    case RunRecord::State::Running:
        return "still running when this was written";
    case RunRecord::State::Done:
        return "done";
    case RunRecord::State::Cancelled:
        return "stopped by the user; the points below were finished before";
    case RunRecord::State::Failed:
        return "failed: " + run.sentence;
    case RunRecord::State::Interrupted:
        return "interrupted: the program ended before the run did";
    }
    return {};
}

std::string telemetryText(const RunRecord &run)
{
    const TelemetrySummary t = telemetryOf(run);
    if (!run.plan.telemetry)
        return "Clocks, temperature, power and throttling were not read: telemetry was switched off.";
    if (!t.steps)
        return "No step was timed, so nothing was read beside one.";
    if (!t.sampled)
        return "Clocks, temperature, power and throttling were not read: the device's driver told none of them.";
    std::vector<std::string> parts;
    const auto range = [&parts](const char *what, const TelemetrySummary::Range &r, double unit, const char *name) {
        if (!r.known())
            return;
        const std::string low = fmt::format("{:.0f}", r.least / unit), high = fmt::format("{:.0f}", r.greatest / unit);
        parts.push_back(low == high ? fmt::format("{} {} {}", what, low, name)
                                    : fmt::format("{} {} to {} {}", what, low, high, name));
    };
    range("SM clock", t.smClockHz, 1e6, "MHz");
    range("memory clock", t.memoryClockHz, 1e6, "MHz");
    range("temperature", t.temperatureC, 1, "C");
    range("power", t.powerWatts, 1, "W");
    std::string text = fmt::format("Read beside {} of {} steps: ", t.sampled, t.steps);
    for (std::size_t i = 0; i < parts.size(); ++i)
        text += (i ? ", " : "") + parts[i];
    text += parts.empty() ? "throttling alone. " : ". ";
    if (!t.throttled)
        return text + "No step was throttled.";
    std::string reasons;
    for (const std::string &reason : t.reasons)
        reasons += (reasons.empty() ? "" : ", ") + reason;
    return text + fmt::format("{} of them throttled ({}): {}. They are marked, and counted in every median.",
                              t.throttled,
                              format::percent(static_cast<double>(t.throttled) / static_cast<double>(t.sampled)),
                              escapeMarkdown(reasons));
}

/// Text of any content as an indented code block, in which Markdown reads nothing. Lines break where they would leave a page.
std::string codeBlock(std::string_view whole)
{
    constexpr std::size_t kMost = 10'000, kColumns = 160;
    const std::string text = format::elided(whole, kMost);
    std::string block = "    ";
    std::size_t column = 0;
    for (const char c : text) {
        const bool begins = (static_cast<unsigned char>(c) & 0xC0) != 0x80;
        column = c == '\n' ? 0 : column + begins;
        if (column > kColumns && begins) {
            block += "\n    ";
            column = 1;
        }
        if (c == '\n')
            block += "\n    ";
        else if (static_cast<unsigned char>(c) >= 0x20 || c == '\t')
            block += c;
    }
    return block + "\n";
}

std::string setup(const RunRecord &run)
{
    TextTable table{{"what", "value"}, {}};
    const auto row = [&table](std::string what, std::string value) {
        table.rows.push_back({std::move(what), orDash(value)});
    };
    const RunPlan &plan = run.plan;
    const Provenance &p = run.provenance;
    row("Experiment", std::string(experimentName(plan.experiment)));
    row("Outcome", outcome(run));
    row("Device", fmt::format("{} ({})", deviceName(run), plan.device));
    if (p.imported) {
        row("Imported", fmt::format("from {}, measured by {}; not by this program", p.imported->file, p.imported->tool));
        for (const std::string &note : p.imported->notes)
            row("Note", note);
    }
    row("Nominal ceilings of", plan.hardwareId);
    if (isImportedLine(run)) {
        row("Accounting", "the table's own");
    } else if (plan.experiment == Experiment::Line) {
        std::string models, dtypes;
        for (const ModelSource &model : plan.models)
            models += (models.empty() ? "" : ", ") + (model.shape.name.empty() ? model.shape.id : model.shape.name);
        for (const DType dtype : plan.dtypes)
            dtypes += (dtypes.empty() ? "" : ", ") + std::string(dtypeName(dtype));
        row("Models", models);
        row("dtypes", dtypes);
        row("mode", std::string(modeName(plan.mode)));
        row("Weights", fmt::format("random, seed {}, or those of a folder", plan.seed));
        row("Accounting", "exact: what a step streams; batch 1");
        row("Prompt, new tokens", fmt::format("{}, {}", numbers(plan.prompts), plan.newTokens));
        row("Repeats", fmt::format("{} untimed, {} timed, median", plan.warmup, plan.repeats));
    } else if (plan.experiment != Experiment::Calibrate) {
        row("Model", fmt::format("{} ({})", modelName(plan), plan.model.shape.id));
        row("Weights", plan.model.folder.empty() ? fmt::format("random, seed {}", plan.seed)
                                                 : "checkpoint " + plan.model.folder.filename().string());
        row("Accounting", "exact: what a step streams and multiplies, attention and the KV write included");
        row("dtype, mode", fmt::format("{}, {}", dtypeName(plan.dtype), modeName(plan.mode)));
    }
    if (plan.experiment == Experiment::Sweep) {
        row("Batches", numbers(plan.batches));
        row("Prompts", numbers(plan.prompts));
        row("Steps a point", fmt::format("{} untimed, {} timed, median", plan.warmup, plan.steps));
    }
    if (plan.experiment == Experiment::Anatomy && !plan.batches.empty() && !plan.prompts.empty()) {
        row("Batch", std::to_string(plan.batches.front()));
        row("Context", std::to_string(plan.prompts.front()));
        row("Untraced steps", fmt::format("{} untimed, {} timed, median", plan.warmup, plan.steps));
    }
    if (plan.experiment == Experiment::Ttft)
        row("Repeats", fmt::format("{} untimed, {} timed, median", plan.warmup, plan.repeats));
    row("Command", p.commandLine);
    row("Started", p.startedUtc);
    row("Run", plan.runId);
    return toMarkdown(table);
}

/// What the run was on, as the driver, the engine and the host tell it, and what the device's sensors said.
std::string deviceSection(const RunRecord &run, const Catalog *catalog)
{
    TextTable table{{"what", "value"}, {}};
    const auto row = [&table](std::string what, std::string value) {
        table.rows.push_back({std::move(what), orDash(value)});
    };
    const Provenance &p = run.provenance;
    row("Name", fmt::format("{} ({})", deviceName(run), run.plan.device));
    if (known(p.deviceMemoryBytes))
        row("Memory", format::bytes(p.deviceMemoryBytes));
    if (known(p.lastLevelCacheBytes))
        row("Last-level cache", format::bytes(p.lastLevelCacheBytes));
    if (p.threads > 0)
        row("CPU threads",
            p.threadNote.empty() ? std::to_string(p.threads) : fmt::format("{} ({})", p.threads, p.threadNote));
    for (const auto &[key, value] : p.extra) // driver, CUDA, compute capability, clocks, ...
        row(key, value);
    row("Engine", p.engineVersion);
    row("Program", p.gitCommit.empty() ? p.programVersion : fmt::format("{} ({})", p.programVersion, p.gitCommit));
    row("Host", p.hostCpu);
    row("System", p.hostOs);
    std::string text = "### Device\n\n" + toMarkdown(table);
    if (catalog)
        if (const std::string mismatch = profileMismatch(run, *catalog); !mismatch.empty())
            text += "\n**Another device.** " + escapeMarkdown(mismatch) + "\n";
    if (run.plan.device != "cpu" && run.plan.experiment != Experiment::Calibrate && !isImported(run))
        text += "\n" + telemetryText(run) + "\n";
    return text;
}

std::string ceilingsSection(const RunRecord &run)
{
    const MeasuredCeilings *m = measuredOf(run);
    const Ceilings &nominal = run.plan.nominal;
    const auto positive = [](double v) { return v > 0 ? v : kMissing; };
    const auto measured = [&](const std::optional<double> &v, std::string (*show)(double)) {
        return v ? show(*v) : std::string("not measured");
    };
    TextTable table{{"ceiling", "nominal", "measured", "counted"}, {}};
    const std::optional<double> none;
    table.rows.push_back({"bandwidth, read only", format::bandwidth(positive(nominal.bandwidth)),
                          measured(m ? m->readBandwidth : none, format::bandwidth), "bytes read"});
    table.rows.push_back({"bandwidth, copy", "-", measured(m ? m->copyBandwidth : none, format::bandwidth),
                          "bytes read + bytes written"});
    for (const DType dtype : {DType::F32, DType::F16, DType::BF16}) {
        const bool inUse = dtype == run.plan.dtype;
        std::optional<double> rate;
        if (m && m->matmulFlops.count(dtype))
            rate = m->matmulFlops.at(dtype);
        if (inUse || rate)
            table.rows.push_back({fmt::format("matrix products, {}", dtypeName(dtype)),
                                  inUse ? format::flops(positive(nominal.flops)) : std::string("-"),
                                  measured(rate, format::flops), "dense, 2 m n k a product"});
    }
    table.rows.push_back({"fixed cost of a step", "-", measured(m ? m->stepOverhead : none, format::seconds),
                          m && m->stepOverhead
                              ? fmt::format("{}, {} layers", orDash(m->overheadShape), m->overheadLayers)
                              : std::string()});
    if (m && m->graphStepOverhead)
        table.rows.push_back({"fixed cost of a step as a graph", "-", format::seconds(*m->graphStepOverhead),
                              fmt::format("{}, {} layers, replayed", orDash(m->overheadShape), m->overheadLayers)});
    if (m && m->graphNodeOverhead)
        table.rows.push_back(
            {"fixed cost of a graph's node", "-", format::seconds(*m->graphNodeOverhead), "an empty kernel"});
    table.rows.push_back({"fixed cost of a launch", "-", measured(m ? m->launchOverhead : none, format::seconds), ""});
    table.rows.push_back({"memory", format::bytes(positive(nominal.memory)),
                          known(run.provenance.deviceMemoryBytes) ? format::bytes(run.provenance.deviceMemoryBytes)
                                                                  : std::string("not measured"),
                          "capacity"});
    std::string text = "### Ceilings\n\n" + toMarkdown(table);
    if (m && !m->deviceName.empty()) {
        text += fmt::format("\nMeasured on {}", escapeMarkdown(m->deviceName));
        if (!m->driver.empty())
            text += fmt::format(", driver {}", escapeMarkdown(m->driver));
        if (!m->clocks.empty())
            text += fmt::format(", at {}", escapeMarkdown(m->clocks));
        if (!m->dateUtc.empty())
            text += fmt::format(", {}", escapeMarkdown(m->dateUtc));
        text += ".\n";
    }
    if (run.calibration) {
        text += "\n### Calibration\n\n" + toMarkdown(calibrationTable(run)) +
                "\nThe spread is (p90 - p10) / median of the samples. A copy counts the bytes that it reads and the "
                "bytes that it writes; decode reads, so the read-only figure is its ceiling.\n";
    }
    return text;
}

/// The workload of a run, where it has one.
std::optional<Workload> workloadOf(const RunRecord &run)
{
    try {
        return runWorkload(run);
    } catch (const Error &) {
        return std::nullopt;
    }
}

/// What a prediction of this run stands on: measured ceilings where there are any, nominal ones for the rest.
Ceilings bestCeilings(const RunRecord &run)
{
    const MeasuredCeilings *m = measuredOf(run);
    Ceilings c = run.plan.nominal;
    c.memory = memoryOf(run);
    if (!m)
        return c;
    if (m->readBandwidth)
        c.bandwidth = *m->readBandwidth;
    if (const auto rate = m->matmulFlops.find(run.plan.dtype); rate != m->matmulFlops.end())
        c.flops = rate->second;
    if (const auto overhead = m->stepOverheadFor(run.plan.model.shape.layers, isReplayed(run.plan.mode)))
        c.overhead = *overhead;
    return c;
}

std::string formulas(const RunRecord &run, double batch, double context, double measuredSeconds, std::string_view title)
{
    const std::optional<Workload> workload = workloadOf(run);
    if (!workload)
        return {};
    std::vector<FilledFormula> lines;
    try {
        Ceilings ceilings = bestCeilings(run);
        if (const MeasuredCeilings *timed = measuredOf(run))
            ceilings = withTimedOverhead(ceilings, *timed, run.plan.model.shape, run.plan.dtype,
                                         run.plan.mode, batch, context);
        lines = explainStep(*workload, ceilings, batch, context, measuredSeconds);
    } catch (const Error &) {
        return {}; // no ceilings are known: there is nothing to fill in
    }
    TextTable table{{"quantity", "formula", "with numbers", "result"}, {}};
    for (const FilledFormula &f : lines)
        table.rows.push_back({f.name, f.formula, f.filled, f.result});
    const MeasuredCeilings *m = measuredOf(run);
    return fmt::format("### The formulas filled in: {}\n\n", title) + toMarkdown(table) +
           (m && m->readBandwidth ? "\nB, P and the overhead are the measured ones where they were measured.\n"
                                  : "\nB and P are the nominal ones: nothing was calibrated.\n");
}

std::string bullets(const std::vector<std::string> &sentences)
{
    std::string text;
    for (const std::string &sentence : sentences)
        text += "- " + escapeMarkdown(sentence) + "\n";
    return text;
}

std::string bendSection(const RunRecord &run)
{
    const MeasuredCeilings *m = measuredOf(run);
    if (!m || !m->readBandwidth)
        return "### Why it bends\n\nNot measured: without a calibrated read bandwidth a step time says nothing about "
               "bytes. Run calibrate first.\n";
    const std::vector<BendAnalysis> bends = bendOf(run);
    const TextTable table = bendTable(bends);
    std::string text = "### Why it bends\n\n";
    if (table.rows.empty())
        return text + "Not measured: no point finished.\n";
    text += toMarkdown(table);
    text += "\nThe time that a step lost against the smallest batch falls into shares; none is given where that time is "
            "not more than the width p10 to p90 of the two:\n\n"
            "- what the KV bytes explain: the additional b n kv over the read bandwidth;\n"
            "- what compute explains: the time by which the arithmetic exceeds the bytes;\n";
    std::string cut;
    for (const BendAnalysis &bend : bends)
        for (const double batch : bend.cutOff)
            cut += fmt::format("{}batch {} of prompt {}", cut.empty() ? "" : ", ", format::count(batch),
                               format::count(bend.prompt));
    text += "- what memory capacity cut off: " +
            (cut.empty() ? "nothing in this sweep" : cut + " (not measured; the reasons stand in the table above)") + ";\n";
    text += "- what is left to kernels: the rest, launches included. Below 0 % the KV bytes explain more than was lost.\n\n"
            "Effective bytes are step time x measured read bandwidth; what they hold beyond W + b n kv is time that moved no "
            "bytes of the model.\n\n";
    return text + bullets(bendSentences(bends));
}

std::string verdictSection(const Session &session, const RunRecord &run)
{
    const TextTable table = verdictTable(session, run);
    if (table.rows.empty())
        return {};
    std::string text = "\n### What limits each point\n\n" + toMarkdown(table) +
                       "\nMemory and compute: what bytes and arithmetic alone would take of the step at the ceilings. "
                       "Launch: what launches and the fixed cost of kernels take. The shares overlap and need not sum to "
                       "100 %.\n";
    // The evidence of the ends stands for the rest; `ridgepoint explain` prints that of every point.
    std::vector<std::pair<std::string, Verdict>> ends;
    std::vector<Message> cautions; // each pattern once
    const auto mind = [&cautions](const Verdict &v) {
        for (const Message &c : v.cautions)
            if (std::none_of(cautions.begin(), cautions.end(), [&](const Message &m) { return m.pattern == c.pattern; }))
                cautions.push_back(c);
    };
    const SweepPoint *last = nullptr;
    for (const SweepPoint &p : run.points) {
        if (p.status != PointStatus::Ok)
            continue;
        const Verdict v = judge(session, run, p);
        mind(v);
        const std::string name = fmt::format("prompt {}, batch {}", format::count(static_cast<double>(p.prompt)),
                                             format::count(static_cast<double>(p.batch)));
        if (!last)
            ends.emplace_back(name, v);
        else if (ends.size() == 1)
            ends.emplace_back(name, v);
        else
            ends.back() = {name, v};
        last = &p;
    }
    if (run.ttft) {
        ends.emplace_back("the TPOT", judgeTtft(session, run));
        mind(ends.back().second);
    }
    for (const auto &[name, verdict] : ends) {
        text += fmt::format("\nThe evidence at {}: {}\n\n", name, escapeMarkdown(verdict.sentence.english()));
        for (const Evidence &e : verdict.evidence)
            text += "- " + escapeMarkdown(e.text.english()) +
                    (e.toward == VerdictKind::CannotTell ? std::string()
                                                         : fmt::format(" ({})", verdictName(e.toward))) +
                    "\n";
        for (const Message &next : verdict.next)
            text += "- Next: " + escapeMarkdown(next.english()) + "\n";
    }
    if (!cautions.empty()) {
        text += "\nEasily misread:\n\n";
        for (const Message &c : cautions)
            text += "- " + escapeMarkdown(c.english()) + "\n";
    }
    return text;
}

std::string expectationSection(const RunRecord &run)
{
    const TextTable table = expectationTable(run);
    return table.rows.empty() ? std::string()
                              : "\n### What was expected\n\n" + toMarkdown(table) +
                                    "\nWritten down before the run; it entered no forecast.\n";
}

std::string frontierSection(const RunRecord &run)
{
    const std::vector<FrontierCheck> checks = checkFrontier(run);
    if (checks.empty())
        return {};
    return "\n### The largest batch that fits\n\n" + toMarkdown(frontierTable(checks)) + "\n" +
           bullets(frontierSentences(run, checks));
}

std::string decompositionSection(const Session &session)
{
    std::string text;
    for (const SessionDecomposition &d : decomposeSession(session))
        text += fmt::format("\n### {}\n\n", escapeMarkdown(decompositionTitle(d))) + toMarkdown(decompositionTable(d)) + "\n" +
                bullets(decompositionSentences(d));
    return text.empty() ? text
                        : "\n## Steps split by regression\n\nLeast squares of the finished points on fixed cost, weight bytes, KV "
                          "bytes and FLOP, each point by its relative error; a term that the points cannot tell from the "
                          "others has no figure and says what to vary.\n" +
                              text;
}

std::string sweepSection(const RunRecord &run)
{
    const std::vector<SweepRow> rows = sweepRows(run);
    std::string text = "### Batch sweep\n\n";
    if (rows.empty())
        return text + "No point finished.\n";
    text += toMarkdown(sweepTable(run));
    text += "\nLinear is batch x tokens a second at the smallest measured batch; departure is 1 - tokens a second / "
            "linear. Measured / predicted of 0.9 to 1.3 says that the model holds.\n";
    if (std::any_of(rows.begin(), rows.end(), [](const SweepRow &r) { return known(r.hostGapSeconds); }))
        text += "The host gap is wall less device time, the median of the steps: the time in which the device had not "
                "begun or was already done while the host launched and waited.\n";
    if (const std::string sentence = synchronisationSentence(run); !sentence.empty())
        text += "\n" + sentence + "\n";
    if (const std::string sentence = attentionSentence(run); !sentence.empty())
        text += "\n" + escapeMarkdown(sentence) + "\n";

    std::string missing;
    for (const SweepRow &row : rows)
        if (row.status != PointStatus::Ok)
            missing += fmt::format("- batch {}, prompt {}: {}{}\n", format::count(row.batch), format::count(row.prompt),
                                   statusName(row.status),
                                   row.reason.empty() ? std::string() : ", " + escapeMarkdown(row.reason));
    if (!missing.empty())
        text += "\n### Points without a time\n\n" + missing;

    TextTable summary{{"prompt", "step growth, measured", "step growth, predicted",
                       "first departure over 5 %, measured", "first departure over 5 %, predicted"},
                      {}};
    for (const SweepSummary &s : sweepSummaries(run)) {
        bool measured = false, predicted = false;
        for (const SweepRow &row : rows) {
            measured = measured || (row.prompt == s.prompt && known(row.departure));
            predicted = predicted || (row.prompt == s.prompt && known(row.predictedDeparture));
        }
        const auto first = [](double batch, bool any) {
            return known(batch) ? "batch " + format::count(batch) : any ? std::string("none") : std::string("-");
        };
        summary.rows.push_back({format::count(s.prompt), format::percent(s.growthMeasured),
                                format::percent(s.growthPredicted), first(s.firstDepartureMeasured, measured),
                                first(s.firstDeparturePredicted, predicted)});
    }
    text += "\n### Measured beside predicted\n\n" + toMarkdown(summary) + "\n" + bendSection(run);

    const SweepRow *first = nullptr, *last = nullptr;
    for (const SweepRow &row : rows) {
        if (!known(row.stepSeconds))
            continue;
        first = first ? first : &row;
        last = &row;
    }
    for (const SweepRow *row : {first, last == first ? nullptr : last}) {
        const std::string part =
            row ? formulas(run, row->batch, row->context, row->stepSeconds,
                           fmt::format("batch {}, context {}", format::count(row->batch), format::exact(row->context)))
                : std::string();
        if (!part.empty())
            text += "\n" + part;
    }
    return text;
}

std::string ttftSection(const RunRecord &run)
{
    std::string text = "### TTFT and TPOT\n\n";
    if (!run.ttft)
        return text + "The run ended before its result.\n";
    const TtftResult &t = *run.ttft;
    text += toMarkdown(ttftTable(run));
    text += "\n" + crossCheck(t).text + "\n";
    if (!t.promptText.empty())
        text += "\nThe prompt:\n\n" + codeBlock(t.promptText);
    if (!t.text.empty())
        text += "\nThe generated text (greedy, first sequence):\n\n" + codeBlock(t.text);
    const TtftMethodResult *best = recordMethod(t);
    const double tpot = best ? best->tpotSeconds : kMissing;
    const double context = t.forecast.floorNominal.context;
    if (context > 0) {
        const std::string part = formulas(run, static_cast<double>(t.batch), context, tpot,
                                          fmt::format("one token in the middle, context {}", format::exact(context)));
        if (!part.empty())
            text += "\n" + part;
    }
    return text;
}

std::string lineSection(const RunRecord &run)
{
    std::string text = "### Line over models\n\n";
    if (run.line.empty())
        return text + "No row finished.\n";
    const LineReading reading = readLine(run);
    if (isImportedLine(run))
        text += "These rows were imported: another program measured them.\n\n";
    text += toMarkdown(lineTable(run, reading));
    text += "\nTPOT is the median of the repeats. By the line: slope x weights + fixed cost, through all rows. Reading "
            "weights: the share of that which is slope x weights.\n\n### The lines\n\n" +
            toMarkdown(lineFitTable(reading)) + "\n";
    for (const std::string &sentence : lineSentences(run, reading))
        text += "- " + escapeMarkdown(sentence) + "\n";
    return text;
}

std::string anatomySection(const RunRecord &run)
{
    constexpr std::size_t kKernels = 20;
    std::string text = "### Anatomy of a step\n\n";
    if (!run.anatomy)
        return text + "The run ended before its result.\n";
    const StepAnatomy &anatomy = *run.anatomy;
    text += fmt::format("One decode step in mode {}, batch {}, context {}.\n\n", modeName(anatomy.mode),
                        format::count(anatomy.batch), format::count(anatomy.context));
    for (const std::string &sentence : anatomySentences(anatomy))
        text += "- " + escapeMarkdown(sentence) + "\n";
    text += "\n#### Parts\n\n" + toMarkdown(anatomyPartsTable(anatomy));
    if (!anatomy.kernels.empty())
        text += "\n#### Kernels by time\n\n" + toMarkdown(anatomyKernelsTable(anatomy, kKernels));
    return text;
}

constexpr std::size_t kLongestTitle = 200;

/// Charts show one run of a session; which one each shows is theirs to choose, and that it is the newest is told here.
std::string picturesIntro(const Session &session)
{
    return session.runs.size() < 2 ? std::string()
                                   : "\nEach chart shows the newest run that has what it draws, not all of them; the throughput also the newest "
                                     "sweeps in other modes of the same case. The sections above have every run.\n";
}

constexpr std::string_view kGlossary =
    "W: weight bytes that a step reads. kv: KV-cache bytes a token. b: batch. n: context, the tokens in the cache. N: "
    "parameters. B: memory bandwidth. P: arithmetic rate. AI: arithmetic intensity, FLOP / bytes. Ridge: P / B. TTFT: "
    "time to the first token. TPOT: time of one further token, one decode step. Floor: max(bytes / B, FLOP / P). "
    "Units are decimal: 1 GB = 1e9 B. '-' is a value that was not measured.\n";

} // namespace

std::string reportMarkdown(const Session &session, const std::vector<ReportPicture> &pictures, const Catalog *catalog)
{
    std::string text = "# Ridgepoint report";
    if (const std::string title = shownTitle(session); !title.empty())
        text += ": " + escapeMarkdown(format::elided(title, kLongestTitle));
    text += fmt::format("\n\nSession {}, begun {}, {} run{}. Every time is measured unless it is called floor or "
                        "predicted; those follow from the ceilings alone.\n",
                        escapeMarkdown(session.id), escapeMarkdown(session.createdUtc), session.runs.size(),
                        session.runs.size() == 1 ? "" : "s");
    for (std::size_t i = 0; i < session.runs.size(); ++i) {
        const RunRecord &run = session.runs[i];
        std::string title(experimentName(run.plan.experiment));
        if (run.plan.experiment == Experiment::Line)
            title += fmt::format(" over {}{} rows", run.line.size(), isImportedLine(run) ? " imported" : "");
        else if (run.plan.experiment != Experiment::Calibrate)
            title += fmt::format("{} of {} in {}", run.provenance.imported ? ", imported," : "", modelName(run.plan),
                                 dtypeName(run.plan.dtype));
        title += " on " + deviceName(run);
        if (isReplay(run))
            title += " (a recording, played again)";
        text += fmt::format("\n## Run {}: {}\n\n", i + 1, escapeMarkdown(format::elided(title, kLongestTitle))) + setup(run) + "\n";
        text += deviceSection(run, catalog) + "\n";
        text += ceilingsSection(run);
        if (run.plan.experiment == Experiment::Sweep)
            text += "\n" + sweepSection(run) + verdictSection(session, run) + frontierSection(run) + expectationSection(run);
        if (run.plan.experiment == Experiment::Ttft)
            text += "\n" + ttftSection(run) + verdictSection(session, run) + expectationSection(run);
        if (run.plan.experiment == Experiment::Line)
            text += "\n" + lineSection(run);
        if (run.plan.experiment == Experiment::Anatomy)
            text += "\n" + anatomySection(run);
    }
    text += decompositionSection(session);
    if (!pictures.empty()) {
        text += "\n## Pictures\n" + picturesIntro(session);
        for (const ReportPicture &picture : pictures) {
            std::string target; // a link's target ends at a space or a bracket
            for (const char c : picture.fileName)
                if (std::string_view(" ()<>\\%\"\r\n").find(c) != std::string_view::npos)
                    target += fmt::format("%{:02X}", static_cast<unsigned char>(c));
                else
                    target += c;
            text += fmt::format("\n![{}]({})\n\n{}\n", escapeMarkdown(picture.caption), target,
                                escapeMarkdown(picture.caption));
        }
    }
    if (text.find(escapeMarkdown(format::kCutMark)) != std::string::npos || text.find(format::kCutMark) != std::string::npos)
        text += "\nLong texts are cut above, where it says so; session.json holds them whole.\n";
    text += "\n## Words\n\n" + std::string(kGlossary);
    return text;
}

std::vector<std::pair<std::string, std::string>> traceFiles(const Session &session)
{
    std::vector<const RunRecord *> traced;
    for (const RunRecord &run : session.runs)
        if (run.anatomy && !run.anatomy->kernels.empty())
            traced.push_back(&run);
    std::vector<std::pair<std::string, std::string>> files;
    for (std::size_t i = 0; i < traced.size(); ++i)
        files.emplace_back(traced.size() == 1 ? "trace.json" : fmt::format("trace-{}.json", i + 1),
                           chromeTrace(*traced[i]->anatomy, traceTitle(*traced[i])));
    return files;
}

std::string traceTitle(const RunRecord &run)
{
    const StepAnatomy anatomy = run.anatomy.value_or(StepAnatomy());
    return fmt::format("Ridgepoint: a decode step of {} in {} on {}, mode {}, batch {}, context {}", modelName(run.plan),
                       dtypeName(run.plan.dtype), deviceName(run), modeName(anatomy.mode), format::count(anatomy.batch),
                       format::count(anatomy.context));
}

std::vector<std::filesystem::path> writeReport(const Session &session, const std::filesystem::path &folder,
                                               const std::vector<ReportPicture> &pictures, const Catalog *catalog,
                                               const std::vector<ReportFormat> &formats, const ReportTranslation &translate)
{
    const auto wanted = [&formats](ReportFormat f) { return std::find(formats.begin(), formats.end(), f) != formats.end(); };
    std::vector<std::filesystem::path> written;
    const auto put = [&](const char *name, const std::string &bytes) {
        written.push_back(folder / name);
        writeFileAtomically(written.back(), bytes);
    };
    // A table with its header alone is no table.
    const auto putRows = [&](const char *name, const std::string &csv) {
        if (csv.find('\n') + 1 < csv.size())
            put(name, csv);
    };
    put("session.json", toJson(session));
    putRows("sweep.csv", sweepCsv(session.runs));
    putRows("steps.csv", stepsCsv(session.runs));
    putRows("ttft.csv", ttftCsv(session.runs));
    putRows("line.csv", lineCsv(session.runs));
    putRows("calibration.csv", calibrationCsv(session.runs));
    putRows("anatomy.csv", anatomyCsv(session.runs));
    putRows("kernels.csv", kernelsCsv(session.runs));
    for (const auto &[name, trace] : traceFiles(session))
        put(name.c_str(), trace);
    if (wanted(ReportFormat::Markdown))
        put("report.md", translatedReport(reportMarkdown(session, pictures, catalog), translate));
    if (wanted(ReportFormat::Html))
        put("report.html", reportHtml(session, folder, pictures, catalog, translate));
    return written;
}

} // namespace ridgepoint
