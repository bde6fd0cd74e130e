// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/error.hpp>
#include <trackplex/geometry/detail/trace_rays.hpp>
#include <trackplex/geometry/layer_graph.hpp>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace trackplex::geometry {

TRACKPLEX_INLINE int LayerGraph::max_successors() const {
  std::size_t n = 0;
  for (const auto& list : successors) n = std::max(n, list.size());
  return int(n);
}

TRACKPLEX_INLINE void check(const LayerGraph& graph, const DetectorDescription& detector) {
  const int n = int(detector.layers.size());
  if (int(graph.successors.size()) != n)
    throw UsageError(
        "layer graph", "it is of another detector",
        std::to_string(graph.successors.size()) + " layers, the detector has " + std::to_string(n),
        "give a list, which may be empty, for each layer");
  for (int layer = 0; layer < n; ++layer) {
    auto list = graph.successors[std::size_t(layer)];
    std::sort(list.begin(), list.end());
    const auto refuse = [&](int successor, const char* problem, const char* suggestion) {
      throw UsageError("successors of " + name_of_layer(detector, layer), problem,
                       std::to_string(successor), suggestion);
    };
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (list[i] < 0 || list[i] >= n) refuse(list[i], "there is no such layer", "count from 0");
      if (list[i] == layer) refuse(layer, "the layer is its own successor", "remove it");
      if (i > 0 && list[i] == list[i - 1]) refuse(list[i], "a layer is listed twice", "remove one");
    }
  }
}

TRACKPLEX_INLINE LayerGraph reversed(const LayerGraph& graph) {
  const auto n = graph.successors.size();
  const bool counted = graph.counts.size() == n;
  LayerGraph back{std::vector<std::vector<int>>(n), {}};
  if (counted) back.counts.resize(n);
  for (std::size_t from = 0; from < n; ++from)
    for (std::size_t i = 0; i < graph.successors[from].size(); ++i) {
      const int to = graph.successors[from][i];
      if (to < 0 || to >= int(n))
        throw UsageError("reversed", "there is no such layer", std::to_string(to),
                         "check the graph");
      back.successors[std::size_t(to)].push_back(int(from));
      if (counted) back.counts[std::size_t(to)].push_back(graph.counts[from][i]);
    }
  return back;
}

TRACKPLEX_INLINE LayerGraph find_layer_graph(const DetectorDescription& detector,
                                             const LayerGraphParams& params) {
  check_numbers(detector);
  detail::check_rays(params);
  const auto n = detector.layers.size();
  std::vector<std::int64_t> counts(n * n);
  detail::RayTracer tracer(detector, params);
  const detail::EvenNumbers numbers;
  for (int i = 0; i < params.rays; ++i) {
    const auto ray = detail::ray_of(params, numbers, i);
    if (!detail::leads_outwards(params, ray)) continue;
    tracer.trace(ray, [&](int from, int to) { ++counts[std::size_t(from) * n + std::size_t(to)]; });
  }
  LayerGraph graph{std::vector<std::vector<int>>(n), std::vector<std::vector<std::int64_t>>(n)};
  for (std::size_t from = 0; from < n; ++from)
    for (std::size_t to = 0; to < n; ++to)
      if (const auto count = counts[from * n + to]; count > 0) {
        graph.successors[from].push_back(int(to));
        graph.counts[from].push_back(count);
      }
  return graph;
}

}  // namespace trackplex::geometry
