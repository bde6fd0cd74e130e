// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/maps/detail/integrated_map.hpp>
#include <trackplex/beam/maps/transfer_map.hpp>

#include <cmath>

namespace trackplex::beam::detail {

/// d/ds of x, xp, y, yp and the way in a quadrupole whose strength is linear along the axis,
/// K(s) = K_0 + K' s, to second order in the slopes:
///   x'' = -K x/(1 + delta), y'' = K y/(1 + delta), s' = (xp^2 + yp^2)/2
class FringeEquations {
 public:
  FringeEquations(double begin, double slope, int order)
      : begin_(begin), slope_(slope), order_(order) {
    Polynomial one_plus_delta = Polynomial::variable(delta);
    one_plus_delta.c = 1.;
    weakening_ = power(one_plus_delta, -1., order);
  }

  MapState operator()(const MapState& v, double position) const {
    const double k = begin_ + slope_ * position;
    MapState d{};
    d[x] = v[xp];
    d[y] = v[yp];
    d[xp].add(-k, product(weakening_, v[x], order_));
    d[yp].add(k, product(weakening_, v[y], order_));
    d[s].add(0.5, product(v[xp], v[xp], order_)).add(0.5, product(v[yp], v[yp], order_));
    return d;
  }

 private:
  double begin_, slope_;
  int order_;
  Polynomial weakening_;  ///< 1/(1 + delta)
};

/// The map of a fringe of a quadrupole, to first or second order: over a length, m, the strength
/// goes from one value to another, 1/m^2. As in elegant, the path length has twice the terms x^2
/// and y^2 that the slopes inside give.
inline TransferMap fringe_map(double length, double from, double to, int order) {
  TransferMap map = TransferMap::identity(order);
  const FringeEquations equations(from, (to - from) / length, order);
  const double phase = length * std::sqrt(std::abs(from) + std::abs(to));
  map.component = integrated(equations, map.component, length, phase);
  map.T(5, 1, 1) *= 2.;
  map.T(5, 3, 3) *= 2.;
  return map;
}

}  // namespace trackplex::beam::detail
