// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Kalman fit of a track: propagation and update layer by layer, with the state in registers.
///
/// The type `Layers` is the caller's. It describes the layers 0 to size() - 1 of a track, or of a
/// tile of tracks, in the order of the fit:
///
///     int size() const;
///     surface(i)       a Cylinder, ZPlane or Plane, the same type for all layers
///     present(i)       mask of the lanes that have a measurement on the layer
///     measure(i, X)    the Measurement, linearised about the parameters X; lanes without one may
///                      hold any value
///     material(i)      optional: the ThinLayer that a track crosses after the update, or its
///                      LayerConstants

#include <trackplex/kalman/material.hpp>
#include <trackplex/kalman/propagation.hpp>
#include <trackplex/kalman/update.hpp>

#include <concepts>
#include <limits>
#include <type_traits>

namespace trackplex::kalman {

/// Options of a fit.
/// @tparam T scalar of its numbers
template <class T>
struct BasicFitOptions {
  T max_chi2 = std::numeric_limits<T>::infinity();  ///< of a measurement that is used; above, it is
                                                    ///< an outlier
  int steps = 1;          ///< helices from layer to layer; more than one for a non-uniform field
  T mass = T(pion_mass);  ///< mass of the particle for the effects of material, GeV
  bool along = true;      ///< true: the fit follows the momentum, and particles lose energy;
                          ///< false: against it, and the energy is given back

  /// Rounds the numbers to another scalar.
  template <class To>
  KOKKOS_FUNCTION constexpr operator BasicFitOptions<To>() const {
    return {To(max_chi2), steps, To(mass), along};
  }
};
/// Options of a fit, as users give them; they convert to those of kernels.
using FitOptions = BasicFitOptions<double>;

/// Result of a fit, of each lane.
template <class Number>
struct FitResult {
  using Real = Number;               ///< number type of a kernel
  Real chi2 = Real(0);               ///< sum over the measurements that were used
  IntegerOf<Real> measurements = 0;  ///< numbers that were used: two for a 2-dimensional hit
  IntegerOf<Real> outliers = 0;      ///< measurements above `FitOptions::max_chi2`, or with a
                                     ///< singular covariance of the residual
  MaskOf<Real> reached = true;       ///< false: a layer was not reached or the particle stopped,
                                     ///< and the state is the last one before; or the covariance
                                     ///< at the end is not finite
};

namespace detail {

template <class Layers, class Real>
concept WithMaterial = requires(const Layers& layers) {
  { layers.material(0) } -> std::convertible_to<LayerConstants<ScalarOf<Real>>>;
};

/// Record of a fit that keeps nothing.
struct NoRecord {
  KOKKOS_FORCEINLINE_FUNCTION void transported(int, const auto&) const {}
  KOKKOS_FORCEINLINE_FUNCTION void measured(int, const auto&, const auto&, const auto&) const {}
};

/// Propagates from the surface of the layer before to that of layer i. Lost lanes keep their state.
template <class Real, class Field, class Layers, class Record>
KOKKOS_FORCEINLINE_FUNCTION void go_to_layer(int i, TrackState<Real>& state, const Field& field,
                                             const Layers& layers,
                                             const BasicFitOptions<ScalarOf<Real>>& options,
                                             MaskOf<Real>& reached, Record& record) {
  TrackState<Real> there = state;
  const auto go = [&](const auto& jacobian_before) {
    const auto moved =
        transport(there.parameters, state.charge, field, layers.surface(i), options.steps);
    record.transported(i, moved.jacobian * jacobian_before);
    there.parameters = moved.parameters;
    there.covariance = as<Covariance<Real>>(similarity(moved.jacobian, there.covariance));
    reached = reached && moved.reached;
    state = select(reached, there, state);
  };
  if constexpr (WithMaterial<Layers, Real>) {
    if (i > 0 && layers.material(i - 1).thickness > 0) {
      const auto passage = pass_layer(state.parameters, state.charge, layers.material(i - 1),
                                      layers.surface(i - 1), options.mass, options.along);
      passage.apply(there);
      reached = reached && passage.passed;
      return go(passage.jacobian);
    }
  }
  go(IdentityMatrix<Real>{});
}

template <class Real, class Field, class Layers, class Record>
KOKKOS_FORCEINLINE_FUNCTION FitResult<Real> fit(TrackState<Real>& state, const Field& field,
                                                const Layers& layers,
                                                const BasicFitOptions<ScalarOf<Real>>& options,
                                                Record& record) {
  using Integer = IntegerOf<Real>;
  FitResult<Real> result;
  for (int i = 0; i < layers.size(); ++i) {
    go_to_layer(i, state, field, layers, options, result.reached, record);
    const auto measurement = layers.measure(i, state.parameters);
    const auto wanted = layers.present(i) && result.reached;
    const TrackState<Real> predicted = state;
    constexpr int dimension = std::decay_t<decltype(measurement)>::dimension;
    const KalmanGain<Real, dimension> k(state.covariance, measurement, wanted,
                                        Real(options.max_chi2));
    k.move(state.parameters, measurement.residual);
    subtract_product(state.covariance, k.gain, transposed(k.covariance_projection));
    record.measured(i, predicted, measurement, k);
    const auto updated = k.result.updated;
    result.chi2 += select(updated, k.result.chi2, Real(0));
    result.measurements += select(updated, Integer(dimension), Integer(0));
    result.outliers += select(wanted && !updated, Integer(1), Integer(0));
  }
  const auto& c = state.covariance;
  const Real trace = c(0, 0) + c(1, 1) + c(2, 2) + c(3, 3) + c(4, 4) + c(5, 5);
  result.reached = result.reached && is_finite(trace);
  return result;
}

}  // namespace detail

/// Fits a track: `state` is on input the start before the first layer, whose covariance gives its
/// weight, and on output the state at the last layer.
///
/// On each layer in turn: material of the layer before, propagation, measurement, update. chi2 has
/// as many degrees of freedom as numbers were measured. A device function; `fit_tracks` launches it
/// for many tracks.
///
/// @tparam Field functor `field(x, y, z)`, see field.hpp
/// @tparam Layers layers with hits, see fit.hpp
template <class Real, class Field, class Layers>
KOKKOS_FORCEINLINE_FUNCTION FitResult<Real> fit(
    TrackState<Real>& state, const Field& field, const Layers& layers,
    const BasicFitOptions<ScalarOf<Real>>& options = {}) {
  detail::NoRecord none;
  return detail::fit(state, field, layers, options, none);
}

}  // namespace trackplex::kalman
