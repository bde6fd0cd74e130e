// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/math.hpp>

namespace trackplex::candidates::detail {

/// Buffer of the places of hits until each lane has a few: the work on a hit costs as
/// much for one lane as for all.
template <class Number>
class PlaceBuffer {
 public:
  using Integer = IntegerOf<Number>;
  using Mask = MaskOf<Number>;
  static constexpr int capacity = 4;

  /// The others move by one, so that the latest place is first.
  KOKKOS_FORCEINLINE_FUNCTION void add(const Integer& place, const Mask& mask) {
    for (int i = capacity - 1; i > 0; --i) places_[i] = select(mask, places_[i - 1], places_[i]);
    places_[0] = select(mask, place, places_[0]);
    size_ += select(mask, Integer(1), Integer(0));
  }
  KOKKOS_FORCEINLINE_FUNCTION bool full() const { return any_of(size_ == Integer(capacity)); }

  /// Calls `visit(place, mask)` for the buffered places, in the order in which each lane got them.
  template <class Visit>
  KOKKOS_FORCEINLINE_FUNCTION void flush(const Visit& visit) {
    for (int i = capacity - 1; i >= 0; --i) {
      const Mask mask = Integer(i) < size_;
      if (any_of(mask)) visit(places_[i], mask);
    }
    size_ = Integer(0);
  }

 private:
  Integer places_[capacity] = {0, 0, 0, 0};
  Integer size_ = 0;
};

}  // namespace trackplex::candidates::detail
