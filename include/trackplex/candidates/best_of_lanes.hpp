// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// The best N entries of each lane, in registers.

#include <trackplex/core/lane_memory.hpp>

namespace trackplex::candidates {

/// The best N entries inserted for each lane, the best first, in registers: without branches that
/// lanes or threads would take differently. Equal entries keep the order of their insertion.
///
/// @tparam Entry an entry of each lane, with a member type `Real`, the functions
/// `goes_before(a, b)`, a strict weak order, and `select(mask, a, b)`, and a static `nothing()`,
/// which goes before no entry
template <class Entry, int N>
class BestOfLanes {
 public:
  using Real = typename Entry::Real;  ///< number type of a kernel

  /// No entries: all are `Entry::nothing()`.
  KOKKOS_FORCEINLINE_FUNCTION BestOfLanes() {
    for (int i = 0; i < N; ++i) best_[i] = Entry::nothing();
  }

  /// Inserts the entry in the lanes of `mask`.
  KOKKOS_FORCEINLINE_FUNCTION void insert(Entry entry, const MaskOf<Real>& mask) {
    entry = select(mask, entry, Entry::nothing());
    if (none_of(goes_before(entry, best_[N - 1]))) return;
    // From its place on, each entry moves by one
    for (int i = N - 1; i > 0; --i) {
      const auto here = goes_before(entry, best_[i]);
      best_[i] =
          select(goes_before(entry, best_[i - 1]), best_[i - 1], select(here, entry, best_[i]));
    }
    best_[0] = select(goes_before(entry, best_[0]), entry, best_[0]);
  }

  /// Does nothing: entries are always sorted. For the interface of `BestByHeap`.
  KOKKOS_FORCEINLINE_FUNCTION void sort() {}

  /// Returns entry i, 0 <= i < N, of all lanes, the best first; `Entry::nothing()` in lanes with
  /// fewer.
  KOKKOS_FORCEINLINE_FUNCTION const Entry& operator[](int i) const { return best_[i]; }

 private:
  Entry best_[N];
};

}  // namespace trackplex::candidates
