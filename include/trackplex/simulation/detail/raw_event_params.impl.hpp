// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/simulation/collision_params.hpp>
#include <trackplex/simulation/detail/check_range.hpp>
#include <trackplex/simulation/raw_event_params.hpp>

namespace trackplex::simulation {

TRACKPLEX_INLINE void RawEventParams::check() const {
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
  check_range("thickness of the magnet", magnet_thickness, 0., 1.);
  check_range("thickness of a SciFi layer", scifi_layer_thickness, 0., 0.2);
  check_range("efficiency of the SciFi", scifi_efficiency, 0., 1.);
  check_range("spread of light in the SciFi", scifi_spread, 0.125, 5.);  // a channel or more
  check_range("smearing of the SciFi", scifi_smearing, 0., 5.);
  check_range("delta ray probability in the SciFi", scifi_delta_ray_probability, 0., 1.);
  check_range("delta ray length in the SciFi", scifi_delta_ray_length, 0., 20.);
  check_range("mean number of secondaries after the magnet", mean_scifi_secondaries, 0., 10000.);
  check_range("mean noise in the SciFi", mean_scifi_noise, 0., 10000.);
}

}  // namespace trackplex::simulation
