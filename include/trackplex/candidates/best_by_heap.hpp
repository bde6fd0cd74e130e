// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// The best N entries of a single lane in a heap, and the choice between heap and insertion.

#include <trackplex/candidates/best_of_lanes.hpp>
#include <trackplex/candidates/bounded_heap.hpp>

#include <type_traits>

namespace trackplex::candidates {

/// The best N entries of a single lane, with the interface and the results of `BestOfLanes`, in a
/// `BoundedHeap`: an entry costs log N steps instead of N.
/// @tparam Entry see `BestOfLanes`; of one lane
template <class Entry, int N>
class BestByHeap {
 public:
  /// Inserts an entry if the mask is set.
  KOKKOS_FORCEINLINE_FUNCTION void insert(const Entry& entry, bool mask) {
    if (!mask) return;
    BoundedHeap heap(&best_[0], N, Better{}, size_);
    heap.push(Numbered{entry, n_++});
    size_ = heap.size();
  }

  /// Sorts the entries, the best first; called once, after the last insert() and before
  /// operator[]().
  KOKKOS_FORCEINLINE_FUNCTION void sort() {
    const int n = BoundedHeap(&best_[0], N, Better{}, size_).sort();
    for (int i = n; i < N; ++i) best_[i].entry = Entry::nothing();
  }

  /// Returns entry i, 0 <= i < N, the best first; `Entry::nothing()` where there are fewer.
  KOKKOS_FORCEINLINE_FUNCTION const Entry& operator[](int i) const { return best_[i].entry; }

 private:
  struct Numbered {
    Entry entry;
    int number;  ///< order of insertion, which decides between equal entries
  };
  struct Better {
    KOKKOS_FORCEINLINE_FUNCTION bool operator()(const Numbered& a, const Numbered& b) const {
      return goes_before(a.entry, b.entry) ||
             (!goes_before(b.entry, a.entry) && a.number < b.number);
    }
  };

  Numbered best_[N];
  int size_ = 0, n_ = 0;
};

/// Number of entries from which on the heap is faster for one lane. For eight lanes, which insert
/// together, it never is, up to 64 (measured with bench_best_entries).
inline constexpr int heap_pays_from = 24;

/// The faster of `BestByHeap` and `BestOfLanes` for these entries.
template <class Entry, int N>
using BestEntries = std::conditional_t<width_of<typename Entry::Real> == 1 && (N >= heap_pays_from),
                                       BestByHeap<Entry, N>, BestOfLanes<Entry, N>>;

}  // namespace trackplex::candidates
