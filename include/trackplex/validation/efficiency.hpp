// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/compiled.hpp>

#include <cmath>
#include <cstdint>
#include <vector>

namespace trackplex::validation {

/// Closed interval.
struct Interval {
  double lower = 0.;  ///< lower end
  double upper = 1.;  ///< upper end
};

/// Returns Wilson's score interval for a binomial probability, given `passed` out of `total`
/// trials. With p = passed/total, n = total and a confidence of z standard deviations
/// (1: 68.3 %), its centre and half width are \f[ \frac{p+z^2/2n}{1+z^2/n},\qquad
///   \frac{z}{1+z^2/n}\sqrt{\frac{p(1-p)}n+\frac{z^2}{4n^2}}. \f]
/// Unlike the normal approximation sqrt(p(1-p)/n) it stays inside [0, 1] and does not vanish at p =
/// 0 or 1. Without trials it is [0, 1].
///
/// E. B. Wilson, J. Am. Stat. Assoc. 22 (1927) 209; L. D. Brown et al., Stat. Sci. 16 (2001) 101.
Interval wilson_interval(std::uint64_t passed, std::uint64_t total, double z = 1.);

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
  double error() const;

  /// Compares both counts.
  friend bool operator==(const Efficiency&, const Efficiency&) = default;

  /// Adds the counts of another sample.
  Efficiency& operator+=(const Efficiency& other);
};

/// Returns the pseudorapidity -ln tan(theta / 2) of a polar angle (rad).
inline double eta_of(double theta) { return -std::log(std::tan(0.5 * theta)); }

/// Rates of a comparison of tracks with the truth, on cylinders or in any detector.
struct TrackRates {
  Efficiency efficiency;  ///< particles with a good track / particles that count
  Efficiency duplicates;  ///< particles with two or more good tracks / with one or more
  std::vector<Efficiency> efficiency_pt,  ///< efficiency per bin of the particle's pT
      efficiency_eta,                     ///< efficiency per bin of the particle's eta
      efficiency_phi;                     ///< efficiency per bin of the particle's phi
  std::vector<Efficiency> fake_rate_pt,   ///< fake rate per bin of the track's pT, where known
      fake_rate_eta,                      ///< fake rate per bin of the track's eta, where known
      fake_rate_phi;                      ///< fake rate per bin of the track's phi, where known
};

}  // namespace trackplex::validation

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/validation/detail/efficiency.impl.hpp>
#endif
