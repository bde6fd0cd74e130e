// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "candidates/building_in_detector.hpp"
#include "candidates/tracks_hash.hpp"
#include "golden_hashes.hpp"
#include "support/spaces.hpp"

namespace trackplex::test {

/// Two events with losses and noise, in a detector whose modules overlap.
struct EventsInDetector {
  geometry::DetectorDescription detector = with_rounded_frames(barrels_and_disks(0.3));
  tracks::DetectorEvents events =
      generated_events(detector, 2, 100, false, {.efficiency = 0.95, .noise_fraction = 0.5});
  EventsInDetector() { round_hits(events.hits); }
};

inline const candidates::DetectorSearchParams wide_search{
    .max_chi2 = 40., .max_holes = 3, .window_sigmas = 7.};

}  // namespace trackplex::test
