// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/compiled.hpp>
#include <trackplex/simulation/collision_params.hpp>

namespace trackplex::simulation {

/// Parameters of `VeloGenerator`. The defaults give about 1900 hits and 270 particles per event.
struct VeloGeneratorParams : CollisionParams {
  /// Standard deviation of both coordinates measured by a sensor, mm; their errors are uniform.
  double resolution = 0.0125;
  double mean_noise = 8.;  ///< mean of the Poisson number of noise hits per event
  int min_modules = 3;     ///< particles with hits in fewer modules are not listed in the truth

  /// Checks all parameters.
  /// @throws UsageError that names the first parameter out of its range
  void check() const;
};

}  // namespace trackplex::simulation

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/simulation/detail/velo_generator_params.impl.hpp>
#endif
