// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/compiled.hpp>
#include <trackplex/core/error.hpp>

namespace trackplex::lhcb {

/// Order in which Compass tries pairs of hits.
enum class PairOrder {
  index,       ///< order of the hits in the windows
  best_first,  ///< ascending distance of the pair's line from the VELO track at ut_z_kink
};

/// Upper limit of CompassParams::candidates.
inline constexpr int max_pair_candidates = 16;

/// Cuts of Compass, the search for UT hits of VELO tracks (P. Fernandez Declara et al., "A
/// parallel-computing algorithm for high-energy physics particle tracking and decoding using GPU
/// architectures"). Lengths are in mm, momenta in MeV, slopes are dx/dz and dy/dz. The defaults are
/// those of this library: the published cuts, with sector groups from the stereo shift and the
/// best pairs first.
struct CompassParams {
  // VELO tracks
  /// Min distance (mm) of the track from the z axis at ut_z_middle: there are no sensors closer to
  /// the axis.
  double hole_radius = 33.;
  double max_abs_tx = 0.35;  ///< upper limit of |dx/dz| of VELO tracks, 0 to 1
  double max_abs_ty = 0.30;  ///< upper limit of |dy/dz| of VELO tracks, 0 to 1
  /// Whether states come from the Kalman filter at the end of the VELO (VeloEndStates) instead of
  /// the line fit at the beam.
  bool end_of_velo_states = true;

  // Windows
  /// Number of searched sector groups: 1, 3 or 5, the group to which the track points and its
  /// neighbours.
  int sector_groups = 3;
  bool stereo_shift = true;  ///< whether the stereo angle of the strips is used to find that group
  bool outermost_groups = true;  ///< whether the first and last group of a layer are also searched
  double min_window_p = 1500.;   ///< min momentum for which windows are wide enough, MeV
  double min_window_pt = 300.;   ///< min transverse momentum for which windows are wide enough, MeV
  double y_tolerance = 0.5;      ///< tolerance in y of the hits in a window, mm
  /// Increase of that tolerance with |dx|/d, see FindUtWindows.
  double y_tolerance_slope = 0.08;

  // Tracklets
  PairOrder order = PairOrder::best_first;  ///< order of the pairs of hits
  /// Number of pairs that are tried for a track, 1 to 16. If no pair is good, further pairs are
  /// tried: all (index), or as many again from the last layers (best_first).
  int candidates = 4;
  bool stop_at_candidates = false;      ///< whether to stop then, even if no pair is good
  double max_slope_difference = 0.018;  ///< between the pair's line and the VELO track, in dx/dz
  double hit_tolerance = 0.8;           ///< distance of hits of the other layers from the line, mm
  double slope_sigma = 1e-4;            ///< standard deviation of the slope of the VELO track
  double max_chi2 = 1280.;              ///< per degree of freedom, of the p-kick fit

  // Tracks
  double min_p = 1500.;  ///< min momentum, MeV; compared with 1.3 |p/q|, as published
  double min_pt = 300.;  ///< min transverse momentum, MeV; compared with 1.3 |pT/q|
  /// Whether tracks pass a second fit, fiducial cuts and a linear discriminant against ghosts.
  bool final_selection = false;
};

/// Cuts of Compass in kernels: `CompassParams`, which converts to them, rounded once to the scalar
/// T of the kernel.
template <class T>
struct CompassCuts {
  // VELO tracks
  T hole_radius2;           ///< square of CompassParams::hole_radius, mm^2
  T max_abs_tx,             ///< see CompassParams
      max_abs_ty;           ///< see CompassParams
  bool end_of_velo_states;  ///< see CompassParams

  // Windows
  int sector_groups;      ///< see CompassParams
  bool stereo_shift,      ///< see CompassParams
      outermost_groups;   ///< see CompassParams
  T min_window_p,         ///< see CompassParams, MeV
      min_window_pt,      ///< see CompassParams, MeV
      y_tolerance,        ///< see CompassParams, mm
      y_tolerance_slope;  ///< see CompassParams

  // Tracklets
  PairOrder order;          ///< see CompassParams
  int candidates;           ///< see CompassParams
  bool stop_at_candidates;  ///< see CompassParams
  T max_slope_difference,   ///< see CompassParams
      hit_tolerance,        ///< see CompassParams, mm
      slope_sigma,          ///< see CompassParams
      max_chi2;             ///< see CompassParams

  // Tracks
  T min_p,               ///< see CompassParams, MeV
      min_pt;            ///< see CompassParams, MeV
  bool final_selection;  ///< see CompassParams

  /// Rounds the cuts.
  CompassCuts(const CompassParams& p)
      : hole_radius2(T(p.hole_radius * p.hole_radius)),
        max_abs_tx(T(p.max_abs_tx)),
        max_abs_ty(T(p.max_abs_ty)),
        end_of_velo_states(p.end_of_velo_states),
        sector_groups(p.sector_groups),
        stereo_shift(p.stereo_shift),
        outermost_groups(p.outermost_groups),
        min_window_p(T(p.min_window_p)),
        min_window_pt(T(p.min_window_pt)),
        y_tolerance(T(p.y_tolerance)),
        y_tolerance_slope(T(p.y_tolerance_slope)),
        order(p.order),
        candidates(p.candidates),
        stop_at_candidates(p.stop_at_candidates),
        max_slope_difference(T(p.max_slope_difference)),
        hit_tolerance(T(p.hit_tolerance)),
        slope_sigma(T(p.slope_sigma)),
        max_chi2(T(p.max_chi2)),
        min_p(T(p.min_p)),
        min_pt(T(p.min_pt)),
        final_selection(p.final_selection) {}
};

/// Checks the ranges of all cuts.
/// @throws UsageError that names the first parameter out of range
void check(const CompassParams& p);

/// Published sets of cuts.
enum class CompassConstants {
  y2019,  ///< LHCb's code of 2019
  y2020,  ///< LHCb's code of 2020 with its default settings, which keep low-momentum tracks
  y2023,  ///< LHCb's code of 2023
  paper,  ///< cuts of the paper at its best point: five sector groups, 16 candidates
};

/// Returns a published set of cuts.
CompassParams compass_params(CompassConstants constants);

}  // namespace trackplex::lhcb

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/lhcb/ut/detail/compass_params.impl.hpp>
#endif
