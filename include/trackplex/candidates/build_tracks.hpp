// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Track building: from seeds outwards, layer by layer.
/// G. Cerati et al., "Parallelized Kalman-filter-based reconstruction of particle tracks on
/// many-core processors and GPUs", EPJ Web Conf. 150 (2017) 00006.

#include <trackplex/candidates/detail/best_hit.hpp>
#include <trackplex/candidates/detail/combinatorial.hpp>
#include <trackplex/core/launch.hpp>

namespace trackplex::candidates {

/// One candidate for each seed: it takes the hit with the least chi2, or none.
struct BestHit {};

/// Up to `Candidates` candidates for each seed: each has a child for every compatible hit, and one
/// without a hit. The states of all children are computed, those of the best kept.
template <int Candidates = 6>
struct Standard {};

/// The same candidates, in another order of work: children are ranked first, and only the best are
/// cloned and updated.
template <int Candidates = 6>
struct CloneEngine {};

/// How work is shared out. Results do not depend on it.
struct TeamShape {
  int seeds = 32;   ///< of a team: their candidates fill the lanes, or the threads
  int threads = 0;  ///< of a team; 0: the space's own
};

namespace detail {

/// Enqueues the kernel of a strategy.
template <class Strategy>
struct Build;

template <>
struct Build<BestHit> {
  template <int Width, class Space, class T, class Binned, class Field>
  static void enqueue(const Space& exec, const seeding::Seeds<T, MemoryOf<Space>>& seeds,
                      const Binned& binned, const seeding::CylinderLayers& detector,
                      const Field& field, const BuildingParams& params,
                      FoundTracks<T, MemoryOf<Space>>& found, const TeamShape&) {
    using Real = LanesOf<T, Width>;
    const auto states = found.states.view();
    const auto seed_states = seeds.states.const_view();
    using Builder = BestHitBuilder<Real, std::decay_t<decltype(seed_states)>,
                                   seeding::TrackHits<MemoryOf<Space>>, Binned, Field,
                                   std::decay_t<decltype(states)>, FoundTracks<T, MemoryOf<Space>>>;
    for_each_tile<Real>(
        exec, "Trackplex::Candidates::best_hit", seeds.size(),
        Builder{seed_states, seeds.hits, binned, detector, field, params, states, found});
  }
};

template <int N, bool UpdateAllChildren>
struct BuildCombinatorially {
  template <int Width, class Space, class T, class Binned, class Field>
  static void enqueue(const Space& exec, const seeding::Seeds<T, MemoryOf<Space>>& seeds,
                      const Binned& binned, const seeding::CylinderLayers& detector,
                      const Field& field, const BuildingParams& params,
                      FoundTracks<T, MemoryOf<Space>>& found, const TeamShape& shape) {
    using Real = LanesOf<T, Width>;
    int stride = Width;
    while (stride < shape.seeds) stride *= 2;
    const auto states = found.states.view();
    const auto seed_states = seeds.states.const_view();
    using Builder =
        CombinatorialBuilder<Real, N, UpdateAllChildren, std::decay_t<decltype(seed_states)>,
                             seeding::TrackHits<MemoryOf<Space>>, Binned, Field,
                             std::decay_t<decltype(states)>, FoundTracks<T, MemoryOf<Space>>>;
    for_each_team(exec, "Trackplex::Candidates::combinatorial",
                  (seeds.size() + shape.seeds - 1) / shape.seeds,
                  Builder{seed_states, seeds.hits, binned, detector, field, params, states, found,
                          shape.seeds, stride},
                  shape.threads);
  }
};
template <int N>
struct Build<Standard<N>> : BuildCombinatorially<N, true> {};
template <int N>
struct Build<CloneEngine<N>> : BuildCombinatorially<N, false> {};

/// Throws unless seeds, hits and detector belong together.
inline void require_fitting(int seed_layers, int hit_layers, int detector_layers,
                            const TeamShape& shape) {
  if (hit_layers != detector_layers)
    throw UsageError("build_tracks", "hits and detector have different layers",
                     std::to_string(hit_layers) + " and " + std::to_string(detector_layers));
  if (seed_layers > detector_layers)
    throw UsageError("build_tracks", "seeds have more layers than the detector",
                     std::to_string(seed_layers) + " and " + std::to_string(detector_layers));
  if (shape.seeds < 1)
    throw UsageError("build_tracks", "a team needs at least one seed",
                     std::to_string(shape.seeds) + " seeds");
}

}  // namespace detail

/// Builds a track from each seed: on the layers after those of the seed, in the order of their
/// radii. `Strategy` is `BestHit`, `Standard` or `CloneEngine`, Width the number of lanes. `found`
/// grows where it is too small. Enqueues one kernel on the instance.
/// @throws UsageError if seeds, hits and detector do not belong together
template <class Strategy, int Width, class Space, class T, class Binned, class Field>
void build_tracks(const Space& exec, const seeding::Seeds<T, MemoryOf<Space>>& seeds,
                  const Binned& binned, const seeding::CylinderLayers& detector, const Field& field,
                  const BuildingParams& params, FoundTracks<T, MemoryOf<Space>>& found,
                  const TeamShape& shape = {}) {
  detail::require_fitting(seeds.hits.layers, binned.layers, detector.size, shape);
  found.resize(exec, seeds.size(), detector.size);
  detail::Build<Strategy>::template enqueue<Width>(exec, seeds, binned, detector, field, params,
                                                   found, shape);
}

}  // namespace trackplex::candidates
