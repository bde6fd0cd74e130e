// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/algorithm.hpp>
#include <trackplex/lhcb/ut/detail/ut_tracklet_search.hpp>
#include <trackplex/lhcb/velo/velo_end_states.hpp>

namespace trackplex::lhcb {

/// Algorithm: UT hits and momentum of each VELO track that has windows (Compass). Pairs of hits of
/// the first layer and V, then of the last layer and U, define lines; the closest hit of each other
/// layer is added. The candidate with the most hits and the smallest chi2 of the p-kick fit is kept
/// if its momentum passes the cuts. One kernel, a team per event.
template <class T, class ExecutionSpace, int Width = default_lane_width<ExecutionSpace, T>>
struct FindUtTracks {
  using MemorySpace = typename ExecutionSpace::memory_space;  ///< Memory space of all arrays.
  using Hits = VeloHits<T, MemorySpace>;                      ///< Read: hits of the VELO.
  using Tracks = VeloTracks<MemorySpace>;                     ///< Read: tracks of the VELO.
  using Lines = LineStates<T, MemorySpace>;                   ///< Read: their states at the beam.
  using Windows = UtWindows<MemorySpace>;                     ///< Read: windows of UT hits.
  using Found = UtTracks<T, MemorySpace>;                     ///< Made: tracks with momentum.
  static constexpr const char* name = "ut_tracks";

  CompassSetup<T, MemorySpace> compass;  ///< cuts and tables, see compass_setup()
  int team_size = 0;                     ///< threads per event; 0: default of the space

  /// Allocates as many slots for the tracks as the VELO tracks have.
  template <class Memory>
  void allocate(const Memory& memory, const Hits&, const Tracks&, const Lines&,
                const VeloStatesAtEnd<T, MemorySpace>&, const UtHits<T, MemorySpace>&,
                const Windows& windows, Found& found) const {
    found.slots = windows.slots;
    found.n_events = windows.n_events;
    allocate_arrays(memory.of(found), found);
  }

  /// Enqueues the kernel.
  void operator()(const ExecutionSpace& exec, const Hits& hits, const Tracks& tracks,
                  const Lines& at_beam, const VeloStatesAtEnd<T, MemorySpace>& at_end,
                  const UtHits<T, MemorySpace>& ut_hits, const Windows& windows,
                  Found& found) const {
    using Input = CompassInput<T, MemorySpace>;
    for_each_team(exec, "Trackplex::Lhcb::ut_tracks", ut_hits.n_events,
                  detail::UtTrackletSearch<LanesOf<T, Width>, Input, Windows, Found>{
                      Input{compass, {hits, tracks, compass.states(at_beam, at_end)}, ut_hits},
                      windows, found},
                  team_size);
  }
};

}  // namespace trackplex::lhcb

#if defined(TRACKPLEX_INSTANCES)
#include <trackplex/lhcb/ut/detail/find_ut_tracks.instances.hpp>
#endif
