// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/host_copy.hpp>
#include <trackplex/lhcb/detail/ut_window_search.hpp>

namespace trackplex::lhcb {

/// Allocates (or keeps, where they are large enough) the windows of so many tracks.
template <class Memory>
void reserve_ut_windows(const Memory& memory,
                        const seeding::Tracks<typename Memory::memory_space>& velo_tracks,
                        const CompassParameters& cuts,
                        UtWindows<typename Memory::memory_space>& windows) {
  windows.slots = velo_tracks.slots;
  windows.n_events = velo_tracks.n_events;
  windows.groups = cuts.sector_groups;
  reserve_arrays(memory, windows);
}

/// The team kernel of `find_ut_windows`, for `for_each_team` over the events, alone or fused with
/// others. Resizes `windows` where they are too small.
/// @throws UsageError if a parameter is out of its range
template <int Width, class ExecutionSpace, class Real>
auto ut_windows_kernel(const ExecutionSpace& exec,
                       const CompassInput<Real, typename ExecutionSpace::memory_space>& input,
                       UtWindows<typename ExecutionSpace::memory_space>& windows) {
  using Space = typename ExecutionSpace::memory_space;
  check(input.cuts);
  reserve_ut_windows(exec, input.velo_tracks, input.cuts, windows);
  const int max_tracks =
      input.velo_hits.max_event_hits / input.velo_tracks.hits_per_slot + 1 + seeding::minimum_slots;
  return detail::UtWindowSearch<LanesOf<Real, Width>, CompassInput<Real, Space>, UtWindows<Space>>{
      input, windows, max_tracks};
}

/// Looks for the UT hits around each VELO track, layer by layer. A track is followed if it flies
/// forward within the acceptance of the UT. Its window in a layer is as wide as a track of the
/// smallest momentum bends; in each of the sector groups around the place that it points to, the
/// window is the shortest range of hits that holds all hits
///
///   |x_hit - x_track| <= the deflection of that momentum, and
///   y_begin - t <= y_track <= y_end + t,  t growing with |x_hit - x_track|.
///
/// Tracks are kept whose windows hold hits in three layers, among them both of X and V, or of U and
/// the last. Enqueues one kernel on the instance.
/// @throws UsageError if a parameter is out of its range
template <int Width, class ExecutionSpace, class Real>
void find_ut_windows(const ExecutionSpace& exec,
                     const CompassInput<Real, typename ExecutionSpace::memory_space>& input,
                     UtWindows<typename ExecutionSpace::memory_space>& windows, int team_size = 0) {
  for_each_team(exec, "Trackplex::Lhcb::ut_windows", input.ut_hits.n_events,
                ut_windows_kernel<Width>(exec, input, windows), team_size);
}

}  // namespace trackplex::lhcb
