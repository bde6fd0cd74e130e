// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/bunch/moments.hpp>
#include <trackplex/beam/elements/element.hpp>
#include <trackplex/beam/elements/radiation_effects.hpp>

namespace trackplex::beam {

TRACKPLEX_INLINE void SynchrotronRadiationEffects::check(const ElementCheck& check) const {
  check.finite("damping partition number in x", x_partition);
  check.finite("damping partition number in y", y_partition);
  check.finite("damping partition number of momenta", momentum_partition);
  check.not_negative("emittance in x", x_emittance);
  check.not_negative("emittance in y", y_emittance);
  check.not_negative("momentum spread", momentum_spread);
  check.finite("momentum change", momentum_change);
  if (momentum_change > 0.)
    check.refuse("momentum change", momentum_change, "radiation only takes momentum");
  check.not_negative("reference momentum", reference_momentum);
  check.not_negative("coupling", coupling);
  check.not_negative("fraction", fraction);
  if (!(cutoff > 0.)) check.refuse("cutoff", cutoff, "it must be above 0");
  for (const auto* optics : {&x_optics, &y_optics}) {
    if (!*optics) continue;
    check.finite("beta function", (*optics)->beta);
    if (!((*optics)->beta > 0.))
      check.refuse("beta function", (*optics)->beta, "it must be above 0");
    check.finite("dispersion", (*optics)->dispersion);
    check.finite("slope of the dispersion", (*optics)->dispersion_slope);
  }
}

}  // namespace trackplex::beam
