// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/lhcb/velo/velo_geometry.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace trackplex::lhcb {

/// Simulated particle with hits in the VELO.
struct VeloParticle {
  std::int64_t key = 0;             ///< identifier given by the simulation
  int pid = 0;                      ///< PDG code
  double p = 0.;                    ///< momentum, MeV
  double pt = 0.;                   ///< transverse momentum, MeV
  double eta = 0.;                  ///< pseudorapidity
  double phi = 0.;                  ///< azimuth, rad
  int charge = 0;                   ///< +1 or -1
  bool is_long = false;             ///< reconstructible in the VELO and downstream of the magnet
  bool is_down = false;             ///< reconstructible in the UT and downstream of the magnet
  bool has_velo = true;             ///< reconstructible in the VELO
  bool has_ut = false;              ///< reconstructible in the UT
  bool has_scifi = false;           ///< reconstructible in the SciFi, downstream of the magnet
  bool from_beauty = false;         ///< from the decay of a beauty hadron
  bool from_charm = false;          ///< from the decay of a charm hadron
  bool from_strange = false;        ///< from the decay of a strange hadron
  std::vector<std::uint32_t> hits;  ///< indices of its hits in the event

  /// Compares all members.
  friend bool operator==(const VeloParticle&, const VeloParticle&) = default;
};

/// Event of the VELO on the host: hits ordered by module, and the simulated truth if it is known.
struct VeloEvent {
  std::string name;  ///< source of the event, for messages
  /// (module), one more than modules: hits of module m are [module_offsets[m],
  /// module_offsets[m + 1]).
  std::array<std::uint32_t, velo_modules + 1> module_offsets{};
  std::vector<double> x,                ///< (hit): mm
      y,                                ///< (hit): mm
      z;                                ///< (hit): mm
  std::vector<double> t;                ///< (hit): time as in the input (Upgrade 2), or empty
  std::vector<VeloParticle> particles;  ///< truth, with has_truth
  bool has_truth = false;               ///< whether the particles and their hits are known
  bool has_kinematics = false;          ///< whether their momenta and flags are also known

  /// Number of hits.
  std::size_t size() const { return x.size(); }

  /// Compares all members.
  friend bool operator==(const VeloEvent&, const VeloEvent&) = default;
};

}  // namespace trackplex::lhcb
