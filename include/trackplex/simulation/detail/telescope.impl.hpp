// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/geometry/builder.hpp>
#include <trackplex/geometry/field.hpp>
#include <trackplex/simulation/telescope.hpp>

#include <string>

namespace trackplex::simulation {

TRACKPLEX_INLINE geometry::DetectorDescription telescope() {
  constexpr int planes = 12;
  constexpr double x0 = 9.37, silicon = 0.5 / planes;  // cm
  const double angles[] = {0., 0.1, -0.1};
  geometry::DetectorBuilder builder;
  for (int i = 0; i < planes; ++i)
    builder.plane(
        {.name = "plane " + std::to_string(i),
         .centre = {0., 0., i < planes / 2 ? 8. * i : 60. + 8. * i},
         .normal = {0.2, 0., 1.},
         .half_u = 20.,
         .half_v = 20.,
         .angle = angles[i % 3],
         .sensor = {.pitch_u = 0.01, .thickness = silicon, .radiation_lengths = silicon / x0}});
  return builder.build();
}

}  // namespace trackplex::simulation
