// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "results.hpp"

#include <string>

namespace kalman_fit {

/// Distributions of the pulls with the normal curve, of the probability of chi2, and the resolution
/// over the transverse momentum, as an SVG document.
std::string picture(const Results& results);

}  // namespace kalman_fit
