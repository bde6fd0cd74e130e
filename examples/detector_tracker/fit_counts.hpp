// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <common/fit_statuses.hpp>

#include <cstdint>
#include <string>

namespace detector_tracker {

using namespace trackplex;

/// Numbers and chi2 of fits.
struct FitCounts {
  std::uint64_t tracks = 0,             ///< all
      lost = 0,                         ///< did not reach the end
      failed = 0,                       ///< have a variance that is not positive
      outliers = 0;                     ///< skipped hits of fitted tracks
  double chi2 = 0.;                     ///< sum over fitted tracks
  std::int64_t degrees_of_freedom = 0;  ///< of these
  program::FitStatuses statuses{};      ///< of all tracks

  /// Counts a track, and returns whether its fit has reached the end.
  bool add(kalman::FitStatus status, bool reached);
  void add_fitted(double its_chi2, int its_degrees_of_freedom, int its_outliers);

  std::uint64_t fitted() const { return tracks - lost - failed; }
  double chi2_per_degree_of_freedom() const {
    return degrees_of_freedom == 0 ? 0. : chi2 / double(degrees_of_freedom);
  }
  nlohmann::ordered_json to_json() const;
  /// A line about the numbers, which ends with `more`, and one about the statuses if any differs.
  std::string text(const std::string& end, const std::string& more = {}) const;
};

}  // namespace detector_tracker
