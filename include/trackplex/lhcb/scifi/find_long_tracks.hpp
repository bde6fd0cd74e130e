// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/algorithm.hpp>
#include <trackplex/core/error.hpp>
#include <trackplex/lhcb/scifi/detail/long_track_search.hpp>
#include <trackplex/lhcb/velo/velo_end_states.hpp>

namespace trackplex::lhcb {

/// Algorithm: SciFi hits and momentum of VELO tracks with hits in the UT (forward tracking;
/// Looking Forward of LHCb's Allen of 2020). The half of the layers is that to which the VELO line
/// points. Windows in the first and the last x layer of a triplet (layers 0, 4, 8 and 3, 7, 11)
/// surround the line of the UT, bent in the middle of the magnet by q/p of the UT. Pairs of their
/// hits whose line meets the VELO track in the magnet, with a slope whose q/p can be that of the UT
/// (max_qop_difference), get the nearest hit between them; the triplets with the smallest distances
/// define curves
///
/// \f[ x(z) = c + b\,\delta + a\,\delta^2(1+d\,\delta), \qquad \delta = z - 8520\,\mathrm{mm}, \f]
///
/// to which the nearest hits of the other layers are added, those of the stereo layers at the y
/// given by ForwardMagnet::y_shift(). With n hits, of them m in stereo layers, their distances
/// \f$ r_i \f$ from the curve, the largest allowed one \f$ R \f$ in stereo layers, and the
/// residuals \f$ \rho_j \f$ of a line through the y of the stereo hits, the quality of a candidate
/// is
///
/// \f[ Q = w_n \left[\frac{1}{n-3}\left(\frac12\sum_{x} r_i^2 + \sum_{uv} \frac{r_i^2}{R^2}\right)
///     + \frac{\sum_j \rho_j^2}{800\,(m-2)}\right], \quad w_n = 5,\ 1,\ 0.8,\ 0.5 \f]
///
/// for 9, 10, 11, 12 hits. The best candidate of a track is kept if it is good enough. A track that
/// shares max_shared of its hits with a better one is a duplicate and dropped. q/p is
/// ForwardMagnet::qop(), with the sign of the charge for both polarities.
///
/// With `without_ut`, VELO tracks that give no such track are extended, too: with the line of the
/// VELO for that of the UT, windows for both charges, and cuts of their own. One kernel, a team per
/// event.
template <class T, class ExecutionSpace, int Width = default_lane_width<ExecutionSpace, T>>
struct FindLongTracks {
  using MemorySpace = typename ExecutionSpace::memory_space;  ///< Memory space of all arrays.
  using Hits = VeloHits<T, MemorySpace>;                      ///< Read: hits of the VELO.
  using Tracks = VeloTracks<MemorySpace>;                     ///< Read: tracks of the VELO.
  using Lines = LineStates<T, MemorySpace>;                   ///< Read: their states at the beam.
  using AtEnd = VeloStatesAtEnd<T, MemorySpace>;  ///< Read: their states at the end of the VELO.
  using InUt = UtTracks<T, MemorySpace>;          ///< Read: those with hits in the UT.
  using InScifi = ScifiHits<T, MemorySpace>;      ///< Read: hits of the SciFi, sorted.
  using Found = ForwardTracks<T, MemorySpace>;    ///< Made: tracks with hits in the SciFi.
  static constexpr const char* name = "long_tracks";

  ForwardSetup<T, MemorySpace> setup;  ///< cuts and magnet, see forward_setup()
  bool enabled = true;                 ///< false: the product has no events and no kernel runs
  int team_size = 0;                   ///< threads per event; 0: default of the space

  /// Allocates as many slots for the tracks as the UT tracks have.
  template <class Memory>
  void allocate(const Memory& memory, const Hits&, const Tracks&, const Lines&, const AtEnd&,
                const InUt& ut_tracks, const InScifi&, Found& found) const {
    found.slots = enabled ? ut_tracks.slots : 0;
    found.n_events = enabled ? ut_tracks.n_events : 0;
    allocate_arrays(memory.of(found), found);
  }

  /// Enqueues the kernel.
  /// @throws UsageError if tracks, states and hits of the SciFi are not those of the same events
  void operator()(const ExecutionSpace& exec, const Hits& hits, const Tracks& tracks,
                  const Lines& at_beam, const AtEnd& at_end, const InUt& ut_tracks,
                  const InScifi& scifi_hits, Found& found) const {
    if (!enabled) return;
    const Lines& states = setup.states(at_beam, at_end);
    if (scifi_hits.n_events != ut_tracks.n_events)
      throw UsageError(name, "hits of the SciFi and tracks are those of different events",
                       "decode the banks of the same batch");
    if (states.slots != ut_tracks.slots)
      throw UsageError(name, "the VELO tracks have no states of the kind that the cuts select",
                       "see ForwardParams::end_of_velo_states and VeloEndStates::enabled");
    using Input = ForwardInput<T, MemorySpace>;
    const int max_tracks = hits.max_event_hits / tracks.hits_per_slot + 1 + min_slots;
    for_each_team(
        exec, "Trackplex::Lhcb::long_tracks", found.n_events,
        detail::LongTrackSearch<LanesOf<T, Width>, Input, LongTracks<T, MemorySpace>>{
            Input{setup, {hits, tracks, states}, ut_tracks, scifi_hits}, found, max_tracks},
        team_size);
  }
};

}  // namespace trackplex::lhcb

#if defined(TRACKPLEX_INSTANCES)
#include <trackplex/lhcb/scifi/detail/find_long_tracks.instances.hpp>
#endif
