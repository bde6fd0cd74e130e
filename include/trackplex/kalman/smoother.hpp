// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Smoother of a fitted track, in registers and local memory.

#include <trackplex/kalman/fit.hpp>

namespace trackplex::kalman {

/// Fit that stores its steps, so that the states on all layers can be smoothed: estimated from all
/// measurements of the track.
///
/// The backward pass is the fixed-interval smoother of Rauch, Tung and Striebel in the form of
/// Bryson and Frazier (G. Bierman, Automatica 9 (1973) 503), which needs no inverse of a
/// covariance: those of states on a surface are singular. With C = 1 - K H and l = 0, Lambda = 0
/// behind the last layer, it computes on each layer, from the predicted X and P and the Jacobian J
/// from the layer before:
/// \f[ l\leftarrow C^T l-H^T S^{-1} r,\qquad
///     \Lambda\leftarrow C^T\Lambda C+H^T S^{-1} H, \f]
/// \f[ X_s=X-Pl,\qquad P_s=P-P\Lambda P, \f]
/// \f[ l\leftarrow J^T l,\qquad\Lambda\leftarrow J^T\Lambda J. \f]
///
/// @tparam M dimension of the measurements
/// @tparam MaxLayers max number of layers; each takes 80 numbers (M = 2) per lane
template <class Number, int M, int MaxLayers>
class SmoothedFit {
 public:
  using Real = Number;  ///< number type of a kernel

  /// Fits as `kalman::fit` does. With more than MaxLayers layers it does nothing: no lane counts as
  /// reached, and `layers()` is 0.
  template <class Field, class Layers>
  KOKKOS_FUNCTION FitResult<Real> fit(TrackState<Real>& state, const Field& field,
                                      const Layers& layers, const FitOptions& options = {}) {
    layers_ = 0;
    if (layers.size() > MaxLayers) return {Real(0), 0, 0, false};
    layers_ = layers.size();
    return detail::fit(state, field, layers, options, *this);
  }

  /// Returns the number of layers of the last fit.
  KOKKOS_FUNCTION int layers() const { return layers_; }

  /// Calls `visit(i, state, residual)` for each layer from the last to the first, with the smoothed
  /// `TrackState` on it and its `SmoothedResidual`. Lanes that did not reach all layers are
  /// undefined.
  template <class Visit>
  KOKKOS_FUNCTION void smooth(const Visit& visit) const;

  /// Residual of a measurement with respect to the smoothed state.
  struct SmoothedResidual {
    Vector<Real, M> residual;       ///< m - h(X_s)
    Symmetric<Real, M> covariance;  ///< V - H P_s Hᵀ if the fit used the measurement, else
                                    ///< V + H P_s Hᵀ
    MaskOf<Real> used;              ///< lanes whose fit used the measurement

    /// Returns component i over its standard deviation.
    KOKKOS_FORCEINLINE_FUNCTION Real pull(int i) const {
      return residual(i) / sqrt(covariance(i, i));
    }
  };

  /// Stores the Jacobian from the layer before to layer i; called by the fit.
  template <class Jacobian>
  KOKKOS_FORCEINLINE_FUNCTION void transported(int i, const Jacobian& jacobian) {
    steps_[i].jacobian = as<Matrix<Real, 6, 6>>(jacobian);
  }
  /// Stores the predicted state, the measurement and the gain on layer i; called by the fit.
  template <class AnyMeasurement>
  KOKKOS_FORCEINLINE_FUNCTION void measured(int i, const TrackState<Real>& predicted,
                                            const AnyMeasurement& measurement,
                                            const KalmanGain<Real, M>& k) {
    auto& step = steps_[i];
    step.predicted = predicted;
    step.residual = measurement.residual;
    step.projection = as<Matrix<Real, M, 6>>(measurement.projection);
    step.covariance = measurement.covariance;
    step.inverse = k.inverse;
    step.gain = k.gain;
    step.used = k.result.updated;
  }

 private:
  struct Step {
    TrackState<Real> predicted;
    Matrix<Real, 6, 6> jacobian;  ///< from the layer before
    Matrix<Real, M, 6> projection;
    Matrix<Real, 6, M> gain;
    Vector<Real, M> residual;
    Symmetric<Real, M> covariance, inverse;
    MaskOf<Real> used;
  };
  Step steps_[MaxLayers];
  int layers_ = 0;
};

template <class Number, int M, int MaxLayers>
template <class Visit>
KOKKOS_FUNCTION void SmoothedFit<Number, M, MaxLayers>::smooth(const Visit& visit) const {
  Vector<Real, 6> l;
  Symmetric<Real, 6> big_l;
  for (auto& element : l.elements) element = Real(0);
  for (auto& element : big_l.elements) element = Real(0);
  for (int i = layers_ - 1; i >= 0; --i) {
    const Step& step = steps_[i];
    auto projection = step.projection;  // of what was used: gain and inverse are 0 elsewhere
    auto used_residual = step.residual;
    for (auto& element : projection.elements) element = select(step.used, element, Real(0));
    for (auto& element : used_residual.elements) element = select(step.used, element, Real(0));
    const auto keep = IdentityMatrix<Real>{} - step.gain * projection;
    l = transposed(keep) * l;
    subtract_product(l, transposed(projection), step.inverse * used_residual);
    big_l = similarity(transposed(keep), big_l);
    add_similarity(big_l, transposed(projection), step.inverse);

    TrackState<Real> smoothed = step.predicted;
    const Vector<Real, 6> change = smoothed.covariance * l;
    for (int p = 0; p < 6; ++p) smoothed.parameters(p) -= change(p);
    smoothed.covariance = step.predicted.covariance - similarity(step.predicted.covariance, big_l);

    SmoothedResidual residual{step.residual, step.covariance, step.used};
    add_product(residual.residual, step.projection, change);
    const Symmetric<Real, M> projected = similarity(step.projection, smoothed.covariance);
    for (int e = 0; e < Symmetric<Real, M>::size; ++e)
      residual.covariance.elements[e] +=
          select(step.used, -projected.elements[e], projected.elements[e]);
    visit(i, smoothed, residual);

    l = transposed(step.jacobian) * l;
    big_l = similarity(transposed(step.jacobian), big_l);
  }
}

}  // namespace trackplex::kalman
