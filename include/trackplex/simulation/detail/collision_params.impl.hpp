// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/simulation/collision_params.hpp>
#include <trackplex/simulation/detail/check_range.hpp>

#include <string>

namespace trackplex::simulation {

TRACKPLEX_INLINE void CollisionParams::check_collisions(const std::string& owner) const {
  const auto check_range = [&](const char* name, double value, double lowest, double highest) {
    detail::check_range(owner, name, value, lowest, highest);
  };
  check_range("mean number of vertices", mean_vertices, 0., 300.);
  check_range("width of the luminous region", luminous_sigma_xy, 0., 2.);
  check_range("length of the luminous region", luminous_sigma_z, 0., 500.);
  check_range("center of the luminous region", luminous_z, -1000., 1000.);
  check_range("mean number of primary particles per vertex", mean_primaries, 0., 5000.);
  check_range("width of the pseudorapidity", eta_sigma, 0.1, 10.);
  check_range("soft temperature", soft_temperature, 1., 1e5);
  check_range("hard temperature", hard_temperature, 1., 1e5);
  check_range("fraction of the hard temperature", hard_fraction, 0., 1.);
  check_range("fraction of conversions", conversion_fraction, 0., 1.);
  check_range("fraction of short-lived kaons", kaon_short_fraction, 0., 1.);
  check_range("fraction of lambdas", lambda_fraction, 0., 1.);
  check_range("fraction of charm", charm_fraction, 0., 1.);
  check_range("fraction of beauty", beauty_fraction, 0., 1.);
  check_range(
      "sum of the fractions of conversions, kaons, lambdas, charm and beauty",  // what is left is
                                                                                // charged
      conversion_fraction + kaon_short_fraction + lambda_fraction + charm_fraction +
          beauty_fraction,
      0., 1.);
  check_range("thickness of a sensor", sensor_thickness, 0., 0.2);
  check_range("hit efficiency", hit_efficiency, 0., 1.);
  check_range("survival", survival, 0., 1.);
}

}  // namespace trackplex::simulation
