// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/lhcb/velo_geometry.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace trackplex::lhcb {

/// A simulated particle that left hits in the VELO. Momenta in MeV.
struct VeloParticle {
  std::int64_t key = 0;  ///< identifier given by the simulation
  int pid = 0;           ///< PDG code
  double p = 0.;
  double pt = 0.;
  double eta = 0.;
  double phi = 0.;  ///< rad
  int charge = 0;   ///< +1 or -1
  bool is_long = false;
  bool is_down = false;
  bool has_velo = true;
  bool has_ut = false;
  bool has_scifi = false;
  bool from_beauty = false;
  bool from_charm = false;
  bool from_strange = false;
  std::vector<std::uint32_t> hits;  ///< indices into the hits of the event

  friend bool operator==(const VeloParticle&, const VeloParticle&) = default;
};

/// One event on the host: hits ordered by module, and the simulation's truth where it is known.
/// Lengths in mm.
struct VeloEvent {
  std::string name;  ///< where the event came from, for messages
  /// Hits of module m are [module_offsets[m], module_offsets[m + 1]).
  std::array<std::uint32_t, velo_modules + 1> module_offsets{};
  std::vector<double> x, y, z;
  std::vector<double> t;  ///< hit times where the input has them (Upgrade 2), else empty
  std::vector<VeloParticle> particles;
  bool has_truth = false;       ///< particles are known
  bool has_kinematics = false;  ///< their momenta and flags too

  std::size_t size() const { return x.size(); }

  friend bool operator==(const VeloEvent&, const VeloEvent&) = default;
};

}  // namespace trackplex::lhcb
