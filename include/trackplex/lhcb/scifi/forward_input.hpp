// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/lhcb/scifi/forward_magnet.hpp>
#include <trackplex/lhcb/scifi/forward_params.hpp>
#include <trackplex/lhcb/scifi/scifi_hits.hpp>
#include <trackplex/lhcb/ut/ut_tracks.hpp>
#include <trackplex/lhcb/velo/velo_input.hpp>

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
struct ForwardInput : ForwardSetup<T, MemorySpace>, VeloInput<T, MemorySpace> {
  UtTracks<T, MemorySpace> ut_tracks;    ///< VELO tracks with hits in the UT
  ScifiHits<T, MemorySpace> scifi_hits;  ///< hits of the SciFi, sorted
};

}  // namespace trackplex::lhcb
