// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/coordinates.hpp>
#include <trackplex/core/lane_memory.hpp>
#include <trackplex/core/math.hpp>

namespace trackplex::beam {

/// The particle that the others are measured against.
struct ReferenceParticle {
  double p0 = 0.;           ///< momentum beta gamma
  double path_length = 0.;  ///< way travelled since time 0, m
};

namespace detail {

/// 1/beta of a particle, and by how much it is above that of the reference particle, without
/// subtracting one from the other.
template <class Real>
struct InverseBeta {
  Real value, excess;

  KOKKOS_FORCEINLINE_FUNCTION InverseBeta(const ReferenceParticle& reference, const Real& delta) {
    using T = ScalarOf<Real>;
    const Real inverse_p = Real(1) / (Real(T(reference.p0)) * (Real(1) + delta));
    const T inverse_p0 = T(1) / T(reference.p0);
    const Real inverse_p2 = inverse_p * inverse_p;
    value = sqrt(Real(1) + inverse_p2);
    excess = -(delta * (Real(2) + delta)) * inverse_p2 /
             (value + Real(sqrt(T(1) + inverse_p0 * inverse_p0)));
  }
};

}  // namespace detail

/// The way that light makes between the arrival of the reference particle and that of a particle,
/// m: positive for those behind. A particle's time is that of its whole way with the momentum that
/// it has now.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION Real delay(const ReferenceParticle& reference, const Real& s,
                                       const Real& delta) {
  const detail::InverseBeta<Real> inverse_beta(reference, delta);
  return fma(s, inverse_beta.value,
             Real(ScalarOf<Real>(reference.path_length)) * inverse_beta.excess);
}

/// The inverse of `delay`: the coordinate s of a particle that arrives so much later.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION Real s_of_delay(const ReferenceParticle& reference, const Real& delay,
                                            const Real& delta) {
  const detail::InverseBeta<Real> inverse_beta(reference, delta);
  return (delay - Real(ScalarOf<Real>(reference.path_length)) * inverse_beta.excess) /
         inverse_beta.value;
}

}  // namespace trackplex::beam
