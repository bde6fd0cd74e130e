// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Lines for drawing a detector.

#include <trackplex/core/compiled.hpp>
#include <trackplex/geometry/description.hpp>

#include <array>
#include <vector>

namespace trackplex::geometry {

/// Projection of a detector.
enum class Projection {
  zr,  ///< z and r: for barrels and disks
  zx,  ///< z and x: for planes
  xy   ///< x and y: along the beam
};

/// Line of a plot from (x0, y0) to (x1, y1), cm.
using Segment = std::array<double, 4>;

/// Returns the projection of a point.
std::array<double, 2> project(const Vector3<double>& point, Projection projection);

/// Returns the edges of the modules of a layer in a projection, or the edges of the surface of a
/// layer without modules. Lines that differ by less than 1e-4 of the layer's size appear once.
std::vector<Segment> outlines(const DetectorDescription& detector, int layer,
                              Projection projection);

}  // namespace trackplex::geometry

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/geometry/detail/outlines.impl.hpp>
#endif
