// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/forecast_error.h"

#include "core/base/error.h"
#include "core/base/format.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

namespace ridgepoint {

namespace {

double error(double predicted, double measured)
{
    return measured > 0 && predicted > 0 ? predicted / measured - 1 : kMissing;
}

ForecastErrorRow rowOf(const RunRecord &run, const char *what, double batch, double prompt, double measured)
{
    ForecastErrorRow row;
    row.what = what;
    row.model = run.plan.model.shape.id;
    row.dtype = dtypeName(run.plan.dtype);
    row.mode = modeName(run.plan.mode);
    row.device = run.provenance.deviceName;
    row.runId = run.plan.runId;
    row.batch = batch;
    row.prompt = prompt;
    row.measuredSeconds = measured;
    return row;
}

/// The measured ceilings of the run as they were before it; nothing without a read bandwidth.
std::optional<Ceilings> ceilingsOf(const RunRecord &run)
{
    if (!run.plan.measured || !run.plan.measured->readBandwidth)
        return std::nullopt;
    HardwareProfile nominal;
    nominal.memoryBandwidth = run.plan.nominal.bandwidth;
    if (run.plan.nominal.flops > 0)
        nominal.peakFlops[run.plan.dtype] = run.plan.nominal.flops;
    return measuredCeilings(nominal, *run.plan.measured, run.plan.dtype, run.plan.model.shape.layers,
                            isReplayed(run.plan.mode));
}

void overAll(const std::vector<ForecastErrorRow> &rows, const std::string &what, double ForecastErrorRow::*column, double &mean,
             double &worst)
{
    double sum = 0, greatest = kMissing;
    int count = 0;
    for (const ForecastErrorRow &row : rows) {
        const double value = row.*column;
        if (row.what != what || std::isnan(value))
            continue;
        sum += std::abs(value);
        ++count;
        if (!(std::abs(value) <= std::abs(greatest)))
            greatest = value;
    }
    mean = count > 0 ? sum / count : kMissing;
    worst = greatest;
}

std::string percent(double value)
{
    return std::isnan(value) ? std::string("-") : fmt::format("{:+.1f} %", value * 100);
}

} // namespace

std::vector<ForecastErrorRow> forecastErrors(const std::vector<RunRecord> &runs)
{
    std::vector<ForecastErrorRow> rows;
    for (const RunRecord &run : runs) {
        if ((run.points.empty() && !run.ttft) || isImported(run) || run.plan.model.shape.layers <= 0)
            continue; // a calibration, a line, a model that is not known: nothing here that a forecast of this kind was made for
        const std::optional<Ceilings> ceilings = ceilingsOf(run);
        const Workload workload = makeWorkload(run.plan.model.shape, run.plan.dtype, Accounting::Exact);
        const auto orMissing = [](auto &&predicted) { // an edited file may hold a context or ceilings that no prediction takes
            try {
                return predicted();
            } catch (const Error &) {
                return kMissing;
            }
        };
        for (const SweepPoint &point : run.points) {
            if (point.status != PointStatus::Ok || !(point.stepSeconds > 0))
                continue;
            ForecastErrorRow row = rowOf(run, "step", static_cast<double>(point.batch), static_cast<double>(point.prompt),
                                         point.stepSeconds);
            if (point.forecast.predicted)
                row.forecast = error(point.forecast.predicted->stepSeconds, point.stepSeconds);
            if (point.forecast.floorMeasured)
                row.roofline = error(point.forecast.floorMeasured->floorSeconds(), point.stepSeconds);
            if (ceilings && ceilings->overhead > 0)
                row.twoTerm = orMissing([&] {
                    return error(predictStep(workload, *ceilings, row.batch, point.context).stepSeconds, point.stepSeconds);
                });
            rows.push_back(std::move(row));
        }
        if (!run.ttft || run.ttft->methods.empty())
            continue;
        const TtftResult &ttft = *run.ttft;
        const TtftMethodResult *loop = recordMethod(ttft);
        const TtftMethodResult &method = loop ? *loop : ttft.methods.front();
        ForecastErrorRow row = rowOf(run, "ttft", static_cast<double>(ttft.batch), static_cast<double>(ttft.prompt),
                                     method.ttftSeconds);
        row.forecast = error(ttft.ttftForecastSeconds, method.ttftSeconds);
        if (ceilings)
            row.roofline = orMissing(
                [&] { return error(predictPrefill(workload, *ceilings, row.batch, row.prompt).floorSeconds, method.ttftSeconds); });
        rows.push_back(std::move(row));
    }
    return rows;
}

std::vector<ForecastErrorSummary> summarise(const std::vector<ForecastErrorRow> &rows)
{
    std::vector<ForecastErrorSummary> result;
    for (const char *what : {"step", "ttft"}) {
        ForecastErrorSummary summary;
        summary.what = what;
        summary.points = static_cast<int>(
            std::count_if(rows.begin(), rows.end(), [&](const ForecastErrorRow &row) { return row.what == what; }));
        if (summary.points == 0)
            continue;
        overAll(rows, what, &ForecastErrorRow::forecast, summary.forecastMean, summary.forecastWorst);
        overAll(rows, what, &ForecastErrorRow::twoTerm, summary.twoTermMean, summary.twoTermWorst);
        overAll(rows, what, &ForecastErrorRow::roofline, summary.rooflineMean, summary.rooflineWorst);
        result.push_back(summary);
    }
    return result;
}

TextTable toTable(const std::vector<ForecastErrorRow> &rows)
{
    TextTable table;
    table.header = {"what", "model", "dtype", "mode", "prompt", "batch", "measured", "forecast", "two-term", "roofline"};
    for (const ForecastErrorRow &row : rows)
        table.rows.push_back({row.what, row.model, row.dtype, row.mode, format::count(row.prompt), format::count(row.batch),
                              format::seconds(row.measuredSeconds), percent(row.forecast), percent(row.twoTerm),
                              percent(row.roofline)});
    return table;
}

TextTable toTable(const std::vector<ForecastErrorSummary> &summaries)
{
    TextTable table;
    table.header = {"what", "points", "forecast mean", "worst", "two-term mean", "worst", "roofline mean", "worst"};
    const auto mean = [](double value) { return std::isnan(value) ? std::string("-") : fmt::format("{:.1f} %", value * 100); };
    for (const ForecastErrorSummary &s : summaries)
        table.rows.push_back({s.what, std::to_string(s.points), mean(s.forecastMean), percent(s.forecastWorst),
                              mean(s.twoTermMean), percent(s.twoTermWorst), mean(s.rooflineMean), percent(s.rooflineWorst)});
    return table;
}

} // namespace ridgepoint
