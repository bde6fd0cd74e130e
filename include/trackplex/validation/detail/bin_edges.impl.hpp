// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/angle.hpp>
#include <trackplex/core/error.hpp>
#include <trackplex/core/shortest.hpp>
#include <trackplex/validation/bin_edges.hpp>

#include <algorithm>
#include <optional>
#include <string>

namespace trackplex::validation {

TRACKPLEX_INLINE BinEdges BinEdges::regular(int n, double lower, double upper) {
  if (n < 1) throw UsageError("BinEdges", "there is one bin at least", std::to_string(n));
  BinEdges result;
  for (int i = 0; i < n; ++i) result.edges.push_back(lower + (upper - lower) * i / n);
  result.edges.push_back(upper);
  return result;
}

TRACKPLEX_INLINE std::optional<std::size_t> BinEdges::find(double value) const {
  if (size() == 0 || !(value >= edges.front() && value <= edges.back())) return {};
  const auto above = std::upper_bound(edges.begin(), edges.end(), value) - edges.begin();
  return std::min(std::size_t(above), size()) - 1;
}

TRACKPLEX_INLINE std::optional<std::size_t> BinEdges::find_azimuth(double phi) const {
  if (const auto bin = find(phi); bin || size() == 0) return bin;
  const double middle = 0.5 * (edges.front() + edges.back());
  return find(middle + wrapped_angle(phi - middle));
}

TRACKPLEX_INLINE void BinEdges::check() const {
  for (std::size_t i = 0; i < size(); ++i)
    if (!(edges[i] < edges[i + 1]))
      throw UsageError("BinEdges", "edge " + std::to_string(i + 1) + " is not above the one before",
                       shortest(edges[i]) + ", " + shortest(edges[i + 1]));
}

}  // namespace trackplex::validation
