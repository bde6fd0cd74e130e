// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/rank_in_bins.hpp>
#include <trackplex/core/team_launch.hpp>
#include <trackplex/lhcb/velo/sorted_groups.hpp>

#include <cstddef>
#include <cstdint>

namespace trackplex::lhcb::detail {

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

  struct Scratch {
    // Of each hit, in the order of the input
    Key* phi;
    Index* side;
    Index* bin;
    Index* cursor;  ///< of each bin: next place
    // In the order of the bins, with a margin on either side that belongs to no bin
    Index* hit_by_bin;
    Index* bin_by_bin;
    Key* phi_by_bin;
    Index* order;  ///< hits in their final order

    static constexpr int margin = 32;  ///< more than the lanes of a pack

    KOKKOS_FUNCTION Scratch(ScratchCarver& carver, int hits, int bins)
        : phi(carver.take<Key>(hits)),
          side(carver.take<Index>(hits)),
          bin(carver.take<Index>(hits)),
          cursor(carver.take<Index>(bins)),
          hit_by_bin(carver.take_with_margin<Index>(hits, margin)),
          bin_by_bin(carver.take_with_margin<Index>(hits, margin)),
          phi_by_bin(carver.take_with_margin<Key>(hits, margin)),
          order(carver.take<Index>(hits)) {}
  };

  KOKKOS_FUNCTION std::size_t scratch_bytes() const {
    ScratchCarver carver;
    Scratch(carver, hits.max_event_hits, Groups::bins_per_event(layers));
    return carver.bytes();
  }

  template <class Member>
  KOKKOS_FUNCTION void operator()(const Member& member, ScratchCarver carver) const {
    const TeamLanes<Real, Member> team(member);
    const int event = member.league_rank();
    const auto first = hits.event_offsets(event);
    const int n = int(hits.event_sizes(event));
    const int bins = Groups::bins_per_event(layers);
    const Scratch scratch(carver, hits.max_event_hits, bins);
    Index* const offsets = sorted.bin_offsets.data() + std::size_t(event) * (bins + 1);

    count(team, scratch, offsets, first, n, bins);
    team.exclusive_scan(offsets, bins + 1);
    start_cursors(team, scratch, offsets, bins);
    if (team.alone()) {
      insert(scratch, offsets, n);
    } else {
      distribute(team, scratch, n);
      rank(team, scratch, n);
    }
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
  KOKKOS_FUNCTION void start_cursors(const Team& team, const Scratch& scratch, const Index* offsets,
                                     int bins) const {
    team.for_each(bins, [&](Tile<Real> tile) {
      tile.store(scratch.cursor, tile.template load<Integer>(offsets));
    });
  }

  /// A single thread keeps every bin sorted while it fills it.
  KOKKOS_FUNCTION static void insert(const Scratch& scratch, const Index* offsets, int n) {
    for (int hit = 0; hit < n; ++hit) {
      const Key phi = scratch.phi[hit];
      const Index bin = scratch.bin[hit], begin = offsets[bin];
      Index to = scratch.cursor[bin]++;
      for (; to > begin && phi < scratch.phi_by_bin[to - 1]; --to) {
        scratch.phi_by_bin[to] = scratch.phi_by_bin[to - 1];
        scratch.order[to] = scratch.order[to - 1];
      }
      scratch.phi_by_bin[to] = phi;
      scratch.order[to] = Index(hit);
    }
  }

  template <class Team>
  KOKKOS_FUNCTION void distribute(const Team& team, const Scratch& scratch, int n) const {
    team.template for_each<int>(Scratch::margin, [&](Tile<int> i) {
      scratch.bin_by_bin[-1 - i.first] = -1;
      scratch.bin_by_bin[n + i.first] = -1;
    });
    team.barrier();
    team.template for_each<int>(n, [&](Tile<int> tile) {
      const Index bin = scratch.bin[tile.first];
      const Index to = team.increment(scratch.cursor + bin);
      scratch.hit_by_bin[to] = tile.first;
      scratch.bin_by_bin[to] = bin;
      scratch.phi_by_bin[to] = scratch.phi[tile.first];
    });
    team.barrier();
  }

  template <class Team>
  KOKKOS_FUNCTION void rank(const Team& team, const Scratch& scratch, int n) const {
    team.for_each(n, [&](Tile<Real> tile) {
      const auto at = [&](int distance) { return neighbour(tile, scratch, distance); };
      scatter(scratch.order, rank_in_bins(tile, at), at(0).hit, tile.mask());
    });
    team.barrier();
  }

  struct Neighbour {
    Integer hit, bin;
    KeyLane phi;

    KOKKOS_FORCEINLINE_FUNCTION MaskOf<Real> goes_before(const Neighbour& other) const {
      return phi < other.phi || (phi == other.phi && hit < other.hit);
    }
  };

  /// The hits `distance` places from those of the tile, in full packs: the margins cover the ends.
  KOKKOS_FORCEINLINE_FUNCTION static Neighbour neighbour(const Tile<Real>& tile,
                                                         const Scratch& scratch, int distance) {
    const int from = tile.first + distance;
    return {load<Integer>(scratch.hit_by_bin + from), load<Integer>(scratch.bin_by_bin + from),
            load<KeyLane>(scratch.phi_by_bin + from)};
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

}  // namespace trackplex::lhcb::detail
