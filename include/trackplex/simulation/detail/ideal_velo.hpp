// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/lhcb/velo/velo_pixels.hpp>

#include <array>
#include <cstddef>
#include <numbers>

namespace trackplex::simulation::detail {

/// How the columns and the rows of a sensor run along the coordinates u, v of VeloSensor: columns
/// along v or else along u, and whether each of the two falls.
struct SensorAxes {
  bool columns_along_v;
  bool columns_fall;
  bool rows_fall;
};

inline constexpr std::array<SensorAxes, lhcb::velo_sensors_per_module> velo_sensor_axes = {
    {{true, true, true}, {true, false, true}, {false, false, false}, {false, true, false}}};

/// Pixels where two chips meet are 2.5 times as wide as others: the last column of a chip and the
/// first of the next one.
inline constexpr double wide_pixel = 0.1375;  // mm

constexpr double pixel_width(int column) {
  constexpr int per_chip = lhcb::velo_pixel_columns / 3;
  const bool begins_chip = column % per_chip == 0 && column > 0;
  const bool ends_chip = (column + 1) % per_chip == 0 && column + 1 < lhcb::velo_pixel_columns;
  return begins_chip || ends_chip ? wide_pixel : lhcb::velo_pixel_pitch;
}

inline void fill_columns(lhcb::VeloPixelGeometry& velo) {
  double edge = 0.;
  for (int c = 0; c < lhcb::velo_pixel_columns; ++c) {
    const double width = pixel_width(c);
    const double next_width = c + 1 < lhcb::velo_pixel_columns ? pixel_width(c + 1) : width;
    velo.column_x[c] = static_cast<float>(edge + 0.5 * width);
    velo.column_pitch[c] = static_cast<float>(0.5 * (width + next_width));
    edge += width;
  }
}

/// The motion that brings a sensor of a module to its place: first into u, v, then by 45 degrees.
inline std::array<float, 12> sensor_transform(int module, int sensor) {
  const auto& place = lhcb::velo_sensors[sensor];
  const auto& axes = velo_sensor_axes[sensor];
  const double column_sign = axes.columns_fall ? -1. : 1.;
  const double row_sign = axes.rows_fall ? -1. : 1.;
  const auto start = [](bool falls, double low, double high) { return falls ? high : low; };
  const bool along_v = axes.columns_along_v;
  const lhcb::VeloSensorPoint corner = {
      start(along_v ? axes.rows_fall : axes.columns_fall, place.u_min, place.u_max),
      start(along_v ? axes.columns_fall : axes.rows_fall, place.v_min, place.v_max)};
  const lhcb::VeloSensorPoint column =
      along_v ? lhcb::VeloSensorPoint{0., column_sign} : lhcb::VeloSensorPoint{column_sign, 0.};
  const lhcb::VeloSensorPoint row =
      along_v ? lhcb::VeloSensorPoint{row_sign, 0.} : lhcb::VeloSensorPoint{0., row_sign};
  const auto x_axis = lhcb::from_velo_sensor(module, column);
  const auto y_axis = lhcb::from_velo_sensor(module, row);
  const auto origin = lhcb::from_velo_sensor(module, corner);
  const double handed = column.u * row.v - column.v * row.u;  // 1 or -1
  const double z = lhcb::velo_module_z[module] + place.z;
  const std::array<double, 12> values = {x_axis.x, y_axis.x, 0.,     x_axis.y, y_axis.y, 0.,
                                         0.,       0.,       handed, origin.x, origin.y, z};
  std::array<float, 12> transform{};
  for (std::size_t i = 0; i < values.size(); ++i) transform[i] = static_cast<float>(values[i]);
  return transform;
}

/// The VELO with all sensors exactly where lhcb::velo_sensors says.
inline lhcb::VeloPixelGeometry ideal_velo() {
  lhcb::VeloPixelGeometry velo;
  for (int m = 0; m < lhcb::velo_modules; ++m) {
    velo.module_z[m] = static_cast<float>(lhcb::velo_module_z[m]);
    for (int s = 0; s < lhcb::velo_sensors_per_module; ++s)
      velo.transforms[lhcb::velo_sensors_per_module * m + s] = sensor_transform(m, s);
  }
  fill_columns(velo);
  return velo;
}

}  // namespace trackplex::simulation::detail
