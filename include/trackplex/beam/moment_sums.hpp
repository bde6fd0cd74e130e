// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/coordinates.hpp>

namespace trackplex::beam {

/// Pairs of coordinates i >= j.
inline constexpr int n_coordinate_pairs = n_coordinates * (n_coordinates + 1) / 2;

/// Sums for the moments of a bunch: about a point inside of the bunch, so that
/// no digits are lost where the bunch is far from the origin. A row of doubles on the device, for
/// float bunches, too.
struct MomentSums {
  double sample;                       ///< particles that the point is the mean of
  double sample_sum[n_coordinates];    ///< the point, times their number
  double number;                       ///< particles that are not lost
  double sum[n_coordinates];           ///< of the distances to the point
  double product[n_coordinate_pairs];  ///< of products of two distances; row i, column j <= i
  double min[n_coordinates];           ///< of the coordinates; infinity without particles
  double minus_max[n_coordinates];     ///< minus the largest
};

}  // namespace trackplex::beam
