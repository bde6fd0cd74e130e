// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Checks of the description of a detector.

#include <trackplex/core/compiled.hpp>
#include <trackplex/geometry/description.hpp>

namespace trackplex::geometry {

/// Limits of `check`.
struct CheckParams {
  double max_distance = 1.;         ///< from a module's centre to its layer, cm
  double overlap_tolerance = 1e-3;  ///< by which modules may penetrate each other, cm
  double frame_tolerance = 1e-5;    ///< of lengths of axes and of their scalar products
  bool overlaps = true;             ///< whether overlaps are searched for
};

/// Checks a description: modules are finite, with right-handed frames and bounds that enclose an
/// area, they are close to their layer, and their numbers are those of their layer; no two modules
/// of a layer occupy the same space; identifiers are unique.
/// @throws UsageError that names the first module or layer with a fault, and says what to do
/// @throws CapacityError if there are too many modules
void check(const DetectorDescription& detector, const CheckParams& params = {});

}  // namespace trackplex::geometry

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/geometry/detail/check.impl.hpp>
#endif
