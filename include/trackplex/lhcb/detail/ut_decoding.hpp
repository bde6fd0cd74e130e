// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/rank_in_bins.hpp>
#include <trackplex/core/team_launch.hpp>

#include <cstdint>

namespace trackplex::lhcb::detail {

/// Word of a hit in a UT bank of version 3. Bits 0 to 1: quarters of a strip; 2 to 13: channel of
/// the board, whose low 9 bits are the strip in its hybrid; 15: high threshold. The low 11
/// bits, strip and quarters, give the position.
inline constexpr int ut_strip_bits = 11;
inline constexpr std::uint32_t ut_strip_mask = (1u << ut_strip_bits) - 1;
inline constexpr std::uint32_t ut_hybrid_mask = 7;

/// Number of hits of a bank of version 3, at most as many as fit into its words.
KOKKOS_FORCEINLINE_FUNCTION int ut_bank_hits(const std::uint32_t* payload, std::uint32_t words) {
  if (words == 0) return 0;
  const std::uint32_t n = payload[0] & 0xffffu, room = 2 * (words - 1);
  return int(n < room ? n : room);
}

/// Decodes the hits of one event per team. A hit is first a code: number of its hybrid and its
/// strip. The codes are counted by hybrid, placed by a counting sort over the hybrids, and ranked
/// by (y, x, place in the banks) in their row, which holds a hit or a few. Thus their final order
/// is known before anything is written. The order that the counting sort leaves inside a hybrid
/// does not matter.
template <class Real, class Banks, class Table, class Output>
struct UtDecoding {
  using RealScalar = ScalarOf<Real>;
  using Integer = IntegerOf<Real>;
  using Index = ScalarOf<Integer>;
  using Unsigned = UnsignedOf<Real>;

  Banks banks;
  Table table;
  Output hits;

  static constexpr int banks_at_once = 256;

  struct Scratch {
    Index* bank_first;  ///< of banks_at_once banks: place of the first hit
    Index* first;       ///< of each hybrid: hits, then place of the first one
    Index* next;        ///< of each hybrid: place of the next hit
    Index* unordered;   ///< whether any hit is not at its final place
    Index* code;        ///< in the order of the banks
    // In the order of the hybrids, with a margin on either side that belongs to no row
    Index* hit;  ///< place in the order of the banks
    Index* hybrid_code;
    Index* row;
    RealScalar* y;
    RealScalar* x;
    Index* sorted_code;  ///< in the final order

    static constexpr int margin = 32;  ///< more than the lanes of a pack

    KOKKOS_FUNCTION Scratch(ScratchCarver& carver, int hits, int hybrids)
        : bank_first(carver.take<Index>(banks_at_once)),
          first(carver.take<Index>(hybrids + 1)),
          next(carver.take<Index>(hybrids + 1)),
          unordered(carver.take<Index>(1)),
          code(carver.take<Index>(hits)),
          hit(carver.take_with_margin<Index>(hits, margin)),
          hybrid_code(carver.take_with_margin<Index>(hits, margin)),
          row(carver.take_with_margin<Index>(hits, margin)),
          y(carver.take_with_margin<RealScalar>(hits, margin)),
          x(carver.take_with_margin<RealScalar>(hits, margin)),
          sorted_code(carver.take<Index>(hits)) {}
  };

  KOKKOS_FUNCTION std::size_t scratch_bytes() const {
    ScratchCarver carver;
    Scratch(carver, hits.max_event_hits, table.hybrids);
    return carver.bytes();
  }

  template <class Member>
  KOKKOS_FUNCTION void operator()(const Member& member, ScratchCarver carver) const {
    const TeamLanes<Real, Member> team(member);
    const int event = member.league_rank();
    const auto first = hits.event_offsets(event);
    const Scratch scratch(carver, hits.max_event_hits, table.hybrids);

    const int n = count(team, scratch, event);
    const int mapped = set_offsets(team, scratch, event, n);
    distribute(team, scratch, n);
    locate(team, scratch, mapped);
    const bool ordered = is_ordered(team, scratch, mapped);
    if (!ordered) rank(team, scratch, mapped);
    decode(team, scratch, ordered, first, mapped);
  }

 private:
  /// Writes the codes and counts them by hybrid; returns the number of hits.
  template <class Team>
  KOKKOS_FUNCTION int count(const Team& team, const Scratch& scratch, int event) const {
    team.for_each(table.hybrids + 1,
                  [&](Tile<Real> tile) { tile.store(scratch.first, Integer(0)); });
    const int end = int(banks.event_banks(event + 1));
    int n = 0;
    for (int first = int(banks.event_banks(event)); first < end; first += banks_at_once) {
      const int some = end - first < banks_at_once ? end - first : banks_at_once;
      team.barrier();
      team.template for_each<int>(some, [&](Tile<int> i) {
        const auto begin = banks.first_words(first + i.first);
        scratch.bank_first[i.first] = Index(ut_bank_hits(
            banks.words.data() + begin, banks.first_words(first + i.first + 1) - begin));
      });
      team.barrier();
      const int total = int(team.exclusive_scan(scratch.bank_first, some));
      team.template for_each<int>(some, [&](Tile<int> i) {
        const int last = i.first + 1 < some ? int(scratch.bank_first[i.first + 1]) : total;
        read_bank(team, scratch, first + i.first, n + int(scratch.bank_first[i.first]), n + last);
      });
      n += total;
    }
    team.barrier();
    return n;
  }

  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION void read_bank(const Team& team, const Scratch& scratch, int bank,
                                             int begin, int end) const {
    const int source = banks.sources(bank);
    const int board = source < table.boards ? source : table.boards;
    const std::uint16_t* const hybrid_of =
        table.hybrid_of.data() + board * Table::hybrids_per_board;
    const std::uint32_t* words = banks.words.data() + banks.first_words(bank) + 1;
    const auto read = [&](int i, std::uint32_t hit) {
      const Index hybrid = hybrid_of[hit >> ut_strip_bits & ut_hybrid_mask];
      scratch.code[i] = Index(hybrid << ut_strip_bits) | Index(hit & ut_strip_mask);
      team.increment(scratch.first + hybrid);
    };
    for (int i = begin; i < end; i += 2) {
      const std::uint32_t word = *words++;
      read(i, word);
      if (i + 1 < end) read(i + 1, word >> 16);
    }
  }

  /// Turns the counts into places, writes the offsets of the groups and the number of hits of
  /// unknown channels; returns the number of the other hits, which come first.
  template <class Team>
  KOKKOS_FUNCTION int set_offsets(const Team& team, const Scratch& scratch, int event,
                                  int n) const {
    team.exclusive_scan(scratch.first, table.hybrids + 1);
    Index* const offsets = hits.group_offsets.data() + std::size_t(event) * (table.groups + 1);
    team.template for_each<int>(table.groups + 1, [&](Tile<int> group) {
      offsets[group.first] = scratch.first[table.group_hybrids(group.first)];
    });
    const int mapped = int(scratch.first[table.hybrids]);
    team.for_each(table.hybrids + 1, [&](Tile<Real> tile) {
      tile.store(scratch.next, tile.template load<Integer>(scratch.first));
    });
    team.single([&] {
      hits.unmapped(event) = std::uint32_t(n - mapped);
      *scratch.unordered = 0;
    });
    team.barrier();
    return mapped;
  }

  /// Places the codes by hybrid. Boards send the strips of a hybrid in ascending order; if that is
  /// not the order of y, they are placed from the end, and one thread alone keeps them sorted.
  template <class Team>
  KOKKOS_FUNCTION void distribute(const Team& team, const Scratch& scratch, int n) const {
    team.template for_each<int>(n, [&](Tile<int> i) {
      const Index code = scratch.code[i.first];
      const Index hybrid = code >> ut_strip_bits;
      Index to = team.increment(scratch.next + hybrid);
      if (table.descending(hybrid)) to = scratch.first[hybrid] + scratch.first[hybrid + 1] - 1 - to;
      scratch.hit[to] = Index(i.first);
      scratch.hybrid_code[to] = code;
    });
    team.barrier();
  }

  /// Strip of a code and its fraction, from the first strip of the sector on.
  KOKKOS_FORCEINLINE_FUNCTION static Real strip_of(Integer code) {
    return convert<Real>(code & Integer(Index(ut_strip_mask))) * Real(RealScalar(0.25));
  }

  /// origin + strip * step of each hybrid.
  template <class Array>
  KOKKOS_FORCEINLINE_FUNCTION static Real position(Real strip, const Array& step,
                                                   const Array& origin, Integer hybrid,
                                                   MaskOf<Real> mask) {
    return fma(strip, gather<Real>(step.data(), hybrid, mask),
               gather<Real>(origin.data(), hybrid, mask));
  }

  /// Finds the keys by which the hits are ranked.
  template <class Team>
  KOKKOS_FUNCTION void locate(const Team& team, const Scratch& scratch, int n) const {
    team.template for_each<int>(Scratch::margin, [&](Tile<int> i) {
      scratch.row[-1 - i.first] = -1;
      scratch.row[n + i.first] = -1;
    });
    team.for_each(n, [&](Tile<Real> tile) {
      const auto mask = tile.mask();
      const auto code = tile.template load<Integer>(scratch.hybrid_code);
      const Integer hybrid = code >> ut_strip_bits;
      const Real strip = strip_of(code);
      tile.store(scratch.row, gather<Integer>(table.row.data(), hybrid, mask));
      tile.store(scratch.y, position(strip, table.y_per_strip, table.y, hybrid, mask));
      tile.store(scratch.x, position(strip, table.x_per_strip, table.x, hybrid, mask));
    });
    team.barrier();
  }

  struct Neighbour {
    Integer hit, bin;  ///< the bins are rows
    Real y, x;

    KOKKOS_FORCEINLINE_FUNCTION MaskOf<Real> goes_before(const Neighbour& other) const {
      return y < other.y || (y == other.y && (x < other.x || (x == other.x && hit < other.hit)));
    }
  };

  /// The hits `distance` places from those of the tile, in full packs: the margins cover the ends.
  KOKKOS_FORCEINLINE_FUNCTION static Neighbour neighbour(const Tile<Real>& tile,
                                                         const Scratch& scratch, int distance) {
    const int from = tile.first + distance;
    return {load<Integer>(scratch.hit + from), load<Integer>(scratch.row + from),
            load<Real>(scratch.y + from), load<Real>(scratch.x + from)};
  }

  /// Whether the order by hybrid is the final one: no hit belongs before its predecessor in the
  /// row.
  template <class Team>
  KOKKOS_FUNCTION bool is_ordered(const Team& team, const Scratch& scratch, int n) const {
    team.for_each(n, [&](Tile<Real> tile) {
      const auto own = neighbour(tile, scratch, 0);
      const auto behind = neighbour(tile, scratch, 1);
      if (any_of(tile.mask() && behind.bin == own.bin && behind.goes_before(own)))
        team.raise(scratch.unordered);
    });
    team.barrier();
    return *scratch.unordered == 0;
  }

  template <class Team>
  KOKKOS_FUNCTION void rank(const Team& team, const Scratch& scratch, int n) const {
    team.for_each(n, [&](Tile<Real> tile) {
      const auto at = [&](int distance) { return neighbour(tile, scratch, distance); };
      scatter(scratch.sorted_code, rank_in_bins(tile, at),
              load<Integer>(scratch.hybrid_code + tile.first), tile.mask());
    });
    team.barrier();
  }

  template <class Team>
  KOKKOS_FUNCTION void decode(const Team& team, const Scratch& scratch, bool ordered,
                              std::uint32_t first, int n) const {
    team.for_each(n, [&](Tile<Real> tile) {
      const auto mask = tile.mask();
      const auto code =
          tile.template load<Integer>(ordered ? scratch.hybrid_code : scratch.sorted_code);
      const Integer hybrid = code >> ut_strip_bits;
      const Real strip = strip_of(code);
      const Real x = ordered ? tile.load(scratch.x)
                             : position(strip, table.x_per_strip, table.x, hybrid, mask);
      const Real y = ordered ? tile.load(scratch.y)
                             : position(strip, table.y_per_strip, table.y, hybrid, mask);
      const auto strip_number = bit_cast<Unsigned>((code & Integer(Index(ut_strip_mask))) >> 2);
      tile.store(hits.x.data() + first, x);
      tile.store(hits.y_begin.data() + first, y);
      tile.store(hits.y_end.data() + first, y + gather<Real>(table.length.data(), hybrid, mask));
      tile.store(hits.z.data() + first, position(strip, table.z_per_strip, table.z, hybrid, mask));
      tile.store(hits.weight.data() + first, gather<Real>(table.weight.data(), hybrid, mask));
      tile.store(hits.id.data() + first,
                 gather<Unsigned>(table.id.data(), hybrid, mask) + strip_number);
    });
  }
};

}  // namespace trackplex::lhcb::detail
