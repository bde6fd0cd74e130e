// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tracks a bunch of particles through a beam line with longitudinal space charge, on one backend or
// all.
#include "input.hpp"
#include "output.hpp"
#include "plots.hpp"
#include "program_options.hpp"
#include "results.hpp"
#include "track_bunch.hpp"

#include <trackplex/core/error.hpp>
#include <trackplex/io/bunch_table.hpp>
#include <trackplex/program/file_metadata.hpp>
#include <trackplex/program/main.hpp>
#include <trackplex/program/progress.hpp>
#include <trackplex/program/report.hpp>
#include <trackplex/program/table.hpp>

#include <fmt/format.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

using namespace beamline;
namespace program = trackplex::program;

namespace {

/// A run and what it found.
struct Outcome {
  program::RunDescription run;
  Tracked found;
};

TrackingSettings settings_of(const ProgramOptions& options, const Input& input) {
  TrackingSettings settings;
  settings.limits = options.limits();
  settings.turns = options.turns;
  settings.repeat = options.common.repeat;
  settings.record_elements = options.wants_moments_of_elements();
  settings.record_turns = !options.moments.empty() && !settings.record_elements;
  settings.record_first_turn = !options.plot.empty();
  if (options.wants_profile())
    settings.profile_at = space_charge_drift(input.line, options.profile_at);
  constexpr std::size_t max_rows = 2'000'000;
  const std::size_t rows =
      std::size_t(options.turns) * (settings.record_elements ? input.line.size() : 1);
  if (!options.moments.empty() && rows > max_rows)
    throw trackplex::CapacityError("--moments", "rows", rows, max_rows,
                                   settings.record_elements ? "see --moments-every" : "");
  return settings;
}

/// What the progress of a run adds up to: elements, over all passes through the line.
std::size_t work_of(const TrackingSettings& settings, const trackplex::beam::BeamLine& line) {
  const auto turns = std::size_t(settings.turns), repetitions = std::size_t(settings.repeat) + 1;
  std::size_t passes = repetitions * turns;
  if (has_space_charge(line)) passes += repetitions;
  if (settings.record_elements || settings.record_turns) passes += turns;
  if (settings.record_first_turn) passes += 1;
  return passes * line.size();
}

std::vector<Outcome> run_all(const ProgramOptions& options, const Input& input) {
  auto settings = settings_of(options, input);
  std::vector<Outcome> outcomes;
  program::dispatch<float, double>(options.common, [&](const auto& run) {
    const auto description = run.description();
    program::ProgressBar progress(
        fmt::format("{}, {} lanes", description.backend, description.lanes),
        work_of(settings, input.line), options.common);
    settings.advance = [&](std::size_t elements) { progress.advance(elements); };
    settings.keep_particles =
        outcomes.empty() && !(options.output.empty() && options.write_input.empty());
    outcomes.push_back({description, track_bunch(run, input, settings)});
  });
  return outcomes;
}

program::RunReport report_of(const Outcome& outcome, const Input& input, int turns) {
  const Results results{input, outcome.found};
  program::RunReport report;
  report.run = outcome.run;
  report.results = results.to_json();
  report.add_time("total", outcome.found.total_us);
  if (const auto& step = outcome.found.space_charge_step_us) report.add_time("lsc_step", *step);
  const double ns = results.ns_per_particle_element(turns);
  report.rate["ns_per_particle_element"] = ns;
  report.rate["particle_elements_per_s"] = 1e9 / ns;
  return report;
}

std::string time_table(const std::vector<Outcome>& outcomes, const Input& input, int turns) {
  program::Table table({"times", "threads", "lanes", "total [ms]", "quartiles",
                        "ns per particle and element", "us per step of space charge"});
  for (const auto& outcome : outcomes) {
    const auto& total = outcome.found.total_us;
    const auto& step = outcome.found.space_charge_step_us;
    table.add_row(
        {outcome.run.backend, std::to_string(outcome.run.threads),
         std::to_string(outcome.run.lanes), fmt::format("{:.3f}", 1e-3 * total.median),
         fmt::format("{:.3f}..{:.3f}", 1e-3 * total.lower_quartile, 1e-3 * total.upper_quartile),
         fmt::format("{:.4g}", Results{input, outcome.found}.ns_per_particle_element(turns)),
         step ? fmt::format("{:.1f}", step->median) : "-"});
  }
  return table.text();
}

/// Names the first run whose particles or moments are not those of the first run.
std::optional<std::string> first_difference(const std::vector<Outcome>& outcomes) {
  const auto& expected = outcomes.front();
  for (const auto& outcome : outcomes)
    if (outcome.found.particles_hash != expected.found.particles_hash ||
        outcome.found.moments_hash != expected.found.moments_hash)
      return fmt::format("{} with {} lanes gives other particles or moments than {} with {}",
                         outcome.run.backend, outcome.run.lanes, expected.run.backend,
                         expected.run.lanes);
  return std::nullopt;
}

void write_files(const ProgramOptions& options, const Input& input, const Tracked& found) {
  const auto metadata =
      program::file_metadata("beamline", options.common, options.description(input));
  const auto write = [&](const std::string& path, trackplex::io::Table table) {
    table.metadata = metadata;
    trackplex::io::write_table(path, std::move(table));
  };
  if (!options.output.empty())
    trackplex::io::write_bunch(options.output, found.last_particles, metadata);
  if (!options.moments.empty()) write(options.moments, moments_table(input, found.rows));
  if (!options.plot.empty()) program::write_file(options.plot, size_plot(input, found.first_turn));
  if (!options.profile.empty()) write(options.profile, profile_table(input, *found.profile));
  if (!options.profile_plot.empty())
    program::write_file(options.profile_plot, profile_plot(input, *found.profile));
  if (!options.write_input.empty()) write_input(options, found.first_particles);
}

int run(const ProgramOptions& options) {
  const auto input = read_input(options);
  const auto outcomes = run_all(options, input);
  program::Report report("beamline", options.description(input));
  for (const auto& outcome : outcomes)
    report.runs.push_back(report_of(outcome, input, options.turns));

  const auto difference = first_difference(outcomes);
  write_files(options, input, outcomes.front().found);
  program::write_report(report, options.common);
  if (!options.common.quiet) {
    fmt::print("{}, {} turn{}\n{}\n{}", options.common.precision, options.turns,
               options.turns == 1 ? "" : "s", Results{input, outcomes.front().found}.text(),
               time_table(outcomes, input, options.turns));
    if (outcomes.size() > 1 && !difference)
      fmt::print("All {} runs gave the same particles, bit for bit (hash {}).\n", outcomes.size(),
                 outcomes.front().found.particles_hash);
  }
  if (difference) throw trackplex::Error("comparison of backends", *difference);
  return program::success;
}

}  // namespace

int main(int argc, char* argv[]) {
  CLI::App app("Tracks a bunch of particles through a beam line with longitudinal space charge.",
               "beamline");
  ProgramOptions options;
  add_options(app, options);
  return program::run_program(app, argc, argv, options.common, [&] { return run(options); });
}
