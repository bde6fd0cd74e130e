// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/compiled.hpp>
#include <trackplex/validation/chi2.hpp>

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>

namespace trackplex::validation {

/// Statistics of pulls (value - truth) / error. If values and errors are right, pulls have mean 0
/// and standard deviation 1; if the errors are normal, so are the pulls.
///
/// Mean and sum of squares are updated and merged without cancellation. Their last bits depend on
/// the order: add and merge in a fixed order for reproducible bits. T. F. Chan, G. H. Golub, R. J.
/// LeVeque, Am. Stat. 37 (1983) 242.
class Pulls {
 public:
  /// Adds the pull of a value, given its true value and its error, all in the same unit.
  /// @throws UsageError if the error is not positive and finite, or the pull is not finite
  void add(double value, double truth, double error);

  /// Adds the pull of an angle (rad), given its true value and its error; value and truth may
  /// differ by whole turns.
  /// @throws UsageError as `add`
  void add_angle(double value, double truth, double error);

  /// Adds a given pull.
  /// @throws UsageError if it is not finite
  void add(double pull);

  /// Adds the pulls of another instance.
  Pulls& operator+=(const Pulls& other);

  /// Returns the number n of pulls.
  std::uint64_t count() const { return count_; }
  /// Returns the mean; 0 without pulls.
  double mean() const { return mean_; }
  /// Returns the standard deviation, with n - 1 in the denominator; 0 for fewer than two pulls.
  double sigma() const {
    return count_ < 2 ? 0. : std::sqrt(squares_ / (static_cast<double>(count_) - 1.));
  }
  /// Returns the error of the mean, sigma / sqrt(n); 0 without pulls.
  double mean_error() const {
    return count_ == 0 ? 0. : sigma() / std::sqrt(static_cast<double>(count_));
  }
  /// Returns the error of sigma for a normal distribution, sigma / sqrt(2 (n - 1)); 0 for fewer
  /// than two pulls.
  double sigma_error() const {
    return count_ < 2 ? 0. : sigma() / std::sqrt(2. * (static_cast<double>(count_) - 1.));
  }
  /// Returns the smallest pull; infinity without pulls.
  double min() const { return min_; }
  /// Returns the largest pull; -infinity without pulls.
  double max() const { return max_; }

  /// Returns the number of pulls with |pull| <= sigmas, for sigmas = 1, 2, 3.
  /// @throws UsageError for any other value
  std::uint64_t count_within(int sigmas) const;
  /// Returns the fraction of pulls with |pull| <= sigmas; 0 without pulls. For a normal
  /// distribution it is 0.6827, 0.9545 and 0.9973.
  /// @throws UsageError unless `sigmas` is 1, 2 or 3
  double fraction_within(int sigmas) const;

  /// Returns whether the pulls are compatible with normal numbers of mean 0 and sigma 1: whether
  /// mean, sigma, and the fractions within 1, 2 and 3 sigma deviate by at most `z` standard
  /// deviations. The mean is compared with 1 / sqrt(n), sigma by the chi2 distribution of
  /// (n - 1) sigma^2, and a fraction with its binomial error if at least 10 pulls are expected
  /// outside.
  /// @throws UsageError for fewer than two pulls
  bool compatible_with_unit_normal(double z = 5.) const;

 private:
  std::uint64_t count_ = 0;
  double mean_ = 0.;
  double squares_ = 0.;  ///< sum of (pull - mean)^2
  double min_ = std::numeric_limits<double>::infinity();
  double max_ = -std::numeric_limits<double>::infinity();
  std::array<std::uint64_t, 3> within_{};
};

}  // namespace trackplex::validation

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/validation/detail/pulls.impl.hpp>
#endif
