// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "reference.hpp"
#include "schedule.hpp"
#include "simulation.hpp"

#include <trackplex/program/report.hpp>
#include <trackplex/validation/lewis_moments.hpp>

#include <optional>
#include <string>
#include <vector>

namespace coulomb {

/// What the histories of a simulation amount to.
class Results {
 public:
  Results(const Simulation& simulation, montecarlo::TransportCounts counts, Stop stop);

  Simulation simulation;
  montecarlo::TransportCounts counts;
  Stop stop;
  std::vector<montecarlo::TallyView> tallies;             ///< refer to the counts
  std::vector<trackplex::validation::LewisPull> moments;  ///< none with less than two histories
  std::vector<Comparison> comparisons;                    ///< with reference files

  Results(const Results&) = delete;
  Results& operator=(const Results&) = delete;

  trackplex::program::Json to_json() const;
  /// The tables of moments, of what is outside the tallies, and of the comparisons.
  std::string text() const;
};

/// The hash of all counts and sums: the same wherever and in however many parts they were made.
std::string hash_of(const montecarlo::TransportCounts& counts);

}  // namespace coulomb
