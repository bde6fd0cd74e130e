// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/geometry/detector.hpp>
#include <trackplex/hits/detector_hits.hpp>
#include <trackplex/kalman/osculating_parabola.hpp>
#include <trackplex/seeding/start_states.hpp>

namespace trackplex::seeding {

/// Hits on the modules of a detector, as points in space with errors, for `start_states`. Along a
/// strip, the standard deviation is that of a uniform distribution over the length of its module.
template <class T, class MemorySpace>
struct DetectorPoints {
  hits::DetectorHits<T, MemorySpace> hits;      ///< of all events
  geometry::Detector<T, MemorySpace> detector;  ///< their modules

  /// Returns the point of each lane's hit, by its index among the hits of all events; undefined
  /// in lanes without the mask.
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION kalman::SpacePoint<Real> point(const IntegerOf<Real>& index,
                                                             const MaskOf<Real>& mask) const {
    using Integer = IntegerOf<Real>;
    const Integer module = gather<Integer>(hits.module.data(), index, mask);
    const auto frame = detector.template frame<Real>(module);
    const Real u = gather<Real>(hits.u.data(), index, mask),
               v = gather<Real>(hits.v.data(), index, mask);
    const Real variance_u = gather<Real>(hits.variance_u.data(), index, mask),
               measured_v = gather<Real>(hits.variance_v.data(), index, mask);
    const auto bounds = detector.template bounds<Real>(module);
    const Real half_v =
        select(bounds.is_annulus, Real(T(0.5)) * (bounds.size[1] - bounds.size[0]), bounds.size[2]);
    const Real variance_v =
        select(measured_v > Real(0), measured_v, half_v * half_v * Real(T(1. / 3.)));
    kalman::SpacePoint<Real> result;
    result.position =
        geometry::add_scaled(geometry::add_scaled(frame.centre, u, frame.u), v, frame.v);
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j <= i; ++j)
        result.covariance(i, j) =
            fma(variance_u, frame.u(i) * frame.u(j), variance_v * (frame.v(i) * frame.v(j)));
    return result;
  }
};

namespace detail {

/// The field along z in which tracks turn as in the given field.
template <class Field, class T>
struct FieldAlongZ {
  Field field;
  T from_z;  ///< see `StartStatesParams`
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION Real operator()(const Real& x, const Real& y, const Real& z) const {
    return kalman::turning_field(field, x, y, z, Real(ScalarOf<Real>(from_z)));
  }
};

/// Sets the variance of z to that at a fixed distance from the z axis: the variance along a
/// disk counts with the slope of the track.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION void project_variances(kalman::SpacePoint<Real> (&points)[3]) {
  const auto &first = points[0].position, &last = points[2].position;
  const Real dx = last(0) - first(0), dy = last(1) - first(1), dz = last(2) - first(2);
  const Real chord2 = fma(dx, dx, dy * dy);
  const Real slope2 = dz * dz / select(chord2 > Real(0), chord2, Real(1));
  for (auto& hit : points) {
    const Real x = hit.position(0), y = hit.position(1), r2 = fma(x, x, y * y);
    const Real outwards = fma(x * x, hit.covariance(0, 0),
                              fma(y * y, hit.covariance(1, 1), (x + x) * y * hit.covariance(1, 0)));
    hit.covariance(2, 2) += slope2 * outwards / select(r2 > Real(0), r2, Real(1));
  }
}

}  // namespace detail

/// Computes a state for each track from its first, middle and last hit in the slots of `tracks`,
/// which hold indices among the hits of all events; see `start_states` of layers of cylinders.
/// @tparam Width number of lanes
/// @tparam Field functor `field(x, y, z)` that returns B or B_z in T
template <int Width, class ExecutionSpace, class T, class Field>
void start_states(const ExecutionSpace& exec,
                  const DetectorPoints<T, MemoryOf<ExecutionSpace>>& points,
                  const tracks::TrackHits<MemoryOf<ExecutionSpace>>& tracks, const Field& field,
                  const StartStatesParams& params,
                  kalman::TrackStates<T, MemoryOf<ExecutionSpace>>& states) {
  using OfField = detail::FieldAlongZ<kalman::FieldFor<T, Field>, T>;
  detail::start_states<Width>(exec, detail::FirstMiddleLast{}, points, tracks,
                              OfField{kalman::field_for<T>(field), T(params.from_z)}, params,
                              states);
}

}  // namespace trackplex::seeding
