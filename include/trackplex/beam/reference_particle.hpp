// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/coordinates.hpp>
#include <trackplex/core/lane_memory.hpp>
#include <trackplex/core/math.hpp>

#include <concepts>

namespace trackplex::beam {

/// The particle that the others are measured against.
struct ReferenceParticle {
  double p0 = 0.;           ///< momentum beta gamma
  double path_length = 0.;  ///< way travelled since time 0, m
};

/// Times of arrival as ways of light, m, beside the reference particle's: positive for those
/// behind. A particle's time is that of its whole way with the momentum that it has now. Nothing is
/// subtracted from the way of the reference particle, which may be long.
template <std::floating_point T>
struct ArrivalTimes {
  T p0_to_minus_2;
  T energy0;  ///< gamma/p0 of the reference particle
  T path;     ///< its way times p0^-2

  KOKKOS_FORCEINLINE_FUNCTION explicit ArrivalTimes(const ReferenceParticle& reference)
      : p0_to_minus_2(T(1) / (T(reference.p0) * T(reference.p0))),
        energy0(sqrt(T(1) + p0_to_minus_2)),
        path(T(reference.path_length) * p0_to_minus_2) {}

  /// gamma/p0 of a particle with p/p0 = u.
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION Real energy(const Real& u) const {
    return sqrt(fma(u, u, Real(p0_to_minus_2)));
  }

  /// g + g0 u, where 1/beta = g/u = g0 - delta (2 + delta) p0^-2 / (u (g + g0 u)); u = p/p0,
  /// g = gamma/p0, and g0 that of the reference particle.
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION Real sum_of_energies(const Real& u, const Real& g) const {
    return fma(Real(energy0), u, g);
  }

  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION Real delay(const Real& s, const Real& delta) const {
    const Real u = Real(1) + delta, g = energy(u), sum = sum_of_energies(u, g);
    return fma(s, g * sum, -(Real(path) * (delta * (Real(2) + delta)))) / (u * sum);
  }

  /// The inverse of `delay`.
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION Real s_of_delay(const Real& delay, const Real& delta) const {
    const Real u = Real(1) + delta, g = energy(u), sum = sum_of_energies(u, g);
    return fma(delay, u * sum, Real(path) * (delta * (Real(2) + delta))) / (g * sum);
  }
};

/// The way that light makes between the arrival of the reference particle and that of a particle,
/// m: see ArrivalTimes.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION Real delay(const ReferenceParticle& reference, const Real& s,
                                       const Real& delta) {
  return ArrivalTimes<ScalarOf<Real>>(reference).delay(s, delta);
}

/// The inverse of `delay`: the coordinate s of a particle that arrives so much later.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION Real s_of_delay(const ReferenceParticle& reference, const Real& delay,
                                            const Real& delta) {
  return ArrivalTimes<ScalarOf<Real>>(reference).s_of_delay(delay, delta);
}

}  // namespace trackplex::beam
