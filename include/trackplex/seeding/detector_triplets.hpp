// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Seeds from the hits of three layers of any detector of barrels and disks.

#include <trackplex/core/algorithm.hpp>
#include <trackplex/core/launch.hpp>
#include <trackplex/core/scan.hpp>
#include <trackplex/core/stable_sort.hpp>
#include <trackplex/seeding/detail/detector_triplets.hpp>
#include <trackplex/seeding/triplets.hpp>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace trackplex::seeding {

namespace detail {

/// Limits the number of seeds of each event, from which a scan computes `first_seed`.
template <class Hits, class Results>
struct LimitDetectorSeeds {
  Hits hits;
  Results triplets;
  int max_per_event;

  KOKKOS_FUNCTION void operator()(const Tile<int>& tile) const {
    const int event = tile.first;
    const std::int32_t n =
        triplets.offsets(hits.first(event + 1, 0)) - triplets.offsets(hits.first(event, 0));
    const std::int32_t kept = min(n, max_per_event);
    triplets.first_seed(event) = kept;
    triplets.overflow(event) = n - kept;
  }
};

/// Marks the triplets a, b, c of a hit b for which there is a triplet x, a, b: their inner places
/// become negative. Only the hit's own inner places are written or read.
template <class Results>
struct MarkContinued {
  Results triplets;

  KOKKOS_FUNCTION void operator()(const Tile<int>& tile) const {
    const int middle = tile.first;
    triplets.for_each_of(middle, [&](std::size_t i) {
      std::int32_t& inner = triplets.inner(i);
      bool continues = false;
      triplets.for_each_of(inner, [&](std::size_t j) {
        if (triplets.outer(j) == middle) continues = true;
      });
      if (continues) inner = -1;
    });
  }
};

/// Drops the marked triplets of a hit and counts the rest.
template <class Results>
struct DropMarked {
  Results triplets;

  KOKKOS_FUNCTION void operator()(const Tile<int>& tile) const {
    std::int32_t all = 0;
    for (int m = 0; m < triplets.slots_per_hit; ++m) {
      const std::size_t slot = std::size_t(tile.first) * std::size_t(triplets.slots_per_hit) + m;
      const std::size_t from = slot * std::size_t(triplets.per_slot);
      const int n = triplets.counts(slot);
      int kept = 0;
      for (int i = 0; i < n; ++i) {
        if (triplets.inner(from + i) < 0) continue;
        triplets.inner(from + kept) = triplets.inner(from + i);
        triplets.outer(from + kept++) = triplets.outer(from + i);
      }
      triplets.counts(slot) = kept;
      all += kept;
    }
    triplets.offsets(tile.first) = all;
  }
};

}  // namespace detail

/// Finds the triplets of all events in a detector of modules: hits a, b, c on the layers of a
/// triple that pass the cuts of `DetectorTripletCuts`. A middle hit b with more than
/// `max_per_middle_hit` triplets on the layers of a triple keeps those with the smallest chi2.
/// Triplets are ordered by the place of b among the binned hits, the triple, and the places of a
/// and c. One kernel processes all triples, with one team per sixteen middle hits.
/// @tparam T scalar of the hits
/// @tparam Field functor `field(x, y, z)` that returns B or B_z in T
/// @tparam Width number of lanes
template <class T, class ExecutionSpace, class Field = kalman::UniformField,
          int Width = default_lane_width<ExecutionSpace, T, KernelKind::track_states>>
struct FindDetectorTriplets {
  static constexpr const char* name = "find_detector_triplets";
  using MemorySpace = MemoryOf<ExecutionSpace>;               ///< of all arrays
  using Hits = search::DetectorHits<T, MemorySpace>;          ///< input
  using Binned = search::BinnedDetectorHits<T, MemorySpace>;  ///< input
  using Found = Triplets<MemorySpace>;                        ///< output

  /// Prepares the layers of all triples.
  /// @throws UsageError if there is no triple, one of its layers does not exist, is neither barrel
  /// nor disk or occurs twice, or for cuts and capacities that are not positive
  FindDetectorTriplets(const ExecutionSpace& exec, const geometry::DetectorDescription& detector,
                       const Field& field, DetectorTripletsParams params)
      : params_(std::move(params)),
        field_(kalman::field_for<T>(field)),
        cuts_(detector_triplet_cuts<T>(params_)) {
    check();
    auto& triples = params_.triples;
    stable_sort(triples, [](const auto& a, const auto& b) { return a[1] < b[1]; });
    std::vector<LayersOfTriplet<T>> layers;
    std::vector<detail::MiddleLayer> middle;
    for (const auto& triple : triples) {
      const auto layer = [&](int i) {
        return seen_from_beam(layer_of_triplet<T>(detector, triple[i], params_.radiation_lengths),
                              params_);
      };
      layers.push_back({layer(0), layer(1), layer(2)});
      if (middle.empty() || middle.back().number != triple[1])
        middle.push_back({triple[1], int(layers.size()) - 1, 0});
      slots_per_hit_ = std::max(slots_per_hit_, ++middle.back().triples);
    }
    layers_ = to_device<LayersOfTriplet<T>>(exec, "Trackplex::Seeding::triples", layers);
    middle_ = to_device<detail::MiddleLayer>(exec, "Trackplex::Seeding::middle_layers", middle);
    n_layers_ = int(detector.layers.size());
  }

  /// Threads of a team, which works on sixteen middle hits at a time.
  int team_size = SpaceTraits<ExecutionSpace>::medium_team_size;

  /// Returns the parameters, with the triples ordered by their middle layers.
  const DetectorTripletsParams& params() const { return params_; }

  /// Allocates slots of `max_per_middle_hit` triplets for each hit, as many as the max number
  /// of triples with the same middle layer.
  /// @throws UsageError if hits, bins and detector have different numbers of layers
  template <class Memory>
  void allocate(const Memory& memory, const Hits& hits, const Binned& binned,
                Found& triplets) const {
    if (hits.layers != n_layers_ || binned.layers != n_layers_)
      throw UsageError(name, "hits, bins and detector have not as many layers",
                       std::to_string(hits.layers) + ", " + std::to_string(binned.layers) +
                           " and " + std::to_string(n_layers_));
    triplets.events = hits.events;
    triplets.slots_per_event = 0;
    triplets.slots_per_hit = slots_per_hit_;
    triplets.per_slot = params_.max_per_middle_hit;
    const auto n = std::size_t(hits.hits);
    detail::allocate_triplets(memory, n, n * std::size_t(slots_per_hit_), triplets);
  }

  /// Enqueues the search in all events.
  void operator()(const ExecutionSpace& exec, const Hits& hits, const Binned& binned,
                  Found& triplets) const {
    using FieldOfT = kalman::FieldFor<T, Field>;
    using Rules = detail::DetectorTripletRules<LanesOf<T, Width>, Binned, Hits, FieldOfT>;
    using Kernel = detail::FindTriplets<LanesOf<T, Width>, Rules, Found>;
    const int slots = hits.hits * slots_per_hit_, middle_layers = int(middle_.extent(0));
    const int blocks =
        (hits.max_layer_hits + detail::max_middle_hits - 1) / detail::max_middle_hits;
    for_each_tile<int>(exec, "Trackplex::Seeding::clear_counts", hits.events,
                       detail::ClearCounts<Found>{triplets});
    for_each_tile<int>(exec, "Trackplex::Seeding::clear_slots", slots,
                       detail::ClearSlots{triplets.counts.data()});
    for_each_team(
        exec, "Trackplex::Seeding::find_detector_triplets", hits.events * middle_layers * blocks,
        Kernel{
            {binned, hits, field_, cuts_, layers_, middle_, middle_layers, slots_per_hit_, blocks},
            triplets,
            params_.max_per_middle_hit,
            params_.max_window_hits,
            params_.max_pairs},
        team_size);
    if (params_.drop_continued)
      for_each_tile<int>(exec, "Trackplex::Seeding::mark_continued", hits.hits,
                         detail::MarkContinued<Found>{triplets});
    for_each_tile<int>(exec, "Trackplex::Seeding::drop_marked", hits.hits,
                       detail::DropMarked<Found>{triplets});
    exclusive_scan(exec, triplets.offsets, triplets.offsets, hits.hits);
    for_each_tile<int>(
        exec, "Trackplex::Seeding::limit_seeds", hits.events,
        detail::LimitDetectorSeeds<Hits, Found>{hits, triplets, params_.max_per_event});
    exclusive_scan(exec, triplets.first_seed, triplets.first_seed, hits.events);
  }

 private:
  void check() const {
    if (params_.triples.empty())
      throw UsageError(name, "there is no triple of layers", {}, "list them, or suggest_triples");
    for (const auto& t : params_.triples)
      if (t[0] == t[1] || t[1] == t[2] || t[0] == t[2])
        throw UsageError(
            name, "a triple has a layer twice",
            std::to_string(t[0]) + ", " + std::to_string(t[1]) + ", " + std::to_string(t[2]));
    for (const int capacity : {params_.max_per_middle_hit, params_.max_per_event,
                               params_.max_window_hits, params_.max_pairs})
      if (capacity < 1)
        throw UsageError(name, "a capacity is not positive", std::to_string(capacity));
  }

  DetectorTripletsParams params_;
  kalman::FieldFor<T, Field> field_;
  DetectorTripletCuts<T> cuts_;
  Kokkos::View<LayersOfTriplet<T>*, MemorySpace> layers_;
  Kokkos::View<detail::MiddleLayer*, MemorySpace> middle_;
  int slots_per_hit_ = 0, n_layers_ = 0;
};

}  // namespace trackplex::seeding
