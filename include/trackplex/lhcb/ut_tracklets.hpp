// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/host_copy.hpp>
#include <trackplex/lhcb/detail/ut_tracklet_search.hpp>

namespace trackplex::lhcb {

/// Allocates (or keeps, where they are large enough) a track for each one with windows.
template <class Memory, class Real>
void reserve_ut_tracks(const Memory& memory,
                       const UtWindows<typename Memory::memory_space>& windows,
                       UtTracks<Real, typename Memory::memory_space>& tracks) {
  tracks.slots = windows.slots;
  tracks.n_events = windows.n_events;
  reserve_arrays(memory, tracks);
}

/// The team kernel of `find_ut_tracks`, for `for_each_team` over the events, alone or fused with
/// others. Resizes `tracks` where they are too small.
template <int Width, class ExecutionSpace, class Real>
auto ut_tracks_kernel(const ExecutionSpace& exec,
                      const CompassInput<Real, typename ExecutionSpace::memory_space>& input,
                      const UtWindows<typename ExecutionSpace::memory_space>& windows,
                      UtTracks<Real, typename ExecutionSpace::memory_space>& tracks) {
  using Space = typename ExecutionSpace::memory_space;
  check(input.cuts);
  reserve_ut_tracks(exec, windows, tracks);
  return detail::UtTrackletSearch<LanesOf<Real, Width>, CompassInput<Real, Space>, UtWindows<Space>,
                                  UtTracks<Real, Space>>{input, windows, tracks};
}

/// Finds the UT hits of each VELO track that has windows, and its momentum (Compass). Pairs of
/// hits, first in layers X and V, then in the last layer and U, give lines; the closest hit of each
/// other layer joins. The candidate with most hits and the smallest chi2 of the p-kick fit is kept,
/// if its momentum passes the cuts. Enqueues one kernel on the instance.
/// @throws UsageError if a parameter is out of its range
template <int Width, class ExecutionSpace, class Real>
void find_ut_tracks(const ExecutionSpace& exec,
                    const CompassInput<Real, typename ExecutionSpace::memory_space>& input,
                    const UtWindows<typename ExecutionSpace::memory_space>& windows,
                    UtTracks<Real, typename ExecutionSpace::memory_space>& tracks,
                    int team_size = 0) {
  for_each_team(exec, "Trackplex::Lhcb::ut_tracks", input.ut_hits.n_events,
                ut_tracks_kernel<Width>(exec, input, windows, tracks), team_size);
}

}  // namespace trackplex::lhcb
