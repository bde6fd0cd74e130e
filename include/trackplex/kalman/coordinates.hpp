// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Conversions between the parameters of a track and other coordinates, with the Jacobians that
/// transform covariances: `similarity(result.jacobian, covariance)`.

#include <trackplex/core/math.hpp>
#include <trackplex/kalman/track_state.hpp>

#include <numbers>

namespace trackplex::kalman {

/// Result of a conversion of coordinates.
/// @tparam To number of new coordinates
/// @tparam From number of old coordinates
/// @tparam P pattern of the Jacobian: its elements that are 0, 1 or stored
template <class Real, int To, int From, Pattern<To, From> P>
struct Converted {
  Vector<Real, To> coordinates;        ///< new coordinates
  Matrix<Real, To, From, P> jacobian;  ///< their derivatives with respect to the old ones
};

/// Converts the parameters of a track with 1/pT > 0 to x, y, z (cm), px, py, pz (GeV).
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION auto to_cartesian(const Parameters<Real>& p) {
  const Real pt = Real(1) / p(Parameter::inverse_pt);
  const auto phi = sincos(p(Parameter::phi)), theta = sincos(p(Parameter::theta));
  const Real per_sin = Real(1) / theta.sin;
  const Real px = pt * phi.cos, py = pt * phi.sin, pz = pt * theta.cos * per_sin;
  Converted<Real, 6, 6,
            Pattern<6, 6>("1 . . . . .", ". 1 . . . .", ". . 1 . . .", ". . . x x .", ". . . x x .",
                          ". . . x . x")>
      result{{{p(0), p(1), p(2), px, py, pz}}, {}};
  result.jacobian.template set<3, 3>(-pt * px);
  result.jacobian.template set<3, 4>(-py);
  result.jacobian.template set<4, 3>(-pt * py);
  result.jacobian.template set<4, 4>(px);
  result.jacobian.template set<5, 3>(-pt * pz);
  result.jacobian.template set<5, 5>(-pt * per_sin * per_sin);
  return result;
}

/// Converts x, y, z (cm), px, py, pz (GeV) with pT > 0 to the parameters of a track, with phi in
/// (-pi, pi].
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION auto from_cartesian(const Vector<Real, 6>& c) {
  const Real px = c(3), py = c(4), pz = c(5);
  const Real pt2 = fma(px, px, py * py);
  const Real pt = sqrt(pt2), inverse_pt = Real(1) / pt;
  const Real inverse_pt2 = inverse_pt * inverse_pt;
  const Real per_p2 = Real(1) / fma(pz, pz, pt2);
  Converted<Real, 6, 6,
            Pattern<6, 6>("1 . . . . .", ". 1 . . . .", ". . 1 . . .", ". . . x x .", ". . . x x .",
                          ". . . x x x")>
      result{{{c(0), c(1), c(2), inverse_pt, atan2(py, px), atan2(pt, pz)}}, {}};
  result.jacobian.template set<3, 3>(-px * inverse_pt * inverse_pt2);
  result.jacobian.template set<3, 4>(-py * inverse_pt * inverse_pt2);
  result.jacobian.template set<4, 3>(-py * inverse_pt2);
  result.jacobian.template set<4, 4>(px * inverse_pt2);
  result.jacobian.template set<5, 3>(pz * px * inverse_pt * per_p2);
  result.jacobian.template set<5, 4>(pz * py * inverse_pt * per_p2);
  result.jacobian.template set<5, 5>(-pt * per_p2);
  return result;
}

/// Converts the parameters of a track to curvilinear coordinates: q/p (1/GeV), lambda =
/// pi/2 - theta, phi (rad), xT, yT (cm).
///
/// xT and yT are coordinates in the plane through the point perpendicular to the momentum direction
/// T: along U = (-sin(phi), cos(phi), 0) and V = T x U, both 0 at the point itself (A. Strandlie
/// and W. Wittek, Nucl. Instrum. Meth. A 566 (2006) 687). `curvature` is dphi/dL (rad/cm) in the
/// transverse plane, by which a displacement along the track changes phi.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION auto to_curvilinear(const Parameters<Real>& p, const Real& charge,
                                                const Real& curvature) {
  using T = ScalarOf<Real>;
  constexpr T half_pi = T(std::numbers::pi / 2.);
  const auto phi = sincos(p(Parameter::phi)), theta = sincos(p(Parameter::theta));
  const Real q = momentum_charge(charge), signed_inverse_pt = q * p(Parameter::inverse_pt);
  Converted<Real, 5, 6,
            Pattern<5, 6>(". . . x . x", ". . . . . x", "x x x . 1 .", "x x . . . .",
                          "x x x . . .")>
      result{{{signed_inverse_pt * theta.sin, Real(half_pi) - p(Parameter::theta),
               p(Parameter::phi), Real(0), Real(0)}},
             {}};
  auto& j = result.jacobian;
  j.template set<0, 3>(q * theta.sin);
  j.template set<0, 5>(signed_inverse_pt * theta.cos);
  j.template set<1, 5>(Real(-1));
  const Real turn = -curvature * theta.sin;
  j.template set<2, 0>(turn * phi.cos * theta.sin);
  j.template set<2, 1>(turn * phi.sin * theta.sin);
  j.template set<2, 2>(turn * theta.cos);
  j.template set<3, 0>(-phi.sin);
  j.template set<3, 1>(phi.cos);
  j.template set<4, 0>(-phi.cos * theta.cos);
  j.template set<4, 1>(-phi.sin * theta.cos);
  j.template set<4, 2>(theta.sin);
  return result;
}

/// Converts curvilinear coordinates, with xT = yT = 0 at the point x, y, z (cm), to the parameters
/// of a track of this charge. See `to_curvilinear`.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION auto from_curvilinear(const Vector<Real, 5>& c,
                                                  const Vector<Real, 3>& point,
                                                  const Real& charge) {
  using T = ScalarOf<Real>;
  constexpr T half_pi = T(std::numbers::pi / 2.);
  const auto lambda = sincos(c(1)), phi = sincos(c(2));
  const Real per_charge = Real(1) / momentum_charge(charge);
  const Real inverse_p = per_charge * c(0), per_cos = Real(1) / lambda.cos;
  Converted<Real, 6, 5,
            Pattern<6, 5>(". . . x x", ". . . x x", ". . . . x", "x x . . .", ". . 1 . .",
                          ". x . . .")>
      result{{{point(0), point(1), point(2), inverse_p * per_cos, c(2), Real(half_pi) - c(1)}}, {}};
  auto& j = result.jacobian;
  j.template set<0, 3>(-phi.sin);
  j.template set<1, 3>(phi.cos);
  j.template set<0, 4>(-phi.cos * lambda.sin);
  j.template set<1, 4>(-phi.sin * lambda.sin);
  j.template set<2, 4>(lambda.cos);
  j.template set<3, 0>(per_charge * per_cos);
  j.template set<3, 1>(inverse_p * per_cos * lambda.sin * per_cos);
  j.template set<5, 1>(Real(-1));
  return result;
}

}  // namespace trackplex::kalman
