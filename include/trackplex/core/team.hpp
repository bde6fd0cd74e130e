// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Teams: loops over the items of one team, on hosts and devices. On a host a team is one thread
/// (other sizes are possible) whose lanes are the W items of a tile; on a device each thread of the
/// team has one item at a time. A kernel loops over "each item of this team" and gets lanes
/// or scalars.

#include <trackplex/core/quartet.hpp>
#include <trackplex/core/tile.hpp>

#include <concepts>

namespace trackplex {

/// Loops and sums over the items of one team, with tiles of `Number`. All threads of the team must
/// call `barrier`, `compact`, `compact_tiles` and `exclusive_scan` together, with the same n.
/// @tparam Number number type of the kernel
/// @tparam Member handle of the team: `HostTeam`, or Kokkos' handle on a device
template <class Number, class Member>
class TeamLanes {
 public:
  using Real = Number;  ///< Number type of the kernel.

  /// Keeps a reference to the handle of the team.
  KOKKOS_FUNCTION explicit TeamLanes(const Member& member)
      : member_(member), alone_(member.team_size() == 1) {}

  /// Whether the team has a single thread.
  KOKKOS_FUNCTION bool alone() const { return alone_; }
  /// Waits for all threads of the team; everything they wrote before is visible afterwards.
  KOKKOS_FUNCTION void barrier() const {
    if (!alone()) member_.team_barrier();
  }

  /// Calls `body(Tile<N>)` for the tiles of the items 0 to n - 1, shared among the threads. No
  /// barrier at the end.
  template <class N = Number, class Body>
  KOKKOS_FORCEINLINE_FUNCTION void for_each(int n, const Body& body) const {
    constexpr int width = width_of<N>;
    const int stride = width * member_.team_size();
    for (int first = width * member_.team_rank(); first < n; first += stride)
      body(Tile<N>{first, n - first < width ? n - first : width});
  }

  /// Calls `emit(i, position)` for the items i with `keep(i)`, with positions 0, 1, ... in the
  /// order of i, and returns their number. `keep` is called once per item; everything emitted is
  /// visible to the team on return.
  template <class Keep, class Emit>
  KOKKOS_FORCEINLINE_FUNCTION int compact(int n, const Keep& keep, const Emit& emit) const {
    if (alone()) {
      int kept = 0;
      for (int i = 0; i < n; ++i)
        if (keep(i)) emit(i, kept++);
      return kept;
    }
    int kept = 0;
    const int size = member_.team_size();
    for (int base = 0; base < n; base += size) {
      const int i = base + member_.team_rank();
      const int mine = i < n && keep(i) ? 1 : 0;
      const int before = member_.team_scan(mine);
      int total = before + mine;
      member_.team_broadcast(total, size - 1);
      if (mine) emit(i, kept + before);
      kept += total;
    }
    member_.team_barrier();
    return kept;
  }

  /// Compacts as `compact` does, tile by tile: `keep(tile)` returns the mask of the lanes to
  /// keep, and `emit(tile, mask, position)`, called for every tile, receives the position of the
  /// first of these lanes.
  ///
  /// To write the lanes, `emit` calls `compress_store` of the team at that position.
  template <class N = Number, class Keep, class Emit>
  KOKKOS_FORCEINLINE_FUNCTION int compact_tiles(int n, const Keep& keep, const Emit& emit) const {
    constexpr int width = width_of<N>;
    const auto tile_at = [&](int first) {
      return Tile<N>{first, n - first < width ? n - first : width};
    };
    int kept = 0;
    if (alone()) {
      for (int first = 0; first < n; first += width) {
        const auto tile = tile_at(first);
        const auto mask = tile.mask() && keep(tile);
        emit(tile, mask, kept);
        kept += count_of(mask);
      }
      return kept;
    }
    const int size = member_.team_size();
    for (int base = 0; base < n; base += size * width) {
      const int first = base + member_.team_rank() * width;
      MaskOf<N> mask = false;
      if (first < n) mask = tile_at(first).mask() && keep(tile_at(first));
      const int mine = count_of(mask);
      const int before = member_.team_scan(mine);
      int total = before + mine;
      member_.team_broadcast(total, size - 1);
      if (first < n) emit(tile_at(first), mask, kept + before);
      kept += total;
    }
    member_.team_barrier();
    return kept;
  }

  /// Writes the set lanes to p, p + 1, ... without gaps. A team of a single thread may overwrite
  /// up to W - 1 entries after them; with several threads, these entries belong to other threads.
  template <class T, class N>
  KOKKOS_FORCEINLINE_FUNCTION void compress_store(T* p, const N& values,
                                                  const MaskOf<N>& mask) const {
    if (alone()) {
      trackplex::compress_store(p, values, mask);
    } else {
      scatter(p, lanes_before<N>(mask), values, mask);
    }
  }

  /// Writes the records of the set lanes in the same way.
  template <class N>
  KOKKOS_FORCEINLINE_FUNCTION void compress_store_quartets(Quartet<ScalarOf<N>>* p,
                                                           const Quartet<N>& quartet,
                                                           const MaskOf<N>& mask) const {
    if (alone()) {
      trackplex::compress_store_quartets(p, quartet, mask);
    } else {
      scatter_quartets(p, lanes_before<N>(mask), quartet, mask);
    }
  }

  /// Replaces each of n counts by the sum of the counts before it, and returns the total; visible
  /// to the team on return.
  template <std::integral T>
  KOKKOS_FORCEINLINE_FUNCTION T exclusive_scan(T* counts, int n) const {
    T sum = 0;
    if (alone()) {
      for (int i = 0; i < n; ++i) {
        const T count = counts[i];
        counts[i] = sum;
        sum += count;
      }
      return sum;
    }
    constexpr int run = 8;  // counts of a thread: a scan over the threads costs many barriers
    const int size = member_.team_size();
    for (int base = 0; base < n; base += size * run) {
      const int begin = min(n, base + run * member_.team_rank()), end = min(n, begin + run);
      T mine = 0;
      for (int i = begin; i < end; ++i) mine += counts[i];
      const T before = member_.team_scan(mine);
      T total = before + mine;
      member_.team_broadcast(total, size - 1);
      T next = sum + before;
      for (int i = begin; i < end; ++i) {
        const T count = counts[i];
        counts[i] = next;
        next += count;
      }
      sum += total;
    }
    member_.team_barrier();
    return sum;
  }

  /// Adds 1 to *count and returns the previous value; atomic if the team has several threads.
  template <std::integral T>
  KOKKOS_FORCEINLINE_FUNCTION T increment(T* count) const {
    return alone() ? (*count)++ : Kokkos::atomic_fetch_add(count, T{1});
  }

  /// Adds a value to *to and returns the previous value; atomic if the team has several threads.
  template <std::integral T>
  KOKKOS_FORCEINLINE_FUNCTION T add(T* to, T value) const {
    if (!alone()) return Kokkos::atomic_fetch_add(to, value);
    const T before = *to;
    *to = before + value;
    return before;
  }

  /// Replaces *to by min(*to, value) and returns the previous value; atomic if the team has
  /// several threads.
  template <std::integral T>
  KOKKOS_FORCEINLINE_FUNCTION T lower(T* to, T value) const {
    if (!alone()) return Kokkos::atomic_fetch_min(to, value);
    const T before = *to;
    if (value < before) *to = value;
    return before;
  }

  /// Returns the value at `from`, which other threads of the team may write at the same time.
  template <std::integral T>
  KOKKOS_FORCEINLINE_FUNCTION T read(T* from) const {
    return alone() ? *from : Kokkos::atomic_fetch_or(from, T{0});
  }

  /// Sets a flag to 1, which other threads of the team may set at the same time.
  template <std::integral T>
  KOKKOS_FORCEINLINE_FUNCTION void raise(T* flag) const {
    if (alone()) {
      *flag = T{1};
    } else {
      Kokkos::atomic_fetch_or(flag, T{1});
    }
  }

  /// Calls `body()` on one thread of the team. No barrier at the end.
  template <class Body>
  KOKKOS_FORCEINLINE_FUNCTION void single(const Body& body) const {
    if (member_.team_rank() == 0) body();
  }

 private:
  const Member& member_;
  const bool alone_;  // a copy: loops that write integers would read the size of the handle again
};

}  // namespace trackplex
