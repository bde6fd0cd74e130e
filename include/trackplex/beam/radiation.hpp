// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/step.hpp>
#include <trackplex/core/constants.hpp>
#include <trackplex/core/math.hpp>

#include <vector>

/// @file
/// Mean energy loss by synchrotron radiation inside of magnets, in kernels.

namespace trackplex::beam {

/// No radiation.
struct NoRadiation {
  static constexpr bool radiates = false;  ///< Whether there is any.

  /// Returns the momentum as it is.
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION Real momentum_behind(const Real& momentum, const Real&,
                                                   const Real&) const {
    return momentum;
  }
  /// Changes nothing.
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION void keep_time(const Real&, Particle<Real>&) const {}
};

/// Loss of momentum by classical synchrotron radiation,
/// \f[ \frac{d\delta}{d\ell}=-\tfrac23 r_e p_0^3\,(1+\delta)^2F^2, \f]
/// with \f$\ell\f$ the path of the particle and F the field over the magnetic rigidity of the
/// reference particle, 1/m. The particle keeps its time of arrival: s changes with its velocity.
/// @tparam T precision, float or double
template <class T>
struct ClassicalRadiation {
  static constexpr bool radiates = true;  ///< Whether there is any.
  /// Number of coefficients.
  static constexpr int n_coefficients = 3;
  T rate;           ///< (2/3) r_e p0^3 over the length of the magnet.
  T p0_to_minus_2;  ///< p0^-2.
  T path;           ///< Path length of the reference particle behind the magnet times p0^-2, m.

  /// Takes `coefficients`.
  KOKKOS_FORCEINLINE_FUNCTION explicit ClassicalRadiation(const T* c)
      : rate(c[0]), p0_to_minus_2(c[1]), path(c[2]) {}

  /// Returns the coefficients for a pass through a magnet of a length, m.
  static std::vector<double> coefficients(const ElementPass& pass, double length) {
    const double p0 = pass.reference.p0, inverse_square = 1. / (p0 * p0);
    return {2. / 3. * constants::elegant::classical_electron_radius * p0 * p0 * p0 / length,
            inverse_square, (pass.reference.path_length + length) * inverse_square};
  }

  /// Returns 1 + delta behind a part of the magnet, from that before it, F^2 times the square of
  /// the length of the magnet, and the path in it as a fraction of the length.
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION Real momentum_behind(const Real& momentum, const Real& field_squared,
                                                   const Real& path_fraction) const {
    return fma(-(Real(rate) * field_squared) * path_fraction, momentum * momentum, momentum);
  }

  /// Changes s of a particle, which had 1 + delta = u before, with its velocity.
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION void keep_time(const Real& u, Particle<Real>& v) const {
    const Real u1 = Real(1) + v[delta], inverse(p0_to_minus_2);
    const Real g = sqrt(fma(u, u, inverse)), g1 = sqrt(fma(u1, u1, inverse));
    const Real cross = u * g1, way = fma(v[s], inverse, Real(path));
    v[s] = fma(way * ((u1 - u) * (u1 + u)), Real(1) / (cross * fma(u1, g, cross)), v[s]);
  }
};

}  // namespace trackplex::beam
