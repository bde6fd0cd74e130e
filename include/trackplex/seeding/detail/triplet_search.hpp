// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/search/hit_windows.hpp>
#include <trackplex/seeding/detail/triplet_lists.hpp>

#include <cstddef>
#include <cstdint>

namespace trackplex::seeding::detail {

/// A search of a team for the triplets of its middle hits; see FindTriplets.
template <class Find, class Member>
struct TripletSearch {
  using Real = typename Find::Real;
  using T = ScalarOf<Real>;
  using Integer = IntegerOf<Real>;
  using I = ScalarOf<Integer>;
  using Middle = typename Find::Middle;
  static constexpr int width = width_of<Real>;
  static_assert(2 * width <= list_margin);

  const Find& find;
  const TeamLanes<Real, Member>& team;
  const typename Find::Scratch& scratch;
  const MiddleHits& block;
  const typename Find::Search search;
  const int number;  ///< of the search

  KOKKOS_FUNCTION void operator()() const {
    team.barrier();  // the lists are still in use by the previous search
    const int* const first = scratch.first_inner;
    prepare();
    // As many middle hits together as fit, at least one
    for (int begin = 0, end; begin < block.count; begin = end) {
      end = begin + 1;
      while (end < block.count && first[end + 1] - first[begin] <= find.max_window_hits) ++end;
      if (first[end] > first[begin]) from_inner_hits(begin, end);
    }
  }

 private:
  /// Middle hits, with the numbers of their inner ones.
  KOKKOS_FUNCTION void prepare() const {
    team.for_each(block.count, [&](Tile<Real> tile) {
      const Middle middle =
          find.rules.template middle<Real>(search, Integer(I(block.first)) + tile.index());
      Quartet<Real> quad[Middle::quads];
      middle.to(quad);
      for (int q = 0; q < Middle::quads; ++q)
        store_quartets(scratch.middle[q] + tile.first, quad[q], tile.count);
      Integer hits = count_hits(find.rules.template inner_rows<Real>(search, middle), tile);
      for_each_lane(tile.mask() && hits > Integer(I(find.max_window_hits)),
                    [&](int lane) { drop(int(extract(hits, lane)) - find.max_window_hits); });
      hits = min(hits, Integer(I(find.max_window_hits)));
      tile.store(scratch.inner_hits, hits);
      tile.store(scratch.first_inner, (hits + Integer(I(width - 1))) & Integer(I(-width)));
    });
    team.barrier();
    const int all = team.exclusive_scan(scratch.first_inner, block.count);
    team.single([&] { scratch.first_inner[block.count] = all; });
    team.barrier();
  }

  /// All steps from the inner hits on, for the middle hits from `begin` to `end`.
  KOKKOS_FUNCTION void from_inner_hits(int begin, int end) const {
    const int doublets = make_doublets(list_inner_hits(begin, end), scratch.first_inner[begin]);
    const int* const first = scratch.first_pair;
    count_pairs(doublets);
    // If there is no room for all pairs, one middle hit after the other
    if (doublets > 0 && first[doublets] <= find.max_pairs) {
      from_pairs(0, doublets);
    } else {
      for (int from = 0, to; from < doublets; from = to) {
        for (to = from + 1; to < doublets && middle_of(to) == middle_of(from);) ++to;
        from_pairs(from, to);
      }
    }
  }

  /// All steps from the pairs on, for these doublets.
  KOKKOS_FUNCTION void from_pairs(int begin, int end) const {
    int triplets = make_triplets(list_pairs(begin, end));
    if (find.rules.confirms()) triplets = confirm(triplets);
    keep_best(triplets);
  }

  /// Counts hits and pairs beyond the capacity.
  KOKKOS_FUNCTION void drop(int n) const {
    Kokkos::atomic_fetch_add(&find.results.dropped(block.event), std::int32_t(n));
  }
  KOKKOS_FUNCTION int middle_of(int doublet) const { return scratch.inner.window[doublet]; }
  /// A middle hit, the same in all lanes.
  KOKKOS_FORCEINLINE_FUNCTION Middle middle_of_all(int index) const {
    Quartet<Real> quad[Middle::quads];
    for (int q = 0; q < Middle::quads; ++q) {
      const Quartet<T>& of = scratch.middle[q][index];
      quad[q] = {Real(of.x), Real(of.y), Real(of.z), Real(of.w)};
    }
    return Middle::from(quad);
  }
  /// The middle hit of each lane.
  KOKKOS_FORCEINLINE_FUNCTION Middle middle_at(const Integer& index) const {
    Quartet<Real> quad[Middle::quads];
    for (int q = 0; q < Middle::quads; ++q)
      quad[q] = gather_quartets<Real>(scratch.middle[q], index);
    return Middle::from(quad);
  }

  /// The middle hit of each lane's doublet.
  KOKKOS_FORCEINLINE_FUNCTION Middle middle_of_doublet(const Integer& doublet) const {
    return middle_at(gather<Integer>(scratch.inner.window, doublet));
  }

  /// The runs of hits in rows of bins, row by row in ascending order, lanes side by side: `visit`
  /// gets their begins, and how many hits they have.
  template <class Number, class Visit>
  KOKKOS_FORCEINLINE_FUNCTION static void for_each_run(const search::RowsOfBins<Number>& rows,
                                                       const MaskOf<Number>& mask,
                                                       const Visit& visit) {
    using Int = IntegerOf<Number>;
    // Around the circle rows start again at 0
    const Int past_end = max(rows.first + rows.count - rows.rows, Int(0));
    for (int n = 0;; ++n) {
      const Int i = Int(ScalarOf<Int>(n));
      const auto searching = mask && i < rows.count;
      if (none_of(searching)) return;
      const Int row = rows.begin + select(i < past_end, i, rows.first + (i - past_end)) * rows.bins;
      const Int begin = gather<Int>(rows.table, row + rows.low, searching);
      const Int end = gather<Int>(rows.table, row + rows.high + Int(1), searching);
      visit(begin, select(searching, end - begin, Int(0)));
    }
  }

  /// Hits of a list with their windows, one in each lane.
  struct Entries {
    Integer window, hit;
  };
  KOKKOS_FORCEINLINE_FUNCTION static Entries load(const HitsInWindows& list,
                                                  const Tile<Real>& tile) {
    return {tile.template load<Integer>(list.window), tile.template load<Integer>(list.hit)};
  }
  /// Writes the entries of a mask from place `to` of a list on.
  KOKKOS_FORCEINLINE_FUNCTION void store(const HitsInWindows& list, const Entries& entries,
                                         const MaskOf<Real>& mask, int to) const {
    team.compress_store(list.window + to, entries.window, mask);
    team.compress_store(list.hit + to, entries.hit, mask);
  }

  /// Number of hits in the rows of each lane.
  KOKKOS_FORCEINLINE_FUNCTION static Integer count_hits(const search::RowsOfBins<Real>& rows,
                                                        const Tile<Real>& tile) {
    Integer hits = Integer(0);
    for_each_run(rows, tile.mask(), [&](const Integer&, const Integer& n) { hits += n; });
    return hits;
  }

  /// Lists the hits in the rows of a tile of windows with the number of their window: those of
  /// each lane from `first(window)` on, and before `last(window)`.
  template <class First, class Last>
  KOKKOS_FORCEINLINE_FUNCTION void list_hits(const search::RowsOfBins<Real>& rows,
                                             const Tile<Real>& tile, const First& first,
                                             const Last& last, const HitsInWindows& list) const {
    for_each_lane(tile.mask(), [&](int lane) {
      const int window = tile.first + lane, end = last(window);
      int to = first(window);
      for_each_run(search::rows_of_lane(rows, lane), true, [&](int begin, int n) {
        n = min(n, end - to);
        if (n <= 0) return;
        team.store_sequence(list.window + to, std::int32_t(window), std::int32_t(0), n);
        team.store_sequence(list.hit + to, std::int32_t(begin), std::int32_t(1), n);
        to += n;
      });
    });
  }

  /// Lists the hits that may be inner ones, and returns the length of the list: those of the next
  /// middle hit begin with a new tile.
  KOKKOS_FUNCTION int list_inner_hits(int begin, int end) const {
    const int* const first = scratch.first_inner;
    const int offset = first[begin];
    team.for_each(end - begin, [&](Tile<Real> tile) {
      const Tile<Real> middle{begin + tile.first, tile.count};
      list_hits(
          find.rules.template inner_rows<Real>(search, middle_at(middle.index())), middle,
          [&](int m) { return first[m] - offset; },
          [&](int m) { return first[m] - offset + scratch.inner_hits[m]; }, scratch.inner);
    });
    team.barrier();
    return first[end] - offset;
  }

  /// Keeps the inner hits that make a doublet, with the windows of their outer hits.
  KOKKOS_FUNCTION int make_doublets(int inner, int offset) const {
    Entries now;
    inner = team.compact_tiles(
        inner,
        [&](Tile<Real> tile) {
          const int middle = scratch.inner.window[tile.first];
          const auto mask =
              tile.index() <
              Integer(I(scratch.first_inner[middle] - offset + scratch.inner_hits[middle]));
          now.window = Integer(I(middle));
          now.hit = select(mask, tile.template load<Integer>(scratch.inner.hit), Integer(0));
          return mask && find.rules.template doublet<Real>(search, middle_of_all(middle), now.hit);
        },
        [&](Tile<Real>, MaskOf<Real> mask, int to) { store(scratch.inner, now, mask, to); });
    Quartet<Real> doublet{}, window{};
    return team.compact_tiles(
        inner,
        [&](Tile<Real> tile) {
          now = load(scratch.inner, tile);
          return find.rules.template window<Real>(search, middle_at(now.window), now.hit, doublet,
                                                  window);
        },
        [&](Tile<Real>, MaskOf<Real> mask, int to) {
          store(scratch.inner, now, mask, to);
          const Integer index = Integer(I(to)) + lanes_before<Real>(mask);
          scatter_quartets(scratch.doublets, index, doublet, mask);
          scatter_quartets(scratch.windows, index, window, mask);
        });
  }

  KOKKOS_FORCEINLINE_FUNCTION search::RowsOfBins<Real> outer_rows(const Tile<Real>& tile) const {
    return find.rules.template outer_rows<Real>(
        search, gather_quartets<Real>(scratch.windows, tile.index()));
  }

  /// Counts the pairs of a doublet and a hit in its window.
  KOKKOS_FUNCTION void count_pairs(int doublets) const {
    team.for_each(doublets, [&](Tile<Real> tile) {
      tile.store(scratch.first_pair, count_hits(outer_rows(tile), tile));
    });
    team.barrier();
    const int all = team.exclusive_scan(scratch.first_pair, doublets);
    team.single([&] { scratch.first_pair[doublets] = all; });
    team.barrier();
  }

  /// Lists the pairs of these doublets, up to the capacity, and returns their number.
  KOKKOS_FUNCTION int list_pairs(int begin, int end) const {
    const int first = scratch.first_pair[begin], all = scratch.first_pair[end] - first,
              pairs = min(all, find.max_pairs);
    if (pairs < all) team.single([&] { drop(all - pairs); });
    team.for_each(end - begin, [&](Tile<Real> tile) {
      const Tile<Real> doublets{begin + tile.first, tile.count};
      list_hits(
          outer_rows(doublets), doublets, [&](int d) { return scratch.first_pair[d] - first; },
          [&](int) { return pairs; }, scratch.pairs);
    });
    team.barrier();
    return pairs;
  }

  /// Keeps the pairs that pass the cuts.
  KOKKOS_FUNCTION int make_triplets(int pairs) const {
    Entries now;
    Real chi2;
    pairs = team.compact_tiles(
        pairs,
        [&](Tile<Real> tile) {
          now = load(scratch.pairs, tile);
          return find.rules.template pair<Real>(search, middle_of_doublet(now.window),
                                                gather_quartets<Real>(scratch.doublets, now.window),
                                                gather_quartets<Real>(scratch.windows, now.window),
                                                now.hit);
        },
        [&](Tile<Real>, MaskOf<Real> mask, int to) { store(scratch.pairs, now, mask, to); });
    return team.compact_tiles(
        pairs,
        [&](Tile<Real> tile) {
          now = load(scratch.pairs, tile);
          return find.rules.template triplet<Real>(
              search, middle_of_doublet(now.window),
              gather_quartets<Real>(scratch.doublets, now.window), now.hit, chi2);
        },
        [&](Tile<Real>, MaskOf<Real> mask, int to) {
          store(scratch.pairs, now, mask, to);
          team.compress_store(scratch.chi2 + to, chi2, mask);
        });
  }

  /// Keeps the triplets that the rules confirm.
  KOKKOS_FUNCTION int confirm(int triplets) const {
    Entries now;
    Real chi2;
    return team.compact_tiles(
        triplets,
        [&](Tile<Real> tile) {
          now = load(scratch.pairs, tile);
          chi2 = tile.load(scratch.chi2);
          return find.rules.template confirm<Real>(
              search, middle_of_doublet(now.window),
              gather_quartets<Real>(scratch.doublets, now.window), now.hit, tile.mask(), chi2);
        },
        [&](Tile<Real>, MaskOf<Real> mask, int to) {
          store(scratch.pairs, now, mask, to);
          team.compress_store(scratch.chi2 + to, chi2, mask);
        });
  }

  /// Writes the triplets of each middle hit in order; if there are too many, those with the
  /// smallest chi2.
  KOKKOS_FUNCTION void keep_best(int triplets) const {
    std::int32_t *const first = scratch.first_triplet, *const end = scratch.end_triplet;
    const auto middle = [&](int i) { return middle_of(scratch.pairs.window[i]); };
    team.template for_each<int>(triplets, [&](Tile<int> tile) {
      const int i = tile.first, m = middle(i);
      if (i == 0 || middle(i - 1) != m) first[m] = i;
      if (i + 1 == triplets || middle(i + 1) != m) end[m] = i + 1;
    });
    team.barrier();
    team.template for_each<int>(triplets, [&](Tile<int> tile) {
      const int i = tile.first, m = middle(i);
      if (end[m] - first[m] > find.max_kept) scratch.kept[i] = is_best(i, first[m], end[m]);
    });
    team.barrier();
    team.template for_each<int>(triplets, [&](Tile<int> tile) {
      const int i = tile.first, m = middle(i);
      write(i, first[m], end[m], find.rules.slot(block, block.first + m, number));
    });
    team.barrier();
  }

  /// Whether fewer than `max_kept` of the triplets from `begin` to `end` are preferred to triplet
  /// i: those with smaller chi2, and the first one among equals.
  KOKKOS_FUNCTION bool is_best(int i, int begin, int end) const {
    const Real mine = Real(scratch.chi2[i]);
    int better = 0;
    for (int first = begin; first < end; first += width) {
      const Tile<Real> tile{first, min(end - first, width)};
      const Real other = tile.load(scratch.chi2);
      const auto before = other < mine || (other == mine && tile.index() < Integer(I(i)));
      better += count_of(tile.mask() && before);
    }
    return better < find.max_kept;
  }

  /// Writes triplet i of the triplets from `begin` to `end` to the slot, if it is kept.
  KOKKOS_FUNCTION void write(int i, int begin, int end, int slot) const {
    const bool all = end - begin <= find.max_kept;
    if (i == begin) {
      find.results.counts(slot) = min(end - begin, find.max_kept);
      if (!all)
        Kokkos::atomic_fetch_add(&find.results.not_best(block.event),
                                 std::int32_t(end - begin - find.max_kept));
    }
    if (!all && !scratch.kept[i]) return;
    int before = all ? i - begin : 0;
    if (!all)
      for (int j = begin; j < i; ++j) before += scratch.kept[j];
    const std::size_t to = std::size_t(slot) * std::size_t(find.results.per_slot) + before;
    find.results.inner(to) = scratch.inner.hit[scratch.pairs.window[i]];
    find.results.outer(to) = scratch.pairs.hit[i];
  }
};

}  // namespace trackplex::seeding::detail
