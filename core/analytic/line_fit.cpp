// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analytic/line_fit.h"

#include "core/analytic/decode_model.h"
#include "core/analytic/quantiles.h"
#include "core/base/error.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace ridgepoint {

namespace {

void check(const LinePoint &point)
{
    const auto usable = [](double value) { return std::isfinite(value) && value > 0; };
    if (!usable(point.weightBytes) || !usable(point.tpotSeconds))
        throw Error(ErrorKind::Usage,
                    fmt::format("The row of '{}' has {} bytes of weights and a TPOT of {} s; both must be finite numbers "
                                "above zero. Leave the row out.",
                                point.model, point.weightBytes, point.tpotSeconds));
}

/// Fisher: atanh of the correlation is nearly normal with a deviation of 1 / sqrt(n - 3).
std::optional<Interval> r2IntervalOf(double r2, double slope, std::size_t points)
{
    if (points < 4 || !std::isfinite(r2))
        return std::nullopt;
    const double r = std::sqrt(std::clamp(r2, 0.0, 1.0)) * (slope < 0 ? -1 : 1);
    if (std::abs(r) >= 1)
        return Interval{1, 1};
    const double z = normalQuantile95();
    const double half = z / std::sqrt(static_cast<double>(points) - 3);
    const double low = std::tanh(std::atanh(r) - half), high = std::tanh(std::atanh(r) + half);
    if (low <= 0 && high >= 0)
        return Interval{0, std::max(low * low, high * high)};
    return Interval{std::min(low * low, high * high), std::max(low * low, high * high)};
}

/// Groups by a text of the points, in order of appearance; an empty one is none.
template <typename Name>
std::vector<NamedLine> grouped(const std::vector<LinePoint> &points, Name name)
{
    std::vector<NamedLine> groups;
    for (std::size_t i = 0; i < points.size(); ++i) {
        const std::string &of = name(points[i]);
        if (of.empty())
            continue;
        auto found = std::find_if(groups.begin(), groups.end(), [&](const NamedLine &g) { return g.name == of; });
        if (found == groups.end()) {
            groups.push_back({of, {}, {}});
            found = groups.end() - 1;
        }
        found->rows.push_back(i);
    }
    for (NamedLine &group : groups) {
        std::vector<LinePoint> own;
        for (const std::size_t row : group.rows)
            own.push_back(points[row]);
        group.line = estimateLine(own);
    }
    return groups;
}

} // namespace

std::optional<Interval> LineEstimate::bandAt(double weightBytes) const
{
    if (!identifiable || !std::isfinite(quantile))
        return std::nullopt;
    const double off = weightBytes - meanBytes;
    const double half =
        quantile * residualSeconds * std::sqrt(1 / static_cast<double>(points) + off * off / spreadBytes2);
    return Interval{at(weightBytes) - half, at(weightBytes) + half};
}

LineEstimate estimateLine(const std::vector<LinePoint> &points)
{
    std::vector<double> x, y;
    for (const LinePoint &point : points) {
        check(point);
        x.push_back(point.weightBytes);
        y.push_back(point.tpotSeconds);
    }
    LineEstimate line;
    line.points = points.size();
    if (points.size() < 2) {
        line.problem = points.empty() ? "Not identifiable: there is no measured row."
                                      : "Not identifiable: one row gives no line; measure a second weight.";
        return line;
    }
    if (*std::min_element(x.begin(), x.end()) == *std::max_element(x.begin(), x.end())) {
        line.problem = "Not identifiable: every row has the same weight bytes; measure another model or dtype.";
        return line;
    }
    const LineFit fit = fitLine(x, y);
    line.identifiable = true;
    line.slope = fit.slope;
    line.intercept = fit.intercept;
    if (points.size() > 2)
        line.r2 = fit.r2;
    if (line.slope > 0)
        line.bandwidth = 1 / line.slope;

    const double n = static_cast<double>(points.size());
    for (const double value : x)
        line.meanBytes += value / n;
    double squares = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        line.spreadBytes2 += (x[i] - line.meanBytes) * (x[i] - line.meanBytes);
        const double off = y[i] - line.at(x[i]);
        squares += off * off;
    }
    if (points.size() < 3) {
        line.problem = "Two rows give a line and no interval: its error is not identifiable; measure a third weight.";
        return line;
    }
    line.residualSeconds = std::sqrt(squares / (n - 2));
    line.quantile = studentQuantile95(n - 2);
    const double slopeHalf = line.quantile * line.residualSeconds / std::sqrt(line.spreadBytes2);
    const double interceptHalf = line.quantile * line.residualSeconds *
                                 std::sqrt(1 / n + line.meanBytes * line.meanBytes / line.spreadBytes2);
    line.slopeInterval = Interval{line.slope - slopeHalf, line.slope + slopeHalf};
    line.interceptInterval = Interval{line.intercept - interceptHalf, line.intercept + interceptHalf};
    line.r2Interval = r2IntervalOf(line.r2, line.slope, points.size());
    if (line.slopeInterval->high > 0)
        line.bandwidthInterval = Interval{1 / line.slopeInterval->high, line.slopeInterval->low > 0
                                                                            ? 1 / line.slopeInterval->low
                                                                            : std::numeric_limits<double>::infinity()};
    return line;
}

ModelLine fitModelLine(const std::vector<LinePoint> &points)
{
    ModelLine result;
    result.all = estimateLine(points);
    result.families = grouped(points, [](const LinePoint &p) -> const std::string & { return p.family; });
    result.models = grouped(points, [](const LinePoint &p) -> const std::string & { return p.model; });
    std::erase_if(result.models, [](const NamedLine &model) { return !model.line.identifiable; });
    for (const LinePoint &point : points) {
        LineRowFigures &row = result.rows.emplace_back();
        if (!result.all.identifiable)
            continue;
        row.predictedSeconds = result.all.at(point.weightBytes);
        row.residualSeconds = point.tpotSeconds - row.predictedSeconds;
        if (result.all.slope >= 0 && result.all.intercept >= 0 && row.predictedSeconds > 0)
            row.readingShare = result.all.slope * point.weightBytes / row.predictedSeconds;
    }
    return result;
}

std::vector<BandwidthFlag> bandwidthFlags(const ModelLine &line, double ceiling)
{
    std::vector<BandwidthFlag> flags;
    if (!(ceiling > 0))
        return flags;
    const auto consider = [&](BandwidthFlag::Of of, const std::string &name, const LineEstimate &estimate) {
        if (!(estimate.bandwidth > ceiling))
            return;
        const bool beyond = estimate.bandwidthInterval && estimate.bandwidthInterval->low > ceiling;
        flags.push_back({of, name, estimate.bandwidth, estimate.points, beyond});
    };
    consider(BandwidthFlag::Of::All, {}, line.all);
    // One family alone is the overall line over again, and one model alone is its family's.
    if (line.families.size() > 1)
        for (const NamedLine &family : line.families)
            consider(BandwidthFlag::Of::Family, family.name, family.line);
    const auto isFamily = [&](const NamedLine &model) {
        return std::any_of(line.families.begin(), line.families.end(),
                           [&](const NamedLine &family) { return line.families.size() > 1 && family.rows == model.rows; });
    };
    for (const NamedLine &model : line.models)
        if (model.line.points < line.all.points && !isFamily(model))
            consider(BandwidthFlag::Of::Model, model.name, model.line);
    return flags;
}

bool mayBeCached(double weightBytes, double cacheBytes)
{
    return cacheBytes > 0 && weightBytes < kCacheMultiples * cacheBytes;
}

} // namespace ridgepoint
