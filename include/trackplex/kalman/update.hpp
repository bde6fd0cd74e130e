// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Kalman update of a track state with a measurement of 1 to 6 numbers (R. Frühwirth, Nucl.
/// Instrum. Meth. A 262 (1987) 444), and its chi2.

#include <trackplex/kalman/covariance.hpp>
#include <trackplex/kalman/measurement.hpp>
#include <trackplex/matriplex/cholesky.hpp>
#include <trackplex/matriplex/inverse.hpp>

#include <limits>

namespace trackplex::kalman {

/// Result of an update, of each lane.
template <class Real>
struct UpdateResult {
  Real chi2;  ///< rᵀ S⁻¹ r of the predicted residual, S = H P Hᵀ + V; 0 if S is singular
  MaskOf<Real> updated;          ///< lanes whose state has changed
  MaskOf<Real> invalid = false;  ///< lanes whose P or V is no covariance, see covariance.hpp
};

/// Kalman gain K = P Hᵀ S⁻¹ of a measurement, with S = H P Hᵀ + V. All three matrices are 0 in
/// lanes that are not updated.
/// @tparam M dimension of the measurement, 1 to 6
template <class Number, int M>
struct KalmanGain {
  using Real = Number;                       ///< number type of a kernel
  Matrix<Real, 6, M> covariance_projection;  ///< P Hᵀ
  Symmetric<Real, M> inverse;                ///< S⁻¹
  Matrix<Real, 6, M> gain;                   ///< K = P Hᵀ S⁻¹
  UpdateResult<Real> result;                 ///< chi2, and the lanes to be updated

  /// Computes the gain for a state with this covariance, in the lanes of `where` with a regular S
  /// and a chi2 of at most `max_chi2`. P and V are not checked.
  template <Pattern<M, 6> P>
  KOKKOS_FORCEINLINE_FUNCTION KalmanGain(const Covariance<Real>& covariance,
                                         const Measurement<Real, M, P>& measurement,
                                         MaskOf<Real> where, const Real& max_chi2) {
    covariance_projection = as<Matrix<Real, 6, M>>(covariance * transposed(measurement.projection));
    Symmetric<Real, M> s = measurement.covariance;
    add_product(s, measurement.projection, covariance_projection);
    for (auto& element : inverse.elements) element = Real(0);
    const auto regular = invert(s);
    result.chi2 = similarity(transposed(measurement.residual), inverse).elements[0];
    result.updated = where && regular && result.chi2 <= max_chi2;
    // Lanes without an update add nothing, whatever values they hold.
    for (auto& element : inverse.elements) element = select(result.updated, element, Real(0));
    for (auto& element : covariance_projection.elements)
      element = select(result.updated, element, Real(0));
    gain = covariance_projection * inverse;
  }

  /// Updates a state in the gain form: X += K r, P -= K (P Hᵀ)ᵀ.
  template <class Model>
  KOKKOS_FORCEINLINE_FUNCTION void update(TrackState<Real, Model>& state,
                                          const Vector<Real, M>& residual) const {
    move(state.parameters, residual);
    subtract_product(state.covariance, gain, transposed(covariance_projection));
  }

  /// Updates the parameters: X += K r.
  KOKKOS_FORCEINLINE_FUNCTION void move(Parameters<Real>& parameters,
                                        const Vector<Real, M>& residual) const {
    Vector<Real, M> r = residual;
    for (auto& element : r.elements) element = select(result.updated, element, Real(0));
    add_product(parameters, gain, r);
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION MaskOf<Real> invert(const Symmetric<Real, M>& s) {
    if constexpr (M <= 3)
      return trackplex::invert(s, inverse);
    else
      return Cholesky<Real, M>(s).invert(inverse);
  }
};

/// Returns the gain of a measurement. P and V are not checked. (nvcc cannot deduce the arguments of
/// `KalmanGain` itself.)
template <class Real, int M, Pattern<M, 6> P>
KOKKOS_FORCEINLINE_FUNCTION KalmanGain<Real, M> gain_of(const Covariance<Real>& covariance,
                                                        const Measurement<Real, M, P>& measurement,
                                                        const MaskOf<Real>& where,
                                                        const Real& max_chi2) {
  return KalmanGain<Real, M>(covariance, measurement, where, max_chi2);
}

namespace detail {

template <class T>
inline constexpr T infinite = std::numeric_limits<T>::infinity();

/// Returns the lanes in which V is a covariance. A measurement of more than three numbers is a
/// state.
template <class Real, int M, Pattern<M, 6> P>
KOKKOS_FORCEINLINE_FUNCTION MaskOf<Real> is_valid(const Measurement<Real, M, P>& measurement) {
  if constexpr (M <= 3)
    return is_covariance(measurement.covariance);
  else
    return is_covariance(measurement.covariance, CovarianceTolerance<ScalarOf<Real>>::correlation);
}

/// Returns the gain in the lanes of `where` with valid P and V.
template <class Real, int M, Pattern<M, 6> P>
KOKKOS_FORCEINLINE_FUNCTION KalmanGain<Real, M> checked_gain(
    const Covariance<Real>& covariance, const Measurement<Real, M, P>& measurement,
    const MaskOf<Real>& where, const Real& max_chi2) {
  const auto valid = is_state_covariance(covariance) && is_valid(measurement);
  KalmanGain<Real, M> k(covariance, measurement, where && valid, max_chi2);
  k.result.invalid = where && !valid;
  return k;
}

}  // namespace detail

/// Returns the max chi2 that accepts any measurement: infinity.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION Real no_limit() {
  return Real(detail::infinite<ScalarOf<Real>>);
}

/// Returns chi2 = rᵀ S⁻¹ r of a measurement without updating the state; 0 if S is singular.
template <class Real, class Model, int M, Pattern<M, 6> P>
[[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION Real chi2(const TrackState<Real, Model>& state,
                                                    const Measurement<Real, M, P>& measurement) {
  const KalmanGain<Real, M> gain(state.covariance, measurement, false, no_limit<Real>());
  return gain.result.chi2;
}

/// Updates a state with a measurement, in the gain form: X += K r, P -= K (P Hᵀ)ᵀ.
///
/// Only lanes of `where` with valid covariances P and V (see covariance.hpp), a regular S and chi2
/// up to `max_chi2` change.
template <class Real, class Model, int M, Pattern<M, 6> P>
KOKKOS_FORCEINLINE_FUNCTION UpdateResult<Real> update(TrackState<Real, Model>& state,
                                                      const Measurement<Real, M, P>& measurement,
                                                      MaskOf<Real> where = true,
                                                      Real max_chi2 = no_limit<Real>()) {
  const auto k = detail::checked_gain(state.covariance, measurement, where, max_chi2);
  k.update(state, measurement.residual);
  return k.result;
}

/// Updates a state as `update` does, with the covariance in Joseph's form:
/// P = (1 - K H) P (1 - K H)ᵀ + K V Kᵀ. It costs more, and P stays positive where rounding could
/// make the P of the gain form negative.
template <class Real, class Model, int M, Pattern<M, 6> P>
KOKKOS_FORCEINLINE_FUNCTION UpdateResult<Real> update_joseph(
    TrackState<Real, Model>& state, const Measurement<Real, M, P>& measurement,
    MaskOf<Real> where = true, Real max_chi2 = no_limit<Real>()) {
  const auto k = detail::checked_gain(state.covariance, measurement, where, max_chi2);
  k.move(state.parameters, measurement.residual);
  const auto keep = IdentityMatrix<Real>{} - k.gain * measurement.projection;
  auto covariance = as<Covariance<Real>>(similarity(keep, state.covariance));
  add_similarity(covariance, k.gain, measurement.covariance);
  assign_where(k.result.updated, covariance, state.covariance);
  return k.result;
}

}  // namespace trackplex::kalman
