// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

namespace trackplex::pipeline::detail {

/// Times counted in bins of a fixed number: each power of two from a microsecond on has 32 bins, so
/// that a quantile is at most 3 % too large.
class Latencies {
 public:
  /// Counts a time, s.
  void add(double seconds) {
    int exponent = 0;
    const double twice = 2. * std::frexp(std::max(1e6 * seconds, 1.), &exponent);
    const int bin = (exponent - 1) * per_power + int((twice - 1.) * per_power);
    ++counts_[std::size_t(std::clamp(bin, 0, bins - 1))];
    ++all_;
  }
  /// Returns the upper edge of the bin that a fraction q of the times does not exceed, s; 0 without
  /// times.
  double quantile(double q) const {
    if (all_ == 0) return 0.;
    std::size_t sum = 0;
    int bin = 0;
    while (double(sum += counts_[std::size_t(bin)]) < std::max(q * double(all_), 1.)) ++bin;
    return 1e-6 * std::ldexp(1. + double(bin % per_power + 1) / per_power, bin / per_power);
  }

 private:
  static constexpr int per_power = 32, bins = 40 * per_power;  // up to 12 days

  std::array<std::size_t, bins> counts_{};
  std::size_t all_ = 0;
};

}  // namespace trackplex::pipeline::detail
