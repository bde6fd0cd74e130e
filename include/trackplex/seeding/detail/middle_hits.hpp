// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/search/hit_windows.hpp>
#include <trackplex/search/layer_axes.hpp>
#include <trackplex/seeding/detector_triplet_cuts.hpp>

#include <cstdint>

namespace trackplex::seeding::detail {

/// Middle layer with its triples: numbers from `first` on.
struct MiddleLayer {
  int number, first, triples;
};

/// A middle hit with the layers of a triple, and the window of its inner hit.
template <class T>
struct MiddleHitOnModule {
  int event;
  const LayersOfTriplet<T>* layers;
  T x, y, z, phi, r;
  T max_curvature;  ///< 1/cm
  T max_z0;         ///< resolution included, cm
  T per_z0_2;       ///< 1 / variance of z0, cm^-2
  T half_phi;       ///< of the inner hit's azimuth around phi, rad
  T second,         ///< centre of the window of the inner hit's second coordinate, cm
      half_second;  ///< its half width, cm; below 0: there is none
};

/// Axes of a layer, the same for all lanes.
template <class T>
struct AxesOfLayer {
  search::LaneAxis<T> first, second;
  const std::int32_t* table;
  /// Rows of bins of a window; slightly wider, as the exact test decides.
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION search::RowsOfBins<Real> rows(const Real& phi, const Real& half_phi,
                                                            const Real& along,
                                                            const Real& half_along) const {
    using Integer = IntegerOf<Real>;
    constexpr T few_roundings = 8 * trackplex::detail::FloatFormat<T>::epsilon;
    const auto widened = [&](const Real& centre, const Real& half) {
      return fma(Real(few_roundings), abs(centre) + half, half);
    };
    const search::LaneAxis<Real> across{Real(first.low), Real(first.per_width), Real(first.bins),
                                        Real(first.period)},
        up{Real(second.low), Real(second.per_width), Real(second.bins), Real(second.period)};
    search::RowsOfBins<Real> rows;
    rows.table = table;
    rows.begin = Integer(0);
    rows.rows = convert<Integer>(across.bins);
    rows.bins = convert<Integer>(up.bins);
    across.around(phi, widened(phi, half_phi), rows.first, rows.count);
    const Real half = widened(along, half_along);
    rows.low = up.bin(along - half);
    rows.high = up.bin(along + half);
    return rows;
  }
};

}  // namespace trackplex::seeding::detail
