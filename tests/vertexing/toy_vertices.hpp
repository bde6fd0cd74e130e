// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/algorithm.hpp>
#include <trackplex/validation/vertex_matching.hpp>
#include <trackplex/vertexing/find_vertices.hpp>

#include <cmath>
#include <random>
#include <vector>

namespace trackplex::test {

struct ToyEvent {
  std::vector<validation::TrueVertex> truth;
  std::vector<vertexing::TrackAtBeam<double>> tracks;
};

/// Straight tracks from vertices, with correlated errors of x and y, moved to where they are
/// closest to the beam; and a few from elsewhere. Lengths in mm.
inline ToyEvent toy_event(int n_vertices, int tracks_each, int others, unsigned seed) {
  std::mt19937 random(seed);
  const auto uniform = [&](double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random);
  };
  std::normal_distribution<double> gauss;
  ToyEvent event;
  const auto add = [&](double x, double y, double z) {
    vertexing::TrackLine<double> line;
    const double slope = uniform(0.02, 0.3), phi = uniform(-3.14, 3.14);
    line.tx = slope * std::cos(phi);
    line.ty = slope * std::sin(phi);
    const double sx = uniform(0.01, 0.05), sy = uniform(0.01, 0.05), rho = uniform(-0.7, 0.7);
    const double ex = gauss(random), ey = rho * ex + std::sqrt(1. - rho * rho) * gauss(random);
    line.x = x + sx * ex;
    line.y = y + sy * ey;
    line.z = z;
    line.xx = sx * sx;
    line.xy = rho * sx * sy;
    line.yy = sy * sy;
    event.tracks.push_back(
        vertexing::track_at_beam(line, vertexing::distance_to_beam(line, 0., 0.)));
  };
  for (int v = 0; v < n_vertices; ++v) {
    validation::TrueVertex vertex;
    vertex.position = {0.04 * gauss(random), 0.04 * gauss(random),
                       -150. + 300. * (v + uniform(0.1, 0.9)) / n_vertices};
    vertex.tracks = tracks_each;
    for (int t = 0; t < tracks_each; ++t)
      add(vertex.position[0], vertex.position[1], vertex.position[2]);
    event.truth.push_back(vertex);
  }
  for (int t = 0; t < others; ++t) add(uniform(-3., 3.), uniform(-3., 3.), uniform(-200., 200.));
  return event;
}

inline std::vector<ToyEvent> toy_events() {
  std::vector<ToyEvent> events;
  unsigned seed = 1;
  for (const auto& [vertices, tracks, others] : std::vector<std::array<int, 3>>{{0, 0, 0},
                                                                                {1, 40, 0},
                                                                                {6, 30, 40},
                                                                                {0, 0, 3},
                                                                                {15, 25, 90},
                                                                                {1, 1, 0},
                                                                                {3, 90, 10},
                                                                                {8, 20, 0},
                                                                                {10, 33, 31}})
    events.push_back(toy_event(vertices, tracks, others, seed++));
  return events;
}

template <class T, int Width, class Space>
std::vector<std::vector<vertexing::Vertex>> found_vertices(
    const std::vector<ToyEvent>& events, const vertexing::VertexParams& params = {},
    int team_size = 0) {
  std::vector<std::vector<vertexing::TrackAtBeam<double>>> tracks;
  for (const auto& event : events) tracks.push_back(event.tracks);
  const Space exec;
  const auto at_beam = vertexing::tracks_to_device<T>(exec, tracks);
  vertexing::Vertices<T, typename Space::memory_space> vertices;
  run_algorithm(exec, vertexing::FindVertices<T, Space, Width>{params, team_size}, at_beam,
                vertices);
  return vertexing::vertices_to_host(exec, vertices);
}

}  // namespace trackplex::test
