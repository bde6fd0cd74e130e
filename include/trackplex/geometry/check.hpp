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
  double overlap_tolerance = 1e-3;  ///< max overlap of two modules, cm
  double frame_tolerance = 1e-5;    ///< of the lengths of axes and their scalar products
  bool overlaps = true;             ///< whether to search for overlaps
};

/// Checks a description: modules have finite numbers, right-handed frames and bounds that
/// enclose an area, are close to their layer and are numbered as their layer says; no two modules
/// of a layer overlap; identifiers are unique.
/// @throws UsageError that names the first bad module or layer, with a suggestion
/// @throws CapacityError if there are too many modules
void check(const DetectorDescription& detector, const CheckParams& params = {});

}  // namespace trackplex::geometry

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/geometry/detail/check.impl.hpp>
#endif
