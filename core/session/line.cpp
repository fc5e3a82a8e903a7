// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/line.h"

#include "core/base/format.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <functional>

namespace ridgepoint {

namespace {

bool known(double value)
{
    return std::isfinite(value);
}

bool hasTime(const LineRow &row)
{
    return row.status == PointStatus::Ok && known(row.tpotSeconds) && row.tpotSeconds > 0 && known(row.weightBytes) &&
           row.weightBytes > 0;
}

const std::string &nameOf(const LineRow &row)
{
    return row.name.empty() ? row.model : row.name;
}

std::string rowName(const LineRow &row)
{
    return row.dtype.empty() ? nameOf(row) : nameOf(row) + " " + row.dtype;
}

std::string rowsText(std::size_t count)
{
    return fmt::format("{} row{}", count, count == 1 ? "" : "s");
}

double predictedOf(const LineRow &row)
{
    return row.forecast.predicted ? row.forecast.predicted->stepSeconds : kMissing;
}

double floorOf(const LineRow &row)
{
    return row.forecast.floorNominal.stepSeconds > 0 ? row.forecast.floorNominal.floorSeconds() : kMissing;
}

double measuredFloorOf(const LineRow &row)
{
    return row.forecast.floorMeasured ? row.forecast.floorMeasured->floorSeconds() : kMissing;
}

/// Two texts of the ends, "a to b"; empty without an interval.
std::string between(const std::optional<Interval> &interval, const std::function<std::string(double)> &text)
{
    if (!interval)
        return {};
    return fmt::format("{} to {}", text(interval->low),
                       std::isinf(interval->high) ? std::string("without limit") : text(interval->high));
}

std::string slopeFigure(double slope)
{
    return format::significant(slope * 1e12, 4);
}

std::string r2Text(double r2)
{
    return known(r2) ? fmt::format("{:.3f}", r2) : std::string("-");
}

} // namespace

const LineRowFigures *LineReading::figuresOf(std::size_t row) const
{
    const auto found = std::find(used.begin(), used.end(), row);
    return found == used.end() ? nullptr : &fit.rows[static_cast<std::size_t>(found - used.begin())];
}

bool LineReading::isMaybeCached(std::size_t row) const
{
    return std::find(maybeCached.begin(), maybeCached.end(), row) != maybeCached.end();
}

LineReading readLine(const RunRecord &run)
{
    LineReading reading;
    if (run.plan.nominal.bandwidth > 0)
        reading.nominalCeiling = run.plan.nominal.bandwidth;
    const MeasuredCeilings *measured = run.calibration     ? &run.calibration->ceilings
                                       : run.plan.measured ? &*run.plan.measured
                                                           : nullptr;
    if (measured && measured->readBandwidth)
        reading.measuredCeiling = *measured->readBandwidth;
    if (run.provenance.lastLevelCacheBytes > 0)
        reading.cacheBytes = run.provenance.lastLevelCacheBytes;
    std::vector<LinePoint> points;
    for (std::size_t i = 0; i < run.line.size(); ++i) {
        const LineRow &row = run.line[i];
        if (!hasTime(row))
            continue;
        if (mayBeCached(row.weightBytes, reading.cacheBytes))
            reading.maybeCached.push_back(i);
        reading.used.push_back(i);
        points.push_back({nameOf(row), row.family, row.weightBytes, row.tpotSeconds});
    }
    reading.fit = fitModelLine(points);
    reading.flags = bandwidthFlags(reading.fit, reading.ceiling());
    return reading;
}

bool isImportedLine(const RunRecord &run)
{
    return !run.line.empty() &&
           std::all_of(run.line.begin(), run.line.end(), [](const LineRow &row) { return row.imported; });
}

std::string slopeText(double slope)
{
    return known(slope) ? slopeFigure(slope) + " ms/GB" : std::string("-");
}

std::string estimateSentence(const LineEstimate &line)
{
    if (!line.identifiable)
        return line.problem;
    const auto with = [](std::string figure, const std::string &interval) {
        return interval.empty() ? figure : figure + " (" + interval + ")";
    };
    std::string text = fmt::format(
        "TPOT = {} x weights {} {}", with(slopeText(line.slope), between(line.slopeInterval, slopeFigure)),
        line.intercept < 0 ? "-" : "+",
        with(format::seconds(std::abs(line.intercept)), between(line.interceptInterval, format::seconds)));
    if (known(line.r2))
        text += fmt::format("; R^2 {}", with(r2Text(line.r2), between(line.r2Interval, r2Text)));
    text += ", " + rowsText(line.points);
    if (known(line.bandwidth))
        text += fmt::format("; the slope implies reading at {}",
                            with(format::bandwidth(line.bandwidth), between(line.bandwidthInterval, format::bandwidth)));
    else
        text += "; the slope is not above zero and implies no bandwidth";
    text += line.slopeInterval ? ". In brackets: 95 % intervals." : ". " + line.problem;
    if (line.intercept < 0)
        text += " The fixed cost comes out below zero, which no time is: the rows do not lie on one line.";
    return text;
}

std::string flagSentence(const BandwidthFlag &flag, const LineReading &reading)
{
    std::string what = "The line over all rows";
    if (flag.of == BandwidthFlag::Of::Family)
        what = fmt::format("The line of the family {} ({})", flag.name, rowsText(flag.points));
    else if (flag.of == BandwidthFlag::Of::Model)
        what = fmt::format("The line of {} ({})", flag.name, rowsText(flag.points));
    const bool measured = reading.measuredCeiling > 0;
    std::string ceiling = measured ? fmt::format("the {} that was measured", format::bandwidth(reading.measuredCeiling))
                                   : fmt::format("the device's nominal {}", format::bandwidth(reading.nominalCeiling));
    if (measured && reading.nominalCeiling > 0)
        ceiling += fmt::format(" (nominal: {})", format::bandwidth(reading.nominalCeiling));
    std::string text = fmt::format("{} implies {}, above {}", what, format::bandwidth(flag.bandwidth), ceiling);
    if (flag.beyondInterval)
        text += ", and so does its whole 95 % interval";
    return text + ". Memory is not read that fast: the fixed cost is not the same in these rows, or some of the weights "
                  "come from a cache.";
}

std::vector<std::string> lineSentences(const RunRecord &run, const LineReading &reading)
{
    std::vector<std::string> sentences{estimateSentence(reading.fit.all)};
    double least = kMissing, greatest = kMissing;
    for (const LineRowFigures &row : reading.fit.rows) {
        if (!known(row.readingShare))
            continue;
        least = known(least) ? std::min(least, row.readingShare) : row.readingShare;
        greatest = known(greatest) ? std::max(greatest, row.readingShare) : row.readingShare;
    }
    if (known(least))
        sentences.push_back(fmt::format("By the line, reading weights takes from {} to {} of a step.",
                                        format::percent(least), format::percent(greatest)));
    for (const BandwidthFlag &flag : reading.flags)
        sentences.push_back(flagSentence(flag, reading));
    if (!(reading.ceiling() > 0))
        sentences.push_back("No ceiling of the device is known, so that the implied bandwidths stand against nothing: "
                            "name its profile (--hardware) or its bandwidth (--bandwidth).");
    if (!reading.maybeCached.empty()) {
        std::string names;
        for (const std::size_t row : reading.maybeCached)
            names += (names.empty() ? "" : ", ") + rowName(run.line[row]);
        sentences.push_back(fmt::format("May be read from the cache (weights below {} x the last-level cache of {}): {}.",
                                        format::significant(kCacheMultiples, 2), format::bytes(reading.cacheBytes),
                                        names));
    }
    return sentences;
}

TextTable lineTable(const RunRecord &run, const LineReading &reading)
{
    struct Column {
        const char *name;
        std::function<std::string(std::size_t)> cell;
        bool always = false;
    };
    const std::vector<LineRow> &rows = run.line;
    const auto dash = [](const std::string &text) { return text.empty() ? std::string("-") : text; };
    const auto figure = [&](std::size_t i, double LineRowFigures::*field, std::string (*show)(double)) {
        const LineRowFigures *figures = reading.figuresOf(i);
        return figures ? show(figures->*field) : std::string("-");
    };
    const auto count = [](std::int64_t value) {
        return value > 0 ? format::count(static_cast<double>(value)) : std::string("-");
    };
    const std::vector<Column> columns{
        {"model", [&](std::size_t i) { return dash(nameOf(rows[i])); }, true},
        {"family", [&](std::size_t i) { return dash(rows[i].family); }},
        {"dtype", [&](std::size_t i) { return dash(rows[i].dtype); }},
        {"weights", [&](std::size_t i) { return format::bytes(rows[i].weightBytes); }, true},
        {"TPOT", [&](std::size_t i) { return format::seconds(rows[i].tpotSeconds); }, true},
        {"least", [&](std::size_t i) { return format::seconds(rows[i].tpotMinSeconds); }},
        {"greatest", [&](std::size_t i) { return format::seconds(rows[i].tpotMaxSeconds); }},
        {"by the line", [&](std::size_t i) { return figure(i, &LineRowFigures::predictedSeconds, format::seconds); },
         true},
        {"residual", [&](std::size_t i) { return figure(i, &LineRowFigures::residualSeconds, format::seconds); }, true},
        {"reading weights", [&](std::size_t i) { return figure(i, &LineRowFigures::readingShare, format::percent); },
         true},
        {"forecast", [&](std::size_t i) { return format::seconds(predictedOf(rows[i])); }},
        {"measured/forecast",
         [&](std::size_t i) { return format::ratio(rows[i].tpotSeconds / predictedOf(rows[i])); }},
        {"floor", [&](std::size_t i) { return format::seconds(floorOf(rows[i])); }},
        {"peak memory", [&](std::size_t i) { return format::bytes(rows[i].peakBytes); }},
        {"prompt", [&](std::size_t i) { return count(rows[i].prompt); }},
        {"new", [&](std::size_t i) { return count(rows[i].newTokens); }},
        {"graph nodes", [&](std::size_t i) { return count(rows[i].graphNodes); }},
        {"attention", [&](std::size_t i) { return dash(rows[i].attention); }},
    };
    TextTable table;
    table.rows.resize(rows.size());
    for (const Column &column : columns) {
        std::vector<std::string> cells;
        for (std::size_t i = 0; i < rows.size(); ++i)
            cells.push_back(column.cell(i));
        if (!column.always && std::all_of(cells.begin(), cells.end(), [](const std::string &c) { return c == "-"; }))
            continue;
        table.header.push_back(column.name);
        for (std::size_t i = 0; i < rows.size(); ++i)
            table.rows[i].push_back(std::move(cells[i]));
    }
    table.header.push_back("status");
    for (std::size_t i = 0; i < rows.size(); ++i) {
        std::string status(rows[i].imported ? "imported" : statusName(rows[i].status));
        if (!rows[i].reason.empty())
            status += ": " + rows[i].reason;
        if (reading.isMaybeCached(i))
            status += "; may be read from the cache";
        table.rows[i].push_back(std::move(status));
    }
    return table;
}

TextTable lineFitTable(const LineReading &reading)
{
    TextTable table{{"line", "rows", "slope", "95 %", "implied bandwidth", "95 %", "fixed cost", "95 %", "R^2", "note"},
                    {}};
    const auto orDash = [](std::string text) { return text.empty() ? std::string("-") : text; };
    const auto row = [&](std::string name, const LineEstimate &line, BandwidthFlag::Of of, const std::string &key) {
        const bool flagged = std::any_of(reading.flags.begin(), reading.flags.end(), [&](const BandwidthFlag &flag) {
            return flag.of == of && flag.name == key;
        });
        std::string note = line.problem;
        if (flagged)
            note = fmt::format("above the {} {}", reading.measuredCeiling > 0 ? "measured" : "nominal",
                               format::bandwidth(reading.ceiling())) +
                   (note.empty() ? "" : ". " + note);
        table.rows.push_back({std::move(name), std::to_string(line.points), slopeText(line.slope),
                              orDash(between(line.slopeInterval, slopeFigure)), format::bandwidth(line.bandwidth),
                              orDash(between(line.bandwidthInterval, format::bandwidth)),
                              format::seconds(line.intercept),
                              orDash(between(line.interceptInterval, format::seconds)), r2Text(line.r2), orDash(note)});
    };
    row("all rows", reading.fit.all, BandwidthFlag::Of::All, {});
    for (const NamedLine &family : reading.fit.families)
        row("family " + family.name, family.line, BandwidthFlag::Of::Family, family.name);
    for (const NamedLine &model : reading.fit.models)
        row(model.name, model.line, BandwidthFlag::Of::Model, model.name);
    return table;
}

std::string lineCsv(const std::vector<RunRecord> &runs)
{
    std::string csv = "model,name,family,dtype,status,weight_bytes,resident_bytes,prompt,new_tokens,repeats,tpot_ms,"
                      "tpot_min_ms,tpot_max_ms,line_tpot_ms,residual_ms,reading_share,floor_ms,measured_floor_ms,"
                      "predicted_tpot_ms,peak_bytes,mode,device,imported,may_be_cached,reason,run\n";
    const auto milli = [](double seconds) { return format::exact(seconds * 1e3); };
    const auto whole = [](std::int64_t value) { return value > 0 ? std::to_string(value) : std::string(); };
    for (const RunRecord &run : runs) {
        if (run.line.empty())
            continue;
        const LineReading reading = readLine(run);
        for (std::size_t i = 0; i < run.line.size(); ++i) {
            const LineRow &r = run.line[i];
            const LineRowFigures *found = reading.figuresOf(i);
            const LineRowFigures figures = found ? *found : LineRowFigures();
            const std::vector<std::string> fields{r.model,
                                                  r.name,
                                                  r.family,
                                                  r.dtype,
                                                  std::string(statusName(r.status)),
                                                  format::exact(r.weightBytes),
                                                  format::exact(r.residentBytes),
                                                  whole(r.prompt),
                                                  whole(r.newTokens),
                                                  whole(static_cast<std::int64_t>(r.samples.size())),
                                                  milli(r.tpotSeconds),
                                                  milli(r.tpotMinSeconds),
                                                  milli(r.tpotMaxSeconds),
                                                  milli(figures.predictedSeconds),
                                                  milli(figures.residualSeconds),
                                                  format::exact(figures.readingShare),
                                                  milli(floorOf(r)),
                                                  milli(measuredFloorOf(r)),
                                                  milli(predictedOf(r)),
                                                  format::exact(r.peakBytes),
                                                  r.imported ? std::string() : std::string(modeName(r.mode)),
                                                  r.device,
                                                  r.imported ? "yes" : "no",
                                                  reading.isMaybeCached(i) ? "yes" : "no",
                                                  r.reason,
                                                  run.plan.runId};
            for (std::size_t f = 0; f < fields.size(); ++f)
                csv += (f ? "," : "") + csvField(fields[f]);
            csv += "\n";
        }
    }
    return csv;
}

} // namespace ridgepoint
