// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Windows over binned hits, one for each lane: the bins give a few runs of hits, an exact test
/// those inside.

#include <trackplex/search/binned_hits.hpp>

namespace trackplex::search {

/// |phi - center| <= half, around the circle, and the same of the second coordinate.
template <class Number>
struct HitWindow {
  using Real = Number;
  Real phi;       ///< center, -pi to pi
  Real half_phi;  ///< rad, less than pi
  Real along, half_along;
};

/// Calls `visit(place, hit, inside)` for the hits of one layer in the windows of the lanes of
/// `mask`, all lanes side by side: `hit` is the first record (x, y, z, phi), `inside` the lanes
/// that have one. A lane sees its hits azimuth by azimuth and, in a run, in the order of places,
/// whatever the other lanes do.
/// @param events the event of each lane
template <class Real, class Binned, class Visit>
KOKKOS_FORCEINLINE_FUNCTION void for_each_hit_in(const Binned& binned, int layer,
                                                 const IntegerOf<Real>& events,
                                                 const HitWindow<Real>& window,
                                                 const MaskOf<Real>& mask, const Visit& visit) {
  using Integer = IntegerOf<Real>;
  using I = ScalarOf<Integer>;
  const auto& axis = binned.axes(layer);
  const Integer azimuths = Integer(I(binned.azimuth.bins())), bins = Integer(I(axis.bins()));
  const auto arc = binned.azimuth.around(window.phi, window.half_phi);
  const Integer low = axis.bin(window.along - window.half_along);
  const Integer high = axis.bin(window.along + window.half_along);
  const std::int32_t* const table = binned.table(0, layer);
  const Integer table_of_event = events * Integer(I(binned.places_per_event));

  Integer azimuth = arc.first;
  for (int turn = 0;; ++turn) {
    const auto searching = mask && Integer(I(turn)) < arc.count;
    if (none_of(searching)) break;
    const Integer row = table_of_event + azimuth * bins;
    Integer place = gather<Integer>(table, row + low, searching);
    const Integer end = gather<Integer>(table + 1, row + high, searching);
    for (;; place += Integer(1)) {
      const auto exists = place < end;
      if (none_of(exists)) break;
      const Integer at = select(exists, place, Integer(0));
      const auto hit =
          gather_quads<Real>(binned.records.data(), at * Integer(Binned::records_per_hit));
      const Real along = Binned::Coordinate::of(hit.x, hit.y, hit.z);
      const auto inside = exists &&
                          abs(binned.azimuth.difference(hit.w, window.phi)) <= window.half_phi &&
                          abs(along - window.along) <= window.half_along;
      visit(at, hit, inside);
    }
    azimuth = select(azimuth + Integer(1) < azimuths, azimuth + Integer(1), Integer(0));
  }
}

}  // namespace trackplex::search
