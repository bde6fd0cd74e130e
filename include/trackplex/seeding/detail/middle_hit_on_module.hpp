// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/quartet.hpp>
#include <trackplex/search/hit_windows.hpp>
#include <trackplex/seeding/detector_triplet_cuts.hpp>

#include <cstdint>

namespace trackplex::seeding::detail {

/// Middle layer with its triples: numbers from `first` on.
struct MiddleLayer {
  int number, first, triples;
};

/// Middle hits on modules, and the windows of their inner hits on the layers of a triple.
template <class Real>
struct MiddleHitOnModule {
  Real x, y, z;        ///< cm
  Real max_curvature;  ///< 1/cm
  Real phi,            ///< azimuth of the hit, and of the centre of its window, rad
      half_phi;        ///< half width of the window in azimuth, rad
  Real second,         ///< centre of the window in the second coordinate, cm
      half_second;     ///< its half width, cm; negative: no window
  Real max_z0;         ///< resolution included, cm
  Real per_z0_2;       ///< 1 / variance of z0, cm^-2
  Real r;              ///< distance from the z axis, cm

  static constexpr int quads = 3;
  KOKKOS_FORCEINLINE_FUNCTION void to(Quartet<Real> (&quad)[quads]) const {
    quad[0] = {x, y, z, max_curvature};
    quad[1] = {phi, half_phi, second, half_second};
    quad[2] = {max_z0, per_z0_2, r, Real(0)};
  }
  KOKKOS_FORCEINLINE_FUNCTION static MiddleHitOnModule from(const Quartet<Real> (&quad)[quads]) {
    return {quad[0].x, quad[0].y, quad[0].z, quad[0].w, quad[1].x, quad[1].y,
            quad[1].z, quad[1].w, quad[2].x, quad[2].y, quad[2].z};
  }
};

/// Axes of a layer, the same for all lanes.
template <class T>
struct AxesOfLayer {
  search::LaneAxis<T> first, second;
  const std::int32_t* table;
  /// Rows of bins of a window; slightly wider, since the exact test decides.
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION search::RowsOfBins<Real> rows(const Real& phi, const Real& half_phi,
                                                            const Real& along,
                                                            const Real& half_along) const {
    const search::LaneAxis<Real> across{Real(first.low), Real(first.per_width), Real(first.bins),
                                        Real(first.period)},
        up{Real(second.low), Real(second.per_width), Real(second.bins), Real(second.period)};
    return search::rows_between(across, up, table, IntegerOf<Real>(0), phi, half_phi, along,
                                half_along);
  }
};

}  // namespace trackplex::seeding::detail
