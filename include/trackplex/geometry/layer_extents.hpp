// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Ranges and resolution of the modules of a layer in its natural coordinates.

#include <trackplex/geometry/layer.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <vector>

namespace trackplex::geometry {

/// Ranges of the natural coordinates of a layer, and properties of its modules.
struct LayerExtents {
  Extent first, second;           ///< of the coordinates, rad or cm
  double first_length = 0.;       ///< of the range of the first coordinate, cm
  bool is_azimuth = false;        ///< of the first coordinate
  double reach = 0.;              ///< largest distance of a module from the surface, cm
  double radiation_lengths = 0.;  ///< of the layer and, on average, its modules
  double variance_first = 0.,     ///< of a hit along the first coordinate, cm^2, the largest
      variance_second = 0.;       ///< of a hit along the second coordinate, cm^2, the largest
};

namespace detail {

/// Variance of a hit along a direction; if v is not measured, the hit is anywhere along v.
inline double variance_along(const Module& module, const Vector3<double>& gradient) {
  const double per_length = 1. / std::sqrt(dot(gradient, gradient));
  const double along_u = dot(module.frame.u, gradient) * per_length,
               along_v = dot(module.frame.v, gradient) * per_length;
  double half_v = 0.;
  for (const auto& [u, v] : module.bounds.outline()) half_v = std::max(half_v, std::abs(v));
  const double pitch_u = module.pitch_u, pitch_v = module.pitch_v;
  const double of_u = pitch_u * pitch_u / 12.;
  const double of_v = pitch_v > 0. ? pitch_v * pitch_v / 12. : half_v * half_v / 3.;
  if (!std::isfinite(per_length)) return std::max(of_u, of_v);  // no direction on the z axis
  return along_u * along_u * of_u + along_v * along_v * of_v;
}

/// Returns the largest distance of a module from the surface of a layer, including the
/// first-order distances of kernels (Surface::distance). The point of a module nearest to the z
/// axis is on an edge.
inline double reach_of_module(const std::vector<Vector3<double>>& corners, const Layer& layer,
                              const Surface<double>& surface) {
  double reach = 0.;
  for (std::size_t i = 0; i < corners.size(); ++i) {
    const auto &from = corners[i], along = corners[(i + 1) % corners.size()] - from;
    const double square = along(0) * along(0) + along(1) * along(1);
    const double part = square > 0. ? -(from(0) * along(0) + from(1) * along(1)) / square : 0.;
    for (const double at : {0., std::clamp(part, 0., 1.)}) {
      const auto point = from + at * along;
      reach = std::max({reach, std::abs(layer.distance(point)), std::abs(surface.distance(point))});
    }
  }
  return reach;
}

inline void add_module(const Module& module, const Layer& description,
                       const LaneLayer<double>& layer, LayerExtents& extents) {
  const auto gradients = layer.gradients(module.frame.centre);
  extents.variance_first =
      std::max(extents.variance_first, variance_along(module, gradients.first));
  extents.variance_second =
      std::max(extents.variance_second, variance_along(module, gradients.second));
  auto points = corners_of(module);
  extents.reach = std::max(extents.reach, reach_of_module(points, description, layer.surface));
  points.push_back(module.frame.centre);
  for (const auto& point : points) {
    const auto at = layer.coordinates(point);
    extents.first.add(at.first);
    extents.second.add(at.second);
  }
}

}  // namespace detail

/// Returns the extents of a layer, by its number.
inline LayerExtents extents_of(const DetectorDescription& detector, int number) {
  const auto& layer = detector.layers[std::size_t(number)];
  const auto lane = lane_layer(detector, number);
  LayerExtents extents;
  extents.is_azimuth = layer.kind != LayerKind::plane;
  extents.radiation_lengths = layer.radiation_lengths;
  for (int m = 0; m < layer.n_modules; ++m) {
    const auto& module = detector.modules[std::size_t(layer.first_module + m)];
    detail::add_module(module, layer, lane, extents);
    extents.radiation_lengths += module.radiation_lengths / layer.n_modules;
  }
  if (extents.is_azimuth) {
    extents.first = {-std::numbers::pi, std::numbers::pi};
    extents.second.add(layer.low);
    extents.second.add(layer.high);
    const double radius =
        layer.kind == LayerKind::barrel ? layer.position : 0.5 * (layer.low + layer.high);
    extents.first_length = 2. * std::numbers::pi * radius;
  } else {
    if (!(extents.first.low < extents.first.high)) extents.first = {-1., 1.};
    extents.first_length = extents.first.high - extents.first.low;
  }
  if (!(extents.second.low < extents.second.high)) extents.second = {-1., 1.};
  return extents;
}

}  // namespace trackplex::geometry
