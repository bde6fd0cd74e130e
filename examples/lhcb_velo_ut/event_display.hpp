// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "reconstruct.hpp"

#include <trackplex/lhcb/detector.hpp>

#include <string>

namespace lhcb_velo_ut {

/// A picture of an event as an SVG document: hits and tracks in VELO and UT from the side (z-x),
/// and the UT's hits as strips along the beam (x-y).
std::string event_display(const trackplex::lhcb::Detector& detector, const std::string& name,
                          const EventResult& event);

}  // namespace lhcb_velo_ut
