// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Follows electrons through a material, scattering by scattering, and counts where they end.
#include "output.hpp"
#include "plot.hpp"
#include "program_options.hpp"
#include "results.hpp"
#include "schedule.hpp"
#include "simulate.hpp"

#include <trackplex/core/error.hpp>
#include <trackplex/io/transport_checkpoint.hpp>
#include <trackplex/program/main.hpp>
#include <trackplex/program/progress.hpp>
#include <trackplex/program/report.hpp>
#include <trackplex/program/table.hpp>
#include <trackplex/program/timing.hpp>

#include <fmt/format.h>

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

using namespace coulomb;
namespace program = trackplex::program;

namespace {

/// A run with all its repetitions.
struct Outcome {
  program::RunDescription run;
  montecarlo::TransportCounts counts;
  Stop stop = Stop::histories;
  std::vector<double> seconds;  ///< of each repetition
  std::uint64_t histories = 0;  ///< that this run has done, and their scatterings
  double scatterings = 0., occupancy = 0.;

  double median_seconds() const { return program::spread_of(seconds).median; }
};

/// Writes checkpoints now and then.
class Checkpoint {
 public:
  Checkpoint(const ProgramOptions& options, const Simulation& simulation)
      : file_(options.checkpoint), every_(options.checkpoint_every), simulation_(simulation) {}

  void offer(const montecarlo::TransportCounts& counts) {
    if (Clock::now() - written_ >= every_) write(counts);
  }
  void write(const montecarlo::TransportCounts& counts) {
    if (file_.empty()) return;
    trackplex::io::write_transport_checkpoint(file_, simulation_.description(), counts);
    written_ = Clock::now();
  }

 private:
  using Clock = std::chrono::steady_clock;

  std::string file_;
  std::chrono::duration<double> every_;
  const Simulation& simulation_;
  Clock::time_point written_ = Clock::now();
};

montecarlo::TransportCounts read_checkpoints(const ProgramOptions& options,
                                             const Simulation& simulation) {
  montecarlo::TransportCounts counts;
  for (const auto& file : options.checkpoints()) {
    const auto part = trackplex::io::resume_transport(file, simulation.description());
    try {
      counts += part;
    } catch (const trackplex::UsageError& error) {
      throw trackplex::InputError({file}, "cannot be added", error.what());
    }
  }
  if (counts.cells.empty())
    for (const auto& tally : simulation.description().tallies)
      counts.cells.resize(counts.cells.size() + std::size_t(tally.cells));
  return counts;
}

/// One repetition of one run; adds to the outcome.
void repeat_once(const auto& run, const ProgramOptions& options, const Simulation& simulation,
                 const montecarlo::TransportCounts& begin, Outcome& outcome) {
  Schedule schedule(options.goal(), begin, {few_histories(simulation), options.batch});
  Checkpoint checkpoint(options, simulation);
  checkpoint.write(begin);  // a file that cannot be written is found out now
  program::ProgressBar progress(fmt::format("{}, {} lanes", outcome.run.backend, outcome.run.lanes),
                                std::size_t(schedule.expected()), options.common);
  const auto take = [&](const Batch& batch) {
    schedule.take(batch);
    checkpoint.offer(schedule.counts());
    progress.expect(std::size_t(schedule.expected()));
    progress.advance(std::size_t(batch.range.size()));
  };
  simulate(run, simulation, {[&] { return schedule.next(); }, take});
  checkpoint.write(schedule.counts());
  const bool first = outcome.seconds.empty();
  if (!first && !schedule.counts().same_results(outcome.counts) && !Interruption::requested())
    throw trackplex::Error(outcome.run.backend, "two repetitions gave different counts");
  if (!first && Interruption::requested()) return;
  outcome.counts = schedule.counts();
  outcome.stop = schedule.stop();
  outcome.seconds.push_back(schedule.seconds());
  outcome.histories = schedule.histories();
  outcome.scatterings = schedule.scatterings();
  outcome.occupancy = schedule.occupancy();
}

std::vector<Outcome> run_all(const ProgramOptions& options, const Simulation& simulation) {
  const auto begin = read_checkpoints(options, simulation);
  const Interruption interruption;
  std::vector<Outcome> outcomes;
  program::dispatch<float, double>(options.common, [&](const auto& run) {
    if (Interruption::requested() && !outcomes.empty()) return;
    Outcome outcome;
    outcome.run = run.description();
    for (int i = 0; i < options.common.repeat && !(i > 0 && Interruption::requested()); ++i)
      repeat_once(run, options, simulation, begin, outcome);
    outcomes.push_back(std::move(outcome));
  });
  return outcomes;
}

program::RunReport report_of(const Outcome& outcome, const program::Json& results) {
  program::RunReport report;
  report.run = outcome.run;
  report.results = results;
  std::vector<double> microseconds;
  for (const double seconds : outcome.seconds) microseconds.push_back(1e6 * seconds);
  report.add_time("transport", program::spread_of(microseconds));
  const double seconds = outcome.median_seconds();
  const auto rate = [&](double n) { return n > 0. ? program::Json(n / seconds) : program::Json(); };
  report.rate = {{"histories_per_s", rate(double(outcome.histories))},
                 {"scatterings_per_s", rate(outcome.scatterings)},
                 {"histories", outcome.histories},
                 {"lane_occupancy", outcome.occupancy}};
  return report;
}

std::string rate_table(const std::vector<Outcome>& outcomes) {
  program::Table table({"run", "threads", "lanes", "histories", "s", "histories/s", "scatterings/s",
                        "lanes occupied"});
  for (const auto& outcome : outcomes) {
    const double seconds = outcome.median_seconds();
    const auto rate = [&](double n) { return n > 0. ? fmt::format("{:.4g}", n / seconds) : "-"; };
    table.add_row({outcome.run.backend, std::to_string(outcome.run.threads),
                   std::to_string(outcome.run.lanes), std::to_string(outcome.histories),
                   fmt::format("{:.3f}", seconds), rate(double(outcome.histories)),
                   rate(outcome.scatterings),
                   outcome.histories > 0 ? program::percent(outcome.occupancy) : "-"});
  }
  return table.text();
}

/// Names the first run whose counts are not those of the first run.
std::optional<std::string> first_difference(const std::vector<Outcome>& outcomes) {
  const auto& expected = outcomes.front();
  for (const auto& outcome : outcomes)
    if (!outcome.counts.same_results(expected.counts))
      return fmt::format("{} with {} lanes gives other counts than {} with {}", outcome.run.backend,
                         outcome.run.lanes, expected.run.backend, expected.run.lanes);
  return std::nullopt;
}

void write_files(const ProgramOptions& options, const Results& results,
                 const std::map<std::string, Reference>& references) {
  if (!options.output.empty()) write_tallies(options.output, results);
  if (!options.plane.empty()) trackplex::io::write_table(options.plane, plane_table(results));
  if (!options.plot.empty()) program::write_file(options.plot, plot(results, references));
}

std::string title(const Simulation& s) {
  return fmt::format(
      "{}: A = {:.9g}, mean free path {:.9g} mm\n{} MeV electrons, {} mean free paths = {:.6g} mm, "
      "{}; seed {}, {}\n",
      s.material.name, s.scattering.screening, s.scattering.mean_free_path,
      s.scattering.kinetic_energy, s.limit, s.limit_mm(), s.source(), s.seed, s.precision);
}

/// What the user is told who has interrupted the program.
int interrupted(const ProgramOptions& options, const Results& results) {
  fmt::print(stderr, "coulomb: interrupted after {} histories{}\n", results.counts.histories.size(),
             options.checkpoint.empty() ? "" : "; go on with --resume " + options.checkpoint);
  return program::failure;
}

int run(ProgramOptions options) {
  options.finish();
  const auto simulation = options.simulation();
  const auto references = read_references(options.references, simulation);
  auto outcomes = run_all(options, simulation);

  Results results(simulation, outcomes.front().counts, outcomes.front().stop);
  for (const auto& tally : results.tallies)
    if (const auto at = references.find(tally.description.name); at != references.end())
      results.comparisons.push_back(compare(tally, at->second));
  program::Report report("coulomb", options.description(simulation));
  const auto json = results.to_json();
  for (const auto& outcome : outcomes) report.runs.push_back(report_of(outcome, json));

  const bool was_interrupted =
      results.stop == Stop::interrupt || outcomes.back().stop == Stop::interrupt;
  const auto difference = was_interrupted ? std::nullopt : first_difference(outcomes);
  write_files(options, results, references);
  program::write_report(report, options.common);
  if (!options.common.quiet) {
    fmt::print("{}\n{}\n{}", title(simulation), results.text(), rate_table(outcomes));
    if (outcomes.size() > 1 && !difference && !was_interrupted)
      fmt::print("All {} runs gave the same counts, bit for bit (hash {}).\n", outcomes.size(),
                 hash_of(results.counts));
  }
  if (was_interrupted) return interrupted(options, results);
  if (difference) throw trackplex::Error("comparison of backends", *difference);
  return program::success;
}

}  // namespace

int main(int argc, char* argv[]) {
  CLI::App app("Single Coulomb scattering of electrons, from history to history.", "coulomb");
  ProgramOptions options;
  add_options(app, options);
  return program::run_program(app, argc, argv, options.common, [&] { return run(options); });
}
