// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Seeds from three layers of cylinders: each middle hit takes inner hits (doublets), each doublet
/// outer ones (triplets).

#include <trackplex/core/launch.hpp>
#include <trackplex/core/scan.hpp>
#include <trackplex/seeding/detail/cylinder_triplets.hpp>
#include <trackplex/seeding/track_layers.hpp>

namespace trackplex::seeding {

/// The triplets of many events, as places of binned hits: those of the middle hit with the slot s
/// at s * per_slot on, counts(s) of them.
template <class MemorySpace>
struct Triplets {
  using Array = Kokkos::View<std::int32_t*, MemorySpace>;

  Array inner, outer;
  Array counts;      ///< of each slot
  Array offsets;     ///< of each slot: triplets in the slots before; one entry more
  Array first_seed;  ///< of each event: seeds of the events before; one entry more
  Array overflow;    ///< of each event: triplets beyond max_per_event, which are no seeds
  Array not_best;    ///< of each event: triplets beyond max_per_middle_hit
  Array dropped;     ///< of each event: hits and pairs that there was no room to look at
  int events = 0, slots_per_event = 0, per_slot = 0;
  Kokkos::Array<int, 3> layers{};
};

namespace detail {

template <class Results>
struct ClearCounts {
  Results triplets;

  KOKKOS_FUNCTION void operator()(const Tile<int>& tile) const {
    triplets.not_best(tile.first) = triplets.dropped(tile.first) = 0;
  }
};

/// How many seeds each event has, after the others. One work item goes through the events.
template <class Results>
struct LimitSeeds {
  Results triplets;
  int max_per_event;

  KOKKOS_FUNCTION void operator()(const Tile<int>&) const {
    std::int32_t first = 0;
    for (int event = 0; event < triplets.events; ++event) {
      const int slot = event * triplets.slots_per_event;
      const std::int32_t n =
          triplets.offsets(slot + triplets.slots_per_event) - triplets.offsets(slot);
      const std::int32_t kept = min(n, max_per_event);
      triplets.first_seed(event) = first;
      triplets.overflow(event) = n - kept;
      first += kept;
    }
    triplets.first_seed(triplets.events) = first;
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

/// The triplets of a slot as seeds.
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

inline void check_triplet_layers(const CylinderTripletParameters& parameters, int layers,
                                 int binned_layers, int detector_layers) {
  const int a = parameters.layers[0], b = parameters.layers[1], c = parameters.layers[2];
  if (!(0 <= a && a < b && b < c && c < layers && parameters.confirm_layer < layers))
    throw UsageError("find_triplets", "the layers do not ascend, or do not exist",
                     std::to_string(layers) + " layers");
  if (binned_layers != layers || detector_layers < layers)
    throw UsageError("find_triplets", "hits, bins and detector have not as many layers",
                     std::to_string(layers) + ", " + std::to_string(binned_layers) + " and " +
                         std::to_string(detector_layers));
  for (const int capacity : {parameters.max_per_middle_hit, parameters.max_per_event,
                             parameters.max_window_hits, parameters.max_pairs})
    if (capacity < 1)
      throw UsageError("find_triplets", "a capacity is not positive", std::to_string(capacity));
}

}  // namespace detail

/// Room for the triplets of these hits, from an instance, or what else `reserve(memory, view,
/// label, n)` takes; and their sizes.
template <class Memory, class T, class MemorySpace>
void reserve_triplets(const Memory& memory, const search::LayerHits<T, MemorySpace>& hits,
                      const CylinderTripletParameters& parameters,
                      Triplets<MemorySpace>& triplets) {
  triplets.events = hits.events;
  triplets.slots_per_event = hits.max_layer_hits;
  triplets.per_slot = parameters.max_per_middle_hit;
  triplets.layers = parameters.layers;
  const auto events = std::size_t(hits.events);
  const std::size_t slots = events * hits.max_layer_hits;
  const std::size_t n = slots * triplets.per_slot;
  reserve(memory, triplets.inner, "Trackplex::Seeding::triplet_inner", n);
  reserve(memory, triplets.outer, "Trackplex::Seeding::triplet_outer", n);
  reserve(memory, triplets.counts, "Trackplex::Seeding::triplet_counts", slots);
  reserve(memory, triplets.offsets, "Trackplex::Seeding::triplet_offsets", slots + 1);
  reserve(memory, triplets.first_seed, "Trackplex::Seeding::first_seed", events + 1);
  for (auto* counter : {&triplets.overflow, &triplets.not_best, &triplets.dropped})
    reserve(memory, *counter, "Trackplex::Seeding::triplets_left_out", events);
}

/// Finds the triplets of all events: hits a, b, c on three layers that pass the cuts of
/// `CylinderTripletCuts`, with the field at the origin. A middle hit b with more than
/// `max_per_middle_hit` keeps those of smallest chi2. `binned` holds `hits` (see
/// `search::bin_hits`), with z as its second coordinate. The order is that of the places of b, a
/// and c. Enqueues kernels on the instance, with a team for a few middle hits.
/// @throws UsageError for parameters that mean nothing, or do not fit the detector
template <int Width, class Space, class T, class Axis, class Field>
void find_triplets(const Space& exec, const search::LayerHits<T, MemoryOf<Space>>& hits,
                   const search::BinnedHits<T, MemoryOf<Space>, search::AlongZ, Axis>& binned,
                   const CylinderLayers& detector, const Field& field,
                   const CylinderTripletParameters& parameters, Triplets<MemoryOf<Space>>& triplets,
                   int team_size = 0) {
  using Real = LanesOf<T, Width>;
  using Hits = search::LayerHits<T, MemoryOf<Space>>;
  using Binned = search::BinnedHits<T, MemoryOf<Space>, search::AlongZ, Axis>;
  detail::check_triplet_layers(parameters, hits.layers, binned.layers, detector.size);
  reserve_triplets(exec, hits, parameters, triplets);
  for_each_tile<int>(exec, "Trackplex::Seeding::clear_counts", hits.events,
                     detail::ClearCounts<Triplets<MemoryOf<Space>>>{triplets});
  const int a = parameters.layers[0], b = parameters.layers[1], c = parameters.layers[2];
  const double radii[3] = {detector.radius[a], detector.radius[b], detector.radius[c]};
  const detail::MiddleHits middle{hits.events, hits.max_layer_hits,
                                  is_host_space<Space> ? detail::middle_hits_per_host_team : 1};
  const auto cuts = cylinder_triplet_cuts<T>(parameters, radii, field(0., 0., 0.));
  TripletConfirmation<T> confirmation{};
  if (const int layer = parameters.confirm_layer; layer >= 0)
    confirmation = triplet_confirmation<T>(parameters, radii, detector.radius[layer],
                                           double(cuts.max_curvature));
  using Kernel = detail::FindTriplets<Real, Binned, Hits, Triplets<MemoryOf<Space>>>;
  for_each_team(exec, "Trackplex::Seeding::find_triplets", hits.events * middle.teams_per_event(),
                Kernel{binned,
                       hits,
                       triplets,
                       middle,
                       cuts,
                       a,
                       b,
                       c,
                       parameters.max_per_middle_hit,
                       parameters.max_window_hits,
                       parameters.max_pairs,
                       {binned, confirmation, parameters.confirm_layer}},
                team_size);
  exclusive_scan(exec, triplets.counts, triplets.offsets, middle.slots());
  for_each_tile<int>(
      exec, "Trackplex::Seeding::limit_seeds", 1,
      detail::LimitSeeds<Triplets<MemoryOf<Space>>>{triplets, parameters.max_per_event});
}

/// What `find_triplets` found and left out, in all events.
struct TripletCounts {
  int seeds = 0;
  int overflow = 0;  ///< triplets that are no seeds, since their event has `max_per_event`
  int not_best = 0;  ///< triplets that were not among the best of their middle hit
  int dropped = 0;   ///< hits and pairs that were not looked at, for lack of room
};

/// The numbers of triplets of each event as the host reads them; see `Triplets`.
struct HostTripletCounts {
  using Array = Kokkos::View<std::int32_t*, Kokkos::HostSpace>;
  Array first_seed, overflow, not_best, dropped;
  int events = 0;

  TripletCounts of_event(int event) const {
    const auto e = std::size_t(event);
    return {first_seed(e + 1) - first_seed(e), overflow(e), not_best(e), dropped(e)};
  }
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

/// See core/host_copy.hpp.
template <class MemorySpace, class F>
void for_each_array(const Triplets<MemorySpace>& from, HostTripletCounts& to, const F& f) {
  to.events = from.events;
  const auto n = std::size_t(from.events);
  f(from.first_seed, to.first_seed, "Trackplex::Seeding::first_seed", n + 1);
  f(from.overflow, to.overflow, "Trackplex::Seeding::overflow", n);
  f(from.not_best, to.not_best, "Trackplex::Seeding::not_best", n);
  f(from.dropped, to.dropped, "Trackplex::Seeding::dropped", n);
}

/// Waits for the triplets, and counts them.
template <class Space>
TripletCounts count_triplets(const Space& exec, const Triplets<MemoryOf<Space>>& triplets) {
  HostTripletCounts counts;
  if (triplets.events == 0) return {};
  reserve_copies(Kokkos::DefaultHostExecutionSpace(), triplets, counts);
  copy_arrays(exec, triplets, counts);
  exec.fence();
  return counts.total();
}

/// The first n triplets as seeds, without their states (see `start_states`); `TripletCounts::seeds`
/// are all. A larger n leaves seeds without hits at the end, so that no one needs to wait for the
/// number. Enqueues kernels on the instance.
template <class Space, class T, class Axis>
void fill_seeds(const Space& exec, const search::LayerHits<T, MemoryOf<Space>>& hits,
                const search::BinnedHits<T, MemoryOf<Space>, search::AlongZ, Axis>& binned,
                const Triplets<MemoryOf<Space>>& triplets, int n,
                Seeds<T, MemoryOf<Space>>& seeds) {
  using Hits = search::LayerHits<T, MemoryOf<Space>>;
  using Binned = search::BinnedHits<T, MemoryOf<Space>, search::AlongZ, Axis>;
  seeds.resize(exec, n, triplets.layers[2] + 1);
  for_each_tile<int>(exec, "Trackplex::Seeding::clear_seeds", n,
                     detail::ClearSeeds<TrackHits<MemoryOf<Space>>>{seeds.hits});
  for_each_tile<int>(
      exec, "Trackplex::Seeding::fill_seeds", triplets.events * triplets.slots_per_event,
      detail::FillSeeds<Hits, Binned, Triplets<MemoryOf<Space>>, TrackHits<MemoryOf<Space>>>{
          hits, binned, triplets, seeds.hits});
}

}  // namespace trackplex::seeding
