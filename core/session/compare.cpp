// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/compare.h"

#include "core/base/error.h"
#include "core/base/format.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <set>
#include <tuple>

namespace ridgepoint {

namespace {

using Key = std::tuple<std::string, std::string, std::string, std::string, std::int64_t, std::int64_t>;

struct Side {
    double seconds = kMissing, low = kMissing, high = kMissing, context = kMissing;
    std::vector<double> samples;
    bool imported = false;
    std::string device;
    bool spread() const { return high > low; }
};

std::vector<double> secondsOf(const std::vector<StepSample> &steps)
{
    std::vector<double> values;
    for (const StepSample &step : steps)
        if (std::isfinite(step.seconds()))
            values.push_back(step.seconds());
    return values;
}

/// The same case measured again in the same run, as rows of an imported table may be: their times together are its samples.
void joinRepeat(Side &side, const Side &again)
{
    if (side.samples.empty())
        side.samples.push_back(side.seconds);
    if (again.samples.empty())
        side.samples.push_back(again.seconds);
    else
        side.samples.insert(side.samples.end(), again.samples.begin(), again.samples.end());
    side.seconds = median(side.samples);
    const auto [least, greatest] = std::minmax_element(side.samples.begin(), side.samples.end());
    side.low = *least;
    side.high = *greatest;
}

std::map<Key, Side> sidesOf(const Session &session)
{
    std::map<Key, Side> sides;
    for (const RunRecord &run : session.runs) {
        std::set<Key> ofRun;
        const auto &source = run.provenance.imported;
        const ModelShape &shape = run.plan.model.shape;
        std::string model = shape.id.empty() ? shape.name : shape.id;
        std::string dtype(dtypeName(run.plan.dtype));
        if (source && !source->dtype.empty() && std::isfinite(source->weightBytes))
            dtype = source->dtype; // quantised: not the dtype of the arithmetic
        for (const SweepPoint &p : run.points) {
            if (p.status != PointStatus::Ok || !(p.stepSeconds > 0))
                continue;
            const Key key{"sweep", model, dtype, std::string(modeName(p.mode)), p.batch, p.prompt};
            const Side side{p.stepSeconds, p.p10Seconds, p.p90Seconds, p.context, secondsOf(p.steps), source.has_value(), run.provenance.deviceName};
            if (!ofRun.insert(key).second)
                joinRepeat(sides[key], side);
            else
                sides[key] = side; // the newest run's
        }
        if (run.ttft)
            if (const TtftMethodResult *method = recordMethod(*run.ttft); method && method->tpotSeconds > 0)
                sides[{"ttft", model, dtype, std::string(modeName(run.plan.mode)), run.ttft->batch, run.ttft->prompt}] =
                    Side{method->tpotSeconds, method->tpotMinSeconds, method->tpotMaxSeconds, kMissing, method->tpotSamples,
                         source.has_value(), run.provenance.deviceName};
        for (const LineRow &row : run.line)
            if (row.status == PointStatus::Ok && row.tpotSeconds > 0)
                sides[{"line", row.model, row.dtype, std::string(modeName(row.mode)), 1, row.prompt}] =
                    Side{row.tpotSeconds, row.tpotMinSeconds, row.tpotMaxSeconds, kMissing, row.samples, row.imported, row.device};
    }
    return sides;
}

void judge(ComparedPoint &point, const Side &a, const Side &b)
{
    point.ratio = b.seconds / a.seconds;
    const double effect = std::abs(point.ratio - 1);
    const Change direction = point.ratio > 1 ? Change::Slower : Change::Faster;
    if (std::abs(b.context / a.context - 1) > 0.05) { // NaN, not told, passes
        point.reason = fmt::format("The contexts differ ({} and {} tokens): these are not the same step.",
                                   format::significant(a.context, 5), format::significant(b.context, 5));
        return;
    }
    const std::string by = format::percent(effect);
    if (a.samples.size() >= kCompareLeastSamples && b.samples.size() >= kCompareLeastSamples) {
        point.p = mannWhitneyP(a.samples, b.samples);
        if (effect < kCompareLeastEffect) {
            point.change = Change::Same;
            point.reason = fmt::format("The medians differ by {}, less than {}.", by, format::percent(kCompareLeastEffect));
        } else if (point.p < kCompareAlpha) {
            point.change = direction;
            point.reason = fmt::format("The medians differ by {}, p = {}.", by, format::significant(point.p, 2));
        } else {
            point.reason = fmt::format("The medians differ by {}, but the samples do not bear it out (p = {}).", by,
                                       format::significant(point.p, 2));
        }
        return;
    }
    const bool beyond = (a.spread() && (b.seconds < a.low || b.seconds > a.high)) || (b.spread() && (a.seconds < b.low || a.seconds > b.high));
    const bool within = (a.spread() && b.seconds >= a.low && b.seconds <= a.high) || (b.spread() && a.seconds >= b.low && a.seconds <= b.high);
    if (beyond && !within && effect >= kCompareLeastEffect) {
        point.change = direction;
        point.reason = fmt::format("Too few samples to test; the figures differ by {}, beyond the spread that is given.", by);
    } else {
        point.reason = fmt::format("Too few samples to test ({} and {}); the figures differ by {}{}.", a.samples.size(), b.samples.size(), by,
                                   a.spread() || b.spread() ? ", not beyond the spread that is given" : " and no spread is given");
    }
}

/// P(U <= u) without ties: the number of ways to reach each U by adding one value at a time.
double exactTail(std::size_t m, std::size_t n, double u)
{
    // ways[i][j] counts the orders of i and j values by their U.
    std::vector<std::vector<std::vector<double>>> ways(m + 1, std::vector<std::vector<double>>(n + 1));
    for (std::size_t i = 0; i <= m; ++i)
        for (std::size_t j = 0; j <= n; ++j) {
            std::vector<double> &counts = ways[i][j];
            counts.assign(i * j + 1, 0);
            if (i == 0 || j == 0) {
                counts[0] = 1;
                continue;
            }
            for (std::size_t k = 0; k < ways[i - 1][j].size(); ++k) // the greatest is of the first: it exceeds all j
                counts[k + j] += ways[i - 1][j][k];
            for (std::size_t k = 0; k < ways[i][j - 1].size(); ++k)
                counts[k] += ways[i][j - 1][k];
        }
    double below = 0, all = 0;
    for (std::size_t k = 0; k < ways[m][n].size(); ++k) {
        all += ways[m][n][k];
        if (static_cast<double>(k) <= u)
            below += ways[m][n][k];
    }
    return below / all;
}

} // namespace

std::string_view changeName(Change change)
{
    switch (change) {
    case Change::Same:
        return "same";
    case Change::Faster:
        return "faster";
    case Change::Slower:
        return "slower";
    case Change::Ambiguous:
        return "ambiguous";
    }
    return {};
}

double mannWhitneyP(const std::vector<double> &a, const std::vector<double> &b)
{
    if (a.empty() || b.empty())
        return kMissing;
    std::vector<std::pair<double, bool>> all;
    for (const double v : a)
        all.emplace_back(v, true);
    for (const double v : b)
        all.emplace_back(v, false);
    std::sort(all.begin(), all.end());
    const double m = static_cast<double>(a.size()), n = static_cast<double>(b.size()), total = m + n;
    double rankSum = 0, ties = 0;
    for (std::size_t i = 0; i < all.size();) {
        std::size_t end = i;
        while (end < all.size() && all[end].first == all[i].first)
            ++end;
        const double count = static_cast<double>(end - i);
        const double rank = (static_cast<double>(i + 1) + static_cast<double>(end)) / 2;
        for (std::size_t k = i; k < end; ++k)
            rankSum += all[k].second ? rank : 0;
        ties += count * count * count - count;
        i = end;
    }
    const double u1 = rankSum - m * (m + 1) / 2;
    const double u = std::min(u1, m * n - u1);
    if (a.size() <= 20 && b.size() <= 20 && ties == 0)
        return std::min(1.0, 2 * exactTail(a.size(), b.size(), u));
    const double variance = m * n / 12 * (total + 1 - ties / (total * (total - 1)));
    if (!(variance > 0))
        return 1;
    const double z = std::max(0.0, m * n / 2 - u - 0.5) / std::sqrt(variance);
    return std::erfc(z / std::sqrt(2.0));
}

bool Comparison::anySlower() const
{
    return std::any_of(points.begin(), points.end(), [](const ComparedPoint &p) { return p.change == Change::Slower; });
}

std::string decidingTest()
{
    return fmt::format("Slower or faster: Mann-Whitney U below {:g} % and medians that differ by {:g} % or more.", kCompareAlpha * 100,
                       kCompareLeastEffect * 100);
}

Comparison compareSessions(const std::vector<Session> &sessions)
{
    if (sessions.size() < 2)
        throw Error(ErrorKind::Usage, "compare needs two sessions at least: the baseline, and what to hold against it.");
    Comparison comparison;
    std::vector<std::map<Key, Side>> all;
    for (const Session &session : sessions)
        all.push_back(sidesOf(session));
    const std::map<Key, Side> &baseline = all.front();
    for (std::size_t i = 0; i < all.size(); ++i)
        for (const auto &entry : all[i]) {
            const auto &key = entry.first; // clang 14 lets no lambda hold a structured binding
            const auto &side = entry.second;
            SessionPoint point;
            point.session = i;
            std::tie(point.kind, point.model, point.dtype, point.mode, point.batch, point.prompt) = key;
            point.seconds = side.seconds;
            point.low = side.low;
            point.high = side.high;
            point.imported = side.imported;
            point.partnered = i > 0 ? baseline.contains(key)
                                    : std::any_of(all.begin() + 1, all.end(), [&](const auto &sides) { return sides.contains(key); });
            comparison.all.push_back(std::move(point));
        }
    for (std::size_t other = 1; other < sessions.size(); ++other) {
        const std::map<Key, Side> &sides = all[other];
        for (const auto &[key, side] : sides)
            comparison.otherOnly += !baseline.contains(key);
        for (const auto &[key, a] : baseline) {
            const auto found = sides.find(key);
            if (found == sides.end()) {
                ++comparison.baselineOnly;
                continue;
            }
            const Side &b = found->second;
            ComparedPoint point;
            std::tie(point.kind, point.model, point.dtype, point.mode, point.batch, point.prompt) = key;
            point.other = other;
            point.baselineSeconds = a.seconds;
            point.seconds = b.seconds;
            point.baselineLow = a.low;
            point.baselineHigh = a.high;
            point.low = b.low;
            point.high = b.high;
            point.baselineSamples = a.samples.size();
            point.samples = b.samples.size();
            point.baselineImported = a.imported;
            point.imported = b.imported;
            judge(point, a, b);
            if (a.device != b.device && !a.device.empty() && !b.device.empty())
                point.reason += fmt::format(" On different devices: {}, {}.", a.device, b.device);
            comparison.points.push_back(std::move(point));
        }
    }
    return comparison;
}

} // namespace ridgepoint
