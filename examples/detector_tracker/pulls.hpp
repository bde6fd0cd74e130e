// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <common/plots.hpp>
#include <common/report.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace detector_tracker {

using namespace trackplex;

/// A parameter, in reports and in tables.
struct ParameterName {
  const char *key, *text;
};

/// The pulls of differences; not finite where a variance is not positive.
std::vector<double> pulls_of(std::span<const double> differences,
                             std::span<const double> variances);
bool all_finite(std::span<const double> values);

/// Pulls of the parameters of tracks.
class ParameterPulls {
 public:
  struct Entry {
    ParameterName name;
    program::PullHistogram pulls{};
    std::uint64_t beyond = 0;
  };
  std::vector<Entry> entries;
  const double max;

  /// Pulls beyond `max` standard deviations are only counted: they are of broken errors.
  explicit ParameterPulls(std::span<const ParameterName> names, double max_pull = HUGE_VAL)
      : max(max_pull) {
    for (const auto& name : names) entries.push_back({name});
  }

  void add(std::span<const double> pulls);
  void add(std::size_t parameter, double pull);

  bool is_trimmed() const { return max < HUGE_VAL; }
  const validation::Pulls& moments(std::size_t parameter) const {
    return entries[parameter].pulls.moments;
  }
  /// Moments and histograms of n parameters from the first.
  program::Json to_json(std::size_t first, std::size_t n) const;
  program::Json to_json() const { return to_json(0, entries.size()); }
};

/// Pulls in a table and in a plot.
struct LabelledPulls {
  std::string label;
  const ParameterPulls* pulls;
};

/// Means and widths with their errors; labels begin the names of the parameters.
std::string pull_table(const std::string& title, const std::vector<LabelledPulls>& list,
                       int decimals);
/// A panel for each parameter of the first pulls; others may have fewer.
program::Json pull_plot(const std::string& title, int columns,
                        const std::vector<LabelledPulls>& list);

/// Half of the interval that holds the middle 68.27 % of values, and their median.
struct Quantiles {
  double median = 0., half_width = 0.;

  explicit Quantiles(std::vector<double> values);
};

}  // namespace detector_tracker
