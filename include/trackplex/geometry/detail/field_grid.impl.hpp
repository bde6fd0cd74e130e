// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/derived_math.hpp>
#include <trackplex/core/error.hpp>
#include <trackplex/core/math.hpp>
#include <trackplex/core/shortest.hpp>
#include <trackplex/geometry/field_grid.hpp>
#include <trackplex/geometry/surface.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

namespace trackplex::geometry {
namespace detail {

TRACKPLEX_INLINE void check_axis(const GridAxis& axis, const char* name) {
  if (axis.nodes < 2 || !(axis.last > axis.first) || !std::isfinite(axis.last - axis.first))
    throw UsageError("field grid",
                     std::string("the axis ") + name + " has no cell of positive length",
                     std::to_string(axis.nodes) + " nodes from " + shortest(axis.first) + " to " +
                         shortest(axis.last) + " cm");
}

}  // namespace detail

TRACKPLEX_INLINE void check_field_grid(const FieldGrid& grid) {
  detail::check_axis(grid.x, "x");
  detail::check_axis(grid.y, "y");
  detail::check_axis(grid.z, "z");
  detail::check_values(grid);
}

TRACKPLEX_INLINE void check_field_grid(const AxisymmetricFieldGrid& grid) {
  detail::check_axis(grid.r, "r");
  detail::check_axis(grid.z, "z");
  detail::check_values(grid);
  if (grid.r.first < 0.) throw UsageError("field grid", "r is negative");
  if (grid.r.first != 0.) return;
  double largest = 0.;
  for (const auto& b : grid.tesla) largest = std::max(largest, hypot(b[0], b[1]));
  for (int j = 0; j < grid.z.nodes; ++j)
    if (const double b_r = grid.tesla[grid.index(0, j)][0];
        !(std::fabs(b_r) <= max_axis_field * largest))
      throw UsageError("field grid", "B_r is not 0 on the z axis",
                       "z = " + shortest(grid.z.node(j)) + " cm: " + shortest(b_r) +
                           " T, more than " + shortest(max_axis_field) + " of the largest field, " +
                           shortest(largest) + " T");
}

TRACKPLEX_INLINE std::array<double, 2> FiniteSolenoid::operator()(double r, double z) const {
  const double gamma = (radius - r) / (radius + r);
  std::array<double, 2> field{};
  for (const double sign : {1., -1.}) {
    const double from_end = z + sign * half_length;
    const double square = from_end * from_end;
    const double outer = square + (r + radius) * (r + radius);
    const double k = std::sqrt((square + (r - radius) * (r - radius)) / outer);
    const double per_outer = sign * tesla / (pi * std::sqrt(outer));
    field[0] += radius * per_outer * elliptic_integral(k, 1., 1., -1.);
    field[1] += radius / (radius + r) * from_end * per_outer *
                elliptic_integral(k, gamma * gamma, 1., gamma);
  }
  if (r == 0.) field[0] = 0.;
  return field;
}

TRACKPLEX_INLINE double FiniteSolenoid::elliptic_integral(double k, double p, double c, double s) {
  double root = std::sqrt(p), mean = 1., product = k;
  s /= root;
  double f = c;
  c += s / root;
  double g = k / root;
  s = 2. * (s + f * g);
  root += g;
  g = mean;
  mean += k;
  while (std::fabs(g - k) > g * 1e-8) {
    k = 2. * std::sqrt(product);
    product = k * mean;
    f = c;
    c += s / root;
    g = product / root;
    s = 2. * (s + f * g);
    root += g;
    g = mean;
    mean += k;
  }
  return pi / 2. * (s + c * mean) / (mean * (mean + root));
}

}  // namespace trackplex::geometry
