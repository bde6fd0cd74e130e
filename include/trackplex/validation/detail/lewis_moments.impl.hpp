// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/error.hpp>
#include <trackplex/core/shortest.hpp>
#include <trackplex/montecarlo/history_moments.hpp>
#include <trackplex/validation/lewis_moments.hpp>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace trackplex::validation {
namespace detail {

/// Mean of 1 - P_1 and of 1 - P_2 of one scattering:
///   g1 = 2 A ((1 + A) L - 1),  g2 = 6 A (1 + A) ((1 + 2 A) L - 2),  L = log(1 + 1/A),
/// which cancel for large A; there by their series in 1/A.
TRACKPLEX_INLINE LewisMoments deflection_moments(double a) {
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

TRACKPLEX_INLINE DecayDifferences::DecayDifferences(double a, double b) {
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

}  // namespace detail

TRACKPLEX_INLINE LewisMoments lewis_moments(double screening, double mean_free_paths) {
  if (!(screening > 0.) || !(mean_free_paths > 0.) || std::isinf(screening) ||
      std::isinf(mean_free_paths))
    throw UsageError("lewis_moments", "the screening or the limit is not above 0",
                     shortest(screening) + ", " + shortest(mean_free_paths));
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

TRACKPLEX_INLINE double LewisPull::pull() const {
  const double difference = measured.value - exact;
  if (measured.error > 0.) return difference / measured.error;
  if (std::abs(difference) <= montecarlo::moment_unit) return 0.;
  return std::copysign(std::numeric_limits<double>::infinity(), difference);
}

TRACKPLEX_INLINE std::vector<LewisPull> lewis_pulls(const montecarlo::MomentSums& sums,
                                                    double screening, double mean_free_paths) {
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
