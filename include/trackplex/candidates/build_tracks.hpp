// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Track building: from seeds outwards, layer by layer.
/// G. Cerati et al., "Parallelized Kalman-filter-based reconstruction of particle tracks on
/// many-core processors and GPUs", EPJ Web Conf. 150 (2017) 00006.

#include <trackplex/candidates/detail/best_hit.hpp>
#include <trackplex/candidates/detail/combinatorial.hpp>
#include <trackplex/core/algorithm.hpp>
#include <trackplex/core/launch.hpp>
#include <trackplex/search/binned_hits.hpp>
#include <trackplex/seeding/seeds.hpp>

#include <string>
#include <type_traits>

namespace trackplex::candidates {

/// One candidate for each seed: it takes the hit with the least chi2, or none.
struct BestHit {
  static constexpr const char* name = "best_hit";
};

/// Up to `Candidates` candidates for each seed: each has a child for every compatible hit, and one
/// without a hit. The states of all children are computed, those of the best kept.
template <int Candidates = 6>
struct Standard {
  static constexpr const char* name = "standard";
};

/// The same candidates, in another order of work: children are ranked first, and only the best are
/// cloned and updated.
template <int Candidates = 6>
struct CloneEngine {
  static constexpr const char* name = "clone_engine";
};

/// Shares of the work. Results do not depend on them.
struct TeamShape {
  int seeds = 32;   ///< of a team: their candidates fill the lanes, or the threads
  int threads = 0;  ///< of a team; 0: the space's own
};

namespace detail {

/// The kernel of a strategy.
template <class Strategy>
struct KernelOf;
template <>
struct KernelOf<BestHit> {
  template <class Real, class Binned, class Field, class Found>
  using type = BestHitBuilder<Real, Binned, Field, Found>;
};
template <int N>
struct KernelOf<Standard<N>> {
  template <class Real, class Binned, class Field, class Found>
  using type = CombinatorialBuilder<Real, N, true, Binned, Field, Found>;
};
template <int N>
struct KernelOf<CloneEngine<N>> {
  template <class Real, class Binned, class Field, class Found>
  using type = CombinatorialBuilder<Real, N, false, Binned, Field, Found>;
};

}  // namespace detail

/// Builds a track from each seed: on the layers after those of the seed, in the order of their
/// radii. `Strategy` is `BestHit`, `Standard` or `CloneEngine`, `Width` the number of lanes. One
/// kernel.
template <class Strategy, class T, class ExecutionSpace, class Field = kalman::UniformField,
          class Binned = search::BinnedHits<T, MemoryOf<ExecutionSpace>>,
          int Width = default_lane_width<ExecutionSpace, T>>
struct BuildTracks {
  static constexpr const char* name = Strategy::name;
  using MemorySpace = MemoryOf<ExecutionSpace>;
  using Seeds = seeding::Seeds<T, MemorySpace>;
  using Found = FoundTracks<T, MemorySpace>;

  seeding::CylinderLayers detector;
  Field field;
  BuildTracksParams params{};
  TeamShape shape{};

  /// @throws UsageError if seeds, hits and detector do not belong together
  template <class Memory>
  void allocate(const Memory& memory, const Seeds& seeds, const Binned& binned,
                Found& found) const {
    check(seeds, binned);
    found.allocate(memory.of(found), seeds.size(), detector.size);
  }

  /// @throws UsageError the same, and if the hits are not in their bins, or nothing is allocated
  void operator()(const ExecutionSpace& exec, const Seeds& seeds, const Binned& binned,
                  Found& found) const {
    check(seeds, binned);
    if (seeds.size() > 0 && binned.events == 0)
      throw UsageError(name, "there are no hits in bins", std::to_string(seeds.size()) + " seeds",
                       "run bin_hits before");
    if (found.size() != seeds.size() || found.hits.layers != detector.size)
      throw UsageError(name, "the tracks are not allocated for these seeds", {},
                       "call allocate() before");
    launch(exec, seeds, binned, found);
  }

 private:
  void check(const Seeds& seeds, const Binned& binned) const {
    if (detector.size > seeding::max_layers)
      throw CapacityError(name, "layers", std::size_t(detector.size), seeding::max_layers);
    if (binned.layers != detector.size)
      throw UsageError(name, "hits and detector have different layers",
                       std::to_string(binned.layers) + " and " + std::to_string(detector.size));
    if (seeds.hits.layers > detector.size)
      throw UsageError(name, "seeds have more layers than the detector",
                       std::to_string(seeds.hits.layers) + " and " + std::to_string(detector.size));
    if (shape.seeds < 1)
      throw UsageError(name, "a team needs at least one seed",
                       std::to_string(shape.seeds) + " seeds");
    kalman::check_tracks(name, seeds.states.size(), seeds.size());
    kalman::check_layer(name, params.material);
    if (seeds.hits.layers < 1 && seeds.size() > 0 && params.material.thickness > 0.)
      throw UsageError(name, "seeds have no layer whose material they could leave");
  }

  void launch(const ExecutionSpace& exec, const Seeds& seeds, const Binned& binned,
              Found& found) const {
    using Real = LanesOf<T, Width>;
    using Kernel = typename detail::KernelOf<Strategy>::template type<Real, Binned, Field, Found>;
    const auto states = found.states.view();
    const auto seed_states = seeds.states.const_view();
    if constexpr (std::is_same_v<Strategy, BestHit>) {
      for_each_tile<Real>(
          exec, "Trackplex::Candidates::best_hit", seeds.size(),
          Kernel{seed_states, seeds.hits, binned, detector, field, params, states, found});
    } else {
      int stride = Width;
      while (stride < shape.seeds) stride *= 2;
      for_each_team(exec, "Trackplex::Candidates::combinatorial",
                    (seeds.size() + shape.seeds - 1) / shape.seeds,
                    Kernel{seed_states, seeds.hits, binned, detector, field, params, states, found,
                           shape.seeds, stride},
                    shape.threads);
    }
  }
};

}  // namespace trackplex::candidates
