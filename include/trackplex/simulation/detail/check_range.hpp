// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/error.hpp>

#include <string>

namespace trackplex::simulation::detail {

/// @throws UsageError that names the parameter if it is out of range, or not a number
inline void check_range(const std::string& owner, const std::string& name, double value,
                        double lowest, double highest) {
  if (lowest <= value && value <= highest) return;  // not NaN
  throw UsageError(owner + "::" + name, std::to_string(value) + " is out of range",
                   "allowed: " + std::to_string(lowest) + " to " + std::to_string(highest));
}

}  // namespace trackplex::simulation::detail
