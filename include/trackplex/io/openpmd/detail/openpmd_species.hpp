// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Names of particles in openPMD.

#include <trackplex/beam/bunch/species.hpp>

#include <string>
#include <string_view>

namespace trackplex::io::detail {

/// A charged particle by its name in openPMD, or null.
inline const beam::Species* find_openpmd_species(std::string_view name) {
  if (name.ends_with(';')) name.remove_suffix(1);
  if (name.starts_with("other:")) name.remove_prefix(6);
  const beam::Species* const known = beam::find_species(name);
  return known && known->charge != 0. ? known : nullptr;
}

/// The names of openPMD for the known species that are charged.
inline std::string openpmd_name(const beam::Species& species) {
  std::string name(species.name);
  if (name.starts_with("anti")) return name.insert(4, "-");
  return name.starts_with("pion") ? "other:" + name : name;
}
inline std::string openpmd_names() {
  std::string names;
  for (const beam::Species& species : beam::known_species)
    if (species.charge != 0.) names += (names.empty() ? "" : ", ") + openpmd_name(species);
  return names;
}

}  // namespace trackplex::io::detail
