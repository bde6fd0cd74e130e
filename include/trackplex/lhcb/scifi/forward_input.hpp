// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/lhcb/scifi/forward_magnet.hpp>
#include <trackplex/lhcb/scifi/forward_params.hpp>
#include <trackplex/lhcb/scifi/scifi_hits.hpp>
#include <trackplex/lhcb/ut/p_kick_fit.hpp>
#include <trackplex/lhcb/ut/ut_tracks.hpp>
#include <trackplex/lhcb/velo/hits.hpp>
#include <trackplex/lhcb/velo/tracks.hpp>

#include <cstddef>

namespace trackplex::lhcb {

/// Cuts of the search for long tracks, and the magnet. The arrays are handles: copies are cheap.
template <class T, class MemorySpace>
struct ForwardSetup {
  ForwardMagnet<T, MemorySpace> magnet;  ///< effect of the magnet downstream of the UT
  T polarity;                            ///< of the magnet: -1 down, +1 up
  ForwardCuts<T> cuts;                   ///< cuts, in mm and MeV

  using Lines = LineStates<T, MemorySpace>;  ///< States of VELO tracks.
  /// Selects the states according to ForwardParams::end_of_velo_states.
  const Lines& states(const Lines& at_beam, const Lines& at_end) const {
    return cuts.end_of_velo_states ? at_end : at_beam;
  }
};

/// Makes the setup of the search for long tracks. `polarity` of the magnet is -1 down, +1 up, as
/// in Detector. Waits for the instance.
/// @throws UsageError if a parameter is out of range, or a table has a wrong size
template <class T, class ExecutionSpace>
ForwardSetup<T, typename ExecutionSpace::memory_space> forward_setup(
    const ExecutionSpace& exec, const ForwardParams& params, double polarity,
    const ForwardTables& tables = forward_tables()) {
  check(params);
  if (polarity != -1. && polarity != 1.)
    throw UsageError("search for long tracks", "unknown polarity of the magnet",
                     "-1 is down, +1 is up");
  return {forward_magnet<T>(exec, tables), T(polarity), params};
}

/// Input of the search for long tracks.
template <class T, class MemorySpace>
struct ForwardInput : ForwardSetup<T, MemorySpace> {
  VeloHits<T, MemorySpace> velo_hits;      ///< hits of the VELO
  VeloTracks<MemorySpace> velo_tracks;     ///< tracks of these hits
  LineStates<T, MemorySpace> velo_states;  ///< states of these tracks, one per slot
  UtTracks<T, MemorySpace> ut_tracks;      ///< those with hits in the UT
  ScifiHits<T, MemorySpace> scifi_hits;    ///< hits of the SciFi, sorted

  /// First slot of the tracks of an event.
  KOKKOS_FUNCTION std::size_t first_slot(int event) const {
    return lhcb::first_slot(velo_hits.event_offsets(event), event, velo_tracks.hits_per_slot);
  }

  /// Gathers the states of VELO tracks of an event by their numbers; zero where the mask is not
  /// set. `slot` is the first slot of the event.
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
