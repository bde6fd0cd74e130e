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
  /// Over all hits of a group; places are those of the event.
  KOKKOS_FORCEINLINE_FUNCTION PhiWindow(const Event& event, int group, Lane key, Lane width,
                                        Integer side, MaskOf<Real> mask)
      : end_(I(event.end(group))),
        n_(I(event.end(group) - event.begin(group))),
        key_(key),
        width_(width) {
    const auto [low, high] = bins(side);
    const auto* const offsets = event.bin_offsets + group * Groups::bins;
    first_ = gather<Integer>(offsets, low, mask);
    size_ = gather<Integer>(offsets + 1, high, mask) - first_;
    wrap_size(mask && high < low);
  }

  /// Over a part of the hits of `list.group`: `list.before` holds, for each hit of the group and
  /// for its end, how many hits of the part come before it, and `list.n` their number. Places are
  /// those in the part.
  template <class List>
  requires(!std::integral<List>) KOKKOS_FORCEINLINE_FUNCTION
      PhiWindow(const Event& event, const List& list, Lane key, Lane width, Integer side,
                MaskOf<Real> mask)
      : end_(I(list.n)), n_(I(list.n)), key_(key), width_(width) {
    const auto [low, high] = bins(side);
    const auto* const offsets = event.bin_offsets + list.group * Groups::bins;
    const Integer begin = Integer(I(event.begin(list.group)));
    const Integer low_place = gather<Integer>(offsets, low, mask) - begin;
    const Integer high_place = gather<Integer>(offsets + 1, high, mask) - begin;
    first_ = gather<Integer>(list.before, low_place, mask);
    size_ = gather<Integer>(list.before, high_place, mask) - first_;
    wrap_size(mask && high < low);
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
      if constexpr (Phi::circular) place = select(place >= end_, place - n_, place);
      auto inside = Integer(I(i)) < size_;
      const Quad<Real> hit = gather_quads<Real>(records, select(inside, place, Integer(0)));
      const Lane phi = Phi::from_record(hit.w);
      if constexpr (Phi::circular) {
        inside = inside && abs(Phi::wrap(phi - key_)) <= width_;
      } else {
        inside = inside && phi >= key_ - width_ && phi < key_ + width_;
      }
      visit(place, hit, inside);
    }
  }

 private:
  struct Bins {
    Integer low, high;
  };

  KOKKOS_FORCEINLINE_FUNCTION Bins bins(Integer side) const {
    const Lane low = key_ - width_, high = key_ + width_;
    if constexpr (Phi::circular) {
      return {Phi::template bin<Groups::log2_bins>(Phi::wrap(low), side),
              Phi::template bin<Groups::log2_bins>(Phi::wrap(high), side)};
    } else {
      return {Phi::template bin<Groups::log2_bins>(low, side),
              Phi::template bin<Groups::log2_bins>(high, side)};
    }
  }

  KOKKOS_FORCEINLINE_FUNCTION void wrap_size([[maybe_unused]] MaskOf<Real> around) {
    if constexpr (Phi::circular) size_ = select(around, size_ + n_, size_);
  }

  Integer first_, size_;
  Integer end_, n_;
  Lane key_, width_;
};

}  // namespace trackplex::search
