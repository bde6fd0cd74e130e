// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reconstructs LHCb tracks through VELO and UT from raw banks, on one backend or all, and compares
// them with the truth.
#include "event_display.hpp"
#include "input.hpp"
#include "output.hpp"
#include "program_options.hpp"
#include "results.hpp"
#include "runs.hpp"
#include "scan.hpp"

#include <trackplex/program/main.hpp>
#include <trackplex/program/pipeline_report.hpp>
#include <trackplex/program/scan_picture.hpp>
#include <trackplex/program/table.hpp>

#include <fmt/format.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

using namespace lhcb_velo_ut;
namespace program = trackplex::program;

namespace {

program::RunReport report_of(const Outcome& outcome, const Results& results) {
  program::RunReport report;
  report.run = outcome.run;
  report.results = results.to_json();
  report.results["tracks_hash"] = outcome.found.hash;
  if (!outcome.pipeline)
    for (const char* step : steps) report.add_time(step, outcome.found.time_us.at(step));
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
         "total: all steps from VP clusters to tracklets; without load (check, pack "
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

/// Tracks that all are ghosts are those of other events than the truth is of.
void warn_of_truth(const Results& results) {
  constexpr std::size_t many = 10;
  for (const auto& [kind, truth] :
       {std::pair("VELO tracks", &results.velo), std::pair("tracks in the UT", &results.velo_ut)})
    if (truth->tracks >= many && truth->ghosts == truth->tracks)
      fmt::print(stderr,
                 "lhcb_velo_ut: warning: none of {} {} belongs to a particle of the truth; is it "
                 "that of these events?\n",
                 truth->tracks, kind);
}

/// The files that the pipeline has not written itself.
void write_files(const ProgramOptions& options, const Runs& runs) {
  const auto& input = runs.input;
  const auto& first = runs.outcomes.front();
  const auto write = [&](const std::string& path, ResultFile::Contents contents) {
    if (path.empty() || first.pipeline) return;
    ResultFile file(options, path, contents);
    for (std::size_t e = 0; e < input.events.size(); ++e)
      file.add(input.events[e], first.found.events[e]);
    file.finish();
  };
  write(options.tracks, ResultFile::Contents::tracks);
  write(options.details, ResultFile::Contents::details);
  if (!options.display.empty())
    program::write_file(options.display,
                        event_display(input.detector, input.events[options.display_event].name,
                                      first.found.events[options.display_event]));
  if (!options.pipeline.scan_figure.empty() && runs.scan)
    program::write_file(options.pipeline.scan_figure,
                        program::scan_picture(*runs.scan, "lhcb_velo_ut, " + first.run.backend));
}

void print(const ProgramOptions& options, const Runs& runs, const Results& results) {
  const auto& outcomes = runs.outcomes;
  fmt::print("{} events, {} VELO clusters, {} UT hits; cuts of {}, VELO of {}, {}\n{}\n{}",
             results.events, results.velo_hits, results.ut_hits, options.parameters,
             options.velo_year(), options.common.precision, results.text(),
             outcomes.front().pipeline ? pipeline_texts(outcomes) : throughput_table(outcomes));
  if (runs.scan) fmt::print("\n{}", program::scan_table(*runs.scan));
}

int run(const ProgramOptions& options) {
  if (options.pipeline.list_algorithms) {
    fmt::print("{}", list_algorithms(options));
    return program::success;
  }
  const auto runs = run_all(options);
  const auto& [input, outcomes, pipeline_scan, status] = runs;
  if (!options.display.empty() && options.display_event >= input.events.size())
    throw trackplex::UsageError("--display-event",
                                fmt::format("there is no event {}", options.display_event),
                                fmt::format("{} events", input.events.size()));
  if (!options.write_input.empty()) write_input(options.write_input, input);

  const auto results = results_of(input, outcomes.front().found);
  const auto points = options.scans_cuts() ? scan(options, input) : std::vector<ScanPoint>();
  program::Report report("lhcb_velo_ut", describe(options, input));
  for (const auto& outcome : outcomes) report.runs.push_back(report_of(outcome, results));
  if (options.scans_cuts()) report.runs.front().results["scan"] = to_json(points);
  if (pipeline_scan)
    report.runs.front().results["pipeline_scan"] = program::to_json(*pipeline_scan);

  const auto difference = status == program::failure ? std::nullopt : first_difference(outcomes);
  warn_of_losses(results, options);
  warn_of_truth(results);
  write_files(options, runs);
  program::write_report(report, options.common);
  if (!options.common.quiet) {
    print(options, runs, results);
    if (options.scans_cuts()) fmt::print("\n{}", scan_table(points));
    if (results.bad_events > 0) fmt::print("{} damaged events were skipped\n", results.bad_events);
    if (outcomes.size() > 1 && !difference)
      fmt::print("All {} runs gave the same results, bit for bit (hash {}).\n", outcomes.size(),
                 results.hash);
  }
  if (difference) throw trackplex::Error("comparison of backends", *difference);
  return status;
}

}  // namespace

int main(int argc, char* argv[]) {
  CLI::App app("Reconstructs LHCb tracks through VELO and UT, with momentum, from raw banks.",
               "lhcb_velo_ut");
  ProgramOptions options;
  add_options(app, options);
  return program::run_program(app, argc, argv, options.common, [&] { return run(options); });
}
