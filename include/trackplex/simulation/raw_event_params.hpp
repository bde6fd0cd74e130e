// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/simulation/collision_params.hpp>

namespace trackplex::simulation {

/// Parameters of RawEventGenerator. The defaults give events that resemble the simulated
/// minimum-bias events of the upgraded LHCb (about 2000 VELO clusters and 1200 UT hits); lengths in
/// mm, momenta in MeV.
struct RawEventParams : CollisionParams {
  RawEventParams() { mean_primaries = 124.; }

  // VELO pixels. The charge of a particle is deposited evenly along its way through the sensor,
  // spread over a square around it, and a pixel with more than the threshold lights up.
  double silicon_thickness = 0.2;
  double charge_spread = 0.006;         ///< half the side of the square
  double charge_threshold = 0.08;       ///< of the mean charge across the sensor
  double delta_ray_probability = 0.03;  ///< per crossing
  double delta_ray_length = 0.25;       ///< mean of an exponential, in the plane of the sensor
  double mean_velo_noise = 8.;          ///< lit pixels per event from no particle

  // Between VELO and UT, and in the UT
  double gap_thickness = 0.07;        ///< of all material up to the UT, radiation lengths
  double ut_layer_thickness = 0.01;   ///< radiation lengths
  double ut_efficiency = 0.99;        ///< of one sector
  double ut_hole_radius = 33.4;       ///< around the beam
  double ut_sharing = 0.26;           ///< of the pitch: two strips share the charge
  double mean_secondaries = 220.;     ///< charged particles per event from the beam pipe
  double secondary_momentum = 1500.;  ///< mean of an exponential
  double secondary_angle = 0.12;      ///< to the beam; mean of an exponential
  double mean_ut_noise = 60.;         ///< hits per event from no particle

  /// @throws UsageError that names the first parameter out of its range
  void check() const {
    const char* const owner = "simulated raw events";
    check_collisions(owner);
    const auto check_range = [&](const char* name, double value, double lowest, double highest) {
      detail::check_range(owner, name, value, lowest, highest);
    };
    check_range("thickness of silicon", silicon_thickness, 0., 1.);
    check_range("charge spread", charge_spread, 0., 0.0275);  // not more than two pixels wide
    check_range("charge threshold", charge_threshold, 0., 0.15);
    check_range("delta ray probability", delta_ray_probability, 0., 1.);
    check_range("delta ray length", delta_ray_length, 0., 2.);
    check_range("mean noise in the VELO", mean_velo_noise, 0., 10000.);
    check_range("thickness of the gap", gap_thickness, 0., 1.);
    check_range("thickness of a UT layer", ut_layer_thickness, 0., 0.2);
    check_range("efficiency of the UT", ut_efficiency, 0., 1.);
    check_range("radius of the hole of the UT", ut_hole_radius, 0., 500.);
    check_range("part of the pitch of the UT that shares charge", ut_sharing, 0., 1.);
    check_range("mean number of secondaries", mean_secondaries, 0., 10000.);
    check_range("mean momentum of secondaries", secondary_momentum, 100., 1e5);
    check_range("mean angle of secondaries", secondary_angle, 0.001, 1.);
    check_range("mean noise in the UT", mean_ut_noise, 0., 10000.);
  }
};

}  // namespace trackplex::simulation
