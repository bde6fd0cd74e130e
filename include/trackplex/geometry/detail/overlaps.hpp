// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Intersection of modules as solids: prisms over convex pieces of their bounds, by the separating
/// axis theorem.

#include <trackplex/core/derived_math.hpp>
#include <trackplex/core/math.hpp>
#include <trackplex/core/stable_sort.hpp>
#include <trackplex/geometry/description.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

namespace trackplex::geometry::detail {

/// Prism with four edges, of which one may have no length.
struct Prism {
  std::array<Vector3<double>, 4> corners;  ///< in the middle plane
  Vector3<double> normal;                  ///< a unit vector
  double half_thickness;

  /// Half the range along a unit vector, and its middle.
  std::pair<double, double> range_along(const Vector3<double>& axis) const {
    Extent extent;
    for (const auto& corner : corners) extent.add(dot(corner, axis));
    const double half = 0.5 * (extent.high - extent.low);
    return {half + half_thickness * std::abs(dot(normal, axis)), extent.low + half};
  }
};

/// Calls f(axis) for the unit vectors of a list of vectors that have a length, until it returns
/// true; returns whether it did.
template <class F>
bool any_axis(const std::vector<Vector3<double>>& axes, const F& f) {
  return std::any_of(axes.begin(), axes.end(), [&](const Vector3<double>& axis) {
    const double length = std::sqrt(dot(axis, axis));
    return length > 1e-9 && f(1. / length * axis);
  });
}

/// Directions of the edges of a prism, of length 1 or 0: those of its quadrilateral, and its
/// normal.
inline std::array<Vector3<double>, 5> edges_of(const Prism& prism) {
  std::array<Vector3<double>, 5> edges{};
  for (std::size_t i = 0; i < 4; ++i) {
    const auto edge = prism.corners[(i + 1) % 4] - prism.corners[i];
    const double length = std::sqrt(dot(edge, edge));
    if (length > 1e-9) edges[i] = 1. / length * edge;
  }
  edges[4] = prism.normal;
  return edges;
}

/// Whether two prisms penetrate each other by more than `tolerance` (cm) in every direction.
inline bool prisms_overlap(const Prism& a, const Prism& b, double tolerance) {
  const auto separates = [&](const Vector3<double>& axis) {
    const auto [half_a, middle_a] = a.range_along(axis);
    const auto [half_b, middle_b] = b.range_along(axis);
    return half_a + half_b - std::abs(middle_a - middle_b) <= tolerance;
  };
  const auto edges_a = edges_of(a), edges_b = edges_of(b);
  std::vector<Vector3<double>> axes{a.normal, b.normal};
  for (std::size_t i = 0; i < 4; ++i) {
    axes.push_back(cross(edges_a[i], a.normal));
    axes.push_back(cross(edges_b[i], b.normal));
  }
  if (any_axis(axes, separates)) return false;
  axes.clear();
  for (const auto& edge : edges_a)
    for (const auto& other : edges_b) axes.push_back(cross(edge, other));
  return !any_axis(axes, separates);
}

/// A module as prisms, and a sphere about them.
struct Body {
  std::vector<Prism> prisms;
  Vector3<double> centre;
  double radius;
};

/// The prisms lie inside an annulus, with chords instead of its arcs. Modules thinner than
/// `min_thickness` (cm) get this thickness.
inline Body body_of(const Module& module, double min_thickness) {
  const auto normal = module.frame.normal();
  const double half_thickness = 0.5 * std::max(module.thickness, min_thickness);
  const auto& [kind, size] = module.bounds;
  Body body{{}, module.frame.centre, 0.};
  const auto add = [&](const std::array<std::array<double, 2>, 4>& corners) {
    Prism prism{{}, normal, half_thickness};
    for (std::size_t i = 0; i < 4; ++i) {
      prism.corners[i] = to_global(module.frame, {corners[i][0], corners[i][1], 0.});
      body.radius = std::max(body.radius, hypot(corners[i][0], corners[i][1]));
    }
    body.prisms.push_back(prism);
  };
  if (kind == BoundsKind::annulus) {
    const int pieces = std::max(1, int(std::ceil(32. * size[2] / std::numbers::pi - 1e-9)));
    const double step = 2. * size[2] / pieces, inner = size[0] / cos(0.5 * step);
    for (int i = 0; i < pieces; ++i) {
      const double from = i * step - size[2], to = from + step;
      const auto at = [](double r, double angle) {
        return std::array{r * sin(angle), r * cos(angle)};
      };
      if (inner < size[1])
        add({at(inner, from), at(size[1], from), at(size[1], to), at(inner, to)});
    }
  } else {
    const auto corners = module.bounds.outline();
    add({corners[0], corners[1], corners[2], corners[3]});
  }
  body.radius += half_thickness;
  return body;
}

inline bool bodies_overlap(const Body& a, const Body& b, double tolerance) {
  const auto apart = a.centre - b.centre;
  const double reach = a.radius + b.radius;
  if (dot(apart, apart) >= reach * reach) return false;
  for (const auto& prism : a.prisms)
    for (const auto& other : b.prisms)
      if (prisms_overlap(prism, other, tolerance)) return true;
  return false;
}

/// Finds two modules of a layer, by their numbers, that overlap by more than `tolerance` (cm).
inline std::optional<std::pair<int, int>> find_overlap(const DetectorDescription& detector,
                                                       const Layer& layer, double tolerance) {
  const auto n = std::size_t(layer.n_modules);
  std::vector<Body> bodies;
  Extent extents[3];
  double max_radius = 0.;
  for (std::size_t i = 0; i < n; ++i) {
    const auto& module = detector.modules[std::size_t(layer.first_module) + i];
    bodies.push_back(body_of(module, 2. * tolerance + 1e-9));
    max_radius = std::max(max_radius, bodies.back().radius);
    const auto& c = bodies.back().centre;
    for (int k = 0; k < 3; ++k) extents[k].add(k == 0 ? c(0) : k == 1 ? c(1) : c(2));
  }
  // a sweep along the axis on which the modules spread most
  const auto spread = [](const Extent& extent) { return extent.high - extent.low; };
  const auto* const widest =
      std::max_element(extents, extents + 3,
                       [&](const Extent& a, const Extent& b) { return spread(a) < spread(b); });
  const auto place = [&](std::size_t i) {
    const auto& c = bodies[i].centre;
    return widest == extents ? c(0) : widest == extents + 1 ? c(1) : c(2);
  };
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t(0));
  stable_sort(order, [&](std::size_t a, std::size_t b) { return place(a) < place(b); });
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t k = i + 1; k < n; ++k) {
      const std::size_t a = order[i], b = order[k];
      if (place(b) - place(a) > bodies[a].radius + max_radius) break;
      if (bodies_overlap(bodies[a], bodies[b], tolerance))
        return std::pair(layer.first_module + int(std::min(a, b)),
                         layer.first_module + int(std::max(a, b)));
    }
  return {};
}

}  // namespace trackplex::geometry::detail
