// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/bunch/bunch.hpp>
#include <trackplex/beam/collective/space_charge_step.hpp>
#include <trackplex/core/as_index.hpp>
#include <trackplex/core/reduce.hpp>

namespace trackplex::beam::detail {

/// Values of all particles that a step needs: the first and the last delay, and sums of x, x^2, y,
/// y^2 about a point.
inline constexpr int n_spreads = 6;
using SpreadOperations = Each<Min, Max, Sum, Sum, Sum, Sum>;

/// In double precision, whatever the type of the particles.
template <class Double, class Real>
KOKKOS_FORCEINLINE_FUNCTION Kokkos::Array<Double, n_spreads> spread_terms(const Real& delay,
                                                                          const Real& x,
                                                                          const Real& y, double x0,
                                                                          double y0) {
  const Double d = convert<Double>(delay);
  const Double dx = convert<Double>(x) - Double(x0), dy = convert<Double>(y) - Double(y0);
  return {{d, d, dx, dx * dx, dy, dy * dy}};
}

/// The delays of particles, stored for later passes, and their spreads about the first particle.
template <class Real>
struct DelaysAndSpreads {
  using T = ScalarOf<Real>;
  using Double = Rebind<Real, double>;

  BunchColumns<T> columns;
  T* delays;
  ArrivalTimes<T> times;
  const T* x0;  ///< of the first particle
  const T* y0;

  KOKKOS_FORCEINLINE_FUNCTION Kokkos::Array<Double, n_spreads> operator()(
      const Tile<Double>& place) const {
    const Tile<Real> tile{place.first, place.count};
    const Real d = times.delay(tile.load(columns.v[s]), tile.load(columns.v[delta]));
    tile.store(delays, d);
    return spread_terms<Double>(d, tile.load(columns.v[x]), tile.load(columns.v[y]), *x0, *y0);
  }
};

/// Bins per metre of delay: the first and the last particle are in the centres of bins, and two
/// bins are empty.
KOKKOS_INLINE_FUNCTION double bins_per_metre(double first, double last, int bins) {
  return (bins - 3) / (last - first);
}

/// Positions in units of bins: the centres of bins are at 0.5, 1.5, ...
template <class Real>
struct PositionsOfDelays {
  using T = ScalarOf<Real>;
  const T* delays;
  const double* spreads;
  int bins;

  KOKKOS_FORCEINLINE_FUNCTION Real operator()(const Tile<Real>& tile) const {
    const T scale = T(bins_per_metre(spreads[0], spreads[1], bins));
    return fma(tile.load(delays) - Real(T(spreads[0])), Real(scale), Real(T(0.5)));
  }
};

/// The kick of a step and the drift after it.
template <class Real>
struct KickAndDrift {
  using T = ScalarOf<Real>;
  using Double = Rebind<Real, double>;

  BunchColumns<T> columns;
  T* delays;
  const T* kicks;  ///< change of gamma/p0 in the centre of each bin
  const SpaceChargeStep* step;
  ArrivalTimes<T> times;
  T lowest_energy;  ///< gamma/p0 that no particle goes below
  int bins;
  bool interpolate;
  bool drift;  ///< false: the kick only

  struct Pushed {
    Real x, y, delay;
  };

  KOKKOS_FUNCTION void operator()(const Tile<Real>& tile) const {
    if (step->status == SpaceChargeStatus::ok) push(tile);
  }

  /// The kick without subtracting nearly equal numbers, with all denominators in one division.
  /// u = p/p0, g = gamma/p0, q = x'^2 + y'^2; a particle's time and transverse momentum are
  /// unchanged.
  KOKKOS_FORCEINLINE_FUNCTION Pushed push(const Tile<Real>& tile) const {
    const Real one(1), two(2);
    const Real d = tile.load(delays);
    const Real xp0 = tile.load(columns.v[xp]), yp0 = tile.load(columns.v[yp]);
    const Real delta0 = tile.load(columns.v[delta]);
    const Real u = one + delta0, g = times.energy(u);
    const Real dg = max(kick(tile, d), Real(lowest_energy) - g);
    const Real g1 = g + dg;
    const Real added = dg * fma(two, g, dg);  // to g^2, and to u^2
    const Real u1 = sqrt(fma(u, u, added));
    const Real q = fma(xp0, xp0, yp0 * yp0), way = sqrt(one + q);
    const Real uz = sqrt(fma(u, u, fma(added, q, added)));  // pz/p0 after the kick, times way
    // Denominators of delta, of slopes and the way, and of times
    const Real a = u1 + u, b1 = fma(u1, way, uz), b = uz * b1;
    const Real sum = times.sum_of_energies(u1, g1), g1_sum = g1 * sum, c = u1 * g1_sum;
    const Real ab = a * b, inverse = one / (ab * c);
    const Real per_b = inverse * (a * c), per_c = inverse * ab;
    const Real delta1 = fma(added, inverse * (b * c), delta0);
    const Real slope = u * b1 * per_b, xp1 = slope * xp0, yp1 = slope * yp0;
    const Real l = Real(drift ? T(step->length) : T(0));
    const Real longer = l * (q * (u * u)) * per_b;  // than the reference way
    const Real excess = delta1 * (two + delta1);
    const Real s1 = fma(fma(d, u1 * sum, Real(times.path) * excess), u1 * per_c, longer);
    const Pushed pushed{
        fma(l, xp1, tile.load(columns.v[x])), fma(l, yp1, tile.load(columns.v[y])),
        fma(fma(longer, g1_sum, -(l * Real(times.p0_to_minus_2) * excess)), g1 * per_c, d)};
    tile.store(columns.v[x], pushed.x);
    tile.store(columns.v[xp], xp1);
    tile.store(columns.v[y], pushed.y);
    tile.store(columns.v[yp], yp1);
    tile.store(columns.v[s], s1);
    tile.store(columns.v[delta], delta1);
    return pushed;
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION Real kick(const Tile<Real>& tile, const Real& d) const {
    const Real half(T(0.5)), zero(0);
    const Real position = (d - Real(T(step->first_delay))) * Real(T(step->bins_per_metre));
    const Real below = floor(interpolate ? position : position + half);
    const Real bin = max(zero, min(Real(T(bins - 2)), below));
    const auto index = as_index(bin), next = index + IntegerOf<Real>(1);
    const Real here = gather<Real>(kicks, index, tile.mask());
    if (!interpolate) return here;
    return fma(gather<Real>(kicks, next, tile.mask()) - here, position - bin, here);
  }
};

/// The same, with the delays and the spreads after the step.
template <class Real>
struct KickDriftAndSpreads {
  using T = ScalarOf<Real>;
  using Double = Rebind<Real, double>;
  KickAndDrift<Real> push;

  KOKKOS_FORCEINLINE_FUNCTION Kokkos::Array<Double, n_spreads> operator()(
      const Tile<Double>& place) const {
    const Tile<Real> tile{place.first, place.count};
    const auto pushed = push.push(tile);
    tile.store(push.delays, pushed.delay);
    return spread_terms<Double>(pushed.delay, pushed.x, pushed.y, push.step->mean_x,
                                push.step->mean_y);
  }
};

}  // namespace trackplex::beam::detail
