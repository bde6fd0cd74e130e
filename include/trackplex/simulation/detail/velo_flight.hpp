// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/lhcb/velo/velo_sensors.hpp>
#include <trackplex/simulation/detail/kinematics.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace trackplex::simulation::detail {

/// z of all sensor planes, ascending: two per module.
inline constexpr std::array<double, 2 * lhcb::velo_modules> velo_plane_z = [] {
  std::array<double, 2 * lhcb::velo_modules> planes{};
  for (std::size_t m = 0; m < lhcb::velo_modules; ++m) {
    planes[2 * m] = lhcb::velo_module_z[m] - lhcb::velo_plane_offset;
    planes[2 * m + 1] = lhcb::velo_module_z[m] + lhcb::velo_plane_offset;
  }
  return planes;
}();

/// The sensors on the upstream and on the downstream plane of a module.
inline constexpr int sensors_of_plane[2][2] = {{0, 3}, {1, 2}};
static_assert(lhcb::velo_sensors[0].z < 0. && lhcb::velo_sensors[3].z < 0. &&
                  lhcb::velo_sensors[1].z > 0. && lhcb::velo_sensors[2].z > 0.,
              "Each plane has the sensors that stand on it.");

/// A straight flight: a point (mm), slopes dx/dz and dy/dz, and whether z grows.
struct Flight {
  double x, y, z;
  double tx, ty;
  bool forward;

  Flight(const Vector3& from, const Vector3& momentum)
      : x(from.x),
        y(from.y),
        z(from.z),
        tx(momentum.x / momentum.z),
        ty(momentum.y / momentum.z),
        forward(momentum.z > 0.) {}

  void move_to(double plane_z) {
    const double dz = plane_z - z;
    x += tx * dz;
    y += ty * dz;
    z = plane_z;
  }

  /// Turns by an angle with independent normal components of standard deviation `theta` in two
  /// planes through the direction of flight: the slopes' covariance is theta^2 (1 + t^2) times
  /// {{1 + tx^2, tx ty}, {tx ty, 1 + ty^2}}, t^2 = tx^2 + ty^2, to first order in theta.
  void scatter(double theta, const Pair& normal) {
    const double length = std::sqrt(1. + tx * tx + ty * ty);
    const double width = std::sqrt(1. + tx * tx);
    const double scale = theta * length;
    const double dtx = scale * width * normal.first;
    const double dty = scale * (tx * ty * normal.first + length * normal.second) / width;
    tx += dtx;
    ty += dty;
  }
};

/// Angle of scattering times beta p in a thickness of x radiation lengths, MeV: 13.6 sqrt(x)
/// (1 + 0.038 ln(x)).
inline double scattering_scale(double x) {
  return x > 0. ? 13.6 * std::sqrt(x) * (1. + 0.038 * trackplex::log(x)) : 0.;
}

/// Crossing of a flight with a sensor.
struct Crossing {
  int module;
  int sensor;
  lhcb::VeloSensorPoint point;
};

/// Index of the first plane in the direction of flight that the flight can cross outside the
/// hole around the beam: r grows at most by the slope.
inline int first_plane(const Flight& flight) {
  const double r = std::sqrt(flight.x * flight.x + flight.y * flight.y);
  const double slope = std::sqrt(flight.tx * flight.tx + flight.ty * flight.ty);
  const double inside = 0.999 * (lhcb::velo_min_radius - r);  // rounding is far below 0.001
  const double skip = inside > 0. ? inside / slope : 0.;
  const auto begin = velo_plane_z.begin();
  const auto end = velo_plane_z.end();
  if (flight.forward) {
    return static_cast<int>(std::upper_bound(begin, end, flight.z + skip) - begin);
  }
  return static_cast<int>(std::lower_bound(begin, end, flight.z - skip) - begin) - 1;
}

/// Calls visit(crossing) for each sensor that the flight crosses, in the order of flight, with the
/// flight moved there; `visit` may turn it, and ends it by returning false.
template <class Visit>
void for_each_crossing(Flight& flight, const Visit& visit) {
  constexpr int planes = static_cast<int>(velo_plane_z.size());
  constexpr double min_square = lhcb::velo_min_radius * lhcb::velo_min_radius;
  constexpr double max_square = lhcb::velo_max_radius * lhcb::velo_max_radius;
  const int step = flight.forward ? 1 : -1;
  for (int plane = first_plane(flight); 0 <= plane && plane < planes; plane += step) {
    const double dz = velo_plane_z[static_cast<std::size_t>(plane)] - flight.z;
    const double x = flight.x + flight.tx * dz;
    const double y = flight.y + flight.ty * dz;
    const double square = x * x + y * y;
    if (square < min_square) continue;
    if (square > max_square) {
      if (step * (x * flight.tx + y * flight.ty) > 0.) return;  // outside for good
      continue;
    }
    const int module = plane / 2;
    const auto point = lhcb::to_velo_sensor(module, x, y);
    for (const int sensor : sensors_of_plane[static_cast<std::size_t>(plane % 2)]) {
      const auto& active = lhcb::velo_sensors[static_cast<std::size_t>(sensor)];
      if (!active.contains(point.u, point.v)) continue;
      flight.move_to(velo_plane_z[static_cast<std::size_t>(plane)]);
      if (!visit(Crossing{module, sensor, point})) return;
      break;
    }
  }
}

}  // namespace trackplex::simulation::detail
