// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Rays through a detector, and the order in which they meet its layers. Lengths are in cm.

#include <trackplex/core/derived_math.hpp>
#include <trackplex/core/error.hpp>
#include <trackplex/core/shortest.hpp>
#include <trackplex/geometry/layer.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

namespace trackplex::geometry {

/// Directions of the rays of `find_layer_graph`.
enum class RayDirections {
  central,  ///< a range of pseudorapidity
  forward   ///< a cone about the z axis, towards larger z
};

/// Rays of `find_layer_graph`. Half of the rays come from the vertex region, the others begin at a
/// displaced vertex; all turn about the z axis.
struct LayerGraphParams {
  RayDirections directions = RayDirections::central;  ///< kind of detector
  double min_eta = -4.5,                              ///< smallest pseudorapidity of central rays
      max_eta = 4.5;                                  ///< largest pseudorapidity of central rays
  double max_slope = 0.4;                             ///< max |dx/dz| and |dy/dz| of forward rays
  double x = 0., y = 0., z = 0.;                      ///< centre of the vertex region, cm
  double max_z = 15.,                                 ///< max |z| of vertices from it, cm
      max_r = 1.;                                     ///< max |x| and |y| of vertices from it, cm
  double displaced_z = 60.,     ///< max |z| at which displaced rays leave the z axis, cm
      displaced_r = 30.;        ///< max distance from the z axis of displaced vertices, cm
  double displaced_angle = 1.;  ///< max change of azimuth of displaced rays there, rad
  double max_curvature = 0.02;  ///< of the circle, 1/cm: 0.003 B / pT; 0.02: 0.3 GeV in 2 T
  double max_turn = 2.8;        ///< angle after which rays end, rad
  double tolerance = 0.5;       ///< max distance of a crossing beyond an edge of a layer, cm
  int rays = 50'000;            ///< number of rays
};

namespace detail {

/// Refuses impossible parameters of rays.
inline void check_rays(const LayerGraphParams& p) {
  const double ranges[] = {p.max_slope,     p.max_z,       p.max_r,
                           p.displaced_z,   p.displaced_r, p.displaced_angle,
                           p.max_curvature, p.max_turn,    p.tolerance};
  for (const double range : ranges)
    if (!(range >= 0.) || !std::isfinite(range))
      throw UsageError("find_layer_graph", "a range of the rays is negative or not finite",
                       shortest(range), "see LayerGraphParams");
  if (!std::isfinite(p.x + p.y + p.z))
    throw UsageError("find_layer_graph", "the region of vertices is nowhere",
                     shortest(p.x) + ", " + shortest(p.y) + ", " + shortest(p.z) + " cm");
  if (!(p.min_eta <= p.max_eta) || !(std::abs(p.min_eta) <= 20.) || !(std::abs(p.max_eta) <= 20.))
    throw UsageError("find_layer_graph", "the range of pseudorapidity is empty",
                     shortest(p.min_eta) + " to " + shortest(p.max_eta),
                     "give the smaller limit first");
  if (p.rays < 1)
    throw UsageError("find_layer_graph", "there are no rays", std::to_string(p.rays),
                     "raise LayerGraphParams::rays");
}

/// Helix about the z axis.
struct Ray {
  Vector3<double> start;      ///< cm
  Vector3<double> direction;  ///< unit vector
  double curvature;           ///< d azimuth of the direction / d transverse path, 1/cm

  double transverse() const {
    return trackplex::sqrt(direction(0) * direction(0) + direction(1) * direction(1));
  }
  /// Position after a path in space.
  Vector3<double> at(double path) const {
    const auto [chord, sine, cosine] = half_turn(path);
    return {start(0) + chord * (cosine * direction(0) - sine * direction(1)),
            start(1) + chord * (cosine * direction(1) + sine * direction(0)),
            start(2) + path * direction(2)};
  }
  /// Direction after a path in space.
  Vector3<double> direction_at(double path) const {
    const auto [sine, cosine] = trackplex::sincos(curvature * path * transverse());
    return {cosine * direction(0) - sine * direction(1),
            cosine * direction(1) + sine * direction(0), direction(2)};
  }

 private:
  struct HalfTurn {
    double chord, sine, cosine;  ///< chord over the transverse component, half of the turn
  };
  HalfTurn half_turn(double path) const {
    const double half = 0.5 * curvature * path * transverse();
    const auto [sine, cosine] = trackplex::sincos(half);
    return {trackplex::abs(half) < 1e-8 ? path : path * sine / half, sine, cosine};
  }
};

/// Numbers in [-1, 1) that fill a space of 7 dimensions evenly: the sequence of multiples of the
/// powers of 1/g, g^8 = g + 1 (M. Roberts, "The unreasonable effectiveness of quasirandom
/// sequences", 2018).
class EvenNumbers {
 public:
  EvenNumbers() {
    double g = 1.;
    for (int i = 0; i < 64; ++i) g = trackplex::sqrt(trackplex::sqrt(trackplex::sqrt(1. + g)));
    for (int k = 0; k < 7; ++k) step_[k] = (k == 0 ? 1. : step_[k - 1]) / g;
  }
  /// Number of a dimension of point i.
  double operator()(int i, int dimension) const {
    const double x = (i + 0.5) * step_[dimension];
    return 2. * (x - trackplex::floor(x)) - 1.;
  }

 private:
  double step_[7];
};

/// Ray i of a set.
inline Ray ray_of(const LayerGraphParams& p, const EvenNumbers& number, int i) {
  const bool is_displaced = i % 2 == 1;
  const auto turn = trackplex::sincospi(number(i, 1));
  Ray ray{{0., 0., 0.}, {0., 0., 1.}, p.max_curvature * number(i, 3)};
  if (p.directions == RayDirections::central) {
    const double eta = 0.5 * (p.min_eta + p.max_eta + (p.max_eta - p.min_eta) * number(i, 0));
    const double grow = trackplex::exp(eta), per_cosh = 2. / (grow + 1. / grow);
    ray.direction = {per_cosh * turn.cos, per_cosh * turn.sin, 0.5 * per_cosh * (grow - 1. / grow)};
  } else {
    const double x = p.max_slope * number(i, 0), y = p.max_slope * number(i, 1);
    const double scale = 1. / trackplex::sqrt(1. + x * x + y * y);
    ray.direction = {scale * x, scale * y, scale};
  }
  if (!is_displaced) {
    ray.start = {p.x + p.max_r * number(i, 4), p.y + p.max_r * number(i, 5),
                 p.z + p.max_z * number(i, 2)};
    return ray;
  }
  const double transverse = ray.transverse();
  const double r = p.displaced_r * 0.5 * (1. + number(i, 4));
  const auto& d = ray.direction;
  const double path = transverse > 1e-9 ? r / transverse : 0.;
  ray.start = {p.x + path * d(0), p.y + path * d(1),
               p.z + (p.displaced_z * number(i, 2) + path * d(2))};
  const auto [sine, cosine] = trackplex::sincos(p.displaced_angle * number(i, 5));
  ray.direction = {cosine * d(0) - sine * d(1), cosine * d(1) + sine * d(0), d(2)};
  return ray;
}

/// Whether a ray comes from the vertex region or leads away from its centre; the others would
/// follow tracks backwards.
inline bool leads_outwards(const LayerGraphParams& p, const Ray& ray) {
  const Vector3<double> from_centre = ray.start - Vector3<double>{{p.x, p.y, p.z}};
  return p.directions == RayDirections::forward || std::abs(from_centre(2)) <= p.max_z ||
         dot(from_centre, ray.direction) > 0.;
}

/// Layers in the order in which rays meet them.
class RayTracer {
 public:
  RayTracer(const DetectorDescription& detector, const LayerGraphParams& params) : params_(params) {
    for (int l = 0; l < int(detector.layers.size()); ++l) {
      const auto& layer = detector.layers[std::size_t(l)];
      layers_.push_back(lane_layer(detector, l));
      reach_.push_back(reach_of_layer(detector, l));
      add_to_box(layer, reach_.back());
      if (layer.kind == LayerKind::barrel)
        barrels_.emplace_back(layer.position * layer.position, l);
      else if (layer.kind == LayerKind::disk)
        disks_.emplace_back(layer.position, l);
      else
        planes_.push_back(l);
    }
    std::sort(barrels_.begin(), barrels_.end());
    std::sort(disks_.begin(), disks_.end());
  }

  /// Calls add(from, to) for each pair of layers where `to` may be met after `from`.
  template <class Add>
  void trace(const Ray& ray, const Add& add) {
    find_crossings(ray);
    for (std::size_t i = 0; i < crossings_.size(); ++i) {
      const auto& from = crossings_[i];
      double end = std::numeric_limits<double>::infinity();
      for (std::size_t k = 0; k < crossings_.size(); ++k) {
        const auto& to = crossings_[k];
        if (k == i || to.path + to.slack < from.path - from.slack) continue;
        if (k > i && to.path - to.slack > end) break;
        if (to.layer != from.layer) add(from.layer, to.layer);
        if (k > i && to.is_sure) end = std::min(end, to.path + to.slack);
      }
    }
  }

 private:
  /// Widens the cylinder that contains all layers.
  void add_to_box(const Layer& layer, double reach) {
    const bool is_barrel = layer.kind == LayerKind::barrel;
    max_r_ = std::max(max_r_, (is_barrel ? layer.position : layer.high) + reach);
    if (is_barrel) {
      z_.add(layer.low);
      z_.add(layer.high);
      return;
    }
    const bool is_plane = layer.kind == LayerKind::plane;
    const double nz = is_plane ? layer.normal(2) : 1.;
    const double z = layer.position / (std::abs(nz) > 0.1 ? nz : std::copysign(0.1, nz));
    const double tilt = is_plane ? hypot(layer.normal(0), layer.normal(1)) : 0.;
    const double more = layer.high * tilt / std::max(std::abs(nz), 0.1) + reach;
    z_.add(z - more);
    z_.add(z + more);
  }

  struct Crossing {
    double path;
    int layer;
    double slack;  ///< possible difference of the path of a hit
    bool is_sure;  ///< whether it is far enough inside the layer's edges
  };

  void find_crossings(const Ray& ray) {
    constexpr int steps = 64;
    crossings_.clear();
    const double step = length_of(ray) / steps;
    auto before = ray.start;
    double r2 = transverse2(before);
    auto barrel = std::lower_bound(barrels_.begin(), barrels_.end(), std::pair(r2, -1));
    for (int i = 1; i <= steps; ++i) {
      const double from = (i - 1) * step, to = i * step;
      const auto after = ray.at(to);
      r2 = transverse2(after);
      while (barrel != barrels_.begin() && (barrel - 1)->first >= r2) --barrel;
      for (; barrel != barrels_.end() && barrel->first < r2; ++barrel)
        add_crossing(ray, barrel->second, from, to);
      const auto [low, high] = std::minmax(before(2), after(2));
      for (auto disk = std::lower_bound(disks_.begin(), disks_.end(), std::pair(low, -1));
           disk != disks_.end() && disk->first < high; ++disk)
        add_crossing(ray, disk->second, from, to);
      for (const int l : planes_) {
        const auto& surface = layers_[std::size_t(l)].surface;
        if ((surface.distance(before) < 0.) != (surface.distance(after) < 0.))
          add_crossing(ray, l, from, to);
      }
      before = after;
      if (r2 > max_r_ * max_r_) break;
    }
    std::sort(crossings_.begin(), crossings_.end(), [](const Crossing& a, const Crossing& b) {
      return a.path < b.path || (a.path == b.path && a.layer < b.layer);
    });
  }

  /// Path until a ray is certainly outside or has turned.
  double length_of(const Ray& ray) const {
    const double transverse = std::max(ray.transverse(), 1e-9);
    const double r = hypot(ray.start(0), ray.start(1)) + max_r_;
    double length = std::numbers::pi / 2. * r / transverse;
    if (ray.curvature != 0.)
      length = std::min(length, params_.max_turn / (std::abs(ray.curvature) * transverse));
    const double z = ray.direction(2);
    if (std::abs(z) > 1e-9)
      length = std::min(length, ((z > 0. ? z_.high : z_.low) - ray.start(2)) / z + 1.);
    return std::max(length, 0.);
  }

  static double transverse2(const Vector3<double>& a) { return a(0) * a(0) + a(1) * a(1); }

  /// Adds the crossing between two paths, if it is within the layer's edges.
  void add_crossing(const Ray& ray, int number, double from, double to) {
    const auto& layer = layers_[std::size_t(number)];
    const double reach = reach_[std::size_t(number)];
    const auto& surface = layer.surface;
    double below = surface.distance(ray.at(from)), above = surface.distance(ray.at(to));
    double path = from;
    for (int i = 0; i < 3 && below != above; ++i) {  // regula falsi
      path = from + (to - from) * below / (below - above);
      const double distance = surface.distance(ray.at(path));
      const bool is_below = (distance < 0.) == (below < 0.);
      (is_below ? from : to) = path;
      (is_below ? below : above) = distance;
    }
    const auto point = ray.at(path), along = ray.direction_at(path);
    const double r = std::max(hypot(point(0), point(1)), 1e-9);
    const double place = layer.is_barrel ? point(2) : r;
    const double change =
        layer.is_barrel ? along(2) : (point(0) * along(0) + point(1) * along(1)) / r;
    const double cosine = std::max(std::abs(dot(surface.gradient(point), along)), 0.2);
    const double slack = reach / cosine;
    const double margin = params_.tolerance + slack * std::abs(change);
    const bool has_hole = layer.is_barrel || layer.low > 0.;
    const double inside =
        has_hole ? std::min(place - layer.low, layer.high - place) : layer.high - place;
    if (inside >= -margin) crossings_.push_back({path, number, slack, inside > margin});
  }

  LayerGraphParams params_;
  std::vector<LaneLayer<double>> layers_;
  std::vector<double> reach_;
  double max_r_ = 0.;
  Extent z_;
  std::vector<std::pair<double, int>> barrels_, disks_;  ///< squared radius, or z, and number
  std::vector<int> planes_;
  std::vector<Crossing> crossings_;
};

}  // namespace detail

}  // namespace trackplex::geometry
