// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds and fits tracks in a detector of cylinders, in three ways and on one backend or all, and
// compares them with the truth.
#include "event_display.hpp"
#include "input.hpp"
#include "output.hpp"
#include "picture.hpp"
#include "program_options.hpp"
#include "results.hpp"
#include "runs.hpp"

#include <trackplex/io/toy_tracking.hpp>
#include <trackplex/program/main.hpp>
#include <trackplex/program/pipeline_report.hpp>
#include <trackplex/program/scan_picture.hpp>
#include <trackplex/program/table.hpp>

#include <fmt/format.h>

#include <optional>
#include <string>
#include <vector>

using namespace cylinder_tracker;
namespace program = trackplex::program;
using trackplex::seeding::TrackingEvents;

namespace {

program::RunReport report_of(const Outcome& outcome, const program::Json& results) {
  program::RunReport report;
  report.run = outcome.run;
  report.results = results;
  for (const auto& [step, time] : outcome.found.time_us) {
    report.add_time(step, time);
    if (outcome.found.tracks.count(step) > 0)
      report.rate[step + "_events_per_s"] = 1e6 / time.median;
  }
  for (const auto& run : outcome.pipeline) {
    report.rate[run.strategy + "_events_per_s"] = run.statistics.events_per_second();
    report.pipeline[run.strategy] = program::pipeline_json(run.statistics, run.failures);
  }
  return report;
}

/// What each run through the pipeline tells about itself.
std::string pipeline_texts(const std::vector<Outcome>& outcomes) {
  std::string text;
  for (const auto& outcome : outcomes)
    for (const auto& run : outcome.pipeline)
      text +=
          fmt::format("{}, {} lanes, {}, ", outcome.run.backend, outcome.run.lanes, run.strategy) +
          program::pipeline_text(run.statistics);
  return text;
}

std::string time_table(const std::vector<Outcome>& outcomes) {
  std::vector<std::string> header{"ms per event", "threads", "lanes",
                                  "binning",      "seeding", "seed fit"};
  for (const auto& entry : strategy_names)
    if (outcomes.front().found.tracks.count(entry.key) > 0) header.emplace_back(entry.name);
  header.insert(header.end(), {"clean", "fit", "smooth"});
  program::Table table(header);
  for (const auto& outcome : outcomes) {
    std::vector<std::string> row{outcome.run.backend, std::to_string(outcome.run.threads),
                                 std::to_string(outcome.run.lanes)};
    const auto add = [&](const std::string& step) {
      row.push_back(fmt::format("{:.2f}", outcome.found.time_us.at(step).median / 1000.));
    };
    for (const char* step : {"binning", "seeding", "seed_fit"}) add(step);
    for (const auto& entry : strategy_names)
      if (outcome.found.tracks.count(entry.key) > 0) add(entry.key);
    for (const char* step : {"clean", "fit", "smooth"}) add(step);
    table.add_row(std::move(row));
  }
  return table.text();
}

/// Names the first run whose tracks are not those of the first run.
std::optional<std::string> first_difference(const std::vector<Outcome>& outcomes) {
  const auto& expected = outcomes.front();
  for (const auto& outcome : outcomes)
    for (const auto& [key, tracks] : outcome.found.tracks)
      if (tracks.fingerprint != expected.found.tracks.at(key).fingerprint ||
          outcome.found.seeds.fingerprint != expected.found.seeds.fingerprint)
        return fmt::format("{}: {} with {} lanes gives other tracks than {} with {}", key,
                           outcome.run.backend, outcome.run.lanes, expected.run.backend,
                           expected.run.lanes);
  return std::nullopt;
}

void write_files(const ProgramOptions& options, const TrackingEvents& events,
                 const TrackingSettings& settings, const Tracking& found, const Results& results) {
  if (!options.output.empty()) write_tracks(options, events.events(), settings.strategies, found);
  if (!options.write_events.empty())
    trackplex::io::write_toy_events(options.write_events, trackplex::io::toy_events(events));
  if (!options.picture.empty()) program::write_file(options.picture, picture(results));
  if (options.display.empty()) return;
  if (options.display_event >= events.events())
    throw trackplex::UsageError("--display-event",
                                fmt::format("there is no event {}", options.display_event),
                                fmt::format("{} events", events.events()));
  program::write_file(options.display,
                      event_display(events, options.display_event, settings.params.detector,
                                    found.tracks.at(results.strategies.back().strategy.key)));
}

void warn_of_losses(const Results& results) {
  if (results.lost_seeds > 0)
    fmt::print(stderr,
               "cylinder_tracker: warning: {} triplets found no room and are lost; raise "
               "--seed-min-pt\n",
               results.lost_seeds);
}

void print(const ProgramOptions& options, const Runs& runs, const Results& results) {
  const auto& outcomes = runs.outcomes;
  fmt::print("{} events, {} particles, {} hits; {}\n{}\n{}", results.events, results.particles,
             results.hits, options.common.precision, results.text(),
             outcomes.front().pipeline.empty() ? time_table(outcomes) : pipeline_texts(outcomes));
  if (runs.scan) fmt::print("\n{}", program::scan_table(*runs.scan));
}

int run(const ProgramOptions& options) {
  if (options.pipeline.list_algorithms) {
    fmt::print("{}", list_algorithms(options));
    return program::success;
  }
  const auto events = input_events(options);
  auto settings = options.settings(events);
  const auto runs = run_all(options, events, settings);
  const auto& outcomes = runs.outcomes;
  const auto& found = outcomes.front().found;
  const auto results = results_of(events, found, settings, options.min_pt);
  program::Report report("cylinder_tracker", options.description(events.events()));
  const auto json = results.to_json();
  for (const auto& outcome : outcomes) report.runs.push_back(report_of(outcome, json));
  if (runs.scan) report.runs.front().results["pipeline_scan"] = program::to_json(*runs.scan);

  const auto difference =
      runs.status == program::success ? first_difference(outcomes) : std::nullopt;
  warn_of_losses(results);
  write_files(options, events, settings, found, results);
  if (!options.pipeline.scan_figure.empty() && runs.scan)
    program::write_file(
        options.pipeline.scan_figure,
        program::scan_picture(*runs.scan, "cylinder_tracker, " + outcomes.front().run.backend));
  program::write_report(report, options.common);
  if (!options.common.quiet) {
    print(options, runs, results);
    if (outcomes.size() > 1 && !difference && runs.status == program::success)
      fmt::print("All {} runs gave the same tracks, bit for bit.\n", outcomes.size());
  }
  if (difference) throw trackplex::Error("comparison of backends", *difference);
  return runs.status;
}

}  // namespace

int main(int argc, char* argv[]) {
  CLI::App app("Finds tracks in a detector of concentric cylinders with a Kalman filter.",
               "cylinder_tracker");
  ProgramOptions options;
  add_options(app, options);
  return program::run_program(app, argc, argv, options.common, [&] { return run(options); });
}
