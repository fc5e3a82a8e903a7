// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/results.h"

#include "core/base/format.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace ridgepoint {

std::string_view statusName(PointStatus status)
{
    switch (status) {
    case PointStatus::Ok:
        return "ok";
    case PointStatus::OutOfMemory:
        return "oom";
    case PointStatus::Skipped:
        return "skipped";
    case PointStatus::Failed:
        return "failed";
    }
    return {};
}

std::optional<PointStatus> parseStatus(std::string_view text)
{
    for (const PointStatus s : {PointStatus::Ok, PointStatus::OutOfMemory, PointStatus::Skipped, PointStatus::Failed})
        if (statusName(s) == text)
            return s;
    return std::nullopt;
}

void summariseSteps(SweepPoint &point)
{
    std::vector<double> seconds;
    seconds.reserve(point.steps.size());
    for (const StepSample &step : point.steps)
        if (!std::isnan(step.seconds()))
            seconds.push_back(step.seconds());
    std::sort(seconds.begin(), seconds.end());
    point.stepSeconds = median(seconds);
    point.p10Seconds = percentile(seconds, 0.1);
    point.p90Seconds = percentile(seconds, 0.9);
    point.minSeconds = seconds.empty() ? kMissing : seconds.front();
    point.maxSeconds = seconds.empty() ? kMissing : seconds.back();
}

void summariseSamples(LineRow &row)
{
    const std::vector<double> &samples = row.samples;
    row.tpotSeconds = median(samples);
    row.tpotMinSeconds = samples.empty() ? kMissing : *std::min_element(samples.begin(), samples.end());
    row.tpotMaxSeconds = samples.empty() ? kMissing : *std::max_element(samples.begin(), samples.end());
}

const TtftMethodResult *recordMethod(const TtftResult &result)
{
    for (const TtftMethod method : {TtftMethod::Loop, TtftMethod::Stream, TtftMethod::Subtraction})
        for (const TtftMethodResult &m : result.methods)
            if (m.method == method && std::isfinite(m.tpotSeconds))
                return &m;
    return nullptr;
}

CrossCheck crossCheck(const TtftResult &result)
{
    double least = kMissing, greatest = kMissing;
    int leastMethod = 0, greatestMethod = 0, usable = 0;
    for (const TtftMethodResult &m : result.methods) {
        if (!(m.tpotSeconds > 0) || !std::isfinite(m.tpotSeconds))
            continue;
        ++usable;
        if (!(m.tpotSeconds >= least)) {
            least = m.tpotSeconds;
            leastMethod = static_cast<int>(m.method);
        }
        if (!(m.tpotSeconds <= greatest)) {
            greatest = m.tpotSeconds;
            greatestMethod = static_cast<int>(m.method);
        }
    }
    CrossCheck check;
    if (usable < 2) {
        check.text = usable == 1 ? "Only one method gave a TPOT: nothing to check it against."
                                 : "No method gave a TPOT: nothing to check.";
        return check;
    }
    check.spread = greatest / least - 1;
    if (check.spread <= 0.2) {
        check.verdict = CrossCheck::Verdict::Agree;
        check.text = fmt::format("{} methods agree on the TPOT within {} (20 % is normal).", usable,
                                 format::percent(check.spread));
        return check;
    }
    const std::string apart =
        fmt::format("Method {} gives a TPOT of {}, method {} one of {}: {} apart", greatestMethod,
                    format::seconds(greatest), leastMethod, format::seconds(least), format::percent(check.spread));
    if (greatest < 2 * least) {
        check.verdict = CrossCheck::Verdict::Wide;
        check.text = apart + ", more than the 20 % that are normal. Repeat with more repeats and an idle machine.";
        return check;
    }
    check.verdict = CrossCheck::Verdict::Disagree;
    check.text = apart + ", a factor of two or more: one of them is wrong. Check that every timed step waits for the "
                         "device, that warm-up repeats ran before the first timed one, that the generations did not "
                         "end early at an end-of-text token, and that no other program used the device.";
    return check;
}

} // namespace ridgepoint
