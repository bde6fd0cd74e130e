// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Seeds from the hits of three layers of any detector of barrels and disks.

#include <trackplex/core/algorithm.hpp>
#include <trackplex/core/stable_sort.hpp>
#include <trackplex/seeding/detail/detector_triplets.hpp>
#include <trackplex/seeding/triplets.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace trackplex::seeding {

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
  using Hits = hits::DetectorHits<T, MemorySpace>;            ///< input
  using Binned = search::BinnedDetectorHits<T, MemorySpace>;  ///< input
  using Found = Triplets<MemorySpace>;                        ///< output
  /// Temporary arrays.
  struct Scratch {
    detail::PointsAboutBeam<T, MemorySpace> seen;  ///< hits as seen from the beam
    detail::TripletsOfTeams<MemorySpace> found;    ///< triplets in any order
  };

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
      const int triples_of_layer = ++middle.back().triples;
      max_per_hit_ = std::max(max_per_hit_, triples_of_layer * params_.max_per_middle_hit);
    }
    max_per_hit_ =
        std::min(max_per_hit_, std::max(params_.max_per_hit, params_.max_per_middle_hit));
    std::vector<std::int32_t> is_barrel;
    for (const auto& layer : detector.layers)
      is_barrel.push_back(layer.kind == geometry::LayerKind::barrel);
    is_barrel_ = to_device<std::int32_t>(exec, "Trackplex::Seeding::is_barrel", is_barrel);
    layers_ = to_device<LayersOfTriplet<T>>(exec, "Trackplex::Seeding::triples", layers);
    middle_ = to_device<detail::MiddleLayer>(exec, "Trackplex::Seeding::middle_layers", middle);
    n_layers_ = int(detector.layers.size());
  }

  /// Threads of a team, which works on sixteen middle hits at a time.
  int team_size = SpaceTraits<ExecutionSpace>::medium_team_size;

  /// Returns the parameters, with the triples ordered by their middle layers.
  const DetectorTripletsParams& params() const { return params_; }

  /// Allocates `max_per_hit` triplets for each hit, or fewer if its triples cannot have as many.
  /// @throws UsageError if hits, bins and detector have different numbers of layers, or there are
  /// too many hits for 32-bit indices of triplets
  template <class Memory>
  void allocate(const Memory& memory, const Hits& hits, const Binned& binned, Found& triplets,
                Scratch& scratch) const {
    if (hits.layers != n_layers_ || binned.layers != n_layers_)
      throw UsageError(name, "hits, bins and detector have not as many layers",
                       std::to_string(hits.layers) + ", " + std::to_string(binned.layers) +
                           " and " + std::to_string(n_layers_));
    triplets.hits_per_event = 0;
    triplets.per_hit = max_per_hit_;
    triplets.layers = {0, 1, 2};
    detail::allocate_triplets(name, memory, hits, triplets, scratch.found);
    // Some more, so that lanes may ask for places past the end
    const auto n = std::size_t(hits.hits) + detail::list_margin;
    allocate_array(memory.scratch(), scratch.seen.points, "Trackplex::Seeding::points", n);
    allocate_array(memory.scratch(), scratch.seen.first, "Trackplex::Seeding::azimuths", n);
    allocate_array(memory.scratch(), scratch.seen.second, "Trackplex::Seeding::second_coordinates",
                   n);
  }

  /// Enqueues the search in all events.
  void operator()(const ExecutionSpace& exec, const Hits& hits, const Binned& binned,
                  Found& triplets, Scratch& scratch) const {
    using See = detail::SeePoints<LanesOf<T, Width>, Binned, Hits>;
    for_each_team(exec, "Trackplex::Seeding::see_points", hits.events * hits.layers,
                  See{binned, hits, cuts_, is_barrel_, scratch.seen}, team_size);
    using FieldOfT = kalman::FieldFor<T, Field>;
    using Rules = detail::DetectorTripletRules<LanesOf<T, Width>, Binned, Hits, FieldOfT>;
    using Kernel =
        detail::FindTriplets<LanesOf<T, Width>, Rules, Found, detail::TripletsOfTeams<MemorySpace>>;
    const int middle_layers = int(middle_.extent(0));
    const int blocks =
        (hits.max_layer_hits + detail::max_middle_hits - 1) / detail::max_middle_hits;
    detail::search_triplets(
        exec, "Trackplex::Seeding::find_detector_triplets", hits,
        hits.events * middle_layers * blocks, team_size,
        Kernel{{binned, hits, field_, cuts_, layers_, middle_, scratch.seen, middle_layers, blocks},
               triplets,
               scratch.found,
               params_.max_per_middle_hit,
               params_.max_window_hits,
               params_.max_pairs},
        params_.max_per_event, params_.drop_continued);
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
    detail::check_triplet_capacities(name, params_);
    if (params_.max_per_hit < 1)
      throw UsageError(name, "a capacity is not positive", std::to_string(params_.max_per_hit));
  }

  DetectorTripletsParams params_;
  kalman::FieldFor<T, Field> field_;
  DetectorTripletCuts<T> cuts_;
  Kokkos::View<LayersOfTriplet<T>*, MemorySpace> layers_;
  Kokkos::View<detail::MiddleLayer*, MemorySpace> middle_;
  Kokkos::View<std::int32_t*, MemorySpace> is_barrel_;  // (layer)
  int max_per_hit_ = 0, n_layers_ = 0;
};

}  // namespace trackplex::seeding
