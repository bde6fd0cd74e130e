// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/compiled.hpp>
#include <trackplex/core/math.hpp>
#include <trackplex/core/pow.hpp>
#include <trackplex/core/random.hpp>
#include <trackplex/tracks/tracking_events.hpp>

#include <cstdint>
#include <vector>

namespace trackplex::simulation {

/// Parameters of `shoot_particles`.
struct ParticleGunParams {
  int particles = 1000;           ///< of an event
  double min_pt = 0.5,            ///< limits of the transverse momentum, GeV, whose
      max_pt = 10.;               ///< logarithm is uniform
  double max_abs_eta = 2.;        ///< limit of |pseudorapidity|, which is uniform
  double vertex_x = 0.,           ///< centre of the region of vertices, cm
      vertex_y = 0.,              ///< cm
      vertex_z = 0.;              ///< cm
  double vertex_sigma_xy = 0.01,  ///< standard deviation of vertices across the beam, cm
      vertex_sigma_z = 5.5;       ///< standard deviation of vertices along the beam, cm

  /// Checks the parameters.
  /// @throws UsageError if one is out of range
  void check() const;
};

/// Returns charged particles from the luminous region, at all azimuths.
///
/// Random numbers are counter-based: those of a particle depend only on the seed and on the
/// numbers of the event and the particle.
/// @throws UsageError if a parameter is out of range
std::vector<tracks::TrueParticle> shoot_particles(const ParticleGunParams& params,
                                                  std::uint64_t event, std::uint64_t seed = 1);

/// Parameters of `shoot_beam`.
struct BeamGunParams {
  int particles = 5;            ///< of an event
  double min_momentum = 2.,     ///< lower limit of the momentum, which is uniform, GeV
      max_momentum = 10.;       ///< upper limit of the momentum, GeV
  double z = -8.;               ///< of the start of particles, cm
  double sigma_x = 1.,          ///< standard deviation of x there, cm
      sigma_y = 1.;             ///< standard deviation of y, cm
  double sigma_x_slope = 0.02,  ///< standard deviation of dx/dz
      sigma_y_slope = 0.01;     ///< standard deviation of dy/dz

  /// Checks the parameters.
  /// @throws UsageError if one is out of range
  void check() const;
};

/// Returns particles of both charges in a beam along z. Random numbers as in `shoot_particles`.
/// @throws UsageError if a parameter is out of range
std::vector<tracks::TrueParticle> shoot_beam(const BeamGunParams& params, std::uint64_t event,
                                             std::uint64_t seed = 1);

}  // namespace trackplex::simulation

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/simulation/detail/particle_gun.impl.hpp>
#endif
