// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/candidates/detail/select_children.hpp>
#include <trackplex/tracks/found_tracks.hpp>

#include <cstddef>
#include <cstdint>

namespace trackplex::candidates::detail {

/// Combinatorial building: a team follows some seeds through all layers. On a layer, every
/// candidate is propagated and searches for hits (lanes are candidates); then the children of each
/// seed are ranked, and the best become the candidates for the next layer (lanes are seeds). Hits
/// are not copied: a candidate refers to its parent, and the best one is followed back at the end.
///
/// The clone engine updates states on the way to the next layer, only those of the best
/// children. The standard engine updates the states of all children.
///
/// `Search` has the steps on a layer, such as `CylinderSearch`.
template <class Real, int N, bool UpdateAllChildren, class Search, class Found>
struct CombinatorialBuilder {
  using Integer = IntegerOf<Real>;
  using T = ScalarOf<Real>;
  using I = ScalarOf<Integer>;
  using Mask = MaskOf<Real>;
  using Child = RankedChild<Real>;
  using Children = BestOfLanes<CompatibleHit<Real>, N>;
  using Store = CandidateStore<T, N, Search>;
  using State = typename Search::template State<Real>;

  typename Found::ConstStatesView seeds;
  decltype(Found::hits) seed_hits;
  Search search;
  typename Found::StatesView states;
  Found found;
  int seeds_per_team;
  int stride;  ///< see CandidateStore

  KOKKOS_FUNCTION std::size_t scratch_bytes() const {
    ScratchCarver carver;
    store_in(carver);
    return carver.bytes();
  }

  template <class Member>
  KOKKOS_FUNCTION void operator()(const Member& member, ScratchCarver carver) const {
    const TeamLanes<Real, Member> team(member);
    const Store store = store_in(carver);
    const int first = member.league_rank() * seeds_per_team;
    const int left = seed_hits.tracks - first;
    const int n = left < seeds_per_team ? left : seeds_per_team;
    start(team, store, first, n);
    for (int layer = seed_hits.layers; layer < search.steps(); ++layer) {
      if constexpr (UpdateAllChildren) find_sources(team, store, layer);
      const int live = list_candidates(team, store, layer);
      team.for_each(live, [&](const Tile<Real>& tile) { extend(tile, store, layer, first); });
      team.barrier();
      select_best(team, store, layer, n);
    }
    team.for_each(n, [&](const Tile<Real>& tile) { finish(tile, store, first); });
  }

 private:
  KOKKOS_FUNCTION Store store_in(ScratchCarver& carver) const {
    return Store(carver, stride, seed_hits.layers, search.steps(), UpdateAllChildren);
  }

  /// The seeds are the first candidates.
  template <class Team>
  KOKKOS_FUNCTION void start(const Team& team, const Store& store, int first, int n) const {
    const auto fields = store.candidates(seed_hits.layers);
    const int layers = search.steps() - seed_hits.layers + 1;
    team.for_each(layers * store.slots, [&](const Tile<Real>& tile) {
      tile.store(fields.hits, Integer(Child::no_hits));
    });
    team.barrier();
    team.for_each(n, [&](const Tile<Real>& tile) {
      const Integer slot = tile.index();
      const int record = store.first_record(seed_hits.layers - 1);
      const Tile<Real> seeds_of_tile{first + tile.first, tile.count};
      store.states.store(record + tile.first, load_seed(seeds_of_tile));
      if constexpr (Search::own_layers)
        tile.store(store.own_layer + record,
                   seeds_of_tile.template load<Integer>(search.seed_layers.data()));
      tile.store(store.positions(seed_hits.layers - 1), slot);
      fields.store(tile, Child{Integer(0), Real(0), slot, Integer(hole)}, Integer(0));
    });
    team.barrier();
  }

  /// Lists the slots of the candidates that have not stopped.
  template <class Team>
  KOKKOS_FUNCTION int list_candidates(const Team& team, const Store& store, int layer) const {
    const auto fields = store.candidates(layer);
    std::int32_t* const positions = store.positions(layer);
    return team.compact_tiles(
        store.slots, [&](const Tile<Real>& tile) { return goes_on(fields.load(tile)); },
        [&](const Tile<Real>& tile, const Mask& mask, int position) {
          team.compress_store(store.list + position, tile.index(), mask);
          tile.store(positions, Integer(I(position)) + lanes_before<Real>(mask));
        });
  }

  /// Returns the state of a candidate after its step on the previous layer.
  KOKKOS_FORCEINLINE_FUNCTION State state_of(const Store& store, int layer, const Integer& slot,
                                             const Mask& mask) const {
    if constexpr (UpdateAllChildren) {
      return store.states.template gather<Real>(gather<Integer>(store.source, slot, mask));
    } else {
      const auto fields = store.candidates(layer);
      const Integer from = gather<Integer>(fields.from, slot, mask);
      const Integer hit = gather<Integer>(fields.hit, slot, mask);
      State state =
          store.states.template gather<Real>(store.record_of(Integer(I(layer - 1)), from, mask));
      search.update(state, hit, mask && hit >= Integer(0));
      return state;
    }
  }

  /// Returns the layers on which candidates are: their own, or the same for all.
  KOKKOS_FORCEINLINE_FUNCTION auto layer_of(const Store& store, int step, const Integer& slot,
                                            const Mask& mask) const {
    if constexpr (Search::own_layers) {
      const Integer from = gather<Integer>(store.candidates(step).from, slot, mask);
      const Integer record = store.record_of(Integer(I(step - 1)), from, mask);
      return Integer(gather<Integer>(store.own_layer, record, mask));
    } else {
      return step - 1;
    }
  }

  /// Propagates a tile of candidates and finds their compatible hits.
  KOKKOS_FUNCTION void extend(const Tile<Real>& tile, const Store& store, int layer,
                              int first) const {
    const Integer slot = tile.template load<Integer>(store.list);
    const auto mask = tile.mask();
    State state = state_of(store, layer, slot, mask);
    auto reached = mask;
    auto at = layer_of(store, layer, slot, mask);
    search.propagate(state, reached, at, layer);
    const int record = store.first_record(layer);
    store.states.store(record + tile.first, state);
    if constexpr (Search::own_layers) tile.store(store.own_layer + record, at);

    const Integer seed = Integer(I(first)) + (slot & Integer(I(stride - 1)));
    const Integer event = gather<Integer>(seed_hits.event.data(), seed, mask);
    Children children;
    search.for_each_compatible_hit(
        at, event, state, reached,
        [&](const Integer& place, const Real& chi2, const Mask& accepted) {
          children.insert({chi2, place}, accepted);
        });
    store_children(tile, store, children, reached, search.expects_hit(at, state));
    if constexpr (UpdateAllChildren) update_children(tile, store, layer, state, children);
  }

  /// A candidate that does not reach a layer has no children, not even one without a hit.
  KOKKOS_FORCEINLINE_FUNCTION void store_children(const Tile<Real>& tile, const Store& store,
                                                  const Children& children, const Mask& reached,
                                                  const Mask& expects_hit) const {
    Integer n = select(reached, Integer(0), Integer(-1));
    for (int j = 0; j < N; ++j) {
      const auto exists = children[j].exists();
      if (none_of(exists)) break;
      tile.store(store.child_chi2 + j * store.slots, children[j].chi2);
      tile.store(store.child_place + j * store.slots, children[j].place);
      n += select(exists, Integer(1), Integer(0));
    }
    if constexpr (Search::own_layers)
      n += select(reached && !expects_hit, Integer(outside_of_modules), Integer(0));
    tile.store(store.n_children, n);
  }

  KOKKOS_FUNCTION void update_children(const Tile<Real>& tile, const Store& store, int layer,
                                       const State& state, const Children& children) const {
    for (int j = 0; j < N; ++j) {
      const auto exists = children[j].exists();
      if (none_of(exists)) break;
      State updated = state;
      search.update(updated, children[j].place, exists);
      store.states.store(store.first_record_of_children(layer, j) + tile.first, updated);
    }
  }

  /// Stores the start states of candidates: those of the selected children.
  template <class Team>
  KOKKOS_FUNCTION void find_sources(const Team& team, const Store& store, int layer) const {
    const auto fields = store.candidates(layer);
    team.for_each(store.slots, [&](const Tile<Real>& tile) {
      const auto candidate = fields.load(tile);
      const auto mask = tile.mask() && goes_on(candidate);
      const auto with_hit = mask && candidate.hit >= Integer(0);
      const Integer position = gather<Integer>(store.positions(layer - 1), candidate.parent, mask);
      const Integer child = find_child(store, layer - 1, position, candidate.hit, with_hit);
      tile.store(store.source,
                 select(with_hit, child, Integer(I(store.first_record(layer - 1))) + position));
    });
    team.barrier();
  }

  /// Returns the record of the child with a hit, of the candidate at a position in the list.
  KOKKOS_FORCEINLINE_FUNCTION Integer find_child(const Store& store, int layer,
                                                 const Integer& position, const Integer& hit,
                                                 const Mask& mask) const {
    const Integer n = gather<Integer>(store.n_children, position, mask);
    Integer record = 0;
    for (int j = 0; j < N; ++j) {
      const auto exists = mask && Integer(I(j)) < n;
      const Integer place = gather<Integer>(store.child_place + j * store.slots, position, exists);
      record = select(exists && place == hit,
                      Integer(I(store.first_record_of_children(layer, j))) + position, record);
    }
    return record;
  }

  template <class Team>
  KOKKOS_FUNCTION void select_best(const Team& team, const Store& store, int layer, int n) const {
    if (seeds_per_team == 1 && !team.alone())
      return merge_children(team, store, layer, search.constants.max_holes, 0);
    team.for_each(n, [&](const Tile<Real>& tile) {
      select_children<Real>(store, layer, search.constants.max_holes, tile);
    });
    team.barrier();
  }

  /// Follows the best candidate of each seed back, layer by layer.
  KOKKOS_FUNCTION void finish(const Tile<Real>& tile, const Store& store, int first) const {
    const Tile<Real> seed{first + tile.first, tile.count};
    const auto mask = tile.mask();
    const Child best = best_candidate(tile, store);
    // The last layer on which it was searched
    const Integer last = Integer(I(search.steps() - 1));
    const Integer end = select(has_stopped(best.hit), layer_of_stop(best.hit), last);
    store_track(seed, store, best, select(mask, end, last));
    Integer from = best.parent, hit = best.hit;
    [[maybe_unused]] Integer last_record = 0, last_hit = -1;
    if constexpr (Search::own_layers)
      last_record = store.record_of(Integer(I(seed_hits.layers - 1)), tile.index(), mask);
    for (int layer = search.steps() - 1; layer >= seed_hits.layers; --layer) {
      const auto searched = mask && Integer(I(layer)) <= end;
      const auto taken = searched && hit >= Integer(0);
      const Integer index = gather<Integer>(search.binned.index.data(), hit, taken);
      store_hit(seed, layer, select(taken, index, Integer(-1)));
      if constexpr (Search::own_layers) {
        const auto is_last = taken && last_hit < Integer(0);
        last_record =
            select(is_last, store.record_of(Integer(I(layer)), from, is_last), last_record);
        last_hit = select(is_last, hit, last_hit);
      }
      const auto before = store.candidates(layer);
      const Integer at = from;
      from = select(searched, gather<Integer>(before.from, at, searched), from);
      hit = select(searched, gather<Integer>(before.hit, at, searched), hit);
    }
    if constexpr (Search::own_layers) store_last_state(seed, store, last_record, last_hit);
  }

  /// If candidates have their own layers, the state of a track is that at its last hit.
  KOKKOS_FORCEINLINE_FUNCTION void store_last_state(const Tile<Real>& seed, const Store& store,
                                                    const Integer& record,
                                                    const Integer& hit) const {
    State state = store.states.template gather<Real>(select(seed.mask(), record, Integer(0)));
    search.update(state, hit, seed.mask() && hit >= Integer(0));
    store_state(seed, state);
  }

  KOKKOS_FORCEINLINE_FUNCTION Child best_candidate(const Tile<Real>& tile,
                                                   const Store& store) const {
    const auto fields = store.candidates(search.steps());
    Child best = fields.load(store.tile_of(0, tile));
    for (int k = 1; k < N; ++k) {
      const Child candidate = fields.load(store.tile_of(k, tile));
      best = select(goes_before(candidate, best), candidate, best);
    }
    return select(tile.mask(), best, Child{Integer(0), Real(0), Integer(0), Integer(hole)});
  }

  KOKKOS_FORCEINLINE_FUNCTION void store_track(const Tile<Real>& seed, const Store& store,
                                               const Child& best, const Integer& end) const {
    if constexpr (!Search::own_layers) {
      State state =
          store.states.template gather<Real>(store.record_of(end, best.parent, seed.mask()));
      search.update(state, best.hit, seed.mask() && best.hit >= Integer(0));
      store_state(seed, state);
    }
    seed.store(found.chi2.data(), best.chi2);
    seed.store(found.found.data(), best.hits);
    seed.store(found.hits.event.data(), seed.template load<Integer>(seed_hits.event.data()));
    for (int layer = 0; layer < seed_hits.layers; ++layer)
      store_hit(seed, layer,
                seed.template load<Integer>(seed_hits.index.data() +
                                            std::size_t(layer) * seed_hits.stride()));
  }

  KOKKOS_FORCEINLINE_FUNCTION void store_hit(const Tile<Real>& seed, int layer,
                                             const Integer& index) const {
    seed.store(found.hits.index.data() + std::size_t(layer) * found.hits.stride(), index);
  }

  /// The seeds of a team need not begin with a tile of the Matriplex.
  KOKKOS_FORCEINLINE_FUNCTION State load_seed(const Tile<Real>& tile) const {
    if (seeds_per_team % width_of<Real> == 0) return seeds.load(tile);
    return seeds.load_anywhere(tile);
  }
  KOKKOS_FORCEINLINE_FUNCTION void store_state(const Tile<Real>& seed, const State& state) const {
    if (seeds_per_team % width_of<Real> == 0) return states.store(seed, state);
    states.store_anywhere(seed, state);
  }
};

}  // namespace trackplex::candidates::detail
