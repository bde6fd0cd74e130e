// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/montecarlo/chemical_elements.hpp>
#include <trackplex/montecarlo/material.hpp>

#include <optional>
#include <sstream>
#include <string>

namespace trackplex::montecarlo {

TRACKPLEX_INLINE std::optional<ElementFraction> element_of(const std::string& symbol) {
  std::istringstream table(detail::elements);
  std::string candidate;
  double weight = 0.;
  for (int z = 1; table >> candidate >> weight; ++z)
    if (candidate == symbol) return ElementFraction{z, weight, 1.};
  return std::nullopt;
}

}  // namespace trackplex::montecarlo
