// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <limits>

namespace trackplex::seeding {

/// Cuts of Search by triplet. Lengths in mm, angles in rad. The names of hits: h0, h1, h2 go
/// upstream (towards small z).
struct TripletParams {
  static constexpr double none = std::numeric_limits<double>::infinity();

  /// Layers merge the hits of both sides, with 16-bit phi, and h0 is one of the nearest hits in
  /// phi; otherwise each side is searched for itself, with phi in radians, and h0 lies in a window.
  bool merge_sides = true;

  // Seeding
  int nearest_first = 8;  ///< merged: candidates for h0 in the first step
  int nearest_next = 4;   ///< merged: in all others
  double seed_phi_window =
      0.;  ///< separate: half width of the windows for h0 and h2 around phi(h1) ...
  double seed_phi_window_per_z = 0.;  ///< ... and its growth with |z(h1)|, rad/mm
  double seed_max_slope = none;       ///< |dx|, |dy| from h0 to h1 per dz

  // Both
  double max_scatter =
      0.08;  ///< of the squared distance to the extrapolated line, mm^2 (or relative, see below)
  bool scatter_per_dz2 =
      false;                ///< the scatter is divided by the squared distance in z from h1 to h2
  double tolerance = none;  ///< |dx|, |dy| to the extrapolated line

  // Forwarding
  double phi_window =
      0.045;            ///< half width around the extrapolated phi (merged: also for h2 of a seed)
  int max_skipped = 1;  ///< layers that a track may miss in a row

  // Tracks of three hits
  double inverse_variance = 6400.;  ///< 1/sigma^2 of a hit coordinate, mm^-2
  double max_chi2_per_ndf = 20.;

  int hits_per_slot = 2;  ///< capacity: one track slot per this many hits (and 32 per event)
};

}  // namespace trackplex::seeding
