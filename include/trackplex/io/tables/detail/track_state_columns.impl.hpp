// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/io/tables/track_state_columns.hpp>

#include <span>
#include <string>
#include <vector>

namespace trackplex::io {

namespace detail {

/// Returns the unit of the covariance of parameters with these units.
inline std::string covariance_unit(const std::string& a, const std::string& b) {
  if (a.empty() || b.empty()) return a + b;
  if (a == "1/GeV") return a == b ? "1/GeV^2" : b + "/GeV";
  if (b == "1/GeV") return a + "/GeV";
  return a == b ? a + "^2" : b + "*" + a;
}

}  // namespace detail

TRACKPLEX_INLINE void add_state_columns(std::vector<Column>& columns, ColumnType real,
                                        std::span<const ParameterColumn, 6> parameters) {
  for (const auto& [name, unit] : parameters) columns.emplace_back(name, unit, real);
  for (std::size_t i = 0; i < parameters.size(); ++i)
    for (std::size_t j = 0; j <= i; ++j)
      columns.emplace_back(std::string("cov_") + parameters[i].name + "_" + parameters[j].name,
                           detail::covariance_unit(parameters[i].unit, parameters[j].unit), real);
  columns.emplace_back("charge", "", real);
}

}  // namespace trackplex::io
