// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/algorithm.hpp>
#include <trackplex/lhcb/detail/ut_window_search.hpp>
#include <trackplex/lhcb/velo_end_states.hpp>

namespace trackplex::lhcb {

/// Finds the windows of UT hits around each VELO track, layer by layer. A track is followed if it
/// flies forward within the acceptance of the UT. Its window in a layer is as wide as a track of
/// the smallest momentum bends; in each of the sector groups around the place that it points to,
/// the window is the shortest range of hits that holds all hits
///
///   |x_hit - x_track| <= the deflection of that momentum, and
///   y_begin - t <= y_track <= y_end + t,  t growing with |x_hit - x_track|.
///
/// Tracks are kept whose windows hold hits in three layers, among them both of X and V, or of U and
/// the last. One kernel, a team per event.
template <class T, class ExecutionSpace, int Width = default_lane_width<ExecutionSpace, T>>
struct FindUtWindows {
  using MemorySpace = typename ExecutionSpace::memory_space;
  using Hits = search::Hits<T, MemorySpace>;
  using Tracks = seeding::Tracks<MemorySpace>;
  using Lines = seeding::LineStates<T, MemorySpace>;
  using Windows = UtWindows<MemorySpace>;
  static constexpr const char* name = "ut_windows";

  CompassSetup<T, MemorySpace> compass;
  int team_size = 0;  ///< threads; 0: the space's own

  template <class Memory>
  void allocate(const Memory& memory, const Hits&, const Tracks& tracks, const Lines&,
                const VeloStatesAtEnd<T, MemorySpace>&, const UtHits<T, MemorySpace>&,
                Windows& windows) const {
    windows.slots = tracks.slots;
    windows.n_events = tracks.n_events;
    windows.groups = compass.cuts.sector_groups;
    allocate_arrays(memory.of(windows), windows);
  }

  void operator()(const ExecutionSpace& exec, const Hits& hits, const Tracks& tracks,
                  const Lines& at_beam, const VeloStatesAtEnd<T, MemorySpace>& at_end,
                  const UtHits<T, MemorySpace>& ut_hits, Windows& windows) const {
    using Input = CompassInput<T, MemorySpace>;
    const int max_tracks = hits.max_event_hits / tracks.hits_per_slot + 1 + seeding::min_slots;
    for_each_team(exec, "Trackplex::Lhcb::ut_windows", ut_hits.n_events,
                  detail::UtWindowSearch<LanesOf<T, Width>, Input, Windows>{
                      Input{compass, hits, tracks, compass.states(at_beam, at_end), ut_hits},
                      windows, max_tracks},
                  team_size);
  }
};

}  // namespace trackplex::lhcb
