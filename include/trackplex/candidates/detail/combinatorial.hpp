// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/candidates/best_of_lanes.hpp>
#include <trackplex/candidates/bounded_heap.hpp>
#include <trackplex/candidates/found_tracks.hpp>
#include <trackplex/candidates/layer_search.hpp>
#include <trackplex/core/team_launch.hpp>
#include <trackplex/kalman/state_records.hpp>

namespace trackplex::candidates::detail {

/// A hit that a candidate could take.
template <class T>
struct ChildHit {
  T chi2;
  std::int32_t place;

  struct Better {
    KOKKOS_FORCEINLINE_FUNCTION bool operator()(const ChildHit& a, const ChildHit& b) const {
      return a.chi2 < b.chi2 || (a.chi2 == b.chi2 && a.place < b.place);
    }
  };
};

/// Combinatorial building: a team takes some seeds through all layers. On a layer, every candidate
/// is propagated and looks for hits (`extend`, lanes are candidates); the children of a seed, one
/// for each hit and one without, are ranked, and the best ones are the candidates of the next layer
/// (`select_children`, lanes are seeds). Hits are not copied: a candidate knows which one it was
/// made of, and the best one is followed back at the end.
///
/// Candidate k of seed g stands in slot k * stride + g. Its fields:
///   hits, chi2, holes   what it is ranked by; hits is `nothing` where there is no candidate
///   from                the slot, on the layer before, of the candidate that it was made of
///   hit                 place of the hit that it took there, or `hole`, or, for one that stopped
///   on
///                       layer l, stopped - l
///
/// The clone engine updates a state when it goes on to the next layer, that of the best children
/// only. The standard engine updates the states of all children, and copies those of the best.
template <class Real, int N, bool UpdateAllChildren, class SeedStates, class SeedHits, class Binned,
          class Field, class States, class Found>
struct CombinatorialBuilder {
  using Integer = IntegerOf<Real>;
  using T = ScalarOf<Real>;
  using I = ScalarOf<Integer>;
  using Mask = MaskOf<Real>;
  using Best = BestOfLanes<Real, N>;

  static constexpr int hole = -1, stopped = -2;
  /// Candidates that stopped earlier come after all others.
  static constexpr int last_rank = 1000;

  SeedStates seeds;
  SeedHits seed_hits;
  Binned binned;
  seeding::CylinderLayers detector;
  Field field;
  BuildingParams params;
  States states;
  Found found;
  int seeds_per_team;
  int stride;  ///< seeds_per_team, rounded up to a power of two that no pack exceeds

  struct Scratch {
    kalman::StateRecords<T> predicted;  ///< (1 + layer - first layer) * slots + slot
    kalman::StateRecords<T> updated;    ///< of slots, then (1 + j) * slots + slot for child j
    std::int32_t *from, *hit;           ///< layer * slots + slot
    std::int32_t *hits, *holes, *n_children, *list;
    T* chi2;
    ChildHit<T>* children;  ///< j * slots + slot
    int slots;

    static constexpr int margin = 32;  ///< more than the lanes of a pack

    KOKKOS_FUNCTION Scratch(ScratchCarver& carver, int n_slots, int layers) : slots(n_slots) {
      constexpr int quads = kalman::StateRecords<T>::quads;
      predicted.data = carver.take<Quad<T>>((layers + 1) * slots * quads);
      updated.data = carver.take<Quad<T>>(UpdateAllChildren ? (N + 1) * slots * quads : 0);
      from = carver.take<std::int32_t>((layers + 1) * slots);
      hit = carver.take<std::int32_t>((layers + 1) * slots);
      hits = carver.take<std::int32_t>(slots);
      holes = carver.take<std::int32_t>(slots);
      n_children = carver.take<std::int32_t>(slots);
      list = carver.take<std::int32_t>(slots + margin);
      chi2 = carver.take<T>(slots);
      children = carver.take<ChildHit<T>>(N * slots);
    }
  };

  KOKKOS_FUNCTION int slots() const { return N * stride; }
  KOKKOS_FUNCTION int first_layer() const { return seed_hits.layers; }

  KOKKOS_FUNCTION std::size_t scratch_bytes() const {
    ScratchCarver carver;
    Scratch(carver, slots(), detector.size - first_layer());
    return carver.bytes();
  }

  template <class Member>
  KOKKOS_FUNCTION void operator()(const Member& member, ScratchCarver carver) const {
    const TeamLanes<Real, Member> team(member);
    const Scratch scratch(carver, slots(), detector.size - first_layer());
    const int first = member.league_rank() * seeds_per_team;
    const int n =
        seed_hits.tracks - first < seeds_per_team ? seed_hits.tracks - first : seeds_per_team;
    start(team, scratch, first, n);
    for (int layer = first_layer(); layer < detector.size; ++layer) {
      const int live = list_candidates(team, scratch, layer);
      if constexpr (UpdateAllChildren) copy_chosen(team, scratch, layer, live);
      team.for_each(live, [&](const Tile<Real>& tile) { extend(tile, scratch, layer, first); });
      team.barrier();
      team.for_each(n, [&](const Tile<Real>& tile) { select_children(tile, scratch, layer); });
      team.barrier();
    }
    team.for_each(n, [&](const Tile<Real>& tile) { finish(tile, scratch, first); });
  }

 private:
  /// Where the entries for a layer begin: from what its candidates were made.
  KOKKOS_FORCEINLINE_FUNCTION int made(const Scratch& scratch, int layer) const {
    return (layer - first_layer()) * scratch.slots;
  }
  /// Where the records of the predicted states on a layer begin; the seeds are on the layer before.
  KOKKOS_FORCEINLINE_FUNCTION Integer record(const Scratch& scratch, int layer,
                                             const Integer& slot) const {
    return slot + Integer(I((1 + layer - first_layer()) * scratch.slots));
  }

  /// The seeds are the first candidates.
  template <class Team>
  KOKKOS_FUNCTION void start(const Team& team, const Scratch& scratch, int first, int n) const {
    team.for_each(scratch.slots, [&](const Tile<Real>& tile) {
      tile.store(scratch.hits, Integer(Best::nothing));
    });
    team.barrier();
    team.for_each(n, [&](const Tile<Real>& tile) {
      const Tile<Real> seed{first + tile.first, tile.count};
      const Integer slot = tile.index();
      const auto state = load_seed(seed);
      scratch.predicted.template scatter<Real>(record(scratch, first_layer() - 1, slot), state,
                                               tile.mask());
      tile.store(scratch.hits, Integer(0));
      tile.store(scratch.holes, Integer(0));
      tile.store(scratch.chi2, Real(0));
      tile.store(scratch.from, slot);
      tile.store(scratch.hit, Integer(hole));
    });
    team.barrier();
  }

  /// Seeds of a team need not begin with a tile of the Matriplex.
  KOKKOS_FORCEINLINE_FUNCTION kalman::TrackState<Real> load_seed(const Tile<Real>& tile) const {
    if (seeds_per_team % width_of<Real> == 0) return seeds.load(tile);
    return seeds.load_anywhere(tile);
  }

  /// The slots of the candidates that go on.
  template <class Team>
  KOKKOS_FUNCTION int list_candidates(const Team& team, const Scratch& scratch, int layer) const {
    const std::int32_t* const hit = scratch.hit + made(scratch, layer);
    return team.compact_tiles(
        scratch.slots,
        [&](const Tile<Real>& tile) {
          return tile.template load<Integer>(scratch.hits) >= Integer(0) &&
                 tile.template load<Integer>(hit) > Integer(stopped);
        },
        [&](const Tile<Real>& tile, const Mask& mask, int position) {
          compress_store(scratch.list + position, tile.index(), mask);
        });
  }

  /// The state that a candidate goes on with.
  KOKKOS_FORCEINLINE_FUNCTION kalman::TrackState<Real> state_of(const Scratch& scratch, int layer,
                                                                const Integer& slot,
                                                                const Mask& mask) const {
    if constexpr (UpdateAllChildren) return scratch.updated.template gather<Real>(slot);
    const int begin = made(scratch, layer);
    const Integer from = gather<Integer>(scratch.from + begin, slot, mask);
    const Integer hit = gather<Integer>(scratch.hit + begin, slot, mask);
    auto state = scratch.predicted.template gather<Real>(record(scratch, layer - 1, from));
    update_with_hit(state, binned, hit, mask && hit >= Integer(0));
    return state;
  }

  /// Propagates a tile of candidates and finds the hits that they could take.
  KOKKOS_FUNCTION void extend(const Tile<Real>& tile, const Scratch& scratch, int layer,
                              int first) const {
    const Integer slot = tile.template load<Integer>(scratch.list);
    const auto mask = tile.mask();
    auto state = state_of(scratch, layer, slot, mask);
    auto reached = mask;
    propagate_to_layer(state, reached, field, detector.radius[layer]);
    scratch.predicted.template scatter<Real>(record(scratch, layer, slot), state, mask);
    // A candidate that does not get here cannot go on: no children, not even one without a hit.
    scatter(scratch.n_children, slot, select(reached, Integer(0), Integer(-1)), mask);

    const Integer seed = Integer(I(first)) + (slot & Integer(I(stride - 1)));
    const Integer event = gather<Integer>(seed_hits.event.data(), seed, mask);
    for_each_compatible_hit(binned, layer, event, state, reached, params,
                            [&](const Integer& place, const Real& chi2, const Mask& accepted) {
                              for_each_lane(accepted, [&](int lane) {
                                push_child(
                                    scratch, int(extract(slot, lane)),
                                    {extract(chi2, lane), std::int32_t(extract(place, lane))});
                              });
                            });
    if constexpr (UpdateAllChildren) update_children(scratch, slot, state, mask);
  }

  KOKKOS_FORCEINLINE_FUNCTION void push_child(const Scratch& scratch, int slot,
                                              const ChildHit<T>& child) const {
    using Entries = StridedEntries<ChildHit<T>>;
    BoundedHeap<Entries, typename ChildHit<T>::Better> heap(
        Entries{scratch.children + slot, scratch.slots}, N, {}, scratch.n_children[slot]);
    heap.push(child);
    scratch.n_children[slot] = heap.size();
  }

  /// Hit and chi2 of child j of each lane's candidate.
  struct ChildLanes {
    Integer place;
    Real chi2;
  };
  KOKKOS_FORCEINLINE_FUNCTION ChildLanes child(const Scratch& scratch, const Integer& slot, int j,
                                               const Mask& mask) const {
    ChildLanes lanes{Integer(0), Real(0)};
    for_each_lane(mask, [&](int lane) {
      const auto& entry = scratch.children[j * scratch.slots + int(extract(slot, lane))];
      insert(lanes.place, lane, I(entry.place));
      insert(lanes.chi2, lane, entry.chi2);
    });
    return lanes;
  }

  /// The standard engine's copies: the state of each child.
  KOKKOS_FUNCTION void update_children(const Scratch& scratch, const Integer& slot,
                                       const kalman::TrackState<Real>& state,
                                       const Mask& mask) const {
    const Integer n = gather<Integer>(scratch.n_children, slot, mask);
    for (int j = 0; j < N; ++j) {
      const auto exists = mask && Integer(I(j)) < n;
      if (none_of(exists)) break;
      auto updated = state;
      update_with_hit(updated, binned, child(scratch, slot, j, exists).place, exists);
      const Integer to = slot + Integer(I((1 + j) * scratch.slots));
      scratch.updated.template scatter<Real>(to, updated, exists);
    }
  }

  /// The standard engine's candidates take over the states of the children that they were.
  template <class Team>
  KOKKOS_FUNCTION void copy_chosen(const Team& team, const Scratch& scratch, int layer,
                                   int live) const {
    const int begin = made(scratch, layer);
    team.for_each(live, [&](const Tile<Real>& tile) {
      const auto mask = tile.mask();
      const Integer slot = tile.template load<Integer>(scratch.list);
      const Integer from = gather<Integer>(scratch.from + begin, slot, mask);
      const Integer hit = gather<Integer>(scratch.hit + begin, slot, mask);
      const auto with_hit = mask && hit >= Integer(0);
      const auto predicted =
          scratch.predicted.template gather<Real>(record(scratch, layer - 1, from));
      Integer updated = 0;
      for (int j = 0; j < N; ++j) {
        const Integer n = gather<Integer>(scratch.n_children, from, with_hit);
        const auto exists = with_hit && Integer(I(j)) < n;
        const auto same = exists && child(scratch, from, j, exists).place == hit;
        updated = select(same, from + Integer(I((1 + j) * scratch.slots)), updated);
      }
      const auto chosen = scratch.updated.template gather<Real>(updated);
      scratch.updated.template scatter<Real>(slot, select(with_hit, chosen, predicted), mask);
    });
    team.barrier();
  }

  /// Ranks the children of a tile of seeds; the best are the next layer's candidates.
  KOKKOS_FUNCTION void select_children(const Tile<Real>& tile, const Scratch& scratch,
                                       int layer) const {
    Best best;
    rank_children(tile, scratch, layer, best);
    const int next = made(scratch, layer + 1);
    Integer holes[N];
    for (int k = 0; k < N; ++k) {
      const auto made_hole = tile.mask() && best[k].hit == Integer(hole);
      const Integer before = gather<Integer>(scratch.holes, best[k].parent, made_hole);
      holes[k] = select(made_hole, before + Integer(1), Integer(0));
      const auto took_hit = tile.mask() && best[k].hit >= Integer(0);
      holes[k] =
          select(took_hit, gather<Integer>(scratch.holes, best[k].parent, took_hit), holes[k]);
    }
    for (int k = 0; k < N; ++k) {
      const Tile<Real> to{k * stride + tile.first, tile.count};
      const Integer rank = best[k].hits;
      // Those that stopped earlier get their number of hits back.
      const auto earlier = rank < Integer(0) && rank > Integer(Best::nothing);
      to.store(scratch.hits, select(earlier, rank + Integer(last_rank), rank));
      to.store(scratch.holes, holes[k]);
      to.store(scratch.chi2, best[k].chi2);
      to.store(scratch.from + next, best[k].parent);
      to.store(scratch.hit + next, best[k].hit);
    }
  }

  KOKKOS_FUNCTION void rank_children(const Tile<Real>& tile, const Scratch& scratch, int layer,
                                     Best& best) const {
    const int begin = made(scratch, layer);
    for (int k = 0; k < N; ++k) {
      const Tile<Real> at{k * stride + tile.first, tile.count};
      const Integer hits = at.template load<Integer>(scratch.hits);
      const auto exists = tile.mask() && hits >= Integer(0);
      if (none_of(exists)) break;
      const Integer hit = at.template load<Integer>(scratch.hit + begin);
      const auto live = exists && hit > Integer(stopped);
      const Real chi2 = at.template load<Real>(scratch.chi2);
      const Integer slot = at.index();
      const Integer n = at.template load<Integer>(scratch.n_children);
      for (int j = 0; j < N; ++j) {
        const auto is_child = live && Integer(I(j)) < n;
        if (none_of(is_child)) break;
        const auto lanes = child(scratch, slot, j, is_child);
        best.insert({hits + Integer(1), chi2 + lanes.chi2, slot, lanes.place}, is_child);
      }
      const Integer holes = at.template load<Integer>(scratch.holes);
      const auto carried = n >= Integer(0) && holes < Integer(I(params.max_holes));
      best.insert({hits, chi2, slot, select(carried, Integer(hole), Integer(stopped - layer))},
                  live);
      const Integer from = at.template load<Integer>(scratch.from + begin);
      best.insert({hits - Integer(last_rank), chi2, from, hit}, exists && !live);
    }
  }

  /// Follows the best candidate of each seed back, layer by layer.
  KOKKOS_FUNCTION void finish(const Tile<Real>& tile, const Scratch& scratch, int first) const {
    const Tile<Real> seed{first + tile.first, tile.count};
    auto best = best_candidate(tile, scratch);
    const auto mask = tile.mask();
    seed_tile_store(seed, scratch, best, mask);
    Integer from = best.parent, hit = best.hit;
    const Integer end =
        select(hit <= Integer(stopped), Integer(stopped) - hit, Integer(I(detector.size - 1)));
    for (int layer = detector.size - 1; layer >= first_layer(); --layer) {
      const auto searched = mask && Integer(I(layer)) <= end;
      const auto taken = searched && hit >= Integer(0);
      const Integer index = gather<Integer>(binned.index.data(), hit, taken);
      store_hit(seed, layer, select(taken, index, Integer(-1)));
      const int begin = made(scratch, layer);
      const Integer at = from;
      from = select(searched, gather<Integer>(scratch.from + begin, at, searched), from);
      hit = select(searched, gather<Integer>(scratch.hit + begin, at, searched), hit);
    }
    for (int layer = 0; layer < first_layer(); ++layer)
      store_hit(seed, layer,
                load_first<Integer>(
                    seed_hits.index.data() + std::size_t(layer) * seed_hits.stride() + seed.first,
                    seed.count));
  }

  KOKKOS_FORCEINLINE_FUNCTION RankedChild<Real> best_candidate(const Tile<Real>& tile,
                                                               const Scratch& scratch) const {
    const int end = made(scratch, detector.size);
    RankedChild<Real> best{Integer(Best::nothing), Real(0), Integer(0), Integer(hole)};
    for (int k = 0; k < N; ++k) {
      const Tile<Real> at{k * stride + tile.first, tile.count};
      const RankedChild<Real> candidate{at.template load<Integer>(scratch.hits),
                                        at.template load<Real>(scratch.chi2),
                                        at.template load<Integer>(scratch.from + end),
                                        at.template load<Integer>(scratch.hit + end)};
      best = select(tile.mask() && goes_before(candidate, best), candidate, best);
    }
    return best;
  }

  KOKKOS_FORCEINLINE_FUNCTION void seed_tile_store(const Tile<Real>& seed, const Scratch& scratch,
                                                   const RankedChild<Real>& best,
                                                   const Mask& mask) const {
    const auto ended = mask && best.hit <= Integer(stopped);
    const Integer end = select(ended, Integer(stopped) - best.hit, Integer(I(detector.size - 1)));
    const Integer last =
        best.parent + (end - Integer(I(first_layer() - 1))) * Integer(I(scratch.slots));
    auto state = scratch.predicted.template gather<Real>(last);
    update_with_hit(state, binned, best.hit, mask && best.hit >= Integer(0));
    store_state(seed, state);
    seed.store(found.chi2.data(), best.chi2);
    seed.store(found.found.data(), best.hits);
    seed.store(found.hits.event.data(), seed.template load<Integer>(seed_hits.event.data()));
  }

  KOKKOS_FORCEINLINE_FUNCTION void store_state(const Tile<Real>& seed,
                                               const kalman::TrackState<Real>& state) const {
    if (seeds_per_team % width_of<Real> == 0) return states.store(seed, state);
    states.store_anywhere(seed, state);
  }

  KOKKOS_FORCEINLINE_FUNCTION void store_hit(const Tile<Real>& seed, int layer,
                                             const Integer& index) const {
    seed.store(found.hits.index.data() + std::size_t(layer) * found.hits.stride(), index);
  }
};

}  // namespace trackplex::candidates::detail
