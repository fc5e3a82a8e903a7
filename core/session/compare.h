// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/session/session.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Two or more sessions point by point: what got faster, what slower.
///
/// Points match by what was measured (sweep, TTFT record, line), model, dtype, mode, batch and prompt; of points that a session has
/// twice the newest run's counts. The figure is the step (TPOT), lower is better; ratio = other / baseline.
///
/// Verdict, with samples (at least kLeastSamples steps or repeats on each side): the two-sided Mann-Whitney U test asks whether one
/// of two steps drawn at random tends to be the longer (it needs no normal distribution, and one stalled step moves it little: step
/// times have long tails). Exact where both sides have at most 20 samples and none are tied, else by the normal approximation with
/// tie and continuity correction. Steps that follow one another are not independent, so the test alone calls differences real that
/// another run would not show: a difference must also reach kLeastEffect of the median, about what a run of the same program
/// differs by from the next.
/// - slower, faster: p below kAlpha and the medians differ by kLeastEffect or more;
/// - same: the medians differ by less than kLeastEffect;
/// - ambiguous: they differ by more, and the samples do not bear it out.
/// Without samples on one side: slower or faster only where the other's figure lies beyond the spread that is given (p10 to p90, or
/// least to greatest) and the difference reaches kLeastEffect; else ambiguous. Ambiguous too where the mean contexts differ by over
/// 5 %: the same prompt, but another step. That the devices differ is said beside the verdict.
namespace ridgepoint {

inline constexpr double kCompareAlpha = 0.01;
inline constexpr double kCompareLeastEffect = 0.02;
inline constexpr std::size_t kCompareLeastSamples = 5; ///< with fewer no p below kAlpha exists

enum class Change { Same, Faster, Slower, Ambiguous };
std::string_view changeName(Change change); ///< "same", "faster", "slower", "ambiguous"

struct ComparedPoint {
    std::string kind; ///< "sweep", "ttft", "line"
    std::string model, dtype, mode;
    std::int64_t batch = 0, prompt = 0;
    std::size_t other = 0; ///< index of the session that stands against the first
    double baselineSeconds = kMissing, seconds = kMissing;
    double baselineLow = kMissing, baselineHigh = kMissing; ///< the spread: p10 to p90 of a sweep's steps, least to greatest of repeats
    double low = kMissing, high = kMissing;
    double ratio = kMissing; ///< seconds / baselineSeconds
    double p = kMissing;     ///< of the test; missing: not made
    std::size_t baselineSamples = 0, samples = 0;
    bool baselineImported = false, imported = false; ///< measured by another program
    Change change = Change::Ambiguous;
    std::string reason; ///< a sentence
};

/// A point of a session as the comparison took it, with a partner or without.
struct SessionPoint {
    std::size_t session = 0;
    std::string kind, model, dtype, mode; ///< as of ComparedPoint
    std::int64_t batch = 0, prompt = 0;
    double seconds = kMissing, low = kMissing, high = kMissing;
    bool imported = false;
    bool partnered = false; ///< of the first session: with any other; of another: with the first
};

struct Comparison {
    std::vector<ComparedPoint> points;
    std::vector<SessionPoint> all; ///< by session, then by what was measured; batch and prompt rise
    std::size_t baselineOnly = 0, otherOnly = 0; ///< points that have no partner
    bool anySlower() const;
};

/// The first session is the baseline. Throws Error (Usage) for fewer than two.
Comparison compareSessions(const std::vector<Session> &sessions);

/// Which test tells slower and faster from the rest, as a sentence.
std::string decidingTest();

/// p of the two-sided Mann-Whitney U test. NaN where a side is empty; 1 where all values are one.
double mannWhitneyP(const std::vector<double> &a, const std::vector<double> &b);

} // namespace ridgepoint
