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

  /// Appends triplets to the `found` ones of earlier searches, and returns the number of all.
  KOKKOS_FUNCTION int operator()(int found) const {
    team.barrier();  // the lists are still in use by the previous search
    prepare();
    for (int begin = 0; begin < block.count;) {
      const auto listed = list_inner_hits(begin);
      found = from_inner_hits(keep(listed.hits, find.max_window_hits), found);
      begin = listed.end;
    }
    return found;
  }

 private:
  /// The middle hits.
  KOKKOS_FUNCTION void prepare() const {
    team.for_each(block.count, [&](Tile<Real> tile) {
      const Middle middle =
          find.rules.template middle<Real>(search, Integer(I(block.first)) + tile.index());
      Quartet<Real> quad[Middle::quads];
      middle.to(quad);
      for (int q = 0; q < Middle::quads; ++q)
        store_quartets(scratch.middle[q] + tile.first, quad[q], tile.count);
    });
    team.barrier();
  }

  /// All steps from the inner hits on.
  KOKKOS_FUNCTION int from_inner_hits(int inner, int found) const {
    const int doublets = make_doublets(inner);
    for (int begin = 0; begin < doublets;) {
      const auto listed = list_pairs(begin, doublets);
      int triplets = make_triplets(keep(listed.hits, find.max_pairs));
      if (find.rules.confirms()) triplets = confirm(triplets);
      if (triplets > 0) found = keep_best(triplets, found);
      begin = listed.end;
    }
    return found;
  }

  /// Counts hits or pairs beyond the capacity, and returns the number of the others.
  KOKKOS_FUNCTION int keep(int n, int capacity) const {
    if (n <= capacity) return n;
    team.single([&] {
      Kokkos::atomic_fetch_add(&find.results.dropped(block.event), std::int32_t(n - capacity));
    });
    return capacity;
  }
  KOKKOS_FUNCTION int middle_of(int doublet) const { return scratch.inner.window[doublet]; }
  /// A middle hit, the same in all lanes.
  KOKKOS_FORCEINLINE_FUNCTION Middle middle_of_all(int index) const {
    Quartet<Real> quad[Middle::quads];
    for (int q = 0; q < Middle::quads; ++q) quad[q] = in_all_lanes(scratch.middle[q][index]);
    return Middle::from(quad);
  }
  KOKKOS_FORCEINLINE_FUNCTION static Quartet<Real> in_all_lanes(const Quartet<T>& of) {
    return {Real(of.x), Real(of.y), Real(of.z), Real(of.w)};
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

  /// The same for a team that is known to be alone, or not.
  template <bool Alone>
  KOKKOS_FORCEINLINE_FUNCTION static void store(const HitsInWindows& list, const Entries& entries,
                                                const MaskOf<Real>& mask, int to) {
    if constexpr (Alone) {
      compress_store(list.window + to, entries.window, mask);
      compress_store(list.hit + to, entries.hit, mask);
    } else {
      const Integer index = lanes_before<Real>(mask);
      scatter(list.window + to, index, entries.window, mask);
      scatter(list.hit + to, index, entries.hit, mask);
    }
  }

  /// Lists the hits in the rows of a window that are `inside`, in the order of places, from place
  /// `to` of a list on and up to `max` entries. Returns the place of the next window.
  template <bool Alone, class Inside>
  KOKKOS_FORCEINLINE_FUNCTION static int list_window(int window, const search::RowsOfBins<T>& rows,
                                                     const Inside& inside,
                                                     const HitsInWindows& list, int to, int max) {
    // Around the circle rows start again at 0
    const int past_end = trackplex::max(rows.first + rows.count - rows.rows, 0);
    const std::int32_t* const low = rows.table + (rows.begin + rows.low);
    const int length = rows.high + 1 - rows.low;
    for (int i = 0; i < rows.count; ++i) {
      const int row = i < past_end ? i : rows.first + (i - past_end);
      const std::int32_t* const run = low + row * rows.bins;
      int first = run[0];
      const int end = run[length];
      if (width == 1 && first == end) continue;
      do {  // with lanes also for no hits: a branch would be mispredicted
        const Integer place = Integer(I(first)) + lane_index<Integer>();
        const MaskOf<Real> mask = place < Integer(I(end)) && inside(first);
        if (to < max) store<Alone>(list, {Integer(I(window)), place}, mask, to);
        to += count_of(mask);
        first += width;
      } while (first < end);
    }
    return to;
  }

  /// Windows that are listed: those before `end`, and the number of their hits.
  struct Listed {
    int end, hits;
  };

  /// Lists the hits in the windows from `begin` to `end`: as many groups of windows as fit, at
  /// least one. `rows_of(tile)` returns the rows of windows, `inside(window)` the condition on
  /// hits at a tile of places, and `group(window)` ascends.
  template <class RowsOf, class Inside, class Group>
  KOKKOS_FORCEINLINE_FUNCTION Listed list_hits(int begin, int end, int max, const RowsOf& rows_of,
                                               const Inside& inside, const Group& group,
                                               const HitsInWindows& list) const {
    if (team.alone()) {
      Listed groups{begin, 0};  // that fit
      int to = 0;
      for (int first = begin; first < end; first += width) {
        const Tile<Real> tile{first, min(end - first, width)};
        const auto rows = rows_of(tile);
        for (int lane = 0; lane < tile.count; ++lane) {
          const int window = first + lane;
          if (window > begin && group(window) != group(window - 1)) {
            groups = {window, to};
            if (to > max) return groups;
          }
          to = list_window<true>(window, search::rows_of_lane(rows, lane), inside(window), list, to,
                                 max);
          if (to > max && groups.end > begin) return groups;
        }
      }
      return {end, to};
    }
    return list_together(begin, end, max, rows_of, inside, group, list);
  }

  /// The same by several threads: they count the hits of the windows first.
  template <class RowsOf, class Inside, class Group>
  KOKKOS_FUNCTION Listed list_together(int begin, int end, int max, const RowsOf& rows_of,
                                       const Inside& inside, const Group& group,
                                       const HitsInWindows& list) const {
    int* const first = scratch.first_hit;
    const auto for_each_window = [&](int n, const auto& visit) {
      team.for_each(n, [&](Tile<Real> tile) {
        const auto rows = rows_of(Tile<Real>{begin + tile.first, tile.count});
        for_each_lane(tile.mask(), [&](int lane) {
          visit(tile.first + lane, search::rows_of_lane(rows, lane));
        });
      });
      team.barrier();
    };
    for_each_window(end - begin, [&](int i, const search::RowsOfBins<T>& rows) {
      first[i] = list_window<false>(begin + i, rows, inside(begin + i), list, 0, 0);
    });
    const int all = team.exclusive_scan(first, end - begin);
    const Listed listed =
        all <= max ? Listed{end, all} : groups_that_fit(begin, end, max, all, group);
    for_each_window(listed.end - begin, [&](int i, const search::RowsOfBins<T>& rows) {
      list_window<false>(begin + i, rows, inside(begin + i), list, first[i], max);
    });
    return listed;
  }
  template <class Group>
  KOKKOS_FUNCTION Listed groups_that_fit(int begin, int end, int max, int all,
                                         const Group& group) const {
    const int* const first = scratch.first_hit;
    Listed listed{begin, 0};
    for (int window = begin + 1; window <= end; ++window) {
      if (window < end && group(window) == group(window - 1)) continue;
      const int hits = window < end ? first[window - begin] : all;
      if (hits > max && listed.end > begin) break;
      listed = {window, hits};
      if (hits > max) break;
    }
    return listed;
  }

  /// Lists the hits that may be inner ones of the middle hits from `begin` on.
  KOKKOS_FUNCTION Listed list_inner_hits(int begin) const {
    return list_hits(
        begin, block.count, find.max_window_hits,
        [&](Tile<Real> tile) {
          return find.rules.template inner_rows<Real>(search, middle_at(tile.index()));
        },
        [&](int m) { return find.rules.template near<Real>(middle_of_all(m)); },
        [](int m) { return m; }, scratch.inner);
  }

  /// Keeps the inner hits that make a doublet, with the windows of their outer hits.
  KOKKOS_FUNCTION int make_doublets(int inner) const {
    Entries now;
    Quartet<Real> doublet{}, window{};
    return team.compact_tiles(
        inner,
        [&](Tile<Real> tile) {
          now = load(scratch.inner, tile);
          return find.rules.template doublet<Real>(search, middle_at(now.window), now.hit, doublet,
                                                   window);
        },
        [&](Tile<Real>, MaskOf<Real> mask, int to) {
          store(scratch.inner, now, mask, to);
          team.compress_store_quartets(scratch.doublets + to, doublet, mask);
          team.compress_store_quartets(scratch.windows + to, window, mask);
        });
  }

  /// Lists the pairs of a doublet and a hit in its window.
  KOKKOS_FUNCTION Listed list_pairs(int begin, int end) const {
    return list_hits(
        begin, end, find.max_pairs,
        [&](Tile<Real> tile) {
          return find.rules.template outer_rows<Real>(
              search, gather_quartets<Real>(scratch.windows, tile.index()));
        },
        [&](int doublet) {
          return find.rules.template inside<Real>(in_all_lanes(scratch.windows[doublet]));
        },
        [&](int doublet) { return middle_of(doublet); }, scratch.pairs);
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

  /// Appends the triplets of each middle hit; if there are too many, those with the smallest chi2.
  KOKKOS_FUNCTION int keep_best(int triplets, int found) const {
    std::int32_t *const first = scratch.first_triplet, *const end = scratch.end_triplet;
    const auto middle = [&](int i) { return middle_of(scratch.pairs.window[i]); };
    team.template for_each<int>(triplets, [&](Tile<int> tile) {
      const int i = tile.first, m = middle(i);
      if (i == 0 || middle(i - 1) != m) first[m] = i;
      if (i + 1 == triplets || middle(i + 1) != m) end[m] = i + 1;
    });
    team.barrier();
    team.template for_each<int>(triplets, [&](Tile<int> tile) {
      const int i = tile.first, m = middle(i), surplus = end[m] - first[m] - find.max_kept;
      scratch.kept[i] = surplus <= 0 || is_best(i, first[m], end[m]);
      if (i == first[m] && surplus > 0)
        Kokkos::atomic_fetch_add(&find.results.not_best(block.event), std::int32_t(surplus));
    });
    team.barrier();
    const int room = find.capacity(block) - found;
    const int kept = team.template compact<>(
        triplets, [&](int i) { return scratch.kept[i] != 0; },
        [&](int i, int to) {
          if (to < room)
            scratch.found[found + to] = {middle(i), scratch.inner.hit[scratch.pairs.window[i]],
                                         scratch.pairs.hit[i]};
        });
    return found + keep(kept, room);
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
};

}  // namespace trackplex::seeding::detail
