// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Columns of tables for the states of tracks: x[cm], y[cm], z[cm], inverse_pt[1/GeV], phi[rad],
/// theta[rad], the lower triangle of their covariance, cov_x_x[cm^2], cov_y_x[cm^2], ...,
/// cov_theta_theta[rad^2], and charge.

#include <trackplex/core/compiled.hpp>
#include <trackplex/io/table.hpp>
#include <trackplex/kalman/track_state.hpp>

#include <vector>

namespace trackplex::io {

/// Appends the 28 columns of a state, with numbers of the type `real`.
void add_state_columns(std::vector<Column>& columns, ColumnType real);

/// Returns the values of a state in the order of these columns.
std::vector<double> state_values(const kalman::TrackState<double>& state);

}  // namespace trackplex::io

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/io/tables/detail/track_state_columns.impl.hpp>
#endif
