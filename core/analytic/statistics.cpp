// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analytic/decode_model.h"

#include "core/base/error.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace ridgepoint {

LineFit fitLine(const std::vector<double> &x, const std::vector<double> &y)
{
    if (x.size() != y.size())
        throw Error(
            ErrorKind::Usage,
            fmt::format("A line needs as many y values as x values; {} x and {} y were given.", x.size(), y.size()));
    const auto finite = [](double value) { return std::isfinite(value); };
    if (!std::all_of(x.begin(), x.end(), finite) || !std::all_of(y.begin(), y.end(), finite))
        throw Error(ErrorKind::Usage,
                    "A line cannot be fitted through missing or infinite values; leave those rows out.");
    if (x.empty() || *std::min_element(x.begin(), x.end()) == *std::max_element(x.begin(), x.end()))
        throw Error(ErrorKind::Usage, "A line needs at least two rows with different x; add a row.");

    const double size = static_cast<double>(x.size());
    const double xMean = std::accumulate(x.begin(), x.end(), 0.0) / size;
    const double yMean = std::accumulate(y.begin(), y.end(), 0.0) / size;
    // Sums about the means: byte counts of 1e10 squared would swallow the differences otherwise.
    double sxx = 0, sxy = 0, syy = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        const double dx = x[i] - xMean;
        const double dy = y[i] - yMean;
        sxx += dx * dx;
        sxy += dx * dy;
        syy += dy * dy;
    }
    LineFit fit;
    fit.slope = sxy / sxx;
    fit.intercept = yMean - fit.slope * xMean;
    double residual = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        const double off = (y[i] - yMean) - fit.slope * (x[i] - xMean);
        residual += off * off;
    }
    fit.r2 = syy > 0 ? 1 - residual / syy : std::numeric_limits<double>::quiet_NaN();
    if (!std::isfinite(fit.slope) || !std::isfinite(fit.intercept))
        throw Error(ErrorKind::Usage, "The values are too large or too close together for a line; check their units.");
    return fit;
}

double percentile(std::vector<double> values, double fraction)
{
    if (!(fraction >= 0 && fraction <= 1))
        throw Error(ErrorKind::Usage, fmt::format("A percentile is a fraction from 0 to 1; {} was given.", fraction));
    // A NaN has no place in an order; a missing value must show, not vanish.
    if (values.empty() || std::any_of(values.begin(), values.end(), [](double v) { return std::isnan(v); }))
        return std::numeric_limits<double>::quiet_NaN();
    std::sort(values.begin(), values.end());
    const double position = fraction * static_cast<double>(values.size() - 1);
    const std::size_t below = static_cast<std::size_t>(position);
    const std::size_t above = std::min(below + 1, values.size() - 1);
    const double part = position - static_cast<double>(below);
    return part == 0 ? values[below] : values[below] * (1 - part) + values[above] * part;
}

double median(std::vector<double> values)
{
    return percentile(std::move(values), 0.5);
}

} // namespace ridgepoint
