// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/compiled.hpp>
#include <trackplex/core/error.hpp>

#include <cstddef>
#include <optional>
#include <vector>

namespace trackplex::validation {

/// Bins [e0, e1), [e1, e2), ...; the last bin includes its upper edge. Values outside are in no
/// bin. Without edges there are no bins.
struct BinEdges {
  std::vector<double> edges{};  ///< ascending, one more than bins, in the unit of the values

  /// Returns n bins of equal width from `lower` to `upper`.
  /// @throws UsageError if n is below 1
  static BinEdges regular(int n, double lower, double upper);

  /// Returns the number of bins.
  std::size_t size() const { return edges.empty() ? 0 : edges.size() - 1; }

  /// Returns the number of the bin that contains a value, if there is one.
  std::optional<std::size_t> find(double value) const;
  /// Returns the number of the bin that contains an azimuth (rad) or one that differs from it by
  /// whole turns, if there is one.
  std::optional<std::size_t> find_azimuth(double phi) const;

  /// Checks the edges.
  /// @throws UsageError unless the edges are ascending
  void check() const;
};

}  // namespace trackplex::validation

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/validation/detail/bin_edges.impl.hpp>
#endif
