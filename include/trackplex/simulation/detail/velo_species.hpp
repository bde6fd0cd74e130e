// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/constants.hpp>

#include <array>

namespace trackplex::simulation::detail {

/// A charged particle. Masses in MeV.
struct Species {
  int pid;  ///< of the positive particle
  double mass;
  double fraction;  ///< of the charged primaries
};

inline constexpr Species pion{211, constants::generated::pion_mass, 0.79};
inline constexpr Species kaon{321, constants::generated::kaon_mass, 0.11};
inline constexpr Species proton{2212, constants::generated::proton_mass, 0.095};
inline constexpr Species muon{-13, constants::generated::muon_mass, 0.005};
inline constexpr Species electron{-11, constants::generated::electron_mass, 0.};
inline constexpr std::array<Species, 4> primary_species = {pion, kaon, proton, muon};

/// A particle that decays into charged particles after a flight. Two daughters fly back to back
/// in its rest frame; more daughters are independent of each other, with neutral ones carrying the
/// balance.
struct DecayingSpecies {
  double mass;          ///< MeV
  double decay_length;  ///< c tau, mm
  int daughters;
  double momentum;              ///< of a daughter in the rest frame, MeV
  Species first_daughter;       ///< the others are pions
  bool strange, charm, beauty;  ///< flag of the daughters
};

inline constexpr DecayingSpecies kaon_short{
    constants::generated::kaon_short_mass, 26.84, 2, 206., pion, true, false, false};
inline constexpr DecayingSpecies lambda{
    constants::generated::lambda_mass, 78.9, 2, 101., proton, true, false, false};
inline constexpr DecayingSpecies charm_hadron{1865., 0.2, 3, 600., kaon, false, true, false};
inline constexpr DecayingSpecies beauty_hadron{5280., 0.45, 5, 900., kaon, false, false, true};

}  // namespace trackplex::simulation::detail
