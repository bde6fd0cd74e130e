// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Kalman fit with square roots of covariances, see square_root.hpp.

#include <trackplex/kalman/fit.hpp>
#include <trackplex/kalman/square_root.hpp>

#include <type_traits>

namespace trackplex::kalman {

namespace detail {

/// Record of a fit that stores nothing.
struct NoRootRecord {
  KOKKOS_FORCEINLINE_FUNCTION void transported(int, const auto&, const auto&) const {}
  KOKKOS_FORCEINLINE_FUNCTION void measured(int, const auto&, const auto&, const auto&,
                                            const auto&) const {}
};

/// Parameters with the root of their covariance. Lanes without a valid start have no root: they
/// keep their covariance in its place, in the lower triangle, which takes no further registers.
template <class Real>
struct RootState {
  Parameters<Real> parameters;
  Matrix<Real, 6, 6> root;

  /// Puts the covariance in place of the root where `valid` is false.
  KOKKOS_FORCEINLINE_FUNCTION void keep_covariance(const MaskOf<Real>& valid,
                                                   const Covariance<Real>& covariance) {
    for (int i = 0; i < 6; ++i)
      for (int j = 0; j <= i; ++j) root(i, j) = select(valid, root(i, j), covariance(i, j));
  }
  /// Returns the covariance.
  KOKKOS_FORCEINLINE_FUNCTION Covariance<Real> covariance(const MaskOf<Real>& valid) const {
    auto result = square(root);
    for (int i = 0; i < 6; ++i)
      for (int j = 0; j <= i; ++j) result(i, j) = select(valid, result(i, j), root(i, j));
    return result;
  }
};

/// Root of the noise of a passage, in rows 3 to 5, the rows of the momentum.
template <class Passage>
KOKKOS_FORCEINLINE_FUNCTION auto noise_root(const Passage& passage) {
  using Real = typename Passage::Real;
  const auto noise = as<Symmetric<Real, 6>>(passage.noise);
  Symmetric<Real, 3> block;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j <= i; ++j) block(i, j) = noise(3 + i, 3 + j);
  const auto root = semidefinite_root(block);
  Matrix<Real, 6, 3, Pattern<6, 3>(". . .", ". . .", ". . .", "x . .", "x x .", "x x x")> rows;
  for (int e = 0; e < 6; ++e) rows.elements[e] = root.elements[e];
  return rows;
}

/// Propagates to the surface of layer i as `go_to_layer` does. With noise G = J N^(1/2) the root
/// becomes that of [J S, G].
template <class Real, class Model, class Field, class Layers, class Record>
KOKKOS_FORCEINLINE_FUNCTION void root_to_layer(int i, RootState<Real>& state, const Real& charge,
                                               const Field& field, const Layers& layers,
                                               const BasicFitOptions<ScalarOf<Real>>& options,
                                               const MaskOf<Real>& crossing,
                                               const MaterialBehind<Real, Model, Layers>& behind,
                                               FitProgress<Real>& progress, Record& record) {
  auto jacobian_of_lanes = as<Matrix<Real, 6, 6>>(IdentityMatrix<Real>{});
  Matrix<Real, 6, 3> noise;
  for (auto& element : noise.elements) element = Real(0);
  if (any_of(crossing))
    behind.pass(i, state.parameters, charge, layers, options, [&](const auto& passage) {
      constexpr bool noisy = requires { passage.noise; };
      RootState<Real> there = state;
      if constexpr (noisy) there.parameters = passage.parameters;
      const auto moved =
          transport_to<Model>(there.parameters, charge, field, layers.surface(i), options.steps);
      there.parameters = moved.parameters;
      const auto jacobian = as<Matrix<Real, 6, 6>>(moved.jacobian * passage.jacobian);
      there.root = jacobian * state.root;
      if constexpr (noisy) {
        noise = as<Matrix<Real, 6, 3>>(moved.jacobian * noise_root(passage));
        Matrix<Real, 6, 9> columns;
        put_block(columns, 0, 0, there.root);
        put_block(columns, 0, 6, noise);
        Vector<Real, 9> none;
        for (auto& element : none.elements) element = Real(0);
        LowerTriangle<Real, 6> root;
        Vector<Real, 6> ignored;
        triangularize(columns, none, root, ignored);
        there.root = as<Matrix<Real, 6, 6>>(root);
      }
      assign_where(crossing, jacobian, jacobian_of_lanes);
      for (auto& element : noise.elements) element = select(crossing, element, Real(0));
      progress.go_on(passage.passed || !crossing, moved.reached || !crossing);
      const auto moves = progress.reached && crossing;
      assign_where(moves, there.parameters, state.parameters);
      assign_where(moves && progress.valid_start, there.root, state.root);
    });
  record.transported(i, jacobian_of_lanes, noise);
}

template <class Real, class Model, class Field, class Layers, class Record>
KOKKOS_FORCEINLINE_FUNCTION FitResult<Real> square_root_fit(
    TrackState<Real, Model>& state, const Field& field, const Layers& layers,
    const BasicFitOptions<ScalarOf<Real>>& options, Record& record) {
  using Integer = IntegerOf<Real>;
  FitResult<Real> result;
  MaterialBehind<Real, Model, Layers> behind;
  RootState<Real> at{state.parameters, as<Matrix<Real, 6, 6>>(semidefinite_root(state.covariance))};
  FitProgress<Real> progress{is_valid_start(state.covariance) && is_finite(trace(square(at.root)))};
  at.keep_covariance(progress.valid_start, state.covariance);
  prefetch_layer(layers, 0);
  for (int i = 0; i < layers.size(); ++i) {
    prefetch_layer(layers, i + 1);
    const auto crossing = lanes_that_cross<Real>(layers, i);
    root_to_layer(i, at, state.charge, field, layers, options, crossing, behind, progress, record);
    const auto measurement = layers.measure(i, at.parameters);
    const auto wanted = layers.present(i) && progress.reached;
    constexpr int dimension = std::decay_t<decltype(measurement)>::dimension;
    const Whitened<Real, dimension> whitened(as<Matrix<Real, dimension, 6>>(measurement.projection),
                                             measurement.residual, measurement.covariance);
    const RootState<Real> predicted = at;
    const auto update = update_root(at.parameters, at.root, whitened,
                                    wanted && progress.valid_start, Real(options.max_chi2));
    const auto usable = whitened.regular || is_covariance(measurement.covariance);
    progress.invalid_hit = progress.invalid_hit || (wanted && !usable);
    record.measured(i, predicted, measurement, at.parameters, update.updated);
    result.chi2 += select(update.updated, update.chi2, Real(0));
    result.measurements += select(update.updated, measurement.count, Integer(0));
    result.outliers += select(wanted && !update.updated, Integer(1), Integer(0));
    behind.cross(i, at.parameters, layers, crossing);
  }
  assign_where(progress.valid_start, at.parameters, state.parameters);
  state.covariance = at.covariance(progress.valid_start);
  progress.finish(state.covariance, result);
  return result;
}

}  // namespace detail

/// Fits a track as `fit` does, with square roots of covariances: the covariances stay positive,
/// and the errors of a start may be very large even in single precision. It takes about twice the
/// time.
///
/// @tparam Field functor `field(x, y, z)`, see field_along_z.hpp
/// @tparam Layers layers with hits, see fit.hpp
template <class Real, class Model, class Field, LayersOfTracks<Real> Layers>
KOKKOS_FORCEINLINE_FUNCTION FitResult<Real> square_root_fit(
    TrackState<Real, Model>& state, const Field& field, const Layers& layers,
    const BasicFitOptions<ScalarOf<Real>>& options = {}) {
  detail::NoRootRecord none;
  return detail::square_root_fit(state, field, layers, options, none);
}

}  // namespace trackplex::kalman
