// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Seeds in a detector of modules: triplets become seeds with start states, which are fitted.

#include <trackplex/core/algorithm.hpp>
#include <trackplex/seeding/detector_points.hpp>
#include <trackplex/seeding/detector_track_layers.hpp>
#include <trackplex/seeding/detector_triplets.hpp>
#include <trackplex/seeding/seeds.hpp>

#include <cstddef>
#include <cstdint>

namespace trackplex::seeding {

namespace detail {

/// Seeds without hits, on layer 0.
template <class Tracks>
struct ClearDetectorSeeds {
  Tracks seeds;
  std::int32_t* layer;

  KOKKOS_FUNCTION void operator()(const Tile<int>& tile) const {
    seeds.event(tile.first) = 0;
    for (int slot = 0; slot < seeds.layers; ++slot) seeds(tile.first, slot) = -1;
    layer[tile.first] = 0;
  }
};

/// Turns the triplets of a middle hit into seeds.
template <class Hits, class Binned, class Results, class Tracks>
struct FillDetectorSeeds {
  Hits hits;
  Binned binned;
  Results triplets;
  Tracks seeds;
  std::int32_t* layer;
  const std::int32_t* layer_of_module;

  KOKKOS_FUNCTION void operator()(const Tile<int>& tile) const {
    const int place = tile.first;
    if (triplets.offsets(place + 1) == triplets.offsets(place)) return;
    const int event = event_of(place);
    int seed = triplets.first_seed(event) + triplets.offsets(place) -
               triplets.offsets(hits.first(event, 0));
    const int end = min(triplets.first_seed(event + 1), seeds.tracks);
    triplets.for_each_of(place, [&](std::size_t i) {
      if (seed >= end) return;
      const std::int32_t last = binned.index(triplets.outer(i));
      seeds.event(seed) = event;
      seeds(seed, 0) = binned.index(triplets.inner(i));
      seeds(seed, 1) = binned.index(place);
      seeds(seed, 2) = last;
      layer[seed++] = layer_of_module[hits.module(last)];
    });
  }

 private:
  KOKKOS_FUNCTION int event_of(int place) const {
    int low = 0, high = hits.events - 1;
    while (low < high) {
      const int middle = (low + high + 1) / 2;
      if (hits.first(middle, 0) <= place)
        low = middle;
      else
        high = middle - 1;
    }
    return low;
  }
};

}  // namespace detail

/// Turns triplets in a detector of modules into seeds: their three hits, as indices among the hits
/// of all events, the layer of the last hit, and the start state of the fit at the first hit (see
/// `state_of_three_hits`). The number of seeds is that of `counts`, which may be less than the
/// number of triplets, or more: surplus seeds have no hits.
/// @tparam Field functor `field(x, y, z)` that returns B or B_z in T
/// @tparam Width number of lanes
template <class T, class ExecutionSpace, class Field = kalman::UniformField,
          int Width = default_lane_width<ExecutionSpace, T, KernelKind::track_states>>
struct FillDetectorSeeds {
  static constexpr const char* name = "fill_detector_seeds";
  using MemorySpace = MemoryOf<ExecutionSpace>;               ///< of all arrays
  using Hits = search::DetectorHits<T, MemorySpace>;          ///< input
  using Binned = search::BinnedDetectorHits<T, MemorySpace>;  ///< input
  using Found = Triplets<MemorySpace>;                        ///< input

  geometry::Detector<T, MemorySpace> detector;  ///< of the hits
  Field field;                                  ///< B or B_z, T
  StartStatesParams start{};                    ///< of the start states

  /// Allocates the seeds, with three hits each.
  template <class Memory>
  void allocate(const Memory& memory, const Hits&, const Binned&, const Found&,
                const HostTripletCounts& counts, StartSeeds<T, MemorySpace>& seeds) const {
    const int n = counts.total().seeds;
    seeds.allocate(memory.of(seeds), n, 3);
    allocate_array(memory.of(seeds), seeds.layer, "Trackplex::Seeding::seed_layer", std::size_t(n));
  }
  /// Enqueues the kernels.
  void operator()(const ExecutionSpace& exec, const Hits& hits, const Binned& binned,
                  const Found& triplets, const HostTripletCounts&,
                  StartSeeds<T, MemorySpace>& seeds) const {
    using Tracks = TrackHits<MemorySpace>;
    for_each_tile<int>(exec, "Trackplex::Seeding::clear_detector_seeds", seeds.size(),
                       detail::ClearDetectorSeeds<Tracks>{seeds.hits, seeds.layer.data()});
    for_each_tile<int>(exec, "Trackplex::Seeding::fill_detector_seeds", hits.hits,
                       detail::FillDetectorSeeds<Hits, Binned, Found, Tracks>{
                           hits, binned, triplets, seeds.hits, seeds.layer.data(),
                           detector.layer_of_module.data()});
    start_states<Width>(exec, DetectorPoints<T, MemorySpace>{hits, detector}, seeds.hits, field,
                        start, seeds.states);
  }
};

/// Kalman fit of the hits of seeds in a detector of modules, from the start states to the
/// plane of the last hit's module. The material is that of the detector. The seeds alias the arrays
/// of the start: the fit overwrites their states. One kernel.
/// @tparam Field functor `field(x, y, z)`, see kalman/propagation.hpp
/// @tparam Width number of lanes
/// @tparam Model meaning of the last three parameters of the states
template <class T, class ExecutionSpace, class Field = kalman::UniformField,
          int Width = default_lane_width<ExecutionSpace, T, KernelKind::track_states>,
          kalman::TrackModel Model = kalman::CentralTrack>
struct FitDetectorSeeds {
  static constexpr const char* name = "fit_detector_seeds";
  static constexpr bool aliases_inputs = true;        ///< the seeds use the arrays of the start
  using MemorySpace = MemoryOf<ExecutionSpace>;       ///< of all arrays
  using Hits = search::DetectorHits<T, MemorySpace>;  ///< input

  geometry::Detector<T, MemorySpace> detector;  ///< of the hits
  Field field;                                  ///< B or B_z, T
  kalman::FitOptions options{};                 ///< of the fit
  bool with_material = true;                    ///< false: the fit neglects material

  /// Aliases the start and allocates the results of the fits, one per seed.
  template <class Memory>
  void allocate(const Memory& memory, const Hits&, const StartSeeds<T, MemorySpace, Model>& start,
                Seeds<T, MemorySpace, Model>& seeds) const {
    static_cast<StartSeeds<T, MemorySpace, Model>&>(seeds) = start;
    seeds.fit.allocate(memory.of(seeds), start.size());
  }
  /// Enqueues the fit of all seeds.
  /// @throws UsageError if hits, seeds and detector do not match, or for options out of range
  void operator()(const ExecutionSpace& exec, const Hits& hits,
                  const StartSeeds<T, MemorySpace, Model>&,
                  Seeds<T, MemorySpace, Model>& seeds) const {
    const DetectorTrackLayers<T, MemorySpace> layers{hits, seeds.hits, detector, with_material};
    kalman::fit_tracks<Width>(exec, seeds.states, field, layers, options, seeds.fit);
  }
};

}  // namespace trackplex::seeding
