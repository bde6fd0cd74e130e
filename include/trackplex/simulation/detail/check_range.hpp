// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/error.hpp>
#include <trackplex/core/shortest.hpp>

#include <string>

namespace trackplex::simulation::detail {

/// `what` and `quantity` are words: "simulated events" and "mean number of vertices".
/// @throws UsageError that names the quantity if it is out of range, or not a number
inline void check_range(const std::string& what, const std::string& quantity, double value,
                        double lowest, double highest) {
  if (lowest <= value && value <= highest) return;  // not NaN
  throw UsageError(what, quantity + " cannot be " + shortest(value),
                   "allowed: " + shortest(lowest) + " to " + shortest(highest));
}

}  // namespace trackplex::simulation::detail
