// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace trackplex::lhcb {

/// Simulated particle with at least one hit, and the LHCbIDs of its hits. Quantities missing in the
/// files of older years are zero.
struct McParticle {
  std::uint32_t key = 0;               ///< identifier given by the simulation
  std::int32_t pid = 0;                ///< PDG code
  float p = 0.f;                       ///< momentum, MeV
  float pt = 0.f;                      ///< transverse momentum, MeV
  float eta = 0.f;                     ///< pseudorapidity
  float phi = 0.f;                     ///< azimuth, rad
  float origin_x = 0.f,                ///< x of the origin vertex, mm
      origin_y = 0.f,                  ///< y of the origin vertex, mm
      origin_z = 0.f;                  ///< z of the origin vertex, mm
  bool is_long = false;                ///< reconstructible in the VELO and downstream of the magnet
  bool is_down = false;                ///< reconstructible in the UT and downstream of the magnet
  bool has_velo = false;               ///< reconstructible in the VELO
  bool has_ut = false;                 ///< reconstructible in the UT
  bool has_scifi = false;              ///< reconstructible in the SciFi, downstream of the magnet
  bool from_beauty = false;            ///< from the decay of a beauty hadron
  bool from_charm = false;             ///< from the decay of a charm hadron
  bool from_strange = false;           ///< from the decay of a strange hadron
  bool from_signal = false;            ///< from the signal decay
  std::uint32_t mother_key = 0;        ///< identifier of the mother
  std::int32_t mother_pid = 0;         ///< PDG code of the mother
  std::int32_t origin_mother_key = 0;  ///< identifier of the b, c or s hadron from which it comes
  std::int32_t origin_mother_pid = 0;  ///< PDG code of that hadron
  float origin_mother_pt = 0.f;        ///< transverse momentum of that hadron, MeV
  float origin_mother_tau = 0.f;       ///< decay time of that hadron, ns
  float charge = 0.f;                  ///< +1 or -1, not exactly: use the sign
  std::uint32_t n_vertices = 0;        ///< number of primary vertices of the event
  std::vector<std::uint32_t> velo_ids;   ///< LHCbIDs of its hits in the VELO
  std::vector<std::uint32_t> ut_ids;     ///< LHCbIDs of its hits in the UT
  std::vector<std::uint32_t> scifi_ids;  ///< LHCbIDs of its hits in the SciFi

  /// Compares all members.
  friend bool operator==(const McParticle&, const McParticle&) = default;
};

/// Simulated primary vertex.
struct McVertex {
  std::int32_t n_tracks = 0;  ///< number of its tracks
  double x = 0.;              ///< mm
  double y = 0.;              ///< mm
  double z = 0.;              ///< mm

  /// Compares all members.
  friend bool operator==(const McVertex&, const McVertex&) = default;
};

/// Simulated truth of one event.
struct McEvent {
  std::string name;                   ///< source of the event, for messages
  std::vector<McParticle> particles;  ///< particles with at least one hit
  std::vector<McVertex> vertices;     ///< primary vertices

  /// Compares all members.
  friend bool operator==(const McEvent&, const McEvent&) = default;
};

}  // namespace trackplex::lhcb
