// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <common/plots.hpp>
#include <common/report.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace detector_tracker {

/// Pulls of a parameter, without those of broken errors.
struct TrimmedPulls {
  static constexpr double most = 4.;  ///< standard deviations
  trackplex::program::PullHistogram within;
  std::uint64_t beyond = 0;

  void add(double pull);
  trackplex::program::Json to_json() const;
};

/// A parameter, in reports and in tables.
struct ParameterName {
  const char *key, *text;
};

/// Pulls of all parameters of tracks.
class ParameterPulls {
 public:
  /// @param names of the parameters
  /// @param place where they are, for titles
  ParameterPulls(std::span<const ParameterName> names, const char* place)
      : names_(names.begin(), names.end()), place_(place), pulls_(names.size()) {}

  /// Adds the differences of a track to its truth. Returns false, and skips the track, if a
  /// variance is not positive.
  bool add(std::span<const double> differences, std::span<const double> variances);

  /// Number of tracks.
  std::uint64_t count() const { return count_; }
  /// Pulls of the parameters from the first to the last.
  trackplex::program::Json to_json(std::size_t first, std::size_t last) const;
  trackplex::program::Json to_json() const { return to_json(0, names_.size() - 1); }
  /// Table of the pulls.
  std::string text() const;
  trackplex::program::Json plot() const;

 private:
  std::vector<ParameterName> names_;
  const char* place_;
  std::uint64_t count_ = 0;
  std::vector<TrimmedPulls> pulls_;
};

/// Half of the interval that holds the middle 68.27 % of values, and their median.
struct Quantiles {
  double median = 0., half_width = 0.;

  explicit Quantiles(std::vector<double> values);
};

}  // namespace detector_tracker
