// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/elements/elements.hpp>
#include <trackplex/core/compiled.hpp>

#include <array>
#include <vector>

/// @file
/// Positions of the elements of a line in space.

namespace trackplex::beam {

/// Position and directions of the axis of a line in space. At the start z is along the axis, y is
/// up.
struct FloorPlace {
  double path = 0.;                            ///< Length of the axis so far, m.
  std::array<double, 3> position{0., 0., 0.};  ///< Position, m.
  std::array<std::array<double, 3>, 3> axes{
      ///< Directions of the local x, y
      {{{1., 0., 0.}}, {{0., 1., 0.}}, {{0., 0., 1.}}}};  ///< and s, in space.
  double turned = 0.;  ///< Sum of the angles of all bends without tilt so far, rad.
};

/// Returns the positions of the axis at the start of a line and after each element, one more
/// than there are elements. Rotations of the coordinate system (`Rotator`) are ignored.
std::vector<FloorPlace> floor_plan(const BeamLine& line, const FloorPlace& start = {});

}  // namespace trackplex::beam

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/beam/optics/detail/floor_plan.impl.hpp>
#endif
