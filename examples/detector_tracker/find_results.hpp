// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "events.hpp"
#include "find.hpp"

#include <common/report.hpp>

#include <string>
#include <vector>

namespace detector_tracker {

/// Which particles efficiencies are of.
struct ParticleCuts {
  double min_pt = 0.;         ///< GeV
  double max_vertex_r = 1e9;  ///< distance of the vertex from the z axis, cm
};

struct FindResults {
  trackplex::program::Json json, plots;
  std::string text;
};

/// Compares tracks with what is known of the particles.
FindResults find_results(const Setup& setup, const Events& events,
                         const std::vector<Tracks>& tracks, const ParticleCuts& cuts);

/// Detector, hits and tracks of an event, along the beam and from the side, for scripts/plot. Of
/// many, every n-th one is shown.
trackplex::program::Json event_display(const Setup& setup, const EventOfBatch& event,
                                       std::size_t number, const Tracks& tracks);

}  // namespace detector_tracker
