// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/compiled.hpp>
#include <trackplex/simulation/cylinder_tracks.hpp>

namespace trackplex::simulation {

/// Parameters of `generate_cylinder_events`. The defaults are those of mkFit's toy simulation
/// (2017): ten cylinders at 4 to 40 cm without material in a field of 3.8 T, and 10,000 particles
/// with one hit on each layer, without noise. Lengths in cm, momenta in GeV, fields in T.
struct CylinderEventParams {
  /// Detector, distributions, errors of the hits, material, and the seed.
  CylinderTrackParams particles{.sigma_r = 0.001};
  /// Field, evaluated at the start of the step to each layer, T.
  /// `{.c1 = B, .b0 = 0, .b1 = 0, .a = 0}` is uniform.
  kalman::SolenoidField field{};
  int tracks = 10000;          ///< particles of an event
  double inefficiency = 0.;    ///< probability that a particle leaves no hit on a layer
  double noise_per_layer = 0;  ///< mean of the Poisson number of noise hits on a layer

  /// Returns the half length (cm) over which noise is uniform in z,
  /// r sinh(max_abs_eta) + 5 vertex_sigma_z: about the range of the hits of particles.
  double noise_half_length(int layer) const;

  /// Checks all parameters.
  /// @throws UsageError that names the first parameter out of its range
  void check() const;
};

}  // namespace trackplex::simulation

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/simulation/detail/cylinder_event_params.impl.hpp>
#endif
