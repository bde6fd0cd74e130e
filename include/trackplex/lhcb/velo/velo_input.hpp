// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/lhcb/velo/hits.hpp>
#include <trackplex/lhcb/velo/space_line.hpp>
#include <trackplex/lhcb/velo/tracks.hpp>

#include <cstddef>

namespace trackplex::lhcb {

/// Hits, tracks and states of the VELO, as searches downstream of it read them. The arrays are
/// handles: copies are cheap.
template <class T, class MemorySpace>
struct VeloInput {
  VeloHits<T, MemorySpace> velo_hits;      ///< hits of the VELO
  VeloTracks<MemorySpace> velo_tracks;     ///< tracks of these hits
  LineStates<T, MemorySpace> velo_states;  ///< states of these tracks, one per slot

  /// First slot of the VELO tracks of an event.
  KOKKOS_FUNCTION std::size_t first_slot(int event) const {
    return lhcb::first_slot(velo_hits.event_offsets(event), event, velo_tracks.hits_per_slot);
  }

  /// Gathers the states of tracks of an event by their numbers; zero where the mask is not set.
  /// `slot` is the first slot of the event.
  template <class Number>
  KOKKOS_FORCEINLINE_FUNCTION SpaceLine<Number> velo_state(std::size_t slot,
                                                           const IntegerOf<Number>& track,
                                                           const MaskOf<Number>& mask) const {
    const auto get = [&](const auto& array) {
      return gather<Number>(array.data() + slot, track, mask);
    };
    return {get(velo_states.x), get(velo_states.y), get(velo_states.z), get(velo_states.tx),
            get(velo_states.ty)};
  }
};

}  // namespace trackplex::lhcb
