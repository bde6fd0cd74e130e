// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/compiled.hpp>
#include <trackplex/validation/binned_counts.hpp>
#include <trackplex/validation/detail/incomplete_gamma.hpp>
#include <trackplex/validation/significance.hpp>

#include <cstddef>
#include <cstdint>
#include <span>

namespace trackplex::validation {

/// Returns the probability that a chi2 with this number of degrees of freedom is at least `chi2`:
/// the regularised incomplete gamma function \f$
/// Q(\nu/2,\chi^2/2)=\Gamma(\nu/2,\chi^2/2)/\Gamma(\nu/2) \f$ with \f$ \nu \f$ degrees of freedom
/// (W. H. Press et al., Numerical Recipes, 3rd ed. (2007), sec. 6.2).
/// @throws UsageError if chi2 is negative or not a number, or the number of degrees of freedom is
/// not
///   positive and finite
double chi2_p_value(double chi2, double degrees_of_freedom);

/// Result of a chi2 test.
struct Chi2Test {
  double chi2 = 0.;                    ///< sum over the bins in use
  std::size_t bins = 0;                ///< bins in use: those with enough entries
  std::size_t degrees_of_freedom = 0;  ///< bins minus constraints
  double p_value = 1.;                 ///< probability of this chi2 or a larger one

  /// Returns whether the hypothesis is accepted at `z` standard deviations: the p-value is not
  /// below `p_value_of_sigmas(z)`.
  bool compatible(double z = 5.) const { return p_value >= p_value_of_sigmas(z); }
};

/// Tests whether two histograms with the same bins and any totals are samples of one distribution.
/// With u and v entries in a bin, and U and V in all bins in use,
/// \f[ \chi^2=\sum\frac{(Vu-Uv)^2}{UV(u+v)} \f]
/// has (bins in use) - 1 degrees of freedom. Bins with u + v below `minimum_entries` are not
/// used, since their contribution would not follow a chi2 distribution; nor are empty bins. Entries
/// must be unweighted and the samples independent.
///
/// H. Cramer, Mathematical methods of statistics (1946), sec. 30.6; N. D. Gagunashvili,
/// arXiv:physics/0605123.
/// @throws UsageError if the bins differ, a sample has no entries in the bins in use, or fewer than
///   two bins are used
Chi2Test chi2_of_two(const BinnedCounts& first, const BinnedCounts& second,
                     std::uint64_t minimum_entries = 20);

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
Chi2Test chi2_of_expected(const BinnedCounts& observed, std::span<const double> expected,
                          std::size_t constraints = 0, double minimum_expected = 10.);

}  // namespace trackplex::validation

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/validation/detail/chi2.impl.hpp>
#endif
