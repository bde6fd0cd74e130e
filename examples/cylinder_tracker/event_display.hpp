// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "found_tracks.hpp"

#include <trackplex/seeding/track_layers.hpp>
#include <trackplex/seeding/tracking_events.hpp>

#include <string>

namespace cylinder_tracker {

/// An event and its tracks as an SVG, seen along the beam and from the side.
std::string event_display(const trackplex::seeding::TrackingEvents& events, int event,
                          const trackplex::seeding::CylinderLayers& detector,
                          const TrackList& tracks);

}  // namespace cylinder_tracker
