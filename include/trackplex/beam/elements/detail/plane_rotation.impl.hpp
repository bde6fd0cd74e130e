// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/elements/element.hpp>
#include <trackplex/beam/elements/plane_rotation.hpp>
#include <trackplex/core/derived_math.hpp>

#include <algorithm>
#include <numbers>
#include <vector>

namespace trackplex::beam {

TRACKPLEX_INLINE AxisBend PlaneRotation::axis_bend() const {
  return {-angle, is_vertical ? 0.5 * std::numbers::pi : 0.};
}

TRACKPLEX_INLINE void PlaneRotation::check(const ElementCheck& check) const {
  check.finite("angle", angle);
  if (!(cos(angle) > 1e-6)) check.refuse("angle", angle, "it must be below a right one");
}

TRACKPLEX_INLINE std::vector<double> PlaneRotation::coefficients() const {
  return {tan(angle), 1. / cos(angle), is_vertical ? 1. : 0.};
}

/// To second order: x cos t (1 + x' tan t) = x_0, with particles on the axis before.
TRACKPLEX_INLINE TransferMap PlaneRotation::map_to(int order) const {
  TransferMap map = TransferMap::identity(std::min(order, 2));
  const double t = tan(angle), secant = 1. / cos(angle);
  const int u = is_vertical ? 3 : 1, w = is_vertical ? 1 : 3;
  map.C(u + 1) = -t;
  map.R(u, u) = secant;
  map.R(u + 1, u + 1) = secant * secant;
  map.R(w + 1, w + 1) = secant;
  map.R(5, u) = -t;
  if (map.order < 2) return map;
  map.T(u, u + 1, u) += -secant * t;
  map.T(u + 1, u + 1, u + 1) += -secant * secant * t;
  map.T(w + 1, std::max(u + 1, w + 1), std::min(u + 1, w + 1)) += -secant * t;
  map.T(w, std::max(u, w + 1), std::min(u, w + 1)) += -t;
  map.T(5, u + 1, u) += t * t;
  return map;
}

}  // namespace trackplex::beam
