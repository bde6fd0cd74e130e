// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/tracking_steps.hpp>
#include <trackplex/program/options.hpp>
#include <trackplex/program/report.hpp>
#include <trackplex/simulation/bunch_params.hpp>

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace beamline {

struct Input;

/// What the command line says.
struct ProgramOptions {
  /// Of x and y.
  using Pair = std::pair<double, double>;

  trackplex::program::CommonOptions common;

  std::string lattice;  ///< file; empty: the built-in one
  std::string line;
  double momentum = 0.;  ///< 0: that of the bunch's file, or 200
  int turns = 1;
  double max_position = 10.;  ///< m
  double max_slope = 1.;

  std::string bunch;                             ///< file; empty: generated
  std::vector<const CLI::Option*> of_generator;  ///< what has no meaning for a file
  int generate = 0;                              ///< particles; 0: 100000
  std::optional<double> charge;
  Pair emittance{1e-6, 1e-6};  ///< normalized, m
  std::optional<Pair> beta, alpha;
  bool matched = false;
  double sigma_s = 3e-4;
  double sigma_delta = 1e-4;
  double chirp = 0.;
  double cutoff = 3.;
  bool flat = false;
  Pair modulation{0., 0.};  ///< wavelength and depth

  std::string output;   ///< particles
  std::string moments;  ///< along the line
  std::string moments_every;
  std::string profile;
  std::string profile_at;
  std::string plot;
  std::string profile_plot;
  std::string write_input;

  ProgramOptions() { common.precision = "double"; }

  /// @throws UsageError where options do not go together
  void check() const;

  bool is_generated() const { return bunch.empty(); }
  /// A bunch of the line's periodic optics, where it has them, without being asked.
  bool is_matched_by_itself() const { return lattice.empty() && !beta && !alpha; }
  bool wants_profile() const { return !profile.empty() || !profile_plot.empty(); }
  bool wants_moments_of_elements() const;
  trackplex::beam::CoordinateLimits limits() const { return {max_position, max_slope}; }
  /// What to generate, but for the charge and matching.
  trackplex::simulation::BunchParams bunch_params() const;

  /// What the report says of the input.
  trackplex::program::Json description(const Input& input) const;
};

void add_options(CLI::App& app, ProgramOptions& options);

}  // namespace beamline
