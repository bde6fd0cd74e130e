// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/rank_in_bins.hpp>
#include <trackplex/core/team_launch.hpp>
#include <trackplex/lhcb/detail/scifi_clusters.hpp>
#include <trackplex/lhcb/scifi/scifi_geometry.hpp>

#include <cstdint>

namespace trackplex::lhcb::detail {

/// Cluster in 25 bits: number of its mat, SiPM and channel of the mat, fraction and pseudo size.
struct ScifiCode {
  static constexpr int size_bits = 4, fraction_bit = size_bits, channel_shift = size_bits + 1;
  static constexpr int sipm_shift = channel_shift + 7, mat_shift = sipm_shift + 2;
};

/// Decodes the hits of one event per team. A hit is first a code, see ScifiCode. The codes are
/// counted by mat, placed by a counting sort over the mats, and ranked by (x, place in the banks)
/// in their row, which is a mat where mats do not overlap. The order that the counting sort leaves
/// inside a mat does not matter.
template <class Real, class Input, class Table, class Output>
struct ScifiDecoding {
  using RealScalar = ScalarOf<Real>;
  using Integer = IntegerOf<Real>;
  using Index = ScalarOf<Integer>;
  using Unsigned = UnsignedOf<Real>;

  Input input;
  Table table;
  Output hits;

  struct Scratch {
    Index* first;      ///< of each mat: hits, then place of the first one
    Index* next;       ///< of each mat: place of the next hit
    Index* unordered;  ///< whether any hit is not at its final place
    Index* invalid;    ///< words without a cluster
    Index* code;       ///< in the order of the banks
    // In the order of the mats, with a margin on either side that belongs to no row
    Index* hit;  ///< place in the order of the banks
    Index* mat_code;
    Index* row;
    RealScalar* x;
    RealScalar* distance;  ///< in the order of the mats, see distance_of()
    Index* sorted_code;    ///< in the final order

    static constexpr int margin = 32;  ///< more than the lanes of a pack

    KOKKOS_FUNCTION Scratch(ScratchCarver& carver, int hits, int mats)
        : first(carver.take<Index>(mats + 1)),
          next(carver.take<Index>(mats + 1)),
          unordered(carver.take<Index>(1)),
          invalid(carver.take<Index>(1)),
          code(carver.take<Index>(hits)),
          hit(carver.take_with_margin<Index>(hits, margin)),
          mat_code(carver.take_with_margin<Index>(hits, margin)),
          row(carver.take_with_margin<Index>(hits, margin)),
          x(carver.take_with_margin<RealScalar>(hits, margin)),
          distance(carver.take<RealScalar>(hits)),
          sorted_code(carver.take<Index>(hits)) {}
  };

  KOKKOS_FUNCTION std::size_t scratch_bytes() const {
    ScratchCarver carver;
    Scratch(carver, hits.max_event_hits, table.mats);
    return carver.bytes();
  }

  template <class Member>
  KOKKOS_FUNCTION void operator()(const Member& member, ScratchCarver carver) const {
    const TeamLanes<Real, Member> team(member);
    const int event = member.league_rank();
    const auto first = hits.event_offsets(event);
    const int n = int(hits.event_offsets(event + 1) - first);
    const Scratch scratch(carver, hits.max_event_hits, table.mats);

    read_banks(team, scratch, event);
    const int known = set_offsets(team, scratch, event, n);
    distribute(team, scratch, n);
    locate(team, scratch, known);
    const bool ordered = is_ordered(team, scratch, known);
    if (!ordered) rank(team, scratch, known);
    decode(team, scratch, ordered, first, known);
  }

 private:
  /// Writes the codes and counts them by mat.
  template <class Team>
  KOKKOS_FUNCTION void read_banks(const Team& team, const Scratch& scratch, int event) const {
    team.for_each(table.mats + 1, [&](Tile<Real> tile) { tile.store(scratch.first, Integer(0)); });
    team.single([&] {
      *scratch.unordered = 0;
      *scratch.invalid = 0;
    });
    team.barrier();
    const auto& banks = input.banks;
    const int begin = int(banks.event_banks(event)), end = int(banks.event_banks(event + 1));
    team.template for_each<int>(end - begin,
                                [&](Tile<int> b) { read_bank(team, scratch, begin + b.first); });
    team.barrier();
  }

  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION void read_bank(const Team& team, const Scratch& scratch,
                                             int bank) const {
    const auto& banks = input.banks;
    const int source = banks.sources(bank), last = table.sources - 1;
    const std::uint16_t* const sipms =
        table.sipms.data() + scifi_bank_links * int(table.bank_of(source < last ? source : last));
    const auto words = banks.first_words(bank);
    Index* code = scratch.code + input.capacity.bank_offsets(bank);
    const auto add = [&](int link, int cell, int fraction, int size) {
      const Index sipm =
          link < scifi_bank_links ? Index(sipms[link]) : Index(table.mats) << Table::sipm_bits;
      *code++ = sipm << ScifiCode::sipm_shift | Index(cell) << ScifiCode::channel_shift |
                Index(fraction) << ScifiCode::fraction_bit | Index(size);
      team.increment(scratch.first + (sipm >> Table::sipm_bits));
    };
    const int invalid = for_each_scifi_cluster(
        banks.version, ScifiWords(banks.words.data() + words, banks.first_words(bank + 1) - words),
        add);
    if (invalid > 0) team.add(scratch.invalid, Index(invalid));
  }

  /// Turns the counts into places, writes the offsets of the zones and the number of invalid
  /// clusters; returns the number of the other hits, which come first.
  template <class Team>
  KOKKOS_FUNCTION int set_offsets(const Team& team, const Scratch& scratch, int event,
                                  int n) const {
    team.exclusive_scan(scratch.first, table.mats + 1);
    Index* const offsets = hits.zone_offsets.data() + std::size_t(event) * (scifi_zones + 1);
    team.template for_each<int>(scifi_zones + 1, [&](Tile<int> zone) {
      offsets[zone.first] = scratch.first[table.zone_mats(zone.first)];
    });
    const int known = int(scratch.first[table.mats]);
    team.for_each(table.mats + 1, [&](Tile<Real> tile) {
      tile.store(scratch.next, tile.template load<Integer>(scratch.first));
    });
    team.single([&] { hits.invalid(event) = std::uint32_t(*scratch.invalid + Index(n - known)); });
    team.barrier();
    return known;
  }

  /// Places the codes by mat. Boards send the channels of a mat in ascending order; if that is not
  /// the order of x, they are placed from the end, and a team of one thread keeps them sorted.
  template <class Team>
  KOKKOS_FUNCTION void distribute(const Team& team, const Scratch& scratch, int n) const {
    team.template for_each<int>(n, [&](Tile<int> i) {
      const Index code = scratch.code[i.first];
      const Index mat = code >> ScifiCode::mat_shift;
      Index to = team.increment(scratch.next + mat);
      if (mat < Index(table.mats) && table.descending(mat))
        to = scratch.first[mat] + scratch.first[mat + 1] - 1 - to;
      scratch.hit[to] = Index(i.first);
      scratch.mat_code[to] = code;
    });
    team.barrier();
  }

  /// Bits of a code from `shift` on.
  template <int Bits>
  KOKKOS_FORCEINLINE_FUNCTION static Integer field(Integer code, int shift) {
    return (code >> shift) & Integer(Index((1 << Bits) - 1));
  }

  /// Distance of a fibre from the first one of its mat, across the fibres.
  KOKKOS_FORCEINLINE_FUNCTION Real distance_of(Integer code, Integer mat, MaskOf<Real> mask) const {
    const Integer cell = field<7>(code, ScifiCode::channel_shift);
    const Integer halves = cell + cell + field<1>(code, ScifiCode::fraction_bit);
    const Real upper_die =
        select(cell >= Integer(Index(scifi_sipm_channels / 2)),
               gather<Real>(table.die_gap.data(), mat, mask), Real(RealScalar(0)));
    const Real in_sipm =
        fma(convert<Real>(halves), gather<Real>(table.half_pitch.data(), mat, mask), upper_die);
    return fma(convert<Real>(field<2>(code, ScifiCode::sipm_shift)),
               gather<Real>(table.sipm_pitch.data(), mat, mask), in_sipm);
  }

  /// origin + distance * step of each mat.
  template <class Array>
  KOKKOS_FORCEINLINE_FUNCTION static Real position(Real distance, const Array& step,
                                                   const Array& origin, Integer mat,
                                                   MaskOf<Real> mask) {
    return fma(distance, gather<Real>(step.data(), mat, mask),
               gather<Real>(origin.data(), mat, mask));
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
      const auto code = tile.template load<Integer>(scratch.mat_code);
      const Integer mat = code >> ScifiCode::mat_shift;
      const Real distance = distance_of(code, mat, mask);
      tile.store(scratch.row, gather<Integer>(table.row.data(), mat, mask));
      tile.store(scratch.x, position(distance, table.x_step, table.x, mat, mask));
      tile.store(scratch.distance, distance);
    });
    team.barrier();
  }

  struct Neighbour {
    Integer hit, bin;  ///< the bins are rows
    Real x;

    KOKKOS_FORCEINLINE_FUNCTION MaskOf<Real> goes_before(const Neighbour& other) const {
      return x < other.x || (x == other.x && hit < other.hit);
    }
  };

  /// The hits `distance` places from those of the tile, in full packs: the margins cover the ends.
  KOKKOS_FORCEINLINE_FUNCTION static Neighbour neighbour(const Tile<Real>& tile,
                                                         const Scratch& scratch, int distance) {
    const int from = tile.first + distance;
    return {load<Integer>(scratch.hit + from), load<Integer>(scratch.row + from),
            load<Real>(scratch.x + from)};
  }

  /// Whether the order by mat is the final one: no hit belongs before its predecessor in the row.
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
              load<Integer>(scratch.mat_code + tile.first), tile.mask());
    });
    team.barrier();
  }

  /// Writes the hits. Where the order by mat is the final one, distances and x are known.
  template <class Team>
  KOKKOS_FUNCTION void decode(const Team& team, const Scratch& scratch, bool ordered,
                              std::uint32_t first, int n) const {
    team.for_each(n, [&](Tile<Real> tile) {
      const auto mask = tile.mask();
      const auto code =
          tile.template load<Integer>(ordered ? scratch.mat_code : scratch.sorted_code);
      const Integer mat = code >> ScifiCode::mat_shift;
      const Integer size = field<ScifiCode::size_bits>(code, 0);
      const Real distance = ordered ? tile.load(scratch.distance) : distance_of(code, mat, mask);
      const Real y = position(distance, table.y_step, table.y, mat, mask);
      const Real other = y + gather<Real>(table.length.data(), mat, mask);
      tile.store(hits.x.data() + first, ordered
                                            ? tile.load(scratch.x)
                                            : position(distance, table.x_step, table.x, mat, mask));
      tile.store(hits.z.data() + first, position(distance, table.z_step, table.z, mat, mask));
      tile.store(hits.y_begin.data() + first, min(y, other));
      tile.store(hits.y_end.data() + first, max(y, other));
      tile.store(hits.weight.data() + first, gather<Real>(table.weight.data(), size, mask));
      tile.store(hits.cluster_size.data() + first, size);
      tile.store(hits.id.data() + first,
                 gather<Unsigned>(table.id.data(), mat, mask) +
                     bit_cast<Unsigned>(field<9>(code, ScifiCode::channel_shift)));
    });
  }
};

}  // namespace trackplex::lhcb::detail
