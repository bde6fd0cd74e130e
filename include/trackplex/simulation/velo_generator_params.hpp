// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/simulation/collision_params.hpp>

namespace trackplex::simulation {

/// Parameters of VeloGenerator: by default, about 1900 hits and 270 particles.
struct VeloGeneratorParams : CollisionParams {
  double resolution = 0.0125;  ///< standard deviation of the measured u and v; flat
  double mean_noise = 8.;      ///< hits per event from no particle
  int min_modules = 3;         ///< particles with hits in fewer modules are not listed

  /// @throws UsageError that names the first parameter out of its range
  void check() const {
    const char* const owner = "simulated VELO events";
    check_collisions(owner);
    detail::check_range(owner, "resolution", resolution, 0., 1.);
    detail::check_range(owner, "mean noise", mean_noise, 0., 10000.);
    detail::check_range(owner, "least number of modules", min_modules, 1., 52.);
  }
};

}  // namespace trackplex::simulation
