// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// The track fit: layer by layer, propagate and update, the state in registers.
///
/// `Layers` is the caller's: what a fit needs to know of layers 0 to size() - 1, in the order of
/// the fit.
///   int size() const;
///   surface(i)            a Cylinder, ZPlane or Plane
///   present(i)            mask of the lanes that have a measurement there
///   measure(i, X)         the measurement, made linear about the parameters X; anything in lanes
///                         that have none
///   material(i)           a ThinLayer, if layers have material: it is crossed after the update

#include <trackplex/kalman/material.hpp>
#include <trackplex/kalman/propagation.hpp>
#include <trackplex/kalman/update.hpp>

#include <concepts>
#include <limits>
#include <type_traits>

namespace trackplex::kalman {

struct FitOptions {
  double max_chi2 = std::numeric_limits<double>::infinity();  ///< of a measurement that is not left
                                                              ///< out as an outlier
  int steps = 1;            ///< helices from layer to layer, where the field is not uniform
  double mass = pion_mass;  ///< GeV, for material
  bool along = true;        ///< the fit follows the momentum, rather than goes against it
};

/// Result of a fit, per lane.
template <class Number>
struct FitResult {
  using Real = Number;
  Real chi2 = Real(0);               ///< of the measurements that were used
  IntegerOf<Real> measurements = 0;  ///< numbers that were used: two for a 2-dimensional hit
  IntegerOf<Real> outliers = 0;      ///< measurements that were left out for their chi2
  MaskOf<Real> reached = true;       ///< false: a layer was not reached, or the particle stopped:
                                     ///< the state is the last one before; or the covariance is
                                     ///< not finite
};

namespace detail {

template <class Layers>
concept WithMaterial = requires(const Layers& layers) {
  { layers.material(0) } -> std::convertible_to<ThinLayer>;
};

/// Does nothing with what a fit went through.
struct NoRecord {
  KOKKOS_FORCEINLINE_FUNCTION void transported(int, const auto&) const {}
  KOKKOS_FORCEINLINE_FUNCTION void measured(int, const auto&, const auto&, const auto&) const {}
};

/// From the surface of the layer before to that of layer i. Lanes that are lost stay behind.
template <class Real, class Field, class Layers, class Record>
KOKKOS_FORCEINLINE_FUNCTION void go_to_layer(int i, TrackState<Real>& state, const Field& field,
                                             const Layers& layers, const FitOptions& options,
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
  if constexpr (WithMaterial<Layers>) {
    if (i > 0 && layers.material(i - 1).thickness > 0.) {
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
                                                const Layers& layers, const FitOptions& options,
                                                Record& record) {
  using Integer = IntegerOf<Real>;
  using T = ScalarOf<Real>;
  FitResult<Real> result;
  for (int i = 0; i < layers.size(); ++i) {
    go_to_layer(i, state, field, layers, options, result.reached, record);
    const auto measurement = layers.measure(i, state.parameters);
    const auto wanted = layers.present(i) && result.reached;
    const TrackState<Real> predicted = state;
    constexpr int dimension = std::decay_t<decltype(measurement)>::dimension;
    const KalmanGain<Real, dimension> k(state.covariance, measurement, wanted,
                                        Real(T(options.max_chi2)));
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

/// Fits a track, from a state before the first layer (which gives the start, and with its
/// covariance the weight of that) to the state at the last layer.
template <class Real, class Field, class Layers>
KOKKOS_FORCEINLINE_FUNCTION FitResult<Real> fit(TrackState<Real>& state, const Field& field,
                                                const Layers& layers,
                                                const FitOptions& options = {}) {
  detail::NoRecord none;
  return detail::fit(state, field, layers, options, none);
}

}  // namespace trackplex::kalman
