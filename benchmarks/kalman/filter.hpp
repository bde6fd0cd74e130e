// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// What the filters of p2z and p2r have in common: the records, and the update.

#include <trackplex/core/math.hpp>
#include <trackplex/kalman/measurement.hpp>
#include <trackplex/matriplex/inverse.hpp>

namespace trackplex::benchmarks {

/// Components of a track: 6 parameters, 21 elements of the covariance, the charge.
inline constexpr int covariance_begin = 6, charge_component = 27, track_components = 28;
/// Of a hit: the position, 6 elements of its covariance.
inline constexpr int hit_components = 9;

/// Curvature 1/k of a track's projection is q ipt / this: 100 / (-c B), cm/GeV, with B = 3.8112 T.
template <class Scalar>
inline constexpr Scalar radius_per_pt = Scalar(100. / (-0.299792458 * 3.8112));

template <class Real>
struct FittedTrack {
  kalman::Parameters<Real> parameters;
  kalman::Covariance<Real> covariance;
  Real charge;
};

template <class Records>
KOKKOS_FORCEINLINE_FUNCTION auto load_track(const Records& records) {
  using Real = decltype(records.load(0));
  FittedTrack<Real> track;
  detail::for_each_index<6>(
      [&]<int I>() TRACKPLEX_INLINE_LAMBDA { track.parameters.elements[I] = records.load(I); });
  detail::for_each_index<21>([&]<int I>() TRACKPLEX_INLINE_LAMBDA {
    track.covariance.elements[I] = records.load(covariance_begin + I);
  });
  track.charge = records.load(charge_component);
  return track;
}

/// Writes a state whose covariance may have known elements.
template <class Records, class Real, SymmetricOperand P>
KOKKOS_FORCEINLINE_FUNCTION void store_track(const Records& records,
                                             const kalman::Parameters<Real>& parameters,
                                             const P& covariance, const Real& charge) {
  detail::for_each_index<6>(
      [&]<int I>() TRACKPLEX_INLINE_LAMBDA { records.store(I, parameters.elements[I]); });
  constexpr auto dense = SymmetricPattern<6>::dense();
  detail::for_each_free<dense>([&]<int I, int J>() TRACKPLEX_INLINE_LAMBDA {
    records.store(covariance_begin + dense.index(I, J), covariance.template get<I, J>());
  });
  records.store(charge_component, charge);
}

template <class Records>
KOKKOS_FORCEINLINE_FUNCTION auto load_hit(const Records& records) {
  using Real = decltype(records.load(0));
  kalman::SpacePoint<Real> hit;
  detail::for_each_index<3>(
      [&]<int I>() TRACKPLEX_INLINE_LAMBDA { hit.position.elements[I] = records.load(I); });
  detail::for_each_index<6>(
      [&]<int I>() TRACKPLEX_INLINE_LAMBDA { hit.covariance.elements[I] = records.load(3 + I); });
  return hit;
}

/// The update in its gain form, for a covariance with known zeros: X += K r, P -= K (P Hᵀ)ᵀ with
/// K = P Hᵀ S⁻¹ and S = H P Hᵀ + V. Where S is singular nothing changes.
template <class Real, SymmetricPattern<6> C, Pattern<2, 6> H>
KOKKOS_FORCEINLINE_FUNCTION void update(kalman::Parameters<Real>& x, Symmetric<Real, 6, C>& p,
                                        const kalman::Measurement<Real, 2, H>& m) {
  const auto pht = p * transposed(m.projection);
  Symmetric<Real, 2> s = m.covariance, inverse{};
  add_product(s, m.projection, pht);
  for (auto& element : inverse.elements) element = Real(0);
  [[maybe_unused]] const auto worked = invert(s, inverse);
  const auto gain = pht * inverse;
  add_product(x, gain, m.residual);
  subtract_product(p, gain, transposed(pht));
}

/// `sincos` with fewer operations where all lanes are within pi/4: the same bits, as the reduction
/// of such an angle leaves it as it is.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION SinCos<Real> sincos_mostly_small(const Real& x) {
  using T = ScalarOf<Real>;
  if (all_of(abs(x) <= Real(T(0.78)))) {
    const Real z = x * x;
    const auto p = trackplex::detail::sincos_polynomials(z);
    return {fma(z * p.sin, x, x), fma(z * z, p.cos, fma(z, Real(T(-0.5)), Real(1)))};
  }
  return sincos(x);
}

}  // namespace trackplex::benchmarks
