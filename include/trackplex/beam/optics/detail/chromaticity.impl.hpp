// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/optics/chromaticity.hpp>
#include <trackplex/beam/optics/twiss.hpp>
#include <trackplex/core/derived_math.hpp>

#include <array>
#include <cmath>
#include <complex>

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

TRACKPLEX_INLINE std::array<double, 2> chromaticities_of_planes(
    const TransferMap& turn, const TransferMap::Vector& direction) {
  const auto plane = [&](int first) {
    const PlaneMatrix m(turn, first);
    double tune = 0.;
    const double beta = m.periodic("a plane", tune).beta;
    const double trace = derivative_of_r(turn, first, first, direction) +
                         derivative_of_r(turn, first + 1, first + 1, direction);
    return -trace * beta / (4. * acos(-1.) * m.b);
  };
  return {plane(1), plane(3)};
}

/// Derivatives of the tunes of both normal modes: the phase of the eigenvalue of a mode v of an
/// area of 1 changes by -Re(v^H S dR v conj(lambda)) / 2.
TRACKPLEX_INLINE std::array<double, 2> chromaticities_of_modes(
    const TransferMap& turn, const TransferMap::Vector& direction) {
  std::array<std::array<double, 4>, 4> m;
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) m[i][j] = turn.R(i + 1, j + 1);
  const auto modes = normal_modes<4>(m);
  std::array<double, 2> changes;
  for (int k = 0; k < 2; ++k) {
    const auto& v = modes[k].vector;
    std::complex<double> sum = 0.;
    for (int i = 0; i < 4; ++i) {
      std::complex<double> changed = 0.;  // of the other coordinate of the plane
      const int other = i ^ 1;
      for (int j = 0; j < 4; ++j)
        changed += derivative_of_r(turn, other + 1, j + 1, direction) * v[j];
      sum += (i % 2 == 0 ? 1. : -1.) * std::conj(v[i]) * changed;
    }
    const double phase = 2. * acos(-1.) * modes[k].tune;
    const std::complex<double> back(cos(phase), -sin(phase));
    changes[k] = -std::real(sum * back) / (4. * acos(-1.));
  }
  return changes;
}

/// Tells whether the blocks of both planes are those of stable motion.
TRACKPLEX_INLINE bool has_stable_blocks(const TransferMap& turn) {
  const auto is_stable = [&](int first) {
    const PlaneMatrix m(turn, first);
    return std::abs(m.cosine()) < 1. && -m.b * m.c > 0.25 * (m.a - m.d) * (m.a - m.d);
  };
  return is_stable(1) && is_stable(3);
}

}  // namespace detail

TRACKPLEX_INLINE Chromaticity chromaticity(const TransferMap& turn, const PeriodicOptics& optics,
                                           double length) {
  const double* const of = optics.start.dispersion;
  const TransferMap::Vector direction = {of[0], of[1], of[2], of[3], 0., 1.};
  const auto tunes = detail::couples_planes(turn) && !detail::has_stable_blocks(turn)
                         ? detail::chromaticities_of_modes(turn, direction)
                         : detail::chromaticities_of_planes(turn, direction);
  Chromaticity result{.x = tunes[0], .y = tunes[1]};
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
