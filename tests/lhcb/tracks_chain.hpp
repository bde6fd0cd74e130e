// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/lhcb/tracks_chain.hpp>

#include "lhcb/scifi/long_track_events.hpp"
#include "lhcb/scifi_reference.hpp"
#include "lhcb/velo_ut_chain.hpp"

#include <cstdint>
#include <vector>

namespace trackplex::test {

/// The ideal detector with a small SciFi.
inline const lhcb::Detector& detector_with_scifi() {
  static const auto detector = [] {
    auto with_scifi = ideal_detector();
    with_scifi.scifi = nominal_scifi();
    return with_scifi;
  }();
  return detector;
}

/// Events of raw_events(), with SciFi banks in all but one: random ones in the first event, else
/// with the hits of tracks.
inline std::vector<lhcb::RawEvent> events_with_scifi(int n) {
  auto events = raw_events(n);
  add_long_tracks(events, detector_with_scifi());
  events[0].scifi = random_scifi_event(*detector_with_scifi().scifi, 5, 60, 20, 1).scifi;
  events[2].scifi = {};
  return events;
}

}  // namespace trackplex::test
