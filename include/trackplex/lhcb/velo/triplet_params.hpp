// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <limits>

namespace trackplex::lhcb {

/// Cuts of Search by triplet. Lengths in mm, angles in rad. h0, h1, h2 are the hits of a seed, in
/// the order upstream (towards small z). The defaults are those of 2023; `lhcb::velo_params` gives
/// all published sets.
struct TripletParams {
  static constexpr double none = std::numeric_limits<double>::infinity();  ///< no cut

  /// true: a layer merges the hits of both sides, phi has 16 bits, and h0 is one of the hits
  /// nearest in phi. false: each side is searched separately, phi is in radians, and h0 lies in a
  /// window.
  bool merge_sides = true;

  // Seeding
  int nearest_first = 8;  ///< merged sides: candidates for h0 in the first step
  int nearest_next = 4;   ///< merged sides: candidates for h0 in all other steps
  /// Separate sides: half width of the windows for h0 and h2 around phi(h1), rad.
  double seed_phi_window = 0.;
  double seed_phi_window_per_z = 0.;  ///< separate sides: its growth with |z(h1)|, rad/mm
  double seed_max_slope = none;       ///< separate sides: largest |dx/dz| and |dy/dz| of h0 to h1

  // Seeding and forwarding
  /// Upper limit of the squared distance of a hit from the extrapolated line, mm^2; without unit if
  /// `scatter_per_dz2`.
  double max_scatter = 0.08;
  /// Whether the squared distance is divided by the squared distance in z from the line's second
  /// hit.
  bool scatter_per_dz2 = false;
  double tolerance = none;  ///< largest |dx| and |dy| from the extrapolated line, mm

  // Forwarding
  /// Half width of the window around the extrapolated phi, rad; with merged sides also for h2.
  double phi_window = 0.045;
  int max_skipped = 1;  ///< max number of consecutive layers without a hit on a track

  // Tracks of three hits
  double inverse_variance = 6400.;  ///< 1/sigma^2 of a hit coordinate, mm^-2
  double max_chi2_per_ndf = 20.;    ///< of a track of three hits, with two degrees of freedom

  int hits_per_slot = 2;  ///< capacity: one track slot per this many hits (and 32 per event)
};

}  // namespace trackplex::lhcb
