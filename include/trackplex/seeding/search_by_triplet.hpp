// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/algorithm.hpp>
#include <trackplex/core/copy.hpp>
#include <trackplex/seeding/detail/search_by_triplet.hpp>

#include <cstdint>
#include <type_traits>

namespace trackplex::seeding {

/// Search by triplet (D. Campora et al.): finds straight tracks in the sorted hits of many events,
/// one team per event. One kernel.
///
/// Starting at the layers of largest z: tracks that are open are forwarded to the next layer, then
/// seeds of three hits are formed in it. A track of four hits or more is kept; one of three if its
/// hits are used by no longer track and fit a line. Seeds without a slot are counted. The tracks of
/// an event stand in the order of their seeds.
template <class T, class ExecutionSpace, int Width = default_lane_width<ExecutionSpace, T>>
struct SearchByTriplet {
  using MemorySpace = typename ExecutionSpace::memory_space;
  using Hits = search::Hits<T, MemorySpace>;
  using Sorted = search::SortedHits<T, MemorySpace>;
  using ModuleZ = Kokkos::View<T*, MemorySpace>;
  static constexpr const char* name = "search_by_triplet";

  TripletParams params;
  ModuleZ module_z;   ///< nominal z of the modules, two per layer (sides 0 and 1), mm
  int team_size = 0;  ///< threads; 0: the space's own

  template <class Memory>
  void allocate(const Memory& memory, const Hits& hits, const Sorted&,
                Tracks<MemorySpace>& tracks) const {
    tracks.n_events = hits.n_events;
    tracks.hits_per_slot = params.hits_per_slot;
    tracks.slots = first_slot(std::uint32_t(hits.n_hits), hits.n_events, tracks.hits_per_slot);
    allocate_arrays(memory.of(tracks), tracks);
  }

  void operator()(const ExecutionSpace& exec, const Hits& hits, const Sorted& sorted,
                  Tracks<MemorySpace>& tracks) const {
    sorted.with_order(params.merge_sides, sorted, [&](auto order, const auto& in_order) {
      using Order = decltype(order);
      using Kernel =
          detail::SearchByTriplet<typename Order::Phi, typename Order::Groups, LanesOf<T, Width>,
                                  Hits, std::decay_t<decltype(in_order)>, Tracks<MemorySpace>,
                                  ModuleZ>;
      const detail::TripletSizes sizes{hits.max_event_hits, hits.max_layer_hits,
                                       Order::Groups::bins,
                                       hits.max_event_hits / params.hits_per_slot + 1 + min_slots};
      for_each_team(exec, "Trackplex::Seeding::search_by_triplet", hits.n_events,
                    Kernel{hits, in_order, tracks, module_z, detail::TripletCuts<T>(params),
                           int(module_z.extent(0)) / 2, sizes},
                    team_size);
    });
  }
};

}  // namespace trackplex::seeding
