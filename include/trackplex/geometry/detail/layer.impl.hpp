// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/geometry/check_numbers.hpp>
#include <trackplex/geometry/layer.hpp>
#include <trackplex/geometry/surface.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace trackplex::geometry {

TRACKPLEX_INLINE Vector3<double> first_axis(const DetectorDescription& detector, int number) {
  const auto& layer = detector.layers[std::size_t(number)];
  if (layer.kind != LayerKind::plane) return {0., 0., 0.};
  const auto& n = layer.normal;
  const auto projected = [&](const Vector3<double>& a) { return a - dot(a, n) * n; };
  auto u = projected(layer.n_modules > 0 ? detector.modules[std::size_t(layer.first_module)].frame.u
                                         : cross({0., 1., 0.}, n));
  if (dot(u, u) < 1e-12) u = projected({1., 0., 0.});
  if (dot(u, u) < 1e-12) u = projected({0., 0., 1.});
  return 1. / std::sqrt(dot(u, u)) * u;
}

TRACKPLEX_INLINE LaneLayer<double> lane_layer(const DetectorDescription& detector, int number) {
  const auto& layer = detector.layers[std::size_t(number)];
  const auto u = first_axis(detector, number);
  if (layer.kind == LayerKind::barrel)
    return {{1. / layer.position, {0., 0., 0.}, 0.5 * layer.position},
            layer.low,
            layer.high,
            layer.radiation_lengths,
            u,
            true,
            false};
  const bool is_plane = layer.kind == LayerKind::plane;
  return {{0., is_plane ? layer.normal : Vector3<double>{0., 0., 1.}, layer.position},
          layer.low,
          layer.high,
          layer.radiation_lengths,
          u,
          false,
          is_plane};
}

TRACKPLEX_INLINE double reach_of_layer(const DetectorDescription& detector, int number) {
  const auto& layer = detector.layers[std::size_t(number)];
  double reach = 0.;
  const auto add = [&](const Vector3<double>& point) {
    reach = std::max(reach, std::abs(layer.distance(point)));
  };
  for (int i = layer.first_module; i < layer.first_module + layer.n_modules; ++i) {
    add(detector.modules[std::size_t(i)].frame.centre);
    for (const auto& corner : corners_of(detector.modules[std::size_t(i)])) add(corner);
  }
  return reach;
}

}  // namespace trackplex::geometry
