// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/shortest.hpp>
#include <trackplex/validation/binned_counts.hpp>
#include <trackplex/validation/detail/incomplete_gamma.hpp>
#include <trackplex/validation/significance.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace trackplex::validation {

/// Returns the probability that a chi2 with this number of degrees of freedom is at least `chi2`:
/// the regularised incomplete gamma function \f$
/// Q(\nu/2,\chi^2/2)=\Gamma(\nu/2,\chi^2/2)/\Gamma(\nu/2) \f$ with \f$ \nu \f$ degrees of freedom
/// (W. H. Press et al., Numerical Recipes, 3rd ed. (2007), sec. 6.2).
/// @throws UsageError if chi2 is negative or not a number, or the number of degrees of freedom is
/// not
///   positive and finite
inline double chi2_p_value(double chi2, double degrees_of_freedom) {
  if (!(chi2 >= 0.) || !(degrees_of_freedom > 0.) || std::isinf(degrees_of_freedom)) {
    throw UsageError(
        "chi2_p_value", "there is no such chi2",
        shortest(chi2) + " with " + std::to_string(degrees_of_freedom) + " degrees of freedom");
  }
  if (std::isinf(chi2)) return 0.;
  return detail::regularized_gamma(0.5 * degrees_of_freedom, 0.5 * chi2).upper;
}

/// Result of a chi2 test.
struct Chi2Test {
  double chi2 = 0.;                    ///< sum over the bins in use
  std::size_t bins = 0;                ///< bins in use: those with enough entries
  std::size_t degrees_of_freedom = 0;  ///< bins minus constraints
  double p_value = 1.;                 ///< probability of this chi2 or a larger one

  /// Returns whether the hypothesis survives at `z` standard deviations: the p-value is not below
  /// `p_value_of_sigmas(z)`.
  bool compatible(double z = 5.) const { return p_value >= p_value_of_sigmas(z); }
};

namespace detail {
inline Chi2Test finish_chi2_test(const char* test, double chi2, std::size_t bins,
                                 std::size_t constraints) {
  if (bins <= constraints) {
    throw UsageError(test, "no degree of freedom is left",
                     std::to_string(bins) + " bins with enough entries, " +
                         std::to_string(constraints) + " constraints",
                     "take wider bins or a smaller minimum");
  }
  const std::size_t freedom = bins - constraints;
  return {chi2, bins, freedom, chi2_p_value(chi2, static_cast<double>(freedom))};
}
}  // namespace detail

/// Tests whether two histograms with the same bins and any totals are samples of one distribution.
/// With u and v entries in a bin, and U and V in all bins in use,
/// \f[ \chi^2=\sum\frac{(Vu-Uv)^2}{UV(u+v)} \f]
/// has (bins in use) - 1 degrees of freedom. Bins where u + v is below `minimum_entries` are not
/// used, since their contribution would not follow a chi2 distribution; nor are empty ones. Entries
/// must be unweighted and the samples independent.
///
/// H. Cramer, Mathematical methods of statistics (1946), sec. 30.6; N. D. Gagunashvili,
/// arXiv:physics/0605123.
/// @throws UsageError if the bins differ, a sample has no entries in the bins in use, or fewer than
///   two bins are used
inline Chi2Test chi2_of_two(const BinnedCounts& first, const BinnedCounts& second,
                            std::uint64_t minimum_entries = 20) {
  detail::require_comparable("chi2_of_two", first, second);
  const auto is_used = [&](std::size_t i) {
    const std::uint64_t entries = first[i] + second[i];
    return entries > 0 && entries >= minimum_entries;
  };
  double total1 = 0., total2 = 0.;
  std::size_t bins = 0;
  for (std::size_t i = 0; i < first.size(); ++i) {
    if (!is_used(i)) continue;
    ++bins;
    total1 += static_cast<double>(first[i]);
    total2 += static_cast<double>(second[i]);
  }
  if (bins > 1 && (total1 == 0. || total2 == 0.)) {
    throw UsageError("chi2_of_two", "one histogram is empty in the bins that take part", {},
                     "take wider bins or a smaller minimum");
  }
  double chi2 = 0.;
  for (std::size_t i = 0; i < first.size(); ++i) {
    if (!is_used(i)) continue;
    const double u = static_cast<double>(first[i]), v = static_cast<double>(second[i]);
    const double difference = u / total1 - v / total2;
    chi2 += difference * difference * total1 * total2 / (u + v);
  }
  return detail::finish_chi2_test("chi2_of_two", chi2, bins, 1);
}

/// Tests whether counts u are Poisson numbers with the expected values e. Pearson's
/// \f[ \chi^2=\sum\frac{(u-e)^2}{e} \f]
/// has (bins in use) - `constraints` degrees of freedom. `constraints` is the number of parameters
/// of the expectation that were determined from the counts: one if it was scaled to their total.
/// Bins with e below `minimum_expected` are not used. `expected` has one value for each of
/// `observed.bins()`.
///
/// K. Pearson, Phil. Mag. 50 (1900) 157; R. A. Fisher, J. R. Stat. Soc. 85 (1922) 87.
/// @throws UsageError if the numbers of values differ, an expected value is negative or not finite,
/// a
///   bin with e = 0 has entries, or no degree of freedom is left
inline Chi2Test chi2_of_expected(const BinnedCounts& observed, std::span<const double> expected,
                                 std::size_t constraints = 0, double minimum_expected = 10.) {
  if (expected.size() != observed.size()) {
    throw UsageError("chi2_of_expected", "the expectation does not belong to the counts",
                     std::to_string(expected.size()) + " expected values, " +
                         std::to_string(observed.size()) + " counts",
                     "give one for each bin, underflow and overflow included");
  }
  double chi2 = 0.;
  std::size_t bins = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const double e = expected[i];
    if (!(e >= 0.) || std::isinf(e)) {
      throw UsageError("chi2_of_expected", "bin " + std::to_string(i) + " expects no number >= 0",
                       shortest(e));
    }
    if (e == 0. && observed[i] > 0) {
      throw UsageError("chi2_of_expected",
                       "bin " + std::to_string(i) + " has entries where none are possible",
                       std::to_string(observed[i]) + " entries, 0 expected");
    }
    if (e == 0. || e < minimum_expected) continue;
    ++bins;
    const double difference = static_cast<double>(observed[i]) - e;
    chi2 += difference * difference / e;
  }
  return detail::finish_chi2_test("chi2_of_expected", chi2, bins, constraints);
}

}  // namespace trackplex::validation
