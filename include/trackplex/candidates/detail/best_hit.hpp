// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/tracks/found_tracks.hpp>

#include <cstddef>

namespace trackplex::candidates::detail {

/// One candidate per seed, which takes the closest hit of each layer: the state stays in
/// registers from the seed to the last layer. `Search` has the steps on a layer, such as
/// `CylinderSearch`.
template <class Real, class Search, class Found>
struct BestHitBuilder {
  using Integer = IntegerOf<Real>;
  using T = ScalarOf<Real>;

  typename Found::ConstStatesView seeds;
  decltype(Found::hits) seed_hits;
  Search search;
  typename Found::StatesView states;
  Found found;

  KOKKOS_FUNCTION void operator()(const Tile<Real>& tile) const {
    auto state = seeds.load(tile);
    const Integer event = tile.template load<Integer>(seed_hits.event.data());
    Real chi2 = Real(0);
    Integer hits = 0;
    MaskOf<Real> reached = tile.mask();
    auto last = state;
    auto at = search.template first_layer<Real>(tile, seed_hits.layers);
    for (int layer = seed_hits.layers; layer < search.steps(); ++layer) {
      search.propagate(state, reached, at, layer);
      Real best_chi2 = Real(search.constants.max_chi2);
      Integer best = -1;
      search.for_each_compatible_hit(
          at, event, state, reached,
          [&](const Integer& place, const Real& hit_chi2, const MaskOf<Real>& accepted) {
            const auto better = accepted && hit_chi2 < best_chi2;
            best_chi2 = select(better, hit_chi2, best_chi2);
            best = select(better, place, best);
          });
      prefetch(search.binned.index.data(), best);
      const auto taken = best >= Integer(0);
      search.update(state, best, taken);
      if constexpr (Search::own_layers) last = select(taken, state, last);
      chi2 += select(taken, best_chi2, Real(0));
      hits += select(taken, Integer(1), Integer(0));
      const Integer index = gather<Integer>(search.binned.index.data(), best, taken);
      store_hit(tile, layer, select(taken, index, Integer(-1)));
    }
    for (int layer = 0; layer < seed_hits.layers; ++layer)
      store_hit(tile, layer,
                tile.template load<Integer>(seed_hits.index.data() +
                                            std::size_t(layer) * seed_hits.stride()));
    tile.store(found.hits.event.data(), event);
    tile.store(found.chi2.data(), chi2);
    tile.store(found.found.data(), hits);
    if constexpr (Search::own_layers)
      states.store(tile, last);
    else
      states.store(tile, state);
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION void store_hit(const Tile<Real>& tile, int layer,
                                             const Integer& index) const {
    tile.store(found.hits.index.data() + std::size_t(layer) * found.hits.stride(), index);
  }
};

}  // namespace trackplex::candidates::detail
