// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/bunch/bunch.hpp>
#include <trackplex/beam/elements/detail/small_arguments.hpp>

#include <concepts>

namespace trackplex::beam::detail {

/// Coefficients of a deflecting cavity for one pass, by value in kernels.
template <std::floating_point T>
struct RfDeflectorCoefficients {
  explicit RfDeflectorCoefficients(const ReferenceParticle& reference) : times(reference) {}

  ArrivalTimes<T> times;     ///< path at the displaced entrance
  T half_length;             ///< of a slice, m
  T path_step;               ///< length of a slice times p0^-2, m
  T wave_number;             ///< per m of delay
  T origin;                  ///< delay where the phase is that of `sine` and `cosine`, m
  T kick;                    ///< largest change of px/p0
  T sine, cosine;            ///< of the phase at the origin in the first slice
  T sine_step, cosine_step;  ///< of the phase that a slice adds
  T tilt_sine, tilt_cosine;  ///< of the rotation around the axis
  T dx, dy, dz;              ///< displacement, m
  int slices;
  bool magnetic;  ///< whether the kick keeps the momentum, without what depends on x
};

/// Deflecting cavity for one particle, or one in each lane. It keeps the velocity of the
/// entrance throughout; after the last slice its path is set to keep its time.
template <class Real>
struct RfDeflectorPass {
  using T = ScalarOf<Real>;
  using Coefficients = RfDeflectorCoefficients<T>;

  KOKKOS_FORCEINLINE_FUNCTION static void pass(const Coefficients& c, Particle<Real>& v) {
    const Real one(1), two(2), half(c.half_length);
    enter(c, v);
    const Real u = one + v[delta], g = c.times.energy(u);
    const Real sum = c.times.sum_of_energies(u, g), excess = v[delta] * (two + v[delta]);
    const Real per_delay = one / (u * sum);
    Real q = fma(v[xp], v[xp], v[yp] * v[yp]);
    const Real way = sqrt(one + q);
    Real pz = u / way, px = pz * v[xp];  // over p0
    const Real py = pz * v[yp];
    Real added(0);  // to the square of p/p0
    T sine = c.sine, cosine = c.cosine, path = c.times.path;
    for (int k = 0; k < c.slices; ++k) {
      drift(half, q, v);
      const T path_to_centre = fma(T(0.5), c.path_step, path);
      const Real delay = fma(v[s], g * sum, -(Real(path_to_centre) * excess)) * per_delay;
      const auto wave = sincos_near_zero(Real(c.wave_number) * (delay - Real(c.origin)));
      const Real cos_phase = fma(Real(cosine), wave.cos, -(Real(sine) * wave.sin));
      const Real sin_phase = fma(Real(sine), wave.cos, Real(cosine) * wave.sin);
      const Real across = Real(c.kick) * cos_phase;
      const Real along = Real(c.kick * c.wave_number) * v[x] * sin_phase;
      const Real to_squares = across * fma(two, px, across);
      px = px + across;
      if (c.magnetic) {
        pz = sqrt(max(fma(pz, pz, -to_squares), Real(T(1e-6)) * (u * u)));
      } else {
        added = added + to_squares;
      }
      added = fma(along, fma(two, pz, along), added);
      pz = pz + along;
      const Real per_pz = one / pz;
      v[xp] = px * per_pz;
      v[yp] = py * per_pz;
      q = fma(v[xp], v[xp], v[yp] * v[yp]);
      drift(half, q, v);
      next(c, sine, cosine, path);
    }
    keep_time(c, u, g, added, path, v);
    leave(c, v);
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION static void drift(const Real& l, const Real& q, Particle<Real>& v) {
    v[x] = fma(l, v[xp], v[x]);
    v[y] = fma(l, v[yp], v[y]);
    v[s] = fma(l, path_excess(q), v[s]);
  }
  KOKKOS_FORCEINLINE_FUNCTION static void next(const Coefficients& c, T& sine, T& cosine, T& path) {
    const T before = sine;
    sine = fma(before, c.cosine_step, cosine * c.sine_step);
    cosine = fma(cosine, c.cosine_step, -(before * c.sine_step));
    path += c.path_step;
  }

  /// s and delta after a change of energy that keeps the time, see `EnergyChange`.
  KOKKOS_FORCEINLINE_FUNCTION static void keep_time(const Coefficients& c, const Real& u,
                                                    const Real& g, const Real& added, const T& path,
                                                    Particle<Real>& v) {
    const Real u1 = sqrt(fma(u, u, added)), g1 = c.times.energy(u1);
    const Real sum = u + u1, cross = u * g1, velocities = cross * fma(u1, g, cross);
    const Real inverse = Real(1) / (sum * velocities);
    const Real way = fma(v[s], Real(c.times.p0_to_minus_2), Real(path));
    v[s] = fma(way * added, inverse * sum, v[s]);
    v[delta] = fma(added, inverse * velocities, v[delta]);
  }

  /// To the frame of the cavity.
  KOKKOS_FORCEINLINE_FUNCTION static void enter(const Coefficients& c, Particle<Real>& v) {
    drift_along(c.dz, v);
    v[x] = v[x] - Real(c.dx);
    v[y] = v[y] - Real(c.dy);
    rotate(c.tilt_sine, c.tilt_cosine, v);
  }
  /// Back to the nominal frame.
  KOKKOS_FORCEINLINE_FUNCTION static void leave(const Coefficients& c, Particle<Real>& v) {
    rotate(-c.tilt_sine, c.tilt_cosine, v);
    v[x] = v[x] + Real(c.dx);
    v[y] = v[y] + Real(c.dy);
    drift_along(-c.dz, v);
  }
  KOKKOS_FORCEINLINE_FUNCTION static void drift_along(T length, Particle<Real>& v) {
    if (length != T(0)) drift(Real(length), fma(v[xp], v[xp], v[yp] * v[yp]), v);
  }
  KOKKOS_FORCEINLINE_FUNCTION static void rotate(T sine, T cosine, Particle<Real>& v) {
    if (sine == T(0) && cosine == T(1)) return;
    const Real a(sine), b(cosine), x0 = v[x], xp0 = v[xp];
    v[x] = fma(b, x0, a * v[y]);
    v[y] = fma(b, v[y], -(a * x0));
    v[xp] = fma(b, xp0, a * v[yp]);
    v[yp] = fma(b, v[yp], -(a * xp0));
  }
};

/// Deflecting cavity.
template <class Real>
struct TrackDeflector {
  BunchColumns<ScalarOf<Real>> columns;
  RfDeflectorCoefficients<ScalarOf<Real>> coefficients;

  KOKKOS_FUNCTION void operator()(const Tile<Real>& tile) const {
    Particle<Real> v = columns.load(tile);
    RfDeflectorPass<Real>::pass(coefficients, v);
    columns.store(tile, v);
  }
};

}  // namespace trackplex::beam::detail
