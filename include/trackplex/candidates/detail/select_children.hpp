// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Selects the candidates for the next layer from the candidates of a layer and their compatible
/// hits: the best N of a seed's children, one child per hit and one without a hit. Candidates that
/// stopped on an earlier layer fill the remaining places.
///
/// The children of a seed are counted candidate by candidate: those with hits, then the one
/// without; a candidate that stopped earlier is its own only child. Equal children stay in this
/// order.

#include <trackplex/candidates/best_by_heap.hpp>
#include <trackplex/candidates/detail/candidate_store.hpp>

namespace trackplex::candidates::detail {

/// The children of candidate k of a tile of seeds.
template <class Real, class Store>
class ChildrenOf {
 public:
  using Integer = IntegerOf<Real>;
  using Mask = MaskOf<Real>;
  using I = ScalarOf<Integer>;

  KOKKOS_FORCEINLINE_FUNCTION ChildrenOf(const Store& store, int layer, int max_holes, int k,
                                         const Tile<Real>& seeds)
      : store_(store) {
    const auto at = store.tile_of(k, seeds);
    const auto fields = store.candidates(layer);
    candidate_ = fields.load(at);
    exists_ = seeds.mask() && candidate_.hits >= Integer(0);
    live_ = exists_ && goes_on(candidate_);
    slot_ = at.index();
    position_ = at.template load<Integer>(store.positions(layer));
    n_ = gather<Integer>(store.n_children, position_, live_);
    const auto carried =
        n_ >= Integer(0) && at.template load<Integer>(fields.holes) < Integer(I(max_holes));
    without_ = select(carried, Integer(hole), stopped_on(Integer(I(layer))));
    if constexpr (Store::own_layers) {
      const auto outside = n_ >= Integer(outside_of_modules);
      n_ = select(outside, n_ - Integer(outside_of_modules), n_);
      without_ = select(outside, Integer(passed), without_);
    }
  }

  KOKKOS_FORCEINLINE_FUNCTION Mask exists() const { return exists_; }
  KOKKOS_FORCEINLINE_FUNCTION Mask live() const { return live_; }
  KOKKOS_FORCEINLINE_FUNCTION Mask stopped_earlier() const { return exists_ && !live_; }
  /// Whether there is a child with hit j.
  KOKKOS_FORCEINLINE_FUNCTION Mask has(int j) const { return live_ && Integer(I(j)) < n_; }

  KOKKOS_FORCEINLINE_FUNCTION RankedChild<Real> with_hit(int j) const {
    const int begin = j * store_.slots;
    const Real more = gather<Real>(store_.child_chi2 + begin, position_, has(j));
    const Integer place = gather<Integer>(store_.child_place + begin, position_, has(j));
    return {candidate_.hits + Integer(1), candidate_.chi2 + more, slot_, place};
  }
  KOKKOS_FORCEINLINE_FUNCTION RankedChild<Real> without_hit() const {
    return {candidate_.hits, candidate_.chi2, slot_, without_};
  }
  KOKKOS_FORCEINLINE_FUNCTION RankedChild<Real> itself() const { return candidate_.ranked_last(); }

 private:
  const Store& store_;
  RankedChild<Real> candidate_;
  Mask exists_, live_;
  Integer slot_, position_, n_, without_;
};

/// Writes a child as candidate k for the next layer.
template <class Real, class Store>
KOKKOS_FORCEINLINE_FUNCTION void store_candidate(const Store& store, int layer, int k,
                                                 const Tile<Real>& seeds,
                                                 const RankedChild<Real>& child) {
  using Integer = IntegerOf<Real>;
  const auto counted = seeds.mask() && !has_stopped(child.hit);
  const Integer before = gather<Integer>(store.candidates(layer).holes, child.parent, counted);
  const Integer holes = select(child.hit == Integer(hole), before + Integer(1), before);
  store.candidates(layer + 1).store(store.tile_of(k, seeds), child.restored(), holes);
}

/// For a tile of seeds: each lane or thread ranks the children of one.
template <class Real, int N, class Search>
KOKKOS_FUNCTION void select_children(const CandidateStore<ScalarOf<Real>, N, Search>& store,
                                     int layer, int max_holes, const Tile<Real>& seeds) {
  BestEntries<RankedChild<Real>, N> best;
  for (int k = 0; k < N; ++k) {
    const ChildrenOf<Real, CandidateStore<ScalarOf<Real>, N, Search>> children(store, layer,
                                                                               max_holes, k, seeds);
    if (none_of(children.exists())) break;
    for (int j = 0; j < N; ++j) {
      if (none_of(children.has(j))) break;
      best.insert(children.with_hit(j), children.has(j));
    }
    best.insert(children.without_hit(), children.live());
    best.insert(children.itself(), children.stopped_earlier());
  }
  best.sort();
  for (int k = 0; k < N; ++k) store_candidate(store, layer, k, seeds, best[k]);
}

/// For one seed, with all threads of a team.
template <class T, int N, class Search, class Team>
KOKKOS_FUNCTION void merge_children(const Team& team, const CandidateStore<T, N, Search>& store,
                                    int layer, int max_holes, int seed) {
  const Tile<T> seeds{seed, 1};
  constexpr int of_candidate = N + 2;
  const auto child = [&](int i) {
    const int k = i / of_candidate, j = i % of_candidate;
    const ChildrenOf<T, CandidateStore<T, N, Search>> children(store, layer, max_holes, k, seeds);
    if (j < N) return children.has(j) ? children.with_hit(j) : RankedChild<T>::nothing();
    if (j == N) return children.live() ? children.without_hit() : RankedChild<T>::nothing();
    return children.stopped_earlier() ? children.itself() : RankedChild<T>::nothing();
  };
  merge_best(
      team, N * of_candidate, N, child,
      [](const RankedChild<T>& a, const RankedChild<T>& b) { return goes_before(a, b); },
      [&](int place, int i) { store_candidate(store, layer, place, seeds, child(i)); });
}

}  // namespace trackplex::candidates::detail
