// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/format.h"
#include "core/session/tables.h"

#include <cmath>
#include <fmt/format.h>
#include <map>

namespace ridgepoint {

namespace {

bool known(double value)
{
    return std::isfinite(value);
}

/// A part by both passes; NaN where one has not got it.
struct PartRow {
    double seconds = kMissing, traced = kMissing, bytes = 0, flop = 0;
    double best() const { return known(seconds) ? seconds : traced; }
    /// Of the sum by one pass: a timed part is no share of a traced sum.
    double shareOf(const PartRow &sum) const
    {
        const double part = known(sum.seconds) ? seconds : traced, whole = known(sum.seconds) ? sum.seconds : sum.traced;
        return whole > 0 ? part / whole : kMissing;
    }
    double rate(double amount) const { return amount > 0 && best() > 0 ? amount / best() : kMissing; }
};

std::map<StepPart, PartRow> partRows(const StepAnatomy &anatomy)
{
    std::map<StepPart, PartRow> rows;
    for (const PartTiming &timed : anatomy.parts)
        rows[timed.part] = {timed.seconds, kMissing, timed.bytes, timed.flop};
    if (isOneKernel(anatomy))
        return rows; // the trace knows the whole alone
    for (const PartTiming &traced : tracedParts(anatomy))
        rows[traced.part].traced = traced.seconds;
    return rows;
}

double plus(double sum, double value)
{
    return known(value) ? (known(sum) ? sum : 0) + value : sum;
}

PartRow sumOf(const std::map<StepPart, PartRow> &rows)
{
    PartRow sum;
    for (const auto &[part, row] : rows) {
        sum.seconds = plus(sum.seconds, row.seconds);
        sum.traced = plus(sum.traced, row.traced);
        sum.bytes += row.bytes;
        sum.flop += row.flop;
    }
    return sum;
}

} // namespace

TextTable anatomyPartsTable(const StepAnatomy &anatomy)
{
    const std::map<StepPart, PartRow> rows = partRows(anatomy);
    const PartRow sum = sumOf(rows);
    TextTable table{{"part", "time", known(sum.seconds) || rows.empty() ? "share" : "share of traced", "bytes", "bytes/s", "FLOP/s", "traced"}, {}};
    const auto add = [&](std::string name, const PartRow &row) {
        table.rows.push_back({std::move(name), format::seconds(row.seconds),
                              format::percent(row.shareOf(sum)),
                              row.bytes > 0 ? format::bytes(row.bytes) : "-", format::bandwidth(row.rate(row.bytes)),
                              format::flops(row.rate(row.flop)), format::seconds(row.traced)});
    };
    for (const auto &[part, row] : rows)
        add(std::string(stepPartName(part)), row);
    if (!rows.empty()) {
        PartRow whole = sum;
        if (isOneKernel(anatomy))
            whole.traced = anatomy.kernels.front().seconds;
        add("sum", whole);
    }
    return table;
}

TextTable anatomyKernelsTable(const StepAnatomy &anatomy, std::size_t limit)
{
    TextTable table{{"kernel", "part", "calls", "time", "of busy time"}, {}};
    for (const KernelTotal &total : kernelTotals(anatomy)) {
        if (table.rows.size() == limit)
            break;
        table.rows.push_back({total.name, std::string(stepPartName(total.part)), std::to_string(total.calls),
                              format::seconds(total.seconds), format::percent(total.share)});
    }
    return table;
}

std::vector<std::string> anatomySentences(const StepAnatomy &a)
{
    std::vector<std::string> sentences;
    if (known(a.untracedSeconds))
        sentences.push_back(fmt::format("A step without tracer takes {} (median).", format::seconds(a.untracedSeconds)));
    if (known(a.tracedSeconds)) {
        std::string text = fmt::format("The traced step takes {} from its first kernel to its last: {} kernels, busy {} ({}), gaps "
                                       "{}; {} by the host's clock.",
                                       format::seconds(a.tracedSeconds), a.kernels.size(), format::seconds(a.busySeconds),
                                       format::percent(a.tracedSeconds > 0 ? a.busySeconds / a.tracedSeconds : kMissing),
                                       format::seconds(a.gapSeconds()),
                                       format::seconds(a.wallSeconds));
        if (a.untracedSeconds > 0)
            text += fmt::format(" It is {} times the untraced one.", format::ratio(a.tracedSeconds / a.untracedSeconds));
        sentences.push_back(std::move(text));
    }
    if (!a.parts.empty()) {
        double sum = 0;
        for (const PartTiming &part : a.parts)
            sum += part.seconds;
        std::string text = fmt::format("Timed apart, the parts come to {}", format::seconds(sum));
        if (a.untracedSeconds > 0)
            text += fmt::format(", {} times the untraced step", format::ratio(sum / a.untracedSeconds));
        sentences.push_back(text + fmt::format(" (by {}).", a.partsBy));
    }
    if (!a.tracer.empty())
        sentences.push_back(fmt::format("Traced by {}.", a.tracer));
    if (isOneKernel(a)) // the note of the trace, that all of it is under "other", would say the opposite
        sentences.push_back("The step is one kernel: its parts are those that one of its blocks found by its clock.");
    else if (!a.note.empty())
        sentences.push_back(a.note);
    return sentences;
}

std::string anatomyCsv(const std::vector<RunRecord> &runs)
{
    std::string text = "part,time_s,share,bytes,flop,bytes_per_s,flop_per_s,traced_s,mode,batch,context,run\n";
    for (const RunRecord &run : runs) {
        if (!run.anatomy)
            continue;
        const std::map<StepPart, PartRow> rows = partRows(*run.anatomy);
        const PartRow sum = sumOf(rows);
        for (const auto &[part, row] : rows)
            text += fmt::format("{},{},{},{},{},{},{},{},{},{},{},{}\n", stepPartName(part), format::exact(row.seconds),
                                format::exact(row.shareOf(sum)),
                                format::exact(row.bytes), format::exact(row.flop), format::exact(row.rate(row.bytes)),
                                format::exact(row.rate(row.flop)), format::exact(row.traced), modeName(run.anatomy->mode),
                                format::exact(run.anatomy->batch), format::exact(run.anatomy->context),
                                csvField(run.plan.runId));
    }
    return text;
}

std::string kernelsCsv(const std::vector<RunRecord> &runs)
{
    std::string text = "start_us,duration_us,kernel,part,layer,stream,run\n";
    for (const RunRecord &run : runs) {
        if (!run.anatomy)
            continue;
        for (const TracedKernel &kernel : run.anatomy->kernels)
            text += fmt::format("{:.3f},{:.3f},{},{},{},{},{}\n", kernel.startSeconds * 1e6, kernel.seconds * 1e6,
                                csvField(kernel.name), stepPartName(kernel.part),
                                kernel.layer >= 0 ? std::to_string(kernel.layer) : std::string(), kernel.stream,
                                csvField(run.plan.runId));
    }
    return text;
}

} // namespace ridgepoint
