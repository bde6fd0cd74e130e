// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/vertexing/vertices.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace trackplex::validation {

/// True vertex of a simulated event; lengths in the unit of the tracks.
struct TrueVertex {
  std::array<double, 3> position{};  ///< x, y, z
  int tracks = 0;                    ///< number of its charged particles that could be found
};

/// Vertex that was found, and its true one.
struct MatchedVertex {
  std::size_t found = 0;              ///< index of the vertex
  std::size_t truth = 0;              ///< index of the true vertex
  std::array<double, 3> residuals{};  ///< found less true position
  std::array<double, 3> pulls{};      ///< residuals over the vertex' standard deviations
};

/// Comparison of vertices with the truth.
struct VertexMatching {
  std::uint64_t reconstructible = 0;   ///< true vertices with enough tracks
  std::uint64_t found = 0;             ///< of these, those with a vertex
  std::uint64_t false_vertices = 0;    ///< vertices without a true one
  std::uint64_t duplicates = 0;        ///< further vertices of a true one
  std::vector<MatchedVertex> matches;  ///< the first vertex of each true one
};

/// Compares the vertices of an event with the truth: a vertex belongs to the true vertex nearest in
/// z, of any number of tracks, if that is within 5 standard deviations; else it is false. True
/// vertices with `min_tracks` or more are reconstructible. (The definitions of LHCb's Allen.)
inline VertexMatching match_vertices(std::span<const vertexing::Vertex> vertices,
                                     std::span<const TrueVertex> truth, int min_tracks = 4) {
  constexpr double max_distance = 5.;  // standard deviations
  VertexMatching result;
  std::vector<bool> used(truth.size());
  for (std::size_t v = 0; v < vertices.size(); ++v) {
    const auto& vertex = vertices[v];
    std::size_t nearest = 0;
    double distance = std::numeric_limits<double>::infinity();
    for (std::size_t t = 0; t < truth.size(); ++t) {
      const double dz = std::abs(vertex.position[2] - truth[t].position[2]);
      if (!(dz < distance)) continue;
      nearest = t;
      distance = dz;
    }
    if (!(distance < max_distance * std::sqrt(vertex.covariance[5]))) {
      ++result.false_vertices;
      continue;
    }
    if (used[nearest]) {
      ++result.duplicates;
      continue;
    }
    used[nearest] = true;
    MatchedVertex match{v, nearest, {}, {}};
    const std::array<std::size_t, 3> variances = {0, 2, 5};
    for (std::size_t k = 0; k < 3; ++k) {
      match.residuals[k] = vertex.position[k] - truth[nearest].position[k];
      match.pulls[k] = match.residuals[k] / std::sqrt(vertex.covariance[variances[k]]);
    }
    result.matches.push_back(match);
  }
  for (std::size_t t = 0; t < truth.size(); ++t) {
    if (truth[t].tracks < min_tracks) continue;
    ++result.reconstructible;
    if (used[t]) ++result.found;
  }
  return result;
}

}  // namespace trackplex::validation
