// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/lhcb/scifi/long_tracks.hpp>
#include <trackplex/lhcb/scifi/match_params.hpp>
#include <trackplex/lhcb/scifi/scifi_hits.hpp>
#include <trackplex/lhcb/scifi/scifi_tracks.hpp>
#include <trackplex/lhcb/ut/ut_tracks.hpp>
#include <trackplex/lhcb/velo/velo_input.hpp>

namespace trackplex::lhcb {

/// Cuts of the matching, and the magnet.
template <class T>
struct MatchSetup {
  T polarity;         ///< of the magnet: -1 down, +1 up
  MatchCuts<T> cuts;  ///< cuts, in mm
};

/// Makes the setup of the matching. `polarity` of the magnet is -1 down, +1 up, as in Detector.
/// @throws UsageError if a parameter is out of range
template <class T>
MatchSetup<T> match_setup(const MatchParams& params, double polarity) {
  check(params);
  if (polarity != -1. && polarity != 1.)
    throw UsageError("matching of SciFi tracks", "unknown polarity of the magnet",
                     "-1 is down, +1 is up");
  return {T(polarity), params};
}

/// Input of the matching; states of the VELO are those at velo_end_z.
template <class T, class MemorySpace>
struct MatchInput : MatchSetup<T>, VeloInput<T, MemorySpace> {
  UtTracks<T, MemorySpace> ut_tracks;        ///< VELO tracks with hits in the UT
  ScifiHits<T, MemorySpace> scifi_hits;      ///< hits of the SciFi
  ScifiTracks<T, MemorySpace> scifi_tracks;  ///< tracks in the SciFi
  LongTracks<T, MemorySpace> long_tracks;    ///< long tracks that are there already
};

}  // namespace trackplex::lhcb
