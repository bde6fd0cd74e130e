// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/search/hits.hpp>
#include <trackplex/search/phi.hpp>

#include <cstddef>
#include <cstdint>

namespace trackplex::search {

/// How the modules of a detector with two sides form groups that are sorted and searched together:
/// one group per layer (both sides merged), or one per module.
template <bool MergeSides, int Log2Bins>
struct Grouping {
  static constexpr bool merge_sides = MergeSides;
  static constexpr int sides = MergeSides ? 1 : 2;  ///< groups of a layer
  static constexpr int log2_bins = Log2Bins;
  static constexpr int bins = 1 << Log2Bins;  ///< bins in azimuth of a group

  /// Group of a module.
  template <class Integer>
  KOKKOS_FORCEINLINE_FUNCTION static Integer group(Integer module) {
    return MergeSides ? module >> 1 : module;
  }
  KOKKOS_FORCEINLINE_FUNCTION static constexpr int group_of(int layer, int side) {
    return layer * sides + side;
  }
  KOKKOS_FORCEINLINE_FUNCTION static constexpr int bins_per_event(int layers) {
    return layers * sides * bins;
  }
};

/// An azimuth and the groups that are sorted by it.
template <class Phi_, class Groups_>
struct PhiOrder {
  using Phi = Phi_;
  using Groups = Groups_;
};

/// Hits sorted by azimuth in one of two orders; the other one is empty.
template <class T, class MemorySpace>
struct SortedHits {
  using MergedOrder = PhiOrder<Phi16<T>, Grouping<true, 6>>;
  using SeparateOrder = PhiOrder<PhiRadians<T>, Grouping<false, 5>>;
  template <class Order>
  using Arrays = HitsByPhi<T, typename Order::Phi::Key, MemorySpace>;

  Arrays<MergedOrder> merged;      ///< both sides of a layer together, by 16 bits of azimuth
  Arrays<SeparateOrder> separate;  ///< each side by itself, by radians

  /// f(order, the arrays of `sorted` in this order)
  template <class Sorted, class F>
  static void with_order(bool merge_sides, Sorted& sorted, const F& f) {
    if (merge_sides)
      f(MergedOrder(), sorted.merged);
    else
      f(SeparateOrder(), sorted.separate);
  }
};

/// The sorted hits of one event, as kernels see them: places 0 to n - 1.
template <class Phi, class Grouping_, class RealScalar>
struct SortedEvent {
  using Key = typename Phi::Key;
  using Index = IntegerOf<RealScalar>;
  using PhiPolicy = Phi;
  using Groups = Grouping_;

  const RealScalar* x;
  const RealScalar* y;
  const RealScalar* z;
  const Key* phi;
  const Index* side;
  const std::uint16_t* index;
  const Index* bin_offsets;
  int n;

  KOKKOS_FUNCTION int begin(int group) const { return int(bin_offsets[group * Groups::bins]); }
  KOKKOS_FUNCTION int end(int group) const { return int(bin_offsets[(group + 1) * Groups::bins]); }

  /// First place in the group with phi >= the given key, or the group's end: the bin gives the
  /// neighbourhood, a short walk the place.
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

/// Event `event` of the sorted hits.
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

}  // namespace trackplex::search
