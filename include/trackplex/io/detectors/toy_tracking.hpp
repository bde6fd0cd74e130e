// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Conversion between the toy events of a file and the events of track building.

#include <trackplex/core/compiled.hpp>
#include <trackplex/io/detectors/toy_events.hpp>
#include <trackplex/tracks/tracking_events.hpp>

#include <string>
#include <vector>

namespace trackplex::io {

/// Converts toy events to events for track building: the hits (cm), each with its particle, and the
/// particles at their vertices, in the order of the file's tracks. `name` is for messages.
/// @throws InputError if a hit refers to no true hit, to one on another layer, or to no track, if
/// labels are not unique, or if the events differ in their number of layers
tracks::TrackingEvents tracking_events(const std::vector<ToyEvent>& toys,
                                       const std::string& name = "toy events");

/// Converts events with ten layers to toy events for a file. The label of a track is the number of
/// its particle in the event, `hits` has an entry for each layer (-1: no hit), and `last_hit` is
/// the last layer with a hit. Of several hits of a particle on a layer, the track lists the first.
/// tracking_events() converts them back to equal events, apart from the parameters of the
/// particles, which are rounded to `float`.
/// @throws UsageError if there are not ten layers
std::vector<ToyEvent> toy_events(const tracks::TrackingEvents& events);

}  // namespace trackplex::io

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/io/detectors/detail/toy_tracking.impl.hpp>
#endif
