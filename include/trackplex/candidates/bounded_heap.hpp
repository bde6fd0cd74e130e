// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// The best N of many, for one thread: a heap of fixed capacity with the worst entry at its root.
/// The entries stand in the caller's memory, registers or scratch.

#include <trackplex/core/number.hpp>

#include <utility>

namespace trackplex::candidates {

/// Entries `stride` apart: those of one thread among those of its neighbours.
template <class Entry>
struct StridedEntries {
  Entry* first;
  int stride;

  KOKKOS_FORCEINLINE_FUNCTION Entry& operator[](int i) const {
    return first[std::size_t(i) * stride];
  }
};

/// Keeps the best `capacity` of the entries that are pushed. `better(a, b)` is a strict weak order;
/// of equals, which ones stay is undefined, so let indices decide. `Entries` is a pointer, an array
/// or `StridedEntries`.
template <class Entries, class Better>
class BoundedHeap {
 public:
  /// Over `entries`, the first `size` of which are a heap already (0: an empty one).
  KOKKOS_FORCEINLINE_FUNCTION BoundedHeap(const Entries& entries, int capacity,
                                          const Better& better, int size = 0)
      : entries_(entries), better_(better), capacity_(capacity), size_(size) {}

  KOKKOS_FORCEINLINE_FUNCTION int size() const { return size_; }
  KOKKOS_FORCEINLINE_FUNCTION int capacity() const { return capacity_; }
  KOKKOS_FORCEINLINE_FUNCTION bool full() const { return size_ == capacity_; }
  /// The first entry that a better one would replace; there must be one.
  KOKKOS_FORCEINLINE_FUNCTION const auto& worst() const { return entries_[0]; }

  /// Takes the entry if there is room, or if it is better than the worst one, which goes. Returns
  /// whether it did.
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

  /// The entry takes the place of the worst one; there must be one.
  template <class Entry>
  KOKKOS_FUNCTION void replace_worst(const Entry& entry) {
    sink(entry, size_);
  }

  /// Sorts the entries, the best one first. They are no heap any more: the size is 0.
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
  /// Puts the entry at place i or, above it, before all that are better.
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

  /// Puts the entry at the root of the first n entries or, below it, after all that are worse.
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

/// The best `capacity` of the n entries of several heaps, or of any lists, best first: each entry
/// counts those that are better, and that is its place. All threads of the team work all the time
/// and meet once. Entries that are equal stand in the order of i. Returns how many there are;
/// visible to the team at the return.
/// @param entry `entry(i)` is entry i, 0 <= i < n
/// @param put `put(place, i)` is told that entry i takes the place
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
