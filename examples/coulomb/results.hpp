// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "simulation.hpp"

#include <common/report.hpp>
#include <trackplex/io/table.hpp>
#include <trackplex/io/tables/plane_table.hpp>
#include <trackplex/io/tables/tally_table.hpp>
#include <trackplex/montecarlo/schedule.hpp>
#include <trackplex/validation/lewis_moments.hpp>

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace coulomb {

/// A distribution of a file, and its name.
struct Reference {
  std::string file;
  io::TallyTable table;
};
using References = std::map<std::string, Reference>;  ///< by their tallies

/// The files that `--reference` names. A name is that of a file, which contains the name of the
/// tally (`gold_transverse.csv`), or what the names of files begin with: `gold` for
/// gold_longitudinal.csv, gold_transverse.csv and so on, as far as they exist.
References read_references(const std::vector<std::string>& names);

/// What the histories of a simulation amount to.
class Results {
 public:
  /// @throws InputError if the bins of a reference are others
  Results(const Simulation& simulation, const montecarlo::TransportCounts& counts,
          montecarlo::StopReason stop, const References& references);

  program::Json to_json() const;
  /// The tables of moments, of what is outside the tallies, and of the comparisons.
  std::string text() const;
  /// The distributions with their errors and references, for scripts/plot.
  program::Json plot() const;

  /// Writes PREFIX_longitudinal.csv, PREFIX_transverse.csv and PREFIX_angle.csv; with PREFIX.h5 or
  /// PREFIX.sdds, as .h5 or .sdds.
  void write_tallies(const std::string& prefix, const io::Metadata& metadata) const;
  /// The tally of the plane: z_lo,z_hi,r_lo,r_hi,density,counts.
  io::Table plane_table(const io::Metadata& metadata) const;

 private:
  Simulation simulation_;
  const montecarlo::TransportCounts& counts_;
  montecarlo::StopReason stop_;
  std::vector<montecarlo::TallyView> tallies_;  ///< with one axis
  std::optional<montecarlo::TallyView> plane_;
  std::vector<validation::LewisPull> moments_;  ///< none with less than two histories
  const References& references_;
  std::map<std::string, program::Json> comparisons_;  ///< by their tallies
};

/// A tally with one axis, and what the axes of its plot say.
struct Distribution {
  std::string tally, x, y = "density";
};
inline const std::vector<Distribution> distributions{
    {"longitudinal", "z / limit"},
    {"transverse", "distance from the axis / limit"},
    {"angle", "angle to the axis [rad]", "density [1/rad]"}};

/// The file of a tally: PREFIX_longitudinal.csv, for example.
std::string tally_file(const std::string& prefix, const std::string& tally);

/// The hash of all counts and sums: the same wherever and in however many parts they were made.
std::string hash_of(const montecarlo::TransportCounts& counts);

}  // namespace coulomb
