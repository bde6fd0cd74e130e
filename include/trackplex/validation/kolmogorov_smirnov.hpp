// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/validation/binned_counts.hpp>
#include <trackplex/validation/significance.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>

namespace trackplex::validation {

/// Kolmogorov's limiting distribution: the probability that sqrt(n) D exceeds t,
///
///   Q(t) = 2 sum_{k >= 1} (-1)^(k-1) e^(-2 k^2 t^2),
///   1 - Q(t) = sqrt(2 pi) / t sum_{k >= 1} e^(-(2k - 1)^2 pi^2 / (8 t^2)),
///
/// the second form (which converges fast) for small t.
/// W. Feller, Ann. Math. Statist. 19 (1948) 177; Numerical Recipes, 3rd ed. (2007), sec. 6.14.12.
inline double kolmogorov_p_value(double t) {
  constexpr double pi = std::numbers::pi;
  if (t < 0.04) return 1.;  // to the last bit; e^-x would underflow
  if (t < 1.18) {
    const double y = std::exp(-pi * pi / (8. * t * t));
    return 1. - std::sqrt(2. * pi) / t * (y + std::pow(y, 9) + std::pow(y, 25) + std::pow(y, 49));
  }
  const double x = std::exp(-2. * t * t);
  return 2. * (x - std::pow(x, 4) + std::pow(x, 9) - std::pow(x, 16));
}

/// Result of a test of Kolmogorov and Smirnov.
struct KolmogorovSmirnov {
  double distance = 0.;   ///< D: largest difference of the cumulated fractions
  std::size_t edge = 0;   ///< number of bins below the edge where it is largest
  double n = 0.;          ///< n1 n2 / (n1 + n2)
  double statistic = 0.;  ///< sqrt(n) D
  double p_value = 1.;    ///< probability of such a distance or a larger one

  /// Whether the samples may have one distribution: the distance is no sign of `z` sigma against
  /// it.
  bool compatible(double z = 5.) const { return p_value >= p_value_of_sigmas(z); }
};

/// The two-sample test of Kolmogorov and Smirnov for histograms with the same bins: whether both
/// samples may come from one distribution.
///
/// The distance is D = max |F1 - F2| over the edges of the bins, where F is the fraction of the
/// entries below. It is tested with the numbers of entries, not with that of bins, and the order of
/// the bins matters. The probability is asymptotic, with Stephens' correction for small samples,
///
///   p = Q((sqrt(n) + 0.12 + 0.11 / sqrt(n)) D),   n = n1 n2 / (n1 + n2),
///
/// good from n = 4 on. As D does not see inside the bins, it is at most the distance of the samples
/// themselves: the test errs on the side of compatibility, the less so the finer the bins are.
/// The samples must be independent and their entries without weights.
/// M. A. Stephens, J. R. Stat. Soc. B 32 (1970) 115; N. Smirnov, Ann. Math. Statist. 19 (1948) 279.
inline KolmogorovSmirnov kolmogorov_smirnov(const BinnedCounts& first, const BinnedCounts& second) {
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
