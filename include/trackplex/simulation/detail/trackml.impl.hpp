// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/error.hpp>
#include <trackplex/core/math.hpp>
#include <trackplex/geometry/description.hpp>
#include <trackplex/geometry/field_grid.hpp>
#include <trackplex/geometry/field_map.hpp>
#include <trackplex/simulation/detector_generator_params.hpp>
#include <trackplex/simulation/trackml.hpp>

#include <string>
#include <vector>

namespace trackplex::simulation {

TRACKPLEX_INLINE void set_trackml_material(geometry::DetectorDescription& detector) {
  constexpr double x0 = 9.57;  // of ACTS' silicon, cm
  for (auto& sensor : detector.modules) {
    const auto volume = sensor.identifier >> 56;
    const bool is_pixel = volume >= 7 && volume <= 9, is_short = volume >= 12 && volume <= 14;
    if (!is_pixel && !is_short && !(volume >= 16 && volume <= 18))
      throw UsageError("set_trackml_material", "a module is in no volume of TrackML",
                       "volume " + std::to_string(volume));
    sensor.radiation_lengths = (is_pixel ? 0.015 : is_short ? 0.025 : 0.035) / x0;
    auto& layer = detector.layers[std::size_t(sensor.layer)];
    const bool is_barrel = layer.kind == geometry::LayerKind::barrel;
    layer.radiation_lengths = (is_pixel   ? 0.15
                               : is_short ? (is_barrel ? 0.2 : 0.25)
                                          : (is_barrel ? 0.25 : 0.35)) /
                              x0;
  }
}

TRACKPLEX_INLINE geometry::AxisymmetricFieldGrid trackml_field_grid() {
  return geometry::sample_axisymmetric_field({0., 132., 12}, {-324., 324., 55}, trackml_solenoid);
}

TRACKPLEX_INLINE std::vector<geometry::Layer> trackml_passive_layers() {
  constexpr double x0 = 35.28;  // of beryllium, cm
  return {{.name = "beam pipe",
           .kind = geometry::LayerKind::barrel,
           .position = 1.9,
           .low = -300.,
           .high = 300.,
           .radiation_lengths = 0.08 / x0},
          {.name = "support tube",
           .kind = geometry::LayerKind::barrel,
           .position = 20.,
           .low = -300.,
           .high = 300.,
           .radiation_lengths = 0.18 / x0}};
}

TRACKPLEX_INLINE DetectorGeneratorParams trackml_generator_params() {
  DetectorGeneratorParams params;
  params.efficiency = 0.98;
  params.noise_fraction = 0.15;
  params.noise_with_occupancy = 0.2;
  params.noise_on_disks = 0.35;
  params.interactions_per_radiation_length = 0.3;
  params.passive_layers = trackml_passive_layers();
  params.max_turn = 3.3;
  params.min_pt = 0.15;
  return params;
}

}  // namespace trackplex::simulation
