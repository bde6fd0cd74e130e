// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "studies.hpp"

#include <algorithm>
#include <numeric>
#include <trackplex/core/host_executor.hpp>
#include <trackplex/core/math.hpp>
#include <trackplex/histogram/axes.hpp>
#include <trackplex/seeding/truth_seeds.hpp>
#include <tuple>
#include <vector>

namespace trackplex::benchmarks {

/// Seeds in another order: seed i becomes what seed order[i] was.
template <class ExecutionSpace, class T>
void reorder(const ExecutionSpace& exec, const std::vector<int>& order,
             seeding::StartSeeds<T, MemoryOf<ExecutionSpace>>& seeds) {
  using Hits = tracks::TrackHits<Kokkos::HostSpace>;
  const auto states = kalman::states_on_host(exec, seeds.states);
  const auto hits = enqueue_copy<Hits>(exec, seeds.hits);
  exec.fence();
  const HostExecutor host;
  seeding::StagedSeeds<T, MemoryOf<ExecutionSpace>> to;
  to.states.allocate(host, seeds.size());
  to.hits.allocate(host, seeds.size(), hits.layers);
  host.fence();  // new memory is being filled with zeros
  for (int seed = 0; seed < seeds.size(); ++seed) {
    const int from = order[std::size_t(seed)];
    const auto& state = states[std::size_t(from)];
    to.states.charge(seed) = T(state.charge);
    for (int p = 0; p < kalman::Parameter::count; ++p)
      to.states.parameters.view()(seed, p) = T(state.parameters(p));
    for (int e = 0; e < kalman::Covariance<double>::size; ++e)
      to.states.covariance.view().element(seed, e) = T(state.covariance.elements[e]);
    to.hits.event(seed) = hits.event(from);
    for (int layer = 0; layer < hits.layers; ++layer) to.hits(seed, layer) = hits(from, layer);
  }
  seeds = enqueue_copy<seeding::StartSeeds<T, MemoryOf<ExecutionSpace>>>(exec, to);
  exec.fence();
}

/// Seeds of the truth in the order of a case. Returns their particles.
template <class ExecutionSpace, class T>
std::vector<std::int32_t> seeds_in_order(const ExecutionSpace& exec,
                                         const tracks::TrackingEvents& events, int layers,
                                         const TrackingCase& one,
                                         seeding::StartSeeds<T, MemoryOf<ExecutionSpace>>& seeds) {
  const auto particles = seeding::truth_seeds(exec, events, layers, seeds);
  if (one.order == SeedOrder::azimuth) return particles;
  const auto index = to_host(exec, seeds.hits.index), event = to_host(exec, seeds.hits.event);
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
