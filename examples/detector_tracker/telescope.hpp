// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/candidates/build_tracks.hpp>
#include <trackplex/detector/track_finder_params.hpp>
#include <trackplex/geometry/field.hpp>
#include <trackplex/geometry/layer_graph.hpp>
#include <trackplex/simulation/telescope.hpp>

namespace detector_tracker {

using namespace trackplex;

/// The telescope with its magnet, and how tracks are found in it.
struct Telescope {
  /// Downstream of the magnet, each hit gives a seed a momentum: more candidates than elsewhere.
  using Params = detector::TrackFinderParams<kalman::ForwardTrack, candidates::CloneEngine<8>>;

  geometry::DetectorDescription detector = simulation::telescope();
  geometry::DipoleField magnet = simulation::telescope_magnet();
  geometry::LayerGraph graph{};
  Params finder{};

  /// From each plane to the next one or the one behind it; seeds are lines in front of the magnet.
  Telescope();
};

}  // namespace detector_tracker
