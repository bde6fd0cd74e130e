// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/chain/chain.hpp>
#include <trackplex/chain/common_algorithms.hpp>
#include <trackplex/lhcb/velo/fit_lines.hpp>
#include <trackplex/lhcb/velo/pack_velo_tracks.hpp>
#include <trackplex/lhcb/velo/search_by_triplet.hpp>
#include <trackplex/lhcb/velo/sort_by_phi.hpp>
#include <trackplex/lhcb/velo/velo_hits.hpp>
#include <trackplex/lhcb/velo/velo_params.hpp>

/// @file
/// VELO tracks from VELO hits: stage_velo_hits, copy_velo_hits, sort_by_phi, search_by_triplet,
/// fit_lines, count_velo_tracks, pack_velo_tracks, collect_velo_tracks.

namespace trackplex::lhcb {

/// Algorithm: copy of the VELO hits to the device; on hosts nothing is copied.
template <class T, class ExecutionSpace>
struct CopyVeloHits : chain::CopyArrays<ExecutionSpace, StagedVeloHits<T>,
                                        VeloHits<T, typename ExecutionSpace::memory_space>> {
  static constexpr const char* name = "copy_velo_hits";
};

/// Chain from events of VELO hits to VELO tracks, see velo_chain().
template <class T, class ExecutionSpace, int Width = default_lane_width<ExecutionSpace, T>>
using VeloChain = chain::Chain<
    ExecutionSpace, chain::Inputs<chain::Events<VeloEvent>>,
    chain::Steps<StageVeloHits<T>, CopyVeloHits<T, ExecutionSpace>,
                 SortByPhi<T, ExecutionSpace, Width>, SearchByTriplet<T, ExecutionSpace, Width>,
                 FitLines<T, ExecutionSpace, Width>, CountVeloTracks<T, ExecutionSpace>,
                 PackVeloTracks<T, ExecutionSpace>,
                 CollectVeloTracks<typename ExecutionSpace::memory_space>>>;

/// Copies velo_module_z to the memory space of the kernels. Waits for the instance.
template <class T, class ExecutionSpace>
auto velo_module_z_on(const ExecutionSpace& exec) {
  return to_device<T>(exec, "Trackplex::Lhcb::velo_module_z", velo_module_z);
}

/// Makes the chain from VELO hits to VELO tracks: Search by triplet and a straight-line fit.
/// `team_size` is the number of threads per event; 0: default of the space.
/// @tparam T      precision of hits and tracks
/// @tparam Width  number of lanes
template <class T, class ExecutionSpace, int Width = default_lane_width<ExecutionSpace, T>>
VeloChain<T, ExecutionSpace, Width> velo_chain(const ExecutionSpace& exec,
                                               const TripletParams& params,
                                               const chain::ArenaSize& arena = {},
                                               int team_size = 0) {
  return {exec,
          arena,
          /* stage_velo_hits */ {},
          /* copy_velo_hits */ {},
          /* sort_by_phi */ {velo_pairs, params.merge_sides, team_size},
          /* search_by_triplet */ {params, velo_module_z_on<T>(exec), team_size},
          /* fit_lines */ {params.inverse_variance, team_size},
          /* count_velo_tracks */ {},
          /* pack_velo_tracks */ {team_size, {}},
          /* collect_velo_tracks */ {}};
}

}  // namespace trackplex::lhcb
