// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/elements/detail/require_electrons.hpp>
#include <trackplex/beam/elements/element.hpp>
#include <trackplex/beam/elements/solenoid_field.hpp>

#include <vector>

namespace trackplex::beam {

TRACKPLEX_INLINE void SolenoidField::check(const ElementCheck& check) const {
  check.not_negative("length", length);
  check.finite("field", field);
  check.placed(misalignment);
}

TRACKPLEX_INLINE TransferMap SolenoidField::map_to(int order_without, double p0) const {
  if (!(p0 > 0.)) return drift_map(length, order_without);
  return misaligned(solenoid_map(length, solenoid_strength(field, p0), order), misalignment);
}

TRACKPLEX_INLINE std::vector<double> SolenoidField::coefficients(const ElementPass& pass) const {
  require_electrons("solenoid", pass.reference);
  return coefficients_of(map_to(order, pass.reference.p0), patterns::Dense::value);
}

}  // namespace trackplex::beam
