// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Windows in azimuth over sorted hits, one window per lane: the table of bins gives a range of
/// places, an exact test the hits inside.

#include <trackplex/core/quad.hpp>
#include <trackplex/search/sorted_groups.hpp>

namespace trackplex::search {

/// The hits of one group with an azimuth near `key`. Circular azimuths: |phi - key| <= width,
/// around the turn; linear ones: key - width <= phi < key + width. The half width is less than half
/// a turn.
template <class Real, class Event>
class PhiWindow {
  using Phi = typename Event::PhiPolicy;
  using Groups = typename Event::Groups;
  using Integer = IntegerOf<Real>;
  using I = ScalarOf<Integer>;
  using Lane = typename Phi::template Lane<Real>;

 public:
  KOKKOS_FORCEINLINE_FUNCTION PhiWindow(const Event& event, int group, Lane key, Lane width,
                                        Integer side, MaskOf<Real> mask)
      : end_(I(event.end(group))),
        group_size_(I(event.end(group) - event.begin(group))),
        key_(key),
        width_(width) {
    const auto* const offsets = event.bin_offsets + group * Groups::bins;
    const Integer low = bin(key - width, side), high = bin(key + width, side);
    first_ = gather<Integer>(offsets, low, mask);
    size_ = gather<Integer>(offsets + 1, high, mask) - first_;
    if constexpr (Phi::circular) size_ = select(mask && high < low, size_ + group_size_, size_);
  }

  /// Calls `visit(place, hit, mask)` for the hits of each lane's window in the order of azimuth,
  /// all lanes side by side. `records` holds x, y, z and azimuth (as Phi::to_record gives it) of
  /// the hits by place; `hit` is such a record.
  template <class Visit>
  KOKKOS_FORCEINLINE_FUNCTION void for_each(const Quad<ScalarOf<Real>>* records,
                                            const Visit& visit) const {
    const int longest = int(max_of(size_));
    for (int i = 0; i < longest; ++i) {
      Integer place = first_ + Integer(I(i));
      if constexpr (Phi::circular) place = select(place >= end_, place - group_size_, place);
      auto inside = Integer(I(i)) < size_;
      const Quad<Real> hit = gather_quads<Real>(records, select(inside, place, Integer(0)));
      const Lane phi = Phi::from_record(hit.w);
      if constexpr (Phi::circular) {
        inside = inside && abs(Phi::wrap(phi - key_)) <= width_;
      } else {
        inside = inside && phi >= key_ - width_ && phi < key_ + width_;
      }
      if (any_of(inside)) visit(place, hit, inside);
    }
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION static Integer bin(Lane key, Integer side) {
    if constexpr (Phi::circular) {
      return Phi::template bin<Groups::log2_bins>(Phi::wrap(key), side);
    } else {
      return Phi::template bin<Groups::log2_bins>(key, side);
    }
  }

  Integer end_, group_size_, first_, size_;
  Lane key_, width_;
};

}  // namespace trackplex::search
