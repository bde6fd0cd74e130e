// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/collective/space_charge_kick.hpp>
#include <trackplex/beam/elements/element.hpp>
#include <trackplex/core/compiled.hpp>

namespace trackplex::beam {

/// Parameters of space charge along a whole line.
struct SpaceChargeSteps {
  SpaceChargeKick kick{};   ///< Model and grid; the effective length is that of each step.
  double max_length = 0.1;  ///< Greatest length of a step, m.
  /// Whether the kick of a step comes before it, as in ImpactX, or in its middle, which is exact to
  /// the second order of its length.
  bool kick_first = false;
};

/// Returns the line with kicks by space charge: each element with a length is cut into equal steps.
/// Elements that cannot be split have half of a kick at each end, or the whole one first. Kicks
/// have the name of the element with ".sc" after it.
/// @throws UsageError if the greatest length is not above 0, or the line has space charge already
BeamLine with_space_charge(const BeamLine& line, const SpaceChargeSteps& steps);

}  // namespace trackplex::beam

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/beam/detail/add_space_charge.impl.hpp>
#endif
