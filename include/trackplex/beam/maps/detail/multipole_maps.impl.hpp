// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/maps/detail/fringe_map.hpp>
#include <trackplex/beam/maps/detail/integrated_map.hpp>
#include <trackplex/beam/maps/detail/sextupole_series.hpp>
#include <trackplex/beam/maps/multipole_maps.hpp>
#include <trackplex/beam/maps/transfer_map.hpp>
#include <trackplex/core/derived_math.hpp>
#include <trackplex/core/error.hpp>
#include <trackplex/core/math.hpp>

#include <cmath>

namespace trackplex::beam {

TRACKPLEX_INLINE TransferMap drift_map(double length, int order) {
  TransferMap map = TransferMap::identity(order);
  map.R(1, 2) = map.R(3, 4) = length;
  if (order >= 2) map.T(5, 2, 2) = map.T(5, 4, 4) = 0.5 * length;
  return map;
}

namespace detail {

TRACKPLEX_INLINE FocusingFunctions::FocusingFunctions(double strength, double length)
    : k2(strength) {
  const double k = std::sqrt(std::abs(strength)), f = k * length;
  if (strength == 0.) {
    c = 1.;
    s = length;
  } else if (strength > 0.) {
    c = cos(f);
    s = sin(f) / k;
  } else {
    c = cosh(f);
    s = sinh(f) / k;
  }
}

/// Coefficients of the coordinate number a and its slope a + 1 (1 or 3) in a quadrupole.
TRACKPLEX_INLINE void add_quadrupole_plane(TransferMap& map, int a, double strength,
                                           double length) {
  const FocusingFunctions plane(strength, length);
  const double c = plane.c, s = plane.s, k2 = plane.k2, l = length;
  const int b = a + 1;
  map.R(a, a) = map.R(b, b) = c;
  map.R(a, b) = s;
  map.R(b, a) = -k2 * s;
  if (map.order < 2) return;
  map.T(a, a, 6) = map.T(b, b, 6) = 0.5 * k2 * l * s;
  map.T(a, b, 6) = 0.5 * (s - l * c);
  map.T(b, a, 6) = 0.5 * k2 * (l * c + s);
  map.T(5, a, a) = 0.25 * k2 * (l - s * c);
  map.T(5, a, b) = -0.5 * k2 * s * s;
  map.T(5, b, b) = 0.25 * (l + s * c);
}

}  // namespace detail

TRACKPLEX_INLINE TransferMap quadrupole_map(double length, double k1, int order) {
  if (order > 2) return detail::integrated_map({.length = length, .k1 = k1}, order);
  TransferMap map = TransferMap::identity(order);
  detail::add_quadrupole_plane(map, 1, k1, length);
  detail::add_quadrupole_plane(map, 3, -k1, length);
  return map;
}

TRACKPLEX_INLINE TransferMap quadrupole_map(double length, double k1, int order,
                                            const QuadrupoleFringe& fringe) {
  const double w = fringe.length;
  if (w == 0. || k1 == 0. || !(fringe.entrance || fringe.exit))
    return quadrupole_map(length, k1, order);
  if (order > 2)
    throw UsageError("quadrupole", "its fringe fields have maps of first or second order only");
  const double outside = 0.5 * w, inside = length - 0.5 * w * (fringe.entrance + fringe.exit);
  TransferMap map = quadrupole_map(inside, k1, order);
  const TransferMap back = drift_map(-outside, order);
  if (fringe.entrance)
    map = concatenated(concatenated(back, detail::fringe_map(w, 0., k1, order)), map);
  if (fringe.exit)
    map = concatenated(map, concatenated(detail::fringe_map(w, k1, 0., order), back));
  return map;
}

TRACKPLEX_INLINE TransferMap sextupole_map(double length, double k2, int order) {
  if (order > 2) return detail::integrated_map({.length = length, .k2 = k2}, order);
  TransferMap map = drift_map(length, order);
  if (order < 2) return map;
  const double q = 0.5 * k2 * length, q2 = q * length, q3 = q2 * length, q4 = q3 * length;
  map.T(2, 1, 1) = -q;
  map.T(2, 3, 3) = q;
  map.T(4, 3, 1) = 2. * q;
  map.T(1, 1, 1) = -0.5 * q2;
  map.T(1, 3, 3) = 0.5 * q2;
  map.T(2, 2, 1) = -q2;
  map.T(2, 4, 3) = map.T(3, 3, 1) = map.T(4, 4, 1) = map.T(4, 3, 2) = q2;
  map.T(1, 2, 1) = map.T(2, 2, 2) = -q3 / 3.;
  map.T(1, 4, 3) = map.T(3, 4, 1) = map.T(3, 3, 2) = map.T(2, 4, 4) = q3 / 3.;
  map.T(4, 4, 2) = 2. * q3 / 3.;
  map.T(1, 2, 2) = -q4 / 12.;
  map.T(1, 4, 4) = q4 / 12.;
  map.T(3, 4, 2) = q4 / 6.;
  return map;
}

TRACKPLEX_INLINE TransferMap sextupole_map(double length, double k2, int order, double k1,
                                           double j1) {
  if (k1 == 0. && j1 == 0.) return sextupole_map(length, k2, order);
  if (order > 2)
    throw UsageError("sextupole",
                     "its quadrupole components have maps of first or second order only");
  detail::SextupoleSeries series(k1, j1, order < 2 ? 0. : k2);
  for (int i = 0; i < 2; ++i) series.improve();
  TransferMap map = drift_map(length, order);
  for (const int i : {0, 1}) {
    const auto [value, slope] = detail::value_and_slope(series.path()[i], length);
    map.component[2 * i] = value;
    map.component[2 * i + 1] = slope;
  }
  if (order < 2)
    for (Polynomial& p : map.component) p.t.fill(0.);
  return map;
}

TRACKPLEX_INLINE TransferMap octupole_map(double length, double k3, int order) {
  if (order < 3) return drift_map(length, order);
  return detail::integrated_map({.length = length, .k3 = k3}, order);
}

}  // namespace trackplex::beam
