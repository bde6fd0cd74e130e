// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/lhcb/velo/detail/triplet_seeding.hpp>
#include <trackplex/lhcb/velo/line_fit.hpp>

#include <cstddef>
#include <cstdint>

namespace trackplex::lhcb::detail {

/// Search by triplet for one event per team. Layers are walked upstream; at each one the open
/// tracks are forwarded to it, then it closes new seeds. Flags of used hits are written only while
/// forwarding and read only while seeding, and every list is kept in the order of its hits, so that
/// the result does not depend on the distribution of the work.
template <class Phi, class Groups, class Real, class InputHits, class Sorted, class Output,
          class ModuleZ>
struct SearchByTriplet {
  using RealScalar = ScalarOf<Real>;
  using Integer = IntegerOf<Real>;
  using I = ScalarOf<Integer>;
  using Event = SortedEvent<Phi, Groups, RealScalar>;
  using Scratch = TripletScratch<RealScalar>;
  using Unused = UnusedHits<RealScalar>;
  using Follow = FollowList<RealScalar>;

  InputHits hits;
  Sorted sorted;
  Output tracks;
  ModuleZ module_z;  ///< nominal z of the modules, mm
  TripletCuts<RealScalar> cuts;
  int layers;
  TripletSizes sizes;

  KOKKOS_FUNCTION std::size_t scratch_bytes() const {
    ScratchCarver carver;
    Scratch(carver, sizes);
    return carver.bytes();
  }

  /// State of the search in one event. Each thread of the team has its own
  /// identical copy.
  struct State {
    Event event;
    Scratch scratch;
    int capacity;
    int candidates = 0;
    int overflow = 0;
    int current = 0;  ///< which follow list is this step's
  };

  template <class Member>
  KOKKOS_FUNCTION void operator()(const Member& member, ScratchCarver carver) const {
    const TeamLanes<Real, Member> team(member);
    const int number = member.league_rank();
    const std::size_t slot = first_slot(hits.event_offsets(number), number, tracks.hits_per_slot);
    const std::size_t end =
        first_slot(hits.event_offsets(number + 1), number + 1, tracks.hits_per_slot);
    State state{sorted_event<Phi, Groups, RealScalar>(sorted, hits, layers, number),
                Scratch(carver, sizes), int(end - slot)};

    prepare(team, state);
    seed(team, state, layers - 1, cuts.nearest_first);
    for (int layer = layers - 2; layer >= 2; --layer) {
      forward(team, state, layer - 2);
      seed(team, state, layer, cuts.nearest_next);
    }
    accept(team, state);
    write(team, state, slot, number);
  }

 private:
  template <class Team>
  KOKKOS_FUNCTION void prepare(const Team& team, const State& state) const {
    const Event& event = state.event;
    team.for_each(event.n, [&](Tile<Real> tile) {
      const auto phi = tile.template load<typename Phi::template Lane<Real>>(event.phi);
      const Quartet<Real> record{tile.load(event.x), tile.load(event.y), tile.load(event.z),
                                 Phi::template to_record<Real>(phi)};
      store_quartets(state.scratch.records + tile.first, record, tile.count);
      tile.store(state.scratch.used, Integer(0));
    });
    team.barrier();
  }

  /// Seeds with h0, h1, h2 in `layer`, `layer` - 1 and `layer` - 2 join the tracks that are
  /// followed.
  template <class Team>
  KOKKOS_FUNCTION void seed(const Team& team, State& state, int layer,
                            [[maybe_unused]] int nearest) const {
    auto& scratch = state.scratch;
    for (int side = Groups::sides - 1; side >= 0; --side) {
      Unused &list0 = scratch.unused[0], &list1 = scratch.unused[1], &list2 = scratch.unused[2];
      collect_unused<true, !Groups::merge_sides>(team, state, layer, side, list0);
      collect_unused<false, false>(team, state, layer - 1, side, list1);
      collect_unused<true, true>(team, state, layer - 2, side, list2);
      team.barrier();
      if constexpr (!Groups::merge_sides) count_by_bin(team, state, list0);
      count_by_bin(team, state, list2);
      team.barrier();
      team.for_each(scratch.unused[1].n, [&](Tile<Real> tile) {
        BestPair<Real> best;
        if constexpr (Groups::merge_sides) {
          best = best_pair_nearest<Real>(tile, state.event, scratch.records, scratch.unused, cuts,
                                         module_z, layer, nearest);
        } else {
          best = best_pair_window<Event>(tile, scratch.records, scratch.unused, cuts, side);
        }
        store_pairs(tile, best, scratch);
      });
      team.barrier();
      append_seeds(team, state);
    }
  }

  /// The best pairs of a tile of middle hits, as places in the event.
  KOKKOS_FUNCTION static void store_pairs(const Tile<Real>& tile, const BestPair<Real>& best,
                                          const Scratch& scratch) {
    const auto found = tile.mask() && best.h0 >= Integer(0);
    const Integer h0 = gather<Integer>(scratch.unused[0].place, best.h0, found);
    const Integer h2 = gather<Integer>(scratch.unused[2].place, best.h2, found);
    tile.store(scratch.seed_h0, select(found, h0, Integer(-1)));
    tile.store(scratch.seed_h2, select(found, h2, Integer(-1)));
  }

  /// Lists the unused hits of a group: their places, and if wanted the counts and the records that
  /// windows need.
  template <bool Counts, bool Records, class Team>
  KOKKOS_FUNCTION void collect_unused(const Team& team, const State& state, int layer, int side,
                                      Unused& list) const {
    const auto& scratch = state.scratch;
    const int group = Groups::group_of(layer, side);
    const int begin = state.event.begin(group), size = state.event.end(group) - begin;
    list.group = group;
    list.n = team.compact_tiles(
        size,
        [&](Tile<Real> tile) {
          return tile.template load<Integer>(scratch.used + begin) == Integer(0);
        },
        [&](Tile<Real> tile, MaskOf<Real> mask, int to) {
          team.compress_store(list.place + to, tile.index() + Integer(I(begin)), mask);
          if constexpr (Counts) tile.store(list.before, Integer(I(to)) + lanes_before<Real>(mask));
          if constexpr (Records)
            for_each_lane(mask, [&, next = to](int lane) mutable {
              list.records[next++] = scratch.records[begin + tile.first + lane];
            });
        });
    if constexpr (Counts) team.single([&] { list.before[size] = I(list.n); });
  }

  /// The table of bins of a list, for windows over it.
  template <class Team>
  KOKKOS_FUNCTION static void count_by_bin(const Team& team, const State& state,
                                           const Unused& list) {
    const auto* const offsets = state.event.bin_offsets + list.group * Groups::bins;
    const Integer begin = Integer(I(state.event.begin(list.group)));
    team.for_each(Groups::bins + 1, [&](Tile<Real> tile) {
      const Integer place = tile.template load<Integer>(offsets) - begin;
      tile.store(list.bin_offsets, gather<Integer>(list.before, place, tile.mask()));
    });
  }

  /// A candidate and an open track for each middle hit with partners, as far as there are
  /// slots.
  template <class Team>
  KOKKOS_FUNCTION void append_seeds(const Team& team, State& state) const {
    const auto& scratch = state.scratch;
    auto& follow = state.scratch.follow[state.current];
    const int room = state.capacity - state.candidates;
    const int seeds = team.compact_tiles(
        scratch.unused[1].n,
        [&](Tile<Real> tile) { return tile.template load<Integer>(scratch.seed_h0) >= Integer(0); },
        [&](Tile<Real> tile, MaskOf<Real> mask, int number) {
          mask = mask && Integer(I(number)) + lanes_before<Real>(mask) < Integer(I(room));
          if (any_of(mask))
            write_seeds(team, tile, mask, state, state.candidates + number, follow,
                        follow.n + number);
        });
    const int added = seeds < room ? seeds : room;
    state.overflow += seeds - added;
    state.candidates += added;
    follow.n += added;
  }

  template <class Team>
  KOKKOS_FUNCTION static void write_seeds(const Team& team, const Tile<Real>& tile,
                                          MaskOf<Real> mask, const State& state, int candidate,
                                          const Follow& follow, int to) {
    const auto& scratch = state.scratch;
    const Integer h0 = tile.template load<Integer>(scratch.seed_h0);
    const Integer h1 = tile.template load<Integer>(scratch.unused[1].place);
    const Integer h2 = tile.template load<Integer>(scratch.seed_h2);
    team.compress_store(scratch.hits + candidate, h0, mask);
    team.compress_store(scratch.hits + scratch.capacity + candidate, h1, mask);
    team.compress_store(scratch.hits + 2 * scratch.capacity + candidate, h2, mask);
    team.compress_store(scratch.length + candidate, Integer(3), mask);
    team.compress_store(follow.h0 + to, h1, mask);
    team.compress_store(follow.h1 + to, h2, mask);
    team.compress_store(follow.misses + to, Integer(0), mask);
    team.compress_store(follow.length + to, Integer(3), mask);
    team.compress_store(follow.candidate + to, Integer(I(candidate)) + lanes_before<Real>(mask),
                        mask);
  }

  /// Each open track takes the best hit of the layer; tracks that find a hit, or may still miss
  /// one, stay open.
  template <class Team>
  KOKKOS_FUNCTION void forward(const Team& team, State& state, int layer) const {
    const auto& scratch = state.scratch;
    const auto& follow = scratch.follow[state.current];
    team.for_each(follow.n, [&](Tile<Real> tile) {
      const Integer found = best_hit(tile, state, follow, layer);
      tile.store(scratch.found, found);
      for_each_lane(found >= Integer(0) && tile.mask(), [&](int lane) {
        const int i = tile.first + lane;
        extend(team, scratch, int(follow.candidate[i]), int(follow.length[i]),
               int(extract(found, lane)));
      });
    });
    team.barrier();

    auto& next = state.scratch.follow[1 - state.current];
    next.n = team.compact_tiles(
        follow.n,
        [&](Tile<Real> tile) {
          const auto moved = tile.template load<Integer>(scratch.found) >= Integer(0);
          const auto may_grow =
              tile.template load<Integer>(follow.length) < Integer(max_track_hits - 1);
          const auto may_miss =
              tile.template load<Integer>(follow.misses) < Integer(I(cuts.max_skipped));
          return (moved && may_grow) || (!moved && may_miss);
        },
        [&](Tile<Real> tile, MaskOf<Real> mask, int to) {
          carry_over(team, tile, mask, state, follow, next, to);
        });
    state.current = 1 - state.current;
  }

  /// Place of the best hit of each track of a tile in the layer, or -1. Hits of other tracks may be
  /// taken.
  KOKKOS_FUNCTION Integer best_hit(const Tile<Real>& tile, const State& state, const Follow& follow,
                                   int layer) const {
    const Event& event = state.event;
    const auto mask = tile.mask();
    const Integer place0 = tile.template load<Integer>(follow.h0);
    const Quartet<Real> h0 = gather_quartets<Real>(state.scratch.records, place0);
    const Quartet<Real> h1 =
        gather_quartets<Real>(state.scratch.records, tile.template load<Integer>(follow.h1));
    const HitLine<Real> line(h0, h1);
    const auto side0 = gather<Integer>(event.side, place0, mask);
    const auto width = window_width();

    Real best = Real(cuts.max_scatter);
    Integer found = Integer(-1);
    for (int side = Groups::sides - 1; side >= 0; --side) {
      const Integer lane_side = Groups::merge_sides ? side0 : Integer(I(side));
      const Real dz = select(lane_side == Integer(0), Real(module_z(2 * layer)),
                             Real(module_z(2 * layer + 1))) -
                      h0.z;
      const auto key =
          Phi::template of<Real>(line.x + line.tx * dz, line.y + line.ty * dz, lane_side);
      const PhiWindow<Real, Event> window(event, Groups::group_of(layer, side), key, width,
                                          lane_side, mask);
      window.for_each(state.scratch.records,
                      [&](Integer place, const Quartet<Real>& hit, MaskOf<Real> inside) {
                        const Real s = scatter_of(cuts, line, h1.z, hit, inside);
                        const auto better = inside && s < best;
                        best = select(better, s, best);
                        found = select(better, place, found);
                      });
    }
    return found;
  }

  KOKKOS_FUNCTION typename Phi::template Lane<Real> window_width() const {
    if constexpr (Phi::circular) {
      return Phi::width(Real(cuts.phi_window));
    } else {
      return Real(cuts.phi_window);
    }
  }

  /// Appends a hit to a candidate and flags used hits: the hit itself, and with the fourth hit
  /// also the first three.
  template <class Team>
  KOKKOS_FUNCTION static void extend(const Team& team, const Scratch& scratch, int candidate,
                                     int length, int place) {
    std::uint16_t* const hits = scratch.hits + candidate;
    hits[length * scratch.capacity] = std::uint16_t(place);
    scratch.length[candidate] = std::uint8_t(length + 1);
    team.raise(scratch.used + place);
    if (length == 3)
      for (int h = 0; h < 3; ++h) team.raise(scratch.used + hits[h * scratch.capacity]);
  }

  /// Appends the tracks of a tile that stay open, with the hits found, to the list of the next
  /// step.
  template <class Team>
  KOKKOS_FUNCTION static void carry_over(const Team& team, const Tile<Real>& tile,
                                         MaskOf<Real> mask, const State& state, const Follow& from,
                                         const Follow& next, int to) {
    if (none_of(mask)) return;
    const auto found = tile.template load<Integer>(state.scratch.found);
    const auto moved = mask && found >= Integer(0);
    const Integer h0 = tile.template load<Integer>(from.h0),
                  h1 = tile.template load<Integer>(from.h1);
    team.compress_store(next.h0 + to, select(moved, h1, h0), mask);
    team.compress_store(next.h1 + to, select(moved, found, h1), mask);
    const Integer misses = tile.template load<Integer>(from.misses),
                  length = tile.template load<Integer>(from.length);
    team.compress_store(next.misses + to, select(moved, Integer(0), misses + Integer(1)), mask);
    team.compress_store(next.length + to, select(moved, length + Integer(1), length), mask);
    team.compress_store(next.candidate + to, tile.template load<Integer>(from.candidate), mask);
  }

  /// Longer candidates are tracks; candidates of three hits are tracks if no hit is used and they
  /// fit a line.
  template <class Team>
  KOKKOS_FUNCTION void accept(const Team& team, const State& state) const {
    const auto& scratch = state.scratch;
    team.for_each(state.candidates, [&](Tile<Real> tile) {
      const Integer length = tile.template load<Integer>(scratch.length);
      auto weak = tile.mask() && length == Integer(3);
      Integer place[3];
      for (int h = 0; h < 3; ++h) {
        place[h] = tile.template load<Integer>(scratch.hits + h * scratch.capacity);
        weak = weak && gather<Integer>(scratch.used, place[h], weak) == Integer(0);
      }
      Quartet<Real> hit[3];
      LineFit<Real> fit;
      for (int h = 0; h < 3; ++h) {
        hit[h] = gather_quartets<Real>(scratch.records, select(weak, place[h], Integer(0)));
        fit.add_to_mean(hit[h].x, hit[h].y, hit[h].z, weak);
      }
      fit.finish_mean();
      for (int h = 0; h < 3; ++h) fit.add_to_slope(hit[h].x, hit[h].y, hit[h].z, weak);
      fit.finish_slope();
      for (int h = 0; h < 3; ++h) fit.add_to_chi2(hit[h].x, hit[h].y, hit[h].z, weak);
      const auto good = (length > Integer(3)) || (weak && fit.sum2 < Real(cuts.max_weak_sum2));
      tile.store(scratch.accepted, select(good, Integer(1), Integer(0)));
    });
    team.barrier();
  }

  template <class Team>
  KOKKOS_FUNCTION void write(const Team& team, const State& state, std::size_t slot,
                             int number) const {
    const auto& scratch = state.scratch;
    const int count = team.compact(
        state.candidates, [&](int i) { return scratch.accepted[i] != 0; },
        [&](int i, int to) {
          const int length = scratch.length[i];
          tracks.length(slot + to) = std::uint8_t(length);
          for (int h = 0; h < length; ++h)
            tracks.hits(h * tracks.slots + slot + to) =
                state.event.index[scratch.hits[h * scratch.capacity + i]];
        });
    team.single([&] {
      tracks.count(number) = std::uint32_t(count);
      tracks.overflow(number) = std::uint32_t(state.overflow);
    });
  }
};

}  // namespace trackplex::lhcb::detail
