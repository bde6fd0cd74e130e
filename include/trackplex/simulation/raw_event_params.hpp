// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/compiled.hpp>
#include <trackplex/simulation/collision_params.hpp>

namespace trackplex::simulation {

/// Parameters of `RawEventGenerator`. The defaults give events that resemble the simulated
/// minimum-bias events of the upgraded LHCb, with about 2000 VELO clusters, 1200 UT hits and, if
/// the detector has a SciFi, 2850 hits in it. Lengths in mm, momenta in MeV.
///
/// The charge of a particle is deposited evenly along its path through a VELO sensor and spread
/// over a square around it; pixels above the threshold fire.
struct RawEventParams : CollisionParams {
  /// Sets the defaults; there are more primaries than in `CollisionParams`.
  RawEventParams() { mean_primaries = 124.; }

  // VELO pixels
  double silicon_thickness = 0.2;       ///< of a sensor, mm
  double charge_spread = 0.006;         ///< half the side of the square, mm
  double charge_threshold = 0.08;       ///< in units of the mean charge across the sensor
  double delta_ray_probability = 0.03;  ///< per crossing
  double delta_ray_length = 0.25;       ///< mean of an exponential in the plane of the sensor, mm
  double mean_velo_noise = 8.;          ///< mean of the Poisson number of noise pixels per event

  // Between VELO and UT, and in the UT
  double gap_thickness = 0.07;        ///< of all material between VELO and UT, in X0
  double ut_layer_thickness = 0.01;   ///< of a UT layer, in X0
  double ut_efficiency = 0.99;        ///< of one sector
  double ut_hole_radius = 33.4;       ///< radius of the hole around the beam, mm
  double ut_sharing = 0.26;           ///< fraction of the pitch where two strips share the charge
  double mean_secondaries = 220.;     ///< mean number of charged particles from the beam pipe
  double secondary_momentum = 1500.;  ///< of secondaries: mean of an exponential above 100 MeV, MeV
  double secondary_angle = 0.12;      ///< of secondaries to the beam: mean of an exponential, rad
  double mean_ut_noise = 60.;         ///< mean of the Poisson number of noise hits per event

  // SciFi, if the detector has one, and on the way to it
  double magnet_thickness = 0.03;             ///< of all material from the UT to the SciFi, in X0
  double scifi_layer_thickness = 0.01;        ///< of a SciFi layer, in X0
  double scifi_efficiency = 0.985;            ///< of one layer
  double scifi_spread = 0.2;                  ///< half the width over which light spreads, mm
  double scifi_smearing = 0.04;               ///< standard deviation of its middle, mm
  double scifi_delta_ray_probability = 0.18;  ///< per crossing
  double scifi_delta_ray_length = 0.8;        ///< mean of an exponential across the fibres, mm
  double mean_scifi_secondaries = 200.;       ///< mean number of those from after the magnet
  double mean_scifi_noise = 430.;             ///< mean of the Poisson number of noise clusters

  /// Checks all parameters.
  /// @throws UsageError that names the first parameter out of its range
  void check() const;
};

}  // namespace trackplex::simulation

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/simulation/detail/raw_event_params.impl.hpp>
#endif
