// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/quartet.hpp>
#include <trackplex/core/team_launch.hpp>
#include <trackplex/search/binned_detector_hits.hpp>
#include <trackplex/seeding/detail/circle_of_doublet.hpp>
#include <trackplex/seeding/detector_triplet_cuts.hpp>

#include <cstddef>
#include <cstdint>

namespace trackplex::seeding::detail {

/// Binned hits as seen from the region of collisions, by place.
template <class T, class MemorySpace>
struct PointsAboutBeam {
  Kokkos::View<Quartet<T>*, MemorySpace> points;  ///< x, y, z, distance from the z axis, cm
  Kokkos::View<T*, MemorySpace> first,            ///< azimuth, rad
      second;  ///< z on barrels, distance from the z axis on disks
};

/// Condition on hits at consecutive places, the first of which exists: that they are inside a
/// window, given by the centre and the half width in both coordinates.
template <class Real>
struct HitsInside {
  const ScalarOf<Real>*first, *second;  ///< coordinates by place
  Quartet<Real> window;

  KOKKOS_FORCEINLINE_FUNCTION MaskOf<Real> operator()(int place) const {
    return angle_between(load<Real>(first + place), window.x) <= window.y &&
           abs(load<Real>(second + place) - window.z) <= window.w;
  }
};

/// Computes the points of one layer of an event.
template <class Number, class Binned, class Hits>
struct SeePoints {
  using Real = Number;
  using T = ScalarOf<Real>;

  Binned binned;
  Hits hits;
  DetectorTripletCuts<T> cuts;
  typename Hits::template Array<std::int32_t> is_barrel;  ///< (layer)
  PointsAboutBeam<T, typename decltype(Binned::index)::memory_space> seen;

  KOKKOS_FUNCTION std::size_t scratch_bytes() const { return 0; }

  template <class Member>
  KOKKOS_FUNCTION void operator()(const Member& member, const ScratchCarver&) const {
    using Integer = IntegerOf<Real>;
    const int event = member.league_rank() / hits.layers,
              layer = member.league_rank() % hits.layers;
    const int first = hits.first(event, layer);
    // The table's last entry: skipped hits have no place
    const int end = binned.table(event, layer)[binned.bins_of(layer)];
    const bool barrel = is_barrel(layer) != 0;
    TeamLanes<Real, Member>(member).for_each(end - first, [&](Tile<Real> tile) {
      const Integer place = Integer(ScalarOf<Integer>(first)) + tile.index();
      const auto point = cuts.about_beam(binned.template point<Real>(place));
      const Real r = sqrt(fma(point.x, point.x, point.y * point.y));
      store_quartets(seen.points.data() + first + tile.first,
                     Quartet<Real>{point.x, point.y, point.z, r}, tile.count);
      tile.store(seen.first.data() + first, point.w);
      tile.store(seen.second.data() + first, barrel ? point.z : r);
    });
  }
};

}  // namespace trackplex::seeding::detail
