// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cmath>
#include <cstdint>

namespace trackplex::validation {

/// Closed interval.
struct Interval {
  double lower = 0.;  ///< lower end
  double upper = 1.;  ///< upper end
};

/// Returns Wilson's score interval for a binomial probability of which `passed` out of `total`
/// trials were observed. With p = passed/total, n = total and a confidence of z standard deviations
/// (1: 68.3 %), its centre and half width are \f[ \frac{p+z^2/2n}{1+z^2/n},\qquad
///   \frac{z}{1+z^2/n}\sqrt{\frac{p(1-p)}n+\frac{z^2}{4n^2}}. \f]
/// Unlike the normal approximation sqrt(p(1-p)/n) it stays inside [0, 1] and does not vanish at p =
/// 0 or 1. Without trials it is [0, 1].
///
/// E. B. Wilson, J. Am. Stat. Assoc. 22 (1927) 209; L. D. Brown et al., Stat. Sci. 16 (2001) 101.
inline Interval wilson_interval(std::uint64_t passed, std::uint64_t total, double z = 1.) {
  if (total == 0) return {};
  const double n = static_cast<double>(total);
  const double p = static_cast<double>(passed) / n;
  const double scale = 1. / (1. + z * z / n);
  const double centre = scale * (p + z * z / (2. * n));
  const double half = scale * z * std::sqrt(p * (1. - p) / n + z * z / (4. * n * n));
  return {passed == 0 ? 0. : centre - half, passed == total ? 1. : centre + half};
}

/// Fraction of `passed` out of `total`: an efficiency, a fake rate, a purity.
struct Efficiency {
  std::uint64_t passed = 0;  ///< numerator
  std::uint64_t total = 0;   ///< denominator

  /// Returns passed / total; 0 if the total is 0.
  double value() const {
    return total == 0 ? 0. : static_cast<double>(passed) / static_cast<double>(total);
  }

  /// Returns the confidence interval of `z` standard deviations; see `wilson_interval`.
  Interval interval(double z = 1.) const { return wilson_interval(passed, total, z); }

  /// Returns half the length of the interval of one standard deviation, to print after "+-".
  double error() const {
    const Interval range = interval();
    return 0.5 * (range.upper - range.lower);
  }

  /// Compares both counts.
  friend bool operator==(const Efficiency&, const Efficiency&) = default;

  /// Adds the counts of another sample.
  Efficiency& operator+=(const Efficiency& other) {
    passed += other.passed;
    total += other.total;
    return *this;
  }
};

}  // namespace trackplex::validation
