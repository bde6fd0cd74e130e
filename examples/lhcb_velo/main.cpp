// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reconstructs LHCb VELO tracks with Search by triplet, on one backend or all, and compares them
// with the truth.
#include "event_display.hpp"
#include "input.hpp"
#include "program_options.hpp"
#include "reconstruct.hpp"
#include "results.hpp"
#include "same_bits.hpp"

#include <trackplex/io/velo_tracks.hpp>
#include <trackplex/program/main.hpp>
#include <trackplex/program/progress.hpp>
#include <trackplex/program/report.hpp>
#include <trackplex/program/table.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

using namespace lhcb_velo;
namespace program = trackplex::program;
using trackplex::lhcb::VeloEvent;

namespace {

/// A run and what it found.
struct Outcome {
  program::RunDescription run;
  Reconstruction found;

  double events_per_second() const { return 1e6 / found.time_us.at("total").median; }
};

std::vector<Outcome> run_all(const ProgramOptions& options, const std::vector<VeloEvent>& events) {
  std::vector<Outcome> outcomes;
  program::dispatch<float, double>(options.common, [&](const auto& run) {
    const auto description = run.description();
    program::ProgressBar progress(
        fmt::format("{}, {} lanes", description.backend, description.lanes),
        std::size_t(options.common.repeat) + 1, options.common);
    const ReconstructionSettings settings{.parameters = options.parameters(),
                                          .batch = options.batch > 0 ? options.batch : 1000,
                                          .repeat = options.common.repeat,
                                          .after_repetition = [&] { progress.advance(); }};
    outcomes.push_back({description, reconstruct(run, events, settings)});
  });
  return outcomes;
}

program::RunReport report_of(const Outcome& outcome, const Results& results) {
  program::RunReport report;
  report.run = outcome.run;
  report.results = results.to_json();
  for (const char* step : {"load", "sort", "search", "fit", "copy_back", "total"})
    report.add_time(step, outcome.found.time_us.at(step));
  report.rate["events_per_s"] = outcome.events_per_second();
  return report;
}

std::string throughput_table(const std::vector<Outcome>& outcomes) {
  program::Table table({"us per event", "threads", "lanes", "load", "sort", "search", "fit",
                        "copy back", "total", "quartiles", "events/s"});
  for (const auto& outcome : outcomes) {
    std::vector<std::string> row = {outcome.run.backend, std::to_string(outcome.run.threads),
                                    std::to_string(outcome.run.lanes)};
    for (const char* step : {"load", "sort", "search", "fit", "copy_back", "total"})
      row.push_back(fmt::format("{:.2f}", outcome.found.time_us.at(step).median));
    const auto& total = outcome.found.time_us.at("total");
    row.push_back(fmt::format("{:.2f}..{:.2f}", total.lower_quartile, total.upper_quartile));
    row.push_back(fmt::format("{:.0f}", outcome.events_per_second()));
    table.add_row(std::move(row));
  }
  return table.text() +
         "total: sort, search and fit in one kernel; without load (pack and copy in) and copy "
         "back\n";
}

/// Names the first run whose tracks are not those of the first run.
std::optional<std::string> first_difference(const std::vector<Outcome>& outcomes) {
  for (std::size_t i = 1; i < outcomes.size(); ++i) {
    const auto& expected = outcomes[0].found.tracks;
    const auto& found = outcomes[i].found.tracks;
    for (std::size_t e = 0; e < expected.size(); ++e)
      if (!same_bits(expected[e], found[e]))
        return fmt::format("event {}: {} with {} lanes gives other tracks than {} with {}", e,
                           outcomes[i].run.backend, outcomes[i].run.lanes, outcomes[0].run.backend,
                           outcomes[0].run.lanes);
  }
  return std::nullopt;
}

void warn_of_overflow(const Results& results, const ProgramOptions& options) {
  if (results.overflow == 0) return;
  fmt::print(
      stderr,
      "lhcb_velo: warning: {} seeds in {} events found no slot and are lost; lower --hits-per-slot "
      "(now {})\n",
      results.overflow, results.overflowing_events, options.hits_per_slot);
}

void write_files(const ProgramOptions& options, const std::vector<VeloEvent>& events,
                 const Reconstruction& found) {
  if (!options.tracks.empty()) {
    std::vector<trackplex::io::VeloEventTracks> named;
    for (std::size_t e = 0; e < events.size(); ++e)
      named.push_back({events[e].name, found.tracks[e]});
    trackplex::io::write_velo_tracks(options.tracks, named);
  }
  if (!options.display.empty())
    program::write_file(options.display, event_display(events[options.display_event],
                                                       found.tracks[options.display_event]));
}

int run(const ProgramOptions& options) {
  const auto events = input_events(options);
  if (!options.display.empty() && options.display_event >= events.size())
    throw trackplex::UsageError("--display-event",
                                fmt::format("there is no event {}", options.display_event),
                                fmt::format("{} events", events.size()));

  const auto outcomes = run_all(options, events);
  const auto results = results_of(events, outcomes.front().found);
  program::Report report("lhcb_velo", input_description(options, events.size()));
  for (const auto& outcome : outcomes) report.runs.push_back(report_of(outcome, results));

  const auto difference = first_difference(outcomes);
  warn_of_overflow(results, options);
  write_files(options, events, outcomes.front().found);
  program::write_report(report, options.common);
  if (!options.common.quiet) {
    fmt::print("{} events, {} hits; constants of {}, {}\n{}\n{}", results.events, results.hits,
               options.constants, options.common.precision, results.text(),
               throughput_table(outcomes));
    if (outcomes.size() > 1 && !difference)
      fmt::print("All {} runs gave the same tracks, bit for bit (hash {}).\n", outcomes.size(),
                 results.hash);
  }
  if (difference) throw trackplex::Error("comparison of backends", *difference);
  return program::success;
}

}  // namespace

int main(int argc, char* argv[]) {
  CLI::App app("Reconstructs the tracks of LHCb VELO events with Search by triplet.", "lhcb_velo");
  ProgramOptions options;
  add_options(app, options);
  return program::run_program(app, argc, argv, options.common, [&] { return run(options); });
}
