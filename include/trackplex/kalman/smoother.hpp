// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Smoother of a fitted track, with its steps in memory that the caller provides.

#include <trackplex/kalman/fit.hpp>

#include <cstddef>

namespace trackplex::kalman {

/// Residual of a measurement with respect to the smoothed state.
/// @tparam M dimension of the measurement
template <class Number, int M>
struct SmoothedResidual {
  using Real = Number;            ///< number type of a kernel
  Vector<Real, M> residual;       ///< m - h(X_s)
  Symmetric<Real, M> covariance;  ///< V - H P_s Hᵀ if the fit used the measurement, else
                                  ///< V + H P_s Hᵀ
  MaskOf<Real> used;              ///< lanes whose fit used the measurement

  /// Returns component i over its standard deviation.
  KOKKOS_FORCEINLINE_FUNCTION Real pull(int i) const {
    return residual(i) / sqrt(covariance(i, i));
  }

  /// Goes from the predicted state and the covariance V to the smoothed state.
  /// @param projection H
  /// @param change smoothed minus predicted parameters
  /// @param smoothed P_s
  KOKKOS_FORCEINLINE_FUNCTION void move(const Matrix<Real, M, 6>& projection,
                                        const Vector<Real, 6>& change,
                                        const Covariance<Real>& smoothed) {
    subtract_product(residual, projection, change);
    const Symmetric<Real, M> projected = similarity(projection, smoothed);
    for (int e = 0; e < Symmetric<Real, M>::size; ++e)
      covariance.elements[e] += select(used, -projected.elements[e], projected.elements[e]);
  }
};

namespace detail {

/// Memory for the steps of a lane: number n is at `steps + n * Stride`, with the lanes side by
/// side.
template <class Real, int Stride>
struct SmootherMemory {
  ScalarOf<Real>* steps;

  template <class Elements>
  KOKKOS_FORCEINLINE_FUNCTION void put(int first, const Elements& elements) {
    for (int e = 0; e < Elements::size; ++e) store(place(first + e), elements.elements[e]);
  }
  template <class Elements>
  KOKKOS_FORCEINLINE_FUNCTION Elements get(int first) const {
    Elements elements;
    for (int e = 0; e < Elements::size; ++e) elements.elements[e] = load<Real>(place(first + e));
    return elements;
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION ScalarOf<Real>* place(int number) const {
    return steps + std::ptrdiff_t(number) * Stride;
  }
};

}  // namespace detail

/// Fit that stores its steps, so that the states on all layers can be smoothed: estimated from all
/// measurements of the track.
///
/// The backward pass is the fixed-interval smoother of Rauch, Tung and Striebel in the form of
/// Bryson and Frazier (G. Bierman, Automatica 9 (1973) 503), which needs no inverse of a
/// covariance: the covariances of states on a surface are singular. With C = 1 - K H and l = 0,
/// Lambda = 0 after the last layer, it computes on each layer, from the predicted X and P and the
/// Jacobian J from the previous layer:
/// \f[ l\leftarrow C^T l-H^T S^{-1} r,\qquad
///     \Lambda\leftarrow C^T\Lambda C+H^T S^{-1} H, \f]
/// \f[ X_s=X-Pl,\qquad P_s=P-P\Lambda P, \f]
/// \f[ l\leftarrow J^T l,\qquad\Lambda\leftarrow J^T\Lambda J. \f]
///
/// The steps are `numbers_per_layer` numbers for each layer and lane, in memory that the caller
/// provides: number n of layer i is at `steps + (i * numbers_per_layer + n) * Stride`, lanes side
/// by side. On devices the threads of a warp share a block of memory, with a Stride equal to
/// their number, so that they access neighbouring addresses.
///
/// @tparam M dimension of the measurements
/// @tparam Stride distance between the numbers of a lane
/// @tparam TheModel meaning of the last three parameters
template <class Number, int M, int Stride = width_of<Number>, TrackModel TheModel = CentralTrack>
class SmoothedFit {
  // Numbers of a step: predicted parameters from 0 on, and the first ones of the other parts
  static constexpr int symmetric = M * (M + 1) / 2;
  static constexpr int covariance_at = 6, jacobian_at = 27, projection_at = 63;
  static constexpr int gain_at = projection_at + 6 * M, residual_at = gain_at + 6 * M;
  static constexpr int error_at = residual_at + M, inverse_at = error_at + symmetric;
  static constexpr int used_at = inverse_at + symmetric;

 public:
  using Real = Number;                                   ///< number type of a kernel
  using T = ScalarOf<Real>;                              ///< type of the steps in memory
  using Model = TheModel;                                ///< meaning of the last three parameters
  static constexpr int dimension = M;                    ///< of the measurements
  static constexpr int stride = Stride;                  ///< between the numbers of a lane
  static constexpr int numbers_per_layer = used_at + 1;  ///< numbers of a step, for each lane

  /// Smoother whose steps are stored at `steps`, with memory for `max_layers` layers.
  KOKKOS_FUNCTION SmoothedFit(T* steps, int max_layers) : steps_{steps}, max_layers_(max_layers) {}

  /// Fits as `kalman::fit` does. With more than `max_layers` layers it does nothing: no lane counts
  /// as reached, and `layers()` is 0.
  template <class Field, LayersOfTracks<Real> Layers>
  KOKKOS_FUNCTION FitResult<Real> fit(TrackState<Real, Model>& state, const Field& field,
                                      const Layers& layers,
                                      const BasicFitOptions<T>& options = {}) {
    layers_ = 0;
    if (layers.size() > max_layers_) return detail::not_reached<Real>();
    layers_ = layers.size();
    charge_ = state.charge;
    return detail::fit(state, field, layers, options, *this);
  }

  /// Returns the number of layers of the last fit.
  KOKKOS_FUNCTION int layers() const { return layers_; }

  /// Calls `visit(i, state, residual)` for each layer from the last to the first, with the smoothed
  /// `TrackState` on the layer and its `SmoothedResidual`. Lanes that did not reach all layers are
  /// undefined.
  template <class Visit>
  KOKKOS_FUNCTION void smooth(const Visit& visit) const;

  /// Stores the Jacobian from the previous layer to layer i; called by the fit.
  template <class Jacobian>
  KOKKOS_FORCEINLINE_FUNCTION void transported(int i, const Jacobian& jacobian) {
    put(i, jacobian_at, as<Matrix<Real, 6, 6>>(jacobian));
  }
  /// Stores the predicted state, the measurement and the gain on layer i; called by the fit.
  template <class AnyMeasurement>
  KOKKOS_FORCEINLINE_FUNCTION void measured(int i, const TrackState<Real, Model>& predicted,
                                            const AnyMeasurement& measurement,
                                            const KalmanGain<Real, M>& k) {
    put(i, 0, predicted.parameters);
    put(i, covariance_at, predicted.covariance);
    put(i, projection_at, as<Matrix<Real, M, 6>>(measurement.projection));
    put(i, gain_at, k.gain);
    put(i, residual_at, measurement.residual);
    put(i, error_at, measurement.covariance);
    put(i, inverse_at, k.inverse);
    put(i, used_at, Vector<Real, 1>{{select(k.result.updated, Real(1), Real(0))}});
  }
  /// Called by the fit after the update; stores nothing.
  KOKKOS_FORCEINLINE_FUNCTION void updated(int, const KalmanGain<Real, M>&) const {}

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
  Real charge_;
};

template <class Number, int M, int Stride, TrackModel Model>
template <class Visit>
KOKKOS_FUNCTION void SmoothedFit<Number, M, Stride, Model>::smooth(const Visit& visit) const {
  Vector<Real, 6> l;
  Symmetric<Real, 6> big_l;
  for (auto& element : l.elements) element = Real(0);
  for (auto& element : big_l.elements) element = Real(0);
  for (int i = layers_ - 1; i >= 0; --i) {
    const MaskOf<Real> used = get<Vector<Real, 1>>(i, used_at)(0) > Real(0);
    const auto projection = get<Matrix<Real, M, 6>>(i, projection_at);
    SmoothedResidual<Real, M> residual{get<Vector<Real, M>>(i, residual_at),
                                       get<Symmetric<Real, M>>(i, error_at), used};
    const auto inverse = get<Symmetric<Real, M>>(i, inverse_at);
    auto used_projection = projection;  // of the rows that were used: gain and inverse are 0
                                        // elsewhere
    auto used_residual = residual.residual;
    for (auto& element : used_projection.elements) element = select(used, element, Real(0));
    for (auto& element : used_residual.elements) element = select(used, element, Real(0));
    const auto keep =
        IdentityMatrix<Real>{} - get<Matrix<Real, 6, M>>(i, gain_at) * used_projection;
    l = transposed(keep) * l;
    subtract_product(l, transposed(used_projection), inverse * used_residual);
    big_l = similarity(transposed(keep), big_l);
    add_similarity(big_l, transposed(used_projection), inverse);

    const auto predicted = get<Covariance<Real>>(i, covariance_at);
    Vector<Real, 6> change = predicted * l;
    for (auto& element : change.elements) element = -element;
    TrackState<Real, Model> smoothed;
    smoothed.charge = charge_;
    smoothed.parameters = get<Parameters<Real>>(i, 0);
    for (int p = 0; p < 6; ++p) smoothed.parameters(p) += change(p);
    smoothed.covariance = predicted - similarity(predicted, big_l);
    residual.move(projection, change, smoothed.covariance);
    visit(i, smoothed, residual);

    const auto jacobian = get<Matrix<Real, 6, 6>>(i, jacobian_at);
    l = transposed(jacobian) * l;
    big_l = similarity(transposed(jacobian), big_l);
  }
}

}  // namespace trackplex::kalman
