// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/algorithm.hpp>
#include <trackplex/core/copy.hpp>
#include <trackplex/lhcb/velo/detail/search_by_triplet.hpp>
#include <trackplex/lhcb/velo/velo_params.hpp>

#include <cstdint>
#include <type_traits>

namespace trackplex::lhcb {

/// Search by triplet: finds straight tracks in the sorted hits of many events, one team per event.
/// One kernel. Lengths in mm, angles in rad.
///
/// From the layers of largest z upstream: open tracks are forwarded to the next layer, then seeds
/// of three hits are formed there. Tracks of four or more hits are kept; tracks of three hits are
/// kept if no longer track uses one of their hits and they fit a line. The tracks of an event are
/// in the order of their seeds; seeds without a free slot are counted in `Tracks::overflow`.
///
/// D. Campora Perez, N. Neufeld, A. Riscos Nunez, "Search by triplet: An efficient local track
/// reconstruction algorithm for parallel architectures".
/// @tparam T scalar of the hits
/// @tparam Width number of lanes
template <class T, class ExecutionSpace, int Width = default_lane_width<ExecutionSpace, T>>
struct SearchByTriplet {
  using MemorySpace = typename ExecutionSpace::memory_space;  ///< of all products
  using Hits = VeloHits<T, MemorySpace>;                      ///< input
  using Sorted = SortedHits<T, MemorySpace>;                  ///< input: the same hits, sorted
  using ModuleZ = Kokkos::View<T*, MemorySpace>;              ///< one z per module
  static constexpr const char* name = "search_by_triplet";

  TripletParams params;  ///< cuts and capacities
  /// Nominal z of the modules, mm; shape (2 layers): element 2 l + s is layer l, side s.
  ModuleZ module_z;
  int team_size = 0;  ///< threads of a team; 0: the default of the space

  /// Allocates the slots of the tracks (see `first_slot`).
  /// @throws UsageError if a cut is out of range
  template <class Memory>
  void allocate(const Memory& memory, const Hits& hits, const Sorted&,
                VeloTracks<MemorySpace>& tracks) const {
    check(params);
    tracks.n_events = hits.n_events;
    tracks.hits_per_slot = params.hits_per_slot;
    tracks.slots = first_slot(std::uint32_t(hits.n_hits), hits.n_events, tracks.hits_per_slot);
    allocate_arrays(memory.of(tracks), tracks);
  }

  /// Enqueues the search in all events. `sorted` must be sorted with the same
  /// `TripletParams::merge_sides`.
  void operator()(const ExecutionSpace& exec, const Hits& hits, const Sorted& sorted,
                  VeloTracks<MemorySpace>& tracks) const {
    sorted.with_order(params.merge_sides, sorted, [&](auto order, const auto& in_order) {
      using Order = decltype(order);
      using Kernel =
          detail::SearchByTriplet<typename Order::Phi, typename Order::Groups, LanesOf<T, Width>,
                                  Hits, std::decay_t<decltype(in_order)>, VeloTracks<MemorySpace>,
                                  ModuleZ>;
      const detail::TripletSizes sizes{hits.max_event_hits, hits.max_layer_hits,
                                       Order::Groups::bins,
                                       hits.max_event_hits / params.hits_per_slot + 1 + min_slots};
      for_each_team(exec, "Trackplex::Lhcb::search_by_triplet", hits.n_events,
                    Kernel{hits, in_order, tracks, module_z, detail::TripletCuts<T>(params),
                           int(module_z.extent(0)) / 2, sizes},
                    team_size);
    });
  }
};

}  // namespace trackplex::lhcb

#if defined(TRACKPLEX_INSTANCES)
#include <trackplex/lhcb/velo/detail/search_by_triplet.instances.hpp>
#endif
