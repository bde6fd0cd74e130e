// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/detector/track_finder_params.hpp>
#include <trackplex/geometry/field.hpp>
#include <trackplex/geometry/layer_graph.hpp>
#include <trackplex/simulation/telescope.hpp>

namespace detector_tracker {

/// The telescope with its magnet, and how tracks are found in it.
struct Telescope {
  trackplex::geometry::DetectorDescription detector = trackplex::simulation::telescope();
  trackplex::geometry::DipoleField magnet = trackplex::simulation::telescope_magnet();
  trackplex::geometry::LayerGraph graph{};
  trackplex::detector::TrackFinderParams<trackplex::kalman::ForwardTrack> finder{};

  /// From each plane to the next one or the one behind it; seeds are lines in front of the magnet.
  Telescope();
};

}  // namespace detector_tracker
