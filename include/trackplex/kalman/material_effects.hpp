// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Effects of a thin layer of material on a state: multiple scattering (Highland's formula) and
/// energy loss (Bethe's mean, Bohr's variance), after chapter 34, "Passage of particles through
/// matter", of the Review of Particle Physics (R. Workman et al., Prog. Theor. Exp. Phys. 2022
/// 083C01), "RPP" below. Masses, momenta and energies in GeV.

#include <trackplex/core/math.hpp>
#include <trackplex/kalman/material_constants.hpp>
#include <trackplex/kalman/surfaces.hpp>
#include <trackplex/matriplex/similarity.hpp>

#include <numbers>
#include <type_traits>

namespace trackplex::kalman {

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

/// Returns |cos| of the angle between a track and the normal of a surface that has a `gradient`,
/// such as `geometry::Surface`.
/// @tparam Model model of the track's parameters
template <TrackModel Model = CentralTrack, class Real, class Surface>
requires requires(const Surface& surface, const geometry::Vector3<Real>& point) {
  surface.gradient(point);
}
KOKKOS_FORCEINLINE_FUNCTION Real incidence_cosine(const Parameters<Real>& at,
                                                  const Surface& surface) {
  const auto motion = Model::motion(at, Real(1)).motion;
  return abs(geometry::dot(motion.direction,
                           surface.gradient(geometry::Vector3<Real>{{at(0), at(1), at(2)}})));
}

namespace detail {
template <class Model, class Real, class Surface>
KOKKOS_FORCEINLINE_FUNCTION Real incidence(const Parameters<Real>& at, const Surface& surface) {
  if constexpr (requires { surface.gradient(geometry::Vector3<Real>{}); }) {
    return incidence_cosine<Model>(at, surface);
  } else {
    static_assert(std::is_same_v<Model, CentralTrack>,
                  "Cylinder, ZPlane and Plane are surfaces of the model CentralTrack; use "
                  "geometry::Surface with others.");
    return incidence_cosine(at, surface);
  }
}
}  // namespace detail

/// Momentum, energy and velocity of a particle. Momenta above 1e18 GeV count as that, so that their
/// squares are finite.
template <class Real>
struct Kinematics {
  Real momentum,  ///< GeV
      energy,     ///< total energy, GeV
      beta;       ///< velocity over that of light

  /// Kinematics of a particle of this momentum and mass (GeV).
  KOKKOS_FORCEINLINE_FUNCTION Kinematics(const Real& its_momentum, const Real& mass)
      : momentum(min(its_momentum, Real(ScalarOf<Real>(1e18)))) {
    energy = sqrt(fma(momentum, momentum, mass * mass));
    beta = momentum / energy;
  }
  /// Kinematics of a `CentralTrack`, given the mass (GeV) of the particle.
  KOKKOS_FORCEINLINE_FUNCTION Kinematics(const Parameters<Real>& at, const Real& mass)
      : Kinematics(CentralTrack::momentum(at, Real(1)), mass) {}
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

/// Energy loss of a particle.
template <class Real>
struct EnergyLoss {
  Real mean,     ///< GeV; negative for a gain
      variance;  ///< GeV^2
};

namespace detail {
/// delta / 2 of the density effect: with x = log10(beta gamma),
///   delta = 2 ln(10) x - c + a (x1 - x)^k, the last term below x1; 0 below x0.
template <class Constant, class Real>
KOKKOS_FORCEINLINE_FUNCTION Real half_density_effect(const MaterialConstants<Constant>& material,
                                                     const Real& beta_gamma) {
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
/// proton's. Above 1e8 masses the loss is that at this momentum, of which it is no part that
/// counts.
/// @tparam Constant scalar, or `Real` for constants of each lane
template <class Constant, class Real>
KOKKOS_FUNCTION EnergyLoss<Real> bethe_energy_loss(const MaterialConstants<Constant>& material,
                                                   const Real& length, const Real& its_momentum,
                                                   const Real& mass, const Real& charge) {
  using T = ScalarOf<Real>;
  const Real momentum = min(its_momentum, Real(T(1e8)) * mass);
  const T me = T(constants::electron_mass);
  const Constant excitation = material.mean_excitation_energy;
  const Real energy2 = fma(momentum, momentum, mass * mass);
  const Real beta2 = momentum * momentum / energy2;
  const Real gamma = sqrt(energy2) / mass, beta_gamma = momentum / mass;
  const Real ratio = Real(me) / mass;
  const Real transfer = Real(T(2) * me) * beta_gamma * beta_gamma /
                        (fma(gamma + gamma, ratio, Real(1)) + ratio * ratio);
  const Real xi = Real(material.bethe_factor) * charge * charge * length / beta2;
  const Real density_effect = detail::half_density_effect(material, beta_gamma);
  const Real logarithm = log(Real(Constant(T(2) * me) / (excitation * excitation)) * beta_gamma *
                             beta_gamma * transfer);
  return {(xi + xi) * (Real(T(0.5)) * logarithm - beta2 - density_effect),
          xi * transfer * (Real(1) - Real(T(0.5)) * beta2)};
}
/// Returns the energy loss in a `Material`, as above.
template <class Real>
KOKKOS_FUNCTION EnergyLoss<Real> bethe_energy_loss(const Material& material, const Real& length,
                                                   const Real& momentum, const Real& mass,
                                                   const Real& charge) {
  return bethe_energy_loss(MaterialConstants<ScalarOf<Real>>(material), length, momentum, mass,
                           charge);
}

/// Effect of a layer of material on a track: X becomes `parameters`, P becomes J P Jᵀ + `noise`.
template <class Number, TrackModel TheModel = CentralTrack>
struct Passage {
  using Real = Number;     ///< number type of a kernel
  using Model = TheModel;  ///< meaning of the last three parameters

  Parameters<Real> parameters;  ///< after the layer
  /// J: their derivatives with respect to the parameters before the layer.
  Matrix<Real, 6, 6, Model::slowing_pattern> jacobian;
  /// Covariance that scattering and straggling add.
  Symmetric<Real, 6, Model::noise_pattern> noise;
  MaskOf<Real> passed;  ///< false where the particle has no energy left

  /// Applies the effect to the states of the lanes that pass; the other lanes are unchanged.
  KOKKOS_FORCEINLINE_FUNCTION void apply(TrackState<Real, Model>& state) const {
    assign_where(passed, parameters, state.parameters);
    assign_where(passed, behind(state.covariance), state.covariance);
  }

  /// Returns the covariance after the layer, J C Jᵀ + N.
  KOKKOS_FORCEINLINE_FUNCTION Covariance<Real> behind(const Covariance<Real>& before) const {
    return as<Covariance<Real>>(similarity(jacobian, before) + noise);
  }

  /// Restricts the effect to the lanes of the mask; the others pass with the parameters `before`,
  /// without any effect.
  KOKKOS_FORCEINLINE_FUNCTION void restrict_to(const MaskOf<Real>& mask,
                                               const Parameters<Real>& before) {
    for (int i = 0; i < 6; ++i) parameters(i) = select(mask, parameters(i), before(i));
    trackplex::detail::for_each_free<Model::slowing_pattern>(
        [&]<int I, int J>() TRACKPLEX_INLINE_LAMBDA {
          jacobian.template set<I, J>(
              select(mask, jacobian.template get<I, J>(), Real(I == J ? 1 : 0)));
        });
    for (auto& element : noise.elements) element = select(mask, element, Real(0));
    passed = passed || !mask;
  }
};

/// Returns the effect of a deflection by `angle` (rad, see `CentralTrack::scattering`) and then of
/// an energy loss, for a particle of mass `mass` (GeV).
///
/// The loss changes the momentum at constant direction, by the ratio of the momenta before and
/// after; `loss.variance` adds to the variance of 1/pT or q/p. A negative `loss.mean` adds energy,
/// as for a fit against the momentum. `charge` is in units of the proton's. Neutral particles and
/// particles of infinite momentum, 1/p = 0, pass unaffected.
/// @tparam Model model of the track's parameters
template <TrackModel Model = CentralTrack, class Real>
KOKKOS_FUNCTION Passage<Real, Model> pass(const Parameters<Real>& at, const Real& angle,
                                          const EnergyLoss<Real>& loss, const Real& mass,
                                          const Real& charge = Real(1)) {
  constexpr int k = Model::inverse_momentum;
  const Kinematics<Real> before(Model::momentum(at, momentum_charge(charge)), mass);
  const Real energy = before.energy - loss.mean;
  const Real square = fma(energy, energy, -(mass * mass));
  const auto passed = energy > mass && square > Real(0);
  const Real momentum = sqrt(select(passed, square, Real(1)));
  const Real ratio = before.momentum / momentum, energy_ratio = energy / before.energy;
  const Real inverse = at(k) * ratio;

  Passage<Real, Model> passage{at, Model::slowing(at, inverse, ratio, energy_ratio), {}, passed};
  passage.parameters(k) = inverse;
  passage.noise = similarity(passage.jacobian, Model::scattering(at, angle));
  const Real per_energy = inverse * energy / (momentum * momentum);
  passage.noise.template set<k, k>(
      fma(per_energy * per_energy, loss.variance, passage.noise.template get<k, k>()));
  const auto unaffected = at(k) == Real(0) || charge == Real(0);
  if (any_of(unaffected)) passage.restrict_to(!unaffected, at);
  return passage;
}

namespace detail {

/// Constants of a layer in a kernel: computed from a `ThinLayer`, or as given.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION LayerConstants<ScalarOf<Real>> constants_of(const ThinLayer& layer) {
  return layer;
}
template <class Real, class Number>
KOKKOS_FORCEINLINE_FUNCTION const LayerConstants<Number>& constants_of(
    const LayerConstants<Number>& layer) {
  return layer;
}

/// Effect of a layer on a track with this cosine of the angle of incidence.
template <class Model, class Real, class Number>
KOKKOS_FORCEINLINE_FUNCTION Passage<Real, Model> pass_at(const Parameters<Real>& at,
                                                         const Real& charge,
                                                         const LayerConstants<Number>& layer,
                                                         const Real& cosine, const Real& mass,
                                                         bool along) {
  const Kinematics<Real> particle(Model::momentum(at, momentum_charge(charge)), mass);
  const Real length = Real(layer.thickness) / cosine;
  const Real radiation_lengths = length * Real(layer.material.per_radiation_length);
  const Real angle = highland_angle(particle.momentum, particle.beta, charge, radiation_lengths);
  auto loss = bethe_energy_loss(layer.material, length, particle.momentum, mass, charge);
  if (!along) loss.mean = -loss.mean;
  auto passage = pass<Model>(at, angle, loss, mass, charge);
  if constexpr (!Scalar<Number>) passage.restrict_to(layer.thickness > Number(0), at);
  return passage;
}

}  // namespace detail

/// Returns the effect of a layer on a track that is on its `surface` (`Cylinder`, `ZPlane`, `Plane`
/// or `geometry::Surface`): scattering and energy loss on the path thickness / |cos(incidence)|.
///
/// `charge` is in units of the proton's, `particle_mass` in GeV. `along` false adds the energy,
/// for a fit against the momentum.
/// @tparam Model model of the track's parameters
/// @tparam Layer `ThinLayer`, or `LayerConstants` of all lanes or of each
template <TrackModel Model = CentralTrack, class Real, class Layer, class Surface>
KOKKOS_FUNCTION Passage<Real, Model> pass_layer(
    const Parameters<Real>& at, const Real& charge, const Layer& layer, const Surface& surface,
    ScalarOf<Real> particle_mass = ScalarOf<Real>(pion_mass), bool along = true) {
  return detail::pass_at<Model>(at, charge, detail::constants_of<Real>(layer),
                                detail::incidence<Model>(at, surface), Real(particle_mass), along);
}

}  // namespace trackplex::kalman
