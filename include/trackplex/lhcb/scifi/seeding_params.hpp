// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/compiled.hpp>

namespace trackplex::lhcb {

/// Upper limit of SeedingParams::candidates.
inline constexpr int max_seed_candidates = 16;

/// Cubic term of the curves x(z) of tracks in the SciFi alone, 1/mm, see FindScifiTracks.
inline constexpr double seed_cubic = -0.00028;

/// Cuts of the search for tracks in the SciFi alone. Lengths in mm, momenta in MeV.
struct SeedingParams {
  double min_p = 3000.;  ///< min momentum of tracks from the beam: widths of windows, MeV
  /// Half width of the window of the middle hit of a triplet, as a curvature, 1/mm.
  double curvature_tolerance = 2.73e-6;
  double x_distance2 = 1.;       ///< squared distance of a hit in an x layer from the curve, mm^2
  int candidates = 2;            ///< curves of a first hit that are completed, 1 to 16
  double stereo_distance2 = 2.;  ///< squared distance in x of a stereo hit from the line, mm^2
  double max_y = 2700.;          ///< upper limit of |y| in stereo layers, mm
  int min_hits = 10;             ///< min number of hits, 9 to 12
  double max_quality = 0.1;      ///< upper limit of ScifiTracks::quality, mm^2
  /// Fraction of the hits of one of two tracks, if the other has them, too, that makes them
  /// duplicates: the one of better quality is kept. More than 1 keeps all tracks.
  double max_shared = 0.5;
};

/// Cuts of this search in kernels, by type of triplets (layers 0, 4, 8 and 3, 7, 11).
template <class T>
struct SeedingCuts {
  T scale[2];          ///< of x of the first hit, to the middle of the window of the last one
  T reach[2];          ///< half width of this window, mm
  T sagitta[2];        ///< of the middle hit, over 1/p, mm MeV
  T offset[2];         ///< decrease of the sagitta, mm
  T middle2[2];        ///< squared half width of the window of the middle hit, mm^2
  T x_distance2;       ///< see SeedingParams, mm^2
  int candidates;      ///< see SeedingParams
  T stereo_distance2,  ///< see SeedingParams, mm^2
      max_y;           ///< see SeedingParams, mm
  int min_hits;        ///< see SeedingParams
  T max_quality,       ///< see SeedingParams, mm^2
      max_shared;      ///< see SeedingParams
};

/// Checks the ranges of all cuts.
/// @throws UsageError that names the first parameter out of range
void check(const SeedingParams& p);

}  // namespace trackplex::lhcb

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/lhcb/scifi/detail/seeding_params.impl.hpp>
#endif
