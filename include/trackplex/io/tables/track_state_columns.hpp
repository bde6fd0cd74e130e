// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Columns of tables for the states of tracks: x[cm], y[cm], z[cm], inverse_pt[1/GeV], phi[rad],
/// theta[rad] of a central track, or x[cm], y[cm], z[cm], x_slope, y_slope, q_over_p[1/GeV] of a
/// forward one, the lower triangle of their covariance, cov_x_x[cm^2], cov_y_x[cm^2], ...,
/// cov_theta_theta[rad^2], and charge.

#include <trackplex/core/compiled.hpp>
#include <trackplex/io/table.hpp>
#include <trackplex/kalman/track_state.hpp>

#include <array>
#include <span>
#include <type_traits>
#include <vector>

namespace trackplex::io {

/// Column of a parameter.
struct ParameterColumn {
  const char* name;  ///< name of the parameter
  const char* unit;  ///< its unit; empty: none
};
/// Columns of the parameters of a central track.
inline constexpr std::array<ParameterColumn, 6> central_columns{{{"x", "cm"},
                                                                 {"y", "cm"},
                                                                 {"z", "cm"},
                                                                 {"inverse_pt", "1/GeV"},
                                                                 {"phi", "rad"},
                                                                 {"theta", "rad"}}};
/// Columns of the parameters of a forward track.
inline constexpr std::array<ParameterColumn, 6> forward_columns{{{"x", "cm"},
                                                                 {"y", "cm"},
                                                                 {"z", "cm"},
                                                                 {"x_slope", ""},
                                                                 {"y_slope", ""},
                                                                 {"q_over_p", "1/GeV"}}};

/// Appends the 28 columns of a state with these parameters, with numbers of the type `real`.
void add_state_columns(std::vector<Column>& columns, ColumnType real,
                       std::span<const ParameterColumn, 6> parameters = central_columns);
/// Appends the 28 columns of a state of a model, `CentralTrack` or `ForwardTrack`.
template <kalman::TrackModel Model>
void add_state_columns(std::vector<Column>& columns, ColumnType real) {
  add_state_columns(
      columns, real,
      std::is_same_v<Model, kalman::ForwardTrack> ? forward_columns : central_columns);
}

/// Returns the values of a state in the order of these columns.
template <kalman::TrackModel Model>
std::vector<double> state_values(const kalman::TrackState<double, Model>& state) {
  constexpr int n = kalman::Parameter::count;
  std::vector<double> values;
  for (int i = 0; i < n; ++i) values.push_back(state.parameters(i));
  for (int i = 0; i < n; ++i)
    for (int j = 0; j <= i; ++j) values.push_back(state.covariance(i, j));
  values.push_back(state.charge);
  return values;
}

}  // namespace trackplex::io

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/io/tables/detail/track_state_columns.impl.hpp>
#endif
