// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <string_view>
#include <trackplex/io/elegant/elegant_lattice.hpp>

namespace trackplex::test {

/// Reads a lattice of which every element is to be tracked, with infix arithmetic.
/// @throws InputError if one of them cannot be, too
inline io::ElegantLattice used_lattice(std::string_view text, const std::string& name) {
  auto file = io::parse_elegant_lattice(text, name, {.infix = true});
  for (const auto& element : file.lattice.elements()) (void)file.expand(element.name);
  return file;
}

}  // namespace trackplex::test
