// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Track building from seeds outwards, layer by layer, on cylinders or in any detector (G. Cerati
/// et al., "Parallelized Kalman-filter-based reconstruction of particle tracks on many-core
/// processors and GPUs", EPJ Web Conf. 150 (2017) 00006).

#include <trackplex/candidates/detail/best_hit.hpp>
#include <trackplex/candidates/detail/combinatorial.hpp>
#include <trackplex/candidates/detail/steps_in_hits.hpp>
#include <trackplex/core/algorithm.hpp>
#include <trackplex/core/launch.hpp>

#include <string>
#include <type_traits>

namespace trackplex::candidates {

/// Strategy with one candidate per seed, which is updated on each layer with the compatible hit
/// of the smallest chi2, if there is one.
struct BestHit {
  static constexpr const char* name = "best_hit";
};

/// Combinatorial strategy with up to `Candidates` candidates per seed: each branches into one
/// child per compatible hit and one without a hit. The states of all children are computed, and the
/// best children are kept.
template <int Candidates = 6>
struct Standard {
  static constexpr const char* name = "standard";
};

/// Combinatorial strategy with the candidates and the results of `Standard`, computed in another
/// order: children are ranked first, and only the best are cloned and updated.
template <int Candidates = 6>
struct CloneEngine {
  static constexpr const char* name = "clone_engine";
};

/// Shape of a team of the combinatorial strategies. Results do not depend on it.
struct TeamShape {
  int seeds = 32;   ///< seeds per team: their candidates fill the lanes or the threads
  int threads = 0;  ///< threads per team; 0: the default of the space
};

namespace detail {

/// The kernel of a strategy.
template <class Strategy>
struct KernelOf;
template <>
struct KernelOf<BestHit> {
  template <class Real, class Search, class Found>
  using type = BestHitBuilder<Real, Search, Found>;
};
template <int N>
struct KernelOf<Standard<N>> {
  template <class Real, class Search, class Found>
  using type = CombinatorialBuilder<Real, N, true, Search, Found>;
};
template <int N>
struct KernelOf<CloneEngine<N>> {
  template <class Real, class Search, class Found>
  using type = CombinatorialBuilder<Real, N, false, Search, Found>;
};

}  // namespace detail

/// Algorithm that builds a track from each seed, on the layers after the seed. It launches one
/// kernel.
///
/// In `search::BinnedHits`, on cylinders: in the order of their radii. In
/// `search::BinnedDetectorHits`, on the modules of any detector: from layer to layer along a graph,
/// see `geometry::Navigation`.
/// @tparam Strategy `BestHit`, `Standard` or `CloneEngine`
/// @tparam Field functor `field(x, y, z)`, see kalman/field_along_z.hpp; for detectors also a
/// vector field
/// @tparam Binned a `search::BinnedHits` or `search::BinnedDetectorHits`
/// @tparam Width number of lanes
/// @tparam Model track model; on cylinders `CentralTrack`
template <class Strategy, class T, class ExecutionSpace, class Field = kalman::UniformField,
          class Binned = search::BinnedHits<T, MemoryOf<ExecutionSpace>>,
          int Width = default_lane_width<ExecutionSpace, T, KernelKind::track_states>,
          kalman::TrackModel Model = kalman::CentralTrack>
struct BuildTracks {
  static constexpr const char* name = Strategy::name;
  using Steps = detail::StepsInHits<Binned>;                 ///< what depends on the kind of hits
  using MemorySpace = MemoryOf<ExecutionSpace>;              ///< of its arrays
  using Seeds = seeding::Seeds<T, MemorySpace, Model>;       ///< input, together with binned hits
  using Found = tracks::FoundTracks<T, MemorySpace, Model>;  ///< output

  /// `tracks::CylinderLayers` with the radii of the layers, or `geometry::Navigation`.
  typename Steps::Detector detector;
  Field field;  ///< B or B_z, T
  /// Cuts, windows and material: `BuildTracksParams` or `DetectorSearchParams`.
  typename Steps::Params params{};
  TeamShape shape{};  ///< of teams; without effect on `BestHit`

  /// Allocates a track for each seed.
  /// @throws UsageError if seeds, hits and detector do not match, or a parameter is out of range
  /// @throws CapacityError if a detector of cylinders has more than `tracks::max_layers` layers
  template <class Memory>
  void allocate(const Memory& memory, const Seeds& seeds, const Binned& binned,
                Found& found) const {
    check(seeds, binned);
    found.allocate(memory.of(found), seeds.size(), Steps::count(detector, params));
  }

  /// Enqueues the kernel on the instance.
  /// @throws UsageError as `allocate`, and if the hits are not binned or the tracks are not
  /// allocated
  /// @throws CapacityError as `allocate`
  void operator()(const ExecutionSpace& exec, const Seeds& seeds, const Binned& binned,
                  Found& found) const {
    check(seeds, binned);
    if (seeds.size() > 0 && binned.events == 0)
      throw UsageError(name, "there are no hits in bins", std::to_string(seeds.size()) + " seeds",
                       "run bin_hits before");
    if (found.size() != seeds.size() || found.hits.layers != Steps::count(detector, params))
      throw UsageError(name, "the tracks are not allocated for these seeds", {},
                       "call allocate() before");
    launch(exec, seeds, binned, found);
  }

 private:
  void check(const Seeds& seeds, const Binned& binned) const {
    Steps::check(name, detector, params, seeds, binned);
    if (shape.seeds < 1)
      throw UsageError(name, "a team needs at least one seed",
                       std::to_string(shape.seeds) + " seeds");
    kalman::check_tracks(name, seeds.states.size(), seeds.size());
  }

  void launch(const ExecutionSpace& exec, const Seeds& seeds, const Binned& binned,
              Found& found) const {
    using Real = LanesOf<T, Width>;
    const auto search =
        Steps::template search<Model>(detector, kalman::field_for<T>(field), params, seeds, binned);
    using Kernel = typename detail::KernelOf<Strategy>::template type<
        Real, std::remove_const_t<decltype(search)>, Found>;
    const auto states = found.states.view();
    const auto seed_states = seeds.states.const_view();
    if constexpr (std::is_same_v<Strategy, BestHit>) {
      for_each_tile<Real>(exec, "Trackplex::Candidates::best_hit", seeds.size(),
                          Kernel{seed_states, seeds.hits, search, states, found});
    } else {
      int stride = Width;
      while (stride < shape.seeds) stride *= 2;
      for_each_team(exec, "Trackplex::Candidates::combinatorial",
                    (seeds.size() + shape.seeds - 1) / shape.seeds,
                    Kernel{seed_states, seeds.hits, search, states, found, shape.seeds, stride},
                    shape.threads);
    }
  }
};

}  // namespace trackplex::candidates

#if defined(TRACKPLEX_INSTANCES)
#include <trackplex/candidates/detail/build_tracks.instances.hpp>
#endif
