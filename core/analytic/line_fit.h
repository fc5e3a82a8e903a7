// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <vector>

/// The line over models (spec section 4): TPOT = slope x weight bytes + fixed cost, by least squares, with the intervals
/// that say how far to believe it. Pure functions of numbers; SI units.
namespace ridgepoint {

/// One measured row: what a step streams of the weights, and what it took.
struct LinePoint {
    std::string model;  ///< rows of one model make a line of their own
    std::string family; ///< likewise; empty: not told, and then in no family's line
    double weightBytes = 0; ///< B
    double tpotSeconds = 0; ///< s
};

/// A 95 % confidence interval.
struct Interval {
    double low = 0, high = 0;
    bool operator==(const Interval &) const = default;
};

/// A line with what is known of its error. A figure that the points do not give is NaN or absent, and `problem` says why.
struct LineEstimate {
    std::size_t points = 0;
    bool identifiable = false; ///< slope and intercept exist
    std::string problem;       ///< why there is no line, or no interval; empty: nothing is missing
    double slope = std::numeric_limits<double>::quiet_NaN();     ///< s/B
    double intercept = std::numeric_limits<double>::quiet_NaN(); ///< s, the fixed cost
    double r2 = std::numeric_limits<double>::quiet_NaN();        ///< NaN for two points, which any line fits
    std::optional<Interval> slopeInterval, interceptInterval, r2Interval;
    /// 1 / slope, B/s: the rate at which weights would have to be read. NaN for a slope that is not above zero.
    double bandwidth = std::numeric_limits<double>::quiet_NaN();
    /// Of 1 / slope; `high` is infinite where the slope's interval reaches zero. Absent where even the steepest slope of
    /// the interval is not above zero.
    std::optional<Interval> bandwidthInterval;

    double at(double weightBytes) const { return slope * weightBytes + intercept; } ///< s; NaN without a line
    /// Of the mean TPOT at `weightBytes`: the band around the line. Absent without intervals.
    std::optional<Interval> bandAt(double weightBytes) const;

    // What the band is made of.
    double meanBytes = 0;        ///< of the points
    double spreadBytes2 = 0;     ///< sum of (x - mean)^2, B^2
    double residualSeconds = std::numeric_limits<double>::quiet_NaN(); ///< standard deviation of the residuals, n - 2
    double quantile = std::numeric_limits<double>::quiet_NaN();        ///< Student's t, 97.5 %, n - 2
};

/// Least squares over `points`; needs two different weights for a line and three points for its intervals (Student's t
/// with n - 2 degrees of freedom; that of R^2 by Fisher's transformation of the correlation, from four points on). Never
/// throws for too few points: `problem` says so in words. Throws Error (Usage) for a weight or time that is not a finite
/// number above zero.
LineEstimate estimateLine(const std::vector<LinePoint> &points);

/// A line through some of the rows.
struct NamedLine {
    std::string name; ///< of the family or the model
    LineEstimate line;
    std::vector<std::size_t> rows; ///< indices into the points
};

/// What the overall line says of one row.
struct LineRowFigures {
    double predictedSeconds = std::numeric_limits<double>::quiet_NaN();
    double residualSeconds = std::numeric_limits<double>::quiet_NaN(); ///< measured - predicted
    /// slope x weight bytes / predicted: the share of the step in which weights are read. NaN where slope or intercept
    /// is below zero, which leaves no share.
    double readingShare = std::numeric_limits<double>::quiet_NaN();
};

struct ModelLine {
    LineEstimate all;
    std::vector<NamedLine> families; ///< in order of appearance
    std::vector<NamedLine> models;   ///< those with two weights or more
    std::vector<LineRowFigures> rows;
};
/// The fit over all points, one a family and one a model that has several weights (its dtypes). Throws as estimateLine.
ModelLine fitModelLine(const std::vector<LinePoint> &points);

/// A line that asks for more than the device has.
struct BandwidthFlag {
    enum class Of { All, Family, Model } of = Of::All;
    std::string name; ///< of the family or the model
    double bandwidth = 0; ///< B/s, implied
    std::size_t points = 0;
    /// The whole interval lies above the ceiling: more than the scatter of the rows explains.
    bool beyondInterval = false;
};
/// The lines whose implied bandwidth exceeds `ceiling` (B/s); none where the ceiling is not above zero.
std::vector<BandwidthFlag> bandwidthFlags(const ModelLine &line, double ceiling);

/// Weights smaller than this many times the last-level cache may be read from it, and then say nothing of memory.
inline constexpr double kCacheMultiples = 4;
/// True where `weightBytes` may be read from a last-level cache of `cacheBytes`; false where that is not known (0, NaN).
bool mayBeCached(double weightBytes, double cacheBytes);

} // namespace ridgepoint
