// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/io/tables/track_state_columns.hpp>

#include <array>
#include <string>
#include <vector>

namespace trackplex::io {

namespace detail {

struct ParameterColumn {
  const char* name;
  const char* unit;
};

inline constexpr std::array<ParameterColumn, kalman::Parameter::count> parameter_columns{
    {{"x", "cm"},
     {"y", "cm"},
     {"z", "cm"},
     {"inverse_pt", "1/GeV"},
     {"phi", "rad"},
     {"theta", "rad"}}};

/// Returns the unit of the covariance of parameters i and j <= i.
inline std::string covariance_unit(int i, int j) {
  const std::string a = parameter_columns[std::size_t(i)].unit,
                    b = parameter_columns[std::size_t(j)].unit;
  if (a == "1/GeV") return a == b ? "1/GeV^2" : b + "/GeV";
  if (b == "1/GeV") return a + "/GeV";
  return a == b ? a + "^2" : b + "*" + a;
}

}  // namespace detail

TRACKPLEX_INLINE void add_state_columns(std::vector<Column>& columns, ColumnType real) {
  constexpr int n = kalman::Parameter::count;
  const auto& parameters = detail::parameter_columns;
  for (const auto& [name, unit] : parameters) columns.emplace_back(name, unit, real);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j <= i; ++j)
      columns.emplace_back(std::string("cov_") + parameters[std::size_t(i)].name + "_" +
                               parameters[std::size_t(j)].name,
                           detail::covariance_unit(i, j), real);
  columns.emplace_back("charge", "", real);
}

TRACKPLEX_INLINE std::vector<double> state_values(const kalman::TrackState<double>& state) {
  constexpr int n = kalman::Parameter::count;
  std::vector<double> values;
  for (int i = 0; i < n; ++i) values.push_back(state.parameters(i));
  for (int i = 0; i < n; ++i)
    for (int j = 0; j <= i; ++j) values.push_back(state.covariance(i, j));
  values.push_back(state.charge);
  return values;
}

}  // namespace trackplex::io
