// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Tracks from the luminous region: their parameters at the beam.

#include <trackplex/geometry/surface.hpp>
#include <trackplex/kalman/measurement.hpp>
#include <trackplex/kalman/propagation.hpp>
#include <trackplex/kalman/track_state.hpp>
#include <trackplex/kalman/update.hpp>

namespace trackplex::kalman {

/// Luminous region on a beam along z: vertices are normally distributed about its centre.
struct BeamSpot {
  double x = 0.,           ///< of the centre, cm
      y = 0.,              ///< of the centre, cm
      z = 0.;              ///< of the centre, cm
  double sigma_xy = 0.01,  ///< standard deviation of vertices across the beam, cm
      sigma_z = 5.5;       ///< standard deviation of vertices along the beam, cm
};

/// Propagates a state back to its closest approach to a beam, without material, and updates it
/// with the beam spot as with a measurement of d0 and z0. Near the beam a track has no hits: for
/// a track at a small angle to the beam, the spot measures direction and momentum better than the
/// hits do.
/// @param state of a track; on return, its state on the plane through the centre of the spot and
/// perpendicular to the transverse direction
/// @param field `field(x, y, z)` returns B or B_z in T
/// @param spot luminous region
/// @param max_chi2 limit of the chi2 of d0 and z0: tracks from elsewhere are not updated
/// @return lanes that reach the beam; the states of others are unchanged
template <class Real, class Field>
[[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION MaskOf<Real> constrain_to_beam(
    TrackState<Real, CentralTrack>& state, const Field& field, const BeamSpot& spot,
    const Real& max_chi2) {
  using T = ScalarOf<Real>;
  const geometry::Vector3<Real> centre{{Real(T(spot.x)), Real(T(spot.y)), Real(T(spot.z))}};
  const auto at = [](const TrackState<Real, CentralTrack>& here) {
    return sincos(here.parameters(Parameter::phi));
  };
  MaskOf<Real> reached(true);
  TrackState<Real, CentralTrack> there = state;
  for (int i = 0; i < 2; ++i) {  // in the second pass with the direction at the beam
    const auto direction = at(there);
    reached = reached && propagate(there, field,
                                   geometry::Surface<Real>::plane(
                                       centre, {{direction.cos, direction.sin, Real(0)}}));
  }
  const auto direction = at(there);
  ModuleHit<Real> beam{centre,
                       {{-direction.sin, direction.cos, Real(0)}},
                       {{Real(0), Real(0), Real(1)}},
                       {},
                       IntegerOf<Real>(2)};
  beam.covariance(0, 0) = Real(T(spot.sigma_xy * spot.sigma_xy));
  beam.covariance(1, 0) = Real(0);
  beam.covariance(1, 1) = Real(T(spot.sigma_z * spot.sigma_z));
  (void)update(there, measure_in_module(beam, there.parameters), reached, max_chi2);
  state = select(reached, there, state);
  return reached;
}

}  // namespace trackplex::kalman
