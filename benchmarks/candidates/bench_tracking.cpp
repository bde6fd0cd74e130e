// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Track building in generated events of a detector of cylinders: time per event of each step, for
// backends, lanes, threads, and ways to share out the work. Goals, per event of 10,000 tracks on
// one core of a Zen 3 class machine (mkFit there: 22.9, 152 and 126 ms): best hit 9 ms, standard 55
// ms, clone engine 40 ms, binning 4 ms.
#include "layer_operations.hpp"
#include "measure_tracking.hpp"
#include "program_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <trackplex/program/main.hpp>
#include <trackplex/program/progress.hpp>
#include <trackplex/program/report.hpp>
#include <trackplex/program/table.hpp>
#include <trackplex/simulation/cylinder_events.hpp>
#include <tuple>

namespace trackplex::benchmarks {
namespace {

using program::Json;

struct Outcome {
  program::RunDescription run;
  TrackingCase one;
  TrackingOutcome found;

  std::string name() const {
    return fmt::format("{} with {} lanes, {}: {}", run.backend, run.lanes, one.study, one.name);
  }
};

/// Generates events once for all cases that want the same.
class EventSource {
 public:
  explicit EventSource(std::uint64_t seed) { params_.particles.seed = seed; }

  const seeding::TrackingEvents& of(const TrackingCase& one) {
    if (!events_ || one.tracks != params_.tracks || one.events != events_->events()) {
      params_.tracks = one.tracks;
      events_ = simulation::generate_cylinder_events(Kokkos::DefaultHostExecutionSpace(), params_,
                                                     0, one.events);
    }
    return *events_;
  }

  TrackingSettings settings(const TrackingCase& one) const {
    TrackingSettings settings;
    settings.one = one;
    settings.detector.size = params_.particles.layers;
    for (int layer = 0; layer < params_.particles.layers; ++layer) {
      settings.detector.radius[layer] = params_.particles.radius(layer);
      settings.half_length.push_back(params_.noise_half_length(layer));
    }
    return settings;
  }

 private:
  simulation::CylinderEventParams params_;
  std::optional<seeding::TrackingEvents> events_;
};

std::vector<TrackingCase> all_cases(const TrackingOptions& options) {
  std::vector<TrackingCase> cases;
  const auto& wanted = options.studies;
  for (const auto& study : study_names()) {
    const auto asked_for = [&](const std::string& name) {
      return std::find(wanted.begin(), wanted.end(), name) != wanted.end();
    };
    if (!asked_for(study) && !asked_for("all")) continue;
    for (auto& one : cases_of(study, options.base, options.max_tracks)) cases.push_back(one);
  }
  return cases;
}

std::vector<Outcome> run_all(const TrackingOptions& options) {
  std::vector<Outcome> outcomes;
  EventSource source(options.common.seed);
  for (const auto& one : all_cases(options)) {
    const auto& events = source.of(one);
    program::dispatch<float, double>(options.common, [&](const auto& run) {
      Outcome outcome{run.description(), one, {}};
      program::ProgressBar progress(outcome.name(), std::size_t(options.common.repeat) + 1,
                                    options.common);
      auto settings = source.settings(one);
      settings.repeat = options.common.repeat;
      settings.after_repetition = [&] { progress.advance(); };
      outcome.found = measure_tracking(run, events, settings);
      outcomes.push_back(std::move(outcome));
    });
  }
  return outcomes;
}

program::RunReport report_of(const Outcome& outcome) {
  const auto& one = outcome.one;
  program::RunReport report;
  report.run = outcome.run;
  report.results = {{"study", one.study},
                    {"case", one.name},
                    {"tracks", one.tracks},
                    {"events", one.events},
                    {"events_in_flight", one.batch},
                    {"azimuth_bins", one.azimuth_bins},
                    {"bin_length_cm", one.bin_length},
                    {"seeds_per_team", one.seeds_per_team},
                    {"seed_order", name_of(one.order)},
                    {"seeds", outcome.found.seeds},
                    {"hits_looked_at", outcome.found.window.looked_at},
                    {"hits_inside", outcome.found.window.inside},
                    {"hits_compatible", outcome.found.window.compatible},
                    {"hash", outcome.found.hash}};
  for (const auto& [step, time] : outcome.found.time_us) {
    report.add_time(step, time);
    if (outcome.found.hash.contains(step) && time.median > 0.)
      report.rate[step + "_events_per_s"] = 1e6 / time.median;
  }
  return report;
}

/// Median and quartiles of each step, a row for each case and run of a study.
std::string study_table(const std::vector<Outcome>& outcomes, const std::string& study) {
  std::vector<std::string> header{study, "backend", "threads", "lanes"}, steps;
  for (const char* step : {"load", "binning", "seed_fit", "best_hit", "standard", "clone_engine",
                           "start_states", "fit", "unload"})
    for (const auto& outcome : outcomes)
      if (outcome.one.study == study && outcome.found.time_us.contains(step)) {
        steps.emplace_back(step);
        header.emplace_back(step);
        break;
      }
  program::Table table(header);
  const auto text = [](const program::Spread& time) {
    const int digits = time.median < 1e3 ? 2 : 0;
    return fmt::format("{:.{}f} ({:.{}f}..{:.{}f})", time.median, digits, time.lower_quartile,
                       digits, time.upper_quartile, digits);
  };
  for (const auto& outcome : outcomes) {
    if (outcome.one.study != study) continue;
    std::vector<std::string> row{outcome.one.name, outcome.run.backend,
                                 std::to_string(outcome.run.threads),
                                 std::to_string(outcome.run.lanes)};
    for (const auto& step : steps) {
      const auto time = outcome.found.time_us.find(step);
      row.push_back(time == outcome.found.time_us.end() ? "-" : text(time->second));
    }
    table.add_row(std::move(row));
  }
  return table.text();
}

/// How full the windows are, a row for each number of tracks and bins.
std::string window_table(const std::vector<Outcome>& outcomes) {
  program::Table table(
      {"hits of a search", "azimuth bins", "cm", "looked at", "inside", "compatible"});
  std::map<std::tuple<int, int, double>, HitsOfWindow> windows;
  for (const auto& outcome : outcomes)
    windows[{outcome.one.tracks, outcome.one.azimuth_bins, outcome.one.bin_length}] =
        outcome.found.window;
  for (const auto& [key, window] : windows)
    table.add_row({fmt::format("{} tracks", std::get<0>(key)), std::to_string(std::get<1>(key)),
                   fmt::format("{:g}", std::get<2>(key)), fmt::format("{:.3f}", window.looked_at),
                   fmt::format("{:.3f}", window.inside), fmt::format("{:.3f}", window.compatible)});
  return table.text();
}

/// What is computed for a candidate on a layer: numbers to estimate the least time from.
std::string operations_table() {
  program::Table table({"operations", "flops", "fma", "add, multiply", "divide, sqrt", "other"});
  for (const auto& [name, n] : layer_operations())
    table.add_row({name, std::to_string(n.flops()), std::to_string(n.fma),
                   std::to_string(n.add + n.multiply), std::to_string(n.divide + n.sqrt),
                   std::to_string(n.compare + n.select + n.sign + n.convert)});
  return table.text();
}

/// Names the first run whose tracks are not those of an earlier run with the same events.
std::optional<std::string> first_difference(const std::vector<Outcome>& outcomes) {
  std::map<std::tuple<int, int, std::string>, const Outcome*> first;
  for (const auto& outcome : outcomes)
    for (const auto& [strategy, hash] : outcome.found.hash) {
      const auto* const earlier =
          first.try_emplace({outcome.one.tracks, outcome.one.events, strategy}, &outcome)
              .first->second;
      if (earlier->found.hash.at(strategy) != hash)
        return fmt::format("{}: {} gives other tracks than {}", strategy, outcome.name(),
                           earlier->name());
    }
  return std::nullopt;
}

int run(const TrackingOptions& options) {
  const auto outcomes = run_all(options);
  program::Report report("bench_tracking", {{"kind", "generated"}, {"seed", options.common.seed}});
  for (const auto& outcome : outcomes) report.runs.push_back(report_of(outcome));
  program::write_report(report, options.common);

  const auto difference = first_difference(outcomes);
  if (!options.common.quiet) {
    fmt::print("us per event: median (quartiles) of {} repetitions\n", options.common.repeat);
    for (const auto& study : study_names())
      if (std::any_of(outcomes.begin(), outcomes.end(),
                      [&](const auto& outcome) { return outcome.one.study == study; }))
        fmt::print("\n{}", study_table(outcomes, study));
    fmt::print("\n{}\n{}", window_table(outcomes), operations_table());
    if (outcomes.size() > 1 && !difference)
      fmt::print("\nAll {} runs gave the same tracks of the same events, bit for bit.\n",
                 outcomes.size());
  }
  if (difference) throw Error("comparison of runs", *difference);
  return program::success;
}

}  // namespace
}  // namespace trackplex::benchmarks

int main(int argc, char* argv[]) {
  using namespace trackplex::benchmarks;
  CLI::App app("Times track building in a detector of cylinders, step by step.", "bench_tracking");
  TrackingOptions options;
  options.common.repeat = 11;
  add_options(app, options);
  return trackplex::program::run_program(app, argc, argv, options.common,
                                         [&] { return run(options); });
}
