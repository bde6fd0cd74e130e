// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Instances of the vertex finding.

#include <trackplex/core/kernel_instances.hpp>
#include <trackplex/vertexing/find_vertices.hpp>

namespace trackplex::kernels {

template <class T, int Width>
struct FindVertices {
  using Real = LanesOf<T, Width>;
  using Find = vertexing::detail::VertexFinding<Real, vertexing::TracksAtBeam<T, Memory>,
                                                vertexing::Vertices<T, Memory>>;
};

}  // namespace trackplex::kernels

#define TRACKPLEX_FIND_VERTICES_INSTANCES(PREFIX, T, W) \
  TRACKPLEX_TEAMS(PREFIX, FindVertices, T, W, Find)

namespace trackplex {
TRACKPLEX_DECLARE_INSTANCES(FIND_VERTICES, general, float)
}  // namespace trackplex
