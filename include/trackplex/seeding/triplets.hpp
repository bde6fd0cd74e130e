// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Triplets of hits on three layers: each middle hit is paired with inner hits (doublets), and each
/// doublet with outer hits (triplets). `FindTriplets` finds them on cylinders,
/// `FindDetectorTriplets` (detector_triplets.hpp) in any detector.

#include <trackplex/core/algorithm.hpp>
#include <trackplex/core/copy.hpp>
#include <trackplex/seeding/detail/cylinder_triplets.hpp>
#include <trackplex/seeding/detail/search_triplets.hpp>
#include <trackplex/tracks/track_layers.hpp>

#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>

namespace trackplex::seeding {

/// Triplets of the hits of many events. On cylinders, middle hit event * hits_per_event + i is the
/// one at place i on its layer in `search::BinnedHits`. In a detector of modules, middle hits are
/// places. The triplets of middle hit m are entries offsets(m) to offsets(m + 1) - 1, ordered by
/// the triples of layers.
template <class MemorySpace>
struct Triplets {
  using Array = Kokkos::View<std::int32_t*, MemorySpace>;  ///< one integer per entry

  Array inner,       ///< place of the inner hit among the binned hits
      outer;         ///< place of the outer hit among the binned hits
  Array offsets;     ///< (middle hit): number of triplets of earlier ones; one entry more
  Array first_seed;  ///< (event): number of seeds of earlier events; one entry more than events
  Array overflow;    ///< (event): triplets beyond `max_per_event`, which do not become seeds
  Array not_best;    ///< (event): triplets beyond `max_per_middle_hit`
  Array dropped;     ///< (event): hits and pairs not examined for lack of capacity
  int events = 0,    ///< number of events
      hits_per_event = 0,  ///< number of middle hits of each event, on cylinders
      per_hit = 0;         ///< capacity per middle hit, shared by the hits of a team
  /// Numbers of the inner, the middle and the outer layer; in a detector of modules 0, 1, 2.
  Kokkos::Array<int, 3> layers{};

  /// Returns the first middle hit of an event; for the event after the last one, the end.
  template <class Hits>
  KOKKOS_FORCEINLINE_FUNCTION int first_middle(const Hits& hits, int event) const {
    return hits_per_event > 0 ? event * hits_per_event : int(hits.first(event, 0));
  }
  /// Returns the event of a middle hit.
  template <class Hits>
  KOKKOS_FUNCTION int event_of(const Hits& hits, int middle) const {
    int low = 0, high = events - 1;
    while (low < high) {
      const int event = (low + high + 1) / 2;
      if (first_middle(hits, event) <= middle)
        low = event;
      else
        high = event - 1;
    }
    return low;
  }
  /// Calls `f(i)` with the numbers of the triplets of a middle hit.
  template <class F>
  KOKKOS_FORCEINLINE_FUNCTION void for_each_of(int middle, const F& f) const {
    for (std::int32_t i = offsets(middle); i < offsets(middle + 1); ++i) f(i);
  }
};

namespace detail {

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
  check_triplet_capacities("find_triplets", params);
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
  using Hits = hits::LayerHits<T, MemoryOf<ExecutionSpace>>;          ///< input
  using Found = Triplets<MemoryOf<ExecutionSpace>>;                   ///< output
  using Scratch = detail::TripletsOfTeams<MemoryOf<ExecutionSpace>>;  ///< temporary arrays

  tracks::CylinderLayers detector;  ///< radii of the layers, cm
  Field field;                      ///< magnetic field along z, T
  FindTripletsParams params{};      ///< cuts and capacities
  /// Threads of a team, which works on sixteen middle hits at a time.
  int team_size = SpaceTraits<ExecutionSpace>::medium_team_size;

  /// Allocates `max_per_middle_hit` triplets for each middle hit.
  /// @throws UsageError if the layers do not ascend or do not exist, hits and bins have different
  ///   numbers of layers or the detector has fewer, a capacity is not positive, or for cuts that
  ///   `cylinder_triplet_cuts` or `triplet_confirmation` refuses
  template <class Memory>
  void allocate(const Memory& memory, const Hits& hits, const Binned& binned, Found& triplets,
                Scratch& scratch) const {
    detail::check_triplet_layers(params, hits.layers, binned.layers, detector.size);
    (void)cuts();
    triplets.hits_per_event = hits.max_layer_hits;
    triplets.per_hit = params.max_per_middle_hit;
    triplets.layers = params.layers;
    detail::allocate_triplets(name, memory, hits, triplets, scratch);
  }

  /// Enqueues the search in all events.
  void operator()(const ExecutionSpace& exec, const Hits& hits, const Binned& binned,
                  Found& triplets, Scratch& scratch) const {
    using Rules = detail::CylinderTripletRules<LanesOf<T, Width>, Binned, Hits>;
    using Kernel = detail::FindTriplets<LanesOf<T, Width>, Rules, Found, Scratch>;
    const auto [of_triplet, of_confirmation] = cuts();
    detail::search_triplets(exec, "Trackplex::Seeding::find_triplets", hits,
                            hits.events * Rules::blocks_per_event(hits), team_size,
                            Kernel{{binned,
                                    hits,
                                    of_triplet,
                                    params.layers[0],
                                    params.layers[1],
                                    params.layers[2],
                                    {binned, of_confirmation, params.confirm_layer}},
                                   triplets,
                                   scratch,
                                   params.max_per_middle_hit,
                                   params.max_window_hits,
                                   params.max_pairs},
                            params.max_per_event, false);
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

}  // namespace trackplex::seeding

#if defined(TRACKPLEX_INSTANCES)
#include <trackplex/seeding/detail/triplets.instances.hpp>
#endif
