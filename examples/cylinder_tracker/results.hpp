// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <common/chain_calls.hpp>
#include <common/report.hpp>
#include <trackplex/cylinder/result.hpp>
#include <trackplex/seeding/track_layers.hpp>
#include <trackplex/seeding/tracking_events.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace cylinder_tracker {

using trackplex::cylinder::CylinderResult;
using trackplex::seeding::TrackingEvents;

/// Layers of a seed.
inline constexpr int seed_layers = 3;

/// Numbers that a state on a layer has.
inline constexpr int parameters_on_layer = trackplex::kalman::Parameter::count - 1;
/// Whether a fit has reached all layers, with more measurements than it has parameters.
inline bool is_complete(const trackplex::cylinder::TrackFit& fit) {
  return fit.reached && fit.measurements > parameters_on_layer;
}

/// What a strategy has found, event by event.
using Found = trackplex::program::FoundEvents<TrackingEvents, CylinderResult>;

/// Fingerprints to the last bit, of the number type that tracks were found in.
std::uint64_t seeds_fingerprint(std::span<const CylinderResult> events, bool is_float);
std::uint64_t tracks_fingerprint(std::span<const CylinderResult> events, bool is_float);

/// Efficiency, fakes and fits of all strategies.
struct Results {
  std::size_t lost_seeds = 0;  ///< triplets beyond the capacities
  trackplex::program::Json json, plots;
  std::string text;
};

/// Efficiencies are of particles above `min_pt`, GeV.
Results results_of(const std::vector<Found>& found, double min_pt, bool truth_seeds, bool is_float);

/// Hits and tracks of an event, along the beam and from the side, for scripts/plot. Of many, every
/// n-th one is shown.
trackplex::program::Json event_display(const TrackingEvents& event, std::size_t number,
                                       const trackplex::seeding::CylinderLayers& detector,
                                       const trackplex::cylinder::TrackList& tracks);

}  // namespace cylinder_tracker
