// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/optics/chromaticity.hpp>
#include <trackplex/beam/optics/twiss.hpp>
#include <trackplex/core/derived_math.hpp>

#include <array>

namespace trackplex::beam {
namespace detail {

/// Returns the derivative of R_ij of a map in a direction, from 1 on.
TRACKPLEX_INLINE double derivative_of_r(const TransferMap& map, int i, int j,
                                        const TransferMap::Vector& direction) {
  double sum = 0.;
  for (int k = 0; k < n_coordinates; ++k)
    sum += map.component[i - 1].t[pair_index(j - 1, k)] * direction[k] * (k == j - 1 ? 2. : 1.);
  return sum;
}

/// Returns the terms of second order of a coordinate, from 1 on, in a direction.
TRACKPLEX_INLINE double second_order(const TransferMap& map, int i,
                                     const TransferMap::Vector& direction) {
  double sum = 0.;
  for (int j = 0; j < n_coordinates; ++j)
    for (int k = 0; k <= j; ++k)
      sum += map.component[i - 1].t[pair_index(j, k)] * direction[j] * direction[k];
  return sum;
}

}  // namespace detail

TRACKPLEX_INLINE Chromaticity chromaticity(const TransferMap& turn, const PeriodicOptics& optics,
                                           double length) {
  const double* const of = optics.start.dispersion;
  const TransferMap::Vector direction = {of[0], of[1], of[2], of[3], 0., 1.};
  const auto plane = [&](int first) {
    const detail::PlaneMatrix m(turn, first);
    double tune = 0.;
    const double beta = m.periodic("a plane", tune).beta;
    const double trace = detail::derivative_of_r(turn, first, first, direction) +
                         detail::derivative_of_r(turn, first + 1, first + 1, direction);
    return -trace * beta / (4. * acos(-1.) * m.b);
  };
  Chromaticity result{.x = plane(1), .y = plane(3)};
  double second = detail::second_order(turn, 5, direction), first = turn.R(5, 6);
  std::array<double, 4> added;
  for (int i = 0; i < 4; ++i) added[i] = detail::second_order(turn, i + 1, direction);
  const auto of_second = detail::fixed_point(turn, added);
  for (int i = 0; i < 4; ++i) {
    result.second_dispersion[i] = of_second[i];
    first += turn.R(5, i + 1) * of[i];
    second += turn.R(5, i + 1) * of_second[i];
  }
  result.momentum_compaction = first / length;
  result.momentum_compaction2 = second / length;
  return result;
}

}  // namespace trackplex::beam
