// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <trackplex/lhcb/cluster_vp.hpp>

#include "loaded_banks.hpp"
#include "vp_banks.hpp"

namespace trackplex::test {

/// Clusters on the host.
template <class Real>
struct FoundClusters {
  template <class T>
  using Array = Kokkos::View<T*, Kokkos::HostSpace>;
  lhcb::VeloHits<Real, Kokkos::HostSpace> hits;
  Array<std::uint32_t> ids, invalid;
};

/// Runs ClusterVp on the events.
template <class Real, int Width, class Space>
FoundClusters<Real> find_clusters(const std::vector<lhcb::RawEvent>& events,
                                  const lhcb::VeloPixelGeometry& geometry, int team_size = 0) {
  using Memory = typename Space::memory_space;
  const Space exec;
  const auto banks = loaded_banks(exec, events);
  lhcb::VeloHits<Real, Memory> hits;
  lhcb::VpClusters<Memory> clusters;
  const auto tables = lhcb::velo_pixel_tables<Real>(exec, geometry);
  run_algorithm(exec, lhcb::ClusterVp<Real, Space, Width>{tables, team_size}, banks, hits,
                clusters);
  exec.fence();

  FoundClusters<Real> found;
  const auto fetch = [](auto& to, const auto& from) {
    to = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), from);
  };
  fetch(found.hits.x, hits.x);
  fetch(found.hits.y, hits.y);
  fetch(found.hits.z, hits.z);
  fetch(found.hits.module, hits.module);
  fetch(found.hits.event_offsets, hits.event_offsets);
  fetch(found.hits.event_sizes, hits.event_sizes);
  fetch(found.ids, clusters.ids);
  fetch(found.invalid, clusters.invalid);
  found.hits.n_events = hits.n_events;
  found.hits.n_hits = hits.n_hits;
  found.hits.max_event_hits = hits.max_event_hits;
  found.hits.max_layer_hits = hits.max_layer_hits;
  return found;
}

/// Same clusters in the same order; positions to `tolerance`, mm.
template <class Real>
void require_same_clusters(const FoundClusters<Real>& found, int event,
                           const std::vector<ReferenceCluster>& expected, double tolerance) {
  const auto first = found.hits.event_offsets(event);
  const auto n = found.hits.event_sizes(event);
  REQUIRE(n == expected.size());
  REQUIRE(first + n <= found.hits.event_offsets(event + 1));
  std::array<int, lhcb::velo_pairs> layers{};
  double worst = 0.;
  bool ids_agree = true, modules_agree = true;
  for (std::uint32_t i = 0; i < n; ++i) {
    const auto& cluster = expected[i];
    const auto at = first + i;
    const auto module = (cluster.id >> 18 & 1023) / lhcb::velo_sensors_per_module;
    ids_agree = ids_agree && found.ids(at) == cluster.id;
    modules_agree = modules_agree && found.hits.module(at) == module;
    for (const double difference :
         {found.hits.x(at) - cluster.x, found.hits.y(at) - cluster.y, found.hits.z(at) - cluster.z})
      worst = std::max(worst, std::isfinite(difference) ? std::abs(difference) : 1e9);
    ++layers[module / 2];
  }
  REQUIRE(ids_agree);
  REQUIRE(modules_agree);
  REQUIRE(worst <= tolerance);
  REQUIRE(*std::max_element(layers.begin(), layers.end()) <= found.hits.max_layer_hits);
}

}  // namespace trackplex::test
