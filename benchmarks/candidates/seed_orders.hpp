// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "studies.hpp"

#include <algorithm>
#include <numeric>
#include <trackplex/core/math.hpp>
#include <trackplex/seeding/truth_seeds.hpp>
#include <tuple>
#include <vector>

namespace trackplex::benchmarks {

/// Seeds in another order: seed i becomes what seed order[i] was.
template <class Space, class T>
void reorder(const Space& exec, const std::vector<int>& order,
             seeding::Seeds<T, MemoryOf<Space>>& seeds) {
  const auto on_host = [&](const auto& view) {
    const Kokkos::View<typename std::decay_t<decltype(view)>::value_type*, Kokkos::HostSpace> host(
        "Trackplex::Benchmarks::seeds", view.extent(0));
    Kokkos::deep_copy(exec, host, view);
    return host;
  };
  const auto index = on_host(seeds.hits.index);
  const auto event = on_host(seeds.hits.event);
  const auto charge = on_host(seeds.states.charge);
  auto parameters = host_mirror(seeds.states.parameters);
  auto covariance = host_mirror(seeds.states.covariance);
  deep_copy(exec, parameters, seeds.states.parameters);
  deep_copy(exec, covariance, seeds.states.covariance);
  exec.fence();
  const auto permuted = [&](int n, const auto& element) {
    std::vector<std::decay_t<decltype(element(0))>> values;
    for (int i = 0; i < n; ++i) values.push_back(element(order[std::size_t(i)]));
    for (int i = 0; i < n; ++i) element(i) = values[std::size_t(i)];
  };
  const int n = seeds.size();
  permuted(
      n, [&](int i) -> auto& { return event(i); });
  permuted(
      n, [&](int i) -> auto& { return charge(i); });
  for (int layer = 0; layer < seeds.hits.layers; ++layer)
    permuted(
        n, [&](int i) -> auto& { return index(layer * seeds.hits.stride() + i); });
  for (int p = 0; p < kalman::Parameter::count; ++p) {
    permuted(
        n, [&](int i) -> auto& { return parameters.view()(i, p); });
    for (int q = 0; q <= p; ++q)
      permuted(
          n, [&](int i) -> auto& { return covariance.view()(i, p, q); });
  }
  Kokkos::deep_copy(exec, seeds.hits.index, index);
  Kokkos::deep_copy(exec, seeds.hits.event, event);
  Kokkos::deep_copy(exec, seeds.states.charge, charge);
  deep_copy(exec, seeds.states.parameters, parameters);
  deep_copy(exec, seeds.states.covariance, covariance);
  exec.fence();
}

/// Seeds of the truth in the order of a case. Returns their particles.
template <class Space, class T>
std::vector<std::int32_t> seeds_in_order(const Space& exec, const seeding::TrackingEvents& events,
                                         int layers, const TrackingCase& one,
                                         seeding::Seeds<T, MemoryOf<Space>>& seeds) {
  const auto particles = seeding::truth_seeds(exec, events, layers, seeds);
  if (one.order == SeedOrder::azimuth) return particles;
  const auto index = Kokkos::create_mirror_view(seeds.hits.index);
  const auto event = Kokkos::create_mirror_view(seeds.hits.event);
  Kokkos::deep_copy(exec, index, seeds.hits.index);
  Kokkos::deep_copy(exec, event, seeds.hits.event);
  exec.fence();
  const histogram::WrappedAxis<double> azimuth(-std::numbers::pi, std::numbers::pi,
                                               one.azimuth_bins);
  const auto key = [&](int seed) {
    const int particle = particles[std::size_t(seed)], e = event(seed);
    if (one.order == SeedOrder::particle) return std::tuple(e, 0, 0., particle);
    const auto hit =
        std::size_t(events.hits.offsets[std::size_t(e * events.hits.layers() + layers - 1)] +
                    index((layers - 1) * seeds.hits.stride() + seed));
    const double phi = atan2(double(events.hits.y[hit]), double(events.hits.x[hit]));
    return std::tuple(e, int(azimuth.bin(phi)), double(events.hits.z[hit]), particle);
  };
  std::vector<decltype(key(0))> keys;
  for (int seed = 0; seed < seeds.size(); ++seed) keys.push_back(key(seed));
  std::vector<int> order(particles.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(),
            [&](int a, int b) { return keys[std::size_t(a)] < keys[std::size_t(b)]; });
  reorder(exec, order, seeds);
  std::vector<std::int32_t> result;
  for (const int seed : order) result.push_back(particles[std::size_t(seed)]);
  return result;
}

}  // namespace trackplex::benchmarks
