// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/lhcb/velo/velo_event.hpp>
#include <trackplex/simulation/detail/collisions.hpp>
#include <trackplex/simulation/detail/velo_event_builder.hpp>
#include <trackplex/simulation/velo_generator.hpp>
#include <trackplex/simulation/velo_generator_params.hpp>

#include <cstdint>
#include <string>

namespace trackplex::simulation {

TRACKPLEX_INLINE VeloGenerator::VeloGenerator(const VeloGeneratorParams& params, std::uint64_t seed)
    : params_(params), seed_(seed) {
  params_.check();
  scattering_ = detail::scattering_scale(params_.sensor_thickness);
}

TRACKPLEX_INLINE lhcb::VeloEvent VeloGenerator::operator()(std::uint64_t number) const {
  detail::Draws draws(seed_, number);
  detail::VeloEventBuilder builder(params_, scattering_);
  detail::Collisions(params_, builder, draws)();
  const unsigned noise = draws.poisson(params_.mean_noise);
  for (unsigned i = 0; i < noise; ++i) builder.add_noise(draws);
  lhcb::VeloEvent event = builder.finish();
  event.name = "generated-" + std::to_string(seed_) + "-" + std::to_string(number);
  return event;
}

}  // namespace trackplex::simulation
