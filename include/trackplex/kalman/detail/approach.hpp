// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Steps of a track towards a surface.

#include <trackplex/geometry/surface.hpp>

namespace trackplex::kalman::detail {

/// Limits of the steps towards a surface.
template <class T>
struct StepLimits {
  T turn;  ///< max turn of a step, rad
  T rest;  ///< the caller takes steps of at most this part of the max step
};

/// Plans the steps of a track to a surface, each from the end of the previous one: on the
/// parabola that osculates the track there, up to the limits. Each lane has its own steps, which
/// depend only on its own track.
template <class Real>
class Approach {
  using T = ScalarOf<Real>;
  using Mask = MaskOf<Real>;

 public:
  /// Max length of the steps on a helix: unlimited.
  struct AnyLength {
    KOKKOS_FORCEINLINE_FUNCTION Real operator()(const Real&) const {
      return Real(trackplex::detail::FloatFormat<T>::infinity);
    }
  };

  Mask arrived = false,  ///< lanes that are nearer than the smallest step
      lost = false;      ///< lanes that do not reach the surface
  Real rest = Real(0);   ///< path that remains for the lanes that have arrived

  /// Whether any lane has neither arrived nor been lost.
  KOKKOS_FORCEINLINE_FUNCTION bool is_busy() const { return any_of(!(arrived || lost)); }

  /// Returns the length of the next step from a point; 0 for lanes that have arrived or are lost.
  /// @param surface that the track approaches
  /// @param point of the track
  /// @param direction of the track, per unit of length
  /// @param bend derivative of the direction
  /// @param turn_rate turn of the track per length
  /// @param limits of the step
  /// @param max_length `max_length(heading)`: max length of the step, cm, along the direction
  ///        (heading 1) or against it (-1)
  template <class Surface, class MaxLength = AnyLength>
  KOKKOS_FORCEINLINE_FUNCTION Real plan(const Surface& surface,
                                        const geometry::Vector3<Real>& point,
                                        const geometry::Vector3<Real>& direction,
                                        const geometry::Vector3<Real>& bend, const Real& turn_rate,
                                        const StepLimits<T>& limits,
                                        const MaxLength& max_length = {}) {
    const Mask busy = !(arrived || lost);
    const Real slope = geometry::dot(surface.gradient(point), direction);
    // The crossing ahead; close to the surface, the nearer one
    const Real ahead = select(is_close_, copysign(Real(1), slope), travel_);
    const auto sight = surface.path(
        point, {{ahead * direction(0), ahead * direction(1), ahead * direction(2)}}, bend);
    const Real towards = -(surface.distance(point) * slope);
    // A track that begins parallel to the surface goes on along its momentum: -0 + 0 is 0
    if (is_first_)
      travel_ = copysign(Real(1), select(sight.reached, sight.length, towards + Real(0)));
    is_first_ = false;
    // Where the parabola misses the surface the track may still bend to it, until it leaves
    const Real seen = select(sight.reached, ahead * sight.length, travel_);
    const Real max_step = min(max_length(copysign(Real(1), seen)), Real(limits.turn) / turn_rate);
    const Real length = select(sight.reached, seen, travel_ * max_step);
    const Mask misses = !sight.reached && (is_close_ || !(towards * travel_ >= Real(0)));
    const Mask far = abs(length) > max_step;
    const Mask arrives =
        busy && sight.reached && !(abs(length) > Real(limits.rest) * max_step) && !misses;
    rest = select(arrives, length, rest);
    arrived = arrived || arrives;
    lost = lost || (busy && (misses || turn_ > Real(max_turn)));
    is_close_ = is_close_ || (sight.reached && !far);
    const Real step = select(far, copysign(max_step, length), length);
    turn_ += abs(step) * turn_rate;
    return select(arrived || lost, Real(0), step);
  }

 private:
  static constexpr T max_turn = T(6.25);  // rad, nearly a circle

  Real travel_ = Real(1);  // 1: along the direction, -1: against it
  Real turn_ = Real(0);
  Mask is_close_ = false;
  bool is_first_ = true;
};

}  // namespace trackplex::kalman::detail
