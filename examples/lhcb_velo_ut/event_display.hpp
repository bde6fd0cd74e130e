// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "reconstruct.hpp"

#include <trackplex/lhcb/detector.hpp>

#include <string>

namespace lhcb_velo_ut {

/// A picture of an event as an SVG document: hits and tracks in the VELO and behind it from the
/// side (z-x), and the hits in the UT as strips along the beam (x-y), the whole UT and its middle.
std::string event_display(const trackplex::lhcb::Detector& detector, const std::string& name,
                          const EventResult& event);

}  // namespace lhcb_velo_ut
