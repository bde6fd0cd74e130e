// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/maps/map_pattern.hpp>
#include <trackplex/beam/maps/transfer_map.hpp>
#include <trackplex/core/error.hpp>
#include <trackplex/core/lane_memory.hpp>
#include <trackplex/core/shortest.hpp>

#include <string>
#include <vector>

namespace trackplex::beam {

TRACKPLEX_INLINE std::vector<double> coefficients_of(const TransferMap& map,
                                                     const MapPattern& pattern) {
  std::vector<double> coefficients;
  const auto take = [&](double value, bool is_stored, double otherwise, int result) {
    if (is_stored) {
      coefficients.push_back(value);
    } else if (value != otherwise) {
      throw UsageError("coefficients_of",
                       "result " + std::to_string(result + 1) + " of the map has the coefficient " +
                           shortest(value),
                       "the pattern leaves it out", "use a pattern that has it, or the dense one");
    }
  };
  for (int i = 0; i < n_coordinates; ++i) {
    const Polynomial& p = map.component[i];
    take(p.c, pattern.constant[i], 0., i);
    for (int j = n_coordinates - 1; j >= 0; --j) {
      take(p.r[j], pattern.linear[i][j], i == j ? 1. : 0., i);
      for (int k = n_coordinates - 1; k >= j; --k) {
        take(p.t[pair_index(k, j)], pattern.quadratic[i][pair_index(k, j)], 0., i);
        for (int l = n_coordinates - 1; l >= k; --l)
          take(p.q[triple_index(l, k, j)], pattern.cubic[i][triple_index(l, k, j)], 0., i);
      }
    }
  }
  return coefficients;
}

}  // namespace trackplex::beam
