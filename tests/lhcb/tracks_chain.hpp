// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/lhcb/tracks_chain.hpp>

#include "lhcb/scifi_reference.hpp"
#include "lhcb/velo_ut_chain.hpp"

#include <cstdint>
#include <vector>

namespace trackplex::test {

/// The ideal detector with a small SciFi.
inline const lhcb::Detector& detector_with_scifi() {
  static const auto detector = [] {
    auto with_scifi = ideal_detector();
    with_scifi.scifi = small_scifi();
    return with_scifi;
  }();
  return detector;
}

/// Events of raw_events(), with random SciFi banks in all but one.
inline std::vector<lhcb::RawEvent> events_with_scifi(int n) {
  auto events = raw_events(n);
  for (std::size_t e = 0; e < events.size(); ++e)
    if (e != 2)
      events[e].scifi =
          random_scifi_event(*detector_with_scifi().scifi, 5, 60, 20, unsigned(e + 1)).scifi;
  return events;
}

}  // namespace trackplex::test
