// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Track models: the parameters that describe a track. The first three are always the position,
/// x, y, z in cm; the model gives the meaning of the other three, its momentum. Surfaces and
/// measurements depend on the position alone, so they serve every model.
///
/// A neutral track, of charge 0, is straight in every field and keeps its momentum. Its parameters
/// are those of a particle of charge 1: q/p stands for 1/p.
///
/// A custom model has the members of the two models here; the concept `TrackModel` lists them.

#include <trackplex/core/angle.hpp>
#include <trackplex/core/math.hpp>
#include <trackplex/geometry/surface.hpp>
#include <trackplex/matriplex/matrix.hpp>

#include <concepts>

namespace trackplex::kalman {

/// Parameters of a track: the position, and the momentum in the parameters of its model.
template <class Real>
using Parameters = Vector<Real, 6>;

/// Direction of a track, and its charge over its momentum.
template <class Real>
struct Motion {
  geometry::Vector3<Real> direction;  ///< unit vector of the momentum
  Real q_over_p;                      ///< charge in units of the proton's over momentum, 1/GeV
};

/// Motion of a track, with its derivatives with respect to the last three parameters.
/// @tparam P pattern of the derivatives
template <class Real, Pattern<4, 3> P>
struct MotionOfParameters {
  Motion<Real> motion;                ///< of the track
  Matrix<Real, 4, 3, P> derivatives;  ///< of the direction and q/p
};

/// The last three parameters of a track, with their derivatives with respect to its motion.
/// @tparam P pattern of the derivatives
template <class Real, Pattern<3, 4> P>
struct ParametersOfMotion {
  Vector<Real, 3> parameters;         ///< parameters 3, 4 and 5
  Matrix<Real, 3, 4, P> derivatives;  ///< with respect to the direction, kept at unit length, and
                                      ///< q/p
};

/// Returns the charge that relates the parameters of a track to its momentum: the charge of the
/// track, or 1 if it is neutral. In units of the proton's.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION Real momentum_charge(const Real& charge) {
  return select(charge == Real(0), Real(1), charge);
}

/// Track model (x, y, z, 1/pT, phi, theta), for detectors around a collision point; singular for
/// tracks along the z axis.
struct CentralTrack {
  static constexpr int inverse_pt = 3;  ///< one over the transverse momentum, 1/GeV
  static constexpr int phi = 4;         ///< azimuth of the momentum, rad, not wrapped
  static constexpr int theta = 5;       ///< polar angle of the momentum, rad, 0 < theta < pi
  /// Names of the parameters in reports.
  static constexpr const char* names[6] = {"x", "y", "z", "inverse_pt", "phi", "theta"};

  /// Returns the motion of a track of this charge.
  template <class Real>
  static KOKKOS_FORCEINLINE_FUNCTION auto motion(const Parameters<Real>& at, const Real& charge) {
    const auto p = sincos(at(phi)), t = sincos(at(theta));
    const Real signed_inverse_pt = charge * at(inverse_pt);
    MotionOfParameters<Real, Pattern<4, 3>(". x x", ". x x", ". . x", "x . x")> result{
        {{{t.sin * p.cos, t.sin * p.sin, t.cos}}, signed_inverse_pt * t.sin}, {}};
    auto& d = result.derivatives;
    d.template set<0, 1>(-(t.sin * p.sin));
    d.template set<0, 2>(t.cos * p.cos);
    d.template set<1, 1>(t.sin * p.cos);
    d.template set<1, 2>(t.cos * p.sin);
    d.template set<2, 2>(-t.sin);
    d.template set<3, 0>(charge * t.sin);
    d.template set<3, 2>(signed_inverse_pt * t.cos);
    return result;
  }
  /// Returns the parameters of a motion; phi is the one nearest to that of `start`.
  template <class Real>
  static KOKKOS_FORCEINLINE_FUNCTION auto parameters(const Motion<Real>& motion,
                                                     const Parameters<Real>& start,
                                                     const Real& charge) {
    const Real tx = motion.direction(0), ty = motion.direction(1), tz = motion.direction(2);
    const Real sin2 = fma(tx, tx, ty * ty), sine = sqrt(sin2);
    const Real per_sin2 = Real(1) / sin2, per_sin = Real(1) / sine, per_charge = Real(1) / charge;
    const Real per_pt = motion.q_over_p * per_charge * per_sin;
    const auto from = sincos(start(phi));
    const Real turn = atan2(fma(from.cos, ty, -(from.sin * tx)), fma(from.cos, tx, from.sin * ty));
    ParametersOfMotion<Real, Pattern<3, 4>(". . x x", "x x . .", ". . x .")> result{
        {{per_pt, start(phi) + turn, atan2(sine, tz)}}, {}};
    auto& d = result.derivatives;
    d.template set<0, 2>(per_pt * tz * per_sin2);
    d.template set<0, 3>(per_charge * per_sin);
    d.template set<1, 0>(-(ty * per_sin2));
    d.template set<1, 1>(tx * per_sin2);
    d.template set<2, 2>(-per_sin);
    return result;
  }
  /// Pattern of the derivatives of a loss of momentum: 1/pT changes, with 1/pT and theta.
  static constexpr Pattern<6, 6> slowing_pattern{"1 . . . . .", ". 1 . . . .", ". . 1 . . .",
                                                 ". . . x . x", ". . . . 1 .", ". . . . . 1"};
  /// Pattern of the covariance that material adds: of 1/pT, phi and theta.
  static constexpr SymmetricPattern<6> noise_pattern{".",       ". .",       ". . .",
                                                     ". . . x", ". . . . x", ". . . x . x"};
  static constexpr int inverse_momentum = inverse_pt;  ///< parameter in proportion to 1/p

  /// Returns the momentum of a track, GeV.
  template <class Real>
  static KOKKOS_FORCEINLINE_FUNCTION Real momentum(const Parameters<Real>& at,
                                                   const Real& /*charge*/) {
    return Real(1) / abs(at(inverse_pt) * sin(at(theta)));
  }
  /// Returns the covariance of a deflection at constant momentum; `angle` (rad) is the standard
  /// deviation in each of two planes.
  ///
  /// theta and phi sin(theta) have the variance angle^2, and 1/pT = 1/(p sin(theta)) changes with
  /// theta: d(1/pT)/dtheta = -cot(theta) / pT. The position has no covariance.
  template <class Real>
  static KOKKOS_FORCEINLINE_FUNCTION auto scattering(const Parameters<Real>& at,
                                                     const Real& angle) {
    Symmetric<Real, 6, noise_pattern> noise;
    const auto t = sincos(at(theta));
    const Real variance = angle * angle;
    const Real change = -at(inverse_pt) * t.cos / t.sin;
    noise.template set<inverse_pt, inverse_pt>(change * change * variance);
    noise.template set<phi, phi>(variance / (t.sin * t.sin));
    noise.template set<theta, inverse_pt>(change * variance);
    noise.template set<theta, theta>(variance);
    return noise;
  }
  /// Returns the derivatives of the parameters after a loss of momentum with respect to the
  /// parameters before it.
  /// @param at parameters before the loss
  /// @param after 1/pT after the loss
  /// @param ratio momentum before over momentum after the loss
  /// @param energy_ratio energy after over energy before the loss
  template <class Real>
  static KOKKOS_FORCEINLINE_FUNCTION auto slowing(const Parameters<Real>& at, const Real& after,
                                                  const Real& ratio, const Real& energy_ratio) {
    const auto t = sincos(at(theta));
    Matrix<Real, 6, 6, slowing_pattern> jacobian;
    jacobian.template set<inverse_pt, inverse_pt>(energy_ratio * ratio * ratio * ratio);
    jacobian.template set<inverse_pt, theta>(after * (t.cos / t.sin) *
                                             fma(ratio * ratio, energy_ratio, Real(-1)));
    return jacobian;
  }
};

/// Track model (x, y, z, dx/dz, dy/dz, q/p), for forward spectrometers and fixed targets: tracks
/// along +z; singular for tracks perpendicular to z. On planes of constant z, the covariances of z
/// are 0.
struct ForwardTrack {
  static constexpr int x_slope = 3;   ///< dx/dz
  static constexpr int y_slope = 4;   ///< dy/dz
  static constexpr int q_over_p = 5;  ///< charge in units of the proton's over momentum, 1/GeV
  /// Names of the parameters in reports.
  static constexpr const char* names[6] = {"x", "y", "z", "x_slope", "y_slope", "q_over_p"};

  /// Returns the motion of a track. The charge has the sign of q/p.
  template <class Real>
  static KOKKOS_FORCEINLINE_FUNCTION auto motion(const Parameters<Real>& at,
                                                 const Real& /*charge*/) {
    const Real sx = at(x_slope), sy = at(y_slope);
    const Real x2 = fma(sx, sx, Real(1)), y2 = fma(sy, sy, Real(1));
    const Real per_length = Real(1) / sqrt(fma(sx, sx, y2));
    const Real cube = per_length * per_length * per_length;
    MotionOfParameters<Real, Pattern<4, 3>("x x .", "x x .", "x x .", ". . 1")> result{
        {{{sx * per_length, sy * per_length, per_length}}, at(q_over_p)}, {}};
    auto& d = result.derivatives;
    d.template set<0, 0>(y2 * cube);
    d.template set<0, 1>(-(sx * sy * cube));
    d.template set<1, 0>(-(sx * sy * cube));
    d.template set<1, 1>(x2 * cube);
    d.template set<2, 0>(-(sx * cube));
    d.template set<2, 1>(-(sy * cube));
    return result;
  }
  /// Returns the parameters of a motion.
  template <class Real>
  static KOKKOS_FORCEINLINE_FUNCTION auto parameters(const Motion<Real>& motion,
                                                     const Parameters<Real>& /*start*/,
                                                     const Real& /*charge*/) {
    const Real per_z = Real(1) / motion.direction(2);
    const Real sx = motion.direction(0) * per_z, sy = motion.direction(1) * per_z;
    ParametersOfMotion<Real, Pattern<3, 4>("x . x .", ". x x .", ". . . 1")> result{
        {{sx, sy, motion.q_over_p}}, {}};
    auto& d = result.derivatives;
    d.template set<0, 0>(per_z);
    d.template set<0, 2>(-(sx * per_z));
    d.template set<1, 1>(per_z);
    d.template set<1, 2>(-(sy * per_z));
    return result;
  }
  /// Pattern of the derivatives of a loss of momentum: only q/p changes.
  static constexpr Pattern<6, 6> slowing_pattern{"1 . . . . .", ". 1 . . . .", ". . 1 . . .",
                                                 ". . . 1 . .", ". . . . 1 .", ". . . . . x"};
  /// Pattern of the covariance that material adds: of the slopes, and of q/p.
  static constexpr SymmetricPattern<6> noise_pattern{".",       ". .",       ". . .",
                                                     ". . . x", ". . . x x", ". . . . . x"};
  static constexpr int inverse_momentum = q_over_p;  ///< parameter in proportion to 1/p

  /// Returns the momentum of a track, GeV. Only the magnitude of the charge matters.
  template <class Real>
  static KOKKOS_FORCEINLINE_FUNCTION Real momentum(const Parameters<Real>& at, const Real& charge) {
    return abs(charge / at(q_over_p));
  }
  /// Returns the covariance of a deflection at constant momentum; `angle` (rad) is the standard
  /// deviation in each of two planes. With the slopes s,
  /// \f[ \sigma^2 (1+s_x^2+s_y^2)\begin{pmatrix}1+s_x^2&s_xs_y\\s_xs_y&1+s_y^2\end{pmatrix}. \f]
  template <class Real>
  static KOKKOS_FORCEINLINE_FUNCTION auto scattering(const Parameters<Real>& at,
                                                     const Real& angle) {
    Symmetric<Real, 6, noise_pattern> noise;
    const Real sx = at(x_slope), sy = at(y_slope);
    const Real x2 = fma(sx, sx, Real(1)), y2 = fma(sy, sy, Real(1));
    const Real scale = angle * angle * fma(sx, sx, y2);
    noise.template set<x_slope, x_slope>(scale * x2);
    noise.template set<y_slope, x_slope>(scale * (sx * sy));
    noise.template set<y_slope, y_slope>(scale * y2);
    noise.template set<q_over_p, q_over_p>(Real(0));
    return noise;
  }
  /// Returns the derivatives of the parameters after a loss of momentum with respect to the
  /// parameters before it.
  /// @param ratio momentum before over momentum after the loss
  /// @param energy_ratio energy after over energy before the loss
  template <class Real>
  static KOKKOS_FORCEINLINE_FUNCTION auto slowing(const Parameters<Real>& /*at*/,
                                                  const Real& /*after*/, const Real& ratio,
                                                  const Real& energy_ratio) {
    Matrix<Real, 6, 6, slowing_pattern> jacobian;
    jacobian.template set<q_over_p, q_over_p>(energy_ratio * ratio * ratio * ratio);
    return jacobian;
  }
};

/// Meaning of the last three parameters of a track: `motion` and `parameters` convert between them
/// and the direction and q/p of a track, with derivatives; `momentum`, `scattering` and `slowing`
/// are for the effects of material. They are called with charges other than 0, see
/// `momentum_charge`.
template <class Model>
concept TrackModel = requires(const Parameters<double>& at, const Motion<double>& motion) {
  { Model::names[0] } -> std::convertible_to<const char*>;
  { Model::motion(at, 1.).motion } -> std::convertible_to<Motion<double>>;
  { Model::parameters(motion, at, 1.).parameters } -> std::convertible_to<Vector<double, 3>>;
  { Model::momentum(at, 1.) } -> std::convertible_to<double>;
  requires SymmetricOperand<decltype(Model::scattering(at, 1.))>;
  requires MatrixOperand<decltype(Model::slowing(at, 1., 1., 1.))>;
  { Model::inverse_momentum } -> std::convertible_to<int>;
};

/// Returns a - b of the parameters of two tracks, with azimuths the short way around: residuals,
/// pulls and combinations of states are made of it. The azimuth is the parameter number
/// `Model::phi` of models that have such a member.
/// @tparam Model meaning of the last three parameters
template <TrackModel Model, class Real>
KOKKOS_FORCEINLINE_FUNCTION Parameters<Real> difference(const Parameters<Real>& a,
                                                        const Parameters<Real>& b) {
  Parameters<Real> result;
  for (int i = 0; i < 6; ++i) result(i) = a(i) - b(i);
  if constexpr (requires { Model::phi; }) result(Model::phi) = wrapped_angle(result(Model::phi));
  return result;
}

}  // namespace trackplex::kalman
