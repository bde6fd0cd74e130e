// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/maps/multipole_maps.hpp>
#include <trackplex/beam/maps/solenoid_map.hpp>
#include <trackplex/core/error.hpp>
#include <trackplex/core/math.hpp>

namespace trackplex::beam {

TRACKPLEX_INLINE double solenoid_strength(double field, double p0) {
  constexpr double mass = 9.1093897e-31, charge = 1.60217733e-19, c = 2.99792458e8;
  return -field / (p0 * mass * c / charge);
}

namespace detail {

/// Terms of second order in a solenoid with half of its strength k, where f = k length.
TRACKPLEX_INLINE void add_solenoid_terms(TransferMap& map, double length, double k) {
  const double f = k * length, c2 = cos(2. * f), s2 = sin(2. * f);
  for (const int a : {1, 2}) {
    map.T(a, 6, a) = map.T(a + 2, 6, a + 2) = f * s2;
    map.T(a, 6, a + 2) = -f * c2;
    map.T(a + 2, 6, a) = f * c2;
  }
  map.T(1, 6, 2) = map.T(3, 6, 4) = 0.5 * s2 / k - length * c2;
  map.T(1, 6, 4) = 0.5 * (1. - c2) / k - length * s2;
  map.T(3, 6, 2) = -map.T(1, 6, 4);
  map.T(2, 6, 1) = map.T(4, 6, 3) = 0.5 * k * (2. * f * c2 + s2);
  map.T(2, 6, 3) = 0.5 * k * (1. - c2 + 2. * f * s2);
  map.T(4, 6, 1) = -map.T(2, 6, 3);
  map.T(5, 2, 2) = map.T(5, 4, 4) = 0.5 * length;
  map.T(5, 1, 1) = map.T(5, 3, 3) = 0.5 * k * k * length;
  map.T(5, 3, 2) = f;
  map.T(5, 4, 1) = -f;
}

}  // namespace detail

TRACKPLEX_INLINE TransferMap solenoid_map(double length, double strength, int order) {
  if (order > 2) throw UsageError("solenoid", "it has a map of first or second order only");
  if (strength == 0.) return drift_map(length, order);
  TransferMap map = TransferMap::identity(order);
  const double k = 0.5 * strength, c = cos(k * length), s = sin(k * length);
  for (const int a : {1, 2}) {
    map.R(a, a) = map.R(a + 2, a + 2) = c * c;
    map.R(a, a + 2) = s * c;
    map.R(a + 2, a) = -s * c;
  }
  map.R(1, 2) = map.R(3, 4) = s * c / k;
  map.R(2, 1) = map.R(4, 3) = -k * s * c;
  map.R(1, 4) = s * s / k;
  map.R(3, 2) = -map.R(1, 4);
  map.R(2, 3) = -k * s * s;
  map.R(4, 1) = -map.R(2, 3);
  if (order > 1) detail::add_solenoid_terms(map, length, k);
  return map;
}

}  // namespace trackplex::beam
