// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/algorithm.hpp>
#include <trackplex/core/error.hpp>
#include <trackplex/lhcb/scifi/detail/scifi_track_search.hpp>
#include <trackplex/lhcb/scifi/scifi_tracks.hpp>
#include <trackplex/lhcb/scifi/seeding_input.hpp>
#include <trackplex/lhcb/velo/hits.hpp>

#include <cstddef>

namespace trackplex::lhcb {

/// Algorithm: tracks in the SciFi alone (seeding), from the hits that no long track has; as the
/// hybrid seeding of LHCb's code of 2023. In each half of the layers, hits of the first and the
/// last x layer of triplets (layers 0, 4, 8, then 3, 7, 11) make pairs whose line a track from the
/// beam of SeedingParams::min_p may have; where the line is at z = 0 says how far from it the hit
/// between them is. A triplet defines a curve
///
/// \f[ x(z) = c + b\,\delta + a\,\delta^2(1+d\,\delta), \qquad \delta = z - 8520\,\mathrm{mm},
///     \qquad d = -0.00028, \f]
///
/// to which the nearest hits of the other x layers are added, at least two, and which is
/// fitted to all. The best curves of each first hit get stereo hits: each hit of the second station
/// defines a line y(z) through the origin, and the nearest hit to it of each other layer turns it.
/// With n hits, the residuals \f$ r_i \f$ in x layers and \f$ \rho_j \f$ of a line through the y of
/// the stereo hits, and s = 0.0875 the slope of their fibres, the quality of a candidate is
///
/// \f[ Q = w_n \frac{\sum_i r_i^2 + s^2\sum_j \rho_j^2}{n-5}, \quad w_n = 5,\ 1,\ 0.8,\ 0.5 \f]
///
/// for 9, 10, 11, 12 hits. The best candidate of a first hit is kept if it is good enough; hits of
/// tracks begin no further one. A track that shares max_shared of its hits with a better one is a
/// duplicate and dropped. One kernel, a team per event.
template <class T, class ExecutionSpace, int Width = default_lane_width<ExecutionSpace, T>>
struct FindScifiTracks {
  using MemorySpace = typename ExecutionSpace::memory_space;  ///< Memory space of all arrays.
  using Hits = VeloHits<T, MemorySpace>;                      ///< Read: hits of the VELO.
  using Tracks = VeloTracks<MemorySpace>;                     ///< Read: tracks of the VELO.
  using InScifi = ScifiHits<T, MemorySpace>;                  ///< Read: hits of the SciFi, sorted.
  using Long = ForwardTracks<T, MemorySpace>;  ///< Read: tracks whose hits are taken.
  using Found = ScifiTracks<T, MemorySpace>;   ///< Made: tracks in the SciFi.
  static constexpr const char* name = "scifi_tracks";

  SeedingCuts<T> cuts;  ///< see seeding_cuts()
  bool enabled = true;  ///< false: the product has no events and no kernel runs
  int team_size = 0;    ///< threads per event; 0: default of the space

  /// Allocates a slot for each hit of the SciFi.
  template <class Memory>
  void allocate(const Memory& memory, const Hits&, const Tracks&, const InScifi& hits, const Long&,
                Found& found) const {
    found.slots = enabled ? std::size_t(hits.n_hits) : 0;
    found.n_events = enabled ? hits.n_events : 0;
    found.max_tracks = enabled ? hits.max_event_hits : 0;
    allocate_arrays(memory.of(found), found);
  }

  /// Enqueues the kernel.
  /// @throws UsageError if the long tracks and the hits of the SciFi are not of the same events
  void operator()(const ExecutionSpace& exec, const Hits& velo_hits, const Tracks& velo_tracks,
                  const InScifi& hits, const Long& long_tracks, Found& found) const {
    if (!enabled) return;
    if (long_tracks.n_events != hits.n_events || velo_hits.n_events != hits.n_events)
      throw UsageError(name, "hits of the SciFi and tracks are those of different events",
                       "decode the banks of the same batch");
    using Input = SeedingInput<T, MemorySpace>;
    for_each_team(
        exec, "Trackplex::Lhcb::scifi_tracks", found.n_events,
        detail::ScifiTrackSearch<LanesOf<T, Width>, Input, Found>{
            Input{cuts, hits, long_tracks, velo_hits.event_offsets, velo_tracks.hits_per_slot},
            found},
        team_size);
  }
};

}  // namespace trackplex::lhcb

#if defined(TRACKPLEX_INSTANCES)
#include <trackplex/lhcb/scifi/detail/find_scifi_tracks.instances.hpp>
#endif
