// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/constants.hpp>
#include <trackplex/core/math.hpp>
#include <trackplex/core/shortest.hpp>
#include <trackplex/montecarlo/material.hpp>

#include <cmath>
#include <string>

namespace trackplex::montecarlo {

/// Elastic scattering of electrons, and of positrons alike: the cross section of a screened
/// Coulomb field in first Born approximation,
///
///   d sigma/d mu ~ 1/(mu + A)^2,  mu = (1 - cos theta)/2.
struct ScreenedRutherford {
  double screening = 0.;       ///< A
  double mean_free_path = 0.;  ///< mm
  double kinetic_energy = 0.;  ///< MeV
};

/// The cross section of a material at a kinetic energy, MeV:
/// A = chi_cc^2/(4 (pc)^2 b_c), mean free path = beta^2 (1 + A)/b_c.
/// @throws UsageError if the energy or a number of the material is not above 0
inline ScreenedRutherford screened_rutherford(const Material& material, double kinetic_energy) {
  if (!(material.b_c > 0.) || !(material.chi_cc_square > 0.))
    throw UsageError("cross section", "a constant of the material is not above 0", material.name);
  if (!(kinetic_energy > 0.) || !std::isfinite(kinetic_energy))
    throw UsageError("cross section", "the kinetic energy is not above 0",
                     shortest(kinetic_energy) + " MeV");
  constexpr double mass = constants::published_simulation::electron_mass;
  const double pc2 = kinetic_energy * (kinetic_energy + 2. * mass);
  const double beta2 = pc2 / (pc2 + mass * mass);
  const double a = material.chi_cc_square / (4. * pc2 * material.b_c);
  return {a, beta2 * (1. + a) / material.b_c, kinetic_energy};
}

/// A length, mm, in mean free paths: a limit of the track length, say.
/// @throws UsageError if it is not above 0
inline double mean_free_paths(const ScreenedRutherford& scattering, double length) {
  if (!(length > 0.) || !std::isfinite(length))
    throw UsageError("track length", "it is not above 0", shortest(length) + " mm");
  return length / scattering.mean_free_path;
}

/// A direction, or one in each lane.
template <class Real>
struct Direction {
  Real x, y, z;
};

/// 1 - cos theta of a scattering, from u uniform in (0, 1), by inversion:
/// 1 - cos theta = 2 A (1 - u)/(u + A), which is exact for small angles, too.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION Real sample_deflection(const Real& u, const Real& screening) {
  const Real r = Real(1) - u;
  return (screening + screening) * r / (u + screening);
}

/// A direction turned by an angle with 1 - cos theta = d, at the azimuth of the given cosine and
/// sine in a frame around it. The frame is that of T. Duff et al., J. Comput. Graph. Tech. 6 (2017)
/// 1, which has no place where it fails.
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
