// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "results.hpp"

#include <trackplex/io/table_file.hpp>

#include <string>

namespace coulomb {

/// Program, material, energy, A, mean free path, limit, seed, precision.
trackplex::io::Metadata metadata(const Simulation& simulation);

/// The file of a tally: PREFIX_longitudinal.csv, for example.
std::string tally_file(const std::string& prefix, const std::string& tally);

/// PREFIX_longitudinal.csv, PREFIX_transverse.csv and PREFIX_angle.csv; with PREFIX.h5, as .h5.
void write_tallies(const std::string& prefix, const Results& results);

/// The tally of the plane: z_lo,z_hi,r_lo,r_hi,density,counts.
trackplex::io::Table plane_table(const Results& results);

}  // namespace coulomb
