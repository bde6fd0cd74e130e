// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/validation/momentum_resolution.hpp>
#include <trackplex/validation/vertex_validation.hpp>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <span>
#include <vector>

namespace trackplex::validation {

TRACKPLEX_INLINE MomentumBin momentum_resolution(std::span<const MomentumPair> pairs) {
  MomentumBin bin{0., std::numeric_limits<double>::infinity(), pairs.size(), 0., 0., 0, 0};
  std::vector<double> errors;
  for (const auto& pair : pairs) {
    errors.push_back(pair.reconstructed / pair.truth - 1.);
    bin.charges += pair.has_charge;
    bin.right_charges += pair.has_charge && pair.right_charge;
  }
  if (errors.empty()) return bin;
  bin.resolution = half_width_68(errors);
  const auto middle = errors.begin() + std::ptrdiff_t(errors.size() / 2);
  std::nth_element(errors.begin(), middle, errors.end());
  bin.bias = *middle;
  return bin;
}

TRACKPLEX_INLINE std::vector<MomentumBin> momentum_bins(std::span<const MomentumPair> pairs,
                                                        std::span<const double> edges) {
  std::vector<MomentumBin> bins;
  for (std::size_t i = 0; i < edges.size(); ++i) {
    const double low = edges[i];
    const double high =
        i + 1 < edges.size() ? edges[i + 1] : std::numeric_limits<double>::infinity();
    std::vector<MomentumPair> inside;
    for (const auto& pair : pairs)
      if (low <= pair.truth && pair.truth < high) inside.push_back(pair);
    bins.push_back(momentum_resolution(inside));
    bins.back().min_p = low;
    bins.back().max_p = high;
  }
  return bins;
}

}  // namespace trackplex::validation
