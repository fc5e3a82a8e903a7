// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analytic/decomposition.h"

#include "core/analytic/quantiles.h"
#include "core/base/format.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace ridgepoint {

namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
/// A column of unit length whose part outside the others is shorter than this adds nothing but rounding: the columns are
/// exact counts, so true combinations leave 1e-15 or so.
constexpr double kCollinear = 1e-6;

enum Term { Fixed, Weights, Kv, Flop };
using Column = std::vector<double>;

double dot(const Column &a, const Column &b)
{
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
        sum += a[i] * b[i];
    return sum;
}

/// Scales to unit length and returns the length before; a column of zeros stays one.
double normalise(Column &column)
{
    const double length = std::sqrt(dot(column, column));
    if (length > 0)
        for (double &v : column)
            v /= length;
    return length;
}

/// Takes the parts along the (orthonormal) `basis` off, twice, since once leaves rounding; returns the coefficients.
std::vector<double> project(Column &column, const std::vector<Column> &basis)
{
    std::vector<double> along(basis.size(), 0);
    for (int pass = 0; pass < 2; ++pass)
        for (std::size_t k = 0; k < basis.size(); ++k) {
            const double part = dot(column, basis[k]);
            along[k] += part;
            for (std::size_t i = 0; i < column.size(); ++i)
                column[i] -= part * basis[k][i];
        }
    return along;
}

/// Orthonormal basis of the columns by pivoting: the longest remainder first, until none is longer than kCollinear.
std::vector<Column> basisOf(std::vector<Column> columns)
{
    std::vector<Column> basis;
    while (!columns.empty()) {
        for (Column &c : columns)
            project(c, basis);
        const auto longest = std::max_element(columns.begin(), columns.end(), [](const Column &a, const Column &b) {
            return dot(a, a) < dot(b, b);
        });
        if (std::sqrt(dot(*longest, *longest)) <= kCollinear)
            break;
        normalise(*longest);
        basis.push_back(std::move(*longest));
        columns.erase(longest);
    }
    return basis;
}

/// Whether `terms` without `tested` span it.
bool spanned(const std::array<Column, 4> &columns, std::vector<Term> terms, Term tested)
{
    terms.erase(std::remove(terms.begin(), terms.end(), tested), terms.end());
    std::vector<Column> others;
    for (const Term t : terms)
        others.push_back(columns[t]);
    Column rest = columns[tested];
    project(rest, basisOf(std::move(others)));
    return std::sqrt(dot(rest, rest)) <= kCollinear;
}

struct Fit {
    std::vector<Term> terms;
    std::vector<double> coefficients; ///< of the scaled columns
    std::vector<double> halves;       ///< half an interval; infinite without a degree of freedom
    double squares = 0;               ///< of the weighted residuals
};

/// Least squares of the vector of ones (each weighted time) on independent columns.
Fit fit(const std::array<Column, 4> &columns, std::vector<Term> terms)
{
    Fit result;
    const std::size_t k = terms.size(), n = columns[Fixed].size();
    // Gram-Schmidt: columns = Q R, so R c = Q' y and the covariance is s^2 (R' R)^-1.
    std::vector<Column> q;
    std::vector<std::vector<double>> r(k, std::vector<double>(k, 0));
    for (std::size_t j = 0; j < k; ++j) {
        Column c = columns[terms[j]];
        const std::vector<double> along = project(c, q);
        for (std::size_t i = 0; i < along.size(); ++i)
            r[i][j] = along[i];
        r[j][j] = normalise(c);
        q.push_back(std::move(c));
    }
    Column rest(n, 1.0);
    const std::vector<double> along = project(rest, q);
    result.coefficients.assign(k, 0);
    for (std::size_t j = k; j-- > 0;) {
        double value = along[j];
        for (std::size_t i = j + 1; i < k; ++i)
            value -= r[j][i] * result.coefficients[i];
        result.coefficients[j] = value / r[j][j];
    }
    result.squares = dot(rest, rest);
    result.halves.assign(k, std::numeric_limits<double>::infinity());
    if (n > k) {
        const double dof = static_cast<double>(n - k);
        const double quantile = studentQuantile95(dof);
        const double sigma = std::sqrt(result.squares / dof);
        for (std::size_t j = 0; j < k; ++j) {
            // Row j of R^-1: its length is the coefficient's standard error over sigma.
            std::vector<double> row(k, 0);
            row[j] = 1 / r[j][j];
            for (std::size_t c = j + 1; c < k; ++c) {
                double value = 0;
                for (std::size_t i = j; i < c; ++i)
                    value -= row[i] * r[i][c];
                row[c] = value / r[c][c];
            }
            result.halves[j] = quantile * sigma * std::sqrt(dot(row, row));
        }
    }
    result.terms = std::move(terms);
    return result;
}

/// 1 / coefficient with its interval, or the sentence that says why there is none.
Estimate inverse(double coefficient, double half, bool flop)
{
    const auto perUnit = [flop](double seconds) {
        return (seconds < 0 ? "-" : "") + format::seconds(std::abs(seconds)) + (flop ? " a TFLOP" : " a GB");
    };
    const double unit = flop ? 1e12 : 1e9;
    Estimate e;
    if (coefficient <= 0) {
        e.why = {QT_TRANSLATE_NOOP("core", "none: more of it came with less time (%1), so something else varied along with it; "
                                           "add points over more batches and contexts"),
                 {perUnit(coefficient * unit)}};
    } else if (!(coefficient - half > 0)) {
        e.why = {QT_TRANSLATE_NOOP("core", "none: its time, %1, cannot be told from zero within ± %2; add points that differ "
                                           "more in it"),
                 {perUnit(coefficient * unit), perUnit(half * unit)}};
    } else {
        e.value = 1 / coefficient;
        e.low = 1 / (coefficient + half);
        e.high = 1 / (coefficient - half);
    }
    return e;
}

/// Seconds with their interval, or the sentence that says why there are none.
Estimate seconds(double value, double half)
{
    Estimate e;
    if (value <= 0 || value + half <= 0) {
        const auto show = [](double s) { return (s < 0 ? "-" : "") + format::seconds(std::abs(s)); };
        e.why = {QT_TRANSLATE_NOOP("core", "none: it comes out at %1 (%2 to %3); a cost below zero says that the steps do not "
                                           "follow these terms alone"),
                 {show(value), show(value - half), show(value + half)}};
    } else {
        e.value = value;
        e.low = value - half;
        e.high = value + half;
    }
    return e;
}

bool usable(const StepObservation &o)
{
    const auto amount = [](double v) { return std::isfinite(v) && v >= 0; };
    return std::isfinite(o.seconds) && o.seconds > 0 && amount(o.weightBytes) && amount(o.kvBytes) && amount(o.flop);
}

} // namespace

Decomposition decompose(const std::vector<StepObservation> &observations)
{
    Decomposition result;
    result.r2 = kNone;
    result.residuals.assign(observations.size(), kNone);
    result.fitted.assign(observations.size(), kNone);
    const auto nothing = [&result](Message why) {
        for (Estimate *e : {&result.fixedSeconds, &result.weightBandwidth, &result.kvBandwidth, &result.flopRate,
                            &result.fixedAndWeights})
            e->why = why;
        result.problem = std::move(why);
        return result;
    };

    std::vector<std::size_t> used;
    for (std::size_t i = 0; i < observations.size(); ++i)
        if (usable(observations[i]))
            used.push_back(i);
    if (used.empty())
        return nothing({QT_TRANSLATE_NOOP("core", "not identifiable: no step was measured"), {}});

    // Each row over its time: the weighted time is then 1 everywhere. Columns to unit length: bytes of 1e10 beside a 1.
    std::array<Column, 4> columns;
    std::array<double, 4> lengths{};
    for (const std::size_t i : used) {
        const StepObservation &o = observations[i];
        columns[Fixed].push_back(1 / o.seconds);
        columns[Weights].push_back(o.weightBytes / o.seconds);
        columns[Kv].push_back(o.kvBytes / o.seconds);
        columns[Flop].push_back(o.flop / o.seconds);
    }
    std::vector<Term> all;
    for (const Term t : {Fixed, Weights, Kv, Flop}) {
        lengths[t] = normalise(columns[t]);
        if (lengths[t] > 0)
            all.push_back(t);
    }
    std::array<bool, 4> alone{}; // identifiable: no combination of the others
    for (const Term t : all)
        alone[t] = !spanned(columns, all, t);
    // The terms that are fitted: as many as are independent, those that are wanted most first.
    std::vector<Term> terms;
    for (const Term t : all) {
        std::vector<Term> with = terms;
        with.push_back(t);
        if (!spanned(columns, with, t))
            terms.push_back(t);
    }
    const bool constantWeights = lengths[Weights] > 0 && spanned(columns, {Fixed, Weights}, Weights);
    const auto has = [&terms](Term t) { return std::find(terms.begin(), terms.end(), t) != terms.end(); };
    const auto without = [](std::vector<Term> of, Term t) {
        of.erase(std::remove(of.begin(), of.end(), t), of.end());
        return of;
    };
    // With too few points for the fourth term three may still have intervals.
    Message noFlop;
    if (has(Flop) && used.size() <= terms.size()) {
        terms = without(terms, Flop);
        noFlop = {QT_TRANSLATE_NOOP("core", "not identifiable: %1 points are too few for one more term; add batches or contexts"),
                  {std::to_string(used.size())}};
    }
    if (used.size() <= terms.size())
        return nothing({QT_TRANSLATE_NOOP("core", "not identifiable: %1 points give no interval for %2 terms; measure more "
                                                  "batches and contexts"),
                        {std::to_string(used.size()), std::to_string(terms.size())}});

    Fit found = fit(columns, terms);
    const auto at = [&found](Term t) {
        return static_cast<std::size_t>(std::find(found.terms.begin(), found.terms.end(), t) - found.terms.begin());
    };
    if (has(Flop) && alone[Flop]) {
        const double c = found.coefficients[at(Flop)], half = found.halves[at(Flop)];
        if (!(c - half > 0)) {
            noFlop = {QT_TRANSLATE_NOOP("core", "none: no time that follows the FLOP can be told from zero beside that of the bytes; "
                                                "arithmetic that hides behind them takes none of its own"),
                      {}};
            terms = without(terms, Flop);
            found = fit(columns, terms);
        }
    }

    for (std::size_t i = 0; i < used.size(); ++i) {
        double relative = 0; // fitted / measured
        for (std::size_t j = 0; j < found.terms.size(); ++j)
            relative += found.coefficients[j] * columns[found.terms[j]][i];
        const double t = observations[used[i]].seconds;
        result.fitted[used[i]] = relative * t;
        result.residuals[used[i]] = t - relative * t;
    }
    // Against the best constant, by the same weights.
    const double total = fit(columns, {Fixed}).squares;
    if (total > 1e-20 * static_cast<double>(used.size()))
        result.r2 = 1 - found.squares / total;

    const auto scaled = [&](Term t) {
        return std::pair{found.coefficients[at(t)] / lengths[t], found.halves[at(t)] / lengths[t]};
    };
    const Message notSeparate = {
        QT_TRANSLATE_NOOP("core", "not identifiable: the weights are the same in every point; add another model or dtype"), {}};
    const Message moves = {
        QT_TRANSLATE_NOOP("core", "not identifiable: it changes only together with the others; vary batch, context and model "
                                  "apart from one another"),
        {}};

    if (constantWeights) {
        result.fixedSeconds.why = result.weightBandwidth.why = notSeparate;
        // The sum is the constant of the fit where nothing else is constant too.
        std::vector<Term> rest = without(all, Weights);
        if (!noFlop.empty())
            rest = without(rest, Flop);
        if (!spanned(columns, rest, Fixed)) {
            const auto [value, half] = scaled(Fixed);
            result.fixedAndWeights = seconds(value, half);
        } else {
            result.fixedAndWeights.why = {
                QT_TRANSLATE_NOOP("core", "not identifiable: the KV bytes are the same in every point as well; vary batch or context"), {}};
        }
    } else {
        if (alone[Fixed]) {
            const auto [value, half] = scaled(Fixed);
            result.fixedSeconds = seconds(value, half);
        } else {
            result.fixedSeconds.why = moves;
        }
        if (lengths[Weights] <= 0)
            result.weightBandwidth.why = {QT_TRANSLATE_NOOP("core", "not identifiable: no point reads weights"), {}};
        else if (alone[Weights])
            result.weightBandwidth = inverse(scaled(Weights).first, scaled(Weights).second, false);
        else
            result.weightBandwidth.why = moves;
        result.fixedAndWeights.why = {
            QT_TRANSLATE_NOOP("core", "told apart above: the weights differ from point to point"), {}};
    }

    const bool kvWithFlop = lengths[Kv] > 0 && lengths[Flop] > 0 && noFlop.empty() && !alone[Kv] && !alone[Flop];
    const Message bothByBatch = {
        QT_TRANSLATE_NOOP("core", "not identifiable: KV bytes and FLOP both grow with the batch alone; vary the context too"), {}};
    if (lengths[Kv] <= 0)
        result.kvBandwidth.why = {QT_TRANSLATE_NOOP("core", "not identifiable: no point reads a KV cache"), {}};
    else if (alone[Kv])
        result.kvBandwidth = inverse(scaled(Kv).first, scaled(Kv).second, false);
    else if (spanned(columns, {Fixed, Kv}, Kv))
        result.kvBandwidth.why = {
            QT_TRANSLATE_NOOP("core", "not identifiable: the KV bytes are the same in every point; vary batch or context"), {}};
    else
        result.kvBandwidth.why = kvWithFlop ? bothByBatch : moves;

    if (!noFlop.empty())
        result.flopRate.why = noFlop;
    else if (lengths[Flop] <= 0)
        result.flopRate.why = {QT_TRANSLATE_NOOP("core", "not identifiable: no FLOP was counted"), {}};
    else if (has(Flop) && alone[Flop])
        result.flopRate = inverse(scaled(Flop).first, scaled(Flop).second, true);
    else
        result.flopRate.why = kvWithFlop ? bothByBatch : moves;
    return result;
}

} // namespace ridgepoint
