// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Particles by their names, as files have them: rest energies in eV, charges in units of the
/// elementary one.

#include <trackplex/beam/bunch/spin.hpp>
#include <trackplex/core/constants.hpp>

#include <cmath>
#include <optional>
#include <string>
#include <string_view>

namespace trackplex::beam {

/// Particle by its name.
struct Species {
  std::string_view name;            ///< Name, such as "antiproton".
  double mass;                      ///< Rest energy, eV.
  double charge;                    ///< Charge in units of the elementary one.
  std::optional<double> anomaly{};  ///< Anomalous magnetic moment, where it is known here.
};

/// Particles whose names are known; masses and moments have the sources of `constants` and
/// `anomaly`.
inline constexpr Species known_species[] = {
    {"electron", 1e9 * constants::electron_mass, -1., anomaly::electron},
    {"positron", 1e9 * constants::electron_mass, 1., anomaly::electron},
    {"muon", 1e9 * constants::muon_mass, -1., anomaly::muon},
    {"antimuon", 1e9 * constants::muon_mass, 1., anomaly::muon},
    {"pion+", 1e9 * constants::pion_mass, 1., 0.},
    {"pion-", 1e9 * constants::pion_mass, -1., 0.},
    {"proton", 1e9 * constants::proton_mass, 1., anomaly::proton},
    {"antiproton", 1e9 * constants::proton_mass, -1., anomaly::proton},
    {"neutron", 1e9 * constants::neutron_mass, 0., std::nullopt},
};

/// Returns a particle by its name, also written "anti-proton", or null.
inline const Species* find_species(std::string_view name) {
  std::string plain(name);
  if (plain.starts_with("anti-")) plain.erase(4, 1);
  for (const Species& species : known_species)
    if (species.name == plain) return &species;
  return nullptr;
}

/// Returns the particle of a rest energy, eV, to 1e-6, and of a charge, or null.
inline const Species* find_species(double mass, double charge) {
  for (const Species& species : known_species)
    if (std::abs(species.mass / mass - 1.) < 1e-6 && species.charge == charge) return &species;
  return nullptr;
}

/// Tells whether the components of a spin are those of a unit vector, to 1e-6.
inline bool is_unit_spin(double x, double y, double z) {
  return std::abs(x * x + y * y + z * z - 1.) < 2e-6;
}

}  // namespace trackplex::beam
