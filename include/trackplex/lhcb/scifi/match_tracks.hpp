// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/algorithm.hpp>
#include <trackplex/core/error.hpp>
#include <trackplex/lhcb/scifi/detail/track_matching.hpp>
#include <trackplex/lhcb/scifi/match_input.hpp>
#include <trackplex/lhcb/velo/velo_end_states.hpp>

namespace trackplex::lhcb {

/// Algorithm: long tracks from tracks in the SciFi alone and VELO tracks that have no long track
/// (matching), next to the long tracks that are there. The lines of both tracks should meet in the
/// magnet, at
///
/// \f[ z = 5287.6 - 7.98878\,|\Delta_x| + 317.683\,\Delta_x^2 + 0.0119379\,|x_T| - 1418.42\,t_x^2
/// \f]
///
/// (mm) with the change \f$ \Delta_x \f$ of dx/dz, the slopes \f$ t_x, t_y \f$ in the VELO and
/// \f$ x_T \f$ at scifi_end_z, as in LHCb's code of 2023. With their distance \f$ d_x \f$ there,
/// the distance \f$ d_y \f$ at z = 10 m, where y of the VELO track grows by 2 %, the change \f$
/// \Delta_y \f$ of dy/dz, and \f$ t^2=t_x^2+t_y^2 \f$,
///
/// \f[ \chi^2 = \frac{d_x^2}{1^2+(27\,\Delta_x)^2} + \frac12\left(\frac{d_y^2}{5^2+(200\,t)^2} +
///     \frac{\Delta_y^2}{0.001^2+(0.027\,t)^2}\right), \f]
///
/// with the widths of pairs that belong together, and half the weight for both differences in y,
/// which go together. Each SciFi track takes the VELO track of the least chi2, each VELO track the
/// best one of these. q/p is a polynomial of the slopes of that code, with the sign of the charge
/// for both polarities. A long track has the UT track of its VELO track if both q/p agree. One
/// kernel, a team per event.
template <class T, class ExecutionSpace, int Width = default_lane_width<ExecutionSpace, T>>
struct MatchTracks {
  using MemorySpace = typename ExecutionSpace::memory_space;  ///< Memory space of all arrays.
  using Hits = VeloHits<T, MemorySpace>;                      ///< Read: hits of the VELO.
  using Tracks = VeloTracks<MemorySpace>;                     ///< Read: tracks of the VELO.
  using AtEnd = VeloStatesAtEnd<T, MemorySpace>;  ///< Read: their states at the end of the VELO.
  using InUt = UtTracks<T, MemorySpace>;          ///< Read: those with hits in the UT.
  using InScifi = ScifiHits<T, MemorySpace>;      ///< Read: hits of the SciFi.
  using Scifi = ScifiTracks<T, MemorySpace>;      ///< Read: tracks in the SciFi.
  using Before = ForwardTracks<T, MemorySpace>;   ///< Read: long tracks that are there already.
  using Found = LongTracks<T, MemorySpace>;       ///< Made: these and the new ones.
  static constexpr const char* name = "match_tracks";
  static constexpr bool aliases_inputs = true;  ///< The new tracks take free slots.

  MatchSetup<T> setup;  ///< cuts and magnet, see match_setup()
  bool enabled = true;  ///< false: there are no new tracks and no kernel runs
  int team_size = 0;    ///< threads per event; 0: default of the space

  /// Allocates the numbers of tracks; their arrays are those of the long tracks before.
  template <class Memory>
  void allocate(const Memory& memory, const Hits&, const Tracks&, const AtEnd&, const InUt&,
                const InScifi&, const Scifi&, const Before& before, Found& found) const {
    auto count = found.count;
    found = before;
    if (!enabled) return;
    if (count.data() == before.count.data()) count = {};
    found.count = count;
    allocate_arrays(memory.of(found), found);
  }

  /// Enqueues the kernel.
  /// @throws UsageError if tracks and hits are not those of the same events
  void operator()(const ExecutionSpace& exec, const Hits& velo_hits, const Tracks& velo_tracks,
                  const AtEnd& at_end, const InUt& ut_tracks, const InScifi& scifi_hits,
                  const Scifi& scifi_tracks, const Before& before, Found& found) const {
    if (!enabled) return;
    const int n = before.n_events;
    if (velo_hits.n_events != n || ut_tracks.n_events != n || scifi_hits.n_events != n ||
        scifi_tracks.n_events != n)
      throw UsageError(name, "tracks and hits are those of different events",
                       "take those of the same batch");
    if (at_end.slots != before.slots)
      throw UsageError(name, "there are no states at the end of the VELO",
                       "see VeloEndStates::enabled");
    using Input = MatchInput<T, MemorySpace>;
    const int max_tracks = velo_hits.max_event_hits / velo_tracks.hits_per_slot + 1 + min_slots;
    for_each_team(exec, "Trackplex::Lhcb::match_tracks", n,
                  detail::TrackMatching<LanesOf<T, Width>, Input, Found>{
                      Input{setup,
                            {velo_hits, velo_tracks, at_end},
                            ut_tracks,
                            scifi_hits,
                            scifi_tracks,
                            before},
                      found, max_tracks},
                  team_size);
  }
};

}  // namespace trackplex::lhcb

#if defined(TRACKPLEX_INSTANCES)
#include <trackplex/lhcb/scifi/detail/match_tracks.instances.hpp>
#endif
