// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/quad.hpp>
#include <trackplex/core/team_launch.hpp>
#include <trackplex/search/hit_windows.hpp>

#include <cstddef>
#include <cstdint>

namespace trackplex::seeding::detail {

/// Room for lanes after the end of a list: what TeamLanes::compress_store may write.
inline constexpr int list_margin = 64;

/// The memory of a team while it works on a middle hit.
template <class T>
struct TripletLists {
  std::int32_t *row_begin, *row_offset;  ///< of the inner window, row by row
  std::int32_t* inner;                   ///< places of the inner hits in the window
  std::int32_t* doublet_inner;           ///< place of the inner hit of each doublet
  Quad<T>* doublets;                     ///< inner hit as seen from the middle one; chi2 so far
  Quad<T>* windows;                      ///< of the outer hit: centre and half width, twice
  std::int32_t* pair_offset;
  std::int32_t *pair_doublet, *pair_outer;  ///< then those of the triplets
  T* chi2;
  std::int32_t* kept;

  KOKKOS_FUNCTION TripletLists(ScratchCarver& carver, int rows, int max_window_hits, int max_pairs)
      : row_begin(carver.take<std::int32_t>(rows)),
        row_offset(carver.take<std::int32_t>(rows)),
        inner(carver.take<std::int32_t>(max_window_hits)),
        doublet_inner(carver.take<std::int32_t>(max_window_hits + list_margin)),
        doublets(carver.take<Quad<T>>(max_window_hits)),
        windows(carver.take<Quad<T>>(max_window_hits)),
        pair_offset(carver.take<std::int32_t>(max_window_hits)),
        pair_doublet(carver.take<std::int32_t>(max_pairs + list_margin)),
        pair_outer(carver.take<std::int32_t>(max_pairs + list_margin)),
        chi2(carver.take<T>(max_pairs + list_margin)),
        kept(carver.take<std::int32_t>(max_pairs)) {}
};

/// Middle hits that a team works on, by number from `first` on; each of them has `per_hit` slots.
struct MiddleHits {
  int event, first, end;
  int hits;              ///< numbers from here on have no hit, but a slot
  int per_hit;           ///< searches for each middle hit
  int first_triple = 0;  ///< number of the first of them, for rules with several triples of layers
};

/// Finds the triplets of each middle hit: its inner hits, the doublets among them, the pairs of a
/// doublet and an outer hit, the triplets among those, and the best of these. Every list is in the
/// order of places, so that the result does not depend on how the work is shared out.
///
/// The rules say which hits, windows and cuts:
///
///     Middle                        a middle hit with what the search needs, with a member `event`
///     max_rows()                    max number of rows of bins
///     block(team)                   the MiddleHits of a team
///     slot(block, i, m)             slot of search m of middle hit i
///     middle(block, i, m)           its Middle
///     inner_rows(middle)            bins of the inner hits, a RowsOfBins<T>
///     doublet<Real>(middle, place, doublet, window)
///                                   lanes with a doublet: the inner hit relative to the middle one
///                                   with chi2, and the window of the outer hit
///     outer_rows<Number>(middle, window)
///                                   bins of a window
///     triplet<Real>(middle, doublet, window, place, chi2)
///                                   lanes with a triplet
///     confirms(), confirm<Real>(middle, doublet, place, mask, chi2)
///                                   one more condition on triplets, where it is set
template <class Real, class Rules, class Results>
struct FindTriplets {
  using T = ScalarOf<Real>;
  using Integer = IntegerOf<Real>;
  using I = ScalarOf<Integer>;
  using Scratch = TripletLists<T>;
  using Middle = typename Rules::Middle;

  Rules rules;
  Results results;
  int max_kept, max_window_hits, max_pairs;

  KOKKOS_FUNCTION std::size_t scratch_bytes() const {
    ScratchCarver carver;
    Scratch(carver, rules.max_rows(), max_window_hits, max_pairs);
    return carver.bytes();
  }

  template <class Member>
  KOKKOS_FUNCTION void operator()(const Member& member, ScratchCarver carver) const {
    const TeamLanes<Real, Member> team(member);
    const Scratch scratch(carver, rules.max_rows(), max_window_hits, max_pairs);
    const MiddleHits block = rules.block(member.league_rank());
    for (int i = block.first; i < block.end; ++i)
      for (int m = 0; m < block.per_hit; ++m) {
        const int slot = rules.slot(block, i, m);
        int count = 0;
        if (i < block.hits) count = search(team, scratch, rules.middle(block, i, m), slot);
        team.single([&] { results.counts(slot) = count; });
      }
  }

 private:
  /// Returns how many triplets are kept.
  template <class Team>
  KOKKOS_FUNCTION int search(const Team& team, const Scratch& scratch, const Middle& middle,
                             int slot) const {
    team.barrier();  // the lists are those of the middle hit before
    const int inner = list_inner(team, scratch, middle);
    const int doublets = make_doublets(team, scratch, middle, inner);
    const int pairs = make_pairs(team, scratch, middle, doublets);
    int triplets = make_triplets(team, scratch, middle, pairs);
    if (rules.confirms()) triplets = confirm(team, scratch, middle, triplets);
    return keep_best(team, scratch, triplets, middle.event, slot);
  }

  /// Of `n` wanted, as many as there is room for; counts the others.
  template <class Team>
  KOKKOS_FUNCTION int limited(const Team& team, int n, int room, int event) const {
    if (n <= room) return n;
    team.single([&] { Kokkos::atomic_fetch_add(&results.dropped(event), std::int32_t(n - room)); });
    return room;
  }

  /// The n-th row, in ascending order, of those of a window; around the circle they start again
  /// at 0.
  template <class Int>
  KOKKOS_FORCEINLINE_FUNCTION static Int row_of(const Int& n, const Int& first, const Int& count,
                                                const Int& rows) {
    const Int past_end = max(first + count - rows, Int(0));
    return select(n < past_end, n, first + (n - past_end));
  }

  /// Places of the hits that may be the inner one.
  template <class Team>
  KOKKOS_FUNCTION int list_inner(const Team& team, const Scratch& scratch,
                                 const Middle& middle) const {
    const search::RowsOfBins<T> window = rules.inner_rows(middle);
    const int rows = int(window.count);
    const std::int32_t* const table = window.table + window.begin;
    team.for_each(rows, [&](Tile<Real> tile) {
      const Integer row =
          row_of(tile.index(), Integer(window.first), Integer(window.count), Integer(window.rows)) *
          Integer(window.bins);
      const Integer begin = gather<Integer>(table, row + Integer(window.low));
      const Integer end = gather<Integer>(table, row + Integer(window.high + I(1)));
      tile.store(scratch.row_begin, begin);
      tile.store(scratch.row_offset, end - begin);
    });
    team.barrier();
    const int all = team.exclusive_scan(scratch.row_offset, rows);
    const int n = limited(team, all, max_window_hits, middle.event);
    team.template for_each<int>(rows, [&](Tile<int> tile) {
      const int row = tile.first;
      const int begin = scratch.row_offset[row];
      const int end = min(row + 1 < rows ? int(scratch.row_offset[row + 1]) : all, n);
      for (int i = begin; i < end; ++i) scratch.inner[i] = scratch.row_begin[row] + (i - begin);
    });
    team.barrier();
    return n;
  }

  /// A tile of doublets.
  struct Doublets {
    Integer place;
    Quad<Real> inner, window;
  };

  /// Keeps the inner hits that make a doublet, with the windows of their outer hits.
  template <class Team>
  KOKKOS_FUNCTION int make_doublets(const Team& team, const Scratch& scratch, const Middle& middle,
                                    int inner) const {
    Doublets now;
    return team.compact_tiles(
        inner,
        [&](Tile<Real> tile) {
          now.place = tile.template load<Integer>(scratch.inner);
          return rules.template doublet<Real>(middle, now.place, now.inner, now.window);
        },
        [&](Tile<Real>, MaskOf<Real> mask, int to) {
          team.compress_store(scratch.doublet_inner + to, now.place, mask);
          for_each_lane(mask, [&, next = to](int lane) mutable {
            scratch.doublets[next] = quad_of_lane(now.inner, lane);
            scratch.windows[next++] = quad_of_lane(now.window, lane);
          });
        });
  }
  KOKKOS_FORCEINLINE_FUNCTION static Quad<T> quad_of_lane(const Quad<Real>& quad, int lane) {
    return {extract(quad.x, lane), extract(quad.y, lane), extract(quad.z, lane),
            extract(quad.w, lane)};
  }

  /// The runs of hits in the windows of a tile of doublets, row by row, lanes side by side: `visit`
  /// gets their begins, and how many hits they have.
  template <class Visit>
  KOKKOS_FORCEINLINE_FUNCTION void for_each_run(const Scratch& scratch, const Middle& middle,
                                                const Tile<Real>& tile, const Visit& visit) const {
    const auto rows =
        rules.template outer_rows<Real>(middle, gather_quads<Real>(scratch.windows, tile.index()));
    for (int n = 0;; ++n) {
      const auto searching = tile.mask() && Integer(I(n)) < rows.count;
      if (none_of(searching)) return;
      const Integer row =
          rows.begin + row_of(Integer(I(n)), rows.first, rows.count, rows.rows) * rows.bins;
      const Integer begin = gather<Integer>(rows.table, row + rows.low, searching);
      const Integer end = gather<Integer>(rows.table, row + rows.high + Integer(1), searching);
      visit(begin, select(searching, end - begin, Integer(0)));
    }
  }

  /// Lists the pairs of a doublet and a hit in its window.
  template <class Team>
  KOKKOS_FUNCTION int make_pairs(const Team& team, const Scratch& scratch, const Middle& middle,
                                 int doublets) const {
    team.for_each(doublets, [&](Tile<Real> tile) {
      Integer hits = Integer(0);
      for_each_run(scratch, middle, tile, [&](const Integer&, const Integer& n) { hits += n; });
      tile.store(scratch.pair_offset, hits);
    });
    team.barrier();
    const int all = team.exclusive_scan(scratch.pair_offset, doublets);
    const int pairs = limited(team, all, max_pairs, middle.event);
    team.for_each(doublets, [&](Tile<Real> tile) {
      Integer to = tile.template load<Integer>(scratch.pair_offset);
      for_each_run(scratch, middle, tile, [&](const Integer& begin, const Integer& n) {
        const Integer listed = min(n, Integer(I(pairs)) - to);
        for_each_lane(listed > Integer(0), [&](int lane) {
          const int place = int(extract(begin, lane)), first = int(extract(to, lane)),
                    end = first + int(extract(listed, lane));
          for (int i = first; i < end; ++i) {
            scratch.pair_doublet[i] = tile.first + lane;
            scratch.pair_outer[i] = place + (i - first);
          }
        });
        to += n;
      });
    });
    team.barrier();
    return pairs;
  }

  /// Keeps the pairs that pass the cuts.
  template <class Team>
  KOKKOS_FUNCTION int make_triplets(const Team& team, const Scratch& scratch, const Middle& middle,
                                    int pairs) const {
    Integer doublet, outer;
    Real chi2;
    return team.compact_tiles(
        pairs,
        [&](Tile<Real> tile) {
          doublet = tile.template load<Integer>(scratch.pair_doublet);
          outer = tile.template load<Integer>(scratch.pair_outer);
          return rules.template triplet<Real>(
              middle, gather_quads<Real>(scratch.doublets, doublet),
              [&] { return gather_quads<Real>(scratch.windows, doublet); }, outer, chi2);
        },
        [&](Tile<Real>, MaskOf<Real> mask, int to) {
          team.compress_store(scratch.pair_doublet + to, doublet, mask);
          team.compress_store(scratch.pair_outer + to, outer, mask);
          team.compress_store(scratch.chi2 + to, chi2, mask);
        });
  }

  /// Keeps the triplets that the rules confirm.
  template <class Team>
  KOKKOS_FUNCTION int confirm(const Team& team, const Scratch& scratch, const Middle& middle,
                              int triplets) const {
    Integer doublet, outer;
    Real chi2;
    return team.compact_tiles(
        triplets,
        [&](Tile<Real> tile) {
          doublet = tile.template load<Integer>(scratch.pair_doublet);
          outer = tile.template load<Integer>(scratch.pair_outer);
          chi2 = tile.load(scratch.chi2);
          return rules.template confirm<Real>(middle, gather_quads<Real>(scratch.doublets, doublet),
                                              outer, tile.mask(), chi2);
        },
        [&](Tile<Real>, MaskOf<Real> mask, int to) {
          team.compress_store(scratch.pair_doublet + to, doublet, mask);
          team.compress_store(scratch.pair_outer + to, outer, mask);
          team.compress_store(scratch.chi2 + to, chi2, mask);
        });
  }

  /// Writes the triplets of smallest chi2, as many as there is room for, in their order.
  template <class Team>
  KOKKOS_FUNCTION int keep_best(const Team& team, const Scratch& scratch, int triplets, int event,
                                int slot) const {
    if (triplets > max_kept) {
      team.single([&] {
        Kokkos::atomic_fetch_add(&results.not_best(event), std::int32_t(triplets - max_kept));
      });
      mark_best(team, scratch, triplets);
    }
    const std::size_t first = std::size_t(slot) * results.per_slot;
    return team.compact_tiles(
        triplets,
        [&](Tile<Real> tile) -> MaskOf<Real> {
          if (triplets <= max_kept) return true;
          return tile.template load<Integer>(scratch.kept) != Integer(0);
        },
        [&](Tile<Real> tile, MaskOf<Real> mask, int to) {
          for_each_lane(mask, [&, next = first + to](int lane) mutable {
            const int i = tile.first + lane;
            results.inner(next) = scratch.doublet_inner[scratch.pair_doublet[i]];
            results.outer(next++) = scratch.pair_outer[i];
          });
        });
  }

  /// A triplet is kept if less than `max_kept` others are better. Of equal ones, the first is
  /// better.
  template <class Team>
  KOKKOS_FUNCTION void mark_best(const Team& team, const Scratch& scratch, int triplets) const {
    team.for_each(triplets, [&](Tile<Real> tile) {
      const Real mine = tile.load(scratch.chi2);
      const Integer index = tile.index();
      Integer better = Integer(0);
      for (int i = 0; i < triplets; ++i) {
        const Real other = Real(scratch.chi2[i]);
        const auto before = other < mine || (other == mine && Integer(I(i)) < index);
        better += select(before, Integer(1), Integer(0));
      }
      tile.store(scratch.kept, select(better < Integer(I(max_kept)), Integer(1), Integer(0)));
    });
    team.barrier();
  }
};

}  // namespace trackplex::seeding::detail
