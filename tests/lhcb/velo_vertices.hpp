// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/lhcb/cluster_vp.hpp>
#include <trackplex/lhcb/mc_event.hpp>
#include <trackplex/lhcb/raw_input.hpp>
#include <trackplex/lhcb/velo/velo_beam_states.hpp>
#include <trackplex/lhcb/velo/velo_chain.hpp>
#include <trackplex/lhcb/velo_ut_detector.hpp>
#include <trackplex/validation/vertex_validation.hpp>
#include <trackplex/vertexing/find_vertices.hpp>

#include "lhcb/loaded_banks.hpp"

#include <span>
#include <vector>

namespace trackplex::test {

/// VELO tracks of a batch of events, and their states at the beam.
template <class T, class Memory>
struct VeloAtBeam {
  lhcb::VeloHits<T, Memory> hits;
  lhcb::VeloTracks<Memory> tracks;
  lhcb::LineStates<T, Memory> lines;
  vertexing::TracksAtBeam<T, Memory> at_beam;
};

/// From VP banks, by the VELO's algorithms one by one.
template <class T, int Width, class Space>
VeloAtBeam<T, typename Space::memory_space> velo_at_beam(const Space& exec,
                                                         const lhcb::Detector& detector,
                                                         std::span<const lhcb::RawEvent> events,
                                                         const lhcb::TripletParams& params,
                                                         int team_size = 0) {
  using Memory = typename Space::memory_space;
  VeloAtBeam<T, Memory> made;
  const auto banks = loaded_banks(exec, events);
  lhcb::VpClusters<Memory> clusters;
  lhcb::SortedHits<T, Memory> sorted;
  run_algorithm(
      exec,
      lhcb::ClusterVp<T, Space, Width>{lhcb::velo_pixel_tables<T>(exec, detector.velo), team_size},
      banks, made.hits, clusters);
  run_algorithm(exec,
                lhcb::SortByPhi<T, Space, Width>{lhcb::velo_pairs, params.merge_sides, team_size},
                made.hits, sorted);
  run_algorithm(
      exec,
      lhcb::SearchByTriplet<T, Space, Width>{params, lhcb::velo_module_z_on<T>(exec), team_size},
      made.hits, sorted, made.tracks);
  run_algorithm(exec, lhcb::FitLines<T, Space, Width>{params.inverse_variance, team_size},
                made.hits, made.tracks, made.lines);
  lhcb::VeloBeamStates<T, Space, Width> states;
  states.team_size = team_size;
  run_algorithm(exec, states, made.hits, made.tracks, made.lines, made.at_beam);
  exec.fence();
  return made;
}

/// Vertices of events from their VP banks.
template <class T, int Width, class Space>
std::vector<std::vector<vertexing::Vertex>> velo_vertices(const lhcb::Detector& detector,
                                                          std::span<const lhcb::RawEvent> events,
                                                          const lhcb::TripletParams& params,
                                                          int team_size = 0) {
  const Space exec;
  const auto made = velo_at_beam<T, Width>(exec, detector, events, params, team_size);
  vertexing::Vertices<T, typename Space::memory_space> vertices;
  run_algorithm(exec, vertexing::FindVertices<T, Space, Width>{{}, team_size}, made.at_beam,
                vertices);
  return vertexing::vertices_to_host(exec, vertices);
}

inline std::vector<validation::TrueVertex> true_vertices(const lhcb::McEvent& event) {
  std::vector<validation::TrueVertex> truth;
  for (const auto& v : event.vertices) truth.push_back({{v.x, v.y, v.z}, v.n_tracks});
  return truth;
}

}  // namespace trackplex::test
