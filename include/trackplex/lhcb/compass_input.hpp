// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/lhcb/compass_parameters.hpp>
#include <trackplex/lhcb/ut_hits.hpp>
#include <trackplex/lhcb/ut_magnet.hpp>
#include <trackplex/lhcb/ut_search_tables.hpp>
#include <trackplex/search/hits.hpp>
#include <trackplex/seeding/tracks.hpp>

namespace trackplex::lhcb {

/// What Compass works on. All arrays are handles: copies of this are cheap.
template <class Real, class MemorySpace>
struct CompassInput {
  search::Hits<Real, MemorySpace> velo_hits;
  seeding::Tracks<MemorySpace> velo_tracks;
  seeding::LineStates<Real, MemorySpace> velo_states;  ///< of these tracks
  UtHits<Real, MemorySpace> ut_hits;
  UtSearchTables<Real, MemorySpace> tables;
  UtMagnet<Real, MemorySpace> magnet;
  double polarity = -1.;  ///< of the magnet, -1 or +1
  CompassParameters cuts;

  /// First slot of an event: that of its VELO tracks.
  KOKKOS_FUNCTION std::size_t first_slot(int event) const {
    return seeding::first_slot(velo_hits.event_offsets(event), event, velo_tracks.hits_per_slot);
  }

  /// States of tracks of an event, by their numbers; zero where the mask is not set.
  template <class Number>
  KOKKOS_FORCEINLINE_FUNCTION LineState<Number> velo_state(std::size_t slot,
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
