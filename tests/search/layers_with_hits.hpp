// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cmath>
#include <numbers>
#include <random>
#include <trackplex/core/copy.hpp>
#include <trackplex/search/binned_hits.hpp>
#include <vector>

namespace trackplex::test {

/// Three events on four layers. Layer 1 of event 1 and the whole event 2 but its last layer have no
/// hits. Among the hits are some at the seam of the azimuth, on both of its sides, many in one
/// place, and some far outside of all bins in z.
template <class T>
hits::HostLayerHits<T> layers_with_hits(unsigned seed = 1) {
  std::mt19937_64 random(seed);
  const auto uniform = [&](double low, double high) {
    return low + (high - low) * (double(random() >> 11) * 0x1p-53);
  };
  hits::HostLayerHits<T> hits(4);
  const auto add = [&](T x, T y, T z) {
    const T c = T(hits.x.size());
    hits.add(x, y, z, {c, c + T(0.125), c + T(0.25), c + T(0.375), c + T(0.5), c + T(0.625)});
  };
  for (int event = 0; event < 3; ++event) {
    for (int layer = 0; layer < 4; ++layer) {
      const double radius = 4. * (layer + 1);
      const bool empty = (event == 1 && layer == 1) || (event == 2 && layer < 3);
      if (!empty) {
        const int n = 150 + 70 * layer;
        for (int i = 0; i < n; ++i) {
          const double phi = uniform(-std::numbers::pi, std::numbers::pi);
          add(T(radius * std::cos(phi)), T(radius * std::sin(phi)), T(uniform(-12., 12.)));
        }
        for (const double phi : {-3.141, -3.1415, -3.14159, 3.14159, 3.1415, 3.141})
          add(T(radius * std::cos(phi)), T(radius * std::sin(phi)), T(uniform(-12., 12.)));
        for (const T y : {T(0), T(-0.), T(1e-6), T(-1e-6)}) {
          add(T(-radius), y, T(1));
          add(T(radius), y, T(-1));
        }
        for (int i = 0; i < 20; ++i) add(T(radius), T(0.3), T(2.5));
        for (const double z : {-12., 12., -13., 13., -1e3, 1e3, -1e30, 1e30, 0., 3., -3.})
          add(T(0.6 * radius), T(0.8 * radius), T(z));
      }
      hits.end_layer();
    }
  }
  return hits;
}

/// Axes of the second coordinate, a different one for each layer.
template <class T>
std::vector<histogram::RegularAxis<T>> regular_axes(double half_length) {
  std::vector<histogram::RegularAxis<T>> axes;
  for (const int bins : {24, 1, 7, 100}) axes.emplace_back(-half_length, half_length, bins);
  return axes;
}

/// The same with bins of various widths; the edges live in `memory`.
template <class T, class Space>
std::vector<histogram::VariableAxis<T>> variable_axes(
    double half_length, std::vector<Kokkos::View<T*, typename Space::memory_space>>& memory) {
  std::vector<histogram::VariableAxis<T>> axes;
  for (const int bins : {24, 1, 7, 100}) {
    memory.emplace_back("edges", std::size_t(bins) + 1);
    const auto edges = Kokkos::create_mirror_view(memory.back());
    for (int i = 0; i <= bins; ++i) {
      const double u = 2. * i / bins - 1.;
      edges(i) = T(half_length * u * (0.5 + 0.5 * u * u));
    }
    const Space exec;
    copy_array(exec, memory.back(), edges);
    exec.fence();
    axes.emplace_back(memory.back());
  }
  return axes;
}

}  // namespace trackplex::test
