// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/lhcb/velo_event.hpp>
#include <trackplex/simulation/detail/collisions.hpp>
#include <trackplex/simulation/detail/velo_event_builder.hpp>
#include <trackplex/simulation/velo_generator_params.hpp>

#include <cstdint>
#include <string>

namespace trackplex::simulation {

/// Generates events of the LHCb VELO with truth. An event is a function of the parameters, the seed
/// and its number alone, to the last bit and on every machine: the random numbers are counter-based
/// with the event's number as stream, and all math is portable.
///
/// Charged particles fly straight from vertices in the luminous region, from decays of strange,
/// charm and beauty hadrons in flight, and in pairs from photons that convert in a sensor; in each
/// sensor they leave a hit, smeared and rounded to 1 um, and scatter by an angle of
///
///   theta0 = 13.6 MeV/(beta p) sqrt(x/X0) (1 + 0.038 ln(x/X0))
///
/// (V. L. Highland; Review of Particle Physics, eq. 34.16), x growing with the slope, the logarithm
/// taken at normal incidence. There is no magnetic field and no energy loss. Particles with hits in
/// fewer than three modules are not listed in the truth, as in the experiment's own simulation, and
/// their hits are nobody's.
class VeloGenerator {
 public:
  /// @throws UsageError if a parameter is out of range
  explicit VeloGenerator(const VeloGeneratorParams& params = {}, std::uint64_t seed = 1)
      : params_(params), seed_(seed) {
    params_.check();
    scattering_ = detail::scattering_scale(params_.sensor_thickness);
  }

  /// Event `number`; its name holds the seed and the number.
  lhcb::VeloEvent operator()(std::uint64_t number) const {
    detail::Draws draws(seed_, number);
    detail::VeloEventBuilder builder(params_, scattering_);
    detail::Collisions(params_, builder, draws)();
    const unsigned noise = draws.poisson(params_.mean_noise);
    for (unsigned i = 0; i < noise; ++i) builder.add_noise(draws);
    lhcb::VeloEvent event = builder.finish();
    event.name = "generated-" + std::to_string(seed_) + "-" + std::to_string(number);
    return event;
  }

 private:
  VeloGeneratorParams params_;
  std::uint64_t seed_;
  double scattering_ = 0.;  ///< see scattering_scale
};

}  // namespace trackplex::simulation
