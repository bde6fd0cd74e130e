// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/error.hpp>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace trackplex::validation {

/// Bins [e0, e1), [e1, e2), ..., of which the last includes its upper edge. Values outside are in
/// no bin. Without edges there are no bins.
struct BinEdges {
  std::vector<double> edges{};  ///< ascending, one more than bins, in the unit of the values

  /// Returns n bins of equal width from `lower` to `upper`.
  /// @throws UsageError if n is below 1
  static BinEdges regular(int n, double lower, double upper) {
    if (n < 1) throw UsageError("BinEdges", "there is one bin at least", std::to_string(n));
    BinEdges result;
    for (int i = 0; i < n; ++i) result.edges.push_back(lower + (upper - lower) * i / n);
    result.edges.push_back(upper);
    return result;
  }

  /// Returns the number of bins.
  std::size_t size() const { return edges.empty() ? 0 : edges.size() - 1; }

  /// Returns the number of the bin that contains a value, if there is one.
  std::optional<std::size_t> find(double value) const {
    if (size() == 0 || !(value >= edges.front() && value <= edges.back())) return {};
    const auto above = std::upper_bound(edges.begin(), edges.end(), value) - edges.begin();
    return std::min(std::size_t(above), size()) - 1;
  }

  /// Checks the edges.
  /// @throws UsageError unless the edges are ascending
  void check() const {
    for (std::size_t i = 0; i < size(); ++i)
      if (!(edges[i] < edges[i + 1]))
        throw UsageError("BinEdges",
                         "edge " + std::to_string(i + 1) + " is not above the one before",
                         std::to_string(edges[i]) + ", " + std::to_string(edges[i + 1]));
  }
};

}  // namespace trackplex::validation
