// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/error.hpp>
#include <trackplex/core/shortest.hpp>
#include <trackplex/validation/binned_counts.hpp>
#include <trackplex/validation/chi2.hpp>
#include <trackplex/validation/detail/incomplete_gamma.hpp>

#include <cmath>
#include <cstdint>
#include <span>
#include <string>

namespace trackplex::validation {

TRACKPLEX_INLINE double chi2_p_value(double chi2, double degrees_of_freedom) {
  if (!(chi2 >= 0.) || !(degrees_of_freedom > 0.) || std::isinf(degrees_of_freedom)) {
    throw UsageError(
        "chi2_p_value", "there is no such chi2",
        shortest(chi2) + " with " + shortest(degrees_of_freedom) + " degrees of freedom");
  }
  if (std::isinf(chi2)) return 0.;
  return detail::regularized_gamma(0.5 * degrees_of_freedom, 0.5 * chi2).upper;
}

namespace detail {

TRACKPLEX_INLINE Chi2Test finish_chi2_test(const char* test, double chi2, std::size_t bins,
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

TRACKPLEX_INLINE Chi2Test chi2_of_two(const BinnedCounts& first, const BinnedCounts& second,
                                      std::uint64_t minimum_entries) {
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

TRACKPLEX_INLINE Chi2Test chi2_of_expected(const BinnedCounts& observed,
                                           std::span<const double> expected,
                                           std::size_t constraints, double minimum_expected) {
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
