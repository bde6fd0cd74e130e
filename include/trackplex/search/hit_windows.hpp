// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Windows over binned hits, one for each lane: the bins give a few runs of hits, an exact test the
/// hits inside.

#include <trackplex/search/binned_hits.hpp>

#include <cstdint>

namespace trackplex::search {

/// Window in azimuth and the second coordinate: |hit phi - phi| <= half_phi around the circle, and
/// |hit coordinate - along| <= half_along.
template <class Number>
struct HitWindow {
  using Real = Number;  ///< number type of a kernel
  Real phi;             ///< centre, -pi to pi
  Real half_phi;        ///< half width, rad, less than pi
  Real along,           ///< centre along the second coordinate: cm for `AlongZ`
      half_along;       ///< half width along the second coordinate
};

namespace detail {

/// Up to three runs of places in each lane, counted through from 0 to `size` - 1.
template <class Number>
class PlaceRuns {
 public:
  using Integer = IntegerOf<Number>;
  static constexpr int runs = 3;

  KOKKOS_FORCEINLINE_FUNCTION void set(int run, const Integer& begin, const Integer& end) {
    shift_[run] = begin - size_;
    size_ += end - begin;
    end_[run] = size_;
  }
  KOKKOS_FORCEINLINE_FUNCTION Integer size() const { return size_; }
  KOKKOS_FORCEINLINE_FUNCTION Integer operator[](const Integer& i) const {
    return i + select(i < end_[0], shift_[0], select(i < end_[1], shift_[1], shift_[2]));
  }

 private:
  Integer size_ = 0;
  Integer shift_[runs], end_[runs];
};

}  // namespace detail

/// Calls `visit(place, hit, inside)` for the hits of one layer in the windows of the lanes of
/// `mask`, of all lanes together.
///
/// `events` is the event of each lane, `hit` the first record (x, y, z, phi) of a hit, and `inside`
/// marks the lanes that have one; `place` leads to the rest of it (`BinnedHits::hit`). A lane sees
/// its hits azimuth by azimuth from the lower end of its window, and in each azimuth in the order
/// of places, independently of the other lanes.
///
/// @tparam Binned a `BinnedHits`
template <class Real, class Binned, class Visit>
KOKKOS_FORCEINLINE_FUNCTION void for_each_hit_in(const Binned& binned, int layer,
                                                 const IntegerOf<Real>& events,
                                                 const HitWindow<Real>& window,
                                                 const MaskOf<Real>& mask, const Visit& visit) {
  using Integer = IntegerOf<Real>;
  using I = ScalarOf<Integer>;
  using Runs = detail::PlaceRuns<Real>;
  const auto& axis = binned.axes(layer);
  const Integer azimuths = Integer(I(binned.azimuth.bins())), bins = Integer(I(axis.bins()));
  const auto arc = binned.azimuth.around(window.phi, window.half_phi);
  // Slightly wider: the exact test decides which hits are inside, never the bins
  using T = ScalarOf<Real>;
  constexpr T few_roundings = T(4) * trackplex::detail::FloatFormat<T>::epsilon;
  const Real rounding = Real(few_roundings) * (abs(window.along) + window.half_along);
  const Real half_along = window.half_along + rounding;
  const Integer low = axis.bin(window.along - half_along);
  const Integer high = axis.bin(window.along + half_along);
  const std::int32_t* const table = binned.table(0, layer);
  const Integer table_of_event = events * Integer(I(binned.places_per_event));

  Integer azimuth = arc.first;
  for (int turn = 0; any_of(mask && Integer(I(turn)) < arc.count); turn += Runs::runs) {
    Runs runs;
    for (int run = 0; run < Runs::runs; ++run) {
      const auto exists = mask && Integer(I(turn + run)) < arc.count;
      const Integer row = table_of_event + azimuth * bins;
      runs.set(run, gather<Integer>(table, row + low, exists),
               gather<Integer>(table + 1, row + high, exists));
      azimuth = select(azimuth + Integer(1) < azimuths, azimuth + Integer(1), Integer(0));
    }
    for (Integer i = 0;; i += Integer(1)) {
      const auto exists = i < runs.size();
      if (none_of(exists)) break;
      const Integer place = select(exists, runs[i], Integer(0));
      const auto hit =
          gather_quads<Real>(binned.records.data(), place * Integer(Binned::records_per_hit));
      const Real along = Binned::Coordinate::of(hit.x, hit.y, hit.z);
      const auto inside = exists &&
                          abs(binned.azimuth.difference(hit.w, window.phi)) <= window.half_phi &&
                          abs(along - window.along) <= window.half_along;
      visit(place, hit, inside);
    }
  }
}

}  // namespace trackplex::search
