// SPDX-License-Identifier: GPL-3.0-or-later
// Alone in this file, because Boost's templates take long to compile.
#include "core/analytic/quantiles.h"

#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/students_t.hpp>

namespace ridgepoint {

namespace {
constexpr double kTail = 0.025; // of a two-sided 95 % interval
}

double studentQuantile95(double degrees)
{
    return boost::math::quantile(boost::math::complement(boost::math::students_t(degrees), kTail));
}

double normalQuantile95()
{
    return boost::math::quantile(boost::math::complement(boost::math::normal(), kTail));
}

} // namespace ridgepoint
