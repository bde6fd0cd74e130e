// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reconstructs LHCb VELO tracks with Search by triplet, on one backend or all, and compares them
// with the truth.
#include "event_display.hpp"
#include "input.hpp"
#include "program_options.hpp"
#include "results.hpp"
#include "runs.hpp"
#include "same_bits.hpp"

#include <trackplex/program/main.hpp>
#include <trackplex/program/pipeline_report.hpp>
#include <trackplex/program/report.hpp>
#include <trackplex/program/scan_picture.hpp>
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

program::RunReport report_of(const Outcome& outcome, const Results& results) {
  program::RunReport report;
  report.run = outcome.run;
  report.results = results.to_json();
  if (!outcome.pipeline)
    for (const char* step : {"load", "sort", "search", "fit", "copy_back", "total"})
      report.add_time(step, outcome.found.time_us.at(step));
  report.rate["events_per_s"] = outcome.events_per_second();
  if (outcome.pipeline)
    report.pipeline =
        program::pipeline_json(outcome.pipeline->statistics, outcome.pipeline->failures);
  return report;
}

/// What each run through the pipeline tells about itself.
std::string pipeline_texts(const std::vector<Outcome>& outcomes) {
  std::string text;
  for (const auto& outcome : outcomes)
    text += fmt::format("{}, {} lanes, ", outcome.run.backend, outcome.run.lanes) +
            program::pipeline_text(outcome.pipeline->statistics);
  return text;
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
         "total: sort, search and fit; without load (pack and copy in) and copy "
         "back\n";
}

/// Names the first run whose tracks are not those of the first run.
std::optional<std::string> first_difference(const std::vector<Outcome>& outcomes) {
  for (std::size_t i = 1; i < outcomes.size(); ++i) {
    const auto& expected = outcomes[0].found.events;
    const auto& found = outcomes[i].found.events;
    if (expected.size() != found.size())
      return fmt::format("{} with {} lanes has finished {} events, {} with {} has {}",
                         outcomes[i].run.backend, outcomes[i].run.lanes, found.size(),
                         outcomes[0].run.backend, outcomes[0].run.lanes, expected.size());
    for (std::size_t e = 0; e < expected.size(); ++e)
      if (!same_bits({&expected[e], 1}, {&found[e], 1}))
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

/// Tracks that all are ghosts are those of other events than the truth is of.
void warn_of_truth(const Results& results) {
  constexpr std::size_t many = 10;
  if (results.truth.tracks >= many && results.truth.ghosts == results.truth.tracks)
    fmt::print(stderr,
               "lhcb_velo: warning: none of {} tracks belongs to a particle of the truth; is it "
               "that of these events?\n",
               results.truth.tracks);
}

void write_files(const ProgramOptions& options, const Runs& runs) {
  const auto& first = runs.outcomes.front();
  if (!options.tracks.empty() && !first.pipeline) {
    auto file = track_file(options);
    for (std::size_t e = 0; e < first.events.size(); ++e)
      file.add(first.events[e]->name, first.found.events[e].tracks);
    file.finish();
  }
  if (!options.write_input.empty()) write_input(options.write_input, first.events);
  if (!options.display.empty())
    program::write_file(options.display,
                        event_display(*first.events[options.display_event],
                                      first.found.events[options.display_event].tracks));
  if (!options.pipeline.scan_figure.empty() && runs.scan)
    program::write_file(options.pipeline.scan_figure,
                        program::scan_picture(*runs.scan, "lhcb_velo, " + first.run.backend));
}

void check_display(const ProgramOptions& options, std::size_t events) {
  if (!options.display.empty() && options.display_event >= events)
    throw trackplex::UsageError("--display-event",
                                fmt::format("there is no event {}", options.display_event),
                                fmt::format("{} events", events));
}

void print(const ProgramOptions& options, const Runs& runs, const Results& results) {
  const auto& outcomes = runs.outcomes;
  fmt::print("{} events, {} hits; constants of {}, {}\n{}\n{}", results.events, results.hits,
             options.constants, options.common.precision, results.text(),
             outcomes.front().pipeline ? pipeline_texts(outcomes) : throughput_table(outcomes));
  if (runs.scan) fmt::print("\n{}", program::scan_table(*runs.scan));
}

int run(const ProgramOptions& options) {
  if (options.pipeline.list_algorithms) {
    fmt::print("{}", list_algorithms(options));
    return program::success;
  }
  const auto runs = run_all(options);
  const auto& outcomes = runs.outcomes;
  const auto& first = outcomes.front();
  check_display(options, first.events.size());
  const auto results = results_of(first.events, first.found);
  program::Report report("lhcb_velo", input_description(options, first.events.size()));
  for (const auto& outcome : outcomes) report.runs.push_back(report_of(outcome, results));
  if (runs.scan) report.runs.front().results["pipeline_scan"] = program::to_json(*runs.scan);

  const auto difference =
      runs.status == program::failure ? std::nullopt : first_difference(outcomes);
  warn_of_overflow(results, options);
  warn_of_truth(results);
  write_files(options, runs);
  program::write_report(report, options.common);
  if (!options.common.quiet) {
    print(options, runs, results);
    if (outcomes.size() > 1 && !difference)
      fmt::print("All {} runs gave the same tracks, bit for bit (hash {}).\n", outcomes.size(),
                 results.hash);
  }
  if (difference) throw trackplex::Error("comparison of backends", *difference);
  return runs.status;
}

}  // namespace

int main(int argc, char* argv[]) {
  CLI::App app("Reconstructs the tracks of LHCb VELO events with Search by triplet.", "lhcb_velo");
  ProgramOptions options;
  add_options(app, options);
  return program::run_program(app, argc, argv, options.common, [&] { return run(options); });
}
