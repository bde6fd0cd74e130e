// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cmath>
#include <cstdint>
#include <numbers>
#include <trackplex/geometry/builder.hpp>
#include <vector>

namespace trackplex::test {

/// An ideal cylinder, a barrel, a disk of two rings, a ring of annuli and a tilted plane.
inline geometry::DetectorDescription small_detector() {
  using namespace geometry;
  std::vector<Module> petals;
  for (int i = 0; i < 6; ++i) {
    const double phi = std::numbers::pi / 3. * i, x = std::cos(phi), y = std::sin(phi);
    petals.push_back(
        {{{0., 0., 40.}, {y, -x, 0.}, {x, y, 0.}}, Bounds::annulus(4., 9., std::numbers::pi / 6.)});
    petals.back().identifier = module_identifier(3, 2, std::uint64_t(i) + 1);
  }
  return DetectorBuilder()
      .barrel({.name = "beam pipe",
               .radius = 2.,
               .half_length = 50.,
               .sensor = {.thickness = 0.08, .radiation_lengths = 0.0023}})
      .barrel({.name = "barrel",
               .radius = 3.,
               .half_length = 20.,
               .n_phi = 14,
               .n_z = 5,
               .overlap = 0.1,
               .stagger = 0.3,
               .sensor = {.pitch_u = 0.005, .thickness = 0.03, .radiation_lengths = 0.0032}})
      .disk({.name = "disk", .z = -30., .inner = 3., .outer = 15., .n_phi = {16, 24}})
      .layer({.name = "petals", .kind = LayerKind::disk, .position = 40.}, petals)
      .plane({.name = "plane",
              .centre = {1., 2., 60.},
              .normal = {0.3, 0., 1.},
              .half_u = 5.,
              .half_v = 4.,
              .angle = 0.1})
      .build();
}

}  // namespace trackplex::test
