// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Kernels of deflecting modes over particles.

#include <trackplex/beam/collective/detail/mode_field.hpp>
#include <trackplex/beam/collective/detail/wake_particles.hpp>

#include <cstdint>

namespace trackplex::beam::detail {

/// x and y in the frame in units, rounded, and the number of the particle, 1.
template <class Real>
struct BinnedModes {
  static constexpr int components = 3;
  BinnedOffsets<Real> offsets;

  KOKKOS_FORCEINLINE_FUNCTION histogram::BinnedValues<Real, components> operator()(
      const Tile<Real>& tile) const {
    const auto binned = offsets(tile);
    return {binned.position, {binned.value[0], binned.value[1], Real(1)}};
  }
};

/// Longitudinal voltage of deflecting modes in bins: that at the mean position of their particles,
/// 0 without particles.
template <class Real, class T>
struct LongitudinalModeVoltage {
  SumModes<Real> x, y;       ///< imaginary parts times the wave number, V/m
  const std::int64_t* sums;  ///< of x and y, and numbers
  double x_unit, y_unit;     ///< m
  double kicks_per_volt;
  double* voltage;
  T* kicks;

  KOKKOS_FUNCTION void operator()(const Tile<Real>& tile) const {
    using Index = IntegerOf<Real>;
    using I = ScalarOf<Index>;
    const Real zero(0), one(1);
    const Index first = tile.index() * Index(I(3));
    const Real number = gather<Real>(sums, first + Index(I(2)));
    const Real share = select(number > zero, one / max(number, one), zero);
    const Real mean_x = gather<Real>(sums, first) * Real(x_unit) * share;
    const Real mean_y = gather<Real>(sums, first + Index(I(1))) * Real(y_unit) * share;
    const Real v = fma(mean_x, x(tile), mean_y * y(tile));
    tile.store(voltage, v);
    tile.store(kicks, convert<Rebind<Real, T>>(v * Real(kicks_per_volt)));
  }
};

/// Kick of deflecting modes: slopes are kept by the longitudinal one, and times by all. The
/// momentum along the axis stays above a thousandth of what it was.
template <class Real>
struct TransverseModeKicks {
  using T = ScalarOf<Real>;
  BinnedKicks<Real> place;
  const T* kicks_x;  ///< changes of p/p0
  const T* kicks_y;
  const T* kicks_z;
  BunchColumns<T> columns;
  T p0_to_minus_2;
  T path;  ///< of the reference particle times p0^-2, m

  KOKKOS_FUNCTION void operator()(const Tile<Real>& tile) const {
    constexpr unsigned changes = 1u << xp | 1u << yp | 1u << s | 1u << delta;
    Particle<Real> v = columns.load(tile);
    const auto at = place.place(tile);
    const Real one(1), u = one + v[delta], q = fma(v[xp], v[xp], v[yp] * v[yp]);
    const Real uz = u / sqrt(one + q);
    const Real uz1 = max(uz + place.at(at, kicks_z), Real(T(1e-3)) * uz);
    const Real dxp = place.at(at, kicks_x) / uz1, dyp = place.at(at, kicks_y) / uz1;
    const Real growth = fma(dxp, v[xp] + v[xp] + dxp, dyp * (v[yp] + v[yp] + dyp));  // of q
    const Real added = fma((uz1 - uz) * (uz1 + uz), one + q, uz1 * uz1 * growth);    // to u^2
    const Real u1 = sqrt(fma(u, u, added)), g = sqrt(fma(u, u, Real(p0_to_minus_2)));
    const Real g1 = sqrt(fma(g, g, added)), cross = u * g1;
    const Real way = fma(v[s], Real(p0_to_minus_2), Real(path));
    v[s] = fma(way * added, one / (cross * fma(u1, g, cross)), v[s]);
    v[delta] = v[delta] + added / (u + u1);
    v[xp] = v[xp] + dxp;
    v[yp] = v[yp] + dyp;
    columns.store(tile, v, changes);
  }
};

}  // namespace trackplex::beam::detail
