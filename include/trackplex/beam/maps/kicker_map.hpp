// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/maps/bend_maps.hpp>
#include <trackplex/beam/maps/detail/integrated_map.hpp>
#include <trackplex/beam/maps/misaligned.hpp>
#include <trackplex/core/compiled.hpp>
#include <trackplex/core/derived_math.hpp>

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
  KickerEquations(double curvature, double b2, int order);

  MapState operator()(const MapState& v, double) const;

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
TransferMap kicker_map_in_plane(const KickerMagnet& kicker, int order);

/// Returns the map of a kicker to first or second order.
/// @throws UsageError if the order is not 1 or 2
TransferMap kicker_map(const KickerMagnet& kicker, int order);

}  // namespace trackplex::beam

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/beam/maps/detail/kicker_map.impl.hpp>
#endif
