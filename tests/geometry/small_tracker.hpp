// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/geometry/builder.hpp>
#include <trackplex/geometry/layer_graph.hpp>
#include <vector>

namespace trackplex::test {

/// Barrels, disks on both sides, and tilted planes: 11 layers.
inline geometry::DetectorDescription small_tracker() {
  geometry::DetectorBuilder builder;
  for (const int n : {10, 20, 32})
    builder.barrel({.radius = 0.35 * n,
                    .half_length = 28.,
                    .n_phi = n,
                    .n_z = 8,
                    .overlap = 0.1,
                    .stagger = 0.3});
  for (const double z : {-42., -34., 34., 42.})
    builder.disk(
        {.z = z, .inner = 3., .outer = 13., .n_phi = {16, 28}, .overlap = 0.1, .stagger = 0.3});
  for (const double tilt : {-0.4, 0., 0.3, 0.8})
    builder.plane({.centre = {0., 2., 60. + 10. * tilt},
                   .normal = {tilt, 0.2 * tilt, 1.},
                   .half_u = 20.,
                   .half_v = 15.,
                   .angle = 0.3});
  return builder.build();
}

/// Every layer is the successor of all others.
inline geometry::LayerGraph complete_graph(int n) {
  geometry::LayerGraph graph{std::vector<std::vector<int>>(std::size_t(n)), {}};
  for (int from = 0; from < n; ++from)
    for (int to = n - 1; to >= 0; --to)
      if (to != from) graph.successors[std::size_t(from)].push_back(to);
  return graph;
}

/// Numbers from -1 to 1: number k of item i.
inline double even_number(int i, int k) { return geometry::detail::EvenNumbers()(i, k); }

}  // namespace trackplex::test
