// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/validation/vertex_matching.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace trackplex::validation {

/// Half width of the interval around the median that contains 68 % of the values; 0 without values.
inline double half_width_68(std::vector<double> values) {
  if (values.empty()) return 0.;
  const auto quantile = [&](double q) {
    std::sort(values.begin(), values.end());
    return values[std::size_t(q * double(values.size() - 1) + 0.5)];
  };
  const double median = quantile(0.5);
  for (double& value : values) value = std::abs(value - median);
  return quantile(0.68);
}

/// Sums of the comparisons of vertices with the truth of many events, see match_vertices().
class VertexValidation {
 public:
  /// Adds the vertices of an event, and its truth.
  void add(std::span<const vertexing::Vertex> vertices, std::span<const TrueVertex> truth) {
    const auto event = match_vertices(vertices, truth);
    ++events_;
    sums_.reconstructible += event.reconstructible;
    sums_.found += event.found;
    sums_.false_vertices += event.false_vertices;
    sums_.duplicates += event.duplicates;
    for (const auto& match : event.matches)
      for (std::size_t k = 0; k < 3; ++k) {
        residuals_[k].push_back(match.residuals[k]);
        pulls_[k].push_back(match.pulls[k]);
      }
  }

  std::uint64_t events() const { return events_; }  ///< Number of events.
  /// Counts of all events; `matches` is empty.
  const VertexMatching& sums() const { return sums_; }
  /// Residuals of all matched vertices in x, y or z (k = 0, 1, 2), in the unit of the vertices.
  const std::vector<double>& residuals(std::size_t k) const { return residuals_[k]; }
  /// Pulls of all matched vertices in x, y or z (k = 0, 1, 2).
  const std::vector<double>& pulls(std::size_t k) const { return pulls_[k]; }

 private:
  std::uint64_t events_ = 0;
  VertexMatching sums_;
  std::array<std::vector<double>, 3> residuals_, pulls_;
};

}  // namespace trackplex::validation
