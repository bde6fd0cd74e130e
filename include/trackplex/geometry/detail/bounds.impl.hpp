// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/lane_memory.hpp>
#include <trackplex/core/math.hpp>
#include <trackplex/geometry/bounds.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <vector>

namespace trackplex::geometry {

TRACKPLEX_INLINE bool Bounds::is_valid() const {
  const auto [a, b, c] = size;
  if (!std::isfinite(a + b + c)) return false;
  if (kind == BoundsKind::annulus) return 0. <= a && a < b && 0. < c && c <= std::numbers::pi;
  return a >= 0. && b >= 0. && a + b > 0. && c > 0.;
}

TRACKPLEX_INLINE std::vector<std::array<double, 2>> Bounds::outline(double arc_step) const {
  const auto [a, b, c] = size;
  if (kind != BoundsKind::annulus) return {{-a, -c}, {a, -c}, {b, c}, {-b, c}};
  const int steps = std::max(1, int(std::ceil(2. * c / arc_step - 1e-9)));
  std::vector<std::array<double, 2>> corners;
  const auto add = [&](double r, double angle) {
    corners.push_back({r * sin(angle), r * cos(angle)});
  };
  for (int i = 0; i <= steps; ++i) add(b, c - 2. * c * i / steps);
  for (int i = 0; i <= steps && a > 0.; ++i) add(a, 2. * c * i / steps - c);
  if (a == 0. && c < std::numbers::pi) add(0., 0.);
  return corners;
}

}  // namespace trackplex::geometry
