// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/compiled.hpp>
#include <trackplex/lhcb/velo/velo_event.hpp>
#include <trackplex/simulation/detail/collisions.hpp>
#include <trackplex/simulation/detail/velo_event_builder.hpp>
#include <trackplex/simulation/velo_generator_params.hpp>

#include <cstdint>

namespace trackplex::simulation {

/// Generator of events of the LHCb VELO with truth. An event depends only on the parameters, the
/// seed and its number, and has the same bits on every machine: random numbers are counter-based
/// with the number of the event as stream, and all math is portable. Lengths in mm, momenta in MeV.
///
/// Charged particles fly straight from vertices in the luminous region, from decays of strange,
/// charm and beauty hadrons in flight, and in pairs from photons that convert in a sensor. In each
/// sensor they leave a hit, smeared and rounded to 1 um, and scatter by normally distributed angles
/// of standard deviation \f[ \theta_0=\frac{13.6\,\mathrm{MeV}}{\beta p}\sqrt{\frac x{X_0}}
///   \left(1+0.038\ln\frac x{X_0}\right) \f]
/// (V. L. Highland; Review of Particle Physics, eq. 34.16), with x growing with the slope and the
/// logarithm taken at normal incidence. There is no magnetic field and no energy loss. Particles
/// with hits in fewer than `min_modules` modules are not listed in the truth, as in the
/// experiment's own simulation; their hits belong to no particle.
class VeloGenerator {
 public:
  /// Checks and copies the parameters.
  /// @throws UsageError if a parameter is out of range
  explicit VeloGenerator(const VeloGeneratorParams& params = {}, std::uint64_t seed = 1);

  /// Generates event `number`; its name contains the seed and the number.
  /// @throws CapacityError if the event has more than 65535 hits
  lhcb::VeloEvent operator()(std::uint64_t number) const;

 private:
  VeloGeneratorParams params_;
  std::uint64_t seed_;
  double scattering_ = 0.;  ///< see scattering_scale
};

}  // namespace trackplex::simulation

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/simulation/detail/velo_generator.impl.hpp>
#endif
