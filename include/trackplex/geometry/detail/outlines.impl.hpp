// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/derived_math.hpp>
#include <trackplex/core/math.hpp>
#include <trackplex/geometry/description.hpp>
#include <trackplex/geometry/outlines.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <set>
#include <utility>
#include <vector>

namespace trackplex::geometry {

TRACKPLEX_INLINE std::array<double, 2> project(const Vector3<double>& point,
                                               Projection projection) {
  if (projection == Projection::zr) return {point(2), hypot(point(0), point(1))};
  if (projection == Projection::zx) return {point(2), point(0)};
  return {point(0), point(1)};
}

namespace detail {

/// The lines of a layer without modules: for a barrel its sides or circle, for a disk its sides
/// or two circles; for a plane, which has no limits, none.
TRACKPLEX_INLINE std::vector<Segment> ideal_outlines(const Layer& layer, Projection projection) {
  std::vector<Segment> lines;
  const bool is_barrel = layer.kind == LayerKind::barrel;
  if (layer.kind == LayerKind::plane) return lines;
  if (projection == Projection::xy) {
    const std::vector<double> radii =
        is_barrel ? std::vector{layer.position} : std::vector{layer.low, layer.high};
    constexpr int chords = 96;
    for (const double r : radii)
      for (int i = 0; i < chords && r > 0.; ++i) {
        const double from = 2. * std::numbers::pi * i / chords;
        const double to = 2. * std::numbers::pi * (i + 1) / chords;
        lines.push_back({r * cos(from), r * sin(from), r * cos(to), r * sin(to)});
      }
    return lines;
  }
  for (const double side : {1., -1.}) {
    if (side < 0. && projection == Projection::zr) break;
    if (is_barrel)
      lines.push_back({layer.low, side * layer.position, layer.high, side * layer.position});
    else
      lines.push_back({layer.position, side * layer.low, layer.position, side * layer.high});
  }
  return lines;
}

}  // namespace detail

TRACKPLEX_INLINE std::vector<Segment> outlines(const DetectorDescription& detector, int layer,
                                               Projection projection) {
  const auto& of = detector.layers[std::size_t(layer)];
  if (of.n_modules == 0) return detail::ideal_outlines(of, projection);
  std::vector<Segment> lines;
  double size = 0.;
  for (int i = of.first_module; i < of.first_module + of.n_modules; ++i) {
    const auto corners = corners_of(detector.modules[std::size_t(i)]);
    for (std::size_t k = 0; k < corners.size(); ++k) {
      const auto from = project(corners[k], projection);
      const auto to = project(corners[(k + 1) % corners.size()], projection);
      lines.push_back({from[0], from[1], to[0], to[1]});
      size = std::max({size, std::abs(from[0]), std::abs(from[1])});
    }
  }
  std::set<std::array<long long, 4>> seen;
  std::erase_if(lines, [&](Segment line) {
    if (std::pair(line[0], line[1]) > std::pair(line[2], line[3]))
      line = {line[2], line[3], line[0], line[1]};
    std::array<long long, 4> key{};
    for (std::size_t k = 0; k < 4; ++k) key[k] = std::llround(line[k] / (1e-4 * size));
    return !seen.insert(key).second;
  });
  return lines;
}

}  // namespace trackplex::geometry
