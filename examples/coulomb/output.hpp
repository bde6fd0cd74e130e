// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "results.hpp"

#include <string>

namespace coulomb {

/// What the simulation is, on a line: material, energy, A, mean free path, limit, seed, version.
std::string metadata(const Simulation& simulation);

/// The file of a tally: PREFIX_longitudinal.csv, for example.
std::string tally_file(const std::string& prefix, const std::string& tally);

/// PREFIX_longitudinal.csv, PREFIX_transverse.csv and PREFIX_angle.csv.
void write_tallies(const std::string& prefix, const Results& results);

/// The tally of the plane: a comment, then z_lo,z_hi,r_lo,r_hi,density,counts.
std::string plane_csv(const Results& results);

}  // namespace coulomb
