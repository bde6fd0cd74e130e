// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/compiled.hpp>
#include <trackplex/core/constants.hpp>
#include <trackplex/geometry/description.hpp>
#include <trackplex/kalman/material_constants.hpp>

#include <numbers>
#include <vector>

namespace trackplex::simulation {

/// Parameters of a `DetectorGenerator`.
struct DetectorGeneratorParams {
  double particle_mass = constants::pion_mass;  ///< of all particles, GeV
  double efficiency = 1.;  ///< probability that a particle leaves a hit in a module
  /// Noise hits over all hits of an event, on average: 0.15 in thinned event 1 of TrackML.
  double noise_fraction = 0.;
  /// Fraction of noise hits that are distributed in proportion to the true hits of modules; the
  /// others are in proportion to the area of modules.
  double noise_with_occupancy = 0.3;
  /// Ratio of noise hits per area on modules perpendicular to z and on modules parallel to z.
  double noise_on_disks = 1.;
  bool scattering = true;          ///< multiple scattering in material
  double energy_loss_factor = 1.;  ///< mean energy loss over Bethe's mean; 0: none
  /// Probability per radiation length that a particle ends in a nuclear interaction: about 0.2 for
  /// pions in silicon.
  double interactions_per_radiation_length = 0.;
  /// Material of all radiation lengths, for the energy loss.
  kalman::Material material = kalman::silicon;
  /// Additional layers with material but without modules, such as a beam pipe.
  std::vector<geometry::Layer> passive_layers{};
  double max_step = 2.;                     ///< max length of a step, cm
  double max_path = 1500.;                  ///< length after which a particle is dropped, cm
  double max_turn = 2. * std::numbers::pi;  ///< turn of the azimuth after which a particle is
                                            ///< dropped, rad
  double min_momentum = 0.02;               ///< momentum below which a particle stops, GeV

  double min_pt = 0.;  ///< of particles at their start; particles below it have no hits, GeV

  /// Checks the parameters.
  /// @throws UsageError if one is out of range
  void check() const;
};

}  // namespace trackplex::simulation

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/simulation/detail/detector_generator_params.impl.hpp>
#endif
