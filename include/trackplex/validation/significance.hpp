// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cmath>
#include <numbers>

namespace trackplex::validation {

/// Returns the probability that a normal number is at least `z` standard deviations from its mean
/// on either side, erfc(z / sqrt(2)): the two-sided p-value of a deviation of "z sigma". 5
/// sigma: 5.7e-7.
inline double p_value_of_sigmas(double z) { return std::erfc(z / std::numbers::sqrt2); }

}  // namespace trackplex::validation
