// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/compiled.hpp>
#include <trackplex/core/math.hpp>
#include <trackplex/montecarlo/material.hpp>

namespace trackplex::montecarlo {

/// Elastic scattering of electrons in a material at one energy, the same for positrons: the cross
/// section of a screened Coulomb field (G. Wentzel, Z. Phys. 40 (1927) 590) in first Born
/// approximation, without spin,
/// \f[ \frac{d\sigma}{d\mu}\propto\frac1{(\mu+A)^2},\qquad\mu=\frac{1-\cos\theta}2. \f]
struct ScreenedRutherford {
  double screening = 0.;       ///< Screening parameter A: screening angle squared, over 4.
  double mean_free_path = 0.;  ///< Mean free path between elastic scatterings, mm.
  double kinetic_energy = 0.;  ///< Kinetic energy, MeV.
};

/// Returns the cross section of a material at a kinetic energy T, MeV:
/// \f[ A=\frac{\chi_{cc}^2}{4\,(pc)^2\,b_c},\quad\lambda=\frac{\beta^2(1+A)}{b_c},\quad
///     (pc)^2=T(T+2m),\quad\beta^2=\frac{(pc)^2}{(pc)^2+m^2}, \f]
/// with the constants of G. Moliere, Z. Naturforsch. 3a (1948) 78, and the electron mass m of the
/// published simulation (`constants::published_simulation`).
/// @throws UsageError if the energy or a constant of the material is not above 0, or the energy is
/// not finite
ScreenedRutherford screened_rutherford(const Material& material, double kinetic_energy);

/// Converts a length, mm, to mean free paths, for example a limit of the track length.
/// @throws UsageError if the length is not above 0 or not finite
double mean_free_paths(const ScreenedRutherford& scattering, double length);

/// Unit vector of a direction of flight, or one in each lane.
template <class Real>
struct Direction {
  Real x,  ///< Component along x.
      y,   ///< Component along y.
      z;   ///< Component along z, the axis of the sources.
};

/// Samples 1 - cos theta of a scattering from u, uniform in (0, 1), by inversion of the cumulated
/// distribution: 1 - cos theta = 2 A (1 - u)/(u + A), with A the screening. No difference is
/// formed, so that small angles keep their digits.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION Real sample_deflection(const Real& u, const Real& screening) {
  const Real r = Real(1) - u;
  return (screening + screening) * r / (u + screening);
}

/// Returns a direction turned by the angle of 1 - cos theta = d, at an azimuth given by its cosine
/// and sine in a frame around the direction. The frame is that of T. Duff et al., J. Comput. Graph.
/// Tech. 6 (2017) 1, which has no singular direction. sin theta is sqrt(d (2 - d)).
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION Direction<Real> scattered(const Direction<Real>& v, const Real& d,
                                                      const SinCos<Real>& azimuth) {
  const Real one(1);
  const Real sine = sqrt(d * (Real(2) - d));
  const Real sx = sine * azimuth.cos, sy = sine * azimuth.sin;
  const Real sign = copysign(one, v.z);
  const Real a = -one / (sign + v.z);
  const Real b = v.x * v.y * a;
  const Real across_x = fma(sign * v.x * v.x, a, one), across_y = sign * b;
  const Real along_y = fma(v.y * v.y, a, sign);
  const Real cosine = one - d;
  return {fma(cosine, v.x, fma(across_x, sx, b * sy)),
          fma(cosine, v.y, fma(across_y, sx, along_y * sy)),
          fma(cosine, v.z, -fma(sign * v.x, sx, v.y * sy))};
}

}  // namespace trackplex::montecarlo

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/montecarlo/detail/screened_rutherford.impl.hpp>
#endif
