// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/error.hpp>
#include <trackplex/montecarlo/moments.hpp>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace trackplex::validation {

/// Exact moments of the end points and directions of histories that start at the origin along z and
/// have single scattering with the cross section ~ 1/(mu + A)^2, mu = (1 - cos theta)/2. Lengths in
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

/// Mean of 1 - P_1 and of 1 - P_2 of one scattering:
///   g1 = 2 A ((1 + A) L - 1),  g2 = 6 A (1 + A) ((1 + 2 A) L - 2),  L = log(1 + 1/A),
/// which cancel for large A; there by their series in 1/A.
inline LewisMoments deflection_moments(double a) {
  LewisMoments m;
  if (a < 2.) {
    const double l = std::log1p(1. / a);
    m.g1 = 2. * a * ((1. + a) * l - 1.);
    m.g2 = 6. * a * (1. + a) * ((1. + 2. * a) * l - 2.);
    return m;
  }
  const double e = 1. / a;
  double sum1 = 0., sum2 = 0., power = 1.;
  for (int k = 2; std::abs(power) > 1e-18; ++k, power *= -e) {
    sum1 += power / (double(k) * (k - 1));
    sum2 += power * (k - 1) / (double(k) * (k + 1));
  }
  m.g1 = 2. * sum1;
  m.g2 = 6. * (1. + e) * sum2;
  return m;
}

/// (1 - e^-x)/x
inline double mean_of_decay(double x) { return x == 0. ? 1. : -std::expm1(-x) / x; }

/// Divided differences of e^-x: i1 at 0, 0, a, i2 at 0, a, b, and i12 = i1 - i2 = b times that at
/// 0, 0, a, b; 0 < a < b.
struct DecayDifferences {
  double i1, i2, i12;

  DecayDifferences(double a, double b) {
    if (b > 2.) {
      i1 = (a + std::expm1(-a)) / (a * a);
      i2 = (-std::expm1(-a) - a * std::exp(-a) * mean_of_decay(b - a)) / (a * b);
      i12 = i1 - i2;
      return;
    }
    // sums over (-1)^m a^m/(m + 2)!, h_m/(m + 2)! and b h_m/(m + 3)!, h_m = sum a^i b^(m - i)
    i1 = i2 = i12 = 0.;
    double h = 1., power = 1., factor = 0.5;
    for (int m = 0; m < 40; ++m) {
      i1 += factor * power;
      i2 += factor * h;
      i12 += factor / (m + 3) * b * h;
      factor /= -(m + 3);
      power *= a;
      h = power + b * h;
    }
  }
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
inline LewisMoments lewis_moments(double screening, double mean_free_paths) {
  if (!(screening > 0.) || !(mean_free_paths > 0.) || std::isinf(screening) ||
      std::isinf(mean_free_paths))
    throw UsageError("lewis_moments", "the screening or the limit is not above 0",
                     std::to_string(screening) + ", " + std::to_string(mean_free_paths));
  LewisMoments m = detail::deflection_moments(screening);
  const double a = m.g1 * mean_free_paths, b = m.g2 * mean_free_paths;
  const detail::DecayDifferences differences(a, b);
  m.z = detail::mean_of_decay(a);
  m.z2 = 2. / 3. * differences.i1 + 4. / 3. * differences.i2;
  m.r2 = 4. / 3. * differences.i12;
  m.cosine = std::exp(-a);
  m.cosine2 = (1. + 2. * std::exp(-b)) / 3.;
  m.scatterings = mean_free_paths;
  return m;
}

/// Measured moment next to the exact one.
struct LewisPull {
  std::string name;               ///< name of the member of `LewisMoments`
  montecarlo::Estimate measured;  ///< mean over the histories and its standard error
  double exact = 0.;              ///< expected value

  /// Returns (measured - exact) / error. If the error is 0: 0 where both agree to the unit of the
  /// sums, else infinity with the sign of the difference.
  double pull() const {
    const double difference = measured.value - exact;
    if (measured.error > 0.) return difference / measured.error;
    if (std::abs(difference) <= montecarlo::moment_unit) return 0.;
    return std::copysign(std::numeric_limits<double>::infinity(), difference);
  }
};

/// Compares the moments of histories from a pencil source with the exact ones: returns the pulls of
/// z, z2, r2, cosine, cosine2 and scatterings. They are normally distributed but not independent.
/// @throws UsageError as `lewis_moments`, and for fewer than two histories
inline std::vector<LewisPull> lewis_pulls(const montecarlo::MomentSums& sums, double screening,
                                          double mean_free_paths) {
  if (sums.histories < 2)
    throw UsageError("lewis_pulls", "there are too few histories", std::to_string(sums.histories));
  const LewisMoments exact = lewis_moments(screening, mean_free_paths);
  return {{"z", sums.z(), exact.z},
          {"z2", sums.z2(), exact.z2},
          {"r2", sums.r2(), exact.r2},
          {"cosine", sums.cosine(), exact.cosine},
          {"cosine2", sums.cosine2(), exact.cosine2},
          {"scatterings", sums.scatterings(), exact.scatterings}};
}

}  // namespace trackplex::validation
