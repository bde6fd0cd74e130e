// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/bunch/spin.hpp>
#include <trackplex/core/constants.hpp>

#include <numbers>
#include <optional>
#include <string>
#include <string_view>

/// @file
/// Particles of PALS by the names of openPMD, and its physical constants: SI, but energies in eV,
/// and charges in units of the elementary one.

namespace trackplex::io::detail {

/// Particle by its name.
struct PalsSpecies {
  std::string_view name;
  double mass;                      ///< Rest energy, eV.
  double charge;                    ///< Charge in units of the elementary one.
  std::optional<double> anomaly{};  ///< Anomalous magnetic moment, where it is known here.
};

inline constexpr PalsSpecies pals_species[] = {
    {"electron", 1e9 * constants::electron_mass, -1., beam::anomaly::electron},
    {"positron", 1e9 * constants::electron_mass, 1., beam::anomaly::electron},
    {"muon", 1e9 * constants::muon_mass, -1., beam::anomaly::muon},
    {"antimuon", 1e9 * constants::muon_mass, 1., beam::anomaly::muon},
    {"pion+", 1e9 * constants::pion_mass, 1., 0.},
    {"pion-", 1e9 * constants::pion_mass, -1., 0.},
    {"proton", 1e9 * constants::proton_mass, 1., beam::anomaly::proton},
    {"antiproton", 1e9 * constants::proton_mass, -1., beam::anomaly::proton},
    {"neutron", 1e9 * constants::neutron_mass, 0., std::nullopt},
};

/// A particle by its name, also written "anti-proton", or null.
inline const PalsSpecies* find_pals_species(std::string_view name) {
  std::string plain(name);
  if (plain.starts_with("anti-")) plain.erase(4, 1);
  for (const PalsSpecies& species : pals_species)
    if (species.name == plain) return &species;
  return nullptr;
}

/// A constant by its name, or none.
inline std::optional<double> pals_constant(std::string_view name) {
  constexpr double pi = std::numbers::pi, c = constants::speed_of_light;
  constexpr double radius = constants::classical_electron_radius;            // m
  constexpr double radius_factor = radius * 1e9 * constants::electron_mass;  // m eV
  constexpr double mu_0 = 4. * pi * radius_factor / (c * c);
  constexpr double hbar = 1e9 * constants::reduced_planck;
  struct Constant {
    std::string_view name;
    double value;
  };
  static constexpr Constant known[] = {
      {"pi", pi},
      {"c_light", c},
      {"h_planck", 2. * pi * hbar},
      {"hbar", hbar},
      {"r_electron", radius},
      {"r_proton", radius * (constants::electron_mass / constants::proton_mass)},
      {"e_charge", constants::elementary_charge},
      {"mu_0", mu_0},
      {"epsilon_0", 1. / (mu_0 * c * c)},
      {"classical_radius_factor", radius_factor},
      {"fine_structure", constants::fine_structure},
      {"n_avogadro", constants::avogadro},
  };
  for (const Constant& constant : known)
    if (constant.name == name) return constant.value;
  return std::nullopt;
}

}  // namespace trackplex::io::detail
