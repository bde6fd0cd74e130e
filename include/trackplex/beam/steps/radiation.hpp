// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/bunch/energy_change.hpp>
#include <trackplex/beam/steps/step_type.hpp>
#include <trackplex/core/constants.hpp>
#include <trackplex/core/math.hpp>
#include <trackplex/core/random.hpp>

#include <cmath>
#include <numbers>
#include <vector>

/// @file
/// Energy loss by synchrotron radiation inside magnets, in kernels.

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
  /// Returns the momentum as it is.
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION Real momentum_behind_kick(const Real& momentum, const Real&,
                                                        const Real&, const Real&) const {
    return momentum;
  }
  /// Changes nothing.
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION void keep_time(const Real&, Particle<Real>&) const {}
};

/// Loss of momentum by classical synchrotron radiation,
/// \f[ \frac{d\delta}{d\ell}=-\tfrac23 r_0 p_0^3\,(1+\delta)^2F^2, \f]
/// with \f$r_0=q^2/(4\pi\varepsilon_0mc^2)\f$ the classical radius of the particles, \f$\ell\f$ the
/// path of the particle and F the field over the magnetic rigidity of the reference particle, 1/m.
/// The particle keeps its time of arrival: s changes with its velocity.
/// @tparam T precision, float or double
template <class T>
struct ClassicalRadiation {
  static constexpr bool radiates = true;  ///< Whether there is any.
  /// Number of coefficients.
  static constexpr int n_coefficients = 3;
  T rate;           ///< (2/3) r_0 p0^3 over the length of the magnet.
  T p0_to_minus_2;  ///< p0^-2.
  T path;           ///< Path length of the reference particle at the exit times p0^-2, m.

  /// Takes `coefficients`.
  KOKKOS_FORCEINLINE_FUNCTION explicit ClassicalRadiation(const T* c)
      : rate(c[0]), p0_to_minus_2(c[1]), path(c[2]) {}

  /// Returns the coefficients for a pass through a magnet of a length, m.
  static std::vector<double> coefficients(const ElementPass& pass, double length) {
    const ReferenceParticle& of = pass.reference;
    const double p0 = of.p0, inverse_square = 1. / (p0 * p0);
    const double radius =
        constants::elegant::classical_electron_radius * (of.charge * of.charge / of.mass);
    return {2. / 3. * radius * p0 * p0 * p0 / length, inverse_square,
            (of.path_length + length) * inverse_square};
  }

  /// Returns 1 + delta after a part of the magnet, from 1 + delta before it, F^2 times the square
  /// of the length of the magnet, and the path in it as a fraction of the length.
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION Real momentum_behind(const Real& momentum, const Real& field_squared,
                                                   const Real& path_fraction) const {
    return fma(-(Real(rate) * field_squared) * path_fraction, momentum * momentum, momentum);
  }

  /// Returns the same for the part of a kick; the last argument is only for random losses.
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION Real momentum_behind_kick(const Real& momentum,
                                                        const Real& field_squared,
                                                        const Real& path_fraction,
                                                        const Real&) const {
    return momentum_behind(momentum, field_squared, path_fraction);
  }

  /// Changes s of a particle, which had 1 + delta = u before, with its velocity.
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION void keep_time(const Real& u, Particle<Real>& v) const {
    trackplex::beam::keep_time(u, Real(p0_to_minus_2), Real(path), v);
  }
};

/// Loss of momentum by synchrotron radiation in quanta: on average that of `ClassicalRadiation`,
/// and at each kick a normal random term with the variance of the photons,
/// \f[ \frac{d\langle\delta^2\rangle}{d\ell}=\frac{55}{24\sqrt3}\,r_0\frac{\hbar}{mc}\,p_0^5\,
///     (1+\delta)^4|F|^3. \f]
/// For the variance all kicks of a magnet have equal parts of its length, since their weights may
/// be negative.
/// @tparam Real number type of the particles
template <class Real>
class QuantumRadiation : public ClassicalRadiation<ScalarOf<Real>> {
  using T = ScalarOf<Real>;
  using Classical = ClassicalRadiation<T>;

 public:
  /// Number of coefficients.
  static constexpr int n_coefficients = Classical::n_coefficients + 1;

  /// Takes `coefficients`, and the random numbers of the particles in the magnet.
  KOKKOS_FORCEINLINE_FUNCTION QuantumRadiation(const T* c, const RandomStream<Real>& random)
      : Classical(c), sigma_(c[Classical::n_coefficients]), random_(random) {}

  /// Returns the coefficients for a pass through a magnet of a length, m, of n kicks.
  static std::vector<double> coefficients(const ElementPass& pass, double length, int kicks) {
    namespace values = constants::elegant;
    auto all = ClassicalRadiation<double>::coefficients(pass, length);
    const double p0 = pass.reference.p0;
    const double radius = values::classical_electron_radius / pass.reference.mass_per_charge();
    const double variance = 55. / (24. * std::numbers::sqrt3) * radius * radius *
                            values::inverse_fine_structure * p0 * p0 * p0 * p0 * p0;
    all.push_back(std::sqrt(variance / (length * length * kicks)));
    return all;
  }

  /// Returns 1 + delta after a kick, from 1 + delta before it, F^2 times the square of the length
  /// of the magnet, the path of the mean loss as a fraction of the length, and the path relative
  /// to the reference particle.
  KOKKOS_FORCEINLINE_FUNCTION Real momentum_behind_kick(const Real& momentum,
                                                        const Real& field_squared,
                                                        const Real& path_fraction,
                                                        const Real& longer) {
    const Real variance = field_squared * sqrt(field_squared) * longer;
    const Real sigma = Real(sigma_) * (momentum * momentum) * sqrt(variance);
    return fma(-sigma, next(), this->momentum_behind(momentum, field_squared, path_fraction));
  }

 private:
  /// Uses both numbers of a pair.
  KOKKOS_FORCEINLINE_FUNCTION Real next() {
    if (has_second_) {
      has_second_ = false;
      return second_;
    }
    const auto pair = random_.normal_pair();
    has_second_ = true;
    second_ = pair.second;
    return pair.first;
  }

  T sigma_;
  RandomStream<Real> random_;
  Real second_{};
  bool has_second_ = false;
};

}  // namespace trackplex::beam
