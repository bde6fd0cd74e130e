// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/bunch/spin.hpp>
#include <trackplex/core/compiled.hpp>
#include <trackplex/core/error.hpp>

#include <array>
#include <vector>

namespace trackplex::beam {

/// Components of a spin along x, y and the axis.
using SpinVector = std::array<double, n_spin_components>;
/// Rotation of spins: element [i][j] is component i of the spin that was along axis j.
using SpinMatrix = std::array<SpinVector, n_spin_components>;

/// Spins of a ring that return after a turn on the closed orbit.
struct SpinOptics {
  /// Turns around the invariant axis per turn of the ring, 0 to 1: positive as bends of positive
  /// angle turn. In a flat ring it is the fraction of a gamma.
  double tune = 0.;
  /// Invariant spin axis n0 at the start and after each element; at the start its largest component
  /// is positive.
  std::vector<SpinVector> axis;
};

/// Returns tune and axis of the rotation of one turn.
/// @throws UsageError if all spins return: there is no axis then
SpinOptics spin_optics_of_turn(const SpinMatrix& turn);

}  // namespace trackplex::beam

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/beam/optics/detail/spin_axis.impl.hpp>
#endif
