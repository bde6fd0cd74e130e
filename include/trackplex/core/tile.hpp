// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/lane_memory.hpp>

namespace trackplex {

/// W consecutive items that a kernel body processes at once; the first `count` exist. With a scalar
/// it is one item.
template <class Number>
struct Tile {
  using Integer = IntegerOf<Number>;              ///< Integers, one in each lane.
  using Mask = MaskOf<Number>;                    ///< Set of lanes.
  static constexpr int width = width_of<Number>;  ///< Number W of lanes.

  int first;  ///< Index of the first item.
  int count;  ///< Number of items that exist, 1 to W.

  /// Returns the index of each lane's item. Lanes past the end repeat the last item, so that every
  /// index is valid.
  KOKKOS_FORCEINLINE_FUNCTION Integer index() const {
    using I = ScalarOf<Integer>;
    return Integer(I(first)) + min(lane_index<Integer>(), Integer(I(count - 1)));
  }

  /// Returns the mask of the lanes whose item exists.
  KOKKOS_FORCEINLINE_FUNCTION Mask mask() const { return first_lanes<Number>(count); }

  /// Loads p[first + lane] as lanes of N, zero in the lanes past the end, for which nothing is
  /// read.
  template <class N = Number, Scalar T>
  KOKKOS_FORCEINLINE_FUNCTION N load(const T* p) const {
    return load_first<N>(p + first, count);
  }

  /// Stores the lanes whose item exists to p[first + lane].
  template <Scalar T, class N>
  KOKKOS_FORCEINLINE_FUNCTION void store(T* p, const N& a) const {
    store_first(p + first, a, count);
  }
};

}  // namespace trackplex
