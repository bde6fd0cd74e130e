// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/lhcb/ut/ut_geometry.hpp>
#include <trackplex/simulation/detail/velo_flight.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace trackplex::simulation::detail {

/// Where the field between the VELO and the UT bends, if it is all at one place, mm.
inline constexpr double ut_kink_z = 1780.;

/// Field integral, T m, of a straight flight: from the table's node below, linear along each axis.
inline double field_integral(const lhcb::UtMagnetTables& magnet, double ty, double z_origin,
                             double z) {
  using Tables = lhcb::UtMagnetTables;
  const std::array<double, 3> value = {ty, z_origin, z};
  std::array<int, 3> node{};
  std::array<double, 3> rest{};
  for (int axis = 0; axis < 3; ++axis) {
    const int last = Tables::bdl_nodes[axis] - 1;
    const double steps =
        std::clamp((value[axis] - Tables::bdl_low[axis]) / Tables::bdl_step[axis], 0., 1. * last);
    node[axis] = std::min(static_cast<int>(steps), last - 1);
    rest[axis] = steps - node[axis];
  }
  const auto at = [&](std::array<int, 3> n) -> double {
    return magnet.bdl[(n[2] * Tables::bdl_nodes[1] + n[1]) * Tables::bdl_nodes[0] + n[0]];
  };
  const double base = at(node);
  double sum = base;
  for (int axis = 0; axis < 3; ++axis) {
    auto next = node;
    ++next[axis];
    sum += rest[axis] * (at(next) - base);
  }
  return sum;
}

/// The same from where a flight comes closest to the beam, as its track will be described.
inline double field_integral(const lhcb::UtMagnetTables& magnet, const Flight& flight) {
  const auto& [x, y, z, tx, ty, forward] = flight;
  const double square = tx * tx + ty * ty;
  if (square < 1e-8) return field_integral(magnet, ty, z, z);
  const double dz = -(x * tx + y * ty) / square;
  const double z_closest = z + dz;
  const bool steep = std::abs(ty) > 0.001;
  const double z_origin = steep ? z_closest - (y + ty * dz) / ty : z_closest - (x + tx * dz) / tx;
  return field_integral(magnet, ty, z_origin, z_closest);
}

/// The change of s sqrt(1 + s^2), s = dx/dz, of a particle of momentum p (MeV), such that
/// q/p = change * (-sqrt(1 + ty^2)/bdl * 3.3356/1000), the formula of LHCb's fit, is its charge
/// over momentum when the magnet points down.
inline double ut_kick(double bdl, double ty, double charge, double p, double polarity) {
  return charge * polarity * bdl * (1000. / 3.3356) / (std::sqrt(1. + ty * ty) * p);
}

/// The slope after a kick.
inline double kicked_slope(double slope, double kick) {
  const double before = slope * std::sqrt(1. + slope * slope);
  const double after = before - kick;
  return after * std::sqrt(2. / (1. + std::sqrt(1. + 4. * after * after)));
}

}  // namespace trackplex::simulation::detail
