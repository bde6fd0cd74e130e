// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/bunch/particle.hpp>

namespace trackplex::beam {

/// Number of pairs of coordinates i >= j.
inline constexpr int n_coordinate_pairs = n_coordinates * (n_coordinates + 1) / 2;

/// Sums for the moments of a bunch, about a point inside it, so no digits are lost if the bunch
/// is far from the origin. A row of doubles in device memory, in double precision even for
/// float bunches; in the units of `Coordinate`.
struct MomentSums {
  double sample;                     ///< Number of particles whose mean is the point.
  double sample_sum[n_coordinates];  ///< The point, times this number.
  double number;                     ///< Number of particles that are not lost.
  double sum[n_coordinates];         ///< Sum of the distances from the point.
  /// Sums of products of two distances: row by row of the lower triangle, i (i + 1)/2 + j, j <= i.
  double product[n_coordinate_pairs];
  double min[n_coordinates];        ///< Smallest coordinates; infinity without particles.
  double minus_max[n_coordinates];  ///< Minus the largest coordinates.
};

}  // namespace trackplex::beam
