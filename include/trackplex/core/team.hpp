// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Teams: one loop primitive for both sides. On a host a team is one thread whose lanes are the W
/// items of a tile; on a device the team's threads take one item each. A kernel says "for each item
/// of this team" and gets packs or scalars.

#include <trackplex/core/tile.hpp>

#include <concepts>

namespace trackplex {

/// The items of one team, seen as tiles of `Number`. All members of the team must call each
/// function together.
template <class Number, class Member>
class TeamLanes {
 public:
  using Real = Number;

  KOKKOS_FUNCTION explicit TeamLanes(const Member& member) : member_(member) {}

  KOKKOS_FUNCTION bool alone() const { return member_.team_size() == 1; }
  KOKKOS_FUNCTION void barrier() const {
    if (!alone()) member_.team_barrier();
  }

  /// Calls `body(Tile<N>)` for the items 0 to n - 1, in any order across threads. No barrier at the
  /// end.
  template <class N = Number, class Body>
  KOKKOS_FORCEINLINE_FUNCTION void for_each(int n, const Body& body) const {
    constexpr int width = width_of<N>;
    const int stride = width * member_.team_size();
    for (int first = width * member_.team_rank(); first < n; first += stride)
      body(Tile<N>{first, n - first < width ? n - first : width});
  }

  /// Calls `emit(i, position)` for the items i with `keep(i)`, positions 0, 1, ... in the order of
  /// i, and returns their number. `keep` is called once an item; everything emitted is visible to
  /// the team at the return.
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

  /// As `compact`, tile by tile: `keep(tile)` gives the mask of the lanes to keep, and `emit(tile,
  /// mask, position)`, called for every tile, gets the position of the first of them. To write
  /// them, `compress_store` at that position where one thread is alone; it may overwrite W - 1
  /// entries more, which are others' where several threads write packs: then, `scatter` them.
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

  /// Replaces counts by the sums of those before them and returns the total; visible to the team at
  /// the return.
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
    const int size = member_.team_size();
    for (int base = 0; base < n; base += size) {
      const int i = base + member_.team_rank();
      const T mine = i < n ? counts[i] : T{0};
      const T before = member_.team_scan(mine);
      T total = before + mine;
      member_.team_broadcast(total, size - 1);
      if (i < n) counts[i] = sum + before;
      sum += total;
    }
    member_.team_barrier();
    return sum;
  }

  /// counts[i] += 1, returning the value before: atomic where the team has more than one thread.
  template <std::integral T>
  KOKKOS_FORCEINLINE_FUNCTION T increment(T* count) const {
    return alone() ? (*count)++ : Kokkos::atomic_fetch_add(count, T{1});
  }

  /// *to += value, returning the value before: atomic where the team has more than one thread.
  template <std::integral T>
  KOKKOS_FORCEINLINE_FUNCTION T add(T* to, T value) const {
    if (!alone()) return Kokkos::atomic_fetch_add(to, value);
    const T before = *to;
    *to = before + value;
    return before;
  }

  /// *to = min(*to, value), returning the value before: atomic as `add`.
  template <std::integral T>
  KOKKOS_FORCEINLINE_FUNCTION T lower(T* to, T value) const {
    if (!alone()) return Kokkos::atomic_fetch_min(to, value);
    const T before = *to;
    if (value < before) *to = value;
    return before;
  }

  /// The value at `from`, which other threads of the team may write at the same time.
  template <std::integral T>
  KOKKOS_FORCEINLINE_FUNCTION T read(T* from) const {
    return alone() ? *from : Kokkos::atomic_fetch_or(from, T{0});
  }

  /// Sets a flag that other threads of the team may set, too, at the same time.
  template <std::integral T>
  KOKKOS_FORCEINLINE_FUNCTION void raise(T* flag) const {
    if (alone()) {
      *flag = T{1};
    } else {
      Kokkos::atomic_fetch_or(flag, T{1});
    }
  }

  /// `body()` on one thread of the team. No barrier at the end.
  template <class Body>
  KOKKOS_FORCEINLINE_FUNCTION void single(const Body& body) const {
    if (member_.team_rank() == 0) body();
  }

 private:
  const Member& member_;
};

}  // namespace trackplex
