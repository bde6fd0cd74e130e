// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/collective/detail/space_charge_field.hpp>
#include <trackplex/beam/collective/longitudinal_space_charge.hpp>
#include <trackplex/beam/collective/space_charge_drift.hpp>
#include <trackplex/core/copy.hpp>
#include <trackplex/core/launch.hpp>
#include <trackplex/histogram/deposit.hpp>

#include <algorithm>
#include <vector>

namespace trackplex::beam {

TRACKPLEX_INLINE std::vector<double> frequency_weights(int bins, const FrequencyCutoff& low,
                                                       const FrequencyCutoff& high) {
  const int n = bins / 2 + 1;
  std::vector<double> weights(n, 1.);
  const auto slope = [](int i, int begin, int end) {  // from 0 at begin to 1 at end
    return i < begin ? 0. : i >= end ? 1. : double(i - begin) / (end - begin);
  };
  if (high.begin > 0.) {
    const int begin = std::max(1, int(high.begin * n)), end = std::min(int(high.end * n), n - 1);
    for (int i = begin; i < n; ++i) weights[i] = 1. - slope(i, begin, end);
  }
  if (low.begin >= 0.) {
    const int begin = int(low.begin * n), end = std::min(int(low.end * n), n - 1);
    for (int i = 0; i < n; ++i) weights[i] *= slope(i, begin, end);
  }
  weights.front() = weights.back() = 0.;
  return weights;
}

}  // namespace trackplex::beam
