// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "simulation.hpp"

#include <trackplex/io/tally_table.hpp>
#include <trackplex/program/report.hpp>
#include <trackplex/validation/chi2.hpp>
#include <trackplex/validation/kolmogorov_smirnov.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace coulomb {

/// A distribution of a file, and its name.
struct Reference {
  std::string file;
  trackplex::io::TallyTable table;
};

/// The files that `--reference` names, by their tallies. A name is that of a file, which contains
/// the name of the tally (`gold_transverse.csv`), or what the names of files begin with: `gold` for
/// gold_longitudinal.csv, gold_transverse.csv and so on, as far as they exist.
std::map<std::string, Reference> read_references(const std::vector<std::string>& names,
                                                 const Simulation& simulation);

/// A tally beside that of a reference.
struct Comparison {
  std::string tally;
  Reference reference;
  std::uint64_t reference_counts = 0;
  trackplex::validation::KolmogorovSmirnov kolmogorov_smirnov;
  std::optional<trackplex::validation::Chi2Test> chi2;  ///< none with too few counts

  trackplex::program::Json to_json() const;
};

/// @throws InputError if the bins are not the same
Comparison compare(const montecarlo::TallyView& tally, const Reference& reference);

}  // namespace coulomb
