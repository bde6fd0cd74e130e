// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/reserve.hpp>
#include <trackplex/lhcb/detail/ut_tracklet_search.hpp>

namespace trackplex::lhcb {

/// The team kernel of `find_ut_tracks`, for `for_each_team` over the events, alone or fused with
/// others. Resizes `tracks` where they are too small.
template <int Width, class ExecutionSpace, class Real>
auto ut_tracks_kernel(const ExecutionSpace& exec,
                      const search::Hits<Real, typename ExecutionSpace::memory_space>& velo_hits,
                      const seeding::Tracks<typename ExecutionSpace::memory_space>& velo_tracks,
                      const seeding::LineStates<Real, typename ExecutionSpace::memory_space>& velo,
                      const UtHits<Real, typename ExecutionSpace::memory_space>& ut,
                      const UtSearchTables<Real, typename ExecutionSpace::memory_space>& tables,
                      const UtMagnet<Real, typename ExecutionSpace::memory_space>& magnet,
                      double polarity, const CompassParameters& parameters,
                      const UtWindows<typename ExecutionSpace::memory_space>& windows,
                      UtTracks<Real, typename ExecutionSpace::memory_space>& tracks) {
  using Space = typename ExecutionSpace::memory_space;
  check(parameters);
  const std::size_t slots = windows.slots;
  tracks.slots = slots;
  reserve(exec, tracks.count, "Trackplex::Lhcb::ut_track_count", std::size_t(ut.n_events));
  reserve(exec, tracks.track, "Trackplex::Lhcb::ut_track_velo_track", slots);
  reserve(exec, tracks.hits, "Trackplex::Lhcb::ut_track_hits", ut_layers * slots);
  reserve(exec, tracks.qop, "Trackplex::Lhcb::ut_track_qop", slots);
  reserve(exec, tracks.chi2, "Trackplex::Lhcb::ut_track_chi2", slots);
  reserve(exec, tracks.x, "Trackplex::Lhcb::ut_track_x", slots);
  reserve(exec, tracks.slope, "Trackplex::Lhcb::ut_track_slope", slots);
  using Kernel =
      detail::UtTrackletSearch<LanesOf<Real, Width>, search::Hits<Real, Space>,
                               seeding::Tracks<Space>, seeding::LineStates<Real, Space>,
                               UtHits<Real, Space>, UtSearchTables<Real, Space>,
                               UtMagnet<Real, Space>, UtWindows<Space>, UtTracks<Real, Space>>;
  return Kernel{velo_hits, velo_tracks, velo,       ut,      tables,
                magnet,    polarity,    parameters, windows, tracks};
}

/// Finds the UT hits of each VELO track that has windows, and its momentum (Compass). Pairs of
/// hits, first in layers X and V, then in the last layer and U, give lines; the closest hit of each
/// other layer joins. The candidate with most hits and the smallest chi2 of the p-kick fit is kept,
/// if its momentum passes the cuts. Enqueues one kernel on the instance.
/// @param polarity of the magnet, -1 or +1 (final selection only)
/// @throws UsageError if a parameter is out of its range
template <int Width, class ExecutionSpace, class Real>
void find_ut_tracks(const ExecutionSpace& exec,
                    const search::Hits<Real, typename ExecutionSpace::memory_space>& velo_hits,
                    const seeding::Tracks<typename ExecutionSpace::memory_space>& velo_tracks,
                    const seeding::LineStates<Real, typename ExecutionSpace::memory_space>& velo,
                    const UtHits<Real, typename ExecutionSpace::memory_space>& ut,
                    const UtSearchTables<Real, typename ExecutionSpace::memory_space>& tables,
                    const UtMagnet<Real, typename ExecutionSpace::memory_space>& magnet,
                    double polarity, const CompassParameters& parameters,
                    const UtWindows<typename ExecutionSpace::memory_space>& windows,
                    UtTracks<Real, typename ExecutionSpace::memory_space>& tracks,
                    int team_size = 0) {
  for_each_team(exec, "Trackplex::Lhcb::ut_tracks", ut.n_events,
                ut_tracks_kernel<Width>(exec, velo_hits, velo_tracks, velo, ut, tables, magnet,
                                        polarity, parameters, windows, tracks),
                team_size);
}

}  // namespace trackplex::lhcb
