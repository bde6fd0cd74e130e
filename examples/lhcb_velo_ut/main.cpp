// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reconstructs LHCb tracks through VELO and UT from raw banks, on one backend or all, and compares
// them with the truth.
#include "chain.hpp"
#include "input.hpp"
#include "results.hpp"

#include <common/event_runs.hpp>
#include <trackplex/core/fingerprint.hpp>
#include <trackplex/io/lhcb/velo_ut_tracks.hpp>
#include <trackplex/lhcb/fingerprints.hpp>

#include <fmt/format.h>

#include <filesystem>
#include <optional>
#include <span>

namespace {

using namespace lhcb_velo_ut;
namespace io = trackplex::io;
namespace lhcb = trackplex::lhcb;
namespace program = trackplex::program;
using program::Json;
using Runs = program::EventRuns<RawEvent, VeloUtResult>;

struct Options : InputOptions {
  bool skip_bad_events = false;
  std::string parameters = "best";
  std::string constants;  ///< of the VELO; empty: those that belong to `parameters`
  std::optional<int> sectors, candidates;  ///< instead of what `parameters` says
  int hits_per_slot = trackplex::lhcb::TripletParams{}.hits_per_slot;
  std::string output, details, write_input;
  std::optional<std::size_t> display;  ///< number of the event to draw
  program::PipelineRunOptions pipeline{.scans = {"cuts", "pipeline"}};

  bool scans_cuts() const { return pipeline.scan == "cuts"; }

  /// The year of the VELO constants.
  std::string velo_year() const {
    if (!constants.empty()) return constants;
    return parameters == "2019" || parameters == "2020" ? parameters : "2023";
  }

  lhcb::VeloUtParams tracking() const {
    lhcb::VeloUtParams result;
    using enum lhcb::VeloConstants;
    const auto year = velo_year();
    result.velo = lhcb::velo_params(year == "2019" ? y2019 : year == "2020" ? y2020 : y2023);
    result.velo.hits_per_slot = hits_per_slot;
    using Compass = lhcb::CompassConstants;
    if (parameters != "best")
      result.ut = lhcb::compass_params(parameters == "2019"   ? Compass::y2019
                                       : parameters == "2020" ? Compass::y2020
                                       : parameters == "2023" ? Compass::y2023
                                                              : Compass::paper);
    if (sectors) result.ut.sector_groups = *sectors;
    if (candidates) result.ut.candidates = *candidates;
    return result;
  }

  Json description(std::uint64_t seed) const {
    Json json = {{"kind", "generated"}, {"seed", seed}};
    if (!input.empty())
      json = {{"kind", std::filesystem::is_directory(input) ? "bank files" : "mdf"},
              {"path", input}};
    const auto cuts = tracking().ut;
    json.update({{"parameters", parameters},
                 {"velo_constants", velo_year()},
                 {"sectors", cuts.sector_groups},
                 {"candidates", cuts.candidates}});
    return json;
  }
};

void add_options(program::Program& p, Options& options) {
  auto events = p.group("Events");
  events.text("--input", options.input, "FILE|DIR",
              "Events: an MDF file, or a folder with banks/VP and banks/UT");
  events.text("--geometry", options.geometry, "DIR",
              "Detector description (default: geometry/ in the input's folder or next to it)");
  events.text("--truth", options.truth, "DIR|none",
              "Truth, with tracks/ and PVs/, or none (default: MC_info/ likewise, if it exists)");
  events.number("--readers", options.readers, "N", 1, 256, "Threads that read bank files");
  events.flag("--skip-bad-events", options.skip_bad_events,
              "Continue after damaged events, which are counted");
  events.count("--generate", options.generate,
               "Generate N events with truth instead (default without --input: 20)", 1'000'000);
  events.count("--events", options.events, "Use only the first N events");
  auto tracking = p.group("Tracking");
  tracking.word("--parameters", options.parameters, {"best", "2019", "2020", "2023", "paper"},
                "Cuts of Compass: best (this library), 2019, 2020 or 2023 (LHCb's code), or paper");
  tracking.word("--constants", options.constants, {"2019", "2020", "2023"},
                "Cuts of the VELO tracking: 2019, 2020 or 2023 (default: as --parameters, or 2023)",
                "YEAR");
  tracking
      .number("--sectors", options.sectors, "N", 1, 5,
              "Sector groups to search around a track: 1, 3 or 5 (default: as --parameters)")
      .allow({"1", "3", "5"});
  tracking.number("--candidates", options.candidates, "N", 1, lhcb::max_pair_candidates,
                  "Pairs of hits to try per track, 1 to 16 (default: as --parameters)");
  tracking.number("--hits-per-slot", options.hits_per_slot, "N", 1, 1000,
                  "Capacity: one VELO track slot per N hits; lower it if tracks overflow");
  auto output = p.group("Output");
  output.table("--output", options.output,
               "Write the tracks and their hits, as .json, .csv, .h5 or .sdds", {"hits", "events"},
               {".json"});
  output.output("--details", options.details,
                "Write all clusters, UT hits, windows and tracks as JSON");
  output.output_folder("--write-input", options.write_input,
                       "Write the events, with truth and geometry, as bank files to a new folder");
  output.number("--display", options.display, "I", 0, program::max_count,
                "Add a plot of event I, from 0, to the report");
  auto pipeline = p.group("Pipeline");
  program::add_pipeline_options(pipeline, options.pipeline);
  pipeline.describe(
      "--scan",
      "cuts (without NAME): 1, 3 and 5 sector groups with 1 to 16 candidates, and the published "
      "numbers; pipeline: events/s against slots and against events per batch");
  p.example("lhcb_velo_ut --generate 100", "100 generated events on the default backend");
  p.example("lhcb_velo_ut --input events.mdf --geometry geometry/ --skip-bad-events",
            "all undamaged events of an MDF file");
  p.example("lhcb_velo_ut --input events.mdf --slots 2 --output tracks.csv --trace trace.json",
            "reads, reconstructs and writes concurrently; scripts/plot draws the timeline");
  p.example(
      "lhcb_velo_ut --input lhcb-raw/ --parameters paper --scan --json scan.json",
      "efficiencies against sector groups and candidates, with the truth in lhcb-raw/MC_info");
  p.example("lhcb_velo_ut --backend all --threads 1,2 --display 0 --json report.json",
            "every backend, which must give the same bits; scripts/plot report.json draws event 0");
  p.example("mpirun -n 4 lhcb_velo_ut --input events.mdf --repeat 1 --journal run.journal",
            "four ranks share the events; if the run is killed, the same command line continues");
  p.example("lhcb_velo_ut --generate 10 --seed 5 --write-input events/",
            "keeps the generated events, for --input events/");
  p.add_common_options();
}

/// The fingerprint of everything in the events, to the last bit.
std::string hash_of(std::span<const VeloUtResult> events) {
  trackplex::Fingerprint hash;
  for (const auto& event : events) lhcb::add_result(hash, event);
  return hash.hex();
}

void warn(const program::Program& p, const Results& results, const Options& options) {
  if (results.velo_overflow > 0)
    p.warn("{} seeds of VELO tracks found no slot and are lost; lower --hits-per-slot (now {})",
           results.velo_overflow, options.hits_per_slot);
  if (results.left_out > 0)
    p.warn(
        "{} super-pixels or UT hits have channels that the detector does not have, and are "
        "skipped",
        results.left_out);
  // Tracks that all are ghosts are those of other events than the truth is of.
  constexpr std::size_t many = 10;
  for (const auto& [kind, truth] :
       {std::pair("VELO tracks", &results.velo), {"tracks in the UT", &results.velo_ut}})
    if (truth->tracks >= many && truth->ghosts == truth->tracks)
      p.warn("none of {} {} matches a particle; does the truth belong to these events?",
             truth->tracks, kind);
}

const std::vector<program::StepGroup> timed = {
    {"load", {"stage_banks", "copy_banks"}},
    {"vp_clustering", {"cluster_vp"}},
    {"velo", {"sort_by_phi", "search_by_triplet", "fit_lines", "velo_end_states"}},
    {"ut_decoding", {"decode_ut"}},
    {"ut_windows", {"ut_windows"}},
    {"ut_tracklets", {"ut_tracks"}},
    {"copy_back", {"fetch_velo_ut", "collect_velo_ut"}},
    {"total",
     {"cluster_vp", "sort_by_phi", "search_by_triplet", "fit_lines", "velo_end_states", "decode_ut",
      "ut_windows", "ut_tracks"}}};

/// Reconstructs the events with all cuts of the scan.
template <class Run>
std::vector<ScanPoint> scan(const program::Program& p, const Options& options, const Run& r,
                            const lhcb::Detector& detector, const Calls::Events& events) {
  auto parameters = options.tracking();
  auto points = points_of_scan(options.parameters, parameters.ut);
  auto progress = p.progress("scan", points.size());
  for (auto& point : points) {
    parameters.ut = point.cuts;
    const program::ChainWork work{.groups = {timed[4], timed[5]}};
    const auto take = [&](std::size_t, auto&& found) { point.results = Results(events, found); };
    point.time_us =
        calls_of(r, detector, parameters)
            .time(events, {&work, 1}, std::size_t(options.pipeline.batch(r.description())),
                  p.options.repeat, take)
            .front();
    progress.advance();
  }
  return points;
}

void run(program::Program& p, const Options& options) {
  if (options.pipeline.list_algorithms)
    return program::list_algorithms<float, double>(
        p, [](const auto& r) { return calls_of(r, {}, {}).listing; });
  p.input = options.description(p.options.seed);
  const auto input = input_of(options, p.options.seed);
  Runs runs(p, options.pipeline, input.source, hash_of);
  runs.skip_bad_events = options.skip_bad_events;
  std::optional<io::VeloUtTrackFile> tracks;
  std::optional<io::EventFile> details;
  if (!options.output.empty())
    tracks.emplace(options.output, p.metadata(), io::real_type(p.options.first_precision()));
  if (!options.details.empty()) details.emplace(options.details);
  runs.write = [&](const RawEvent& event, const VeloUtResult& found) {
    if (tracks) tracks->add(event, found);
    if (details) details->add(details_of(event, found));
  };
  Runs::Found first;
  std::vector<ScanPoint> points;
  p.for_each_run<float, double>([&](const auto& r, program::RunReport& report) {
    const auto calls = calls_of(r, input.detector, options.tracking());
    auto found = std::move(runs.take(calls, {{.groups = timed}}, report).front());
    report.hash = found.hash;
    if (p.is_first_run()) {
      first = std::move(found);
      if (options.scans_cuts() && !p.is_child())
        points = scan(p, options, r, input.detector, first.events);
    }
    runs.scan(calls, first.events);
  });
  if (!p.is_first_rank()) return;
  if (tracks) tracks->finish();
  if (details) details->finish();
  if (!options.write_input.empty()) write_input(options.write_input, input.detector, first.events);

  Results results(first.events, first.results);
  p.input["events"] = results.events;
  p.input["bad_events"] = results.bad_events = runs.bad_events();
  warn(p, results, options);
  p.results = results.to_json();
  p.text = fmt::format("{} events, {} VELO clusters, {} UT hits; cuts of {}, VELO of {}\n{}",
                       results.events, results.velo_hits, results.ut_hits, options.parameters,
                       options.velo_year(), results.text()) +
           p.text;
  if (!results.velo_ut.momenta.empty()) p.plots.push_back(results.momentum_plot());
  if (!points.empty()) report_scan(points, p);
  if (const auto i = runs.displayed(options.display, first.events))
    p.plots.push_back(event_display(input.detector, first.events[*i]->name, first.results[*i]));
  runs.finish();
}

}  // namespace

int main(int argc, char* argv[]) {
  program::Program p("lhcb_velo_ut",
                     "Reconstructs LHCb tracks through VELO and UT, with momentum, from raw banks.",
                     "event");
  Options options;
  add_options(p, options);
  return p.main(argc, argv, [&] { run(p, options); });
}
