// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/lhcb/velo/velo_pixels.hpp>
#include <trackplex/simulation/detail/velo_flight.hpp>
#include <trackplex/simulation/raw_event_params.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace trackplex::simulation::detail {

/// Crossing of a particle with a sensor, in local coordinates (mm), and the transverse
/// displacement per 1 mm of thickness.
struct SensorCrossing {
  double x, y;
  double dx, dy;
};

/// Coordinates of the VELO's pixels.
class PixelGrid {
 public:
  explicit PixelGrid(const lhcb::VeloPixelGeometry& velo) {
    const auto column_x = [&](int c) { return static_cast<double>(velo.column_x[c]); };
    edges_[0] = column_x(0) - 0.5 * lhcb::velo_pixel_pitch;
    for (int c = 0; c < lhcb::velo_pixel_columns; ++c)  // the centre is half-way between the edges
      edges_[c + 1] = 2. * column_x(c) - edges_[c];
    for (int s = 0; s < lhcb::velo_sensor_count; ++s)
      std::copy(velo.transforms[s].begin(), velo.transforms[s].end(), transforms_[s].begin());
  }

  SensorCrossing crossing(int sensor, const Flight& flight) const {
    const auto& t = transforms_[sensor];
    const double x = flight.x - t[9];
    const double y = flight.y - t[10];
    const double dz = std::abs(flight.tx * t[2] + flight.ty * t[5] + t[8]);
    return {t[0] * x + t[3] * y, t[1] * x + t[4] * y,
            (t[0] * flight.tx + t[3] * flight.ty + t[6]) / dz,
            (t[1] * flight.tx + t[4] * flight.ty + t[7]) / dz};
  }

  /// Column or row of a coordinate; the nearest one beyond the sensor.
  int column(double x) const {
    const auto above = std::upper_bound(edges_.begin() + 1, edges_.end() - 1, x);
    return static_cast<int>(above - edges_.begin()) - 1;
  }
  int row(double y) const {
    const double last = lhcb::velo_pixel_rows - 1;
    return static_cast<int>(std::clamp(y / lhcb::velo_pixel_pitch, 0., last));
  }

  bool contains(double x, double y) const {
    return edges_.front() <= x && x < edges_.back() && 0. <= y &&
           y < lhcb::velo_pixel_rows * lhcb::velo_pixel_pitch;
  }

  double column_edge(int column) const { return edges_[column]; }

 private:
  std::array<double, lhcb::velo_pixel_columns + 1> edges_{};
  std::array<std::array<double, 12>, lhcb::velo_sensor_count> transforms_{};
};

/// The charge that a particle leaves in the pixels of a sensor.
class PixelCharge {
 public:
  PixelCharge(const RawEventParams& params, const PixelGrid& grid) : params_(params), grid_(grid) {}

  /// Calls light(column, row) for every pixel that fires; at least one pixel does.
  template <class Light>
  void deposit(const SensorCrossing& at, Draws& draws, const Light& light) {
    pixels_.clear();
    const double dx = params_.silicon_thickness * at.dx;
    const double dy = params_.silicon_thickness * at.dy;
    const double across = std::max(std::abs(dx), std::abs(dy));
    const int steps = 4 + static_cast<int>(2. * across / lhcb::velo_pixel_pitch);
    for (int i = 0; i < steps; ++i) {
      const double way = (i + 0.5) / steps - 0.5;
      spread(at.x + way * dx, at.y + way * dy);
    }
    // In units of the mean charge across the sensor; the energy loss has a tail.
    const double charge =
        (0.7 + 0.3 * draws.exponential()) * std::sqrt(1. + at.dx * at.dx + at.dy * at.dy) / steps;
    bool any = false;
    for (const Pixel& pixel : pixels_) {
      if (pixel.charge * charge <= params_.charge_threshold) continue;
      light(pixel.column, pixel.row);
      any = true;
    }
    if (!any) light(grid_.column(at.x), grid_.row(at.y));
    if (draws.happens(params_.delta_ray_probability)) delta_ray(at, draws, light);
  }

 private:
  struct Pixel {
    int column, row;
    double charge;
  };

  /// A unit of charge in a square around a point, shared by up to 2 x 2 pixels.
  void spread(double x, double y) {
    const double b = params_.charge_spread;
    const int column = grid_.column(x - b), row = grid_.row(y - b);
    const auto below = [b](double edge, double value) {
      return b > 0. ? std::clamp((edge - value + b) / (2. * b), 0., 1.) : (value < edge ? 1. : 0.);
    };
    const double left =
        column + 1 < lhcb::velo_pixel_columns ? below(grid_.column_edge(column + 1), x) : 1.;
    const double low =
        row + 1 < lhcb::velo_pixel_rows ? below((row + 1) * lhcb::velo_pixel_pitch, y) : 1.;
    add(column, row, left * low);
    add(column + 1, row, (1. - left) * low);
    add(column, row + 1, left * (1. - low));
    add(column + 1, row + 1, (1. - left) * (1. - low));
  }

  void add(int column, int row, double charge) {
    if (charge <= 0.) return;
    for (Pixel& pixel : pixels_) {
      if (pixel.column != column || pixel.row != row) continue;
      pixel.charge += charge;
      return;
    }
    pixels_.push_back({column, row, charge});
  }

  /// A delta ray continues straight, in the plane of the sensor.
  template <class Light>
  void delta_ray(const SensorCrossing& at, Draws& draws, const Light& light) const {
    const double length = params_.delta_ray_length * draws.exponential();
    const Pair unit = draws.direction();
    constexpr double step = 0.5 * lhcb::velo_pixel_pitch;
    for (double way = step; way < length; way += step) {
      const double x = at.x + way * unit.first, y = at.y + way * unit.second;
      if (!grid_.contains(x, y)) return;
      light(grid_.column(x), grid_.row(y));
    }
  }

  const RawEventParams& params_;
  const PixelGrid& grid_;
  std::vector<Pixel> pixels_;  ///< of the present particle
};

}  // namespace trackplex::simulation::detail
