// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/seeding/detail/triplet_seeding.hpp>
#include <trackplex/seeding/line_fit.hpp>

namespace trackplex::seeding::detail {

/// Search by triplet for one event per team. Layers are walked upstream; at each one the open tracks are forwarded to it,
/// then it closes new seeds. Flags of used hits are written only while forwarding and read only while seeding, and every
/// list is kept in the order of its hits, so that the result does not depend on how the work is shared out.
template <class Phi, class Groups, class Real, class InputHits, class Sorted, class Output, class ModuleZ>
struct SearchByTriplet {
  using RealScalar = ScalarOf<Real>;
  using Integer = IntegerOf<Real>;
  using I = ScalarOf<Integer>;
  using Key = typename Phi::Key;
  using Event = search::SortedEvent<Phi, Groups, RealScalar>;
  using Scratch = TripletScratch<RealScalar, Key>;
  using Unused = UnusedHits<RealScalar, Key>;

  InputHits hits;
  Sorted sorted;
  Output tracks;
  ModuleZ module_z;  ///< nominal z of the modules, mm
  TripletCuts<Phi, RealScalar> cuts;
  int layers;
  TripletSizes sizes;

  KOKKOS_FUNCTION std::size_t scratch_bytes() const {
    ScratchCarver carver;
    Scratch(carver, sizes);
    return carver.bytes();
  }

  /// What is known of one event while it is searched. Each thread of the team holds its own, equal copy.
  struct State {
    Event event;
    Scratch scratch;
    int capacity;
    int candidates = 0;
    int overflow = 0;
    int current = 0;  ///< which follow list is this step's
  };

  template <class Member>
  KOKKOS_FUNCTION void operator()(const Member& member) const {
    const TeamLanes<Real, Member> team(member);
    const int number = member.league_rank();
    ScratchCarver carver = team_scratch(member, scratch_bytes());
    const std::size_t slot = first_slot(hits.event_offsets(number), number, tracks.hits_per_slot);
    const std::size_t end = first_slot(hits.event_offsets(number + 1), number + 1, tracks.hits_per_slot);
    State state{search::sorted_event<Phi, Groups, RealScalar>(sorted, hits, layers, number), Scratch(carver, sizes),
                int(end - slot)};

    team.template for_each<int>(state.event.n, [&](Tile<int> hit) { state.scratch.used[hit.first] = 0; });
    team.barrier();
    seed(team, state, layers - 1, cuts.nearest_first);
    for (int layer = layers - 2; layer >= 2; --layer) {
      forward(team, state, layer - 2);
      seed(team, state, layer, cuts.nearest_next);
    }
    accept(team, state);
    write(team, state, slot, number);
  }

 private:
  /// Seeds with h0, h1, h2 in `layer`, `layer` - 1 and `layer` - 2 join the tracks that are followed.
  template <class Team>
  KOKKOS_FUNCTION void seed(const Team& team, State& state, int layer, [[maybe_unused]] int nearest) const {
    for (int side = Groups::sides - 1; side >= 0; --side) {
      auto& unused = state.scratch.unused;
      for (int i = 0; i < 3; ++i) collect_unused(team, state, Groups::group_of(layer - i, side), unused[i]);
      team.for_each(unused[1].n, [&](Tile<Real> tile) {
        BestPair<Real> best;
        if constexpr (Groups::merge_sides) {
          best = best_pair_nearest<Real>(tile, state.event, unused, cuts, module_z, layer, nearest);
        } else {
          best = best_pair_window<Real>(tile, state.event, unused, cuts, side);
        }
        tile.store(state.scratch.seed_h0, best.h0);
        tile.store(state.scratch.seed_h2, best.h2);
      });
      team.barrier();
      append_seeds(team, state);
    }
  }

  template <class Team>
  KOKKOS_FUNCTION void collect_unused(const Team& team, const State& state, int group, Unused& list) const {
    const Event& event = state.event;
    const int begin = event.begin(group), size = event.end(group) - begin;
    const std::uint8_t* used = state.scratch.used + begin;
    team.template for_each<int>(size + 1, [&](Tile<int> hit) {
      list.before[hit.first] = hit.first < size && !used[hit.first] ? 1 : 0;
    });
    team.barrier();
    list.group = group;
    list.n = team.exclusive_scan(list.before, size + 1);
    team.template for_each<int>(size, [&](Tile<int> hit) {
      if (used[hit.first]) return;
      const int to = list.before[hit.first], from = begin + hit.first;
      list.x[to] = event.x[from];
      list.y[to] = event.y[from];
      list.z[to] = event.z[from];
      list.phi[to] = event.phi[from];
      list.place[to] = from;
    });
    team.barrier();
  }

  template <class Team>
  KOKKOS_FUNCTION void append_seeds(const Team& team, State& state) const {
    auto& scratch = state.scratch;
    auto& follow = scratch.follow[state.current];
    const Unused &list0 = scratch.unused[0], &list1 = scratch.unused[1], &list2 = scratch.unused[2];
    const int first_candidate = state.candidates, first_follow = follow.n;
    const int room = state.capacity - first_candidate;
    const int seeds = team.compact(
        list1.n, [&](int i) { return scratch.seed_h0[i] >= 0; },
        [&](int i, int number) {
          if (number >= room) return;
          const int h0 = scratch.seed_h0[i], h2 = scratch.seed_h2[i];
          const int candidate = first_candidate + number, to = first_follow + number;
          const int places[3] = {list0.place[h0], list1.place[i], list2.place[h2]};
          for (int h = 0; h < 3; ++h) scratch.hits[candidate * max_track_hits + h] = std::uint16_t(places[h]);
          scratch.length[candidate] = 3;
          set_last_hits(state.event, follow, to, places[1], places[2]);
          follow.misses[to] = 0;
          follow.candidate[to] = candidate;
        });
    const int added = seeds < room ? seeds : room;
    state.overflow += seeds - added;
    state.candidates += added;
    follow.n += added;
  }

  KOKKOS_FUNCTION static void set_last_hits(const Event& event, const FollowList<RealScalar>& follow, int to, int h0,
                                            int h1) {
    follow.x0[to] = event.x[h0];
    follow.y0[to] = event.y[h0];
    follow.z0[to] = event.z[h0];
    follow.x1[to] = event.x[h1];
    follow.y1[to] = event.y[h1];
    follow.z1[to] = event.z[h1];
    follow.sides[to] = (event.module[h0] & 1) | (event.module[h1] & 1) << 1;
  }

  /// Each open track takes the best hit of the layer; those that find one, or may still miss, stay open.
  template <class Team>
  KOKKOS_FUNCTION void forward(const Team& team, State& state, int layer) const {
    auto& scratch = state.scratch;
    const auto& follow = scratch.follow[state.current];
    team.for_each(follow.n, [&](Tile<Real> tile) {
      const Integer found = best_hit(tile, state, follow, layer);
      tile.store(scratch.found, found);
      for_each_lane(found >= Integer(0), [&](int lane) {
        extend(scratch, follow.candidate[tile.first + lane], int(extract(found, lane)));
      });
    });
    team.barrier();

    auto& next = scratch.follow[1 - state.current];
    next.n = team.compact(
        follow.n,
        [&](int i) {
          return scratch.found[i] >= 0 ? scratch.length[follow.candidate[i]] < max_track_hits
                                       : follow.misses[i] < cuts.max_skipped;
        },
        [&](int i, int to) { carry_over(state.event, follow, i, scratch.found[i], next, to); });
    state.current = 1 - state.current;
  }

  /// Place of the best hit of each track of a tile in the layer, or -1. Hits of other tracks may be taken.
  KOKKOS_FUNCTION Integer best_hit(const Tile<Real>& tile, const State& state, const FollowList<RealScalar>& follow,
                                   int layer) const {
    const Event& event = state.event;
    const auto mask = tile.mask();
    const Real z1 = tile.load(follow.z1);
    const Real z0 = select(mask, tile.load(follow.z0), z1 + Real(1));
    const HitLine<Real> line(tile.load(follow.x0), tile.load(follow.y0), z0, tile.load(follow.x1), tile.load(follow.y1),
                             z1);
    const auto side0 = tile.template load<Integer>(follow.sides) & Integer(1);
    const auto width = window_width();

    Real best = Real(cuts.max_scatter);
    Integer found = Integer(-1);
    for (int side = Groups::sides - 1; side >= 0; --side) {
      const int group = Groups::group_of(layer, side);
      const Integer lane_side = Groups::merge_sides ? side0 : Integer(I(side));
      const Real dz = select(lane_side == Integer(0), Real(module_z(2 * layer)), Real(module_z(2 * layer + 1))) - z0;
      const auto key = Phi::template of<Real>(line.x + line.tx * dz, line.y + line.ty * dz, lane_side);
      const auto window = search::window_start<Real>(event, group, key, width, lane_side, mask);
      search::walk_window<Real, Phi>(
          event.phi, event.begin(group), event.end(group), window.place, key, width, window.valid,
          [&](Integer place, MaskOf<Real> inside) {
            const Real s = scatter(cuts, line, z1, gather<Real>(event.x, place, inside),
                                   gather<Real>(event.y, place, inside), gather<Real>(event.z, place, inside), inside);
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

  /// Appends a hit to a candidate and flags what is used now: the hit, and with the fourth hit the first three too.
  KOKKOS_FUNCTION static void extend(const Scratch& scratch, int candidate, int place) {
    std::uint16_t* const hits = scratch.hits + candidate * max_track_hits;
    const int length = scratch.length[candidate];
    hits[length] = std::uint16_t(place);
    scratch.length[candidate] = std::uint8_t(length + 1);
    scratch.used[place] = 1;
    if (length == 3)
      for (int h = 0; h < 3; ++h) scratch.used[hits[h]] = 1;
  }

  KOKKOS_FUNCTION static void carry_over(const Event& event, const FollowList<RealScalar>& from, int i, int found,
                                         const FollowList<RealScalar>& next, int to) {
    const bool moved = found >= 0;
    next.x0[to] = moved ? from.x1[i] : from.x0[i];
    next.y0[to] = moved ? from.y1[i] : from.y0[i];
    next.z0[to] = moved ? from.z1[i] : from.z0[i];
    next.x1[to] = moved ? event.x[found] : from.x1[i];
    next.y1[to] = moved ? event.y[found] : from.y1[i];
    next.z1[to] = moved ? event.z[found] : from.z1[i];
    next.sides[to] = moved ? from.sides[i] >> 1 | (event.module[found] & 1) << 1 : from.sides[i];
    next.misses[to] = moved ? 0 : from.misses[i] + 1;
    next.candidate[to] = from.candidate[i];
  }

  /// Longer candidates are tracks; those of three hits if none of these is used and they lie on a line.
  template <class Team>
  KOKKOS_FUNCTION void accept(const Team& team, const State& state) const {
    const auto& scratch = state.scratch;
    const Event& event = state.event;
    team.for_each(state.candidates, [&](Tile<Real> tile) {
      const Integer length = tile.template load<Integer>(scratch.length);
      auto weak = tile.mask() && length == Integer(3);
      Integer place[3];
      for (int h = 0; h < 3; ++h) {
        place[h] = gather<Integer>(scratch.hits, tile.index() * Integer(max_track_hits) + Integer(h), weak);
        weak = weak && gather<Integer>(scratch.used, place[h], weak) == Integer(0);
      }
      LineFit<Real> fit;
      Real x[3], y[3], z[3];
      for (int h = 0; h < 3; ++h) {
        x[h] = gather<Real>(event.x, place[h], weak);
        y[h] = gather<Real>(event.y, place[h], weak);
        z[h] = gather<Real>(event.z, place[h], weak);
        fit.add_to_mean(x[h], y[h], z[h], weak);
      }
      fit.finish_mean();
      for (int h = 0; h < 3; ++h) fit.add_to_slope(x[h], y[h], z[h], weak);
      fit.finish_slope();
      for (int h = 0; h < 3; ++h) fit.add_to_chi2(x[h], y[h], z[h], weak);
      const auto good = (length > Integer(3)) || (weak && fit.sum2 < Real(cuts.max_weak_sum2));
      tile.store(scratch.accepted, select(good, Integer(1), Integer(0)));
    });
    team.barrier();
  }

  template <class Team>
  KOKKOS_FUNCTION void write(const Team& team, const State& state, std::size_t slot, int number) const {
    const auto& scratch = state.scratch;
    const int count = team.compact(
        state.candidates, [&](int i) { return scratch.accepted[i] != 0; },
        [&](int i, int to) {
          const int length = scratch.length[i];
          tracks.length(slot + to) = std::uint8_t(length);
          for (int h = 0; h < length; ++h)
            tracks.hits(slot + to, h) = state.event.index[scratch.hits[i * max_track_hits + h]];
        });
    team.single([&] {
      tracks.count(number) = std::uint32_t(count);
      tracks.overflow(number) = std::uint32_t(state.overflow);
    });
  }
};

}  // namespace trackplex::seeding::detail
