// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/lhcb/velo_event.hpp>
#include <trackplex/lhcb/velo_track_list.hpp>

#include <string>

namespace lhcb_velo {

/// A picture of an event as an SVG document: modules, hits and tracks from the side (z-x) and along
/// the beam (x-y).
std::string event_display(const trackplex::lhcb::VeloEvent& event,
                          const trackplex::lhcb::VeloTrackList& tracks);

}  // namespace lhcb_velo
