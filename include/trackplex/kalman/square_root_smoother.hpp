// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Smoother with square roots of covariances and information matrices.

#include <trackplex/kalman/smoother.hpp>
#include <trackplex/kalman/square_root_fit.hpp>

namespace trackplex::kalman {

namespace detail {

/// Information about the state on a layer: R x = z with errors of 1, N = Rᵀ, so that the
/// information matrix is N Nᵀ. x counts from the parameters of the fit.
template <class Real>
struct RootInformation {
  LowerTriangle<Real, 6> root;  ///< N
  Vector<Real, 6> right;        ///< z

  /// No information.
  KOKKOS_FORCEINLINE_FUNCTION RootInformation() {
    for (auto& element : root.elements) element = Real(0);
    for (auto& element : right.elements) element = Real(0);
  }
  /// Counts x from other parameters, smaller by `change`: z += R change.
  KOKKOS_FORCEINLINE_FUNCTION void move(const Vector<Real, 6>& change) {
    add_product(right, transposed(root), change);
  }
  /// Adds a measurement.
  template <int M>
  KOKKOS_FUNCTION void add(const Whitened<Real, M>& measurement) {
    Matrix<Real, 6, 6 + M> rows;
    Vector<Real, 6 + M> b;
    put_block(rows, 0, 0, as<Matrix<Real, 6, 6>>(root));
    put_block(rows, 0, 6, as<Matrix<Real, 6, M>>(transposed(measurement.projection)));
    for (int i = 0; i < 6; ++i) b(i) = right(i);
    for (int m = 0; m < M; ++m) b(6 + m) = measurement.residual(m);
    triangularize(rows, b, root, right);
  }
  /// Goes back from x to the state u before with x = J u + G w, where the elements of w are noise
  /// of variance 1: they are eliminated from R (J u + G w) = z and w = 0.
  KOKKOS_FUNCTION void go_back(const Matrix<Real, 6, 6>& jacobian,
                               const Matrix<Real, 6, 3>& noise) {
    Matrix<Real, 9, 9> rows;
    Vector<Real, 9> b;
    for (auto& element : rows.elements) element = Real(0);
    put_block(rows, 0, 3, as<Matrix<Real, 3, 6>>(transposed(noise) * root));
    put_block(rows, 3, 3, as<Matrix<Real, 6, 6>>(transposed(jacobian) * root));
    for (int i = 0; i < 3; ++i) {
      rows(i, i) = Real(1);
      b(i) = Real(0);
    }
    for (int i = 0; i < 6; ++i) b(3 + i) = right(i);
    LowerTriangle<Real, 9> all;
    Vector<Real, 9> z;
    triangularize(rows, b, all, z);
    for (int i = 0; i < 6; ++i) {
      right(i) = z(3 + i);
      for (int j = 0; j <= i; ++j) lower(root, i, j) = lower(all, 3 + i, 3 + j);
    }
  }
  /// Goes back without noise.
  KOKKOS_FUNCTION void go_back(const Matrix<Real, 6, 6>& jacobian) {
    auto rows = as<Matrix<Real, 6, 6>>(transposed(jacobian) * root);
    Vector<Real, 6> b = right;
    triangularize(rows, b, root, right);
  }
  /// Combines with a prediction X of root S: the parameters become X + S u and their covariance
  /// T Tᵀ, where u minimises |u|^2 + |R S u - z|^2 = |Lᵀ u - z'|^2 + ..., u = L⁻ᵀ z' and
  /// T = S L⁻ᵀ.
  KOKKOS_FUNCTION void combine(Parameters<Real>& parameters, const Matrix<Real, 6, 6>& s,
                               Covariance<Real>& covariance) const {
    Matrix<Real, 6, 12> rows;
    Vector<Real, 12> b;
    for (auto& element : rows.elements) element = Real(0);
    put_block(rows, 0, 6, as<Matrix<Real, 6, 6>>(transposed(s) * root));
    for (int i = 0; i < 6; ++i) {
      rows(i, i) = Real(1);
      b(i) = Real(0);
      b(6 + i) = right(i);
    }
    LowerTriangle<Real, 6> l;
    Vector<Real, 6> z;
    triangularize(rows, b, l, z);
    Matrix<Real, 6, 6> t = s;  // row by row, T Lᵀ = S
    for (int i = 0; i < 6; ++i) {
      const Real reciprocal = Real(1) / lower(l, i, i);
      for (int row = 0; row < 6; ++row) {
        for (int k = 0; k < i; ++k) t(row, i) = fma(-lower(l, i, k), t(row, k), t(row, i));
        t(row, i) *= reciprocal;
      }
    }
    add_product(parameters, t, z);
    covariance = square(t);
  }
};

}  // namespace detail

/// Fit that stores its steps and smooths them, as `SmoothedFit` does, with square roots of
/// covariances: for start states with very large errors, and for single precision.
///
/// Smoothed states combine the prediction, P = S Sᵀ, with the information N Nᵀ of the
/// measurements of the layer and of all later layers, which is transported back layer by layer:
/// \f[ P_s = S\,(1+S^T N N^T S)^{-1}\,S^T. \f]
/// No difference of covariances is formed, and all steps are orthogonal transformations of roots.
///
/// The steps in memory have the layout of `SmoothedFit`, with other numbers.
///
/// @tparam M dimension of the measurements
/// @tparam Stride distance between the numbers of a lane
/// @tparam TheModel meaning of the last three parameters
template <class Number, int M, int Stride = width_of<Number>, TrackModel TheModel = CentralTrack>
class SquareRootSmoothedFit {
  // Numbers of a step: predicted parameters from 0 on, and the first ones of the other parts
  static constexpr int symmetric = M * (M + 1) / 2;
  static constexpr int root_at = 6, jacobian_at = 42, noise_at = 78, change_at = 96;
  static constexpr int projection_at = 102, residual_at = projection_at + 6 * M;
  static constexpr int error_at = residual_at + M, used_at = error_at + symmetric;

 public:
  using Real = Number;                                   ///< number type of a kernel
  using T = ScalarOf<Real>;                              ///< type of the steps in memory
  using Model = TheModel;                                ///< meaning of the last three parameters
  static constexpr int dimension = M;                    ///< of the measurements
  static constexpr int stride = Stride;                  ///< between the numbers of a lane
  static constexpr int numbers_per_layer = used_at + 1;  ///< numbers of a step, for each lane

  /// Smoother whose steps are stored at `steps`, with memory for `max_layers` layers.
  KOKKOS_FUNCTION SquareRootSmoothedFit(T* steps, int max_layers)
      : steps_{steps}, max_layers_(max_layers) {}

  /// Fits as `square_root_fit` does. With more than `max_layers` layers it does
  /// nothing: no lane counts as reached, and `layers()` is 0.
  template <class Field, LayersOfTracks<Real> Layers>
  KOKKOS_FUNCTION FitResult<Real> fit(TrackState<Real, Model>& state, const Field& field,
                                      const Layers& layers,
                                      const BasicFitOptions<T>& options = {}) {
    layers_ = 0;
    if (layers.size() > max_layers_) return detail::not_reached<Real>();
    layers_ = layers.size();
    charge_ = state.charge;
    has_noise_ = detail::WithMaterial<Layers, Real>;
    return detail::square_root_fit(state, field, layers, options, *this);
  }

  /// Returns the number of layers of the last fit.
  KOKKOS_FUNCTION int layers() const { return layers_; }

  /// Calls `visit(i, state, residual)` for each layer from the last to the first, with the smoothed
  /// `TrackState` on the layer and its `SmoothedResidual`. Lanes that did not reach all layers are
  /// undefined.
  template <class Visit>
  KOKKOS_FUNCTION void smooth(const Visit& visit) const {
    detail::RootInformation<Real> information;
    for (int i = layers_ - 1; i >= 0; --i) {
      const MaskOf<Real> used = get<Vector<Real, 1>>(i, used_at)(0) > Real(0);
      const auto projection = get<Matrix<Real, M, 6>>(i, projection_at);
      SmoothedResidual<Real, M> residual{get<Vector<Real, M>>(i, residual_at),
                                         get<Symmetric<Real, M>>(i, error_at), used};
      detail::Whitened<Real, M> whitened(projection, residual.residual, residual.covariance);
      whitened.restrict_to(used);
      information.move(get<Vector<Real, 6>>(i, change_at));
      information.add(whitened);

      TrackState<Real, Model> smoothed;
      smoothed.charge = charge_;
      const auto predicted = get<Parameters<Real>>(i, 0);
      smoothed.parameters = predicted;
      information.combine(smoothed.parameters, get<Matrix<Real, 6, 6>>(i, root_at),
                          smoothed.covariance);
      residual.move(projection, smoothed.parameters - predicted, smoothed.covariance);
      visit(i, smoothed, residual);

      if (has_noise_)
        information.go_back(get<Matrix<Real, 6, 6>>(i, jacobian_at),
                            get<Matrix<Real, 6, 3>>(i, noise_at));
      else
        information.go_back(get<Matrix<Real, 6, 6>>(i, jacobian_at));
    }
  }

  /// Stores the Jacobian from the previous layer to layer i, and the root of the noise; called by
  /// the fit.
  KOKKOS_FORCEINLINE_FUNCTION void transported(int i, const Matrix<Real, 6, 6>& jacobian,
                                               const Matrix<Real, 6, 3>& noise) {
    put(i, jacobian_at, jacobian);
    put(i, noise_at, noise);
  }
  /// Stores the predicted state, the measurement and the fitted parameters on layer i; called by
  /// the fit.
  template <class AnyMeasurement>
  KOKKOS_FORCEINLINE_FUNCTION void measured(int i, const detail::RootState<Real>& predicted,
                                            const AnyMeasurement& measurement,
                                            const Parameters<Real>& fitted,
                                            const MaskOf<Real>& updated) {
    put(i, 0, predicted.parameters);
    put(i, root_at, predicted.root);
    put(i, change_at, fitted - predicted.parameters);
    put(i, projection_at, as<Matrix<Real, M, 6>>(measurement.projection));
    put(i, residual_at, measurement.residual);
    put(i, error_at, measurement.covariance);
    put(i, used_at, Vector<Real, 1>{{select(updated, Real(1), Real(0))}});
  }

 private:
  template <class Elements>
  KOKKOS_FORCEINLINE_FUNCTION void put(int i, int first, const Elements& elements) {
    steps_.put(i * numbers_per_layer + first, elements);
  }
  template <class Elements>
  KOKKOS_FORCEINLINE_FUNCTION Elements get(int i, int first) const {
    return steps_.template get<Elements>(i * numbers_per_layer + first);
  }

  detail::SmootherMemory<Real, Stride> steps_;
  int max_layers_;
  int layers_ = 0;
  bool has_noise_ = false;
  Real charge_;
};

}  // namespace trackplex::kalman
