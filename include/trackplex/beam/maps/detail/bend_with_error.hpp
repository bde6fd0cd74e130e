// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/maps/detail/integrated_map.hpp>
#include <trackplex/beam/maps/transfer_map.hpp>
#include <trackplex/core/derived_math.hpp>

#include <cmath>

namespace trackplex::beam::detail {

/// d/ds of x, y, their derivatives and the way in a bend whose axis has the curvature h while the
/// field bends with f, to second order, without the force f - h itself (K. L. Brown, SLAC-75):
///   x'' = (h^2 - 2 h f - k1) x + f delta + (2 h f + k1) x delta - f delta^2
///         + (2 h - f) x'^2 - f (h^2 x^2 + (x'^2 + y'^2)/2)
///         - (2 h k1 + k2/2) x^2 + (k2 + h k1) y^2/2
///   y'' = k1 y - k1 y delta + (2 h - f) x' y' + (k2 + 2 h k1) x y
///   s'  = h x + (x'^2 + y'^2)/2
class BendErrorEquations {
 public:
  BendErrorEquations(const MagnetBody& body, double field, int order)
      : body_(body), field_(field), order_(order) {}

  /// The focusing strength in x, 1/m^2.
  double focusing() const { return 2. * body_.h * field_ - body_.h * body_.h + body_.k1; }

  MapState operator()(const MapState& v, double) const {
    const double h = body_.h, f = field_, k1 = body_.k1, k2 = body_.k2;
    const Polynomial slopes_x = times(v[xp], v[xp]), slopes_y = times(v[yp], v[yp]);
    MapState d{};
    d[x] = v[xp];
    d[y] = v[yp];
    d[xp].add(-focusing(), v[x]).add(f, v[delta]).add(2. * h - 1.5 * f, slopes_x);
    d[xp].add(-0.5 * f, slopes_y).add(0.5 * (k2 + h * k1), times(v[y], v[y]));
    d[xp].add(-f * h * h - 2. * h * k1 - 0.5 * k2, times(v[x], v[x]));
    d[xp].add(2. * h * f + k1, times(v[x], v[delta])).add(-f, times(v[delta], v[delta]));
    d[yp].add(k1, v[y]).add(-k1, times(v[y], v[delta])).add(2. * h - f, times(v[xp], v[yp]));
    d[yp].add(k2 + 2. * h * k1, times(v[x], v[y]));
    d[s].add(h, v[x]).add(0.5, slopes_x).add(0.5, slopes_y);
    return d;
  }

 private:
  Polynomial times(const Polynomial& a, const Polynomial& b) const { return product(a, b, order_); }

  MagnetBody body_;
  double field_;
  int order_;
};

/// The map of the body of a bend whose field is stronger by a factor 1 + error than its
/// curvature, to first or second order. As in elegant, the error displaces the orbit to first order
/// and changes the focusing; coefficients are those around the axis, not around the orbit. The
/// path is longer as for a particle with delta = -error.
inline TransferMap bend_with_error(const MagnetBody& body, double error, int order) {
  const double field = body.h * (1. + error);
  TransferMap in = TransferMap::identity(order), out = in;
  if (order > 1) {  // from slopes to derivatives along the curved axis, and back
    in.T(2, 2, 1) = in.T(4, 4, 1) = body.h;
    out.T(2, 2, 1) = out.T(4, 4, 1) = -body.h;
  }
  const BendErrorEquations equations(body, field, order);
  const double phase = body.length * (std::abs(body.h) + std::sqrt(std::abs(equations.focusing())) +
                                      std::sqrt(std::abs(body.k1)) + cbrt(std::abs(body.k2)));
  TransferMap map = TransferMap::identity(order);
  map.component = integrated(equations, in.component, body.length, phase);
  map = concatenated(map, out);
  map.C(1) = -error / (1. + error) * map.R(1, 6);
  map.C(2) = -error / (1. + error) * map.R(2, 6);
  map.C(5) = error * (error * map.T(5, 6, 6) - map.R(5, 6));
  return map;
}

}  // namespace trackplex::beam::detail
