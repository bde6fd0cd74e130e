// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/simulation/detail/check_range.hpp>

#include <cmath>
#include <string>

namespace trackplex::simulation {

/// Proton collisions in the VELO and what becomes of their particles there. The defaults resemble
/// the simulated minimum-bias events of the upgraded LHCb; lengths in mm, momenta in MeV.
struct CollisionParams {
  // Collisions: Gaussian luminous region
  double mean_vertices = 5.3;  ///< Poisson; events without a vertex hold noise only
  double luminous_sigma_xy = 0.04;
  double luminous_sigma_z = 63.;
  double luminous_z = 0.;

  // Primary particles: exponential number per vertex, Gaussian pseudorapidity, transverse momentum
  // with density pt exp(-pt/T) and, for a fraction of them, a larger T
  double mean_primaries = 118.;  ///< per vertex, of all kinds, in all directions
  double eta_sigma = 4.4;
  double soft_temperature = 200.;
  double hard_temperature = 520.;
  double hard_fraction = 0.15;

  // Fractions of the primaries that are no charged particles (pi, K, p, mu) from the vertex
  double conversion_fraction = 0.18;  ///< photons that convert in a sensor
  double kaon_short_fraction = 0.035;
  double lambda_fraction = 0.01;
  double charm_fraction = 0.0045;
  double beauty_fraction = 0.0007;

  // Detector
  double sensor_thickness = 0.009;  ///< of a sensor with its share of the rest, radiation lengths
  double hit_efficiency = 0.99;

  // Which particles reach the tracking stations
  double survival = 0.7;  ///< neither decay nor interact before them

 protected:
  /// @throws UsageError that names the first parameter of `owner` out of its range
  void check_collisions(const std::string& owner) const;
};

inline void CollisionParams::check_collisions(const std::string& owner) const {
  const auto check_range = [&](const char* name, double value, double lowest, double highest) {
    detail::check_range(owner, name, value, lowest, highest);
  };
  check_range("mean_vertices", mean_vertices, 0., 300.);
  check_range("luminous_sigma_xy", luminous_sigma_xy, 0., 2.);
  check_range("luminous_sigma_z", luminous_sigma_z, 0., 500.);
  check_range("luminous_z", luminous_z, -1000., 1000.);
  check_range("mean_primaries", mean_primaries, 0., 5000.);
  check_range("eta_sigma", eta_sigma, 0.1, 10.);
  check_range("soft_temperature", soft_temperature, 1., 1e5);
  check_range("hard_temperature", hard_temperature, 1., 1e5);
  check_range("hard_fraction", hard_fraction, 0., 1.);
  check_range("conversion_fraction", conversion_fraction, 0., 1.);
  check_range("kaon_short_fraction", kaon_short_fraction, 0., 1.);
  check_range("lambda_fraction", lambda_fraction, 0., 1.);
  check_range("charm_fraction", charm_fraction, 0., 1.);
  check_range("beauty_fraction", beauty_fraction, 0., 1.);
  check_range("conversion_fraction and the fractions after it",  // what is left is charged
              conversion_fraction + kaon_short_fraction + lambda_fraction + charm_fraction +
                  beauty_fraction,
              0., 1.);
  check_range("sensor_thickness", sensor_thickness, 0., 0.2);
  check_range("hit_efficiency", hit_efficiency, 0., 1.);
  check_range("survival", survival, 0., 1.);
}

}  // namespace trackplex::simulation
