// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Fits of UT hits downstream of a VELO track. The magnetic field in between is modelled as one
/// kick in x (p-kick) at z = ut_z_kink; the track is straight before and after it. Formulas: P.
/// Fernandez Declara et al., "A parallel-computing algorithm for high-energy physics particle
/// tracking and decoding using GPU architectures" (Compass), and LHCb's code of 2020 for the second
/// fit.

#include <trackplex/core/math.hpp>
#include <trackplex/lhcb/ut/ut_geometry.hpp>
#include <trackplex/lhcb/velo/space_line.hpp>

namespace trackplex::lhcb {

/// z of the kick, mm.
inline constexpr double ut_z_kink = 1780.;

/// |q/p| of a track with PKick::kick = 1 and ty = 0 after a field integral of 1 T m, 1/MeV.
inline constexpr double ut_qop_per_kick = 3.3356e-3;

/// Hits of a track in the UT, one per layer.
template <class Real>
struct UtTrackHits {
  Real x[ut_layers];       ///< x of the strip at the y of the track, mm
  Real z[ut_layers];       ///< z of the strip, mm
  Real weight[ut_layers];  ///< 1/variance of x, mm^-2; 0 for layers without a hit
};

/// Fitted track in the UT: its line x(z), and the kick.
template <class Real>
struct PKick {
  Real x;      ///< x at ut_z_middle, mm
  Real slope;  ///< dx/dz in the UT
  Real kick;  ///< s sqrt(1 + s^2) of the slope s before the magnet minus that of the slope after it
  Real chi2;  ///< of p_kick_fit(): per degree of freedom
};

namespace detail {

/// ut_dxdy for kernels: dx/dy along a strip of a layer.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION constexpr T ut_stereo(int layer) {
  constexpr T dxdy[ut_layers] = {T(0.), T(0.08748867), T(-0.0874886), T(0.)};
  return dxdy[layer];
}
static_assert(ut_stereo<double>(0) == ut_dxdy[0] && ut_stereo<double>(1) == ut_dxdy[1] &&
              ut_stereo<double>(2) == ut_dxdy[2] && ut_stereo<double>(3) == ut_dxdy[3]);

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

/// Fits a straight line x(z) to the hits and to the x of the VELO track at the kink, by weighted
/// least squares. `hits` is the number of hits, `slope_sigma` the standard deviation of the slope
/// of the VELO track, so that the point at the kink has the error sigma (ut_z_kink - z). With the
/// slope \f$ s_V \f$ from the VELO state to the fitted line at the kink and the slope \f$ s_U \f$
/// of the line, \f[ \mathrm{kick} = s_V\sqrt{1+s_V^2}-s_U\sqrt{1+s_U^2}, \qquad
///     \chi^2 = \frac{1}{n-1}\left[\left(\frac{t_x-s_V}{\sigma}\right)^2 +
///     \sum_l w_l\,(x(z_l)-x_l)^2\right]. \f]
/// Stereo hits are weighted with the cosine of their angle on one side of the normal equations
/// only, as published.
template <class Real>
KOKKOS_FUNCTION PKick<Real> p_kick_fit(const SpaceLine<Real>& velo, const UtTrackHits<Real>& on,
                                       const IntegerOf<Real>& hits, ScalarOf<Real> slope_sigma) {
  using detail::ut_real;
  const Real kink = ut_real<Real>(ut_z_kink), sigma = Real(slope_sigma);
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

/// Fitted track of the second fit.
template <class Real>
struct PKickWithY {
  PKick<Real> kick;   ///< its chi2 is not divided by the degrees of freedom
  Real y;             ///< y at ut_z_middle, mm
  MaskOf<Real> good;  ///< whether the hits determine the fit
};

/// Fits a track with an offset in y, a kink whose z depends on the slope ty, and the uncertainty
/// from multiple scattering, for which the momentum of the first fit is needed:
/// \f[ z_k = 2010 + 2240\,t_y^2 + 71330\,t_y^4, \qquad
///     \sigma_k^2 = (0.14 + 10^4/p)^2 + (0.12 + 3\cdot10^3/p)^2 \f]
/// (mm, MeV). `first_kick` is the kick of p_kick_fit(), `qop_per_kick` is q/p (1/MeV) of a kick of
/// 1 in the field integral of the track, at ty = 0.
template <class Real>
KOKKOS_FUNCTION PKickWithY<Real> p_kick_fit_with_y(const SpaceLine<Real>& velo,
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
    const Real t = ut_real<Real>(-detail::ut_stereo<double>(layer) * detail::ut_cosine(layer));
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
    const Real t = ut_real<Real>(-detail::ut_stereo<double>(layer) * detail::ut_cosine(layer));
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
