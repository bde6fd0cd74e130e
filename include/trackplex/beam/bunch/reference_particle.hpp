// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/bunch/particle.hpp>
#include <trackplex/core/constants.hpp>
#include <trackplex/core/lane_memory.hpp>
#include <trackplex/core/math.hpp>

#include <cmath>
#include <concepts>

namespace trackplex::beam {

/// Reference particle, the origin of the other particles' coordinates.
struct ReferenceParticle {
  double p0 = 0.;           ///< Momentum as beta gamma, p/(m c).
  double path_length = 0.;  ///< Path length L travelled since time 0, m.
  double mass = 1.;         ///< Rest energy of the particles in that of electrons.
  double charge = 1.;       ///< Absolute charge of the particles in the elementary one.

  /// Rest energy over absolute charge, in that of electrons.
  double mass_per_charge() const { return mass / charge; }
  /// Sets mass and charge, from a rest energy, eV, and a charge in units of the elementary one.
  /// Rest energies within 1e-6 of the electron's are the electron's.
  void set_particle(double rest_energy, double charge_number) {
    mass = rest_energy / (1e9 * constants::electron_mass);
    if (std::abs(mass - 1.) < 1e-6) mass = 1.;
    charge = std::abs(charge_number);
  }
  /// Momentum times the speed of light over the charge, V, with elegant's rest energy of electrons:
  /// voltages over it are changes of delta at the speed of light.
  double momentum_volts() const {
    return constants::elegant::electron_energy * mass_per_charge() * p0;
  }
};

/// Times of arrival relative to the reference particle's, times the speed of light, m: positive for
/// later particles. A particle's time is the time for its total path at its present momentum,
/// \f[ c\,\Delta t=\frac{L+s}{\beta(\delta)}-\frac L{\beta_0}, \f]
/// computed without a difference of large numbers, since L may be large.
/// @tparam T precision, float or double
template <std::floating_point T>
struct ArrivalTimes {
  T p0_to_minus_2;  ///< p0^-2.
  T energy0;        ///< gamma/p0 of the reference particle.
  T path;           ///< Path length of the reference particle times p0^-2, m.

  /// Takes momentum and path length of a reference particle.
  KOKKOS_FORCEINLINE_FUNCTION explicit ArrivalTimes(const ReferenceParticle& reference)
      : p0_to_minus_2(T(1) / (T(reference.p0) * T(reference.p0))),
        energy0(sqrt(T(1) + p0_to_minus_2)),
        path(T(reference.path_length) * p0_to_minus_2) {}

  /// Returns g = gamma/p0 of a particle with u = p/p0 = 1 + delta.
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION Real energy(const Real& u) const {
    return sqrt(fma(u, u, Real(p0_to_minus_2)));
  }

  /// Returns g + g0 u, with u = p/p0, g = gamma/p0 and g0 that of the reference particle: a factor
  /// of 1/beta = g/u = g0 - delta (2 + delta) p0^-2 / (u (g + g0 u)).
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION Real sum_of_energies(const Real& u, const Real& g) const {
    return fma(Real(energy0), u, g);
  }

  /// Returns c times the delay of a particle relative to the reference particle, m; s in m.
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION Real delay(const Real& s, const Real& delta) const {
    const Real u = Real(1) + delta, g = energy(u), sum = sum_of_energies(u, g);
    return fma(s, g * sum, -(Real(path) * (delta * (Real(2) + delta)))) / (u * sum);
  }

  /// Returns the coordinate s, m, of a particle with a delay, m: the inverse of `delay`.
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION Real s_of_delay(const Real& delay, const Real& delta) const {
    const Real u = Real(1) + delta, g = energy(u), sum = sum_of_energies(u, g);
    return fma(delay, u * sum, Real(path) * (delta * (Real(2) + delta))) / (g * sum);
  }
};

/// Returns the time between the arrival of the reference particle and that of a particle, times the
/// speed of light, m; see `ArrivalTimes`.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION Real delay(const ReferenceParticle& reference, const Real& s,
                                       const Real& delta) {
  return ArrivalTimes<ScalarOf<Real>>(reference).delay(s, delta);
}

/// Returns the coordinate s, m, of a particle that arrives with a delay (times the speed of light,
/// m): the inverse of `delay`.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION Real s_of_delay(const ReferenceParticle& reference, const Real& delay,
                                            const Real& delta) {
  return ArrivalTimes<ScalarOf<Real>>(reference).s_of_delay(delay, delta);
}

}  // namespace trackplex::beam
