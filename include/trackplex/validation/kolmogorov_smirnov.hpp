// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/compiled.hpp>
#include <trackplex/validation/binned_counts.hpp>
#include <trackplex/validation/significance.hpp>

#include <cstddef>

namespace trackplex::validation {

/// Returns the probability that \f$ \sqrt n\,D \f$ exceeds t, of Kolmogorov's limiting
/// distribution: \f[ Q(t)=2\sum_{k\ge1}(-1)^{k-1}e^{-2k^2t^2},\qquad
///   1-Q(t)=\frac{\sqrt{2\pi}}t\sum_{k\ge1}e^{-(2k-1)^2\pi^2/(8t^2)}, \f]
/// with the second form, which converges faster, for small t.
///
/// W. Feller, Ann. Math. Statist. 19 (1948) 177; Numerical Recipes, 3rd ed. (2007), sec. 6.14.12.
double kolmogorov_p_value(double t);

/// Result of a Kolmogorov-Smirnov test.
struct KolmogorovSmirnov {
  double distance = 0.;   ///< D: largest difference of the cumulative fractions
  std::size_t edge = 0;   ///< number of bins below the edge where the difference is largest
  double n = 0.;          ///< effective number of entries, n1 n2 / (n1 + n2)
  double statistic = 0.;  ///< sqrt(n) D
  double p_value = 1.;    ///< probability of this distance or a larger one

  /// Returns whether the hypothesis of one distribution is accepted at `z` standard deviations: the
  /// p-value is not below `p_value_of_sigmas(z)`.
  bool compatible(double z = 5.) const { return p_value >= p_value_of_sigmas(z); }
};

/// Two-sample Kolmogorov-Smirnov test of histograms with the same bins: tests whether both samples
/// come from one distribution.
///
/// The distance is \f$ D=\max|F_1-F_2| \f$ over the edges of the bins, where F is the fraction of
/// the entries below the edge. The number of entries matters, not the number of bins, and so does
/// the order of the bins. The p-value is asymptotic, with Stephens' correction for small samples,
/// \f[ p=Q\left(\Big(\sqrt n+0.12+\frac{0.11}{\sqrt n}\Big)D\right),\qquad
///   n=\frac{n_1n_2}{n_1+n_2}, \f]
/// with Q as in `kolmogorov_p_value`, good for n of 4 and more. As D is blind to differences inside
/// bins, it is at most the distance of the unbinned samples: the test errs on the side of
/// compatibility, less with finer bins. The samples must be independent and unweighted.
///
/// M. A. Stephens, J. R. Stat. Soc. B 32 (1970) 115; N. Smirnov, Ann. Math. Statist. 19 (1948) 279.
/// @throws UsageError if the bins differ or a sample is empty
KolmogorovSmirnov kolmogorov_smirnov(const BinnedCounts& first, const BinnedCounts& second);

}  // namespace trackplex::validation

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/validation/detail/kolmogorov_smirnov.impl.hpp>
#endif
