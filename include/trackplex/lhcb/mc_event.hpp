// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace trackplex::lhcb {

/// A simulated particle with at least one hit, and the LHCbIDs of its hits. Momenta in MeV, lengths
/// in mm, times in ns; what an older file does not tell is zero.
struct McParticle {
  std::uint32_t key = 0;  ///< identifier given by the simulation
  std::int32_t pid = 0;   ///< PDG code
  float p = 0.f;
  float pt = 0.f;
  float eta = 0.f;
  float phi = 0.f;                                       ///< rad
  float origin_x = 0.f, origin_y = 0.f, origin_z = 0.f;  ///< where it was made
  bool is_long = false;
  bool is_down = false;
  bool has_velo = false;
  bool has_ut = false;
  bool has_scifi = false;
  bool from_beauty = false;
  bool from_charm = false;
  bool from_strange = false;
  bool from_signal = false;
  std::uint32_t mother_key = 0;
  std::int32_t mother_pid = 0;
  /// The decay of b, c or s that it comes from.
  std::int32_t origin_mother_key = 0;
  std::int32_t origin_mother_pid = 0;
  float origin_mother_pt = 0.f;
  float origin_mother_tau = 0.f;
  float charge = 0.f;            ///< +1 or -1, not exactly: use the sign
  std::uint32_t n_vertices = 0;  ///< primary vertices of the event
  std::vector<std::uint32_t> velo_ids;
  std::vector<std::uint32_t> ut_ids;
  std::vector<std::uint32_t> scifi_ids;

  friend bool operator==(const McParticle&, const McParticle&) = default;
};

/// A simulated primary vertex, mm.
struct McVertex {
  std::int32_t n_tracks = 0;
  double x = 0.;
  double y = 0.;
  double z = 0.;

  friend bool operator==(const McVertex&, const McVertex&) = default;
};

/// The truth of one event.
struct McEvent {
  std::string name;  ///< where it came from, for messages
  std::vector<McParticle> particles;
  std::vector<McVertex> vertices;

  friend bool operator==(const McEvent&, const McEvent&) = default;
};

}  // namespace trackplex::lhcb
