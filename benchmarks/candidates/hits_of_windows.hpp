// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "measure_tracking.hpp"

#include <trackplex/candidates/layer_search.hpp>
#include <trackplex/core/launch.hpp>
#include <trackplex/seeding/seeds.hpp>

namespace trackplex::benchmarks {

/// Best hit once more, which counts instead of storing tracks.
template <class T, class SeedStates, class SeedHits, class Binned, class Field, class Counts>
struct CountHitsOfWindows {
  using Real = LanesOf<T, 1>;
  using Integer = IntegerOf<Real>;

  SeedStates seeds;
  SeedHits seed_hits;
  Binned binned;
  tracks::CylinderLayers detector;
  Field field;
  Counts counts;  ///< of each seed: searches, hits looked at, inside, compatible

  KOKKOS_FUNCTION void operator()(const Tile<Real>& tile) const {
    const candidates::BuildTracksParams params;
    auto state = seeds.load(tile);
    const Integer event = tile.template load<Integer>(seed_hits.event.data());
    Integer count[4] = {0, 0, 0, 0};
    MaskOf<Real> reached = tile.mask();
    for (int layer = seed_hits.layers; layer < detector.size; ++layer) {
      candidates::propagate_to_layer(state, reached, field, detector, layer, params);
      count[0] += select(reached, Integer(1), Integer(0));
      Real best_chi2 = Real(T(params.max_chi2));
      Integer best = -1;
      search::for_each_hit_in(
          binned, layer, event, candidates::window_of(state, params), reached,
          [&](const Integer& place, const auto& /*record*/, const MaskOf<Real>& inside) {
            const auto result = candidates::hit_chi2(state, binned.template hit<Real>(place),
                                                     Real(T(params.max_chi2)));
            const auto accepted = inside && result.updated;
            const auto better = accepted && result.chi2 < best_chi2;
            best_chi2 = select(better, result.chi2, best_chi2);
            best = select(better, place, best);
            count[1] += Integer(1);
            count[2] += select(inside, Integer(1), Integer(0));
            count[3] += select(accepted, Integer(1), Integer(0));
          });
      candidates::update_with_hit(state, binned, best, best >= Integer(0));
    }
    for (int i = 0; i < 4; ++i) tile.store(counts.data() + i * tile_stride(), count[i]);
  }

  KOKKOS_FUNCTION int tile_stride() const { return seed_hits.stride(); }
};

/// Adds the counts of a batch to `sum`.
template <class ExecutionSpace, class T, class Binned, class Field>
void add_hits_of_windows(const ExecutionSpace& exec,
                         const seeding::Seeds<T, MemoryOf<ExecutionSpace>>& seeds,
                         const Binned& binned, const tracks::CylinderLayers& detector,
                         const Field& field, double (&sum)[4]) {
  const auto states = seeds.states.const_view();
  const int stride = seeds.hits.stride();
  const Kokkos::View<std::int32_t*, typename ExecutionSpace::memory_space> counts(
      "Trackplex::Benchmarks::hits_of_windows", 4 * std::size_t(stride));
  using Kernel = CountHitsOfWindows<T, std::decay_t<decltype(states)>,
                                    tracks::TrackHits<MemoryOf<ExecutionSpace>>, Binned, Field,
                                    std::decay_t<decltype(counts)>>;
  for_each_tile<typename Kernel::Real>(exec, "Trackplex::Benchmarks::hits_of_windows", seeds.size(),
                                       Kernel{states, seeds.hits, binned, detector, field, counts});
  const auto host = to_host(exec, counts);
  for (int i = 0; i < 4; ++i)
    for (int seed = 0; seed < seeds.size(); ++seed) sum[i] += host(i * stride + seed);
}

}  // namespace trackplex::benchmarks
