// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/elements/displacement.hpp>
#include <trackplex/beam/elements/element.hpp>
#include <trackplex/core/constants.hpp>

#include <vector>

namespace trackplex::beam {

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

}  // namespace trackplex::beam
