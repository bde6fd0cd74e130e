// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/elements/element.hpp>
#include <trackplex/beam/elements/placement.hpp>
#include <trackplex/core/constants.hpp>
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

TRACKPLEX_INLINE void Displacement::check(const ElementCheck& check) const {
  check.finite("displacement in x", dx);
  check.finite("displacement in x'", dxp);
  check.finite("displacement in y", dy);
  check.finite("displacement in y'", dyp);
  check.finite("displacement in z", dz);
  check.finite("displacement in time", dt);
  check.finite("displacement in momentum", dp);
  check.finite("displacement in energy", de);
  if (!(de > -1.)) check.refuse("displacement in energy", de, "it must be above -1");
}

TRACKPLEX_INLINE TransferMap Displacement::map_to(int order) const {
  TransferMap map = drift_map(dz, order);
  map.C(1) = dx;
  map.C(2) = dxp;
  map.C(3) = dy;
  map.C(4) = dyp;
  map.C(5) = dz;
  return map;
}

TRACKPLEX_INLINE void Displacement::add_steps(StepBuilder& to) const {
  if (on_pass >= 0 || dt != 0. || dp != 0. || de != 0.) return to.add(*this);
  to.exact_drift(dz);
  if (dz != 0.) to.add(steps::Lengthen{dz});
  to.shift(dx, dxp, dy, dyp);
}

TRACKPLEX_INLINE std::vector<double> Displacement::coefficients(const ElementPass& pass) const {
  const double p0 = pass.reference.p0, inverse_square = 1. / (p0 * p0);
  const double on = on_pass < 0 || on_pass == pass.turn ? 1. : 0.;
  return {on * dx,        on * dxp,
          on * dy,        on * dyp,
          on * dz,        on * dt * constants::speed_of_light,
          on * dp,        on * de * (2. + de),
          inverse_square, pass.reference.path_length * inverse_square};
}

TRACKPLEX_INLINE void ExactKicker::check(const ElementCheck& check) const {
  check.not_negative("length", length);
  check.finite("horizontal kick", horizontal);
  check.finite("vertical kick", vertical);
  check.placed(misalignment);
}

TRACKPLEX_INLINE TransferMap ExactKicker::map_to(int order) const {
  const TransferMap half = drift_map(0.5 * length, order);
  return misaligned(concatenated(concatenated(half, kick_map(horizontal, vertical, order)), half),
                    misalignment);
}

// namespace steps
TRACKPLEX_INLINE void ExactKicker::add_steps(StepBuilder& to) const {
  const double h = tan(horizontal), v = tan(vertical);
  const double angle = atan(hypot(h, v));
  to.placed(misalignment, [&] {
    if (angle == 0.) return to.exact_drift(length);
    to.rotate(atan2(v, h));
    to.add(steps::CircularKick{length, angle});
    to.rotate(-atan2(v, h));
  });
}

}  // namespace trackplex::beam
