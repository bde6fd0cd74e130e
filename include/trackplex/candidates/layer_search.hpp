// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Steps on a layer, which all strategies of track building share: propagation, search for hits in
/// a window, chi2, update. They are device functions, for use in other kernels too.

#include <trackplex/candidates/build_tracks_params.hpp>
#include <trackplex/candidates/detail/place_buffer.hpp>
#include <trackplex/core/math.hpp>
#include <trackplex/kalman/measurement.hpp>
#include <trackplex/kalman/propagation.hpp>
#include <trackplex/kalman/update.hpp>
#include <trackplex/search/hit_windows.hpp>
#include <trackplex/tracks/track_layers.hpp>

#include <type_traits>

namespace trackplex::candidates {

/// Returns the states after the material of the cylinder of this radius (cm), on which they are.
/// Lanes whose particle stops in it are removed from `mask`; lanes outside `mask` are unchanged.
template <class Real>
KOKKOS_FUNCTION kalman::TrackState<Real> behind_layer(
    const kalman::TrackState<Real>& state, MaskOf<Real>& mask, ScalarOf<Real> radius,
    const BuildTracksConstants<ScalarOf<Real>>& constants) {
  const kalman::Cylinder<Real> surface{Real(radius)};
  const auto passage = kalman::pass_layer(state.parameters, state.charge, constants.material,
                                          surface, constants.mass);
  mask = mask && passage.passed;
  kalman::TrackState<Real> behind = state;
  assign_where(mask, passage.parameters, behind.parameters);
  assign_where(mask, passage.behind(state.covariance), behind.covariance);
  return behind;
}

/// Propagates the states of the lanes in `mask` from the previous layer to `layer`, through
/// the material of the previous layer. Lanes that do not reach `layer` are removed from `mask`.
template <class Real, class Field>
KOKKOS_FORCEINLINE_FUNCTION void propagate_to_layer(
    kalman::TrackState<Real>& state, MaskOf<Real>& mask, const Field& field,
    const tracks::BasicCylinderLayers<ScalarOf<Real>>& detector, int layer,
    const BuildTracksConstants<ScalarOf<Real>>& constants) {
  if (constants.material.thickness > 0) {
    const kalman::TrackState<Real> before = state;  // copies, because the called functions work in
                                                    // memory
    MaskOf<Real> passed = mask;
    state = behind_layer(before, passed, detector.radius[layer - 1], constants);
    mask = passed;
  }
  const kalman::Cylinder<Real> surface{Real(detector.radius[layer])};
  const auto& from = state.parameters;
  const Real curvature_factor =
      kalman::curvature_per_inverse_pt(state.charge, Real(field(from(0), from(1), from(2))));
  const auto moved = kalman::transport(from, curvature_factor, surface);
  mask = mask && moved.reached;
  assign_where(mask, as<kalman::Covariance<Real>>(similarity(moved.jacobian, state.covariance)),
               state.covariance);
  assign_where(mask, moved.parameters, state.parameters);
}

/// Returns the window in azimuth and z in which the hit of a predicted state is searched for: n =
/// `window_sigmas` standard deviations, up to the limits, with
/// \f[ \sigma_\varphi^2 = \frac{y^2C_{xx}+x^2C_{yy}-2xyC_{xy}}{r^4}
///     + \frac{\sigma_{r\varphi}^2}{r^2},\qquad
///     \sigma_z^2 = C_{zz} + \sigma_{z,\mathrm{hit}}^2. \f]
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION search::HitWindow<Real> window_of(
    const kalman::TrackState<Real>& state, const BuildTracksConstants<ScalarOf<Real>>& constants) {
  const Real x = state.parameters(0), y = state.parameters(1);
  const auto& c = state.covariance;
  const Real per_r2 = Real(1) / fma(x, x, y * y);
  const Real across = fma(y * y, c(0, 0), fma(x * x, c(1, 1), Real(-2) * x * y * c(1, 0))) * per_r2;
  const Real variance_phi = max(Real(0), (across + Real(constants.hit_variance_r_phi)) * per_r2);
  const Real variance_z = max(Real(0), c(2, 2) + Real(constants.hit_variance_z));
  const Real sigmas = Real(constants.window_sigmas);
  return {atan2(y, x), min(sigmas * sqrt(variance_phi), Real(constants.max_half_phi)),
          state.parameters(2), min(sigmas * sqrt(variance_z), Real(constants.max_half_z))};
}

/// Returns the point of a hit with its covariance.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION kalman::SpacePoint<Real> space_point(
    const search::BinnedHit<Real>& hit) {
  kalman::SpacePoint<Real> point{{{hit.x, hit.y, hit.z}}, {}};
  for (int e = 0; e < 6; ++e) point.covariance.elements[e] = hit.covariance[e];
  return point;
}

/// Returns chi2 of a hit with respect to a predicted state on its layer, in r phi and z. `updated`
/// marks the lanes whose hit is compatible: 0 <= chi2 < `max_chi2`, and the covariance of the
/// residual is regular.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION kalman::UpdateResult<Real> hit_chi2(
    const kalman::TrackState<Real>& state, const search::BinnedHit<Real>& hit,
    const Real& max_chi2) {
  const auto measured = kalman::measure_on_cylinder(space_point(hit), state.parameters);
  auto result = kalman::gain_of(state.covariance, measured, MaskOf<Real>(true), max_chi2).result;
  result.updated = result.updated && result.chi2 >= Real(0) && result.chi2 < max_chi2;
  return result;
}

/// Updates a state with the hit at a place, in the lanes of `where`; places of other lanes need not
/// be valid.
template <class Binned, class Real>
KOKKOS_FORCEINLINE_FUNCTION void update_with_hit(kalman::TrackState<Real>& state,
                                                 const Binned& binned, const IntegerOf<Real>& place,
                                                 const MaskOf<Real>& where) {
  if (none_of(where)) return;
  using Integer = IntegerOf<Real>;
  const auto hit = binned.template hit<Real>(select(where, place, Integer(0)));
  const auto measured = kalman::measure_on_cylinder(space_point(hit), state.parameters);
  kalman::gain_of(state.covariance, measured, where, kalman::no_limit<Real>())
      .update(state, measured.residual);
}

/// Calls `visit(place, chi2, accepted)` for the hits of a layer in the windows of the lanes of
/// `mask`, for each lane in the order of `search::for_each_hit_in`.
///
/// `events` is the event of each lane, `state` the state predicted on the layer; `accepted` marks
/// the lanes whose hit is compatible, see `hit_chi2`.
template <class Binned, class Real, class Visit>
KOKKOS_FORCEINLINE_FUNCTION void for_each_compatible_hit(
    const Binned& binned, int layer, const IntegerOf<Real>& events,
    const kalman::TrackState<Real>& state, const MaskOf<Real>& mask,
    const BuildTracksConstants<ScalarOf<Real>>& constants, const Visit& visit) {
  using Integer = IntegerOf<Real>;
  using Mask = MaskOf<Real>;
  const Real max_chi2 = Real(constants.max_chi2);
  detail::PlaceBuffer<Real> buffer;
  const auto compare = [&](const Integer& place, const Mask& exists) {
    const auto result = hit_chi2(state, binned.template hit<Real>(place), max_chi2);
    visit(place, result.chi2, exists && result.updated);
  };
  search::for_each_hit_in(binned, layer, events, window_of(state, constants), mask,
                          [&](const Integer& place, const auto& /*record*/, const Mask& inside) {
                            binned.prefetch(place);
                            buffer.add(place, inside);
                            if (buffer.full()) buffer.flush(compare);
                          });
  buffer.flush(compare);
}

/// Steps of track building on cylinders, one after the other: the same layer for all candidates.
template <class Binned, class Field, class T>
struct CylinderSearch {
  static constexpr bool own_layers = false;  ///< all candidates are on the same layer
  using Model = kalman::CentralTrack;        ///< meaning of the parameters of states
  /// State of a candidate.
  template <class Real>
  using State = kalman::TrackState<Real>;

  Binned binned;                            ///< hits
  tracks::BasicCylinderLayers<T> detector;  ///< radii, cm
  Field field;                              ///< B_z, T
  BuildTracksConstants<T> constants;        ///< cuts, windows and material

  /// Returns the number of the last step plus one; steps are layers.
  KOKKOS_FORCEINLINE_FUNCTION int steps() const { return detector.size; }
  /// Returns the layer before the step `first`.
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION int first_layer(const Tile<Real>&, int first) const {
    return first - 1;
  }
  /// Propagates states to the layer of a step, see `propagate_to_layer`, and sets `layer` to it.
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION void propagate(State<Real>& state, MaskOf<Real>& mask, int& layer,
                                             int step) const {
    layer = step;
    propagate_to_layer(state, mask, field, detector, layer, constants);
  }
  /// See the function of the same name.
  template <class Real, class Visit>
  KOKKOS_FORCEINLINE_FUNCTION void for_each_compatible_hit(int layer, const IntegerOf<Real>& events,
                                                           const State<Real>& state,
                                                           const MaskOf<Real>& mask,
                                                           const Visit& visit) const {
    candidates::for_each_compatible_hit(binned, layer, events, state, mask, constants, visit);
  }
  /// Returns the lanes in which a missing hit counts as a hole: all.
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION MaskOf<Real> expects_hit(int, const State<Real>&) const {
    return MaskOf<Real>(true);
  }
  /// Updates states with the hits at places, see `update_with_hit`.
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION void update(State<Real>& state, const IntegerOf<Real>& place,
                                          const MaskOf<Real>& where) const {
    update_with_hit(state, binned, place, where);
  }
};

}  // namespace trackplex::candidates
