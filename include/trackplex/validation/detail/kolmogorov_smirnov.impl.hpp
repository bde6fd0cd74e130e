// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/validation/binned_counts.hpp>
#include <trackplex/validation/kolmogorov_smirnov.hpp>

#include <cmath>
#include <cstdint>
#include <numbers>

namespace trackplex::validation {

TRACKPLEX_INLINE double kolmogorov_p_value(double t) {
  constexpr double pi = std::numbers::pi;
  if (t < 0.04) return 1.;  // to the last bit; e^-x would underflow
  if (t < 1.18) {
    const double y = std::exp(-pi * pi / (8. * t * t));
    return 1. - std::sqrt(2. * pi) / t * (y + std::pow(y, 9) + std::pow(y, 25) + std::pow(y, 49));
  }
  const double x = std::exp(-2. * t * t);
  return 2. * (x - std::pow(x, 4) + std::pow(x, 9) - std::pow(x, 16));
}

TRACKPLEX_INLINE KolmogorovSmirnov kolmogorov_smirnov(const BinnedCounts& first,
                                                      const BinnedCounts& second) {
  detail::require_comparable("kolmogorov_smirnov", first, second);
  const double n1 = static_cast<double>(first.total());
  const double n2 = static_cast<double>(second.total());
  KolmogorovSmirnov result;
  std::uint64_t below1 = 0, below2 = 0;
  for (std::size_t i = 0; i < first.size(); ++i) {
    below1 += first[i];
    below2 += second[i];
    const double distance =
        std::abs(static_cast<double>(below1) / n1 - static_cast<double>(below2) / n2);
    if (distance > result.distance) {
      result.distance = distance;
      result.edge = i + 1;
    }
  }
  result.n = n1 * (n2 / (n1 + n2));
  const double root = std::sqrt(result.n);
  result.statistic = root * result.distance;
  result.p_value = kolmogorov_p_value((root + 0.12 + 0.11 / root) * result.distance);
  return result;
}

}  // namespace trackplex::validation
