// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Algorithm that sorts the hits of events by azimuth.

#include <trackplex/core/algorithm.hpp>
#include <trackplex/core/copy.hpp>
#include <trackplex/lhcb/velo/detail/sort_by_phi.hpp>

#include <type_traits>

namespace trackplex::lhcb {

/// Algorithm that sorts the hits of each event by group, azimuth and index, and fills the table of
/// bins. It launches one kernel, with one team per event.
/// @tparam Width number of lanes
template <class T, class ExecutionSpace, int Width = default_lane_width<ExecutionSpace, T>>
struct SortByPhi {
  using MemorySpace = typename ExecutionSpace::memory_space;  ///< of its arrays
  using Input = VeloHits<T, MemorySpace>;                     ///< input
  using Sorted = SortedHits<T, MemorySpace>;                  ///< output
  static constexpr const char* name = "sort_by_phi";

  int layers;               ///< number of layers (pairs of modules)
  bool merge_sides = true;  ///< which order of `SortedHits` is filled
  int team_size = 0;        ///< threads of a team; 0: SpaceTraits::medium_team_size

  /// Allocates the arrays of the order that is filled.
  template <class Memory>
  void allocate(const Memory& memory, const Input& hits, Sorted& sorted) const {
    sorted.with_order(merge_sides, sorted, [&](auto order, auto& in_order) {
      in_order.n_hits = hits.n_hits;
      in_order.n_bins = hits.n_events * (decltype(order)::Groups::bins_per_event(layers) + 1);
      allocate_arrays(memory.of(sorted), in_order);
    });
  }

  /// Enqueues the kernel on the instance.
  void operator()(const ExecutionSpace& exec, const Input& hits, Sorted& sorted) const {
    constexpr int medium = SpaceTraits<ExecutionSpace>::medium_team_size;
    const int threads = team_size > 0 ? team_size : medium;
    sorted.with_order(merge_sides, sorted, [&](auto order, auto& in_order) {
      using Order = decltype(order);
      using Kernel = detail::SortByPhi<typename Order::Phi, typename Order::Groups,
                                       LanesOf<T, Width>, Input, std::decay_t<decltype(in_order)>>;
      for_each_team(exec, "Trackplex::Lhcb::sort_by_phi", hits.n_events,
                    Kernel{hits, in_order, layers}, threads);
    });
  }
};

}  // namespace trackplex::lhcb

#if defined(TRACKPLEX_INSTANCES)
#include <trackplex/lhcb/velo/detail/sort_by_phi.instances.hpp>
#endif
