// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/simulation/collision_params.hpp>
#include <trackplex/simulation/detail/check_range.hpp>
#include <trackplex/simulation/velo_generator_params.hpp>

namespace trackplex::simulation {

TRACKPLEX_INLINE void VeloGeneratorParams::check() const {
  const char* const owner = "simulated VELO events";
  check_collisions(owner);
  detail::check_range(owner, "resolution", resolution, 0., 1.);
  detail::check_range(owner, "mean noise", mean_noise, 0., 10000.);
  detail::check_range(owner, "least number of modules", min_modules, 1., 52.);
}

}  // namespace trackplex::simulation
