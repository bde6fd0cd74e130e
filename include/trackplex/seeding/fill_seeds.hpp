// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/algorithm.hpp>
#include <trackplex/core/launch.hpp>
#include <trackplex/seeding/detector_points.hpp>
#include <trackplex/seeding/seeds.hpp>
#include <trackplex/seeding/start_states.hpp>
#include <trackplex/seeding/triplets.hpp>

#include <cstddef>
#include <cstdint>

namespace trackplex::seeding {

namespace detail {

/// Seeds without hits, on layer 0.
template <class Tracks>
struct ClearSeeds {
  Tracks seeds;
  std::int32_t* layer;  ///< null on cylinders

  KOKKOS_FUNCTION void operator()(const Tile<int>& tile) const {
    seeds.event(tile.first) = 0;
    for (int slot = 0; slot < seeds.layers; ++slot) seeds(tile.first, slot) = -1;
    if (layer) layer[tile.first] = 0;
  }
};

/// Turns the triplets of a middle hit into seeds.
template <class Binned, class Results, class Tracks>
struct FillSeeds {
  typename Binned::Hits hits;
  Binned binned;
  Results triplets;
  Tracks seeds;
  std::int32_t* layer;  ///< null on cylinders

  KOKKOS_FUNCTION void operator()(const Tile<int>& tile) const {
    const int middle = tile.first, before = triplets.offsets(middle);
    if (triplets.offsets(middle + 1) == before) return;
    const int event = triplets.event_of(hits, middle), first = triplets.first_middle(hits, event);
    int seed = triplets.first_seed(event) + before - triplets.offsets(first);
    const int end = min(triplets.first_seed(event + 1), seeds.tracks);
    const auto& slots = triplets.layers;
    const int place = Binned::on_modules ? middle : hits.first(event, slots[1]) + (middle - first);
    triplets.for_each_of(middle, [&](std::int32_t i) {
      if (seed >= end) return;
      seeds.event(seed) = event;
      seeds(seed, slots[0]) = binned.index(triplets.inner(i));
      seeds(seed, slots[1]) = binned.index(place);
      seeds(seed, slots[2]) = binned.index(triplets.outer(i));
      if constexpr (Binned::on_modules) layer[seed] = binned.layer_of(triplets.outer(i));
      ++seed;
    });
  }
};

}  // namespace detail

/// Turns triplets into seeds with start states for their fit (see `start_states`). The number of
/// seeds is that of `counts`, which may be less than the number of triplets, or more: surplus seeds
/// have no hits.
///
/// On cylinders seeds have slots for the layers up to the outer one of the triplets. In a detector
/// of modules they have three slots, with indices among the hits of all events, and the layer of
/// their last hit.
/// @tparam Field on cylinders a magnetic field along z, see kalman/field_along_z.hpp; in a detector
/// of modules a functor `field(x, y, z)` that returns B or B_z in T
/// @tparam Binned a `search::BinnedHits` or `search::BinnedDetectorHits`
/// @tparam Width number of lanes
template <class T, class ExecutionSpace, class Field = kalman::UniformField,
          class Binned = search::BinnedHits<T, MemoryOf<ExecutionSpace>>,
          int Width = default_lane_width<ExecutionSpace, T, KernelKind::track_states>>
struct FillSeeds {
  static constexpr const char* name = "fill_seeds";
  using MemorySpace = MemoryOf<ExecutionSpace>;  ///< of all products on the device
  using Hits = typename Binned::Hits;            ///< input

  Field field;                ///< magnetic field, T
  StartStatesParams start{};  ///< of the start states

  /// Allocates the seeds.
  template <class Memory>
  void allocate(const Memory& memory, const Hits&, const Binned&,
                const Triplets<MemorySpace>& triplets, const HostTripletCounts& counts,
                StartSeeds<T, MemorySpace>& seeds, SeedOrigins& origins) const {
    const int n = counts.total().seeds;
    seeds.allocate(memory.of(seeds), n, triplets.layers[2] + 1);
    if constexpr (Binned::on_modules)
      allocate_array(memory.of(seeds), seeds.layer, "Trackplex::Seeding::seed_layer",
                     std::size_t(n));
    allocate_array(memory.of(origins), origins.lost, "Trackplex::Seeding::lost_seeds",
                   std::size_t(counts.events));
  }
  /// Enqueues the kernels, and writes the losses of each event to `origins`.
  void operator()(const ExecutionSpace& exec, const Hits& hits, const Binned& binned,
                  const Triplets<MemorySpace>& triplets, const HostTripletCounts& counts,
                  StartSeeds<T, MemorySpace>& seeds, SeedOrigins& origins) const {
    using Tracks = tracks::TrackHits<MemorySpace>;
    std::int32_t* const layer = Binned::on_modules ? seeds.layer.data() : nullptr;
    for_each_tile<int>(exec, "Trackplex::Seeding::clear_seeds", seeds.size(),
                       detail::ClearSeeds<Tracks>{seeds.hits, layer});
    for_each_tile<int>(exec, "Trackplex::Seeding::fill_seeds",
                       detail::count_middle_hits(hits, triplets),
                       detail::FillSeeds<Binned, Triplets<MemorySpace>, Tracks>{
                           hits, binned, triplets, seeds.hits, layer});
    if constexpr (Binned::on_modules)
      start_states<Width>(exec, DetectorPoints<T, MemorySpace>{hits, binned.detector}, seeds.hits,
                          field, start, seeds.states);
    else
      start_states<Width>(exec, hits, seeds.hits, field, start, seeds.states);
    for (int event = 0; event < counts.events; ++event) {
      const auto of_event = counts.of_event(event);
      origins.lost(std::size_t(event)) = of_event.overflow + of_event.dropped;
    }
  }
};

}  // namespace trackplex::seeding
