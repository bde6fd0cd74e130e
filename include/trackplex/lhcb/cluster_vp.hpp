// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/algorithm.hpp>
#include <trackplex/lhcb/detail/vp_clusters.hpp>
#include <trackplex/lhcb/raw_input.hpp>
#include <trackplex/lhcb/velo/hits.hpp>

#include <algorithm>

namespace trackplex::lhcb {

/// Integer type of the clustering kernel: as many lanes as a register holds, one if Width is 1.
template <class MemorySpace, int Width>
using ClusterIntegers =
    LanesOf<int, Width == 1 ? 1 : std::max(Width, default_lane_width<MemorySpace, int>)>;

/// Algorithm: clusters the pixels in VP banks (see vp_clusters.hpp). It makes the hits and their
/// LHCbIDs, the number of hits of each event (Hits::event_sizes) and of super-pixels outside their
/// sensor (VpClusters::invalid). One kernel, a team per event.
template <class T, class ExecutionSpace, int Width = default_lane_width<ExecutionSpace, T>>
struct ClusterVp {
  using MemorySpace = typename ExecutionSpace::memory_space;  ///< Memory space of all arrays.
  using Input = RawInput<MemorySpace>;                        ///< Read: raw banks.
  using Hits = VeloHits<T, MemorySpace>;                      ///< Made: VELO hits, unsorted.
  using Clusters = VpClusters<MemorySpace>;                   ///< Made: LHCbIDs of the hits.
  static constexpr const char* name = "cluster_vp";
  static constexpr bool aliases_inputs = true;  ///< The products share the offsets of the input.

  VeloPixelTables<T, MemorySpace> tables;  ///< geometry, see velo_pixel_tables()
  int team_size = 0;                       ///< threads per event; 0: default of the space

  /// Allocates hits and clusters with the capacity that the host derived from the banks.
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

  /// Enqueues the kernel.
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

#if defined(TRACKPLEX_INSTANCES)
#include <trackplex/lhcb/detail/cluster_vp.instances.hpp>
#endif
