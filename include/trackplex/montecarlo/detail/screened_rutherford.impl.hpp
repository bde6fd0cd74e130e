// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/constants.hpp>
#include <trackplex/core/error.hpp>
#include <trackplex/core/math.hpp>
#include <trackplex/core/shortest.hpp>
#include <trackplex/montecarlo/material.hpp>
#include <trackplex/montecarlo/screened_rutherford.hpp>

#include <cmath>

namespace trackplex::montecarlo {

TRACKPLEX_INLINE ScreenedRutherford screened_rutherford(const Material& material,
                                                        double kinetic_energy) {
  if (!(material.b_c > 0.) || !(material.chi_cc_square > 0.))
    throw UsageError("cross section", "a constant of the material is not above 0", material.name);
  if (!(kinetic_energy > 0.) || !std::isfinite(kinetic_energy))
    throw UsageError("cross section", "the kinetic energy is not above 0",
                     shortest(kinetic_energy) + " MeV");
  constexpr double mass = constants::published_simulation::electron_mass;
  const double pc2 = kinetic_energy * (kinetic_energy + 2. * mass);
  const double beta2 = pc2 / (pc2 + mass * mass);
  const double a = material.chi_cc_square / (4. * pc2 * material.b_c);
  return {a, beta2 * (1. + a) / material.b_c, kinetic_energy};
}

TRACKPLEX_INLINE double mean_free_paths(const ScreenedRutherford& scattering, double length) {
  if (!(length > 0.) || !std::isfinite(length))
    throw UsageError("track length", "it is not above 0", shortest(length) + " mm");
  return length / scattering.mean_free_path;
}

}  // namespace trackplex::montecarlo
