// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Seeds from the hits of three layers of cylinders: each middle hit is paired with inner hits
/// (doublets), and each doublet with outer hits (triplets).

#include <trackplex/core/algorithm.hpp>
#include <trackplex/core/launch.hpp>
#include <trackplex/core/scan.hpp>
#include <trackplex/seeding/detail/cylinder_triplets.hpp>
#include <trackplex/seeding/seeds.hpp>
#include <trackplex/seeding/start_states.hpp>

#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>

namespace trackplex::seeding {

/// Triplets of the hits of many events. Each middle hit has a slot: on cylinders slot event *
/// slots_per_event + i for the middle hit at place i on its layer in `search::BinnedHits`; in a
/// detector of modules slots_per_hit slots from place * slots_per_hit on, one per triple of layers.
/// The triplets of slot s are the counts(s) entries from s * per_slot on.
template <class MemorySpace>
struct Triplets {
  using Array = Kokkos::View<std::int32_t*, MemorySpace>;  ///< one integer per entry

  Array inner,    ///< (slot, triplet): place of the inner hit among the binned hits
      outer;      ///< (slot, triplet): place of the outer hit among the binned hits
  Array counts;   ///< (slot): number of triplets
  Array offsets;  ///< (slot; in a detector of modules, place of the middle hit): number of triplets
                  ///< of those before; one entry more
  Array first_seed;  ///< (event): number of seeds of earlier events; one entry more than events
  Array overflow;    ///< (event): triplets beyond `max_per_event`, which do not become seeds
  Array not_best;    ///< (event): triplets beyond `max_per_middle_hit`
  Array dropped;     ///< (event): hits and pairs not examined for lack of capacity
  int events = 0,    ///< number of events
      slots_per_event = 0,         ///< number of slots of each event, on cylinders
      slots_per_hit = 0,           ///< number of slots of each hit, in a detector of modules
      per_slot = 0;                ///< capacity of a slot
  Kokkos::Array<int, 3> layers{};  ///< numbers of the inner, the middle and the outer layer

  /// Calls `f(i)` with the numbers of the triplets of the hit at a place of a detector of modules.
  template <class F>
  KOKKOS_FORCEINLINE_FUNCTION void for_each_of(int place, const F& f) const {
    for (int m = 0; m < slots_per_hit; ++m) {
      const std::size_t slot = std::size_t(place) * std::size_t(slots_per_hit) + std::size_t(m);
      const std::size_t from = slot * std::size_t(per_slot);
      for (int i = 0; i < counts(slot); ++i) f(from + std::size_t(i));
    }
  }
};

namespace detail {

template <class Results>
struct ClearCounts {
  Results triplets;

  KOKKOS_FUNCTION void operator()(const Tile<int>& tile) const {
    triplets.not_best(tile.first) = triplets.dropped(tile.first) = 0;
  }
};

struct ClearSlots {
  std::int32_t* counts;
  KOKKOS_FUNCTION void operator()(const Tile<int>& tile) const { counts[tile.first] = 0; }
};

/// Limits the number of seeds of each event, from which a scan computes `first_seed`.
template <class Results>
struct LimitSeeds {
  Results triplets;
  int max_per_event;

  KOKKOS_FUNCTION void operator()(const Tile<int>& tile) const {
    const int event = tile.first, slot = event * triplets.slots_per_event;
    const std::int32_t n =
        triplets.offsets(slot + triplets.slots_per_event) - triplets.offsets(slot);
    const std::int32_t kept = min(n, max_per_event);
    triplets.first_seed(event) = kept;
    triplets.overflow(event) = n - kept;
  }
};

/// Seeds without hits.
template <class Tracks>
struct ClearSeeds {
  Tracks seeds;

  KOKKOS_FUNCTION void operator()(const Tile<int>& tile) const {
    seeds.event(tile.first) = 0;
    for (int layer = 0; layer < seeds.layers; ++layer) seeds(tile.first, layer) = -1;
  }
};

/// Turns the triplets of a slot into seeds.
template <class Hits, class Binned, class Results, class Tracks>
struct FillSeeds {
  Hits hits;
  Binned binned;
  Results triplets;
  Tracks seeds;

  KOKKOS_FUNCTION void operator()(const Tile<int>& tile) const {
    const int slot = tile.first, n = triplets.counts(slot);
    if (n == 0) return;
    const int event = slot / triplets.slots_per_event,
              first_slot = event * triplets.slots_per_event;
    const int before = triplets.offsets(slot) - triplets.offsets(first_slot);
    const int first = triplets.first_seed(event) + before;
    const int end = min(triplets.first_seed(event + 1), seeds.tracks);
    const int a = triplets.layers[0], b = triplets.layers[1], c = triplets.layers[2];
    const int middle = binned.index(hits.first(event, b) + (slot - first_slot));
    const std::size_t from = std::size_t(slot) * triplets.per_slot;
    for (int i = 0; i < n && first + i < end; ++i) {
      seeds.event(first + i) = event;
      seeds(first + i, a) = binned.index(triplets.inner(from + i));
      seeds(first + i, b) = middle;
      seeds(first + i, c) = binned.index(triplets.outer(from + i));
    }
  }
};

/// Allocates the arrays of triplets whose numbers are set.
template <class Memory, class Results>
void allocate_triplets(const Memory& memory, std::size_t middle_hits, std::size_t slots,
                       Results& triplets) {
  const auto of_triplets = memory.of(triplets);
  const auto events = std::size_t(triplets.events);
  const std::size_t n = slots * std::size_t(triplets.per_slot);
  allocate_array(of_triplets, triplets.inner, "Trackplex::Seeding::triplet_inner", n);
  allocate_array(of_triplets, triplets.outer, "Trackplex::Seeding::triplet_outer", n);
  allocate_array(of_triplets, triplets.counts, "Trackplex::Seeding::triplet_counts", slots);
  allocate_array(of_triplets, triplets.offsets, "Trackplex::Seeding::triplet_offsets",
                 middle_hits + 1);
  allocate_array(of_triplets, triplets.first_seed, "Trackplex::Seeding::first_seed", events + 1);
  for (auto* counter : {&triplets.overflow, &triplets.not_best, &triplets.dropped})
    allocate_array(of_triplets, *counter, "Trackplex::Seeding::triplets_left_out", events);
}

inline void check_triplet_layers(const FindTripletsParams& params, int layers, int binned_layers,
                                 int detector_layers) {
  const int a = params.layers[0], b = params.layers[1], c = params.layers[2];
  if (!(0 <= a && a < b && b < c && c < layers && params.confirm_layer < layers))
    throw UsageError("find_triplets", "the layers do not ascend, or do not exist",
                     std::to_string(layers) + " layers");
  if (binned_layers != layers || detector_layers < layers)
    throw UsageError("find_triplets", "hits, bins and detector have not as many layers",
                     std::to_string(layers) + ", " + std::to_string(binned_layers) + " and " +
                         std::to_string(detector_layers));
  for (const int capacity :
       {params.max_per_middle_hit, params.max_per_event, params.max_window_hits, params.max_pairs})
    if (capacity < 1)
      throw UsageError("find_triplets", "a capacity is not positive", std::to_string(capacity));
}

}  // namespace detail

/// Numbers of triplets: those that became seeds, and those that were lost.
struct TripletCounts {
  int seeds = 0;     ///< triplets that became seeds
  int overflow = 0;  ///< triplets lost because their event already has `max_per_event` seeds
  int not_best = 0;  ///< triplets that are not among the best of their middle hit
  int dropped = 0;   ///< hits and pairs not examined for lack of capacity
};

/// Numbers of triplets of each event, on the host; see `Triplets`.
struct HostTripletCounts {
  /// Tells a chain to wait for the instance before the steps that read the counts.
  static constexpr bool read_by_host = true;
  using Array = Kokkos::View<std::int32_t*, Kokkos::HostSpace>;  ///< one integer per entry
  Array first_seed,  ///< (event): number of seeds of earlier events; one entry more than events
      overflow,      ///< (event): see `TripletCounts`
      not_best,      ///< (event): see `TripletCounts`
      dropped;       ///< (event): see `TripletCounts`
  int events = 0;    ///< number of events

  /// Returns the numbers of one event.
  TripletCounts of_event(int event) const {
    const auto e = std::size_t(event);
    return {first_seed(e + 1) - first_seed(e), overflow(e), not_best(e), dropped(e)};
  }
  /// Returns the sums over all events.
  TripletCounts total() const {
    TripletCounts sum;
    for (int event = 0; event < events; ++event) {
      const auto counts = of_event(event);
      sum.seeds += counts.seeds;
      sum.overflow += counts.overflow;
      sum.not_best += counts.not_best;
      sum.dropped += counts.dropped;
    }
    return sum;
  }
};

/// Sets the number of events and calls f for each pair of arrays; see core/copy.hpp.
template <class MemorySpace, class F>
void for_each_array(const Triplets<MemorySpace>& from, HostTripletCounts& to, const F& f) {
  to.events = from.events;
  const auto n = std::size_t(from.events);
  f(from.first_seed, to.first_seed, "Trackplex::Seeding::first_seed", n + 1);
  f(from.overflow, to.overflow, "Trackplex::Seeding::overflow", n);
  f(from.not_best, to.not_best, "Trackplex::Seeding::not_best", n);
  f(from.dropped, to.dropped, "Trackplex::Seeding::dropped", n);
}

/// Finds the triplets of all events: hits a, b, c on three layers that pass the cuts of
/// `CylinderTripletCuts`, in the field at the origin. A middle hit b with more than
/// `max_per_middle_hit` triplets keeps those with the smallest chi2. Triplets are ordered by the
/// places of b, a and c among the binned hits. A team processes sixteen middle hits.
/// @tparam T scalar of the hits
/// @tparam Field magnetic field along z, see kalman/field_along_z.hpp
/// @tparam Binned binned hits, with z as the second coordinate
/// @tparam Width number of lanes
template <class T, class ExecutionSpace, class Field = kalman::UniformField,
          class Binned = search::BinnedHits<T, MemoryOf<ExecutionSpace>>,
          int Width = default_lane_width<ExecutionSpace, T, KernelKind::track_states>>
struct FindTriplets {
  static_assert(std::is_same_v<typename Binned::Coordinate, search::AlongZ>,
                "Triplets are found in hits that are binned along z.");
  static constexpr const char* name = "find_triplets";
  using Hits = search::LayerHits<T, MemoryOf<ExecutionSpace>>;  ///< input
  using Found = Triplets<MemoryOf<ExecutionSpace>>;             ///< output

  CylinderLayers detector;      ///< radii of the layers, cm
  Field field;                  ///< magnetic field along z, T
  FindTripletsParams params{};  ///< cuts and capacities
  /// Threads of a team, which works on sixteen middle hits at a time.
  int team_size = SpaceTraits<ExecutionSpace>::medium_team_size;

  /// Allocates a slot of `max_per_middle_hit` triplets for each middle hit.
  /// @throws UsageError if the layers do not ascend or do not exist, hits and bins have different
  ///   numbers of layers or the detector has fewer, a capacity is not positive, or for cuts that
  ///   `cylinder_triplet_cuts` or `triplet_confirmation` refuses
  template <class Memory>
  void allocate(const Memory& memory, const Hits& hits, const Binned& binned,
                Found& triplets) const {
    detail::check_triplet_layers(params, hits.layers, binned.layers, detector.size);
    (void)cuts();
    triplets.events = hits.events;
    triplets.slots_per_event = hits.max_layer_hits;
    triplets.slots_per_hit = 0;
    triplets.per_slot = params.max_per_middle_hit;
    triplets.layers = params.layers;
    const std::size_t n = std::size_t(hits.events) * std::size_t(hits.max_layer_hits);
    detail::allocate_triplets(memory, n, n, triplets);
  }

  /// Enqueues the search in all events.
  void operator()(const ExecutionSpace& exec, const Hits& hits, const Binned& binned,
                  Found& triplets) const {
    using Rules = detail::CylinderTripletRules<LanesOf<T, Width>, Binned, Hits>;
    using Kernel = detail::FindTriplets<LanesOf<T, Width>, Rules, Found>;
    for_each_tile<int>(exec, "Trackplex::Seeding::clear_counts", hits.events,
                       detail::ClearCounts<Found>{triplets});
    const int slots = triplets.events * triplets.slots_per_event;
    for_each_tile<int>(exec, "Trackplex::Seeding::clear_slots", slots,
                       detail::ClearSlots{triplets.counts.data()});
    const auto [of_triplet, of_confirmation] = cuts();
    for_each_team(exec, "Trackplex::Seeding::find_triplets",
                  hits.events * Rules::blocks_per_event(hits),
                  Kernel{{binned,
                          hits,
                          of_triplet,
                          params.layers[0],
                          params.layers[1],
                          params.layers[2],
                          {binned, of_confirmation, params.confirm_layer}},
                         triplets,
                         params.max_per_middle_hit,
                         params.max_window_hits,
                         params.max_pairs},
                  team_size);
    exclusive_scan(exec, triplets.counts, triplets.offsets, slots);
    for_each_tile<int>(exec, "Trackplex::Seeding::limit_seeds", hits.events,
                       detail::LimitSeeds<Found>{triplets, params.max_per_event});
    exclusive_scan(exec, triplets.first_seed, triplets.first_seed, hits.events);
  }

 private:
  std::pair<CylinderTripletCuts<T>, TripletConfirmation<T>> cuts() const {
    const auto& r = detector.radius;
    const double radii[3] = {r[params.layers[0]], r[params.layers[1]], r[params.layers[2]]};
    std::pair result{cylinder_triplet_cuts<T>(params, radii, field(0., 0., 0.)),
                     TripletConfirmation<T>{}};
    if (params.confirm_layer >= 0)
      result.second = triplet_confirmation<T>(params, radii, r[params.confirm_layer],
                                              double(result.first.max_curvature));
    return result;
  }
};

/// Copies the numbers of triplets to the host. They are copied on hosts too, so that the memory of
/// the triplets can be reused earlier.
template <class ExecutionSpace>
struct CountTriplets {
  static constexpr const char* name = "count_triplets";
  using Found = Triplets<MemoryOf<ExecutionSpace>>;  ///< input

  /// Allocates the arrays of the counts.
  template <class Memory>
  void allocate(const Memory& memory, const Found& triplets, HostTripletCounts& counts) const {
    for_each_array(triplets, counts,
                   [&](const auto&, auto& array, const char* label, std::size_t n) {
                     allocate_array(memory.of(counts), array, label, n);
                   });
  }
  /// Enqueues the copy; fence the instance before reading the counts.
  void operator()(const ExecutionSpace& exec, const Found& triplets,
                  HostTripletCounts& counts) const {
    copy_arrays(exec, counts, triplets);
  }
};

/// Turns triplets into seeds with start states for their fit (see `start_states`). The number of
/// seeds is that of `counts`, which may be less than the number of triplets, or more: surplus seeds
/// have no hits.
/// @tparam Field magnetic field along z, see kalman/field_along_z.hpp
/// @tparam Width number of lanes
template <class T, class ExecutionSpace, class Field = kalman::UniformField,
          class Binned = search::BinnedHits<T, MemoryOf<ExecutionSpace>>,
          int Width = default_lane_width<ExecutionSpace, T, KernelKind::track_states>>
struct FillSeeds {
  static constexpr const char* name = "fill_seeds";
  using MemorySpace = MemoryOf<ExecutionSpace>;    ///< of all products on the device
  using Hits = search::LayerHits<T, MemorySpace>;  ///< input

  Field field;                ///< magnetic field along z, T
  StartStatesParams start{};  ///< of the start states

  /// Allocates the seeds, on the layers up to the outer one of the triplets.
  template <class Memory>
  void allocate(const Memory& memory, const Hits&, const Binned&,
                const Triplets<MemorySpace>& triplets, const HostTripletCounts& counts,
                StartSeeds<T, MemorySpace>& seeds, SeedOrigins& origins) const {
    seeds.allocate(memory.of(seeds), counts.total().seeds, triplets.layers[2] + 1);
    allocate_array(memory.of(origins), origins.lost, "Trackplex::Seeding::lost_seeds",
                   std::size_t(counts.events));
  }
  /// Enqueues the kernels, and writes the losses of each event to `origins`.
  void operator()(const ExecutionSpace& exec, const Hits& hits, const Binned& binned,
                  const Triplets<MemorySpace>& triplets, const HostTripletCounts& counts,
                  StartSeeds<T, MemorySpace>& seeds, SeedOrigins& origins) const {
    using Tracks = TrackHits<MemorySpace>;
    using Kernel = detail::FillSeeds<Hits, Binned, Triplets<MemorySpace>, Tracks>;
    for_each_tile<int>(exec, "Trackplex::Seeding::clear_seeds", seeds.size(),
                       detail::ClearSeeds<Tracks>{seeds.hits});
    for_each_tile<int>(exec, "Trackplex::Seeding::fill_seeds",
                       triplets.events * triplets.slots_per_event,
                       Kernel{hits, binned, triplets, seeds.hits});
    start_states<Width>(exec, hits, seeds.hits, field, start, seeds.states);
    for (int event = 0; event < counts.events; ++event) {
      const auto of_event = counts.of_event(event);
      origins.lost(std::size_t(event)) = of_event.overflow + of_event.dropped;
    }
  }
};

}  // namespace trackplex::seeding

#if defined(TRACKPLEX_INSTANCES)
#include <trackplex/seeding/detail/triplets.instances.hpp>
#endif
