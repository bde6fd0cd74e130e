// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Track building in generated events of a detector of cylinders: time per event of each step, for
// backends, lanes, threads, and ways to share out the work. Goals, per event of 10,000 tracks on
// one core of a Zen 3 class machine (mkFit there: 22.9, 152 and 126 ms): best hit 9 ms, standard 55
// ms, clone engine 40 ms, binning 4 ms.
#include "layer_operations.hpp"
#include "measure_tracking.hpp"
#include "studies.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <common/program.hpp>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <trackplex/core/fingerprint.hpp>
#include <trackplex/core/host_executor.hpp>
#include <trackplex/simulation/cylinder_events.hpp>
#include <tuple>
#include <vector>

namespace trackplex::benchmarks {

namespace {

using program::Json;
using program::Program;
using program::RunReport;

struct Options {
  TrackingCase base;
  std::vector<std::string> studies{"steps"};
  int max_tracks = 200000;
  std::string order = name_of(TrackingCase().order);
};

void add_options(Program& p, Options& options) {
  auto& base = options.base;
  auto events = p.group("Events");
  events.number("--tracks", base.tracks, "N", 1, 1e6, "Tracks of an event");
  events.number("--events", base.events, "N", 1, 1e5, "Events");
  events.number("--batch", base.batch, "N", 1, 1e5, "Events in flight");
  auto tracking = p.group("Tracking");
  tracking.number("--azimuth-bins", base.azimuth_bins, "N", 8, 65536, "Bins of hits in azimuth");
  tracking.number("--bin-length", base.bin_length, "CM", 0.01, 100.,
                  "Length of these bins along z");
  tracking.number("--seeds-per-team", base.seeds_per_team, "N", 1, 1024,
                  "Seeds whose candidates share lanes or threads");
  tracking.word("--order", options.order, seed_order_names(),
                "Seeds of an event by azimuth, particle, or bins");
  auto studies = p.group("Studies");
  auto names = study_names();
  names.emplace_back("all");
  studies
      .text("--study", options.studies, "NAME",
            fmt::format("What is varied, one or several of: {}", fmt::join(names, ", ")))
      .allow(names)
      .split_at(',');
  studies.number("--max-tracks", options.max_tracks, "N", 10, 1e6, "Largest events of the studies");
  p.example("bench_tracking --backend serial --lanes all --repeat 20",
            "time of each step with each lane width on one core");
  p.example("bench_tracking --backend openmp --threads 1,2", "the same with one and two threads");
  p.example("bench_tracking --backend serial --study sharing,bins,order --json studies.json",
            "what the sharing out of work, the bins of hits and the order of seeds change");
  p.example("bench_tracking --backend serial --study tracks,events --json events.json",
            "time against tracks per event and events in flight, for scripts/plot");
  p.options.repeat = 11;
  p.add_common_options();
}

/// Generates events once for all cases that want the same.
class EventSource {
 public:
  explicit EventSource(std::uint64_t seed) { params_.particles.seed = seed; }

  const tracks::TrackingEvents& of(const TrackingCase& one) {
    if (!events_ || one.tracks != params_.tracks || one.events != events_->events()) {
      params_.tracks = one.tracks;
      events_ = simulation::generate_cylinder_events(HostExecutor(), params_, 0, one.events);
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
  std::optional<tracks::TrackingEvents> events_;
};

std::vector<TrackingCase> all_cases(const Options& options) {
  std::vector<TrackingCase> cases;
  auto base = options.base;
  base.order = seed_order(options.order);
  for (const auto& study : study_names())
    for (const auto& wanted : options.studies)
      if (wanted == study || wanted == "all")
        for (auto& one : cases_of(study, base, options.max_tracks)) cases.push_back(one);
  return cases;
}

/// Events and strategies, of which all runs have the same tracks.
std::string data_of(const TrackingCase& one, const TrackingOutcome& found) {
  auto data = fmt::format("{} x {}", one.events, one.tracks);
  for (const auto& [strategy, hash] : found.hash) data += ", " + strategy;
  return data;
}

void add_outcome(const TrackingCase& one, const TrackingOutcome& found, RunReport& report) {
  report.data = data_of(one, found);
  Fingerprint hash;
  Json hashes;
  for (const auto& [strategy, of_strategy] : found.hash) {
    hash.add(std::span(of_strategy));
    hashes[strategy] = of_strategy;
  }
  report.hash = hash.hex();
  report.results = {{"study", one.study},
                    {"case", one.name},
                    {"tracks", one.tracks},
                    {"events", one.events},
                    {"events_in_flight", one.batch},
                    {"azimuth_bins", one.azimuth_bins},
                    {"bin_length_cm", one.bin_length},
                    {"seeds_per_team", one.seeds_per_team},
                    {"seed_order", name_of(one.order)},
                    {"seeds", found.seeds},
                    {"hits_looked_at", found.window.looked_at},
                    {"hits_inside", found.window.inside},
                    {"hits_compatible", found.window.compatible},
                    {"hashes", hashes}};
  report.time_us = found.time_us;
  for (const auto& [step, time] : found.time_us)
    if (found.hash.contains(step) && time.median > 0.)
      report.rate[step + "_events_per_s"] = 1e6 / time.median;
}

/// Median times of some steps, a row for each case and run of a study; empty where none was timed.
std::string study_table(const std::vector<RunReport>& runs, const std::string& study,
                        const std::vector<std::string>& steps) {
  std::vector<program::Column> columns{
      {study, "case"}, {"backend", "backend"}, {"threads", "threads"}, {"lanes", "lanes"}};
  auto rows = Json::array();
  for (const auto& run : runs) {
    if (run.results["study"] != study) continue;
    rows.push_back(run.to_json());
    rows.back()["case"] = run.results["case"];
  }
  for (const auto& step : steps)
    if (std::ranges::any_of(rows, [&](const Json& row) { return row["time_us"].contains(step); }))
      columns.push_back({step, "time_us/" + step, "{:.4g}"});
  return columns.size() > 4 ? "\n" + program::table_of(rows, columns) : "";
}

/// How full the windows are, a row for each number of tracks and bins.
std::string window_table(const std::vector<RunReport>& runs) {
  program::Table table(
      {"hits of a search", "azimuth bins", "cm", "looked at", "inside", "compatible"});
  std::map<std::tuple<int, int, double>, const Json*> windows;
  for (const auto& run : runs)
    windows[{run.results["tracks"], run.results["azimuth_bins"], run.results["bin_length_cm"]}] =
        &run.results;
  const auto mean = [](const Json& n) { return fmt::format("{:.3f}", n.get<double>()); };
  for (const auto& [key, window] : windows)
    table.add_row({fmt::format("{} tracks", std::get<0>(key)), std::to_string(std::get<1>(key)),
                   fmt::format("{:g}", std::get<2>(key)), mean((*window)["hits_looked_at"]),
                   mean((*window)["hits_inside"]), mean((*window)["hits_compatible"])});
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

/// Time of the steps against what a study varies, `key` of the results, for the runs that are like
/// the first one; null where the study did not run.
Json study_plot(const std::vector<RunReport>& runs, const std::string& study,
                const std::string& key, const std::string& label) {
  Json series = Json::array();
  int color = 0;
  for (const char* step : {"best_hit", "clone_engine", "fit", "load"}) {
    Json x, y, error;
    for (const auto& run : runs) {
      const auto* const time = run.time(step);
      if (run.results["study"] != study || run.run != runs.front().run || time == nullptr) continue;
      const double scale = 1. / run.results["tracks"].get<double>();
      x.push_back(run.results[key]);
      y.push_back(scale * time->median);
      error.push_back({scale * (time->median - time->lower_quartile),
                       scale * (time->upper_quartile - time->median)});
    }
    if (!x.is_null())
      series.push_back({{"label", step},
                        {"style", "line"},
                        {"x", x},
                        {"y", y},
                        {"error", error},
                        {"color", color++}});
  }
  if (series.empty()) return nullptr;
  return {{"name", "time_over_" + study},
          {"title", "Track building, " + runs.front().name()},
          {"panels",
           {{{"x", {{"label", label}, {"log", true}}},
             {"y", {{"label", "us per track"}, {"log", true}}},
             {"series", series}}}}};
}

void run(Program& p, const Options& options) {
  p.input = {{"kind", "generated"}, {"seed", p.options.seed}};
  EventSource source(p.options.seed);
  for (const auto& one : all_cases(options)) {
    const auto& events = source.of(one);
    p.for_each_run<float, double>([&](const auto& run, RunReport& report) {
      report.work = one.name;
      auto settings = source.settings(one);
      auto progress = p.progress(report.name(), std::size_t(p.options.repeat) + 1);
      settings.repeat = p.options.repeat;
      settings.after_repetition = [&] { progress.advance(); };
      add_outcome(one, measure_tracking(run, events, settings), report);
    });
  }
  p.text = fmt::format("us per event: medians of {} repetitions\n", p.options.repeat);
  for (const auto& study : study_names())
    p.text +=
        study_table(p.runs, study, {"load", "binning", "seed_fit", "start_states", "unload"}) +
        study_table(p.runs, study, {"best_hit", "standard", "clone_engine", "fit"});
  p.text += "\n" + window_table(p.runs) + "\n" + operations_table();
  for (auto plot : {study_plot(p.runs, "tracks", "tracks", "tracks per event"),
                    study_plot(p.runs, "events", "events_in_flight", "events in flight")})
    if (!plot.is_null()) p.plots.push_back(std::move(plot));
}

}  // namespace

}  // namespace trackplex::benchmarks

int main(int argc, char* argv[]) {
  using namespace trackplex::benchmarks;
  trackplex::program::Program p(
      "bench_tracking", "Times track building in a detector of cylinders, step by step.", "event");
  Options options;
  add_options(p, options);
  return p.main(argc, argv, [&] { run(p, options); });
}
