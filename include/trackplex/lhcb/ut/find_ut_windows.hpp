// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/algorithm.hpp>
#include <trackplex/lhcb/ut/detail/ut_window_search.hpp>
#include <trackplex/lhcb/velo/velo_end_states.hpp>

namespace trackplex::lhcb {

/// Algorithm: windows of UT hits around each VELO track, layer by layer (Compass). A track is
/// followed if it flies forward within the acceptance of the UT. In each sector group around the
/// point to which it points, its window is the shortest range of hits that contains all hits with
///
/// \f[ |\Delta x| \le \frac{1}{4.0212\cdot10^{-5}\,p_\mathrm{min}\,d_l}, \qquad
///     y_\mathrm{begin}-\tau \le y \le y_\mathrm{end}+\tau, \qquad
///     \tau = \tau_0 + \tau_1 \frac{|\Delta x|}{d_l} \f]
///
/// with \f$ p_\mathrm{min}=\max(p_{T,w}\min(500,1/\sqrt{t_x^2+t_y^2}),\,p_w) \f$ (MeV, mm), the
/// cuts \f$ p_{T,w}, p_w, \tau_0, \tau_1 \f$ = min_window_pt, min_window_p, y_tolerance and
/// y_tolerance_slope of CompassParams, and \f$ d_l(|t_y|) \f$ = UtMagnet::deflection(). Tracks are
/// kept if their windows contain hits in three layers, including the first and the third, or the
/// second and the last. One kernel, a team per event.
template <class T, class ExecutionSpace, int Width = default_lane_width<ExecutionSpace, T>>
struct FindUtWindows {
  using MemorySpace = typename ExecutionSpace::memory_space;  ///< Memory space of all arrays.
  using Hits = VeloHits<T, MemorySpace>;                      ///< Read: hits of the VELO.
  using Tracks = VeloTracks<MemorySpace>;                     ///< Read: tracks of the VELO.
  using Lines = LineStates<T, MemorySpace>;                   ///< Read: their states at the beam.
  using Windows = UtWindows<MemorySpace>;                     ///< Made: windows of UT hits.
  static constexpr const char* name = "ut_windows";

  CompassSetup<T, MemorySpace> compass;  ///< cuts and tables, see compass_setup()
  int team_size = 0;                     ///< threads per event; 0: default of the space

  /// Allocates as many slots for the windows as the tracks have, per searched sector group.
  template <class Memory>
  void allocate(const Memory& memory, const Hits&, const Tracks& tracks, const Lines&,
                const VeloStatesAtEnd<T, MemorySpace>&, const UtHits<T, MemorySpace>&,
                Windows& windows) const {
    windows.slots = tracks.slots;
    windows.n_events = tracks.n_events;
    windows.groups = compass.cuts.sector_groups;
    allocate_arrays(memory.of(windows), windows);
  }

  /// Enqueues the kernel.
  void operator()(const ExecutionSpace& exec, const Hits& hits, const Tracks& tracks,
                  const Lines& at_beam, const VeloStatesAtEnd<T, MemorySpace>& at_end,
                  const UtHits<T, MemorySpace>& ut_hits, Windows& windows) const {
    using Input = CompassInput<T, MemorySpace>;
    const int max_tracks = hits.max_event_hits / tracks.hits_per_slot + 1 + min_slots;
    for_each_team(exec, "Trackplex::Lhcb::ut_windows", ut_hits.n_events,
                  detail::UtWindowSearch<LanesOf<T, Width>, Input, Windows>{
                      Input{compass, {hits, tracks, compass.states(at_beam, at_end)}, ut_hits},
                      windows, max_tracks},
                  team_size);
  }
};

}  // namespace trackplex::lhcb

#if defined(TRACKPLEX_INSTANCES)
#include <trackplex/lhcb/ut/detail/find_ut_windows.instances.hpp>
#endif
