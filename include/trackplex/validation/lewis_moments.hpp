// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/compiled.hpp>
#include <trackplex/montecarlo/history_moments.hpp>

#include <cmath>
#include <string>
#include <vector>

namespace trackplex::validation {

/// Exact moments of the end points and directions of histories that start at the origin along z,
/// with single scattering by the cross section ~ 1/(mu + A)^2, mu = (1 - cos theta)/2. Lengths in
/// units of the limit of the track length.
struct LewisMoments {
  double g1 = 0.,           ///< mean of 1 - P_1(cos theta) of one scattering, P_1 of Legendre
      g2 = 0.;              ///< mean of 1 - P_2(cos theta) of one scattering
  double z = 1.,            ///< mean z
      z2 = 1.;              ///< mean z^2
  double r2 = 0.;           ///< mean x^2 + y^2
  double cosine = 1.,       ///< mean cosine of the direction to the z axis
      cosine2 = 1.;         ///< mean squared cosine
  double scatterings = 0.;  ///< mean number of scatterings
};

namespace detail {

/// (1 - e^-x)/x
inline double mean_of_decay(double x) { return x == 0. ? 1. : -std::expm1(-x) / x; }

/// Divided differences of e^-x: i1 at 0, 0, a, i2 at 0, a, b, and i12 = i1 - i2 = b times that at
/// 0, 0, a, b; 0 < a < b.
struct DecayDifferences {
  double i1, i2, i12;

  DecayDifferences(double a, double b);
};

}  // namespace detail

/// Returns the exact moments for the screening parameter A and a limit of n mean free paths. With
/// \f$ L=\ln(1+1/A) \f$,
/// \f[ g_1=2A\big((1+A)L-1\big),\quad g_2=6A(1+A)\big((1+2A)L-2\big),\quad a=g_1n,\quad b=g_2n, \f]
/// \f[ \langle\cos\rangle=e^{-a},\quad \langle\cos^2\rangle=\frac{1+2e^{-b}}3,\quad
///   \langle z\rangle=\frac{1-e^{-a}}a, \f]
/// \f[ \langle z^2\rangle=\tfrac23I_1+\tfrac43I_2,\quad
///   \langle x^2+y^2\rangle=\tfrac43(I_1-I_2), \f]
/// \f[ I_1=\frac{a-1+e^{-a}}{a^2},\quad
///   I_2=\frac1{a-b}\Big[\frac{1-e^{-b}}b-\frac{1-e^{-a}}a\Big]. \f]
/// Series replace these formulas where they cancel: the result has about 14 digits for any A and n.
///
/// H. W. Lewis, Phys. Rev. 78 (1950) 526.
/// @throws UsageError unless A and n are above 0 and finite
LewisMoments lewis_moments(double screening, double mean_free_paths);

/// Measured moment and the exact one.
struct LewisPull {
  std::string name;               ///< name of the member of `LewisMoments`
  montecarlo::Estimate measured;  ///< mean over the histories and its standard error
  double exact = 0.;              ///< expected value

  /// Returns (measured - exact) / error. If the error is 0: 0 if both agree to the unit of the
  /// sums, else infinity with the sign of the difference.
  double pull() const;
};

/// Compares the moments of histories from a pencil source with the exact ones: returns the pulls of
/// z, z2, r2, cosine, cosine2 and scatterings. They are normally distributed but not independent.
/// @throws UsageError as `lewis_moments`, and for fewer than two histories
std::vector<LewisPull> lewis_pulls(const montecarlo::MomentSums& sums, double screening,
                                   double mean_free_paths);

}  // namespace trackplex::validation

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/validation/detail/lewis_moments.impl.hpp>
#endif
