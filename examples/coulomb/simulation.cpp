// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "simulation.hpp"

#include <fmt/format.h>

namespace coulomb {

std::string Simulation::source() const {
  return source_radius > 0. ? fmt::format("disk:{}mm", source_radius) : "pencil";
}

montecarlo::TransportDescription Simulation::description() const {
  auto tallies = montecarlo::descriptions(tallies_of<double>(binning));
  if (!binning.plane) tallies.pop_back();
  return {material, scattering, limit, seed, precision, source(), tallies};
}

}  // namespace coulomb
