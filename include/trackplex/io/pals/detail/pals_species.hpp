// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/bunch/species.hpp>
#include <trackplex/core/constants.hpp>

#include <numbers>
#include <optional>
#include <string_view>

/// @file
/// Physical constants of PALS, SI, but energies in eV; its particles are those of species.hpp.

namespace trackplex::io::detail {

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
