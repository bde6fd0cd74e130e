// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Layers that a track may meet after a layer: a table from the user, or found by tracing rays.

#include <trackplex/core/compiled.hpp>
#include <trackplex/geometry/detail/trace_rays.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace trackplex::geometry {

/// Successors of each layer of a detector: the layers that a track may meet next.
struct LayerGraph {
  std::vector<std::vector<int>> successors;       ///< of each layer, by number
  std::vector<std::vector<std::int64_t>> counts;  ///< rays to each successor; empty: not counted

  /// Whether a layer may follow another.
  bool has_edge(int from, int to) const {
    const auto& list = successors[std::size_t(from)];
    return std::find(list.begin(), list.end(), to) != list.end();
  }
  /// Returns the largest number of successors of a layer.
  int max_successors() const;
};

/// Checks a table of successors against the layers of a detector.
/// @throws UsageError if the number of layers differs, or a successor is not a layer, is the layer
///         itself, or is listed twice
void check(const LayerGraph& graph, const DetectorDescription& detector);

/// Returns the graph for tracks that are followed backwards: successors become predecessors.
/// @throws UsageError if a successor is not a layer
LayerGraph reversed(const LayerGraph& graph);

/// Finds the successors of all layers by tracing rays: helices about the z axis from the vertex
/// region and from displaced vertices. A crossing close to an edge of a layer counts both as a
/// crossing and as a miss, and layers whose modules may be met in either order follow each other.
/// The result depends only on the detector and the parameters.
/// @throws UsageError if the numbers of the detector do not match, or a parameter is not possible
LayerGraph find_layer_graph(const DetectorDescription& detector,
                            const LayerGraphParams& params = {});

}  // namespace trackplex::geometry

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/geometry/detail/layer_graph.impl.hpp>
#endif
