// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/team.hpp>
#include <trackplex/search/sorted_groups.hpp>

namespace trackplex::search::detail {

/// A counting sort of one event's hits over all bins of all groups at once, then an insertion by (phi, index) inside each
/// bin, which holds a hit or two. The order of the counting step inside a bin does not matter.
template <class Phi, class Groups, class Real, class InputHits, class Sorted>
struct SortByPhi {
  using RealScalar = ScalarOf<Real>;
  using Integer = IntegerOf<Real>;
  using Key = typename Phi::Key;
  using KeyLane = typename Phi::template Lane<Real>;

  InputHits hits;
  Sorted sorted;
  int layers;

  struct Scratch {
    Key* phi;                ///< of the hits in the order of the input
    std::uint16_t* bin;      ///< likewise
    std::int32_t* cursor;    ///< of each bin: next place
    std::uint16_t* by_bin;   ///< hits in the order of their bins

    KOKKOS_FUNCTION Scratch(ScratchCarver& carver, int hits, int bins)
        : phi(carver.take<Key>(hits)),
          bin(carver.take<std::uint16_t>(hits)),
          cursor(carver.take<std::int32_t>(bins + 1)),
          by_bin(carver.take<std::uint16_t>(hits)) {}
  };

  KOKKOS_FUNCTION std::size_t scratch_bytes() const {
    ScratchCarver carver;
    Scratch(carver, hits.max_event_hits, Groups::bins_per_event(layers));
    return carver.bytes();
  }

  template <class Member>
  KOKKOS_FUNCTION void operator()(const Member& member) const {
    const TeamLanes<Real, Member> team(member);
    const int event = member.league_rank();
    const auto first = hits.event_offsets(event);
    const int n = int(hits.event_offsets(event + 1) - first);
    const int bins = Groups::bins_per_event(layers);
    ScratchCarver carver = team_scratch(member, scratch_bytes());
    const Scratch scratch(carver, hits.max_event_hits, bins);
    std::int32_t* const offsets = sorted.bin_offsets.data() + std::size_t(event) * (bins + 1);

    count(team, scratch, offsets, first, n, bins);
    team.exclusive_scan(offsets, bins + 1);
    distribute(team, scratch, offsets, n, bins);
    place(team, scratch, offsets, first, n);
  }

 private:
  template <class Team>
  KOKKOS_FUNCTION void count(const Team& team, const Scratch& scratch, std::int32_t* offsets, std::uint32_t first, int n,
                             int bins) const {
    team.template for_each<int>(bins + 1, [&](Tile<int> bin) { offsets[bin.first] = 0; });
    team.barrier();
    team.for_each(n, [&](Tile<Real> tile) {
      const Real x = tile.load(hits.x.data() + first);
      const Real y = tile.load(hits.y.data() + first);
      const auto module = tile.template load<Integer>(hits.module.data() + first);
      const Integer side = module & Integer(1);
      const KeyLane phi = Phi::template of<Real>(x, y, side);
      const Integer bin = Groups::group(module) * Integer(Groups::bins) +
                          Phi::template bin<Groups::log2_bins>(phi, side);
      tile.store(scratch.phi, phi);
      tile.store(scratch.bin, bin);
      for (int lane = 0; lane < tile.count; ++lane) team.increment(offsets + extract(bin, lane));
    });
    team.barrier();
  }

  template <class Team>
  KOKKOS_FUNCTION void distribute(const Team& team, const Scratch& scratch, const std::int32_t* offsets, int n,
                                  int bins) const {
    team.template for_each<int>(bins, [&](Tile<int> bin) { scratch.cursor[bin.first] = offsets[bin.first]; });
    team.barrier();
    team.template for_each<int>(n, [&](Tile<int> hit) {
      scratch.by_bin[team.increment(scratch.cursor + scratch.bin[hit.first])] = std::uint16_t(hit.first);
    });
    team.barrier();
  }

  /// Each hit counts the hits of its bin that go before it.
  template <class Team>
  KOKKOS_FUNCTION void place(const Team& team, const Scratch& scratch, const std::int32_t* offsets, std::uint32_t first,
                             int n) const {
    team.template for_each<int>(n, [&](Tile<int> tile) {
      const int hit = tile.first;
      const int bin = scratch.bin[hit];
      const Key phi = scratch.phi[hit];
      int place = offsets[bin];
      for (int i = offsets[bin]; i < offsets[bin + 1]; ++i) {
        const int other = scratch.by_bin[i];
        place += scratch.phi[other] < phi || (scratch.phi[other] == phi && other < hit) ? 1 : 0;
      }
      const auto from = first + hit;
      const auto to = first + place;
      sorted.x(to) = hits.x(from);
      sorted.y(to) = hits.y(from);
      sorted.z(to) = hits.z(from);
      sorted.phi(to) = phi;
      sorted.module(to) = hits.module(from);
      sorted.index(to) = std::uint16_t(hit);
    });
  }
};

}  // namespace trackplex::search::detail
