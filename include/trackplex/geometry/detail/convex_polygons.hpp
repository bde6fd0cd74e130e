// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Convex polygons in a plane: their differences, and the shapes of modules as such.

#include <trackplex/core/math.hpp>
#include <trackplex/geometry/bounds.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <utility>
#include <vector>

namespace trackplex::geometry::detail {

/// Corner of a polygon.
using Corner = std::array<double, 2>;
/// Convex polygon: its corners, counterclockwise.
using Polygon = std::vector<Corner>;

/// Twice the area of the triangle a, b, p: positive if p is on the left of the line from a to b.
inline double side_of(const Corner& a, const Corner& b, const Corner& p) {
  return (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]);
}

/// Area, positive for counterclockwise corners.
inline double area_of(const Polygon& polygon) {
  double area = 0.;
  for (std::size_t i = 2; i < polygon.size(); ++i)
    area += 0.5 * side_of(polygon[0], polygon[i - 1], polygon[i]);
  return area;
}

/// Parts of a convex polygon on the left and on the right of the line from a to b.
inline std::pair<Polygon, Polygon> split(const Polygon& polygon, const Corner& a, const Corner& b) {
  std::pair<Polygon, Polygon> parts;
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const auto& from = polygon[i];
    const auto& to = polygon[(i + 1) % polygon.size()];
    const double begin = side_of(a, b, from), end = side_of(a, b, to);
    if (begin >= 0.) parts.first.push_back(from);
    if (begin <= 0.) parts.second.push_back(from);
    if ((begin < 0. && end > 0.) || (begin > 0. && end < 0.)) {
      const double t = begin / (begin - end);
      const Corner at{from[0] + t * (to[0] - from[0]), from[1] + t * (to[1] - from[1])};
      parts.first.push_back(at);
      parts.second.push_back(at);
    }
  }
  return parts;
}

/// Removes a convex polygon from a list of convex polygons; parts with at most `min_area` vanish.
inline std::vector<Polygon> without(const std::vector<Polygon>& polygons, const Polygon& removed,
                                    double min_area) {
  std::vector<Polygon> rest;
  for (auto inside : polygons) {
    for (std::size_t i = 0; i < removed.size() && inside.size() >= 3; ++i) {
      auto [left, right] = split(inside, removed[i], removed[(i + 1) % removed.size()]);
      if (right.size() >= 3 && area_of(right) > min_area) rest.push_back(std::move(right));
      inside = std::move(left);
    }
  }
  return rest;
}

/// Whether all corners are inside a convex polygon.
inline bool contains_all(const Polygon& polygon, const std::array<Corner, 4>& corners) {
  for (std::size_t i = 0; i < polygon.size(); ++i)
    for (const auto& corner : corners)
      if (side_of(polygon[i], polygon[(i + 1) % polygon.size()], corner) < 0.) return false;
  return true;
}

/// Whether all corners are on the outer side of an edge of a convex polygon, or the polygon is
/// empty.
inline bool is_apart(const Polygon& polygon, const std::array<Corner, 4>& corners) {
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    bool outside = true;
    for (const auto& corner : corners)
      outside = outside && side_of(polygon[i], polygon[(i + 1) % polygon.size()], corner) < 0.;
    if (outside) return true;
  }
  return polygon.empty();
}

/// Rectangle or trapezoid with its edges moved outwards by `margin`, or inwards if that is
/// negative; without corners if nothing is left.
inline Polygon moved_edges(const std::array<double, 3>& size, double margin) {
  const double half = 0.5 * (size[0] + size[1]), slope = 0.5 * (size[1] - size[0]) / size[2];
  const double at_0 = half + margin * std::sqrt(1. + slope * slope);
  double low = -size[2] - margin, high = size[2] + margin;
  if (slope > 0.) low = std::max(low, -at_0 / slope);
  if (slope < 0.) high = std::min(high, -at_0 / slope);
  if (!(low < high) || !(at_0 + slope * 0.5 * (low + high) > 0.)) return {};
  const double from = std::max(at_0 + slope * low, 0.), to = std::max(at_0 + slope * high, 0.);
  return {{-from, low}, {from, low}, {to, high}, {-to, high}};
}

/// Convex polygons that fill bounds with their edges moved outwards by `margin` (cm), or inwards if
/// that is negative: inside these, except for arcs moved outwards.
inline std::vector<Polygon> pieces_of(const Bounds& bounds, double margin) {
  if (bounds.kind != BoundsKind::annulus) {
    const auto polygon = moved_edges(bounds.size, margin);
    return std::vector<Polygon>(polygon.empty() ? 0 : 1, polygon);
  }
  const auto [a, b, c] = bounds.size;
  const double edge = std::abs(margin), outer = b + margin;
  double inner = std::max(a - margin, 0.), half = c;
  if (margin < 0.) inner = std::max(inner, 2. * edge);
  if (c < std::numbers::pi) half += margin / std::max({inner, edge, 1e-9});
  half = std::min(half, std::numbers::pi);
  std::vector<Polygon> pieces;
  if (!(half > 0.)) return pieces;
  const int n = std::max(1, int(std::ceil(32. * half / std::numbers::pi - 1e-9)));
  const double step = 2. * half / n, chord = 1. / cos(0.5 * step);
  const double from = margin < 0. ? inner * chord : inner, to = margin < 0. ? outer : outer * chord;
  const auto at = [](double r, double angle) { return Corner{r * sin(angle), r * cos(angle)}; };
  for (int i = 0; i < n && from < to; ++i) {
    const double begin = half - i * step, end = begin - step;
    pieces.push_back({at(from, begin), at(to, begin), at(to, end), at(from, end)});
  }
  return pieces;
}

}  // namespace trackplex::geometry::detail
