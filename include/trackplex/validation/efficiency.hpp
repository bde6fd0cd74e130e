// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cmath>
#include <cstdint>

namespace trackplex::validation {

/// A range of values, both ends included.
struct Interval {
  double lower = 0.;
  double upper = 1.;
};

/// The interval for a binomial probability of which `passed` out of `total` trials were seen:
/// Wilson's score interval, centre and half width
///
///   (p + z^2/2n) / (1 + z^2/n),   z sqrt(p(1-p)/n + z^2/4n^2) / (1 + z^2/n),
///
/// with p = passed/total, n = total and `z` standard deviations of confidence (1: 68.3 %). Unlike
/// the normal approximation sqrt(p(1-p)/n) it stays inside [0, 1] and is not empty at p = 0 or 1.
/// Without any trial it is [0, 1].
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

/// A fraction of things that passed.
struct Efficiency {
  std::uint64_t passed = 0;
  std::uint64_t total = 0;

  /// passed / total; 0 of 0 is 0.
  double value() const {
    return total == 0 ? 0. : static_cast<double>(passed) / static_cast<double>(total);
  }

  /// Where the true value lies, with `z` standard deviations of confidence.
  Interval interval(double z = 1.) const { return wilson_interval(passed, total, z); }

  /// Half the length of the interval of one standard deviation, to print after "+-".
  double error() const {
    const Interval range = interval();
    return 0.5 * (range.upper - range.lower);
  }

  friend bool operator==(const Efficiency&, const Efficiency&) = default;

  Efficiency& operator+=(const Efficiency& other) {
    passed += other.passed;
    total += other.total;
    return *this;
  }
};

}  // namespace trackplex::validation
