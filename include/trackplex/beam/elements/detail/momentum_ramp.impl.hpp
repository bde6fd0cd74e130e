// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/elements/momentum_ramp.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace trackplex::beam {

TRACKPLEX_INLINE double MomentumRamp::at(double time) const {
  const std::vector<double>& times = factor->time;
  const auto next = std::upper_bound(times.begin(), times.end(), time);
  if (next == times.begin()) return factor->value.front();
  if (next == times.end()) return factor->value.back();
  const auto i = std::size_t(next - times.begin());
  const double fraction = (time - times[i - 1]) / (times[i] - times[i - 1]);
  return std::fma(fraction, factor->value[i] - factor->value[i - 1], factor->value[i - 1]);
}

TRACKPLEX_INLINE void MomentumRamp::check(const ElementCheck& check) const {
  if (!factor) return;
  factor->check("momentum ramp");
  for (const double value : factor->value)
    if (!(value > 0.)) check.refuse("factor", value, "it must be above 0");
}

}  // namespace trackplex::beam
