// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/lhcb/ut/compass_params.hpp>
#include <trackplex/lhcb/ut/ut_hits.hpp>
#include <trackplex/lhcb/ut/ut_magnet.hpp>
#include <trackplex/lhcb/ut/ut_search_tables.hpp>
#include <trackplex/lhcb/velo/hits.hpp>
#include <trackplex/lhcb/velo/tracks.hpp>

#include <cstddef>

namespace trackplex::lhcb {

/// Cuts of Compass, and tables of the detector. The arrays are handles: copies are cheap.
template <class T, class MemorySpace>
struct CompassSetup {
  UtSearchTables<T, MemorySpace> tables;  ///< positions of the sector groups
  UtMagnet<T, MemorySpace> magnet;        ///< deflections and field integrals
  T polarity;                             ///< of the magnet: -1 down, +1 up
  CompassCuts<T> cuts;                    ///< cuts, in mm and MeV

  using Lines = LineStates<T, MemorySpace>;  ///< States of VELO tracks.
  /// Selects the states according to CompassParams::end_of_velo_states.
  const Lines& states(const Lines& at_beam, const Lines& at_end) const {
    return cuts.end_of_velo_states ? at_end : at_beam;
  }
};

/// Input of the kernels of Compass.
template <class T, class MemorySpace>
struct CompassInput : CompassSetup<T, MemorySpace> {
  VeloHits<T, MemorySpace> velo_hits;      ///< hits of the VELO
  VeloTracks<MemorySpace> velo_tracks;     ///< tracks of these hits
  LineStates<T, MemorySpace> velo_states;  ///< states of these tracks, one per slot
  UtHits<T, MemorySpace> ut_hits;          ///< hits of the UT, sorted

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
