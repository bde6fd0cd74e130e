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

/// Decodes the hits of one event per team. A hit is first a code, see ScifiCode. Boards send the
/// channels of a mat together and in ascending order: hits are decoded mat by mat, and if those of
/// all zones are in ascending order of x, they are at their places. Else the codes are placed by a
/// counting sort over the mats, ranked by (x, place in the banks) in their row, which is a mat
/// where mats do not overlap, and decoded again. The order that the counting sort leaves inside a
/// mat does not matter.
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
    Index* begin;      ///< of each mat: its first code in the order of the banks
    Index* next;       ///< of each mat: place of the next hit
    Index* unordered;  ///< whether any hit is not at its final place
    Index* invalid;    ///< words without a cluster
    // With a margin on either side
    Index* code;  ///< in the order of the banks
    // In the order of the mats; the margins belong to no row
    Index* hit;  ///< place in the order of the banks
    Index* mat_code;
    Index* row;
    RealScalar* x;
    Index* sorted_code;  ///< in the final order

    static constexpr int margin = 32;  ///< more than the lanes of a pack

    KOKKOS_FUNCTION Scratch(ScratchCarver& carver, int hits, int mats)
        : first(carver.take<Index>(mats + 1)),
          begin(carver.take<Index>(mats + 1)),
          next(carver.take<Index>(mats + 1)),
          unordered(carver.take<Index>(1)),
          invalid(carver.take<Index>(1)),
          code(carver.take_with_margin<Index>(hits, margin)),
          hit(carver.take_with_margin<Index>(hits, margin)),
          mat_code(carver.take_with_margin<Index>(hits, margin)),
          row(carver.take_with_margin<Index>(hits, margin)),
          x(carver.take_with_margin<RealScalar>(hits, margin)),
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
    count_hits(team, scratch, n);
    const int known = set_offsets(team, scratch, event, n);
    decode_mats(team, scratch, first, n, known);
    check_order(team, scratch, event, first);
    if (*scratch.unordered == 0) return;
    distribute(team, scratch, n);
    locate(team, scratch, known);
    rank(team, scratch, known);
    decode(team, scratch, first, known);
  }

 private:
  /// Writes the codes.
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
    Index place = Index(input.capacity.bank_offsets(bank));
    const auto add = [&](int link, int cell, int fraction, int size) {
      const Index sipm =
          link < scifi_bank_links ? Index(sipms[link]) : Index(table.mats) << Table::sipm_bits;
      scratch.code[place++] = sipm << ScifiCode::sipm_shift |
                              Index(cell) << ScifiCode::channel_shift |
                              Index(fraction) << ScifiCode::fraction_bit | Index(size);
    };
    const int invalid = for_each_scifi_cluster(
        banks.version, ScifiWords(banks.words.data() + words, banks.first_words(bank + 1) - words),
        add);
    if (invalid > 0) team.add(scratch.invalid, Index(invalid));
  }

  /// Counts the codes by mat, and finds the first one of each mat.
  template <class Team>
  KOKKOS_FUNCTION void count_hits(const Team& team, const Scratch& scratch, int n) const {
    Index unused = 0;
    // no branch, which would be mispredicted for every mat
    const auto add = [&](Index mat, Index place, Index some) {
      Index* const begin =
          team.add(scratch.first + mat, some) == Index(0) ? scratch.begin + mat : &unused;
      *begin = place;
    };
    if (!team.alone()) {
      team.template for_each<int>(n, [&](Tile<int> i) {
        add(scratch.code[i.first] >> ScifiCode::mat_shift, Index(i.first), 1);
      });
      team.barrier();
      return;
    }
    // runs of codes of the same mat
    scratch.code[-1] = -1;
    Index* const runs = scratch.hit;  // not used yet
    const int n_runs = team.compact_tiles(
        n,
        [&](Tile<Real> tile) {
          const auto mat = [&](int i) {
            return load<Integer>(scratch.code + i) >> ScifiCode::mat_shift;
          };
          return !(mat(tile.first) == mat(tile.first - 1));
        },
        [&](Tile<Real> tile, const MaskOf<Real>& mask, int place) {
          team.compress_store(runs + place, tile.index(), mask);
        });
    runs[n_runs] = Index(n);
    for (int i = 0; i < n_runs; ++i)
      add(scratch.code[runs[i]] >> ScifiCode::mat_shift, runs[i], runs[i + 1] - runs[i]);
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
    team.single([&] { hits.invalid(event) = std::uint32_t(*scratch.invalid + Index(n - known)); });
    return known;
  }

  /// Bits of a code from `shift` on.
  template <int Bits>
  KOKKOS_FORCEINLINE_FUNCTION static Integer field(Integer code, int shift) {
    return (code >> shift) & Integer(Index((1 << Bits) - 1));
  }

  /// Decodes the hits of all mats, those of a mat in the order of the channels, or from the end if
  /// x decreases with them. Raises `unordered` if the codes of a mat are not together.
  template <class Team>
  KOKKOS_FUNCTION void decode_mats(const Team& team, const Scratch& scratch, std::uint32_t first,
                                   int n_codes, int known) const {
    team.template for_each<int>(table.mats, [&](Tile<int> tile) {
      const int mat = tile.first, begin = int(scratch.first[mat]);
      const int n = int(scratch.first[mat + 1]) - begin;
      if (n == 0) return;
      // several threads may have counted a mat of several banks: any place, but a valid one
      const Index* const code = scratch.code + max(0, min(int(scratch.begin[mat]), n_codes - n));
      const bool descending = table.descending(mat);
      for (int i = 0; i < n; i += width_of<Real>) {
        const int some = min(n - i, width_of<Real>);
        const auto mask = first_lanes<Real>(some);
        const Integer codes =
            descending
                ? gather<Integer>(code, Integer(Index(n - 1 - i)) - lane_index<Integer>(), mask)
                : load_first<Integer>(code + i, some);
        if (any_of(mask && !(codes >> ScifiCode::mat_shift == Integer(Index(mat)))))
          team.raise(scratch.unordered);
        // a single thread may write past the end: it writes the later hits later
        const bool all = team.alone() && begin + i + width_of<Real> <= known;
        decode_hits(codes, OfMat{table, mat}, first + std::uint32_t(begin + i), mask,
                    [&](auto* p, const auto& values) {
                      if (all)
                        store(p, values);
                      else
                        store_first(p, values, some);
                    });
      }
    });
    team.barrier();
  }

  /// Raises `unordered` if x does not ascend in a zone.
  template <class Team>
  KOKKOS_FUNCTION void check_order(const Team& team, const Scratch& scratch, int event,
                                   std::uint32_t first) const {
    const Index* const zones = hits.zone_offsets.data() + std::size_t(event) * (scifi_zones + 1);
    const RealScalar* const x = hits.x.data() + first;
    for (int zone = 0; zone < scifi_zones; ++zone)
      team.for_each(int(zones[zone + 1] - zones[zone]) - 1, [&](Tile<Real> tile) {
        const RealScalar* const begin = x + zones[zone];
        if (any_of(tile.mask() && tile.load(begin + 1) <= tile.load(begin)))
          team.raise(scratch.unordered);
      });
    team.barrier();
  }

  /// Places the codes by mat.
  template <class Team>
  KOKKOS_FUNCTION void distribute(const Team& team, const Scratch& scratch, int n) const {
    team.for_each(table.mats + 1, [&](Tile<Real> tile) {
      tile.store(scratch.next, tile.template load<Integer>(scratch.first));
    });
    team.barrier();
    team.template for_each<int>(n, [&](Tile<int> i) {
      const Index code = scratch.code[i.first];
      const Index mat = code >> ScifiCode::mat_shift;
      const Index to = team.increment(scratch.next + mat);
      scratch.hit[to] = Index(i.first);
      scratch.mat_code[to] = code;
    });
    team.barrier();
  }

  /// Numbers of the table for hits of one mat.
  struct OfMat {
    const Table& table;
    int mat;

    template <class Result, class Array>
    KOKKOS_FORCEINLINE_FUNCTION Result get(const Array& array) const {
      return Result(array(mat));
    }
  };
  /// The same for hits of several mats.
  struct OfMats {
    const Table& table;
    Integer mat;
    MaskOf<Real> mask;

    template <class Result, class Array>
    KOKKOS_FORCEINLINE_FUNCTION Result get(const Array& array) const {
      return gather<Result>(array.data(), mat, mask);
    }
  };

  /// Distance of a fibre from the first one of its mat, across the fibres.
  template <class Mats>
  KOKKOS_FORCEINLINE_FUNCTION static Real distance_of(const Integer& code, const Mats& mats) {
    const Integer cell = field<7>(code, ScifiCode::channel_shift);
    const Integer halves = cell + cell + field<1>(code, ScifiCode::fraction_bit);
    const Real upper_die = select(cell >= Integer(Index(scifi_sipm_channels / 2)),
                                  mats.template get<Real>(mats.table.die_gap), Real(RealScalar(0)));
    const Real in_sipm =
        fma(convert<Real>(halves), mats.template get<Real>(mats.table.half_pitch), upper_die);
    return fma(convert<Real>(field<2>(code, ScifiCode::sipm_shift)),
               mats.template get<Real>(mats.table.sipm_pitch), in_sipm);
  }

  /// origin + distance * step of each mat.
  template <class Mats, class Array>
  KOKKOS_FORCEINLINE_FUNCTION static Real position(const Real& distance, const Array& step,
                                                   const Array& origin, const Mats& mats) {
    return fma(distance, mats.template get<Real>(step), mats.template get<Real>(origin));
  }

  /// Decodes hits from index `to` on: `put(pointer, values)` writes those in the mask.
  template <class Mats, class Put>
  KOKKOS_FORCEINLINE_FUNCTION void decode_hits(const Integer& code, const Mats& mats,
                                               std::uint32_t to, const MaskOf<Real>& mask,
                                               const Put& put) const {
    const Integer size = field<ScifiCode::size_bits>(code, 0);
    const Real distance = distance_of(code, mats);
    const Real y = position(distance, table.y_step, table.y, mats);
    const Real other = y + mats.template get<Real>(table.length);
    put(hits.x.data() + to, position(distance, table.x_step, table.x, mats));
    put(hits.z.data() + to, position(distance, table.z_step, table.z, mats));
    put(hits.y_begin.data() + to, min(y, other));
    put(hits.y_end.data() + to, max(y, other));
    put(hits.weight.data() + to, gather<Real>(table.weight.data(), size, mask));
    put(hits.cluster_size.data() + to, size);
    put(hits.id.data() + to, mats.template get<Unsigned>(table.id) +
                                 bit_cast<Unsigned>(field<9>(code, ScifiCode::channel_shift)));
  }

  /// Finds the keys by which the hits are ranked.
  template <class Team>
  KOKKOS_FUNCTION void locate(const Team& team, const Scratch& scratch, int n) const {
    team.template for_each<int>(Scratch::margin, [&](Tile<int> i) {
      scratch.row[-1 - i.first] = -1;
      scratch.row[n + i.first] = -1;
    });
    team.for_each(n, [&](Tile<Real> tile) {
      const auto code = tile.template load<Integer>(scratch.mat_code);
      const OfMats mats{table, code >> ScifiCode::mat_shift, tile.mask()};
      tile.store(scratch.row, mats.template get<Integer>(table.row));
      tile.store(scratch.x, position(distance_of(code, mats), table.x_step, table.x, mats));
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

  template <class Team>
  KOKKOS_FUNCTION void rank(const Team& team, const Scratch& scratch, int n) const {
    team.for_each(n, [&](Tile<Real> tile) {
      const auto at = [&](int distance) { return neighbour(tile, scratch, distance); };
      scatter(scratch.sorted_code, rank_in_bins(tile, at),
              load<Integer>(scratch.mat_code + tile.first), tile.mask());
    });
    team.barrier();
  }

  /// Writes the hits in their final order.
  template <class Team>
  KOKKOS_FUNCTION void decode(const Team& team, const Scratch& scratch, std::uint32_t first,
                              int n) const {
    team.for_each(n, [&](Tile<Real> tile) {
      const auto code = tile.template load<Integer>(scratch.sorted_code);
      decode_hits(code, OfMats{table, code >> ScifiCode::mat_shift, tile.mask()},
                  first + std::uint32_t(tile.first), tile.mask(),
                  [&](auto* p, const auto& values) { store_first(p, values, tile.count); });
    });
  }
};

}  // namespace trackplex::lhcb::detail
