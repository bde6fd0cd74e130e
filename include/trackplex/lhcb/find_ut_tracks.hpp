// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/algorithm.hpp>
#include <trackplex/lhcb/detail/ut_tracklet_search.hpp>
#include <trackplex/lhcb/velo_end_states.hpp>

namespace trackplex::lhcb {

/// Finds the UT hits of each VELO track that has windows, and its momentum (Compass). Pairs of
/// hits, first in layers X and V, then in the last layer and U, give lines; the closest hit of each
/// other layer joins. The candidate with most hits and the smallest chi2 of the p-kick fit is kept,
/// if its momentum passes the cuts. One kernel, a team per event.
template <class T, class ExecutionSpace, int Width = default_lane_width<ExecutionSpace, T>>
struct FindUtTracks {
  using MemorySpace = typename ExecutionSpace::memory_space;
  using Hits = search::Hits<T, MemorySpace>;
  using Tracks = seeding::Tracks<MemorySpace>;
  using Lines = seeding::LineStates<T, MemorySpace>;
  using Windows = UtWindows<MemorySpace>;
  using Found = UtTracks<T, MemorySpace>;
  static constexpr const char* name = "ut_tracks";

  CompassSetup<T, MemorySpace> compass;
  int team_size = 0;  ///< threads; 0: the space's own

  template <class Memory>
  void allocate(const Memory& memory, const Hits&, const Tracks&, const Lines&,
                const VeloStatesAtEnd<T, MemorySpace>&, const UtHits<T, MemorySpace>&,
                const Windows& windows, Found& found) const {
    found.slots = windows.slots;
    found.n_events = windows.n_events;
    allocate_arrays(memory.of(found), found);
  }

  void operator()(const ExecutionSpace& exec, const Hits& hits, const Tracks& tracks,
                  const Lines& at_beam, const VeloStatesAtEnd<T, MemorySpace>& at_end,
                  const UtHits<T, MemorySpace>& ut_hits, const Windows& windows,
                  Found& found) const {
    using Input = CompassInput<T, MemorySpace>;
    for_each_team(
        exec, "Trackplex::Lhcb::ut_tracks", ut_hits.n_events,
        detail::UtTrackletSearch<LanesOf<T, Width>, Input, Windows, Found>{
            Input{compass, hits, tracks, compass.states(at_beam, at_end), ut_hits}, windows, found},
        team_size);
  }
};

}  // namespace trackplex::lhcb
