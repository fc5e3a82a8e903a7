// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace ridgepoint {

/// What Student's t with `degrees` (> 0) degrees of freedom exceeds with probability 0.025: the factor of a two-sided 95 %
/// interval. From Boost.Math.
double studentQuantile95(double degrees);

/// The same of the normal distribution.
double normalQuantile95();

} // namespace ridgepoint
