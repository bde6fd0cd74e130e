// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/bend_maps.hpp>
#include <trackplex/beam/detail/integrated_map.hpp>
#include <trackplex/beam/misaligned.hpp>
#include <trackplex/core/derived_math.hpp>

#include <cmath>

namespace trackplex::beam {

/// Magnet that kicks by angles, with a straight axis.
struct KickerMagnet {
  double length = 0.;      ///< Length, m; 0: a kick at one place.
  double horizontal = 0.;  ///< Horizontal angle, rad.
  double vertical = 0.;    ///< Vertical angle, rad.
  double b2 = 0.;      ///< Sextupole component relative to the dipole, 1/m^2; not if length is 0.
  bool edges = false;  ///< Whether there are effects of edges; not if length is 0.

  /// Returns the angle of both kicks together, rad.
  double angle() const { return atan(hypot(tan(horizontal), tan(vertical))); }
  /// Returns its direction, rad, from x towards y.
  double direction() const { return atan2(tan(vertical), tan(horizontal)); }
};

namespace detail {

/// d/ds of x, xp, y, yp and the way in a kicker that kicks in x, k = sin(angle)/length:
///   x'' = k (1 + b2 (x^2 - y^2))/(1 + delta), y'' = -2 k b2 x y/(1 + delta),
///   s' = (xp^2 + yp^2)/2
class KickerEquations {
 public:
  KickerEquations(double curvature, double b2, int order) : b2_(b2), order_(order) {
    Polynomial one_plus_delta = Polynomial::variable(delta);
    one_plus_delta.c = 1.;
    strength_.add(curvature, power(one_plus_delta, -1., order));
  }

  MapState operator()(const MapState& v, double) const {
    Polynomial along_x, along_y;
    along_x.c = 1.;
    along_x.add(b2_, times(v[x], v[x])).add(-b2_, times(v[y], v[y]));
    along_y.add(-2. * b2_, times(v[x], v[y]));
    MapState d{};
    d[x] = v[xp];
    d[y] = v[yp];
    d[xp] = times(strength_, along_x);
    d[yp] = times(strength_, along_y);
    d[s].add(0.5, times(v[xp], v[xp])).add(0.5, times(v[yp], v[yp]));
    return d;
  }

 private:
  Polynomial times(const Polynomial& a, const Polynomial& b) const { return product(a, b, order_); }

  double b2_;
  int order_;
  Polynomial strength_;
};

}  // namespace detail

/// Returns the map of a kicker in the plane of its kick, which is towards positive x, to first or
/// second order. Edges are those of a bend whose axis is straight: at right angles to the entrance,
/// at the angle of the kick to the exit.
/// @throws UsageError if the order is not 1 or 2
inline TransferMap kicker_map_in_plane(const KickerMagnet& kicker, int order) {
  if (order > 2) throw UsageError("kicker", "it has a map of first or second order only");
  const double angle = kicker.angle(), length = kicker.length;
  TransferMap map = TransferMap::identity(order);
  if (length == 0.) {
    map.C(2) = angle;
    map.R(2, 6) = -sin(angle);
    return map;
  }
  const double curvature = sin(angle) / length;
  const double phase = length * std::sqrt(2. * std::abs(curvature * kicker.b2) * (1. + length));
  map.component = detail::integrated(detail::KickerEquations(curvature, kicker.b2, order),
                                     map.component, length, phase);
  if (!kicker.edges || angle == 0.) return map;
  const SectorBend ends{.length = length, .angle = angle};
  return concatenated(concatenated(detail::edge_map(ends, 0., -1, order), map),
                      detail::edge_map(ends, angle, 1, order));
}

/// Returns the map of a kicker to first or second order.
/// @throws UsageError if the order is not 1 or 2
inline TransferMap kicker_map(const KickerMagnet& kicker, int order) {
  return misaligned(kicker_map_in_plane(kicker, order), {.tilt = kicker.direction()});
}

}  // namespace trackplex::beam
