// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "results.hpp"

#include <string>

namespace cylinder_tracker {

/// Efficiency over pT and eta, as an SVG: one curve for each strategy.
std::string picture(const Results& results);

}  // namespace cylinder_tracker
