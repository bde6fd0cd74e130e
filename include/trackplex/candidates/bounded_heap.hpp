// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// The best N of many entries: for one thread a heap of fixed capacity with the worst entry at its
/// root, for a team a merge by ranks. The caller provides the memory of the entries,
/// registers or scratch.

#include <trackplex/core/number.hpp>

#include <utility>

namespace trackplex::candidates {

/// Entries of one thread, interleaved with those of its neighbours.
template <class Entry>
struct StridedEntries {
  Entry* first;  ///< entry 0 of the thread
  int stride;    ///< distance between its entries

  /// Returns entry i.
  KOKKOS_FORCEINLINE_FUNCTION Entry& operator[](int i) const {
    return first[std::size_t(i) * stride];
  }
};

/// Binary heap that keeps the best `capacity` of the entries that are pushed.
///
/// `better(a, b)` is a strict weak order. Which of several equal entries are kept is undefined, so
/// let `better` compare indices last.
///
/// @tparam Entries a pointer, an array or `StridedEntries`
/// @tparam Better type of `better`
template <class Entries, class Better>
class BoundedHeap {
 public:
  /// Heap over `entries`, the first `size` of which are already a heap (0: an empty heap).
  KOKKOS_FORCEINLINE_FUNCTION BoundedHeap(const Entries& entries, int capacity,
                                          const Better& better, int size = 0)
      : entries_(entries), better_(better), capacity_(capacity), size_(size) {}

  /// Returns the number of entries.
  KOKKOS_FORCEINLINE_FUNCTION int size() const { return size_; }
  /// Returns the max number of entries.
  KOKKOS_FORCEINLINE_FUNCTION int capacity() const { return capacity_; }
  /// Returns whether the heap is full.
  KOKKOS_FORCEINLINE_FUNCTION bool full() const { return size_ == capacity_; }
  /// Returns the worst entry, which a better one would replace; the heap must not be empty.
  KOKKOS_FORCEINLINE_FUNCTION const auto& worst() const { return entries_[0]; }

  /// Adds the entry if the heap is not full; else replaces the worst one if that is worse. Returns
  /// whether the entry was stored.
  template <class Entry>
  KOKKOS_FUNCTION bool push(const Entry& entry) {
    if (!full()) {
      rise(size_++, entry);
      return true;
    }
    if (capacity_ == 0 || !better_(entry, entries_[0])) return false;
    replace_worst(entry);
    return true;
  }

  /// Replaces the worst entry, in one pass down the heap; the heap must not be empty.
  template <class Entry>
  KOKKOS_FUNCTION void replace_worst(const Entry& entry) {
    sink(entry, size_);
  }

  /// Sorts the entries in place, the best one first, and returns their number. They are no longer
  /// a heap: the size becomes 0.
  KOKKOS_FUNCTION int sort() {
    const int n = size_;
    for (int last = n - 1; last > 0; --last) {
      const auto entry = entries_[last];
      entries_[last] = entries_[0];
      sink(entry, last);
    }
    size_ = 0;
    return n;
  }

 private:
  /// Puts the entry at place i or, above it, before all better entries.
  template <class Entry>
  KOKKOS_FUNCTION void rise(int i, const Entry& entry) {
    while (i > 0) {
      const int parent = (i - 1) / 2;
      if (!better_(entries_[parent], entry)) break;
      entries_[i] = entries_[parent];
      i = parent;
    }
    entries_[i] = entry;
  }

  /// Puts the entry at the root of the first n entries or, below it, after all worse entries.
  template <class Entry>
  KOKKOS_FUNCTION void sink(const Entry& entry, int n) {
    int i = 0;
    for (int child = 1; child < n; child = 2 * i + 1) {
      if (child + 1 < n && better_(entries_[child], entries_[child + 1])) ++child;
      if (!better_(entry, entries_[child])) break;
      entries_[i] = entries_[child];
      i = child;
    }
    entries_[i] = entry;
  }

  Entries entries_;
  Better better_;
  int capacity_, size_;
};

/// Ranks n entries with the threads of a team, and calls `put(place, i)` for the best `capacity`
/// entries, place 0 being the best. Returns the number of places.
///
/// `entry(i)` returns entry i, 0 <= i < n, of several heaps or any lists. The place of an entry is
/// the number of better entries; equal entries are in the order of i. All threads take
/// part and meet at one barrier, after which everything that `put` wrote is visible to the team.
template <class Team, class Entry, class Better, class Put>
KOKKOS_FUNCTION int merge_best(const Team& team, int n, int capacity, const Entry& entry,
                               const Better& better, const Put& put) {
  team.template for_each<int>(n, [&](const auto& item) {
    const int i = item.first;
    const auto mine = entry(i);
    int place = 0;
    for (int j = 0; j < n; ++j) {
      const auto other = entry(j);
      const bool before = better(other, mine) || (j < i && !better(mine, other));
      place += before ? 1 : 0;
    }
    if (place < capacity) put(place, i);
  });
  team.barrier();
  return n < capacity ? n : capacity;
}

}  // namespace trackplex::candidates
