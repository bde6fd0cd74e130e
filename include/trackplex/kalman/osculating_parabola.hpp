// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Parabola that osculates a track at its state: for short paths, such as from a layer to the
/// planes of its modules, without a propagation.

#include <trackplex/core/constants.hpp>
#include <trackplex/geometry/field.hpp>
#include <trackplex/geometry/frame.hpp>
#include <trackplex/kalman/detail/vector_transport.hpp>
#include <trackplex/kalman/helices_in_field.hpp>
#include <trackplex/kalman/measurement.hpp>
#include <trackplex/kalman/track_state.hpp>

#include <type_traits>

namespace trackplex::kalman {

/// Parabola that osculates a track: r(s) = point + s direction + s^2/2 bend. Lengths in cm.
/// @tparam TheModel meaning of the track's parameters
template <class Number, TrackModel TheModel = CentralTrack>
struct OsculatingParabola {
  using Real = Number;                     ///< number type of a kernel
  using Model = TheModel;                  ///< meaning of the track's parameters
  using Vector = geometry::Vector3<Real>;  ///< point or direction
  /// Measurement of a hit on a module.
  using MeasuredHit = Measurement<Real, 2, Pattern<2, 6>::dense()>;
  /// Min cosine of the angle between a track and the normal of a plane that measures it.
  static constexpr double min_cosine = 0.01;
  Vector point,   ///< of the state, cm
      direction,  ///< unit vector of the momentum
      bend;       ///< derivative of the direction with respect to the path length, 1/cm
  /// Derivatives of the direction with respect to the parameters 3, 4 and 5.
  Matrix<Real, 3, 3> direction_derivatives;

  /// Computes the parabola of a track in a field.
  /// @param at parameters of the track
  /// @param charge in units of the proton's
  /// @param tesla field at its point, T
  KOKKOS_FORCEINLINE_FUNCTION OsculatingParabola(const Parameters<Real>& at, const Real& charge,
                                                 const Vector& tesla)
      : point{{at(0), at(1), at(2)}} {
    const auto of_model = Model::motion(at, momentum_charge(charge));
    direction = of_model.motion.direction;
    const Real lambda = turn_constant(charge) * of_model.motion.q_over_p;
    bend = lambda * geometry::cross(direction, tesla);
    for (auto& element : direction_derivatives.elements) element = Real(0);
    constexpr auto pattern = std::decay_t<decltype(of_model.derivatives)>::pattern;
    trackplex::detail::for_each_free<pattern>([&]<int I, int J>() TRACKPLEX_INLINE_LAMBDA {
      if constexpr (I < 3)
        direction_derivatives.template set<I, J>(of_model.derivatives.template get<I, J>());
    });
  }

  /// Returns the measurement of a hit on a plane near the state, in the frame of its module, with
  /// the derivatives of where the track meets that plane with respect to the parameters:
  /// for the axis a, the normal n and the direction t,
  /// \f[ \frac{\partial u}{\partial r} = a - \frac{a\cdot t}{n\cdot t}n,\qquad
  ///   \frac{\partial u}{\partial q} = s\,\frac{\partial u}{\partial r}
  ///     \frac{\partial t}{\partial q} \f]
  /// with the path length s from the state to the plane. They neglect the change of the bend.
  /// Where the track is nearly parallel to the plane, see `min_cosine`, all results are NaN, which
  /// no update accepts.
  /// @param frame of the module; its centre may be any point of the plane with known u and v
  /// @param u measured coordinate, cm
  /// @param v measured coordinate, cm
  /// @param variance_u of u, cm^2
  /// @param variance_v of v, cm^2; 0: v is not measured
  KOKKOS_FORCEINLINE_FUNCTION MeasuredHit measure(const geometry::Frame<Real>& frame, const Real& u,
                                                  const Real& v, const Real& variance_u,
                                                  const Real& variance_v) const {
    using Integer = IntegerOf<Real>;
    const Real half = Real(ScalarOf<Real>(0.5));
    const Vector normal = frame.normal(), off = frame.centre - point;
    const Real distance = geometry::dot(off, normal);
    const Real cosine = geometry::dot(direction, normal);
    const auto meets = abs(cosine) >= Real(ScalarOf<Real>(min_cosine));
    const Real nowhere(trackplex::detail::FloatFormat<ScalarOf<Real>>::nan);
    const Real per_cosine = select(meets, Real(1) / cosine, nowhere);
    const Real straight = distance * per_cosine;
    const Real bent = geometry::dot(bend, normal) * per_cosine;
    const Real s = fma(-(half * bent), straight * straight, straight);
    const Vector to_plane = geometry::add_scaled(s * direction, half * s * s, bend);
    const Vector rest = off - to_plane;  // from the track to the centre
    const Vector heading = geometry::add_scaled(direction, s, bend);
    const Real per_heading = Real(1) / geometry::dot(heading, normal);

    MeasuredHit m;
    const Vector axes[2] = {frame.u, frame.v};
    const Real measured[2] = {u, v};
    for (int i = 0; i < 2; ++i) {
      m.residual.elements[i] = measured[i] + geometry::dot(axes[i], rest);
      const Vector gradient =
          geometry::add_scaled(axes[i], -(geometry::dot(axes[i], heading) * per_heading), normal);
      for (int j = 0; j < 3; ++j) {
        m.projection(i, j) = gradient(j);
        const Real along = fma(gradient(0), direction_derivatives(0, j),
                               fma(gradient(1), direction_derivatives(1, j),
                                   gradient(2) * direction_derivatives(2, j)));
        m.projection(i, 3 + j) = s * along;
      }
    }
    const auto is_strip = !(variance_v > Real(0));
    m.covariance.elements[0] = variance_u;
    m.covariance.elements[1] = Real(0);
    m.covariance.elements[2] = select(is_strip, Real(1), variance_v);
    m.residual.elements[1] = select(is_strip, Real(0), m.residual.elements[1]);
    for (int j = 0; j < 6; ++j) m.projection(1, j) = select(is_strip, Real(0), m.projection(1, j));
    m.count = select(is_strip, Integer(1), Integer(2));
    return m;
  }
};

}  // namespace trackplex::kalman
