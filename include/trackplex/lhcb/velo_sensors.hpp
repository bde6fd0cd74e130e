// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/lhcb/velo_geometry.hpp>

#include <array>
#include <numbers>

namespace trackplex::lhcb {

/// Sensors of a module.
inline constexpr int velo_sensors_per_module = 4;

/// Side of a pixel, mm.
inline constexpr double velo_pixel_pitch = 0.055;

/// The active rectangle of a sensor, in coordinates turned by 45 degrees around the beam, mm:
/// u = (x + y)/sqrt(2), v = (y - x)/sqrt(2) for odd modules (x > 0), and both with the opposite
/// sign for even ones, which are odd ones turned by half a turn.
struct VeloSensor {
  double z;  ///< from the module's nominal z
  double u_min, u_max;
  double v_min, v_max;

  constexpr bool contains(double u, double v) const {
    return u_min <= u && u <= u_max && v_min <= v && v <= v_max;
  }
};

/// The four sensors of each module, in the order in which their hits come. Two stand on each side
/// of the module, and together they have the shape of an L around the beam: each 42.57 mm x 14.08
/// mm (768 x 256 pixels), 5.1 mm from the beam at the closest. Measured as the extreme positions of
/// the hits of 203 simulated events, and half a pixel; the modules are taken as aligned.
inline constexpr std::array<VeloSensor, velo_sensors_per_module> velo_sensors = {{
    {-velo_plane_offset, 5.10, 19.18, -5.10, 37.47},
    {velo_plane_offset, 19.07, 33.15, -4.10, 38.47},
    {velo_plane_offset, -5.10, 37.47, -19.18, -5.10},
    {-velo_plane_offset, -5.10, 37.47, -33.15, -19.07},
}};

/// No sensor is closer to the beam, or reaches farther out, mm.
inline constexpr double velo_min_radius = 5.1;
inline constexpr double velo_max_radius = 50.9;

/// Coordinates along the sensors of a module.
struct VeloSensorPoint {
  double u;
  double v;
};

constexpr VeloSensorPoint to_velo_sensor(int module, double x, double y) {
  const double scale = (module % 2 == 1 ? 0.5 : -0.5) * std::numbers::sqrt2;
  return {scale * (x + y), scale * (y - x)};
}

/// A point across the beam, mm.
struct VeloPoint {
  double x;
  double y;
};

constexpr VeloPoint from_velo_sensor(int module, VeloSensorPoint point) {
  const double scale = (module % 2 == 1 ? 0.5 : -0.5) * std::numbers::sqrt2;
  return {scale * (point.u - point.v), scale * (point.u + point.v)};
}

}  // namespace trackplex::lhcb
