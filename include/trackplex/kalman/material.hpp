// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Effects of a thin layer of material on a state: multiple scattering (Highland's formula) and
/// energy loss (Bethe's mean, Bohr's variance), after chapter 34, "Passage of particles through
/// matter", of the Review of Particle Physics (R. Workman et al., Prog. Theor. Exp. Phys. 2022
/// 083C01), "RPP" below. Masses, momenta and energies in GeV.

#include <trackplex/core/constants.hpp>
#include <trackplex/core/math.hpp>
#include <trackplex/kalman/surfaces.hpp>
#include <trackplex/matriplex/similarity.hpp>

#include <numbers>

namespace trackplex::kalman {

/// Parameters of the density effect (R. Sternheimer, M. Berger, S. Seltzer, At. Data Nucl. Data
/// Tables 30 (1984) 261). With x = log10(beta gamma), the correction is
/// \f[ \delta = 2x\ln 10 - c + a\,(x_1-x)^k \f]
/// from x0 on, without the last term from x1 on, and 0 below x0, also in conductors.
struct DensityEffect {
  double x0,  ///< lower limit of x
      x1,     ///< upper limit of x
      a,      ///< factor of the power
      k,      ///< exponent of the power
      c;      ///< constant, not negative; C with a bar in RPP
};

/// Properties of a material on which energy loss and scattering depend.
struct Material {
  double radiation_length;        ///< X0, cm
  double density;                 ///< g/cm^3
  double z_over_a;                ///< Z/A, mol/g
  double mean_excitation_energy;  ///< I, eV
  DensityEffect density_effect;   ///< parameters of the density effect
};

/// Silicon.
inline constexpr Material silicon{
    9.37, 2.329, 0.49848, 173., {0.2015, 2.8716, 0.14921, 3.2546, 4.4355}};
/// Beryllium.
inline constexpr Material beryllium{
    35.28, 1.848, 0.44384, 63.7, {0.0592, 1.6922, 0.80392, 2.4339, 2.7847}};
/// Aluminium.
inline constexpr Material aluminium{
    8.897, 2.699, 0.48181, 166., {0.1708, 3.0127, 0.08024, 3.6345, 4.2395}};

/// Constants of a material as the formulas below use them: computed in double, and rounded once to
/// the scalar T of a kernel. A `Material` converts to them.
template <class T>
struct MaterialConstants {
  T per_radiation_length;    ///< 1/X0, 1/cm
  T bethe_factor;            ///< K/2 Z/A rho, GeV/cm
  T mean_excitation_energy;  ///< I, GeV
  T x0,                      ///< see `DensityEffect`
      x1,                    ///< see `DensityEffect`
      a,                     ///< see `DensityEffect`
      k,                     ///< see `DensityEffect`
      c;                     ///< see `DensityEffect`

  /// Computes the constants.
  KOKKOS_FUNCTION constexpr MaterialConstants(const Material& material)
      : per_radiation_length(T(1. / material.radiation_length)),
        bethe_factor(T(0.5 * constants::bethe_coefficient * material.z_over_a * material.density)),
        mean_excitation_energy(T(material.mean_excitation_energy * 1e-9)),
        x0(T(material.density_effect.x0)),
        x1(T(material.density_effect.x1)),
        a(T(material.density_effect.a)),
        k(T(material.density_effect.k)),
        c(T(material.density_effect.c)) {}
};

using constants::pion_mass;

/// Returns |cos| of the angle between a track on a cylinder and the normal of the cylinder there.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION Real incidence_cosine(const Parameters<Real>& at,
                                                  const Cylinder<Real>& /*surface*/) {
  const Real x = at(0), y = at(1);
  const auto phi = sincos(at(Parameter::phi));
  return abs(fma(x, phi.cos, y * phi.sin)) * sin(at(Parameter::theta)) / sqrt(fma(x, x, y * y));
}
/// Returns |cos| of the angle between a track and the z axis, the normal of the plane.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION Real incidence_cosine(const Parameters<Real>& at,
                                                  const ZPlane<Real>& /*surface*/) {
  return abs(cos(at(Parameter::theta)));
}
/// Returns |cos| of the angle between a track and the normal of a plane.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION Real incidence_cosine(const Parameters<Real>& at,
                                                  const Plane<Real>& surface) {
  const auto phi = sincos(at(Parameter::phi)), theta = sincos(at(Parameter::theta));
  const Real transverse = fma(surface.nx, phi.cos, surface.ny * phi.sin);
  return abs(fma(transverse, theta.sin, surface.nz * theta.cos));
}

/// Momentum, energy and velocity of a particle.
template <class Real>
struct Kinematics {
  Real momentum,  ///< GeV
      energy,     ///< total energy, GeV
      beta;       ///< velocity over that of light

  /// Kinematics of a track, given the mass (GeV) of the particle.
  KOKKOS_FORCEINLINE_FUNCTION Kinematics(const Parameters<Real>& at, const Real& mass) {
    momentum = Real(1) / abs(at(Parameter::inverse_pt) * sin(at(Parameter::theta)));
    energy = sqrt(fma(momentum, momentum, mass * mass));
    beta = momentum / energy;
  }
};

/// Returns the standard deviation (rad) of the scattering angle projected on a plane, after a path
/// of t = `radiation_lengths`:
/// \f[ \sigma = \frac{0.0136\,|q|}{\beta p}\sqrt t
///     \left(1 + 0.038\ln\frac{t q^2}{\beta^2}\right) \f]
/// with p = `momentum` in GeV and q = `charge` in units of the proton's (V. Highland, Nucl.
/// Instrum. Meth. 129 (1975) 497, with the constants of G. Lynch and O. Dahl, Nucl. Instrum. Meth.
/// B 58 (1991) 6; RPP Eq. (34.16)). 0 without material, and where the bracket would be negative.
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

/// Returns the covariance of a deflection at constant momentum; `angle` (rad) is the standard
/// deviation in each of two planes.
///
/// theta and phi sin(theta) have the variance angle^2, and 1/pT = 1/(p sin(theta)) changes with
/// theta: d(1/pT)/dtheta = -cot(theta) / pT. The position has no covariance.
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

/// Energy loss of a particle.
template <class Real>
struct EnergyLoss {
  Real mean,     ///< GeV; negative for a gain
      variance;  ///< GeV^2
};

namespace detail {
/// delta / 2 of the density effect: with x = log10(beta gamma),
///   delta = 2 ln(10) x - c + a (x1 - x)^k, the last term below x1; 0 below x0.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION Real
half_density_effect(const MaterialConstants<ScalarOf<Real>>& material, const Real& beta_gamma) {
  using T = ScalarOf<Real>;
  const Real x = log(beta_gamma) * Real(T(1. / std::numbers::ln10));
  const Real below = Real(material.x1) - x;
  const Real power = exp(Real(material.k) * log(max(below, Real(T(1e-30)))));
  const Real delta = fma(Real(T(2. * std::numbers::ln10)), x, Real(-material.c)) +
                     select(below > Real(0), Real(material.a) * power, Real(0));
  return select(x > Real(material.x0), Real(T(0.5)) * delta, Real(0));
}
}  // namespace detail

/// Returns the energy loss of a particle heavier than an electron along `length` cm of a material.
///
/// The mean is Bethe's (RPP Eqs. (34.4) and (34.5)), with the density effect delta and the
/// maximum energy transfer Wmax, the variance Bohr's:
/// \f[ \Delta = 2\xi\left(\frac12\ln\frac{2m_e\beta^2\gamma^2 W_{\max}}{I^2} - \beta^2
///     - \frac\delta2\right),\qquad
///     \sigma^2 = \xi W_{\max}\left(1-\frac{\beta^2}{2}\right), \f]
/// \f[ \xi = \frac K2\,\frac ZA\,\frac{\rho\,q^2\,l}{\beta^2},\qquad
///     W_{\max} = \frac{2m_e\beta^2\gamma^2}{1+2\gamma m_e/m+(m_e/m)^2}, \f]
/// K = 0.307075e-3 GeV cm^2/mol. `momentum` and `mass` are in GeV, `charge` in units of the
/// proton's.
template <class Real>
KOKKOS_FUNCTION EnergyLoss<Real> bethe_energy_loss(
    const MaterialConstants<ScalarOf<Real>>& material, const Real& length, const Real& momentum,
    const Real& mass, const Real& charge) {
  using T = ScalarOf<Real>;
  const T me = T(constants::electron_mass), excitation = material.mean_excitation_energy;
  const Real energy2 = fma(momentum, momentum, mass * mass);
  const Real beta2 = momentum * momentum / energy2;
  const Real gamma = sqrt(energy2) / mass, beta_gamma = momentum / mass;
  const Real ratio = Real(me) / mass;
  const Real transfer = Real(T(2) * me) * beta_gamma * beta_gamma /
                        (fma(gamma + gamma, ratio, Real(1)) + ratio * ratio);
  const Real xi = Real(material.bethe_factor) * charge * charge * length / beta2;
  const Real density_effect = detail::half_density_effect(material, beta_gamma);
  const Real logarithm =
      log(Real(T(2) * me / (excitation * excitation)) * beta_gamma * beta_gamma * transfer);
  return {(xi + xi) * (Real(T(0.5)) * logarithm - beta2 - density_effect),
          xi * transfer * (Real(1) - Real(T(0.5)) * beta2)};
}

/// Effect of a layer of material on a track: X becomes `parameters`, P becomes J P Jᵀ + `noise`.
template <class Number>
struct Passage {
  using Real = Number;  ///< number type of a kernel
  /// Pattern of the Jacobian: only 1/pT changes, with 1/pT and theta.
  static constexpr Pattern<6, 6> pattern{"1 . . . . .", ". 1 . . . .", ". . 1 . . .",
                                         ". . . x . x", ". . . . 1 .", ". . . . . 1"};
  /// Pattern of the noise: of 1/pT, phi and theta.
  static constexpr SymmetricPattern<6> noise_pattern{".",       ". .",       ". . .",
                                                     ". . . x", ". . . . x", ". . . x . x"};

  Parameters<Real> parameters;              ///< behind the layer
  Matrix<Real, 6, 6, pattern> jacobian;     ///< J: their derivatives with respect to those before
  Symmetric<Real, 6, noise_pattern> noise;  ///< covariance that scattering and straggling add
  MaskOf<Real> passed;                      ///< false where the particle has no energy left

  /// Applies the effect to the states of the lanes that pass; others are unchanged.
  KOKKOS_FORCEINLINE_FUNCTION void apply(TrackState<Real>& state) const {
    TrackState<Real> after = state;
    after.parameters = parameters;
    after.covariance = as<Covariance<Real>>(similarity(jacobian, state.covariance) + noise);
    state = select(passed, after, state);
  }
};

/// Returns the effect of a deflection by `angle` (rad, see `scattering_covariance`) and then of an
/// energy loss, for a particle of mass `mass` (GeV).
///
/// The loss changes 1/pT at constant direction, by the ratio of the momenta before and after;
/// `loss.variance` adds to the variance of 1/pT. A negative `loss.mean` gives energy back, as for a
/// fit against the momentum.
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

/// Thin layer of material: its effects do not change the position of a track.
struct ThinLayer {
  Material material;  ///< of which it consists
  double thickness;   ///< along the normal, cm; 0: no material
};

/// Constants of a layer of material, see `MaterialConstants`. A `ThinLayer` converts to them.
template <class T>
struct LayerConstants {
  MaterialConstants<T> material;  ///< of the material
  T thickness;                    ///< along the normal, cm; 0: no material

  /// Computes the constants.
  KOKKOS_FUNCTION constexpr LayerConstants(const ThinLayer& layer)
      : material(layer.material), thickness(T(layer.thickness)) {}
};

/// Returns the effect of a layer on a track that is on its `surface` (`Cylinder`, `ZPlane` or
/// `Plane`): scattering and energy loss on the path thickness / |cos(incidence)|.
///
/// `charge` is in units of the proton's, `particle_mass` in GeV. `along` false gives the energy
/// back, for a fit against the momentum.
template <class Real, class Surface>
KOKKOS_FUNCTION Passage<Real> pass_layer(const Parameters<Real>& at, const Real& charge,
                                         const LayerConstants<ScalarOf<Real>>& layer,
                                         const Surface& surface,
                                         ScalarOf<Real> particle_mass = ScalarOf<Real>(pion_mass),
                                         bool along = true) {
  const Real mass = Real(particle_mass);
  const Kinematics<Real> particle(at, mass);
  const Real length = Real(layer.thickness) / incidence_cosine(at, surface);
  const Real radiation_lengths = length * Real(layer.material.per_radiation_length);
  const Real angle = highland_angle(particle.momentum, particle.beta, charge, radiation_lengths);
  auto loss = bethe_energy_loss(layer.material, length, particle.momentum, mass, charge);
  if (!along) loss.mean = -loss.mean;
  return pass(at, angle, loss, mass);
}

}  // namespace trackplex::kalman
