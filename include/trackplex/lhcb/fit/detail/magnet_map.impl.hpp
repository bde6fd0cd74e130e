// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/error.hpp>
#include <trackplex/core/shortest.hpp>
#include <trackplex/lhcb/fit/magnet_map.hpp>

#include <cmath>
#include <string>

namespace trackplex::lhcb {

TRACKPLEX_INLINE void check_magnet_map(const geometry::FieldGrid& grid, double polarity,
                                       const std::string& name) {
  check_field_grid(grid);
  const auto contains = [&](const char* axis, const geometry::GridAxis& a, double low,
                            double high) {
    if (a.first <= low && a.last >= high) return;
    throw InputError(
        {name}, std::string("the grid does not contain the magnet"),
        std::string(axis) + " from " + shortest(a.first) + " to " + shortest(a.last) + " cm",
        "it has to contain " + shortest(low) + " to " + shortest(high) + " cm");
  };
  contains("x", grid.x, -150., 150.);
  contains("y", grid.y, -120., 120.);
  contains("z", grid.z, 260., 780.);
  const auto node_at_0 = [](const geometry::GridAxis& a) {
    return int(std::lround(-a.first / a.cell()));
  };
  const int i = node_at_0(grid.x), j = node_at_0(grid.y);
  double integral = 0.;  // T m
  for (int k = 0; k < grid.z.nodes; ++k)
    integral += 0.01 * grid.z.cell() * grid.tesla[grid.index(i, j, k)][1];
  if (!(std::abs(integral) >= 1. && std::abs(integral) <= 10.))
    throw InputError({name}, "it is no map of LHCb's magnet",
                     "B_y along the z axis adds up to " + shortest(integral) +
                         " T m; the magnet has about 4 T m",
                     "check the units of the map");
  if (!(integral * polarity > 0.))
    throw InputError({name}, "it is a map of the other polarity",
                     std::string("the magnet of the map points ") + (integral < 0. ? "down" : "up"),
                     "take the map of the polarity of the events");
}

}  // namespace trackplex::lhcb
