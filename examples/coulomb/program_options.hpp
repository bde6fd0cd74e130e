// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "schedule.hpp"
#include "simulation.hpp"

#include <trackplex/program/options.hpp>
#include <trackplex/program/report.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace coulomb {

/// What the command line says.
struct ProgramOptions {
  trackplex::program::CommonOptions common = default_options();

  std::string material = "water", composition;
  double density = 0.;  ///< g/cm^3
  bool atoms = false;   ///< fractions are those of the atoms
  std::string energy = "0.128MeV", limit = "33.5", source = "pencil";

  std::optional<std::uint64_t> histories;
  std::uint64_t first_history = 0;
  std::uint64_t batch = 0;             ///< histories of a launch; 0: as many as are good
  std::vector<std::string> precision;  ///< to stop at; also names of number types

  int bins = 100;
  std::string output, plane, plot;
  std::vector<std::string> references;

  std::string checkpoint;
  double checkpoint_every = 10.;  ///< seconds
  std::vector<std::string> resume, merge;

  /// Takes in what `--precision` says, and the lanes that are best for this program where the user
  /// leaves it open. Throws a UsageError where options do not go together.
  void finish();

  Simulation simulation() const;
  Goal goal() const;
  /// The checkpoints to begin with.
  const std::vector<std::string>& checkpoints() const { return merge.empty() ? resume : merge; }

  /// What the report says of the input.
  trackplex::program::Json description(const Simulation& simulation) const;

 private:
  static trackplex::program::CommonOptions default_options() {
    trackplex::program::CommonOptions options;
    options.repeat = 1;
    return options;
  }
  double stop_precision_ = 0.;
};

void add_options(CLI::App& app, ProgramOptions& options);

}  // namespace coulomb
