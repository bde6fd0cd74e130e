// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Settings of a `TrackFinder` for detectors of pixels and strips around a collision region.

#include <trackplex/detector/track_finder_params.hpp>
#include <trackplex/seeding/suggest_triples.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace trackplex::detector {

/// Properties of a collider detector from which its settings follow.
struct ColliderFinderParams {
  double min_pt = 0.15;             ///< of the particles to be found, GeV
  double x = 0., y = 0., z = 0.;    ///< centre of the region of collisions, cm
  double sigma_z0 = 5.5;            ///< standard deviation of vertices along the beam, cm
  double max_d0 = 2.;               ///< max distance of the tracks of the last pass from the beam,
                                    ///< cm
  double max_seed_pitch = 0.1;      ///< of both coordinates of modules that seeds are made of, cm
  double max_late_pitch = 0.15;     ///< the same where particles begin after the first layers, or
                                    ///< collisions are away from z = 0, cm
  double mass = kalman::pion_mass;  ///< of the particles, GeV
};

/// Returns the numbers of the layers whose modules measure both coordinates with pitches of at
/// most `max_pitch` cm.
inline std::vector<int> layers_of_pixels(const geometry::DetectorDescription& detector,
                                         double max_pitch) {
  std::vector<int> layers;
  for (int number = 0; number < int(detector.layers.size()); ++number) {
    const auto& layer = detector.layers[std::size_t(number)];
    bool measures = layer.n_modules > 0 && layer.kind != geometry::LayerKind::plane;
    for (int i = 0; i < layer.n_modules && measures; ++i) {
      const auto& sensor = detector.modules[std::size_t(layer.first_module + i)];
      measures = sensor.pitch_u > 0. && sensor.pitch_u <= max_pitch && sensor.pitch_v > 0. &&
                 sensor.pitch_v <= max_pitch;
    }
    if (measures) layers.push_back(number);
  }
  return layers;
}

/// Returns settings with seeds in the layers of pixels, in five passes: particles from the
/// collision region with seeds that miss no layer, first with high momentum and then all; with
/// seeds that miss a layer; particles that begin away from the beam; and these with seeds in layers
/// of short strips, too. Detectors are built for collisions in their middle: from a region farther
/// than `sigma_z0` from z = 0, some particles cross fewer than three layers of pixels, and a pass
/// after the third one has seeds in layers of pixels and short strips.
/// @throws UsageError if no three layers of pixels follow each other
inline TrackFinderParams<> collider_finder_params(const geometry::DetectorDescription& detector,
                                                  const geometry::LayerGraph& graph,
                                                  const ColliderFinderParams& params = {}) {
  const auto pixels = layers_of_pixels(detector, params.max_seed_pitch);
  PassParams<> high;
  high.seeds.triples = seeding::suggest_triples(graph, pixels, {.max_skipped = 0});
  if (high.seeds.triples.empty())
    throw UsageError("collider_finder_params", "no three layers of pixels follow each other", {},
                     "raise max_seed_pitch, or make the settings yourself");
  high.seeds.mass = high.building.mass = params.mass;
  high.seeds.min_pt = std::max(0.35, params.min_pt);
  high.seeds.max_d0 = 0.15;
  high.seeds.beam_x = params.x;
  high.seeds.beam_y = params.y;
  high.seeds.beam_z = params.z;
  high.seeds.sigma_z0 = params.sigma_z0;
  high.seeds.max_z0 = 3.5 * params.sigma_z0;
  high.seeds.max_per_middle_hit = 3;
  high.seeds.drop_continued = true;
  high.building.max_holes = 1;
  high.shared_hits = {5, 0.7};
  high.selection = {5, 6.};

  PassParams<> low = high;
  low.seeds.min_pt = params.min_pt;
  low.seeds.max_d0 = 0.3;
  low.seeds.max_per_middle_hit = 4;

  PassParams<> gaps = low;
  gaps.seeds.triples = seeding::suggest_triples(graph, pixels);
  gaps.seeds.max_d0 = 0.5;
  gaps.shared_hits = {4, 0.7};
  gaps.selection = {4, 4.5};

  const auto with_strips =
      seeding::suggest_triples(graph, layers_of_pixels(detector, params.max_late_pitch));
  PassParams<> few_pixels = gaps;
  few_pixels.seeds.triples = with_strips;

  PassParams<> displaced = gaps;
  displaced.seeds.min_pt = std::max(0.2, params.min_pt);
  displaced.seeds.max_d0 = params.max_d0;
  displaced.seeds.sigma_d0 = 0.35 * params.max_d0;
  displaced.seeds.sigma_z0 = std::max(10., params.sigma_z0);
  displaced.seeds.max_z0 = 2. * displaced.seeds.sigma_z0;
  displaced.selection = {5, 4.5};

  PassParams<> late = displaced;
  late.seeds.triples = with_strips;
  late.seeds.min_pt = std::max(0.4, params.min_pt);
  late.seeds.sigma_z0 = std::max(6., params.sigma_z0);
  late.seeds.max_z0 = 2. * late.seeds.sigma_z0;

  TrackFinderParams<> finder{.passes = {high, low, gaps}};
  if (std::abs(params.z) > params.sigma_z0) finder.passes.push_back(few_pixels);
  if (params.max_d0 > gaps.seeds.max_d0) {
    finder.passes.push_back(displaced);
    finder.passes.push_back(late);
  }
  finder.graph.x = params.x;
  finder.graph.y = params.y;
  finder.graph.z = params.z;
  finder.navigation.coverage.z = params.z;
  finder.fit.mass = params.mass;
  return finder;
}

}  // namespace trackplex::detector
