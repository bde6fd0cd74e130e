// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/algorithm.hpp>
#include <trackplex/search/detail/sort_by_phi.hpp>

#include <type_traits>

namespace trackplex::search {

/// Sorts the hits of each event by group, azimuth and index, and fills the table of bins. One
/// kernel, a team per event.
template <class T, class ExecutionSpace, int Width = default_lane_width<ExecutionSpace, T>>
struct SortByPhi {
  using MemorySpace = typename ExecutionSpace::memory_space;
  using Input = Hits<T, MemorySpace>;
  using Sorted = SortedHits<T, MemorySpace>;
  static constexpr const char* name = "sort_by_phi";

  int layers;               ///< module pairs
  bool merge_sides = true;  ///< see SortedHits
  int team_size = 0;        ///< threads; 0: the space's own

  template <class Memory>
  void allocate(const Memory& memory, const Input& hits, Sorted& sorted) const {
    sorted.with_order(merge_sides, sorted, [&](auto order, auto& in_order) {
      in_order.n_hits = hits.n_hits;
      in_order.n_bins = hits.n_events * (decltype(order)::Groups::bins_per_event(layers) + 1);
      allocate_arrays(memory.of(sorted), in_order);
    });
  }

  void operator()(const ExecutionSpace& exec, const Input& hits, Sorted& sorted) const {
    sorted.with_order(merge_sides, sorted, [&](auto order, auto& in_order) {
      using Order = decltype(order);
      using Kernel = detail::SortByPhi<typename Order::Phi, typename Order::Groups,
                                       LanesOf<T, Width>, Input, std::decay_t<decltype(in_order)>>;
      for_each_team(exec, "Trackplex::Search::sort_by_phi", hits.n_events,
                    Kernel{hits, in_order, layers}, team_size);
    });
  }
};

}  // namespace trackplex::search
