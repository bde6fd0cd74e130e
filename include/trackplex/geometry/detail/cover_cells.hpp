// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Cells of a layer in its natural coordinates, and their coverage by modules. Lengths are in cm.

#include <trackplex/core/derived_math.hpp>
#include <trackplex/core/stable_sort.hpp>
#include <trackplex/geometry/detail/convex_polygons.hpp>
#include <trackplex/geometry/layer.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numbers>
#include <utility>
#include <vector>

namespace trackplex::geometry {

/// Coverage of a place on a layer by modules.
enum class Cover : std::uint8_t {
  none,    ///< no active module
  partly,  ///< an active module, its edge, or a gap
  surely   ///< active modules all around
};

/// Settings of `find_coverage`.
struct CoverageParams {
  double margin = 0.1;  ///< distance from the edges of modules within which coverage is not
                        ///< certain, cm
  /// Largest difference of the slopes of a track and of the line from the centre: modules at a
  /// distance from the surface get an additional margin of this times the distance.
  double slope = 0.15;
  int cells_per_module = 8;    ///< min number along each coordinate, for the smallest module
  double max_cell = 1.;        ///< largest size of a cell, cm
  int max_cells = 1 << 20;     ///< of a layer
  std::vector<int> dead = {};  ///< numbers of inactive modules
  double z = 0.;               ///< of the centre of collisions on the z axis, cm
};

/// Cells of a layer, `n_first` x `n_second`. The cells at both ends of a range are empty, unless
/// it is the azimuth.
struct CoverageGrid {
  double low_first = 0.,                  ///< where the first cells begin, rad or cm
      low_second = 0.,                    ///< where the first cells begin, cm
      step_first = 1.,                    ///< size of a cell, rad or cm
      step_second = 1.;                   ///< size of a cell, cm
  int n_first = 1,                        ///< cells along the first coordinate
      n_second = 1;                       ///< cells along the second coordinate
  std::vector<Cover> cells{Cover::none};  ///< second coordinate fastest

  /// Returns the coverage of a place, see LayerCoordinates.
  Cover at(double first, double second) const {
    const auto cell = [](double x, int n) {
      return std::size_t(std::clamp(std::floor(x), 0., n - 1.));
    };
    return cells[cell((first - low_first) / step_first, n_first) * std::size_t(n_second) +
                 cell((second - low_second) / step_second, n_second)];
  }
};

namespace detail {

/// Covers the cells of one layer.
class LayerCover {
 public:
  LayerCover(const DetectorDescription& detector, int number, const std::vector<char>& is_dead,
             const CoverageParams& params)
      : layer_(lane_layer(detector, number)),
        position_(detector.layers[std::size_t(number)].position),
        centre_{0., 0., params.z} {
    const auto& layer = detector.layers[std::size_t(number)];
    for (int i = layer.first_module; i < layer.first_module + layer.n_modules; ++i) {
      const auto& module = detector.modules[std::size_t(i)];
      double offset = std::abs(layer.distance(module.frame.centre));
      for (const auto& corner : corners_of(module))
        offset = std::max(offset, std::abs(layer.distance(corner)));
      const double margin = params.margin + params.slope * offset;
      auto sensor = sensor_of(module, margin);
      second_.add(sensor.second.low);
      second_.add(sensor.second.high);
      first_.add(sensor.first.low);
      first_.add(sensor.first.high);
      size_first_ = std::min(size_first_, sensor.first.high - sensor.first.low);
      size_second_ = std::min(size_second_, sensor.second.high - sensor.second.low);
      if (!is_dead[std::size_t(i)]) sensors_.push_back(std::move(sensor));
    }
    if (layer.n_modules > 0) set_grid(params);
  }

  CoverageGrid grid() {
    for (std::size_t s = 0; s < sensors_.size(); ++s) cover_by(int(s));
    cover_by_several();
    return std::move(grid_);
  }

 private:
  /// Module with its outline on the layer.
  struct Sensor {
    Frame<double> frame;
    std::vector<Polygon> inner, outer;  ///< certainly active, and possibly active
    Extent first, second;               ///< of `outer` on the layer
  };
  struct Touch {
    int cell, sensor, piece;
  };

  /// Point of the surface with these natural coordinates; cosine and sine are of the azimuth.
  Vector3<double> point_at(double first, double cosine, double sine, double second) const {
    if (layer_.is_plane)
      return first * layer_.u + second * layer_.v() + position_ * layer_.surface.normal;
    if (layer_.is_barrel) return {position_ * cosine, position_ * sine, second};
    return {second * cosine, second * sine, position_};
  }

  /// Intersection of the line from the centre through a point with the plane of a frame, in the
  /// frame; the nearest point of the plane if the line is far from orthogonal, or crosses the plane
  /// elsewhere.
  Corner in_frame(const Frame<double>& frame, const Vector3<double>& point) const {
    const auto w = frame.normal(), direction = point - centre_;
    const double away = dot(w, frame.centre - centre_), along = dot(w, direction);
    const bool is_seen = std::abs(along) > 1e-3 && away / along > 0.5 && away / along < 2.;
    const auto local =
        to_local(frame, is_seen ? add_scaled(centre_, away / along, direction) : point);
    return {local(0), local(1)};
  }

  /// Natural coordinates of a point of a module, along the line from the centre.
  LayerCoordinates<double> on_layer(const Vector3<double>& point) const {
    const double r = hypot(point(0), point(1));
    const auto& normal = layer_.surface.normal;
    const auto direction = point - centre_;
    const double scale = layer_.is_barrel
                             ? position_ / r
                             : (position_ - dot(normal, centre_)) / dot(normal, direction);
    return layer_.coordinates(scale > 0.5 && scale < 2. ? add_scaled(centre_, scale, direction)
                                                        : point);
  }

  Sensor sensor_of(const Module& module, double margin) const {
    Sensor sensor{Frame<double>(module.frame),
                  pieces_of(module.bounds, -margin),
                  pieces_of(module.bounds, margin),
                  {},
                  {}};
    const double centre = on_layer(sensor_middle(module)).first;
    constexpr int steps = 8;
    for (const auto& piece : sensor.outer)
      for (std::size_t i = 0; i < piece.size(); ++i)
        for (int k = 0; k < steps; ++k) {
          const auto &from = piece[i], &to = piece[(i + 1) % piece.size()];
          const double t = double(k) / steps;
          const auto at = on_layer(to_global(module.frame, {from[0] + t * (to[0] - from[0]),
                                                            from[1] + t * (to[1] - from[1]), 0.}));
          const double first =
              layer_.is_plane ? at.first
                              : centre + std::remainder(at.first - centre, 2. * std::numbers::pi);
          sensor.first.add(first);
          sensor.second.add(at.second);
        }
    if (!layer_.is_plane && sensor.first.high - sensor.first.low > std::numbers::pi) {  // the axis
      sensor.first = {-std::numbers::pi, std::numbers::pi};
      if (!layer_.is_barrel) sensor.second.low = 0.;
    }
    return sensor;
  }
  /// A point in the middle of a module.
  static Vector3<double> sensor_middle(const Module& module) {
    const auto& [kind, size] = module.bounds;
    const double v = kind == BoundsKind::annulus ? 0.5 * (size[0] + size[1]) : 0.;
    return to_global(module.frame, {0., v, 0.});
  }

  void set_grid(const CoverageParams& params) {
    const double pi = std::numbers::pi;
    double range_first = layer_.is_plane ? first_.high - first_.low : 2. * pi,
           range_second = second_.high - second_.low;
    const auto cells = [&](double range, double size, double max_cell) {
      return std::ceil(range / std::min(size / params.cells_per_module, max_cell));
    };
    const double r = layer_.is_plane ? 1. : layer_.is_barrel ? position_ : second_.high;
    double n_first = cells(range_first, size_first_, params.max_cell / r),
           n_second = cells(range_second, size_second_, params.max_cell);
    if (const double excess = n_first * n_second / params.max_cells; excess > 1.) {
      n_first = std::max(1., std::floor(n_first / std::sqrt(excess)));
      n_second = std::max(1., std::floor(params.max_cells / n_first));
    }
    grid_.step_first = range_first / n_first;
    grid_.step_second = range_second / n_second;
    const int border = layer_.is_plane ? 1 : 0;
    grid_.n_first = int(n_first) + 2 * border;
    grid_.n_second = int(n_second) + 2;
    grid_.low_first = layer_.is_plane ? first_.low - grid_.step_first : -pi;
    grid_.low_second = second_.low - grid_.step_second;
    grid_.cells.assign(std::size_t(grid_.n_first) * std::size_t(grid_.n_second), Cover::none);
  }

  double first_at(int i) const { return grid_.low_first + i * grid_.step_first; }
  double second_at(int k) const {
    const double second = grid_.low_second + k * grid_.step_second;
    return layer_.is_barrel || layer_.is_plane ? second : std::max(second, 0.);
  }
  Vector3<double> corner_at(int i, int k) const {
    const auto turn = trackplex::sincos(layer_.is_plane ? 0. : first_at(i));
    return point_at(first_at(i), turn.cos, turn.sin, second_at(k));
  }
  int cell_at(int i, int k) const {
    const int n = grid_.n_first;
    return (layer_.is_plane ? i : (i % n + n) % n) * grid_.n_second + k;
  }

  /// Cells of a range, with at least one extra cell on both sides.
  static std::pair<int, int> cells_of(const Extent& extent, double low, double step) {
    return {int(std::floor((extent.low - low) / step)) - 1,
            int(std::floor((extent.high - low) / step)) + 2};
  }

  /// Marks the cells that a sensor covers, and remembers those that it touches.
  void cover_by(int number) {
    const auto& sensor = sensors_[std::size_t(number)];
    auto [i_begin, i_end] = cells_of(sensor.first, grid_.low_first, grid_.step_first);
    const auto range = cells_of(sensor.second, grid_.low_second, grid_.step_second);
    const int k_begin = std::max(range.first, 0), k_end = std::min(range.second, grid_.n_second);
    if (layer_.is_plane) {
      i_begin = std::max(i_begin, 0);
      i_end = std::min(i_end, grid_.n_first);
    } else if (i_end - i_begin >= grid_.n_first) {
      i_begin = 0;
      i_end = grid_.n_first;
    }
    std::vector<Corner> row, next;
    const auto fill = [&](std::vector<Corner>& corners, int i) {
      corners.clear();
      for (int k = k_begin; k <= k_end; ++k)
        corners.push_back(in_frame(sensor.frame, corner_at(i, k)));
    };
    fill(row, i_begin);
    for (int i = i_begin; i < i_end; ++i, row.swap(next)) {
      fill(next, i + 1);
      for (int k = k_begin; k < k_end; ++k) {
        const auto at = std::size_t(k - k_begin);
        cover_cell(number, cell_at(i, k), {row[at], next[at], next[at + 1], row[at + 1]});
      }
    }
  }

  void cover_cell(int number, int cell, const std::array<Corner, 4>& corners) {
    const auto& sensor = sensors_[std::size_t(number)];
    auto& cover = grid_.cells[std::size_t(cell)];
    if (cover == Cover::surely) return;
    for (const auto& piece : sensor.outer)
      if (!is_apart(piece, corners)) cover = Cover::partly;
    for (std::size_t p = 0; p < sensor.inner.size(); ++p) {
      if (contains_all(sensor.inner[p], corners))
        cover = Cover::surely;
      else if (!is_apart(sensor.inner[p], corners))
        touches_.push_back({cell, number, int(p)});
    }
  }

  /// Marks the cells that several sensors, or pieces of sensors, cover together.
  void cover_by_several() {
    stable_sort(touches_, [](const Touch& a, const Touch& b) { return a.cell < b.cell; });
    for (std::size_t begin = 0, end; begin < touches_.size(); begin = end) {
      for (end = begin; end < touches_.size() && touches_[end].cell == touches_[begin].cell;) ++end;
      auto& cover = grid_.cells[std::size_t(touches_[begin].cell)];
      if (end - begin >= 2 && cover != Cover::surely && is_covered(begin, end))
        cover = Cover::surely;
    }
  }

  bool is_covered(std::size_t begin, std::size_t end) const {
    const int cell = touches_[begin].cell, i = cell / grid_.n_second, k = cell % grid_.n_second;
    const auto& chart = sensors_[std::size_t(touches_[begin].sensor)].frame;
    std::vector<Polygon> rest(1);
    for (const auto& [a, b] : {std::pair(i, k), {i + 1, k}, {i + 1, k + 1}, {i, k + 1}})
      rest[0].push_back(in_frame(chart, corner_at(a, b)));
    if (area_of(rest[0]) < 0.) std::reverse(rest[0].begin(), rest[0].end());
    const double min_area = 1e-9 * area_of(rest[0]);
    for (std::size_t t = begin; t < end && !rest.empty(); ++t) {
      const auto& sensor = sensors_[std::size_t(touches_[t].sensor)];
      Polygon piece;
      for (const auto& [u, v] : sensor.inner[std::size_t(touches_[t].piece)])
        piece.push_back(in_frame(chart, to_global(sensor.frame, {u, v, 0.})));
      if (area_of(piece) < 0.) std::reverse(piece.begin(), piece.end());
      rest = without(rest, piece, min_area);
    }
    return rest.empty();
  }

  LaneLayer<double> layer_;
  double position_;
  Vector3<double> centre_;  ///< of collisions
  std::vector<Sensor> sensors_;
  Extent first_, second_;
  double size_first_ = std::numeric_limits<double>::infinity(), size_second_ = size_first_;
  CoverageGrid grid_;
  std::vector<Touch> touches_;
};

}  // namespace detail

}  // namespace trackplex::geometry
