// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/io/elegant/detail/elegant_apertures.hpp>
#include <trackplex/io/elegant/detail/elegant_bunch.hpp>
#include <trackplex/io/elegant/detail/elegant_canonical.hpp>
#include <trackplex/io/elegant/detail/elegant_collective.hpp>
#include <trackplex/io/elegant/detail/elegant_insertion.hpp>
#include <trackplex/io/elegant/detail/elegant_map_elements.hpp>
#include <trackplex/io/elegant/detail/elegant_modes.hpp>

#include <vector>

/// @file
/// elegant's keywords of elements, with its parameters and their defaults.

namespace trackplex::io::detail {

/// All keywords. LINE is not among them.
inline const std::vector<ElementRule>& element_rules() {
  static const std::vector<ElementRule> all = [] {
    std::vector<ElementRule> rules;
    for (const auto& some : {map_rules(), canonical_rules(), aperture_rules(), bunch_rules(),
                             collective_rules(), mode_rules(), insertion_rules()})
      rules.insert(rules.end(), some.begin(), some.end());
    return rules;
  }();
  return all;
}

}  // namespace trackplex::io::detail
