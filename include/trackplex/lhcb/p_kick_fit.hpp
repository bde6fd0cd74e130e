// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Fits of UT hits behind a VELO track. The magnet in between is one kick in x (p-kick) at z =
/// ut_z_kink; the track is straight before and behind it. Formulas: P. Fernandez Declara et al.,
/// "A parallel-computing algorithm for high-energy physics particle tracking and decoding using GPU
/// architectures" (Compass), and LHCb's code of 2020 for the second fit.

#include <trackplex/core/math.hpp>
#include <trackplex/lhcb/ut_geometry.hpp>

namespace trackplex::lhcb {

/// Where the kick is, mm.
inline constexpr double ut_z_kink = 1780.;

/// q/p of a kick of 1 in the units of p_kick_fit behind a field integral of 1 T m, 1/MeV.
inline constexpr double ut_qop_per_kick = 3.3356e-3;

/// A straight line in space at z; mm.
template <class Real>
struct LineState {
  Real x, y, z;
  Real tx, ty;
};

/// A hit of each layer of the UT.
template <class Real>
struct UtTrackHits {
  Real x[ut_layers];       ///< of the strip at the track's y, mm
  Real z[ut_layers];       ///< mm
  Real weight[ut_layers];  ///< 1/variance of x, mm^-2; 0 where there is no hit
};

/// A track in the UT: its line x(z) there, and the kick.
template <class Real>
struct PKick {
  Real x;      ///< at ut_z_middle, mm
  Real slope;  ///< dx/dz in the UT
  Real kick;   ///< change of sin of the angle in x-z, times -1
  Real chi2;   ///< p_kick_fit: per degree of freedom
};

namespace detail {

/// dx/dy along a strip of a layer: ut_dxdy for kernels.
KOKKOS_FORCEINLINE_FUNCTION constexpr double ut_stereo(int layer) {
  constexpr double dxdy[ut_layers] = {0., 0.08748867, -0.0874886, 0.};
  return dxdy[layer];
}
static_assert(ut_stereo(0) == ut_dxdy[0] && ut_stereo(1) == ut_dxdy[1] &&
              ut_stereo(2) == ut_dxdy[2] && ut_stereo(3) == ut_dxdy[3]);

/// Weight of a stereo hit in the fit of x(z): cos of the stereo angle (as published: of its
/// tangent).
KOKKOS_FORCEINLINE_FUNCTION constexpr double ut_cosine(int layer) {
  constexpr double cosine[ut_layers] = {1., 0.9961753068467705, 0.9961753129631652, 1.};
  return cosine[layer];
}

template <class Real>
KOKKOS_FORCEINLINE_FUNCTION Real ut_real(double value) {
  return Real(ScalarOf<Real>(value));
}

/// (z - ut_z_middle) in m.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION Real ut_lever(const Real& z) {
  return ut_real<Real>(0.001) * (z - ut_real<Real>(ut_z_middle));
}

}  // namespace detail

/// Straight line through the hits and the point where the VELO track is at the kink, weighted least
/// squares. `hits` is their number.
template <class Real>
KOKKOS_FUNCTION PKick<Real> p_kick_fit(const LineState<Real>& velo, const UtTrackHits<Real>& on,
                                       const IntegerOf<Real>& hits, double slope_sigma) {
  using detail::ut_real;
  const Real kink = ut_real<Real>(ut_z_kink), sigma = ut_real<Real>(slope_sigma);
  const Real to_kink = kink - velo.z;
  const Real x_kink = fma(velo.tx, to_kink, velo.x);
  const Real z_kink = ut_real<Real>(0.001 * (ut_z_kink - ut_z_middle));
  const Real sigma_kink = sigma * to_kink;
  Real m00 = Real(1) / (sigma_kink * sigma_kink);
  Real m01 = m00 * z_kink, m11 = m01 * z_kink;
  Real r0 = m00 * x_kink, r1 = m01 * x_kink;
  for (int layer = 0; layer < ut_layers; ++layer) {
    const Real dz = detail::ut_lever(on.z[layer]);
    const Real w = on.weight[layer] * ut_real<Real>(detail::ut_cosine(layer));
    const Real wx = on.weight[layer] * on.x[layer];
    m00 += w;
    m01 = fma(w, dz, m01);
    m11 = fma(w * dz, dz, m11);
    r0 += wx;
    r1 = fma(wx, dz, r1);
  }
  const Real scale = Real(1) / fma(m00, m11, -(m01 * m01));
  PKick<Real> fit;
  fit.slope = ut_real<Real>(0.001) * fma(m00, r1, -(m01 * r0)) * scale;
  fit.x = fma(m11, r0, -(m01 * r1)) * scale;
  const Real middle = ut_real<Real>(ut_z_middle);
  const Real velo_slope = (fma(fit.slope, kink - middle, fit.x) - velo.x) / to_kink;
  const Real pull = (velo.tx - velo_slope) / sigma;
  Real chi2 = pull * pull;
  for (int layer = 0; layer < ut_layers; ++layer) {
    const Real residual = fma(fit.slope, on.z[layer] - middle, fit.x) - on.x[layer];
    chi2 = fma(residual * residual, on.weight[layer], chi2);
  }
  fit.chi2 = chi2 / convert<Real>(hits - IntegerOf<Real>(1));
  fit.kick = velo_slope * sqrt(fma(velo_slope, velo_slope, Real(1))) -
             fit.slope * sqrt(fma(fit.slope, fit.slope, Real(1)));
  return fit;
}

/// A track of the second fit.
template <class Real>
struct PKickWithY {
  PKick<Real> kick;   ///< chi2: not divided by the degrees of freedom
  Real y;             ///< at ut_z_middle, mm
  MaskOf<Real> good;  ///< the hits determine the fit
};

/// The second fit: with an offset in y, a kink that depends on the slope and the uncertainty of the
/// multiple scattering, for which the first fit's momentum is needed. `qop_per_kick` is q/p
/// (1/MeV) of a kick of 1.
template <class Real>
KOKKOS_FUNCTION PKickWithY<Real> p_kick_fit_with_y(const LineState<Real>& velo,
                                                   const UtTrackHits<Real>& on,
                                                   const Real& first_kick,
                                                   const Real& qop_per_kick) {
  using detail::ut_real;
  const Real one(1), ty2 = velo.ty * velo.ty;
  const Real z_kink =
      fma(fma(ut_real<Real>(71330.), ty2, ut_real<Real>(2240.)), ty2, ut_real<Real>(2010.));
  const Real x_kink = fma(velo.tx, z_kink - velo.z, velo.x);
  const Real lever = detail::ut_lever(z_kink);
  const Real per_p = max(abs(first_kick * qop_per_kick), ut_real<Real>(1e-9)) * sqrt(one + ty2);
  const Real sigma1 = fma(ut_real<Real>(1e4), per_p, ut_real<Real>(0.14));
  const Real sigma2 = fma(ut_real<Real>(3e3), per_p, ut_real<Real>(0.12));
  const Real w0 = one / fma(sigma1, sigma1, sigma2 * sigma2);

  Real m00 = w0, m01 = w0 * lever, m11 = m01 * lever, m02(0), m12(0), m22(0);
  Real r0 = w0 * x_kink, r1 = m01 * x_kink, r2(0);
  for (int layer = 0; layer < ut_layers; ++layer) {
    const Real w = on.weight[layer], x = on.x[layer], dz = detail::ut_lever(on.z[layer]);
    const Real t = ut_real<Real>(-detail::ut_stereo(layer) * detail::ut_cosine(layer));
    const Real wdz = w * dz, wt = w * t, wx = w * x;
    m00 += w;
    m01 += wdz;
    m11 = fma(wdz, dz, m11);
    m02 += wt;
    m12 = fma(wdz, t, m12);
    m22 = fma(wt, t, m22);
    r0 += wx;
    r1 = fma(wx, dz, r1);
    r2 = fma(wx, t, r2);
  }
  const Real a00 = m11 * m22 - m12 * m12, a01 = m12 * m02 - m01 * m22, a02 = m01 * m12 - m11 * m02;
  const Real a11 = m00 * m22 - m02 * m02, a12 = m01 * m02 - m00 * m12, a22 = m00 * m11 - m01 * m01;
  const Real determinant = m00 * a00 + m01 * a01 + m02 * a02;
  PKickWithY<Real> fit;
  fit.good = !(determinant == Real(0));
  const Real scale = one / select(fit.good, determinant, one);
  const Real x = (a00 * r0 + a01 * r1 + a02 * r2) * scale;
  const Real slope = ut_real<Real>(0.001) * (a01 * r0 + a11 * r1 + a12 * r2) * scale;
  const Real y = (a02 * r0 + a12 * r1 + a22 * r2) * scale;

  const Real middle = ut_real<Real>(ut_z_middle);
  const Real across = one / fma(slope, slope, one);
  const Real miss = x_kink - fma(slope, z_kink - middle, x);
  Real chi2 = w0 * fma(miss * miss, across, y * y / (one + ty2));
  for (int layer = 0; layer < ut_layers; ++layer) {
    const Real t = ut_real<Real>(-detail::ut_stereo(layer) * detail::ut_cosine(layer));
    const Real residual = on.x[layer] - fma(slope, on.z[layer] - middle, x) - y * t;
    chi2 = fma(on.weight[layer] * across, residual * residual, chi2);
  }
  const Real x_at_kink = ut_real<Real>(0.5) * (fma(slope, z_kink - middle, x) + x_kink);
  const Real velo_slope = (x_at_kink - velo.x) / (z_kink - velo.z);
  const Real kick = velo_slope * sqrt(fma(velo_slope, velo_slope, one + ty2)) -
                    slope * sqrt(fma(slope, slope, one + ty2));
  fit.kick = {x, slope, kick, chi2};
  fit.y = fma(velo.ty, middle - velo.z, velo.y) + y;
  return fit;
}

}  // namespace trackplex::lhcb
