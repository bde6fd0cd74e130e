// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "states.hpp"

#include <common/chain_calls.hpp>
#include <common/program.hpp>
#include <trackplex/cylinder/result.hpp>
#include <trackplex/tracks/track_layers.hpp>
#include <trackplex/tracks/tracking_events.hpp>

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace detector_tracker {

using cylinder::CylinderResult;
using tracks::TrackingEvents;

/// Layers of a seed.
inline constexpr int seed_layers = 3;

/// Whether a fit has reached all layers, with more measurements than it has parameters.
inline bool is_complete(const cylinder::TrackFit& fit) {
  return fit.reached && fit.measurements > parameters_on_plane;
}

/// What a strategy has found, event by event.
using FoundEvents = program::FoundEvents<TrackingEvents, CylinderResult>;

/// Fingerprint of seeds and tracks to the last bit, of the number type that they were found in.
std::string hash_of_cylinders(std::span<const CylinderResult> events, bool is_float);

/// Adds efficiency, fakes and fits of all strategies to the report. Efficiencies are of particles
/// above `min_pt`, GeV.
void write_cylinders(program::Program& p, const std::vector<FoundEvents>& found, double min_pt,
                     bool truth_seeds);

/// The hits of an event in space, cm.
std::vector<Vector3> points_of(const TrackingEvents& event);

/// The hits of each track, as indices of all of the event's, in the order of the first hit's
/// azimuth: a sample has all directions.
std::vector<std::vector<std::size_t>> hits_of_tracks(const TrackingEvents& event,
                                                     const cylinder::TrackList& tracks);

/// Hits and tracks of an event, along the beam and from the side, for scripts/plot.
program::Json display_of_cylinders(const TrackingEvents& event, std::size_t number,
                                   const tracks::CylinderLayers& detector,
                                   const cylinder::TrackList& tracks);

}  // namespace detector_tracker
