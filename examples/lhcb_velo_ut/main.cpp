// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reconstructs LHCb tracks through VELO and UT from raw banks, on one backend or all, and compares
// them with the truth.
#include "event_display.hpp"
#include "input.hpp"
#include "output.hpp"
#include "program_options.hpp"
#include "reconstruct.hpp"
#include "results.hpp"
#include "scan.hpp"

#include <trackplex/program/main.hpp>
#include <trackplex/program/progress.hpp>
#include <trackplex/program/table.hpp>

#include <fmt/format.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

using namespace lhcb_velo_ut;
namespace program = trackplex::program;

namespace {

/// A run and what it found.
struct Outcome {
  program::RunDescription run;
  Reconstruction found;

  double events_per_second() const { return 1e6 / found.time_us.at("total").median; }
};

std::vector<Outcome> run_all(const ProgramOptions& options, const Input& input) {
  std::vector<Outcome> outcomes;
  program::dispatch<float, double>(options.common, [&](const auto& run) {
    const auto description = run.description();
    program::ProgressBar progress(
        fmt::format("{}, {} lanes", description.backend, description.lanes),
        std::size_t(options.common.repeat) + 1, options.common);
    const ReconstructionSettings settings{.parameters = options.tracking(),
                                          .batch = options.batch,
                                          .repeat = options.common.repeat,
                                          .after_repetition = [&] { progress.advance(); }};
    outcomes.push_back({description, reconstruct(run, input.detector, input.events, settings)});
  });
  return outcomes;
}

program::RunReport report_of(const Outcome& outcome, const Results& results) {
  program::RunReport report;
  report.run = outcome.run;
  report.results = results.to_json();
  report.results["tracks_hash"] = outcome.found.hash;
  for (const char* step : steps) report.add_time(step, outcome.found.time_us.at(step));
  report.rate["events_per_s"] = outcome.events_per_second();
  return report;
}

std::string throughput_table(const std::vector<Outcome>& outcomes) {
  program::Table table({"us per event", "threads", "lanes", "load", "VP clusters", "VELO",
                        "UT hits", "windows", "tracklets", "copy back", "total", "quartiles",
                        "events/s"});
  for (const auto& outcome : outcomes) {
    std::vector<std::string> row = {outcome.run.backend, std::to_string(outcome.run.threads),
                                    std::to_string(outcome.run.lanes)};
    for (const char* step : steps)
      row.push_back(fmt::format("{:.2f}", outcome.found.time_us.at(step).median));
    const auto& total = outcome.found.time_us.at("total");
    row.push_back(fmt::format("{:.2f}..{:.2f}", total.lower_quartile, total.upper_quartile));
    row.push_back(fmt::format("{:.0f}", outcome.events_per_second()));
    table.add_row(std::move(row));
  }
  return table.text() +
         "total: all steps from VP clusters to tracklets in one kernel; without load (check, pack "
         "and copy in) and copy back\n";
}

/// Names the first run whose results are not those of the first run.
std::optional<std::string> first_difference(const std::vector<Outcome>& outcomes) {
  for (std::size_t i = 1; i < outcomes.size(); ++i)
    if (outcomes[i].found.hash != outcomes[0].found.hash)
      return fmt::format("{} with {} lanes gives other results than {} with {}",
                         outcomes[i].run.backend, outcomes[i].run.lanes, outcomes[0].run.backend,
                         outcomes[0].run.lanes);
  return std::nullopt;
}

void warn_of_losses(const Results& results, const ProgramOptions& options) {
  if (results.velo_overflow > 0)
    fmt::print(stderr,
               "lhcb_velo_ut: warning: {} seeds of VELO tracks found no slot and are lost; lower "
               "--hits-per-slot (now {})\n",
               results.velo_overflow, options.hits_per_slot);
  if (results.left_out > 0)
    fmt::print(stderr,
               "lhcb_velo_ut: warning: {} super-pixels or UT hits are of channels that the "
               "detector does not have, and left out\n",
               results.left_out);
}

void write_files(const ProgramOptions& options, const Input& input, const Reconstruction& found) {
  if (!options.tracks.empty())
    program::write_file(options.tracks, options.tracks.ends_with(".csv")
                                            ? tracks_csv(input, found)
                                            : tracks_json(input, found));
  if (!options.details.empty()) program::write_file(options.details, details_json(input, found));
  if (!options.display.empty())
    program::write_file(options.display,
                        event_display(input.detector, input.events[options.display_event].name,
                                      found.events[options.display_event]));
}

int run(const ProgramOptions& options) {
  const auto input = read_input(options);
  if (!options.display.empty() && options.display_event >= input.events.size())
    throw trackplex::UsageError("--display-event",
                                fmt::format("there is no event {}", options.display_event),
                                fmt::format("{} events", input.events.size()));

  if (!options.write_input.empty()) write_input(options.write_input, input);

  const auto outcomes = run_all(options, input);
  const auto results = results_of(input, outcomes.front().found);
  const auto points = options.scan ? scan(options, input) : std::vector<ScanPoint>();
  program::Report report("lhcb_velo_ut", describe(options, input));
  for (const auto& outcome : outcomes) report.runs.push_back(report_of(outcome, results));
  if (options.scan) report.runs.front().results["scan"] = to_json(points);

  const auto difference = first_difference(outcomes);
  warn_of_losses(results, options);
  write_files(options, input, outcomes.front().found);
  program::write_report(report, options.common);
  if (!options.common.quiet) {
    fmt::print("{} events, {} VELO clusters, {} UT hits; cuts of {}, VELO of {}, {}\n{}\n{}",
               results.events, results.velo_hits, results.ut_hits, options.parameters,
               options.velo_year(), options.common.precision, results.text(),
               throughput_table(outcomes));
    if (options.scan) fmt::print("\n{}", scan_table(points));
    if (results.bad_events > 0) fmt::print("{} damaged events were skipped\n", results.bad_events);
    if (outcomes.size() > 1 && !difference)
      fmt::print("All {} runs gave the same results, bit for bit (hash {}).\n", outcomes.size(),
                 results.hash);
  }
  if (difference) throw trackplex::Error("comparison of backends", *difference);
  return program::success;
}

}  // namespace

int main(int argc, char* argv[]) {
  CLI::App app("Reconstructs LHCb tracks through VELO and UT, with momentum, from raw banks.",
               "lhcb_velo_ut");
  ProgramOptions options;
  add_options(app, options);
  return program::run_program(app, argc, argv, options.common, [&] { return run(options); });
}
