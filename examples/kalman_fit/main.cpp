// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fits and smooths tracks in a detector of cylinders, on one backend or all, and compares them with
// the truth.
#include "fit_and_smooth.hpp"
#include "output.hpp"
#include "picture.hpp"
#include "program_options.hpp"
#include "results.hpp"
#include "same_states.hpp"

#include <trackplex/core/error.hpp>
#include <trackplex/core/fingerprint.hpp>
#include <trackplex/program/main.hpp>
#include <trackplex/program/progress.hpp>
#include <trackplex/program/report.hpp>
#include <trackplex/program/table.hpp>

#include <fmt/format.h>

#include <optional>
#include <string>
#include <vector>

using namespace kalman_fit;
namespace program = trackplex::program;

namespace {

/// A run and what it found.
struct Outcome {
  program::RunDescription run;
  Fits found;

  double tracks_per_second(const char* step) const { return 1e6 / found.time_us.at(step).median; }
};

/// All runs; the tracks of the first go to `results` and to the file.
std::vector<Outcome> run_all(const ProgramOptions& options, Results& results) {
  auto settings = options.settings();
  std::optional<TrackFile> file;
  if (!options.output.empty()) file.emplace(options);
  std::vector<Outcome> outcomes;
  program::dispatch<float, double>(options.common, [&](const auto& run) {
    const auto description = run.description();
    program::ProgressBar progress(
        fmt::format("{}, {} lanes", description.backend, description.lanes),
        std::size_t(options.common.repeat) + 1, options.common);
    settings.after_repetition = [&] { progress.advance(); };
    settings.visit = nullptr;
    if (outcomes.empty())
      settings.visit = [&](const FittedTrack& track) {
        results.add(track);
        if (file) file->add(track);
      };
    outcomes.push_back({description, fit_and_smooth(run, settings)});
  });
  if (file) file->finish();
  results.hash = trackplex::Fingerprint().add(outcomes.front().found.fingerprints).hex();
  return outcomes;
}

program::RunReport report_of(const Outcome& outcome, const program::Json& results) {
  program::RunReport report;
  report.run = outcome.run;
  report.results = results;
  for (const char* step : {"fit", "smooth"}) {
    report.add_time(step, outcome.found.time_us.at(step));
    report.rate[fmt::format("{}_tracks_per_s", step)] = outcome.tracks_per_second(step);
  }
  return report;
}

std::string time_table(const std::vector<Outcome>& outcomes) {
  program::Table table(
      {"us per track", "threads", "lanes", "fit", "quartiles", "smooth", "quartiles", "fits/s"});
  for (const auto& outcome : outcomes) {
    std::vector<std::string> row = {outcome.run.backend, std::to_string(outcome.run.threads),
                                    std::to_string(outcome.run.lanes)};
    for (const char* step : {"fit", "smooth"}) {
      const auto& time = outcome.found.time_us.at(step);
      row.push_back(fmt::format("{:.3f}", time.median));
      row.push_back(fmt::format("{:.3f}..{:.3f}", time.lower_quartile, time.upper_quartile));
    }
    row.push_back(fmt::format("{:.0f}", outcome.tracks_per_second("fit")));
    table.add_row(std::move(row));
  }
  return table.text() + "smooth: the fit, which remembers its way, and the way back\n";
}

/// Names the first run whose states are not those of the first run, and the track.
std::optional<std::string> first_difference(const std::vector<Outcome>& outcomes) {
  const auto& expected = outcomes.front();
  for (const auto& outcome : outcomes)
    if (const auto track =
            kalman_fit::first_difference(expected.found.fingerprints, outcome.found.fingerprints))
      return fmt::format("track {}: {} with {} lanes gives other states than {} with {}", *track,
                         outcome.run.backend, outcome.run.lanes, expected.run.backend,
                         expected.run.lanes);
  return std::nullopt;
}

void warn_of_losses(const Results& results) {
  if (results.fitted_tracks == 0)
    fmt::print(stderr,
               "kalman_fit: warning: no track was fitted on all layers; raise --min-pt, or lower "
               "--layers or --material\n");
}

int run(const ProgramOptions& options) {
  Results results(options.layers, options.min_pt, options.max_pt);
  const auto outcomes = run_all(options, results);
  program::Report report("kalman_fit", options.description());
  const auto json = results.to_json();
  for (const auto& outcome : outcomes) report.runs.push_back(report_of(outcome, json));

  const auto difference = first_difference(outcomes);
  warn_of_losses(results);
  if (!options.picture.empty()) program::write_file(options.picture, picture(results));
  program::write_report(report, options.common);
  if (!options.common.quiet) {
    fmt::print("{} layers, {} cm of silicon each, {} T; {}\n{}\n{}", options.layers,
               options.material, options.field, options.common.precision, results.text(),
               time_table(outcomes));
    if (outcomes.size() > 1 && !difference)
      fmt::print("All {} runs gave the same states, bit for bit (hash {}).\n", outcomes.size(),
                 results.hash);
  }
  if (difference) throw trackplex::Error("comparison of backends", *difference);
  return program::success;
}

}  // namespace

int main(int argc, char* argv[]) {
  CLI::App app("Fits and smooths generated tracks in a detector of cylinders.", "kalman_fit");
  ProgramOptions options;
  add_options(app, options);
  return program::run_program(app, argc, argv, options.common, [&] { return run(options); });
}
