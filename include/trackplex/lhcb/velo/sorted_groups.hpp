// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Hits sorted by azimuth in groups of modules: as arrays of all events, and as one event for
/// kernels.

#include <trackplex/lhcb/velo/hits.hpp>
#include <trackplex/lhcb/velo/phi.hpp>

#include <cstddef>
#include <cstdint>

namespace trackplex::lhcb {

/// Grouping of the modules of a detector with two sides, module 2 l + s on side s of layer l, into
/// groups that are sorted and searched together: one group per layer (both sides merged), or one
/// per module.
/// @tparam Log2Bins binary logarithm of the bins in azimuth of a group
template <bool MergeSides, int Log2Bins>
struct Grouping {
  static constexpr bool merge_sides = MergeSides;   ///< whether both sides are one group
  static constexpr int sides = MergeSides ? 1 : 2;  ///< groups of a layer
  static constexpr int log2_bins = Log2Bins;        ///< binary logarithm of `bins`
  static constexpr int bins = 1 << Log2Bins;        ///< bins in azimuth of a group

  /// Returns the group of a module.
  template <class Integer>
  KOKKOS_FORCEINLINE_FUNCTION static Integer group(Integer module) {
    return MergeSides ? module >> 1 : module;
  }
  /// Returns the group of a layer and a side, which is 0 where sides are merged.
  KOKKOS_FORCEINLINE_FUNCTION static constexpr int group_of(int layer, int side) {
    return layer * sides + side;
  }
  /// Returns the number of bins of all groups.
  KOKKOS_FORCEINLINE_FUNCTION static constexpr int bins_per_event(int layers) {
    return layers * sides * bins;
  }
};

/// Order of sorted hits: the representation of the azimuth, and the groups.
template <class Phi_, class Groups_>
struct PhiOrder {
  using Phi = Phi_;        ///< `Phi16` or `PhiRadians`
  using Groups = Groups_;  ///< a `Grouping`
};

/// Hits sorted by azimuth in one of two orders; the arrays of the other order are empty.
template <class T, class MemorySpace>
struct SortedHits {
  using MergedOrder = PhiOrder<Phi16<T>, Grouping<true, 7>>;  ///< a group per layer, 128 bins
  using SeparateOrder = PhiOrder<PhiRadians<T>, Grouping<false, 6>>;  ///< a group per module,
                                                                      ///< 64 bins
  /// Arrays of an order.
  template <class Order>
  using Arrays = HitsByPhi<T, typename Order::Phi::Key, MemorySpace>;

  Arrays<MergedOrder> merged;      ///< both sides of a layer together, by 16 bits of azimuth
  Arrays<SeparateOrder> separate;  ///< each side by itself, by radians

  /// Calls f(order, arrays) with an order and the arrays of `sorted` in it.
  template <class Sorted, class F>
  static void with_order(bool merge_sides, Sorted& sorted, const F& f) {
    if (merge_sides)
      f(MergedOrder(), sorted.merged);
    else
      f(SeparateOrder(), sorted.separate);
  }
};

/// Sorted hits of one event, for kernels: places 0 to n - 1. See `HitsByPhi`.
template <class Phi, class Grouping_, class RealScalar>
struct SortedEvent {
  using Key = typename Phi::Key;        ///< azimuth as it is stored
  using Index = IntegerOf<RealScalar>;  ///< integer as wide as a real
  using PhiPolicy = Phi;                ///< `Phi16` or `PhiRadians`
  using Groups = Grouping_;             ///< a `Grouping`

  const RealScalar* x;         ///< x of each hit, mm
  const RealScalar* y;         ///< y of each hit, mm
  const RealScalar* z;         ///< z of each hit, mm
  const Key* phi;              ///< azimuth of each hit
  const Index* side;           ///< side of each hit's module, 0 or 1
  const std::uint16_t* index;  ///< index of each hit in the event before sorting
  const Index* bin_offsets;    ///< place of the first hit of each bin of each group, and n
  int n;                       ///< number of hits

  /// Returns the first place of a group.
  KOKKOS_FUNCTION int begin(int group) const { return int(bin_offsets[group * Groups::bins]); }
  /// Returns the place after the last hit of a group.
  KOKKOS_FUNCTION int end(int group) const { return int(bin_offsets[(group + 1) * Groups::bins]); }

  /// Finds the first place in the group with phi >= `key`, or the group's end, in the lanes of
  /// `mask`: looks up the bin, then searches it linearly.
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION IntegerOf<Real> lower_bound(int group,
                                                          typename Phi::template Lane<Real> key,
                                                          IntegerOf<Real> lane_side,
                                                          MaskOf<Real> mask) const {
    using Integer = IntegerOf<Real>;
    using Lane = typename Phi::template Lane<Real>;
    const Integer bin = Phi::template bin<Groups::log2_bins>(key, lane_side);
    Integer place = gather<Integer>(bin_offsets + group * Groups::bins, bin, mask);
    const Integer last = Integer(ScalarOf<Integer>(end(group)));
    auto walking = mask && place < last;
    while (any_of(walking)) {
      walking = walking && gather<Lane>(phi, place, walking) < key;
      place = select(walking, place + Integer(1), place);
      walking = walking && place < last;
    }
    return place;
  }
};

/// Returns event `event` of the sorted hits; `hits` are the unsorted hits.
template <class Phi, class Groups, class RealScalar, class Sorted, class InputHits>
KOKKOS_FUNCTION SortedEvent<Phi, Groups, RealScalar> sorted_event(const Sorted& sorted,
                                                                  const InputHits& hits, int layers,
                                                                  int event) {
  const auto first = hits.event_offsets(event);
  const auto n = int(hits.event_sizes(event));
  const std::size_t table = std::size_t(event) * (Groups::bins_per_event(layers) + 1);
  return {sorted.x.data() + first,           sorted.y.data() + first,
          sorted.z.data() + first,           sorted.phi.data() + first,
          sorted.side.data() + first,        sorted.index.data() + first,
          sorted.bin_offsets.data() + table, n};
}

}  // namespace trackplex::lhcb
