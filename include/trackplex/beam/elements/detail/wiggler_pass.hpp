// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/steps/bend_edge.hpp>
#include <trackplex/beam/steps/radiation.hpp>
#include <trackplex/core/expm1.hpp>

/// @file
/// Passes of particles through wigglers, in kernels.

namespace trackplex::beam::detail {

/// Coefficients of wigglers, in this order; then harmonics, and their amplitudes step by step.
enum WigglerCoefficient {
  wiggler_steps,
  wiggler_substeps,                      // 1 or 3
  wiggler_harmonics,                     // number
  wiggler_deflects_y,                    // whether there is a potential A_y
  wiggler_random,                        // whether radiation is in quanta
  wiggler_lengths,                       // of substeps, m
  wiggler_length = wiggler_lengths + 3,  // of a step, m
  wiggler_radiation,                     // coefficients of ClassicalRadiation, and sigma
  n_wiggler_coefficients = wiggler_radiation + 4
};

/// Coefficients of a harmonic. Its functions of the place are c, a cosine times a hyperbolic one,
/// and s, a sine over its wave number times the hyperbolic one over its.
enum HarmonicCoefficient {
  harmonic_kx,                    // 1/m
  harmonic_ky,                    // 1/m
  harmonic_sine_of_x,             // whether x is in the sine, not in the hyperbolic one
  harmonic_ax,                    // of c and s in A_x
  harmonic_ay = harmonic_ax + 4,  // of c and s in A_y; before, in the integral of dA_x/dy over x
  harmonic_b = harmonic_ay + 4,  // of c and s in B_x and in B_y; before as A_y with x and y changed
  n_harmonic_coefficients = harmonic_b + 4
};

template <class Real>
struct PotentialPair {
  Real first, second;
};

/// Sum over the harmonics, with the amplitudes of a place, of two combinations of c and s, whose
/// coefficients begin at `at` in those of a harmonic.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION PotentialPair<Real> sum_of_harmonics(const ScalarOf<Real>* harmonic,
                                                                 int n,
                                                                 const ScalarOf<Real>* amplitudes,
                                                                 int at, const Real& x,
                                                                 const Real& y) {
  using T = ScalarOf<Real>;
  PotentialPair<Real> sum{Real(0), Real(0)};
  for (int i = 0; i < n; ++i, harmonic += n_harmonic_coefficients) {
    const bool sine_of_x = harmonic[harmonic_sine_of_x] != T(0);
    const T k = sine_of_x ? harmonic[harmonic_kx] : harmonic[harmonic_ky];
    const T hyperbolic_k = sine_of_x ? harmonic[harmonic_ky] : harmonic[harmonic_kx];
    const Real u = sine_of_x ? x : y, w = sine_of_x ? y : x, half(T(0.5)), one(1);
    const auto wave = sincos(Real(k) * u);
    const Real sine = k != T(0) ? wave.sin / Real(k) : u;
    const Real e = expm1(Real(hyperbolic_k) * w), shrunk = e / (one + e);
    const Real cosh = fma(half * e, shrunk, one);
    const Real sinh = half * (e + shrunk) / Real(hyperbolic_k);
    const Real amplitude(amplitudes[i]), c = amplitude * (wave.cos * cosh);
    const Real s = amplitude * (sine * sinh);
    sum.first = fma(c, Real(harmonic[at]), fma(s, Real(harmonic[at + 1]), sum.first));
    sum.second = fma(c, Real(harmonic[at + 2]), fma(s, Real(harmonic[at + 3]), sum.second));
  }
  return sum;
}

/// A particle in a wiggler: canonical momenta instead of slopes.
template <class Real>
struct WigglerParticle {
  using T = ScalarOf<Real>;
  const T* c;
  Particle<Real>& v;
  Real per_momentum;  ///< 1/(1 + delta)

  KOKKOS_FORCEINLINE_FUNCTION int n_harmonics() const { return int(c[wiggler_harmonics]); }
  KOKKOS_FORCEINLINE_FUNCTION PotentialPair<Real> sum(const T* amplitudes, int at) const {
    return sum_of_harmonics(c + n_wiggler_coefficients, n_harmonics(), amplitudes, at, v[x], v[y]);
  }

  /// Drift of one coordinate, in the gauge in which its potential is 0.
  template <Coordinate position>
  KOKKOS_FORCEINLINE_FUNCTION void drift(const T* amplitudes, const Real& length) {
    constexpr int slope = position + 1, other = position == x ? yp : xp;
    constexpr int at = position == x ? harmonic_ax : harmonic_ay;
    const bool has_potential = position == x || c[wiggler_deflects_y] != T(0);
    const auto change_gauge = [&](const Real& sign) {
      const auto a = sum(amplitudes, at);
      v[slope] = fma(sign, a.first, v[slope]);
      v[other] = fma(sign, a.second, v[other]);
    };
    if (has_potential) change_gauge(Real(-1));
    const Real way = length * per_momentum, half(T(0.5));
    v[position] = fma(way, v[slope], v[position]);
    v[s] = fma(half * way * per_momentum, v[slope] * v[slope], v[s]);
    if (has_potential) change_gauge(Real(1));
  }

  /// Part of a step, of second order.
  KOKKOS_FORCEINLINE_FUNCTION void move(const T* amplitudes, const Real& length) {
    const Real half = Real(T(0.5)) * length;
    drift<y>(amplitudes, half);
    drift<x>(amplitudes, length);
    drift<y>(amplitudes, half);
  }

  /// Loss of momentum over a step, with the potential and the field at its end.
  KOKKOS_FORCEINLINE_FUNCTION void radiate(const T* amplitudes, const Real& number) {
    const Real one(1), length(c[wiggler_length]);
    const auto ax = sum(amplitudes, harmonic_ax), ay = sum(amplitudes, harmonic_ay);
    const auto b = sum(amplitudes + n_harmonics(), harmonic_b);
    const Real square = fma(b.first, b.first, b.second * b.second), u = one + v[delta];
    const Real sigma = Real(c[wiggler_radiation + 3]) * sqrt(square * sqrt(square));
    const Real lost = fma(Real(c[wiggler_radiation]) * length, square, sigma * number);
    v[delta] = fma(-lost, u * u, v[delta]);
    const Real factor = (one + v[delta]) / u;
    v[xp] = fma(v[xp] - ax.first, factor, ax.first);
    v[yp] = fma(v[yp] - ay.first, factor, ay.first);
    per_momentum = one / (one + v[delta]);
  }
};

/// Moves particles through a wiggler; `next()` draws a normal random number.
template <class Real, class Random>
KOKKOS_FORCEINLINE_FUNCTION MaskOf<Real> pass_wiggler(const ScalarOf<Real>* c, Particle<Real>& v,
                                                      const Random& next) {
  using T = ScalarOf<Real>;
  const int n = int(c[wiggler_harmonics]), substeps = int(c[wiggler_substeps]);
  const bool radiates = c[wiggler_radiation + 1] != T(0), is_random = c[wiggler_random] != T(0);
  const T* amplitudes = c + n_wiggler_coefficients + n * n_harmonic_coefficients;
  const Real start = Real(1) + v[delta];
  to_momenta(v);
  WigglerParticle<Real> particle{c, v, Real(1) / start};
  const auto radiate = [&] {
    if (!radiates) return;
    particle.radiate(amplitudes, is_random ? next() : Real(0));
    amplitudes += 2 * n;
  };
  radiate();
  for (int i = 0; i < int(c[wiggler_steps]); ++i) {
    for (int k = 0; k < substeps; ++k, amplitudes += n)
      particle.move(amplitudes, Real(c[wiggler_lengths + k]));
    radiate();
  }
  const MaskOf<Real> forward = to_slopes(v) && start > Real(0);
  if (radiates) ClassicalRadiation<T>(c + wiggler_radiation).keep_time(start, v);
  return forward;
}

}  // namespace trackplex::beam::detail
