// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/team.hpp>
#include <trackplex/search/sorted_groups.hpp>

namespace trackplex::search::detail {

/// A counting sort of one event's hits over all bins of all groups at once, then a rank by (phi,
/// index) inside each bin, which holds a hit or two. The order that the counting step leaves inside
/// a bin does not matter.
template <class Phi, class Groups, class Real, class InputHits, class Sorted>
struct SortByPhi {
  using RealScalar = ScalarOf<Real>;
  using Integer = IntegerOf<Real>;
  using Index = ScalarOf<Integer>;
  using Key = typename Phi::Key;
  using KeyLane = typename Phi::template Lane<Real>;

  InputHits hits;
  Sorted sorted;
  int layers;

  /// Of each hit, in the order of the input, unless said otherwise.
  struct Scratch {
    Key* phi;
    Index* side;
    Index* bin;
    Index* cursor;  ///< of each bin: next place
    Index* by_bin;  ///< hits in the order of their bins
    Index* order;   ///< hits in their final order

    KOKKOS_FUNCTION Scratch(ScratchCarver& carver, int hits, int bins)
        : phi(carver.take<Key>(hits)),
          side(carver.take<Index>(hits)),
          bin(carver.take<Index>(hits)),
          cursor(carver.take<Index>(bins)),
          by_bin(carver.take<Index>(hits)),
          order(carver.take<Index>(hits)) {}
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
    Index* const offsets = sorted.bin_offsets.data() + std::size_t(event) * (bins + 1);

    count(team, scratch, offsets, first, n, bins);
    team.exclusive_scan(offsets, bins + 1);
    distribute(team, scratch, offsets, n, bins);
    rank(team, scratch, offsets, n);
    copy(team, scratch, first, n);
  }

 private:
  template <class Team>
  KOKKOS_FUNCTION void count(const Team& team, const Scratch& scratch, Index* offsets,
                             std::uint32_t first, int n, int bins) const {
    team.for_each(bins + 1, [&](Tile<Real> tile) { tile.store(offsets, Integer(0)); });
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
      tile.store(scratch.side, side);
      tile.store(scratch.bin, bin);
      for (int lane = 0; lane < tile.count; ++lane) team.increment(offsets + extract(bin, lane));
    });
    team.barrier();
  }

  template <class Team>
  KOKKOS_FUNCTION void distribute(const Team& team, const Scratch& scratch, const Index* offsets,
                                  int n, int bins) const {
    team.for_each(bins, [&](Tile<Real> tile) {
      tile.store(scratch.cursor, tile.template load<Integer>(offsets));
    });
    team.barrier();
    team.template for_each<int>(n, [&](Tile<int> hit) {
      scratch.by_bin[team.increment(scratch.cursor + scratch.bin[hit.first])] = hit.first;
    });
    team.barrier();
  }

  /// Each hit counts the hits of its bin that go before it.
  template <class Team>
  KOKKOS_FUNCTION void rank(const Team& team, const Scratch& scratch, const Index* offsets,
                            int n) const {
    team.for_each(n, [&](Tile<Real> tile) {
      const auto mask = tile.mask();
      const Integer hit = tile.index();
      const Integer bin = tile.template load<Integer>(scratch.bin);
      const KeyLane phi = tile.template load<KeyLane>(scratch.phi);
      const Integer begin = gather<Integer>(offsets, bin, mask);
      const Integer size = gather<Integer>(offsets + 1, bin, mask) - begin;
      Integer place = begin;
      const int longest = int(max_of(size));
      for (int i = 0; longest > 1 && i < longest; ++i) {
        const auto inside = Integer(Index(i)) < size;
        const Integer other = gather<Integer>(scratch.by_bin, begin + Integer(Index(i)), inside);
        const KeyLane other_phi = gather<KeyLane>(scratch.phi, other, inside);
        const auto before = inside && (other_phi < phi || (other_phi == phi && other < hit));
        place = select(before, place + Integer(1), place);
      }
      scatter(scratch.order, place, hit, mask);
    });
    team.barrier();
  }

  template <class Team>
  KOKKOS_FUNCTION void copy(const Team& team, const Scratch& scratch, std::uint32_t first,
                            int n) const {
    team.for_each(n, [&](Tile<Real> tile) {
      const auto mask = tile.mask();
      const Integer hit = tile.template load<Integer>(scratch.order);
      tile.store(sorted.x.data() + first, gather<Real>(hits.x.data() + first, hit, mask));
      tile.store(sorted.y.data() + first, gather<Real>(hits.y.data() + first, hit, mask));
      tile.store(sorted.z.data() + first, gather<Real>(hits.z.data() + first, hit, mask));
      tile.store(sorted.phi.data() + first, gather<KeyLane>(scratch.phi, hit, mask));
      tile.store(sorted.side.data() + first, gather<Integer>(scratch.side, hit, mask));
      tile.store(sorted.index.data() + first, hit);
    });
  }
};

}  // namespace trackplex::search::detail
