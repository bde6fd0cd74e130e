// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/optics/spin_axis.hpp>
#include <trackplex/core/derived_math.hpp>

#include <cmath>
#include <numbers>

namespace trackplex::beam {

TRACKPLEX_INLINE SpinOptics spin_optics_of_turn(const SpinMatrix& turn) {
  const double cosine = 0.5 * (turn[0][0] + turn[1][1] + turn[2][2] - 1.);
  // (R + R^T)/2 - cos = (1 - cos) n n^T, with its largest column
  SpinMatrix square;
  int largest = 0;
  for (int i = 0; i < n_spin_components; ++i) {
    for (int j = 0; j < n_spin_components; ++j)
      square[i][j] = 0.5 * (turn[i][j] + turn[j][i]) - (i == j ? cosine : 0.);
    if (square[i][i] > square[largest][largest]) largest = i;
  }
  if (!(square[largest][largest] > 1e-20))
    throw UsageError("spin_optics", "all spins return after a turn", {},
                     "there is no axis where the spin tune is an integer");
  SpinVector axis;
  double length2 = 0.;
  for (int i = 0; i < n_spin_components; ++i) {
    axis[i] = square[i][largest];
    length2 += axis[i] * axis[i];
  }
  for (double& component : axis) component /= std::sqrt(length2);
  const double sine =
      0.5 * (axis[0] * (turn[2][1] - turn[1][2]) + axis[1] * (turn[0][2] - turn[2][0]) +
             axis[2] * (turn[1][0] - turn[0][1]));
  const double turns = atan2(-sine, cosine) / (2. * std::numbers::pi);
  return {turns < 0. ? turns + 1. : turns, {axis}};
}

}  // namespace trackplex::beam
