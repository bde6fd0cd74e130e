// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Transport of the parameters of any track model in a vector field.

#include <trackplex/kalman/runge_kutta.hpp>
#include <trackplex/kalman/surfaces.hpp>
#include <trackplex/kalman/transport_result.hpp>
#include <trackplex/kalman/uniform_helix.hpp>

#include <type_traits>
#include <utility>

namespace trackplex::kalman::detail {

/// Steps of the integration in a field. With the max turn alpha, a turn of A is followed to
/// A alpha^4 / 120.
template <class T>
inline constexpr StepLimits<T> integration_steps = sizeof(T) == 4
                                                       ? StepLimits<T>{T(0.1), T(0.03)}
                                                       : StepLimits<T>{T(0.02), T(1.5e-3)};
/// Max length of a step of a track, cm: the limit of the field. In double precision, an eighth of
/// it; or half of it and at most to where the derivatives of the field jump, found on the cubic
/// that osculates the track: a step of length h that ends d after a jump J is wrong by
/// lambda J h d / 6.
template <class Track>
KOKKOS_FORCEINLINE_FUNCTION auto max_step_length(const Track& track,
                                                 const typename Track::Real& heading) {
  using Real = typename Track::Real;
  using T = ScalarOf<Real>;
  const auto& field = track.field();
  const geometry::Vector3<Real>&position = track.point.position, &direction = track.point.direction;
  const T limit = geometry::step_limit<T>(field);
  if constexpr (sizeof(T) == 4) {
    return Real(limit);
  } else if constexpr (requires { field.smooth_path(position, direction); }) {
    const auto bend = track.bend(), change = track.change_of_bend();
    Real length(0);
    for (int i = 0; i < 4; ++i) {  // the first iteration on the tangent
      const auto cubic =
          geometry::add_scaled(direction, Real(T(1. / 6.)) * length * length, change);
      const auto chord = geometry::add_scaled(heading * cubic, Real(T(0.5)) * length, bend);
      length = min(Real(T(0.5) * limit), field.smooth_path(position, chord));
    }
    return length;
  } else {
    return Real(T(0.125) * limit);
  }
}
/// Max number of these steps.
inline constexpr int max_integration_steps = 1000;

/// Pattern of the columns of the momentum of rows First to First + Rows - 1 of P, among all six.
template <int First, int Rows>
KOKKOS_FUNCTION constexpr Pattern<Rows, 6> momentum_columns(const Pattern<4, 3>& p) {
  Pattern<Rows, 6> result;
  for (int i = 0; i < Rows; ++i)
    for (int j = 0; j < 3; ++j) result.set(i, 3 + j, p(First + i, j));
  return result;
}
/// Rows First to First + Rows - 1 of derivatives with respect to the momentum, with columns for all
/// parameters.
template <int First, int Rows, class Real, Pattern<4, 3> P>
KOKKOS_FORCEINLINE_FUNCTION auto momentum_columns(const Matrix<Real, 4, 3, P>& derivatives) {
  constexpr auto pattern = momentum_columns<First, Rows>(P);
  Matrix<Real, Rows, 6, pattern> result{};
  trackplex::detail::for_each_free<pattern>([&]<int I, int J>() TRACKPLEX_INLINE_LAMBDA {
    result.template set<I, J>(derivatives.template get<First + I, J - 3>());
  });
  return result;
}

/// Pattern of the rows of A above those of B.
template <int A, int B, int C>
KOKKOS_FUNCTION constexpr Pattern<A + B, C> stacked(const Pattern<A, C>& a,
                                                    const Pattern<B, C>& b) {
  Pattern<A + B, C> result;
  for (int j = 0; j < C; ++j) {
    for (int i = 0; i < A; ++i) result.set(i, j, a(i, j));
    for (int i = 0; i < B; ++i) result.set(A + i, j, b(i, j));
  }
  return result;
}
/// Rows of A above those of B.
template <class Real, int A, int B, int C, Pattern<A, C> P, Pattern<B, C> Q>
KOKKOS_FORCEINLINE_FUNCTION auto stacked(const Matrix<Real, A, C, P>& a,
                                         const Matrix<Real, B, C, Q>& b) {
  constexpr auto pattern = stacked(P, Q);
  Matrix<Real, A + B, C, pattern> result;
  trackplex::detail::for_each_free<pattern>([&]<int I, int J>() TRACKPLEX_INLINE_LAMBDA {
    if constexpr (I < A)
      result.template set<I, J>(a.template get<I, J>());
    else
      result.template set<I, J>(b.template get<I - A, J>());
  });
  return result;
}

/// Derivatives of the position at its own start: 1.
template <class Real>
using AtStart = Matrix<Real, 3, 6, Pattern<3, 6>("1 . . . . .", ". 1 . . . .", ". . 1 . . .")>;

/// Start of a track: its motion, with derivatives with respect to all parameters.
template <class Model, class Number>
struct TrackStart {
  using Real = Number;
  using OfModel = decltype(Model::motion(std::declval<const Parameters<Real>&>(), Real()));
  static constexpr auto pattern = decltype(OfModel::derivatives)::pattern;
  using DirectionDerivatives = Matrix<Real, 3, 6, momentum_columns<0, 3>(pattern)>;
  using ChargeDerivatives = Matrix<Real, 1, 6, momentum_columns<3, 1>(pattern)>;

  Parameters<Real> parameters;
  Real charge;  ///< of the momentum: 1 for neutral tracks
  Real c;       ///< turn constant: 0 for neutral tracks
  TrackPoint<Real> point;
  Real q_over_p;
  DirectionDerivatives direction_derivatives;
  ChargeDerivatives q_over_p_derivatives;

  KOKKOS_FORCEINLINE_FUNCTION TrackStart(const Parameters<Real>& start, const Real& of_charge)
      : TrackStart(start, of_charge, Model::motion(start, momentum_charge(of_charge))) {}

  /// c q/p, see `turn_per_tesla`.
  KOKKOS_FORCEINLINE_FUNCTION Real lambda() const { return c * q_over_p; }
  /// Its derivatives with respect to all parameters.
  KOKKOS_FORCEINLINE_FUNCTION auto lambda_derivatives() const { return c * q_over_p_derivatives; }

 private:
  KOKKOS_FORCEINLINE_FUNCTION TrackStart(const Parameters<Real>& start, const Real& of_charge,
                                         const OfModel& of_model)
      : parameters(start),
        charge(momentum_charge(of_charge)),
        c(turn_constant(of_charge)),
        point{{{start(0), start(1), start(2)}}, of_model.motion.direction},
        q_over_p(of_model.motion.q_over_p),
        direction_derivatives(momentum_columns<0, 3>(of_model.derivatives)),
        q_over_p_derivatives(momentum_columns<3, 1>(of_model.derivatives)) {}
};

/// Parameters and Jacobian on a surface, from a point on it, the derivative `bend` of the direction
/// with respect to the path length there, and the derivatives E of position and direction at
/// constant path length s: with n the gradient of the surface,
/// ds/dX = -n dr/dX / (n t), J = E + T ds/dX.
template <class Model, class Real, class Surface, Pattern<3, 6> R, Pattern<3, 6> D>
KOKKOS_FORCEINLINE_FUNCTION auto on_surface(const TrackStart<Model, Real>& start,
                                            const Surface& surface, const TrackPoint<Real>& point,
                                            const geometry::Vector3<Real>& bend,
                                            const Matrix<Real, 3, 6, R>& position_derivatives,
                                            const Matrix<Real, 3, 6, D>& direction_derivatives,
                                            const MaskOf<Real>& arrived) {
  using T = ScalarOf<Real>;
  const auto& t = point.direction;
  const auto up = surface.gradient(point.position);
  const geometry::Vector3<Real> per_slope = (Real(-1) / geometry::dot(up, t)) * up;
  const auto length_derivatives = transposed(per_slope) * position_derivatives;
  const auto there = position_derivatives + t * length_derivatives;
  const auto direction = direction_derivatives + bend * length_derivatives;
  // Rounding, and the error of an integration, change the length of t
  const geometry::Vector3<Real> unit = fma(geometry::dot(t, t), Real(T(-0.5)), Real(T(1.5))) * t;
  const auto momentum =
      Model::parameters(Motion<Real>{unit, start.q_over_p}, start.parameters, start.charge);
  const auto jacobian =
      stacked(there, momentum.derivatives * stacked(direction, start.q_over_p_derivatives));
  const auto& r = point.position;
  const auto& m = momentum.parameters;
  const auto reached = arrived && is_finite(r(0) + r(1) + r(2)) && is_finite(m(0) + m(1) + m(2));
  return Transport<Real, decltype(jacobian)::pattern>{
      {{r(0), r(1), r(2), m(0), m(1), m(2)}}, jacobian, reached};
}

/// Transport on a helix, in a uniform field.
template <class Model, class Real, class Surface>
KOKKOS_FORCEINLINE_FUNCTION auto along_helix(const TrackStart<Model, Real>& start,
                                             const geometry::Vector3<Real>& tesla,
                                             const Surface& surface) {
  const UniformHelix<Real> helix(start.point, start.lambda(), tesla);
  constexpr auto limits = helix_steps<ScalarOf<Real>>;
  Approach<Real> approach;
  Real s(0);
  auto point = start.point;
  for (int i = 0; i < max_helix_steps; ++i) {
    s += approach.plan(surface, point.position, point.direction, helix.bend(point.direction),
                       helix.turn_rate(), limits);
    if (!approach.is_busy()) break;
    point = helix.at(s);
  }
  const auto end = helix.derivatives_at(s + approach.rest);
  const auto lambda_derivatives = start.lambda_derivatives();
  const auto& by_direction = start.direction_derivatives;
  return on_surface(
      start, surface, end.point, helix.bend(end.point.direction),
      AtStart<Real>{} +
          (end.position_of_direction * by_direction + end.position_of_lambda * lambda_derivatives),
      end.direction_of_direction * by_direction + end.direction_of_lambda * lambda_derivatives,
      approach.arrived);
}

/// The field at the midpoint to a surface, on the parabola that osculates the track.
template <class Model, class Real, class Field, class Surface>
KOKKOS_FORCEINLINE_FUNCTION geometry::Vector3<Real> field_half_way(
    const TrackStart<Model, Real>& start, const Field& field, const Surface& surface) {
  using T = ScalarOf<Real>;
  const auto& [r, t] = start.point;
  const auto tesla = field(r(0), r(1), r(2));
  const geometry::Vector3<Real> bend = start.lambda() * geometry::cross(t, tesla);
  const auto [length, reached] = surface.path(r, t, bend);
  const Real half = select(reached, Real(T(0.5)) * length, Real(0));
  const auto there =
      geometry::add_scaled(r, half, geometry::add_scaled(t, Real(T(0.5)) * half, bend));
  return field(there(0), there(1), there(2));
}

/// Transport by integration; not forced inline, since it is large and launchers call it in two
/// places.
template <class Model, class Real, class Field, class Surface>
KOKKOS_FUNCTION auto by_integration(const TrackStart<Model, Real>& start, const Field& field,
                                    const Surface& surface) {
  using T = ScalarOf<Real>;
  const auto lambda_derivatives = start.lambda_derivatives();
  IntegratedTrack<Real, Field, std::decay_t<decltype(lambda_derivatives)>::pattern> track(
      start.point, start.lambda(), start.direction_derivatives, lambda_derivatives, field);
  constexpr auto limits = integration_steps<T>;
  Approach<Real> approach;
  for (int i = 0; i < max_integration_steps; ++i) {
    const auto& [position, direction] = track.point;
    approach.lost = approach.lost || !geometry::covers(field, position);
    const Real step =
        approach.plan(surface, position, direction, track.bend(), track.turn_rate(), limits,
                      [&](const Real& heading) { return max_step_length(track, heading); });
    if (!approach.is_busy()) break;
    track.step(step, !(approach.arrived || approach.lost));
  }
  const auto bend = track.finish(approach.rest);
  return on_surface(start, surface, track.point, bend, track.position_derivatives,
                    track.direction_derivatives, approach.arrived && !approach.lost);
}

}  // namespace trackplex::kalman::detail
