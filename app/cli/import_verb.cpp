// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/import_verb.h"

#include "app/cli/rows.h"
#include "core/base/error.h"
#include "core/base/format.h"

#include <fmt/format.h>

#include <algorithm>

namespace ridgepoint {

namespace {

void checkFormat(const std::string &format)
{
    if (format != "table" && format != "markdown" && format != "json" && format != "csv")
        throw Error(ErrorKind::Usage, fmt::format("--format was given '{}', but it takes table, markdown, json or csv.", format));
}

} // namespace

std::string importText(const Import &import, const std::string &format)
{
    checkFormat(format);
    if (format == "json" || format == "csv") {
        std::vector<Row> rows;
        for (const RunRecord &run : import.runs)
            for (const SweepPoint &p : run.points) {
                const double floor = p.forecast.floorNominal.stepSeconds > 0 ? p.forecast.floorNominal.floorSeconds() : kMissing;
                const ImportSource &source = *run.provenance.imported;
                rows.push_back({{"tool", source.tool},
                                {"model", run.plan.model.shape.id},
                                {"model_in_file", source.model},
                                {"dtype", source.dtype.empty() ? std::string(dtypeName(run.plan.dtype)) : source.dtype},
                                {"device", run.provenance.deviceName},
                                {"hardware", run.plan.hardwareId},
                                {"batch", p.batch},
                                {"prompt", p.prompt},
                                {"context", jsonNumber(p.context)},
                                {"status", std::string(statusName(p.status))},
                                {"tpot_s", jsonNumber(p.stepSeconds)},
                                {"tokens_per_s", jsonNumber(static_cast<double>(p.batch) / p.stepSeconds)},
                                {"floor_s", jsonNumber(floor)},
                                {"tpot_over_floor", jsonNumber(p.stepSeconds / floor)},
                                {"peak_bytes", jsonNumber(p.peakBytes)},
                                {"samples", p.steps.size()},
                                {"below_floor", isBelowFloor(p)},
                                {"imported", true}});
            }
        return format == "json" ? rowsToJson(rows) : rowsToCsv(rows);
    }
    std::string text;
    for (const RunRecord &run : import.runs) {
        const ImportSource &source = *run.provenance.imported;
        const ModelShape &shape = run.plan.model.shape;
        text += fmt::format("{}{}, imported from {}: measured by {}, not by this program\n{} in {} on {}\n\n", format == "markdown" ? "## " : "",
                            "Decode steps", source.file, source.tool, shape.name.empty() ? shape.id : shape.name,
                            source.dtype.empty() ? std::string(dtypeName(run.plan.dtype)) : source.dtype,
                            run.provenance.deviceName.empty() ? "a device that is not told" : run.provenance.deviceName);
        text += (format == "markdown" ? toMarkdown(importTable(run)) : toText(importTable(run))) + "\n";
    }
    if (const std::string impossible = belowFloorSentence(import); !impossible.empty())
        text += (format == "markdown" ? "- " + escapeMarkdown(impossible) : impossible) + "\n";
    for (const std::string &note : import.notes)
        text += (format == "markdown" ? "- " + escapeMarkdown(note) : note) + "\n";
    return text;
}

std::string compareText(const Comparison &comparison, const std::vector<std::string> &names, const std::string &format)
{
    checkFormat(format);
    if (format == "json" || format == "csv") {
        std::vector<Row> rows;
        for (const ComparedPoint &p : comparison.points)
            rows.push_back({{"kind", p.kind},
                            {"model", p.model},
                            {"dtype", p.dtype},
                            {"mode", p.mode},
                            {"batch", p.batch},
                            {"prompt", p.prompt},
                            {"session", names[p.other]},
                            {"baseline_s", jsonNumber(p.baselineSeconds)},
                            {"step_s", jsonNumber(p.seconds)},
                            {"ratio", jsonNumber(p.ratio)},
                            {"p", jsonNumber(p.p)},
                            {"baseline_samples", p.baselineSamples},
                            {"samples", p.samples},
                            {"baseline_imported", p.baselineImported},
                            {"imported", p.imported},
                            {"verdict", std::string(changeName(p.change))},
                            {"reason", p.reason}});
        return format == "json" ? rowsToJson(rows) : rowsToCsv(rows);
    }
    std::string text;
    for (std::size_t other = 1; other < names.size(); ++other) {
        TextTable table{{"what", "model", "dtype", "mode", "batch", "prompt", "baseline", "step", "ratio", "p", "verdict", "reason"}, {}};
        std::size_t counts[4] = {};
        for (const ComparedPoint &p : comparison.points) {
            if (p.other != other)
                continue;
            ++counts[static_cast<int>(p.change)];
            table.rows.push_back({p.kind, p.model, p.dtype, p.mode, format::count(static_cast<double>(p.batch)),
                                  format::count(static_cast<double>(p.prompt)),
                                  format::seconds(p.baselineSeconds) + (p.baselineImported ? " (imported)" : ""),
                                  format::seconds(p.seconds) + (p.imported ? " (imported)" : ""),
                                  format::significant(p.ratio, 4), format::significant(p.p, 2), std::string(changeName(p.change)), p.reason});
        }
        const std::string title = fmt::format("{} against {}", names[other], names.front());
        text += (format == "markdown" ? "## " + escapeMarkdown(title) : title) + "\n\n";
        text += (format == "markdown" ? toMarkdown(table) : toText(table)) + "\n";
        text += fmt::format("{} slower, {} faster, {} same, {} ambiguous.\n", counts[static_cast<int>(Change::Slower)],
                            counts[static_cast<int>(Change::Faster)], counts[static_cast<int>(Change::Same)],
                            counts[static_cast<int>(Change::Ambiguous)]);
    }
    if (comparison.baselineOnly || comparison.otherOnly)
        text += fmt::format("Points without a partner: {} of the baseline, {} of the others.\n", comparison.baselineOnly, comparison.otherOnly);
    text += decidingTest() + "\n";
    return text;
}

} // namespace ridgepoint
