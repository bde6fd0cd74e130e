// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/compiled.hpp>

namespace trackplex::lhcb {

/// Upper limit of ForwardParams::candidates.
inline constexpr int max_forward_candidates = 64;
/// Upper limit of ForwardParams::max_window_hits.
inline constexpr int max_forward_window_hits = 1024;

/// Cuts of the search for SciFi hits of tracks of VELO and UT. The search is Looking Forward
/// of LHCb's Allen of 2020, whose numbers forward_params() returns. The defaults are those of this
/// library. Lengths in mm, momenta in MeV, slopes are dx/dz and dy/dz.
struct ForwardParams {
  /// Whether the VELO states are those at the end of the VELO (VeloEndStates) instead of the line
  /// fit at the beam.
  bool end_of_velo_states = false;

  // Windows in the first and the last layer of a triplet
  double window = 150.;            ///< half width at q/p = 0, mm
  double window_per_qop = 2e6;     ///< increase of the half width with |q/p|, mm MeV
  double window_extension = 100.;  ///< increase on the side to which the track bends, mm
  int max_window_hits = 1024;      ///< hits next to the middle of a window that are used, 2 to 1024

  // Triplets of hits in the first, second and third station
  /// Distance in x, in the middle of the magnet, of a triplet's line from the VELO track: tolerance
  /// at q/p = 0, mm.
  double magnet_tolerance = 8.;
  double max_magnet_tolerance = 40.;  ///< the same at |q/p| >= `max_tolerance_qop`, mm
  double max_tolerance_qop = 0.0005;  ///< see max_magnet_tolerance, 1/MeV
  /// |q/p| above which a track must bend to the side to which the UT says it bends, 1/MeV.
  double same_side_qop = 1. / 5000.;
  double triplet_distance2 = 8.;  ///< squared distance of the middle hit from the line, mm^2
  int candidates = 40;            ///< triplets of a track that are extended, 1 to 64

  // Further hits
  double x_distance2 = 1.;       ///< squared distance of a hit in an x layer from the curve, mm^2
  double stereo_distance2 = 4.;  ///< squared distance of a hit in a stereo layer at t = 0, mm^2
  /// Increase of stereo_distance2 with t = |tx| + |ty|, mm^2.
  double stereo_distance2_per_slope = 20.;

  // Selection
  int min_hits = 9;  ///< min number of hits in the SciFi, 9 to 12
  /// Max difference of dy/dz in the SciFi and in the VELO, of tracks with less than 11 hits.
  double max_ty_difference = 0.02;
  double max_quality = 0.25;  ///< upper limit of LongTracks::quality
  /// Max difference of q/p from that of the UT, over |q/p|; `qop_tolerance` more is allowed.
  double max_qop_difference = 0.6;
  double qop_tolerance = 5e-6;  ///< see max_qop_difference, 1/MeV
  /// Fraction of the hits of one of two tracks, if the other has them, too, that makes them
  /// duplicates: the one of better quality is kept. More than 1 keeps all tracks.
  double max_shared = 0.5;

  bool with_ut = true;  ///< whether tracks with hits in the UT are extended

  // VELO tracks that give no long track with the UT
  bool without_ut = false;        ///< whether they are extended, too
  double velo_max_abs_tx = 0.30;  ///< upper limit of |dx/dz| of these tracks
  double velo_max_abs_ty = 0.25;  ///< upper limit of |dy/dz| of these tracks
  double velo_min_p = 5000.;      ///< min momentum for which their windows are wide enough, MeV
  double velo_min_pt = 500.;      ///< the same for the transverse momentum, MeV
  int velo_window_hits = 256;     ///< as max_window_hits
  double velo_magnet_tolerance = 10.;  ///< as magnet_tolerance, of all momenta, mm
  int velo_min_hits = 10;              ///< as min_hits
  double velo_max_quality = 0.1;       ///< as max_quality
};

/// Cuts of the search in kernels: `ForwardParams`, which converts to them, rounded once to the
/// scalar T of the kernel.
template <class T>
struct ForwardCuts {
  bool end_of_velo_states;         ///< see ForwardParams
  T window,                        ///< see ForwardParams, mm
      window_per_qop,              ///< see ForwardParams, mm MeV
      window_extension;            ///< see ForwardParams, mm
  int max_window_hits;             ///< see ForwardParams
  T magnet_tolerance,              ///< see ForwardParams, mm
      magnet_tolerance_per_qop,    ///< increase of magnet_tolerance up to max_tolerance_qop, mm MeV
      max_tolerance_qop,           ///< see ForwardParams, 1/MeV
      same_side_qop,               ///< see ForwardParams, 1/MeV
      triplet_distance2;           ///< see ForwardParams, mm^2
  int candidates;                  ///< see ForwardParams
  T x_distance2,                   ///< see ForwardParams, mm^2
      stereo_distance2,            ///< see ForwardParams, mm^2
      stereo_distance2_per_slope;  ///< see ForwardParams, mm^2
  int min_hits;                    ///< see ForwardParams
  T max_ty_difference,             ///< see ForwardParams
      max_quality,                 ///< see ForwardParams
      max_qop_difference,          ///< see ForwardParams
      qop_tolerance,               ///< see ForwardParams, 1/MeV
      max_shared;                  ///< see ForwardParams
  bool with_ut,                    ///< see ForwardParams
      without_ut;                  ///< see ForwardParams
  T velo_max_abs_tx,               ///< see ForwardParams
      velo_max_abs_ty,             ///< see ForwardParams
      velo_min_p,                  ///< see ForwardParams, MeV
      velo_min_pt;                 ///< see ForwardParams, MeV
  int velo_window_hits;            ///< see ForwardParams
  T velo_magnet_tolerance;         ///< see ForwardParams, mm
  int velo_min_hits;               ///< see ForwardParams
  T velo_max_quality;              ///< see ForwardParams

  /// Rounds the cuts.
  ForwardCuts(const ForwardParams& p)
      : end_of_velo_states(p.end_of_velo_states),
        window(T(p.window)),
        window_per_qop(T(p.window_per_qop)),
        window_extension(T(p.window_extension)),
        max_window_hits(p.max_window_hits),
        magnet_tolerance(T(p.magnet_tolerance)),
        magnet_tolerance_per_qop(
            T((p.max_magnet_tolerance - p.magnet_tolerance) / p.max_tolerance_qop)),
        max_tolerance_qop(T(p.max_tolerance_qop)),
        same_side_qop(T(p.same_side_qop)),
        triplet_distance2(T(p.triplet_distance2)),
        candidates(p.candidates),
        x_distance2(T(p.x_distance2)),
        stereo_distance2(T(p.stereo_distance2)),
        stereo_distance2_per_slope(T(p.stereo_distance2_per_slope)),
        min_hits(p.min_hits),
        max_ty_difference(T(p.max_ty_difference)),
        max_quality(T(p.max_quality)),
        max_qop_difference(T(p.max_qop_difference)),
        qop_tolerance(T(p.qop_tolerance)),
        max_shared(T(p.max_shared)),
        with_ut(p.with_ut),
        without_ut(p.without_ut),
        velo_max_abs_tx(T(p.velo_max_abs_tx)),
        velo_max_abs_ty(T(p.velo_max_abs_ty)),
        velo_min_p(T(p.velo_min_p)),
        velo_min_pt(T(p.velo_min_pt)),
        velo_window_hits(p.velo_window_hits),
        velo_magnet_tolerance(T(p.velo_magnet_tolerance)),
        velo_min_hits(p.velo_min_hits),
        velo_max_quality(T(p.velo_max_quality)) {}
};

/// Checks the ranges of all cuts.
/// @throws UsageError that names the first parameter out of range
void check(const ForwardParams& p);

/// Returns the published cuts: those of LHCb's Allen of 2020, with fewer hits and candidates, wider
/// windows of further hits, a looser selection, any difference from q/p of the UT, and duplicates.
ForwardParams forward_params();

}  // namespace trackplex::lhcb

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/lhcb/scifi/detail/forward_params.impl.hpp>
#endif
