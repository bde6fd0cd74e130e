// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cmath>

namespace trackplex::test {

/// Number i of those of J. H. Halton, which fill [0, 1) evenly; the bases of coordinates are
/// different primes.
inline double halton(int i, int base) {
  double value = 0., digit = 1.;
  for (int rest = i + 1; rest > 0; rest /= base) {
    digit /= base;
    value += digit * (rest % base);
  }
  return value;
}

/// Standard normal number with that probability below it.
inline double normal_quantile(double p) {
  double low = -9., high = 9.;
  for (int i = 0; i < 60; ++i) {
    const double middle = 0.5 * (low + high);
    (0.5 * std::erfc(-middle / std::sqrt(2.)) < p ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

}  // namespace trackplex::test
