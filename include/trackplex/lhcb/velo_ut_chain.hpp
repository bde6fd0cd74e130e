// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/lhcb/cluster_vp.hpp>
#include <trackplex/lhcb/compass_setup.hpp>
#include <trackplex/lhcb/decode_ut.hpp>
#include <trackplex/lhcb/pack_velo_ut.hpp>
#include <trackplex/lhcb/ut/find_ut_tracks.hpp>
#include <trackplex/lhcb/ut/find_ut_windows.hpp>
#include <trackplex/lhcb/velo/velo_chain.hpp>

/// @file
/// VELO and UT tracks from raw banks: stage_banks, copy_banks, cluster_vp, sort_by_phi,
/// search_by_triplet, fit_lines, velo_end_states, decode_ut, ut_windows, ut_tracks, count_velo_ut,
/// pack_velo_ut, collect_velo_ut.

namespace trackplex::lhcb {

/// Parameters of the chain from raw banks to tracks with momentum.
struct VeloUtParams {
  TripletParams velo;            ///< cuts of Search by triplet, see velo_params()
  VeloFilterParams end_of_velo;  ///< uncertainties of the Kalman filter to the end of the VELO
  CompassParams ut;              ///< cuts of Compass, see compass_params()
};

/// Chain from raw banks to tracks through VELO and UT, see velo_ut_chain().
template <class T, class ExecutionSpace, int Width = default_lane_width<ExecutionSpace, T>>
using VeloUtChain = chain::Chain<
    ExecutionSpace, chain::Inputs<chain::Events<RawEvent>>,
    chain::Steps<StageBanks, CopyBanks<ExecutionSpace>, ClusterVp<T, ExecutionSpace, Width>,
                 SortByPhi<T, ExecutionSpace, Width>, SearchByTriplet<T, ExecutionSpace, Width>,
                 FitLines<T, ExecutionSpace, Width>, VeloEndStates<T, ExecutionSpace, Width>,
                 DecodeUt<T, ExecutionSpace, Width>, FindUtWindows<T, ExecutionSpace, Width>,
                 FindUtTracks<T, ExecutionSpace, Width>, CountVeloUt<T, ExecutionSpace>,
                 PackVeloUt<T, ExecutionSpace>,
                 CollectVeloUt<typename ExecutionSpace::memory_space>>>;

/// Makes the chain from raw banks to VELO tracks and their hits in the UT, with momentum: clusters
/// of the pixels of the VELO, Search by triplet, decoding of the UT, Compass. `team_size` is the
/// number of threads per event; 0: default of the space. Waits for the instance.
/// @tparam T      precision of hits and tracks
/// @tparam Width  number of lanes
/// @throws UsageError if a parameter or a table of the detector is out of range
template <class T, class ExecutionSpace, int Width = default_lane_width<ExecutionSpace, T>>
VeloUtChain<T, ExecutionSpace, Width> velo_ut_chain(const ExecutionSpace& exec,
                                                    const Detector& detector,
                                                    const VeloUtParams& params,
                                                    const chain::ArenaSize& arena = {},
                                                    int team_size = 0) {
  const auto& velo = params.velo;
  const auto compass = compass_setup<T>(exec, detector, params.ut);
  const auto groups = ut_sector_groups(detector.ut);
  const auto strips = ut_decoding_table<T>(exec, detector.ut_boards, detector.ut, groups);
  return {exec,
          arena,
          /* stage_banks */ {},
          /* copy_banks */ {},
          /* cluster_vp */ {velo_pixel_tables<T>(exec, detector.velo), team_size},
          /* sort_by_phi */ {velo_pairs, velo.merge_sides, team_size},
          /* search_by_triplet */ {velo, velo_module_z_on<T>(exec), team_size},
          /* fit_lines */ {velo.inverse_variance, team_size},
          /* velo_end_states */ {params.end_of_velo, params.ut.end_of_velo_states, team_size},
          /* decode_ut */ {strips, team_size},
          /* ut_windows */ {compass, team_size},
          /* ut_tracks */ {compass, team_size},
          /* count_velo_ut */ {},
          /* pack_velo_ut */ {groups.layer_offsets, detector.polarity, team_size, {}},
          /* collect_velo_ut */ {}};
}

}  // namespace trackplex::lhcb
