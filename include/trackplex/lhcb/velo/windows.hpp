// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Windows in azimuth over hits sorted by azimuth, one per lane: the table of bins gives a range
/// of places, an exact test selects the hits inside.

#include <trackplex/core/quartet.hpp>
#include <trackplex/lhcb/velo/sorted_groups.hpp>

namespace trackplex::lhcb {

/// Hits of one group with an azimuth near a key: |phi - key| <= width around the circle for
/// circular azimuths (`Phi16`), key - width <= phi < key + width for others (`PhiRadians`). The
/// half width is less than half a turn, in the unit of the key.
/// @tparam Event a `SortedEvent`
template <class Real, class Event>
class PhiWindow {
  using Phi = typename Event::PhiPolicy;
  using Groups = typename Event::Groups;
  using Integer = IntegerOf<Real>;
  using I = ScalarOf<Integer>;
  using Lane = typename Phi::template Lane<Real>;

 public:
  /// Window over all hits of a group; places are those in the event. Lanes outside `mask` have
  /// no hits.
  KOKKOS_FORCEINLINE_FUNCTION PhiWindow(const Event& event, int group, Lane key, Lane width,
                                        Integer side, MaskOf<Real> mask)
      : PhiWindow(event.bin_offsets + group * Groups::bins, event.end(group),
                  event.end(group) - event.begin(group), key, width, side, mask) {}

  /// Window over a list of some hits of one group: `list.n` is their number, and
  /// `list.bin_offsets` has, for each bin and for the end, the number of hits before it. Places are
  /// those in the list.
  template <class List>
  KOKKOS_FORCEINLINE_FUNCTION PhiWindow(const List& list, Lane key, Lane width, Integer side,
                                        MaskOf<Real> mask)
      : PhiWindow(list.bin_offsets, list.n, list.n, key, width, side, mask) {}

  /// Calls `visit(place, hit, inside)` for the hits of each lane's window in the order of azimuth,
  /// of all lanes together; `inside` marks the lanes with a hit. `records` holds x, y, z (mm)
  /// and azimuth (encoded by `Phi::to_record`) of the hits by place; `hit` is such a record.
  template <class Visit>
  KOKKOS_FORCEINLINE_FUNCTION void for_each(const Quartet<ScalarOf<Real>>* records,
                                            const Visit& visit) const {
    for (int i = 0;; ++i) {
      auto inside = Integer(I(i)) < size_;
      if (none_of(inside)) break;
      Integer place = first_ + Integer(I(i));
      if constexpr (Phi::circular) place = select(place >= end_, place - n_, place);
      const Quartet<Real> hit = gather_quartets<Real>(records, select(inside, place, Integer(0)));
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
  KOKKOS_FORCEINLINE_FUNCTION PhiWindow(const I* bin_offsets, int end, int n, Lane key, Lane width,
                                        Integer side, MaskOf<Real> mask)
      : end_(I(end)), n_(I(n)), key_(key), width_(width) {
    const auto [low, high] = bins(side);
    first_ = gather<Integer>(bin_offsets, low, mask);
    size_ = gather<Integer>(bin_offsets + 1, high, mask) - first_;
    if constexpr (Phi::circular) size_ = select(mask && high < low, size_ + n_, size_);
  }

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

  Integer first_, size_;
  Integer end_, n_;
  Lane key_, width_;
};

}  // namespace trackplex::lhcb
