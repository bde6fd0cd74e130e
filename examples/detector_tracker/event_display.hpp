// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "states.hpp"

#include <common/report.hpp>
#include <trackplex/io/display/display_event.hpp>

#include <array>
#include <cstddef>
#include <functional>
#include <vector>

namespace detector_tracker {

/// A panel with the detector, and where it shows a point whose track, or which itself, begins at
/// another one.
struct View {
  program::Json panel;
  std::function<std::array<double, 2>(const Vector3& point, const Vector3& begin)> project;
};

/// Adds an event to views of the detector: its hits, and the indices of each track's hits. Of
/// many, every n-th one is shown.
program::Json event_display(std::size_t number, const std::vector<Vector3>& hits,
                            const std::vector<std::vector<std::size_t>>& tracks,
                            std::vector<View> views, int color_of_hits);

/// The same for displays in three dimensions, with all hits and tracks.
io::DisplayEvent event_display(std::size_t number, const std::vector<Vector3>& hits,
                               const std::vector<std::vector<std::size_t>>& tracks);

}  // namespace detector_tracker
