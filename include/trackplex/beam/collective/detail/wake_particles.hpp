// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Kernels of wakes over particles.

#include <trackplex/beam/bunch/bunch.hpp>
#include <trackplex/beam/bunch/energy_change.hpp>
#include <trackplex/core/as_index.hpp>
#include <trackplex/core/reduce.hpp>
#include <trackplex/histogram/deposit_values.hpp>

namespace trackplex::beam::detail {

/// Bins of delays.
struct DelayGrid {
  double first = 0.;           ///< delay of the centre of the first bin, m
  double bins_per_metre = 1.;  ///< of delay
  int bins = 1;
};

/// Positions of delays in units of bins.
template <class Real>
struct GridPositions {
  using T = ScalarOf<Real>;
  T first, scale;
  const T* delays;

  GridPositions(const DelayGrid& grid, const T* delays_of_all)
      : first(T(grid.first)), scale(T(grid.bins_per_metre)), delays(delays_of_all) {}

  KOKKOS_FORCEINLINE_FUNCTION Real operator()(const Tile<Real>& tile) const {
    return fma(tile.load(delays) - Real(first), Real(scale), Real(T(0.5)));
  }
};

/// The value of each particle's place among values in the centres of bins: that of its bin, or
/// linear between the two nearest centres, and beyond the outermost ones; 0 outside the bins.
template <class Real>
struct BinnedKicks {
  using T = ScalarOf<Real>;
  GridPositions<Real> positions;
  int bins;
  bool interpolate;

  struct Place {
    Real fraction;
    IntegerOf<Real> index;
    MaskOf<Real> mask;
  };

  KOKKOS_FORCEINLINE_FUNCTION Place place(const Tile<Real>& tile) const {
    const Real half(T(0.5)), zero(0), position = positions(tile);
    const auto is_inside = tile.mask() && position >= zero && position < Real(T(bins));
    const Real from = interpolate ? position - half : position;
    const Real last(T(interpolate ? bins - 2 : bins - 1));
    const Real bin = max(zero, min(last, floor(select(is_inside, from, zero))));
    return {from - bin, as_index(bin), is_inside};
  }
  KOKKOS_FORCEINLINE_FUNCTION Real at(const Place& place, const T* kicks) const {
    const Real here = gather<Real>(kicks, place.index, place.mask);
    if (!interpolate) return here;
    const auto next = place.index + IntegerOf<Real>(1);
    const Real step = gather<Real>(kicks, next, place.mask) - here;
    return select(place.mask, fma(step, place.fraction, here), Real(0));
  }
};

/// Delays, stored for later passes: their range and sum, and whether all are finite.
using DelayOperations = Each<Min, Max, Sum>;

template <class Real>
struct DelaysAndRange {
  using T = ScalarOf<Real>;
  using Double = Rebind<Real, double>;
  BunchColumns<T> columns;
  T* delays;
  ArrivalTimes<T> times;

  KOKKOS_FORCEINLINE_FUNCTION Kokkos::Array<Double, 3> operator()(const Tile<Double>& place) const {
    const Tile<Real> tile{place.first, place.count};
    const Real d = times.delay(tile.load(columns.v[s]), tile.load(columns.v[delta]));
    tile.store(delays, d);
    const Double wide = convert<Double>(d);
    return {{wide, wide, wide}};
  }
};

/// Frame of a displaced and rotated element: a rotation from x towards y, and its centre in the
/// rotated frame, m.
template <class T>
struct WakeFrame {
  T cosine, sine, dx, dy;

  /// Returns positions relative to the centre, in the frame.
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION void enter(const Real& x, const Real& y, Real& u, Real& w) const {
    u = fma(x, Real(cosine), y * Real(sine)) - Real(dx);
    w = fma(y, Real(cosine), -(x * Real(sine))) - Real(dy);
  }
  /// Returns a vector in the laboratory of one in the frame.
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION void leave(const Real& u, const Real& w, Real& x, Real& y) const {
    x = fma(u, Real(cosine), -(w * Real(sine)));
    y = fma(w, Real(cosine), u * Real(sine));
  }
};

/// The same with the largest |x| and |y| in the frame; infinity if one is NaN.
using OffsetOperations = Each<Min, Max, Sum, Max, Max>;

template <class Real>
struct DelaysAndOffsets {
  using T = ScalarOf<Real>;
  using Double = Rebind<Real, double>;
  DelaysAndRange<Real> delays;
  WakeFrame<T> frame;

  KOKKOS_FORCEINLINE_FUNCTION Kokkos::Array<Double, 5> operator()(const Tile<Double>& place) const {
    const Tile<Real> tile{place.first, place.count};
    const auto d = delays(place);
    Real u, w;
    frame.enter(tile.load(delays.columns.v[x]), tile.load(delays.columns.v[y]), u, w);
    return {{d[0], d[1], d[2], size(u), size(w)}};
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION static Double size(const Real& a) {
    const Double b = convert<Double>(abs(a));
    return select(b == b, b, Double(Kokkos::Experimental::infinity<double>::value));
  }
};

/// x and y in the frame in units, rounded, with the place of the particle.
template <class Real>
struct BinnedOffsets {
  using T = ScalarOf<Real>;
  GridPositions<Real> positions;
  BunchColumns<T> columns;
  WakeFrame<T> frame;
  T per_x, per_y;  ///< units per metre

  KOKKOS_FORCEINLINE_FUNCTION histogram::BinnedValues<Real, 2> operator()(
      const Tile<Real>& tile) const {
    Real u, w;
    frame.enter(tile.load(columns.v[x]), tile.load(columns.v[y]), u, w);
    return {positions(tile), {rint(u * Real(per_x)), rint(w * Real(per_y))}};
  }
};

/// Kick of a longitudinal wake.
template <class Real>
struct WakeKick {
  using T = ScalarOf<Real>;
  BinnedKicks<Real> place;
  const T* kicks;  ///< change of gamma/p0
  BunchColumns<T> columns;
  EnergyChange<T> energy;

  KOKKOS_FUNCTION void operator()(const Tile<Real>& tile) const {
    constexpr unsigned changes = 1u << xp | 1u << yp | 1u << s | 1u << delta;
    Particle<Real> v = columns.load(tile);
    energy.keep_momenta(v, place.at(place.place(tile), kicks));
    columns.store(tile, v, changes);
  }
};

/// Kick of a transverse wake: changes of slopes of u/way, with u = p/p0 and the way
/// sqrt(1 + x'^2 + y'^2), in the frame.
template <class Real>
struct TransverseWakeKicks {
  using T = ScalarOf<Real>;
  BinnedKicks<Real> place;
  const T* kicks_x;  ///< px/p0
  const T* kicks_y;
  BunchColumns<T> columns;
  WakeFrame<T> frame;

  KOKKOS_FUNCTION void operator()(const Tile<Real>& tile) const {
    const Real one(1), xp0 = tile.load(columns.v[xp]), yp0 = tile.load(columns.v[yp]);
    const Real way = sqrt(one + fma(xp0, xp0, yp0 * yp0));
    const Real per_pz = way / (one + tile.load(columns.v[delta]));
    const auto at = place.place(tile);
    Real dx, dy;
    frame.leave(place.at(at, kicks_x), place.at(at, kicks_y), dx, dy);
    tile.store(columns.v[xp], fma(dx, per_pz, xp0));
    tile.store(columns.v[yp], fma(dy, per_pz, yp0));
  }
};

}  // namespace trackplex::beam::detail
