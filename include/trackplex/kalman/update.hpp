// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/kalman/measurement.hpp>
#include <trackplex/matriplex/cholesky.hpp>
#include <trackplex/matriplex/inverse.hpp>

namespace trackplex::kalman {

/// What came of an update, per lane.
template <class Real>
struct UpdateResult {
  Real chi2;            ///< rᵀ S⁻¹ r of the predicted residual; 0 where it did not work
  MaskOf<Real> worked;  ///< false where S is singular: nothing was changed there
};

namespace detail {

/// The inverse of a symmetric matrix, 0 where that is singular or not wanted.
template <class Real, int M>
KOKKOS_FORCEINLINE_FUNCTION MaskOf<Real> invert_or_zero(const Symmetric<Real, M>& a,
                                                        MaskOf<Real> wanted,
                                                        Symmetric<Real, M>& inverse) {
  Symmetric<Real, M> result{};
  for (auto& element : result.elements) element = Real(0);
  MaskOf<Real> worked;
  if constexpr (M <= 3)
    worked = wanted && invert(a, result);
  else
    worked = wanted && Cholesky<Real, M>(a).invert(result);
  for (int i = 0; i < Symmetric<Real, M>::size; ++i)
    inverse.elements[i] = select(worked, result.elements[i], Real(0));
  return worked;
}

/// rᵀ A r
template <class Real, int M>
KOKKOS_FORCEINLINE_FUNCTION Real quadratic_form(const Vector<Real, M>& r,
                                                const Symmetric<Real, M>& a) {
  return similarity(transposed(r), a).elements[0];
}

/// What both forms of the update have in common.
template <class Real, int M>
struct Gain {
  Matrix<Real, 6, M> covariance_projection;  ///< P Hᵀ
  Symmetric<Real, M> inverse;                ///< S⁻¹, S = H P Hᵀ + V; 0 where it did not work
  MaskOf<Real> worked;

  template <Pattern<M, 6> P>
  KOKKOS_FORCEINLINE_FUNCTION Gain(const TrackState<Real>& state, const Measurement<Real, M, P>& m,
                                   MaskOf<Real> where) {
    covariance_projection = as<Matrix<Real, 6, M>>(state.covariance * transposed(m.projection));
    Symmetric<Real, M> s = m.covariance;
    add_product(s, m.projection, covariance_projection);
    worked = invert_or_zero(s, where, inverse);
  }

  /// K = P Hᵀ S⁻¹, X += K r; returns chi2.
  KOKKOS_FORCEINLINE_FUNCTION Real apply(const Vector<Real, M>& residual, Matrix<Real, 6, M>& gain,
                                         Parameters<Real>& parameters) const {
    Vector<Real, M> r;
    for (int i = 0; i < M; ++i) r.elements[i] = select(worked, residual.elements[i], Real(0));
    gain = covariance_projection * inverse;
    add_product(parameters, gain, r);
    return quadratic_form(r, inverse);
  }
};

}  // namespace detail

/// chi2 = rᵀ (H P Hᵀ + V)⁻¹ r of a measurement, without the update.
template <class Real, int M, Pattern<M, 6> P>
[[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION UpdateResult<Real> chi2(
    const TrackState<Real>& state, const Measurement<Real, M, P>& measurement) {
  Symmetric<Real, M> s = measurement.covariance, inverse;
  const auto projected =
      as<Matrix<Real, 6, M>>(state.covariance * transposed(measurement.projection));
  add_product(s, measurement.projection, projected);
  const auto worked = detail::invert_or_zero(s, MaskOf<Real>(true), inverse);
  return {detail::quadratic_form(measurement.residual, inverse), worked};
}

/// The Kalman update in its gain form, X += K r, P -= K (P Hᵀ)ᵀ with K = P Hᵀ S⁻¹,
/// S = H P Hᵀ + V, in the lanes of `where`.
template <class Real, int M, Pattern<M, 6> P>
KOKKOS_FORCEINLINE_FUNCTION UpdateResult<Real> update(TrackState<Real>& state,
                                                      const Measurement<Real, M, P>& measurement,
                                                      MaskOf<Real> where = true) {
  const detail::Gain<Real, M> gain(state, measurement, where);
  Matrix<Real, 6, M> k;
  const Real chi2 = gain.apply(measurement.residual, k, state.parameters);
  subtract_product(state.covariance, k, transposed(gain.covariance_projection));
  return {chi2, gain.worked};
}

/// The same in Joseph's form, P = (1 - K H) P (1 - K H)ᵀ + K V Kᵀ: more work, and P stays positive
/// where rounding could make that of the gain form negative.
template <class Real, int M, Pattern<M, 6> P>
KOKKOS_FORCEINLINE_FUNCTION UpdateResult<Real> update_joseph(
    TrackState<Real>& state, const Measurement<Real, M, P>& measurement,
    MaskOf<Real> where = true) {
  const detail::Gain<Real, M> gain(state, measurement, where);
  Matrix<Real, 6, M> k;
  const Real chi2 = gain.apply(measurement.residual, k, state.parameters);
  const Matrix<Real, 6, 6, Pattern<6, 6>::identity()> one{};
  const auto keep = one - k * measurement.projection;
  auto covariance = as<Covariance<Real>>(similarity(keep, state.covariance));
  add_similarity(covariance, k, measurement.covariance);
  state.covariance = covariance;
  return {chi2, gain.worked};
}

}  // namespace trackplex::kalman
