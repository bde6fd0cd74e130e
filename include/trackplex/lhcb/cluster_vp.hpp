// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/algorithm.hpp>
#include <trackplex/lhcb/detail/vp_clusters.hpp>
#include <trackplex/lhcb/raw_input.hpp>
#include <trackplex/search/hits.hpp>

#include <algorithm>

namespace trackplex::lhcb {

/// The integers that the kernel of clusters works with: a full register of them.
template <class MemorySpace, int Width>
using ClusterIntegers =
    LanesOf<int, Width == 1 ? 1 : std::max(Width, default_lane_width<MemorySpace, int>)>;

/// Finds the clusters of the VP banks (see vp_clusters.hpp) and gives their hits and ids, the
/// number of hits of each event (event_sizes) and of invalid super-pixels. One kernel, a team per
/// event.
template <class T, class ExecutionSpace, int Width = default_lane_width<ExecutionSpace, T>>
struct ClusterVp {
  using MemorySpace = typename ExecutionSpace::memory_space;
  using Input = RawInput<MemorySpace>;
  using Hits = search::Hits<T, MemorySpace>;
  using Clusters = VpClusters<MemorySpace>;
  static constexpr const char* name = "cluster_vp";
  static constexpr bool aliases_inputs = true;  // the offsets

  VeloPixelTables<T, MemorySpace> tables;
  int team_size = 0;  ///< threads; 0: the space's own

  template <class Memory>
  void allocate(const Memory& memory, const Input& input, Hits& hits, Clusters& clusters) const {
    const auto& capacity = input.vp_capacity;
    hits.n_events = clusters.n_events = capacity.n_events;
    hits.n_hits = clusters.n_hits = capacity.n_hits;
    hits.max_event_hits = capacity.max_event_hits;
    hits.max_layer_hits = capacity.max_layer_hits;
    hits.event_offsets = capacity.event_offsets;
    clusters.bank_offsets = capacity.bank_offsets;
    allocate_arrays(memory.of(hits), hits);
    allocate_arrays(memory.of(clusters), clusters);
  }

  void operator()(const ExecutionSpace& exec, const Input& input, Hits& hits,
                  Clusters& clusters) const {
    using Kernel = detail::VpClustersOfEvent<LanesOf<T, Width>, ClusterIntegers<MemorySpace, Width>,
                                             RawBankBatch<MemorySpace>,
                                             VeloPixelTables<T, MemorySpace>, Hits, Clusters>;
    for_each_team(exec, "Trackplex::Lhcb::cluster_vp", hits.n_events,
                  Kernel{input.vp_banks, tables, hits, clusters}, team_size);
  }
};

}  // namespace trackplex::lhcb
