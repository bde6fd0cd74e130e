// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/lhcb/velo/velo_geometry.hpp>

#include <array>
#include <numbers>

namespace trackplex::lhcb {

/// Number of sensors of a module.
inline constexpr int velo_sensors_per_module = 4;

/// Side length of a pixel, mm.
inline constexpr double velo_pixel_pitch = 0.055;

/// Active rectangle of a sensor, in coordinates rotated by 45 degrees around the beam:
/// u = (x + y)/sqrt(2), v = (y - x)/sqrt(2) for odd modules (x > 0), and both with the opposite
/// sign for even modules, which are odd modules rotated by 180 degrees. Lengths are in mm.
struct VeloSensor {
  double z;      ///< distance from the nominal z of the module
  double u_min,  ///< smallest u
      u_max;     ///< largest u
  double v_min,  ///< smallest v
      v_max;     ///< largest v

  /// Whether the rectangle contains a point.
  constexpr bool contains(double u, double v) const {
    return u_min <= u && u <= u_max && v_min <= v && v <= v_max;
  }
};

/// Sensors of a module, in the order of their hits. Two are on each face of the module, and
/// together they form an L around the beam: each is 42.57 mm x 14.08 mm (768 x 256 pixels), and at
/// least 5.1 mm from the beam. Measured from the extreme positions of the hits of 203 simulated
/// events plus half a pixel; the modules are assumed to be aligned.
inline constexpr std::array<VeloSensor, velo_sensors_per_module> velo_sensors = {{
    {-velo_plane_offset, 5.10, 19.18, -5.10, 37.47},
    {velo_plane_offset, 19.07, 33.15, -4.10, 38.47},
    {velo_plane_offset, -5.10, 37.47, -19.18, -5.10},
    {-velo_plane_offset, -5.10, 37.47, -33.15, -19.07},
}};

/// Lower limit of the distance of all sensors from the beam, mm.
inline constexpr double velo_min_radius = 5.1;
/// Upper limit of the distance of all points of sensors from the beam, mm.
inline constexpr double velo_max_radius = 50.9;

/// Point in the coordinates of VeloSensor.
struct VeloSensorPoint {
  double u;  ///< mm
  double v;  ///< mm
};

/// Converts global x and y (mm) to the coordinates of VeloSensor for a module.
constexpr VeloSensorPoint to_velo_sensor(int module, double x, double y) {
  const double scale = (module % 2 == 1 ? 0.5 : -0.5) * std::numbers::sqrt2;
  return {scale * (x + y), scale * (y - x)};
}

/// Point in global coordinates, transverse to the beam.
struct VeloPoint {
  double x;  ///< mm
  double y;  ///< mm
};

/// Converts coordinates of VeloSensor for a module to global x and y.
constexpr VeloPoint from_velo_sensor(int module, VeloSensorPoint point) {
  const double scale = (module % 2 == 1 ? 0.5 : -0.5) * std::numbers::sqrt2;
  return {scale * (point.u - point.v), scale * (point.u + point.v)};
}

}  // namespace trackplex::lhcb
