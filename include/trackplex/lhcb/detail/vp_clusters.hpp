// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/team_launch.hpp>
#include <trackplex/lhcb/detail/sort_super_pixels.hpp>
#include <trackplex/lhcb/velo/velo_pixel_tables.hpp>

#include <cstddef>
#include <cstdint>

namespace trackplex::lhcb::detail {

/// Finds the clusters of one event per team. Its super-pixels, in the order of their places, are
/// split into their connected components; each points to a component before it that it touches, so
/// that the clusters are trees, rooted in their first component. A component touches only
/// components at most a column of super-pixels before it, so that no lookup is needed. `Integers`
/// is the integer number type of lanes.
template <class Real, class Integers, class Banks, class Tables, class OutputHits, class Clusters>
struct VpClustersOfEvent {
  using RealScalar = ScalarOf<Real>;
  using Integer = IntegerOf<Real>;
  using I = ScalarOf<Integer>;
  using Mask = MaskOf<Integers>;
  static constexpr int width = width_of<Integers>;

  Banks banks;
  Tables tables;
  OutputHits hits;
  Clusters clusters;

  /// Arrays with one entry per component, unless stated otherwise.
  struct Scratch {
    int* words;    ///< of super-pixels, with the pixels of one component
    int* parents;  ///< an earlier component of the same cluster, or itself
    int* buffer;
    int* n;  ///< lit pixels of the component, then, at the root, of the cluster
    int* columns;
    int* rows;
    int* roots;      ///< of clusters, in order
    int* others;     ///< components that are not roots
    int* crossings;  ///< components that touch several earlier ones
    int* counters;

    static constexpr int margin = 32;  ///< more than the lanes of a pack

    KOKKOS_FUNCTION Scratch(ScratchCarver& carver, int components)
        : words(carver.take_with_margin<int>(components, margin)),
          parents(carver.take<int>(components)),
          buffer(carver.take<int>(components)),
          n(carver.take<int>(components)),
          columns(carver.take<int>(components)),
          rows(carver.take<int>(components)),
          roots(carver.take<int>(components + margin)),
          others(carver.take<int>(components + margin)),
          crossings(carver.take<int>(components)),
          counters(carver.take<int>(n_counters)) {}
  };
  /// Counters in the scratch memory. Three flags of changes are used in turn.
  enum Counter { disorder, invalid, n_crossings, changes, n_counters = changes + 3 };

  KOKKOS_FUNCTION std::size_t scratch_bytes() const {
    ScratchCarver carver;
    Scratch(carver, hits.max_event_hits);
    return carver.bytes();
  }

  template <class Member>
  KOKKOS_FUNCTION void operator()(const Member& member, ScratchCarver carver) const {
    const TeamLanes<Integers, Member> team(member);
    const int event = member.league_rank();
    const Scratch scratch(carver, hits.max_event_hits);
    team.template for_each<int>(n_counters, [&](Tile<int> i) { scratch.counters[i.first] = 0; });
    team.barrier();

    unpack(team, scratch, event);
    int n = int(hits.event_offsets(event + 1) - hits.event_offsets(event));
    if (scratch.counters[disorder] != 0) n = sort(team, scratch, event, n);
    find_parents(team, scratch, n);
    join_at_crossings(team, scratch);
    const int* const roots = find_roots(team, scratch, n);
    const int found = add_up(team, scratch, roots, n);
    store_hits(team, scratch, event, found);
    team.single([&] {
      hits.event_sizes(event) = std::uint32_t(found);
      clusters.invalid(event) = std::uint32_t(scratch.counters[invalid]);
    });
  }

 private:
  // From banks to components ----------------------------------------------------------------------

  /// Calls `body(bank)` for the banks of the event.
  template <class Team, class Body>
  KOKKOS_FORCEINLINE_FUNCTION void for_each_bank(const Team& team, int event,
                                                 const Body& body) const {
    const int first = int(banks.event_banks(event));
    team.template for_each<int>(int(banks.event_banks(event + 1)) - first,
                                [&](Tile<int> tile) { body(first + tile.first); });
  }

  KOKKOS_FORCEINLINE_FUNCTION int sensor_bits(int bank) const {
    return int(banks.sources(bank)) << super_pixel_sensor_shift;
  }

  /// Writes the components of all super-pixels in the order of the banks.
  template <class Team>
  KOKKOS_FUNCTION void unpack(const Team& team, const Scratch& scratch, int event) const {
    const int first_bank = int(banks.event_banks(event));
    for_each_bank(team, event, [&](int bank) {
      if (bank > first_bank && banks.sources(bank) <= banks.sources(bank - 1))
        team.raise(scratch.counters + disorder);
      unpack_bank(team, scratch, bank);
    });
    team.barrier();
  }

  template <class Team>
  KOKKOS_FUNCTION void unpack_bank(const Team& team, const Scratch& scratch, int bank) const {
    const std::uint32_t* const words = banks.words.data() + banks.first_words(bank) + 1;
    const Integers bits(super_pixel_bits), sensor(sensor_bits(bank));
    const int n = int(words[-1]);
    int* to = scratch.words + clusters.bank_offsets(bank);
    for (int first = 0; first < n; first += width) {
      const int count = n - first < width ? n - first : width;
      const Integers word = load_words(words + first, count) & bits;
      Integers before = load_words(words + first - 1, count) & bits;
      if (first == 0) insert(before, 0, -1);
      check(team, scratch, word, before, first_lanes<Integers>(count));
      to += unpack_words(team, to, word, sensor, count);
    }
  }

  KOKKOS_FORCEINLINE_FUNCTION static Integers load_words(const std::uint32_t* words, int count) {
    return bit_cast<Integers>(load_first<UnsignedOf<Integers>>(words, count));
  }

  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION static void check(const Team& team, const Scratch& scratch,
                                                const Integers& word, const Integers& before,
                                                const Mask& exists) {
    const auto outside = word >= Integers(super_pixel_end);
    const auto disordered =
        exists && (word >> super_pixel_place_shift) <= (before >> super_pixel_place_shift);
    if (none_of(outside || disordered)) return;
    if (any_of(disordered)) team.raise(scratch.counters + disorder);
    team.add(scratch.counters + invalid, count_of(outside));
  }

  /// Writes the components of the first `count` words and returns their number.
  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION static int unpack_words(const Team& team, int* to,
                                                      const Integers& word, const Integers& sensor,
                                                      int count) {
    const Integers pixels(0xff), none(0);
    const auto lit = word < Integers(super_pixel_end) && (word & pixels) != none;
    const Integers upper = upper_component(word);
    const auto split = lit && upper != none;
    const Integers lower = (word ^ upper) | sensor;
    if (count_of(lit) == count && none_of(split)) {
      if (team.alone()) {
        store(to, lower);  // the next components overwrite the surplus
      } else {
        store_first(to, lower, count);
      }
      return count;
    }
    const Integers place = lanes_before<Integers>(lit) + lanes_before<Integers>(split);
    scatter(to, place, lower, lit);
    scatter(to, place + Integers(1), (word & ~pixels) | upper | sensor, split);
    return count_of(lit) + count_of(split);
  }

  /// The same from banks that are not in order: at most as many components, since those of
  /// super-pixels at the same place only merge. Returns their number.
  template <class Team>
  KOKKOS_FUNCTION int sort(const Team& team, const Scratch& scratch, int event, int n) const {
    int* const words = scratch.buffer;
    team.template for_each<int>(n, [&](Tile<int> i) { words[i.first] = behind_super_pixels; });
    team.barrier();
    for_each_bank(team, event, [&](int bank) {
      const std::uint32_t* const from = banks.words.data() + banks.first_words(bank);
      int* to = words + clusters.bank_offsets(bank);
      for (std::uint32_t i = 1; i <= from[0]; ++i)
        if (count_components(int(from[i])) > 0)
          *to++ = int(from[i] & super_pixel_bits) | sensor_bits(bank);
    });
    team.barrier();
    const int* const sorted = merge_sort(team, words, scratch.columns, n);
    const int different = merge_same_places(team, sorted, n, scratch.rows);
    return split_super_pixels(team, scratch.rows, different, scratch.words);
  }

  // From components to clusters -------------------------------------------------------------------

  /// Points every component to the earliest one that it touches, and lists the components that
  /// touch more.
  template <class Team>
  KOKKOS_FUNCTION void find_parents(const Team& team, const Scratch& scratch, int n) const {
    team.template for_each<int>(Scratch::margin, [&](Tile<int> i) {
      scratch.words[-1 - i.first] = before_super_pixels;
      scratch.words[n + i.first] = behind_super_pixels;
    });
    team.barrier();
    team.for_each(n, [&](Tile<Integers> tile) {
      const Integers index = Integers(tile.first) + lane_index<Integers>();
      const auto word = load<Integers>(scratch.words + tile.first);
      const TouchedPixels<Integers> touched(word);
      Integers parent = index;
      Mask crossing = false;
      for (int back = 1;; ++back) {
        const auto other = load<Integers>(scratch.words + tile.first - back);
        const Integers distance =
            (word >> super_pixel_place_shift) - (other >> super_pixel_place_shift);
        if (all_of(distance > Integers(farthest_neighbour))) break;
        const auto touches = (other & touched.at(distance)) != Integers(0);
        crossing = crossing || (touches && parent != index);
        parent = select(touches, index - Integers(back), parent);
      }
      tile.store(scratch.parents, parent);
      for_each_lane(crossing && tile.mask(), [&](int lane) {
        scratch.crossings[team.increment(scratch.counters + n_crossings)] = tile.first + lane;
      });
    });
    team.barrier();
  }

  template <class Team>
  KOKKOS_FUNCTION void join_at_crossings(const Team& team, const Scratch& scratch) const {
    team.template for_each<int>(scratch.counters[n_crossings], [&](Tile<int> tile) {
      const int i = scratch.crossings[tile.first];
      const int word = scratch.words[i];
      const TouchedPixels<int> touched(word);
      for (int j = i - 1;; --j) {
        const int distance =
            (word >> super_pixel_place_shift) - (scratch.words[j] >> super_pixel_place_shift);
        if (distance > farthest_neighbour) break;
        if ((scratch.words[j] & touched.at(distance)) != 0) join(team, scratch.parents, i, j);
      }
    });
    team.barrier();
  }

  /// Joins the trees of i and j. A root gets an earlier parent; if another thread has already
  /// given it a parent, the tree of that parent is joined too. Paths to roots are halved on the
  /// way.
  template <class Team>
  KOKKOS_FUNCTION static void join(const Team& team, int* parents, int i, int j) {
    const auto root = [&](int node) {
      for (;;) {
        const int parent = team.read(parents + node), above = team.read(parents + parent);
        if (above == parent) return parent;
        team.lower(parents + node, above);
        node = above;
      }
    };
    for (;;) {
      i = root(i);
      j = root(j);
      if (i == j) return;
      const int late = max(i, j), early = min(i, j);
      const int before = team.lower(parents + late, early);
      if (before == late) return;
      i = before;
      j = early;
    }
  }

  /// The root of each component. A single thread finds the roots in order; several threads go up
  /// all trees in steps that double in length.
  template <class Team>
  KOKKOS_FUNCTION const int* find_roots(const Team& team, const Scratch& scratch, int n) const {
    int* parents = scratch.parents;
    if (team.alone()) {
      for (int i = 0; i < n; ++i) parents[i] = parents[parents[i]];
      return parents;
    }
    int* next = scratch.buffer;
    for (int step = 0;; ++step) {
      int* const changed = scratch.counters + changes + step % 3;
      team.single([&] { scratch.counters[changes + (step + 1) % 3] = 0; });
      team.template for_each<int>(n, [&](Tile<int> tile) {
        const int parent = parents[tile.first], above = parents[parent];
        next[tile.first] = above;
        if (above != parent) team.raise(changed);
      });
      team.barrier();
      if (*changed == 0) return next;
      int* const last = parents;
      parents = next;
      next = last;
    }
  }

  /// Adds up the pixels of each cluster at its root, lists the roots and returns their number.
  template <class Team>
  KOKKOS_FUNCTION int add_up(const Team& team, const Scratch& scratch, const int* roots,
                             int n) const {
    const int found = team.compact_tiles(
        n,
        [&](Tile<Integers> tile) {
          const PixelSums<Integers> sums(tile.template load<Integers>(scratch.words));
          tile.store(scratch.n, sums.n);
          tile.store(scratch.columns, sums.columns);
          tile.store(scratch.rows, sums.rows);
          return tile.template load<Integers>(roots) == own_index(tile);
        },
        [&](Tile<Integers> tile, const Mask& is_root, int to) {
          team.compress_store(scratch.roots + to, own_index(tile), is_root);
          team.compress_store(scratch.others + tile.first - to, own_index(tile),
                              tile.mask() && !is_root);
        });
    team.template for_each<int>(n - found, [&](Tile<int> tile) {
      const int from = scratch.others[tile.first], root = roots[from];
      team.add(scratch.n + root, scratch.n[from]);
      team.add(scratch.columns + root, scratch.columns[from]);
      team.add(scratch.rows + root, scratch.rows[from]);
    });
    team.barrier();
    return found;
  }

  KOKKOS_FORCEINLINE_FUNCTION static Integers own_index(const Tile<Integers>& tile) {
    return Integers(tile.first) + lane_index<Integers>();
  }

  // From clusters to hits -------------------------------------------------------------------------

  template <class Team>
  KOKKOS_FUNCTION void store_hits(const Team& team, const Scratch& scratch, int event,
                                  int n) const {
    const auto first = hits.event_offsets(event);
    team.template for_each<Real>(n, [&](Tile<Real> tile) {
      const auto mask = tile.mask();
      const auto root = tile.template load<Integer>(scratch.roots);
      const auto word = gather<Integer>(scratch.words, root, mask);
      const auto pixels = max(gather<Integer>(scratch.n, root, mask), Integer(1));
      const Mean<Real> column(gather<Integer>(scratch.columns, root, mask), pixels);
      const Mean<Real> row(gather<Integer>(scratch.rows, root, mask), pixels);
      const Integer sensor = word >> super_pixel_sensor_shift;
      store_position(tile, first, sensor, column, row);
      tile.store(hits.module.data() + first, sensor >> 2);
      const Integer id =
          Integer(I(velo_id_tag << 28)) | sensor << 18 | column.whole << 8 | row.whole;
      tile.store(clusters.ids.data() + first, bit_cast<UnsignedOf<Real>>(id));
    });
    team.barrier();
  }

  /// In double precision up to the end: the roundings of a position decide later which of two
  /// equally good hits a track takes.
  KOKKOS_FORCEINLINE_FUNCTION void store_position(const Tile<Real>& tile, std::uint32_t first,
                                                  const Integer& sensor, const Mean<Real>& column,
                                                  const Mean<Real>& row) const {
    using Precise = typename Mean<Real>::Precise;
    const auto mask = tile.mask();
    const auto precise = [](const auto& a) { return convert<Precise>(a); };
    const auto of_column = [&](const auto& table) {
      return precise(gather<Real>(table.data(), column.whole, mask));
    };
    const Precise x = fma(column.rest, of_column(tables.column_pitch), of_column(tables.column_x));
    const Precise y = (precise(row.whole) + Precise(0.5) + row.rest) * Precise(velo_row_pitch);
    const auto coordinate = [&](int axis) {
      const auto t = gather_quartets<Real>(tables.axes.data(), sensor * Integer(3) + Integer(axis));
      return convert<Real>(fma(precise(t.x), x, fma(precise(t.y), y, precise(t.z))));
    };
    tile.store(hits.x.data() + first, coordinate(0));
    tile.store(hits.y.data() + first, coordinate(1));
    tile.store(hits.z.data() + first, coordinate(2));
  }
};

}  // namespace trackplex::lhcb::detail
