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
  /// @throws UsageError that names the first quantity of `owner` (in words) out of its range
  void check_collisions(const std::string& owner) const;
};

inline void CollisionParams::check_collisions(const std::string& owner) const {
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
