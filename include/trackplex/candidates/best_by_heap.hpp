// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/candidates/best_of_lanes.hpp>
#include <trackplex/candidates/bounded_heap.hpp>

#include <type_traits>

namespace trackplex::candidates {

/// BestOfLanes for a single lane, in a BoundedHeap: an entry costs log N steps instead of N.
template <class Entry, int N>
class BestByHeap {
 public:
  KOKKOS_FORCEINLINE_FUNCTION void insert(const Entry& entry, bool mask) {
    if (!mask) return;
    BoundedHeap heap(&best_[0], N, Better{}, size_);
    heap.push(Numbered{entry, n_++});
    size_ = heap.size();
  }

  /// Comes before the first look at an entry, and after the last insert().
  KOKKOS_FORCEINLINE_FUNCTION void sort() {
    const int n = BoundedHeap(&best_[0], N, Better{}, size_).sort();
    for (int i = n; i < N; ++i) best_[i].entry = Entry::nothing();
  }

  KOKKOS_FORCEINLINE_FUNCTION const Entry& operator[](int i) const { return best_[i].entry; }

 private:
  struct Numbered {
    Entry entry;
    int number;  ///< equals stay in the order in which they came
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

/// From so many entries on the heap is faster for one lane; for eight, which insert at once, it
/// never is, up to 64 (bench_best_entries).
inline constexpr int heap_pays_from = 24;

/// The faster one of the two.
template <class Entry, int N>
using BestEntries = std::conditional_t<width_of<typename Entry::Real> == 1 && (N >= heap_pays_from),
                                       BestByHeap<Entry, N>, BestOfLanes<Entry, N>>;

}  // namespace trackplex::candidates
