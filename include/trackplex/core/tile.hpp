// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/lane_memory.hpp>

namespace trackplex {

/// W consecutive items, of which the first `count` exist: what a kernel body works on at once. One
/// item at width 1.
template <class Number>
struct Tile {
  using Integer = IntegerOf<Number>;
  using Mask = MaskOf<Number>;
  static constexpr int width = width_of<Number>;

  int first;  ///< index of the first item
  int count;  ///< items that exist, 1 to W

  /// Index of each lane's item. Lanes past the end repeat the last item, so that every index is
  /// valid.
  KOKKOS_FORCEINLINE_FUNCTION Integer index() const {
    using I = ScalarOf<Integer>;
    return Integer(I(first)) + min(lane_index<Integer>(), Integer(I(count - 1)));
  }

  /// Lanes whose item exists.
  KOKKOS_FORCEINLINE_FUNCTION Mask mask() const { return first_lanes<Number>(count); }

  /// p[first + lane] as lanes of N, zero past the end.
  template <class N = Number, Scalar T>
  KOKKOS_FORCEINLINE_FUNCTION N load(const T* p) const {
    return load_first<N>(p + first, count);
  }

  /// Writes the existing lanes to p[first + lane].
  template <Scalar T, class N>
  KOKKOS_FORCEINLINE_FUNCTION void store(T* p, const N& a) const {
    store_first(p + first, a, count);
  }
};

}  // namespace trackplex
