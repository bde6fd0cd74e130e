// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Effects of a thin layer of material on a state: multiple scattering (Highland's formula) and
/// energy loss (Bethe's mean, Bohr's variance), after the Review of Particle Physics (2022),
/// chapter 34. Masses and energies in GeV.

#include <trackplex/core/constants.hpp>
#include <trackplex/core/math.hpp>
#include <trackplex/kalman/surfaces.hpp>
#include <trackplex/matriplex/similarity.hpp>

#include <numbers>

namespace trackplex::kalman {

/// Parameters of the density effect (R. Sternheimer, M. Berger, S. Seltzer, At. Data Nucl. Data
/// Tables 30 (1984) 261).
struct DensityEffect {
  double x0, x1, a, k, c;
};

/// A material, as much of it as energy loss and scattering need.
struct Material {
  double radiation_length;        ///< cm
  double density;                 ///< g/cm^3
  double z_over_a;                ///< mol/g
  double mean_excitation_energy;  ///< eV
  DensityEffect density_effect;
};

inline constexpr Material silicon{
    9.37, 2.329, 0.49848, 173., {0.2015, 2.8716, 0.14921, 3.2546, 4.4355}};
inline constexpr Material beryllium{
    35.28, 1.848, 0.44384, 63.7, {0.0592, 1.6922, 0.80392, 2.4339, 2.7847}};
inline constexpr Material aluminium{
    8.897, 2.699, 0.48181, 166., {0.1708, 3.0127, 0.08024, 3.6345, 4.2395}};

using constants::pion_mass;

/// |cosine| of the angle between a track and the normal of the surface it is on.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION Real incidence_cosine(const Parameters<Real>& at,
                                                  const Cylinder<Real>& /*surface*/) {
  const Real x = at(0), y = at(1);
  const auto phi = sincos(at(Parameter::phi));
  return abs(fma(x, phi.cos, y * phi.sin)) * sin(at(Parameter::theta)) / sqrt(fma(x, x, y * y));
}
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION Real incidence_cosine(const Parameters<Real>& at,
                                                  const ZPlane<Real>& /*surface*/) {
  return abs(cos(at(Parameter::theta)));
}
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION Real incidence_cosine(const Parameters<Real>& at,
                                                  const Plane<Real>& surface) {
  const auto phi = sincos(at(Parameter::phi)), theta = sincos(at(Parameter::theta));
  const Real transverse = fma(surface.nx, phi.cos, surface.ny * phi.sin);
  return abs(fma(transverse, theta.sin, surface.nz * theta.cos));
}

/// Momentum and energy (GeV) and velocity of a track, given the mass (GeV) of the particle.
template <class Real>
struct Kinematics {
  Real momentum, energy, beta;

  KOKKOS_FORCEINLINE_FUNCTION Kinematics(const Parameters<Real>& at, const Real& mass) {
    momentum = Real(1) / abs(at(Parameter::inverse_pt) * sin(at(Parameter::theta)));
    energy = sqrt(fma(momentum, momentum, mass * mass));
    beta = momentum / energy;
  }
};

/// Standard deviation (rad) of the angle in a plane after a path of `radiation_lengths`:
///   0.0136 |q| / (beta p) sqrt(t) (1 + 0.038 ln(t q^2 / beta^2))
/// and 0 without material.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION Real highland_angle(const Real& momentum, const Real& beta,
                                                const Real& charge, const Real& radiation_lengths) {
  using T = ScalarOf<Real>;
  const auto inside = radiation_lengths > Real(0);
  const Real t = select(inside, radiation_lengths, Real(1));
  const Real over_beta = charge / beta;
  const Real correction = fma(Real(T(0.038)), log(t * over_beta * over_beta), Real(1));
  const Real angle =
      Real(T(0.0136)) * abs(over_beta) / momentum * sqrt(t) * max(correction, Real(0));
  return select(inside, angle, Real(0));
}

/// Covariance of a deflection by `angle` (rad, standard deviation in each of two planes) at
/// constant momentum: theta and phi sin(theta) vary alike, and 1/pT = 1/(p sin(theta)) follows
/// theta.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION auto scattering_covariance(const Parameters<Real>& at,
                                                       const Real& angle) {
  using P = Parameter;
  Symmetric<Real, 6,
            SymmetricPattern<6>(".", ". .", ". . .", ". . . x", ". . . . x", ". . . x . x")>
      noise;
  const auto theta = sincos(at(P::theta));
  const Real variance = angle * angle;
  const Real change = -at(P::inverse_pt) * theta.cos / theta.sin;
  noise.template set<P::inverse_pt, P::inverse_pt>(change * change * variance);
  noise.template set<P::phi, P::phi>(variance / (theta.sin * theta.sin));
  noise.template set<P::theta, P::inverse_pt>(change * variance);
  noise.template set<P::theta, P::theta>(variance);
  return noise;
}

/// Mean and variance of an energy loss, GeV and GeV^2.
template <class Real>
struct EnergyLoss {
  Real mean, variance;
};

namespace detail {
/// delta / 2 of the density effect: with x = log10(beta gamma),
///   delta = 2 ln(10) x - c + a (x1 - x)^k, the last term below x1; 0 below x0.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION Real half_density_effect(const DensityEffect& effect,
                                                     const Real& beta_gamma) {
  using T = ScalarOf<Real>;
  const Real x = log(beta_gamma) * Real(T(1. / std::numbers::ln10));
  const Real below = Real(T(effect.x1)) - x;
  const Real power = exp(Real(T(effect.k)) * log(max(below, Real(T(1e-30)))));
  const Real delta = fma(Real(T(2. * std::numbers::ln10)), x, Real(T(-effect.c))) +
                     select(below > Real(0), Real(T(effect.a)) * power, Real(0));
  return select(x > Real(T(effect.x0)), Real(T(0.5)) * delta, Real(0));
}
}  // namespace detail

/// Of a particle (not an electron) along `length` cm of a material.
template <class Real>
KOKKOS_FUNCTION EnergyLoss<Real> bethe_energy_loss(const Material& material, const Real& length,
                                                   const Real& momentum, const Real& mass,
                                                   const Real& charge) {
  using T = ScalarOf<Real>;
  const T me = T(constants::electron_mass), excitation = T(material.mean_excitation_energy * 1e-9);
  const Real energy2 = fma(momentum, momentum, mass * mass);
  const Real beta2 = momentum * momentum / energy2;
  const Real gamma = sqrt(energy2) / mass, beta_gamma = momentum / mass;
  const Real ratio = Real(me) / mass;
  const Real transfer = Real(T(2) * me) * beta_gamma * beta_gamma /
                        (fma(gamma + gamma, ratio, Real(1)) + ratio * ratio);
  const Real xi =
      Real(T(0.5 * constants::bethe_coefficient * material.z_over_a * material.density)) * charge *
      charge * length / beta2;
  const Real density_effect = detail::half_density_effect(material.density_effect, beta_gamma);
  const Real logarithm =
      log(Real(T(2) * me / (excitation * excitation)) * beta_gamma * beta_gamma * transfer);
  return {(xi + xi) * (Real(T(0.5)) * logarithm - beta2 - density_effect),
          xi * transfer * (Real(1) - Real(T(0.5)) * beta2)};
}

/// Effect of a layer of material on a track: X -> parameters, P -> J P Jᵀ + noise.
template <class Number>
struct Passage {
  using Real = Number;
  static constexpr Pattern<6, 6> pattern{"1 . . . . .", ". 1 . . . .", ". . 1 . . .",
                                         ". . . x . x", ". . . . 1 .", ". . . . . 1"};
  static constexpr SymmetricPattern<6> noise_pattern{".",       ". .",       ". . .",
                                                     ". . . x", ". . . . x", ". . . x . x"};

  Parameters<Real> parameters;
  Matrix<Real, 6, 6, pattern> jacobian;
  Symmetric<Real, 6, noise_pattern> noise;
  MaskOf<Real> passed;  ///< false where the particle has no energy left

  KOKKOS_FORCEINLINE_FUNCTION void apply(TrackState<Real>& state) const {
    TrackState<Real> after = state;
    after.parameters = parameters;
    after.covariance = as<Covariance<Real>>(similarity(jacobian, state.covariance) + noise);
    state = select(passed, after, state);
  }
};

/// A deflection by `angle` (see `scattering_covariance`), then an energy loss; the loss is given
/// back where `loss.mean` is negative, as on the way against the momentum.
template <class Real>
KOKKOS_FUNCTION Passage<Real> pass(const Parameters<Real>& at, const Real& angle,
                                   const EnergyLoss<Real>& loss, const Real& mass) {
  using P = Parameter;
  const Kinematics<Real> before(at, mass);
  const Real energy = before.energy - loss.mean;
  const Real square = fma(energy, energy, -(mass * mass));
  const auto passed = energy > mass && square > Real(0);
  const Real momentum = sqrt(select(passed, square, Real(1)));
  const Real ratio = before.momentum / momentum, energy_ratio = energy / before.energy;
  const Real inverse_pt = at(P::inverse_pt) * ratio;
  const auto theta = sincos(at(P::theta));

  Passage<Real> passage{at, {}, {}, passed};
  passage.parameters(P::inverse_pt) = inverse_pt;
  passage.jacobian.template set<P::inverse_pt, P::inverse_pt>(energy_ratio * ratio * ratio * ratio);
  passage.jacobian.template set<P::inverse_pt, P::theta>(
      inverse_pt * (theta.cos / theta.sin) * fma(ratio * ratio, energy_ratio, Real(-1)));
  passage.noise = similarity(passage.jacobian, scattering_covariance(at, angle));
  const Real per_energy = inverse_pt * energy / (momentum * momentum);
  passage.noise.template set<P::inverse_pt, P::inverse_pt>(
      fma(per_energy * per_energy, loss.variance,
          passage.noise.template get<P::inverse_pt, P::inverse_pt>()));
  return passage;
}

/// A layer of material that is thin: a track leaves it where it came in.
struct ThinLayer {
  Material material;
  double thickness;  ///< cm, along the normal
};

/// Through a layer on `surface`, along the momentum or against it.
template <class Real, class Surface>
KOKKOS_FUNCTION Passage<Real> pass_layer(const Parameters<Real>& at, const Real& charge,
                                         const ThinLayer& layer, const Surface& surface,
                                         double particle_mass = pion_mass, bool along = true) {
  using T = ScalarOf<Real>;
  const Real mass = Real(T(particle_mass));
  const Kinematics<Real> particle(at, mass);
  const Real length = Real(T(layer.thickness)) / incidence_cosine(at, surface);
  const Real radiation_lengths = length * Real(T(1. / layer.material.radiation_length));
  const Real angle = highland_angle(particle.momentum, particle.beta, charge, radiation_lengths);
  auto loss = bethe_energy_loss(layer.material, length, particle.momentum, mass, charge);
  if (!along) loss.mean = -loss.mean;
  return pass(at, angle, loss, mass);
}

}  // namespace trackplex::kalman
