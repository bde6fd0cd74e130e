// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/lane_memory.hpp>

namespace trackplex::candidates {

/// The best N entries that each lane was given, the best first, in registers: without branches that
/// lanes or threads would take differently. Equals stay in the order in which they came.
///
/// An Entry is made of lanes and has `goes_before(a, b)`, `select(mask, a, b)` and a static
/// `nothing()`, which goes before no entry.
template <class Entry, int N>
class BestOfLanes {
 public:
  using Real = typename Entry::Real;

  KOKKOS_FORCEINLINE_FUNCTION BestOfLanes() {
    for (int i = 0; i < N; ++i) best_[i] = Entry::nothing();
  }

  /// Gives the entry to the lanes of `mask`.
  KOKKOS_FORCEINLINE_FUNCTION void insert(Entry entry, const MaskOf<Real>& mask) {
    entry = select(mask, entry, Entry::nothing());
    if (none_of(goes_before(entry, best_[N - 1]))) return;
    // From its place on, every entry moves by one: also past its equals, which came later
    MaskOf<Real> before = false;
    for (int i = 0; i < N; ++i) {
      before = before || goes_before(entry, best_[i]);
      const Entry after = select(before, best_[i], entry);
      best_[i] = select(before, entry, best_[i]);
      entry = after;
    }
  }

  /// They always are.
  KOKKOS_FORCEINLINE_FUNCTION void sort() {}

  KOKKOS_FORCEINLINE_FUNCTION const Entry& operator[](int i) const { return best_[i]; }

 private:
  Entry best_[N];
};

}  // namespace trackplex::candidates
