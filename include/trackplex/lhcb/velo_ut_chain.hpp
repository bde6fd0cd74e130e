// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/lhcb/cluster_vp.hpp>
#include <trackplex/lhcb/compass_setup.hpp>
#include <trackplex/lhcb/decode_ut.hpp>
#include <trackplex/lhcb/ut/find_ut_tracks.hpp>
#include <trackplex/lhcb/ut/find_ut_windows.hpp>
#include <trackplex/lhcb/velo/velo_chain.hpp>
#include <trackplex/lhcb/velo_ut_results.hpp>

#include <array>

/// @file
/// VELO and UT tracks from raw banks: stage_banks, copy_banks, cluster_vp, sort_by_phi,
/// search_by_triplet, fit_lines, velo_end_states, decode_ut, ut_windows, ut_tracks, fetch_velo_ut,
/// collect_velo_ut.

namespace trackplex::lhcb {

/// Parameters of the chain from raw banks to tracks with momentum.
struct VeloUtParams {
  TripletParams velo;            ///< cuts of Search by triplet, see velo_params()
  VeloFilterParams end_of_velo;  ///< uncertainties of the Kalman filter to the end of the VELO
  CompassParams ut;              ///< cuts of Compass, see compass_params()
};

/// Hits and tracks of VELO and UT on the host.
template <class T, class MemorySpace>
using FetchedVeloUt =
    chain::Fetched<VeloHits<T, MemorySpace>, VpClusters<MemorySpace>, VeloTracks<MemorySpace>,
                   LineStates<T, MemorySpace>, UtHits<T, MemorySpace>, UtWindows<MemorySpace>,
                   UtTracks<T, MemorySpace>>;

/// Algorithm: copy of hits and tracks to the host; on hosts nothing is copied.
template <class T, class ExecutionSpace>
struct FetchVeloUt
    : chain::Fetch<ExecutionSpace, FetchedVeloUt<T, typename ExecutionSpace::memory_space>> {
  static constexpr const char* name = "fetch_velo_ut";
};

/// Algorithm on the host: the result of each event from arrays of all events.
template <class T, class MemorySpace>
struct CollectVeloUt {
  static constexpr const char* name = "collect_velo_ut";

  std::array<int, ut_layers + 1> layer_offset;  ///< first sector group of each layer, and the end

  /// Appends a result for each event.
  void operator()(const FetchedVeloUt<T, MemorySpace>& found,
                  chain::Results<VeloUtResult>& results) const {
    const auto& hits = found.template get<VeloHits<T, MemorySpace>>();
    const auto& tracks = found.template get<VeloTracks<MemorySpace>>();
    results.values.reserve(std::size_t(hits.n_events));
    for (int e = 0; e < hits.n_events; ++e) {
      const auto first_hit = hits.event_offsets(e);
      const auto slot = first_slot(first_hit, e, tracks.hits_per_slot);
      VeloUtResult& result = results.values.emplace_back();
      result.velo_hits = velo_hit_list(e, hits, found.template get<VpClusters<MemorySpace>>());
      result.velo_tracks =
          velo_track_list(e, first_hit, tracks, found.template get<LineStates<T, MemorySpace>>());
      result.velo_overflow = tracks.overflow(e);
      result.ut_hits = ut_hit_list(e, found.template get<UtHits<T, MemorySpace>>(), layer_offset);
      result.windows = ut_window_list(e, slot, found.template get<UtWindows<MemorySpace>>(),
                                      result.ut_hits.layer_offsets);
      result.ut_tracks = ut_track_list(e, slot, found.template get<UtTracks<T, MemorySpace>>());
    }
  }
};

/// Chain from raw banks to tracks through VELO and UT, see velo_ut_chain().
template <class T, class ExecutionSpace, int Width = default_lane_width<ExecutionSpace, T>>
using VeloUtChain = chain::Chain<
    ExecutionSpace, chain::Inputs<chain::Events<RawEvent>>,
    chain::Steps<StageBanks, CopyBanks<ExecutionSpace>, ClusterVp<T, ExecutionSpace, Width>,
                 SortByPhi<T, ExecutionSpace, Width>, SearchByTriplet<T, ExecutionSpace, Width>,
                 FitLines<T, ExecutionSpace, Width>, VeloEndStates<T, ExecutionSpace, Width>,
                 DecodeUt<T, ExecutionSpace, Width>, FindUtWindows<T, ExecutionSpace, Width>,
                 FindUtTracks<T, ExecutionSpace, Width>, FetchVeloUt<T, ExecutionSpace>,
                 CollectVeloUt<T, typename ExecutionSpace::memory_space>>>;

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
          /* fetch_velo_ut */ {},
          /* collect_velo_ut */ {groups.layer_offsets}};
}

}  // namespace trackplex::lhcb
