// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/tile.hpp>

namespace trackplex {

/// Returns the final places of a tile's items in a list that is already sorted by bin, once each
/// bin is also sorted by `goes_before`.
///
/// In the list the items of a bin are adjacent, in any order. `neighbour(d)` returns the items
/// at distance d in the list, with the members `bin`, which differs beyond the ends of the list,
/// and `goes_before(other)`, a strict order. An item moves towards the end of its bin by the number
/// of later items that go before it, and towards the begin by the number of earlier items that go
/// after it. Distances 1, 2, ... are tried while any lane has a neighbour in its bin: no lane reads
/// farther beyond the list than there are lanes.
template <class Real, class NeighbourAt>
KOKKOS_FORCEINLINE_FUNCTION IntegerOf<Real> rank_in_bins(const Tile<Real>& tile,
                                                         const NeighbourAt& neighbour) {
  using Integer = IntegerOf<Real>;
  const auto mask = tile.mask();
  const auto own = neighbour(0);
  Integer place = Integer(ScalarOf<Integer>(tile.first)) + lane_index<Integer>();
  for (int distance = 1;; ++distance) {
    const auto before = neighbour(-distance);
    const auto same_bin = mask && before.bin == own.bin;
    if (none_of(same_bin)) break;
    place = select(same_bin && own.goes_before(before), place - Integer(1), place);
  }
  for (int distance = 1;; ++distance) {
    const auto behind = neighbour(distance);
    const auto same_bin = mask && behind.bin == own.bin;
    if (none_of(same_bin)) break;
    place = select(same_bin && behind.goes_before(own), place + Integer(1), place);
  }
  return place;
}

}  // namespace trackplex
