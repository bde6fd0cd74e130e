// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/compiled.hpp>

#include <string>

namespace trackplex::simulation {

/// Parameters of proton collisions in the VELO and of the flight of their particles through it. The
/// defaults resemble the simulated minimum-bias events of the upgraded LHCb. Lengths in mm, momenta
/// and temperatures in MeV.
///
/// Vertices are normally distributed in the luminous region. The number of primary particles of a
/// vertex is exponential, their pseudorapidity normal with mean 0, and their transverse momentum
/// has the density pt exp(-pt/T), with a larger T for a fraction of them. Particles outside of
/// |eta| < 6 or below 30 MeV are dropped.
struct CollisionParams {
  double mean_vertices = 5.3;       ///< mean of a Poisson number; without a vertex, only noise
  double luminous_sigma_xy = 0.04;  ///< standard deviation of a vertex in x and in y, mm
  double luminous_sigma_z = 63.;    ///< standard deviation of a vertex in z, mm
  double luminous_z = 0.;           ///< mean z of the vertices, mm

  double mean_primaries = 118.;    ///< mean number per vertex, of all kinds and in all directions
  double eta_sigma = 4.4;          ///< standard deviation of the pseudorapidity
  double soft_temperature = 200.;  ///< T of most primaries, MeV
  double hard_temperature = 520.;  ///< T of the others, MeV
  double hard_fraction = 0.15;     ///< fraction of the primaries with the larger T

  // Fractions of the primaries that are not charged particles (pi, K, p, mu) from the vertex
  double conversion_fraction = 0.18;   ///< photons that convert to e+ e- in a sensor
  double kaon_short_fraction = 0.035;  ///< K0_S that decay to two pions
  double lambda_fraction = 0.01;       ///< Lambda that decay to a proton and a pion
  double charm_fraction = 0.0045;      ///< charm hadrons: three charged daughters
  double beauty_fraction = 0.0007;     ///< beauty hadrons: five charged daughters

  double sensor_thickness = 0.009;  ///< of a sensor with its share of other material, in X0
  double hit_efficiency = 0.99;     ///< probability of a hit in a crossed sensor

  double survival = 0.7;  ///< probability to reach the tracking stations downstream of the magnet

 protected:
  /// Checks all parameters.
  /// @throws UsageError that names the first quantity of `owner` (in words) that is out of range
  void check_collisions(const std::string& owner) const;
};

}  // namespace trackplex::simulation

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/simulation/detail/collision_params.impl.hpp>
#endif
