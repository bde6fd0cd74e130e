// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Integration of the equation of motion in a magnetic field, with its derivatives.

#include <trackplex/geometry/field.hpp>
#include <trackplex/kalman/uniform_helix.hpp>
#include <trackplex/matriplex/matrix_products.hpp>

#include <utility>

namespace trackplex::kalman {

namespace detail {

/// a + factor b
template <class M, class Real>
KOKKOS_FORCEINLINE_FUNCTION M moved(const M& a, const Real& factor, const M& b) {
  M result;
  for (int i = 0; i < M::size; ++i) result.elements[i] = fma(factor, b.elements[i], a.elements[i]);
  return result;
}
/// r + h t + square k
template <class M, class Real>
KOKKOS_FORCEINLINE_FUNCTION M advanced(const M& r, const Real& h, const M& t, const Real& square,
                                       const M& k) {
  M result;
  for (int i = 0; i < M::size; ++i)
    result.elements[i] = fma(h, t.elements[i], fma(square, k.elements[i], r.elements[i]));
  return result;
}
/// k1 + k2 + k3
template <class M>
KOKKOS_FORCEINLINE_FUNCTION M total(const M& k1, const M& k2, const M& k3) {
  M result;
  for (int i = 0; i < M::size; ++i)
    result.elements[i] = k1.elements[i] + (k2.elements[i] + k3.elements[i]);
  return result;
}
/// k1 + 2 k2 + 2 k3 + k4
template <class M>
KOKKOS_FORCEINLINE_FUNCTION M weighted(const M& k1, const M& k2, const M& k3, const M& k4) {
  using Real = typename M::Real;
  M result;
  for (int i = 0; i < M::size; ++i)
    result.elements[i] =
        fma(Real(2), k2.elements[i] + k3.elements[i], k1.elements[i] + k4.elements[i]);
  return result;
}

}  // namespace detail

/// Track that is followed through a field, with the derivatives of its point with respect
/// to the parameters at its start.
///
/// A step is that of the fourth-order Runge-Kutta-Nystroem method for
/// \f$ r'' = \lambda\,r'\times B(r) \f$ in the path length (E. J. Nystroem, 1925; J. Myrheim,
/// L. Bugge, Nucl. Instrum. Meth. 160 (1979) 43), with \f$ \lambda = c\,q/p \f$ and
/// \f$ k = \lambda\,t\times B \f$:
/// \f[ k_1 = k(r, t),\qquad
///     k_2 = k\left(r+\tfrac h2t+\tfrac{h^2}8k_1,\ t+\tfrac h2k_1\right),\qquad
///     k_3 = k\left(r+\tfrac h2t+\tfrac{h^2}8k_1,\ t+\tfrac h2k_2\right), \f]
/// \f[ k_4 = k\left(r+ht+\tfrac{h^2}2k_3,\ t+hk_3\right), \f]
/// \f[ r' = r+ht+\tfrac{h^2}6(k_1+k_2+k_3),\qquad t' = t+\tfrac h6(k_1+2k_2+2k_3+k_4). \f]
/// The derivatives of r and t pass through the same stages, with
/// \f[ \delta k = \lambda\,\delta t\times B+\lambda\,t\times(\nabla B\,\delta r)
///               +\delta\lambda\,t\times B. \f]
///
/// @tparam Number number type of a kernel
/// @tparam Field vector field, see geometry/field.hpp
/// @tparam L pattern of the derivatives of lambda
template <class Number, class Field, Pattern<1, 6> L>
class IntegratedTrack {
 public:
  using Real = Number;                      ///< number type of a kernel
  using Vector3 = geometry::Vector3<Real>;  ///< vector in space
  using Columns = Matrix<Real, 3, 6>;       ///< derivatives with respect to the parameters

  TrackPoint<Real> point;        ///< r and t
  Columns position_derivatives,  ///< dr/dX
      direction_derivatives;     ///< dt/dX

  /// Begins at a point of a track.
  /// @param start point of the track
  /// @param lambda c q/p, see `turn_per_tesla`
  /// @param start_direction_derivatives dt/dX at the start; dr/dX there is 1 for the position
  /// @param lambda_derivatives dlambda/dX
  /// @param field magnetic field
  template <Pattern<3, 6> P>
  KOKKOS_FORCEINLINE_FUNCTION IntegratedTrack(
      const TrackPoint<Real>& start, const Real& lambda,
      const Matrix<Real, 3, 6, P>& start_direction_derivatives,
      const Matrix<Real, 1, 6, L>& lambda_derivatives, const Field& field)
      : point(start),
        position_derivatives(as<Columns>(Matrix<Real, 3, 6, at_start>{})),
        direction_derivatives(as<Columns>(start_direction_derivatives)),
        lambda_(lambda),
        lambda_derivatives_(lambda_derivatives),
        field_(field),
        at_(geometry::field_at(field, start.position)) {}

  /// Returns the derivative of the direction with respect to the path length, 1/cm.
  KOKKOS_FORCEINLINE_FUNCTION Vector3 bend() const {
    return lambda_ * geometry::cross(point.direction, at_.tesla);
  }

  /// Returns its second derivative, \f$ k' = \lambda\,(k\times B+t\times(\nabla B\,t)) \f$,
  /// 1/cm^2.
  KOKKOS_FORCEINLINE_FUNCTION Vector3 change_of_bend() const {
    const auto& t = point.direction;
    return lambda_ * (geometry::cross(bend(), at_.tesla) + geometry::cross(t, at_.gradient * t));
  }

  /// Returns the magnetic field.
  KOKKOS_FORCEINLINE_FUNCTION const Field& field() const { return field_; }

  /// Returns |lambda B|, rad/cm.
  KOKKOS_FORCEINLINE_FUNCTION Real turn_rate() const {
    return abs(lambda_) * sqrt(geometry::dot(at_.tesla, at_.tesla));
  }

  /// Takes a step of length h (cm) in the lanes of `where`.
  KOKKOS_FORCEINLINE_FUNCTION void step(const Real& h, const MaskOf<Real>& where) {
    const Real h_2 = Real(T(0.5)) * h, h_6 = Real(T(1. / 6.)) * h;
    const Real hh_2 = h_2 * h, hh_6 = h_6 * h, hh_8 = Real(T(0.25)) * hh_2;
    const auto& r = point.position;
    const auto& t = point.direction;
    const Columns &dr = position_derivatives, &dt = direction_derivatives;
    const auto k1 = stage(t, at_);
    const Vector3 r2 = detail::advanced(r, h_2, t, hh_8, k1.bend);
    const auto at2 = geometry::field_at(field_, r2);
    const auto k2 = stage(detail::moved(t, h_2, k1.bend), at2);
    const auto k3 = stage(detail::moved(t, h_2, k2.bend), at2);
    const Vector3 r4 = detail::advanced(r, h, t, hh_2, k3.bend);
    const auto k4 = stage(detail::moved(t, h, k3.bend), geometry::field_at(field_, r4));
    const Columns dk1 = derivatives(k1, dr, dt);
    const Columns dr2 = detail::advanced(dr, h_2, dt, hh_8, dk1);
    const Columns dk2 = derivatives(k2, dr2, detail::moved(dt, h_2, dk1));
    const Columns dk3 = derivatives(k3, dr2, detail::moved(dt, h_2, dk2));
    const Columns dk4 =
        derivatives(k4, detail::advanced(dr, h, dt, hh_2, dk3), detail::moved(dt, h, dk3));
    assign_where(where, detail::advanced(r, h, t, hh_6, detail::total(k1.bend, k2.bend, k3.bend)),
                 point.position);
    assign_where(where, detail::moved(t, h_6, detail::weighted(k1.bend, k2.bend, k3.bend, k4.bend)),
                 point.direction);
    assign_where(where, detail::advanced(dr, h, dt, hh_6, detail::total(dk1, dk2, dk3)),
                 position_derivatives);
    assign_where(where, detail::moved(dt, h_6, detail::weighted(dk1, dk2, dk3, dk4)),
                 direction_derivatives);
    at_ = geometry::field_at(field_, point.position);
  }

  /// Takes a last step, of length h (cm), so short that two terms of the Taylor series
  /// suffice, and returns the derivative of the direction there, 1/cm; with
  /// \f$ k' = \lambda\,(k\times B+t\times(\nabla B\,t)) \f$.
  KOKKOS_FORCEINLINE_FUNCTION Vector3 finish(const Real& h) {
    const Real hh_2 = Real(T(0.5)) * h * h;
    const auto k = stage(point.direction, at_);
    Vector3 change = k.of_direction * k.bend;
    add_product(change, k.of_position, point.direction);
    const Columns dk = derivatives(k, position_derivatives, direction_derivatives);
    point.position = detail::advanced(point.position, h, point.direction, hh_2, k.bend);
    point.direction = detail::advanced(point.direction, h, k.bend, hh_2, change);
    position_derivatives =
        detail::advanced(position_derivatives, h, direction_derivatives, hh_2, dk);
    direction_derivatives = detail::moved(direction_derivatives, h, dk);
    return detail::moved(k.bend, h, change);
  }

 private:
  using T = ScalarOf<Real>;
  using FieldHere =
      decltype(geometry::field_at(std::declval<const Field&>(), std::declval<const Vector3&>()));
  static constexpr Pattern<3, 6> at_start{"1 . . . . .", ". 1 . . . .", ". . 1 . . ."};
  /// Pattern of v -> v x B.
  static constexpr Pattern<3, 3> cross_pattern{". x x", "x . x", "x x ."};
  static constexpr auto gradient_pattern =
      product(cross_pattern, decltype(FieldHere::gradient)::pattern);

  /// k = dt/ds at a point, with its derivatives.
  struct Stage {
    Vector3 bend, per_lambda;                          ///< k, and k / lambda
    Matrix<Real, 3, 3, cross_pattern> of_direction;    ///< dk/dt
    Matrix<Real, 3, 3, gradient_pattern> of_position;  ///< dk/dr
  };

  KOKKOS_FORCEINLINE_FUNCTION Stage stage(const Vector3& t, const FieldHere& at) const {
    const Vector3 b = lambda_ * at.tesla, v = lambda_ * t,
                  per_lambda = geometry::cross(t, at.tesla);
    const Matrix<Real, 3, 3, cross_pattern> across{{-v(2), v(1), v(2), -v(0), -v(1), v(0)}};
    return {lambda_ * per_lambda,
            per_lambda,
            {{b(2), -b(1), -b(2), b(0), b(1), -b(0)}},
            across * at.gradient};
  }

  KOKKOS_FORCEINLINE_FUNCTION Columns derivatives(const Stage& k, const Columns& dr,
                                                  const Columns& dt) const {
    auto result = as<Columns>(k.of_direction * dt);
    add_product(result, k.of_position, dr);
    add_product(result, k.per_lambda, lambda_derivatives_);
    return result;
  }

  Real lambda_;
  Matrix<Real, 1, 6, L> lambda_derivatives_;
  const Field& field_;
  FieldHere at_;  // field at the point
};

}  // namespace trackplex::kalman
