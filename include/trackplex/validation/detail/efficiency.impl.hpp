// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/validation/efficiency.hpp>

#include <cmath>
#include <cstdint>

namespace trackplex::validation {

TRACKPLEX_INLINE Interval wilson_interval(std::uint64_t passed, std::uint64_t total, double z) {
  if (total == 0) return {};
  const double n = static_cast<double>(total);
  const double p = static_cast<double>(passed) / n;
  const double scale = 1. / (1. + z * z / n);
  const double centre = scale * (p + z * z / (2. * n));
  const double half = scale * z * std::sqrt(p * (1. - p) / n + z * z / (4. * n * n));
  return {passed == 0 ? 0. : centre - half, passed == total ? 1. : centre + half};
}

TRACKPLEX_INLINE double Efficiency::error() const {
  const Interval range = interval();
  return 0.5 * (range.upper - range.lower);
}

TRACKPLEX_INLINE Efficiency& Efficiency::operator+=(const Efficiency& other) {
  passed += other.passed;
  total += other.total;
  return *this;
}

}  // namespace trackplex::validation
