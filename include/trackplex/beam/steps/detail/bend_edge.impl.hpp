// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/steps/bend_edge.hpp>
#include <trackplex/beam/steps/detail/exact_edge.hpp>
#include <trackplex/core/math.hpp>

#include <cmath>
#include <numbers>
#include <vector>

namespace trackplex::beam {
namespace detail {

TRACKPLEX_INLINE std::vector<double> edge_coefficients(const BendEdge& edge) {
  const double sine = sin(edge.angle), secant = 1. / cos(edge.angle);
  const double gap = 2. * edge.half_gap, extent = edge.fringe * gap * (1. + sine * sine);
  std::vector<double> c(n_edge_coefficients);
  c[edge_effects] = double(edge.effects);
  c[edge_order] = edge.order;
  c[edge_side] = edge.is_exit ? 1. : -1.;
  c[edge_tangent] = tan(edge.angle);
  c[edge_secant] = secant;
  c[edge_h] = 1. / edge.radius;
  c[edge_psi] = extent * secant / std::abs(edge.radius);
  c[edge_index] = -edge.gradient * edge.axis_radius;
  c[edge_curve] = edge.curve;
  c[edge_gap] = gap;
  c[edge_gap2] = gap * gap * std::numbers::pi * std::numbers::pi / 6.;
  c[edge_fringe] = extent * secant * secant * secant;
  c[edge_extent] = edge.fringe * gap;
  const double seen = edge.angle + edge.crossing, sine_seen = sin(seen);
  c[edge_linear] =
      tan(seen - edge.fringe * gap / edge.radius * (1. + sine_seen * sine_seen) / cos(seen));
  c[edge_falls] = edge.correction_falls;
  return c;
}

}  // namespace detail
}  // namespace trackplex::beam
