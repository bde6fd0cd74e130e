// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/elements/element.hpp>
#include <trackplex/beam/elements/scatter.hpp>

#include <vector>

namespace trackplex::beam {

TRACKPLEX_INLINE void Scatter::check(const ElementCheck& check) const {
  for (const double amplitude : {dx, dxp, dy, dyp, dp}) check.finite("amplitude", amplitude);
  check.not_negative("probability", probability);
}

TRACKPLEX_INLINE std::vector<double> Scatter::coefficients(const ElementPass& pass) const {
  const double p0 = pass.reference.p0, inverse_square = 1. / (p0 * p0);
  const bool is_on = pass.turn >= first_turn && (last_turn < 0 || pass.turn <= last_turn);
  const double on = is_on ? 1. : 0.;
  return {on * dx,
          on * dxp,
          on * dy,
          on * dyp,
          on * dp,
          probability,
          double(is_uniform),
          inverse_square,
          pass.reference.path_length * inverse_square};
}

}  // namespace trackplex::beam
