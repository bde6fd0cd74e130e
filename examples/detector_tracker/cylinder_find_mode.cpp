// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds and fits tracks in a detector of cylinders, in three ways and on one backend or all, and
// compares them with the truth.
#include "cylinder_chain.hpp"
#include "cylinder_find_results.hpp"
#include "event_display.hpp"
#include "modes.hpp"
#include "runs.hpp"
#include "tables.hpp"

#include <common/display_file.hpp>
#include <common/event_runs.hpp>
#include <trackplex/core/error.hpp>
#include <trackplex/core/host_executor.hpp>
#include <trackplex/io/detectors/toy_tracking.hpp>
#include <trackplex/simulation/cylinder_events.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <optional>
#include <span>

namespace detector_tracker {

using program::Json;

namespace {

struct CylinderOptions {
  std::string input;          ///< file of toy events
  int generate = 0;           ///< events to generate instead
  int events = 0;             ///< at most so many; 0: all
  std::optional<int> tracks;  ///< of a generated event
  simulation::CylinderEventParams generator;
  double material = 0.;  ///< cm of silicon in each layer
  std::string strategy = "clone_engine";
  std::string seeds = "truth";
  cylinder::TrackingParams tracking;
  bool keep_shared = false;
  program::PipelineRunOptions pipeline;
  double min_pt = 0.;  ///< GeV: of the particles that efficiencies are of
  std::string output, write_input;
  program::DisplayOptions display;

  CylinderOptions() {  // smaller batches of larger events than those of other programs
    pipeline.events_per_thread = 4;
    pipeline.events_per_device = 10;
    pipeline.default_memory = std::uint64_t(1) << 30;
  }
  /// Without any option a small event.
  int tracks_of_event() const { return tracks.value_or(generate > 0 ? generator.tracks : 1000); }
  Json description(int n_events, std::uint64_t seed) const;
  cylinder::TrackingParams tracking_of(const TrackingEvents& given) const;
};

Json CylinderOptions::description(int n_events, std::uint64_t seed) const {
  Json json = {{"kind", "file"}, {"path", input}, {"events", n_events}};
  const auto& particles = generator.particles;
  if (input.empty())
    json = {{"kind", "generated"},
            {"seed", seed},
            {"events", n_events},
            {"tracks_per_event", tracks_of_event()},
            {"min_pt_gev", particles.min_pt},
            {"max_pt_gev", particles.max_pt},
            {"max_abs_eta", particles.max_abs_eta},
            {"inefficiency", generator.inefficiency},
            {"noise_per_layer", generator.noise_per_layer}};
  json.update({{"material_cm", material},
               {"seeds", seeds},
               {"strategy", strategy},
               {"keep_shared", keep_shared},
               {"max_chi2", tracking.building.max_chi2},
               {"max_holes", tracking.building.max_holes},
               {"particles_above_gev", min_pt}});
  return json;
}

cylinder::TrackingParams CylinderOptions::tracking_of(const TrackingEvents& given) const {
  constexpr int max_layers = 10;  // as many as the files of the toy simulation have
  const int layers = given.hits.layers();
  if (layers > max_layers || layers <= seed_layers)
    throw UsageError(
        "events", fmt::format("they have {} layers", layers),
        fmt::format("more than {} and up to {} are possible", seed_layers, max_layers));
  auto params = tracking;
  params.detector.size = layers;
  for (int layer = 0; layer < layers; ++layer) {
    params.detector.radius[std::size_t(layer)] = generator.particles.radius(layer);
    params.half_length.push_back(generator.noise_half_length(layer));
  }
  int max_hits = 0;
  for (int group = 0; group < given.events() * layers; ++group)
    max_hits = std::max(max_hits, given.hits.size(group / layers, group % layers));
  params.bins = search::bins_for_hits(max_hits);
  params.seed_layers = seed_layers;
  params.building.material.thickness = material;
  params.all_states = true;
  return params;
}

void add_cylinder_inputs(program::Program& p, CylinderOptions& options) {
  auto& particles = options.generator.particles;
  auto input = p.group("Input");
  input.input("--input", options.input, "FILE", "Read toy events from a file");
  input.count("--generate", options.generate,
              "Generate N events instead (default without --input: a small one)", 1'000'000);
  input.count("--events", options.events, "Use only the first N events", 1'000'000);
  input.number("--material", options.material, "CM", 0., 1.,
               "Silicon in each layer, included in building and fits", "cm");
  auto generated = p.group("Generated events");
  generated.number("--tracks", options.tracks, "N", 0, 200000,
                   "Particles per event (default: 10000, without --generate 1000)");
  generated.number("--min-pt", particles.min_pt, "GEV", 0.05, 1e4, "Min transverse momentum",
                   "GeV");
  generated.number("--max-pt", particles.max_pt, "GEV", 0.05, 1e4,
                   "Max transverse momentum; the distribution is flat", "GeV");
  generated.number("--max-eta", particles.max_abs_eta, "ETA", 0.01, 4., "Max |pseudorapidity|");
  generated.number("--inefficiency", options.generator.inefficiency, "P", 0., 1.,
                   "Probability that a layer has no hit");
  generated.number("--noise", options.generator.noise_per_layer, "N", 0., 1e6,
                   "Mean number of noise hits on each layer");
}

void add_cylinder_options(program::Program& p, CylinderOptions& options) {
  add_cylinder_inputs(p, options);
  auto tracking = p.group("Tracking");
  auto& building = options.tracking.building;
  tracking.word("--strategy", options.strategy, {"best_hit", "standard", "clone_engine", "all"},
                "best_hit, standard, clone_engine, or all");
  tracking.word("--seeds", options.seeds, {"truth", "triplets"},
                "truth: the first three hits of each particle; triplets: found in three layers");
  tracking.number("--seed-min-pt", options.tracking.triplets.min_pt, "GEV", 0.3, 1e4,
                  "Min transverse momentum of triplets", "GeV");
  tracking.number("--max-chi2", building.max_chi2, "X", 0.1, 1e4, "Max chi2 of a hit");
  tracking.number("--max-holes", building.max_holes, "N", 0, 100,
                  "Layers without a hit before a candidate stops");
  tracking.number("--window", building.window_sigmas, "SIGMAS", 0.1, 100,
                  "Half width of the hit window around the prediction");
  tracking.flag("--keep-shared", options.keep_shared,
                "With triplets: no ambiguity resolution, keep tracks that share hits");
  tracking.number("--seeds-per-team", options.tracking.building_teams.seeds, "N", 1, 1024,
                  "Seeds per team");
  auto output = p.group("Output");
  output.number("--above-pt", options.min_pt, "GEV", 0., 1e4,
                "Count efficiencies for particles above this transverse momentum", "GeV");
  output.table("--output", options.output, "Write the tracks and their hits, as .csv, .h5 or .sdds",
               {"hits"});
  output.output("--write-input", options.write_input, "Write the events as a file of toy events");
  program::add_display_options(output, options.display);
  program::add_pipeline_options(p.group("Pipeline"), options.pipeline);
  p.example("cylinder_tracker --generate 2 --strategy all --json report.json",
            "tracks of two generated events by three strategies; scripts/plot report.json draws "
            "efficiencies");
  p.example("cylinder_tracker --seeds triplets --display 0 --json report.json",
            "a small event with seeds from its hits, and a plot of it");
  p.example("cylinder_tracker --generate 50 --tracks 1000 --slots 2 --trace trace.json",
            "several events in flight; scripts/plot trace.json draws the timeline");
  p.example("mpirun -n 4 cylinder_tracker --generate 50 --repeat 1 --journal run.journal",
            "four ranks share the events; if the run is killed, the same command line continues");
  p.example("cylinder_tracker --strategy all --backend all --lanes all --threads 1,2",
            "every backend with every lane width; the tracks must be the same, bit for bit");
  p.add_common_options();
}

TrackingEvents input_events(const program::Program& p, const CylinderOptions& options) {
  program::check_one_input(!options.input.empty(), options.generate > 0);
  const auto at_most = [&](std::size_t n) {
    return options.events > 0 ? std::min(std::size_t(options.events), n) : n;
  };
  if (!options.input.empty()) {
    auto events = io::read_toy_events(options.input);
    if (events.empty()) throw InputError({options.input}, "it has no events");
    events.resize(at_most(events.size()));
    return io::tracking_events(events, options.input);
  }
  auto params = options.generator;
  params.tracks = options.tracks_of_event();
  params.particles.seed = p.options.seed;
  params.particles.material = options.material > 0.;
  params.particles.layer.thickness = options.material;
  check_pt(params.particles.min_pt, params.particles.max_pt);
  const auto n = at_most(std::size_t(std::max(1, options.generate)));
  auto progress = p.progress("generating events", n);
  TrackingEvents events(params.particles.layers);
  for (std::size_t event = 0; event < n; ++event) {
    events.append(simulation::generate_cylinder_events(HostExecutor(), params, event, 1));
    progress.advance();
  }
  return events;
}

/// What runs: as the options say, or a sequence file in place of them.
struct Work {
  std::vector<std::string> strategies;
  bool triplets, clean;

  Work(const CylinderOptions& options, const std::vector<std::string>& file)
      : triplets(options.seeds == "triplets"), clean(triplets && !options.keep_shared) {
    const auto has = [&](const std::string& step) { return std::ranges::count(file, step) > 0; };
    for (const char* strategy : {"best_hit", "standard", "clone_engine"})
      if (file.empty() ? options.strategy == "all" || options.strategy == strategy : has(strategy))
        strategies.emplace_back(strategy);
    if (strategies.empty())
      throw UsageError("--sequence", "no step builds tracks", "",
                       "use clone_engine, standard or best_hit");
    if (file.empty()) return;
    triplets = has("find_triplets");
    clean = has("resolve_ambiguities");
  }

  std::vector<std::string> steps(const std::string& strategy) const {
    return cylinder::CylinderSteps{triplets, strategy, clean, true}.names();
  }
  /// Of the last strategy all steps are timed, of others building.
  std::vector<program::ChainWork> works() const {
    std::vector<program::ChainWork> list;
    for (const auto& strategy : strategies)
      list.push_back({strategy, {steps(strategy)}, {{strategy, {strategy}}}});
    const auto& strategy = strategies.back();
    list.back().groups = {{"load", {"stage_hits", "truth_seeds", "upload_hits", "upload_seeds"}},
                          {"binning", {"bin_hits"}},
                          {"seeding", {"find_triplets", "count_triplets", "fill_seeds"}},
                          {"seed_fit", {"fit_seeds"}},
                          {strategy, {strategy}},
                          {"clean", {"keep_tracks", "resolve_ambiguities"}},
                          {"smooth", {"smooth_tracks"}}};
    list.back().once_more = {"fit_tracks"};
    return list;
  }
};

void write_cylinder_tracks(const CylinderOptions& options, const program::Program& p,
                           const std::vector<FoundEvents>& found) {
  const auto real = io::real_type(p.options.first_precision());
  auto tracks = make_table(
      "tracks", "event track strategy:text particle complete chi2:real ndf n_hits", real);
  io::add_state_columns(tracks.columns, real);
  const auto hits = make_table("hits", "event track layer hit", real);
  io::TableFile file(options.output, p.metadata(), {tracks, hits});
  std::size_t number = 0;
  for (const auto& [strategy, events, results, numbers, hash] : found)
    for (std::size_t e = 0; e < results.size(); ++e) {
      const auto& list = results[e].tracks;
      for (std::size_t t = 0; t < list.size(); ++t, ++number) {
        const auto& fit = results[e].fits[t];
        auto state = io::state_values(fit.state);
        if (!is_complete(fit)) std::ranges::fill(state, std::numeric_limits<double>::quiet_NaN());
        const auto on_layers = list.hits_of(t);
        file[0].add_row(numbers[e], number, strategy, list.particle[t], is_complete(fit), fit.chi2,
                        fit.measurements - parameters_on_plane,
                        std::ranges::count_if(on_layers, [](int hit) { return hit >= 0; }), state);
        for (std::size_t layer = 0; layer < on_layers.size(); ++layer)
          if (on_layers[layer] >= 0) file[1].add_row(numbers[e], number, layer, on_layers[layer]);
      }
      file.flush();
    }
  file.finish();
}

/// Writes the file of --event-display.
void write_display(program::Program& p, program::DisplayFile& file,
                   const cylinder::TrackingParams& params, const FoundEvents& found) {
  for (std::size_t e = 0; e < found.results.size(); ++e)
    if (file.takes(e)) {
      const auto& event = *found.events[e];
      file.add(event_display(found.numbers[e], points_of(event),
                             hits_of_tracks(event, found.results[e].tracks)));
    }
  file.finish(p, "Cylinders", [&] {
    io::GltfMesh layers{.name = "Cylinders", .color = 0x9aa7b4};
    constexpr double mm = 10.;  // cm
    for (int i = 0; i < params.detector.size; ++i) {
      const double half_length = mm * params.half_length[std::size_t(i)];
      io::add_cylinder(layers, mm * params.detector.radius[std::size_t(i)], -half_length,
                       half_length);
    }
    return std::vector{layers};
  });
}

int lost_seeds(const FoundEvents& found) {
  int lost = 0;
  for (const auto& result : found.results) lost += result.lost_seeds;
  return lost;
}

/// Adds the repeated fit under its name, rates and `total`, of all steps but load and that fit.
void finish_times(program::RunReport& report, const Work& work) {
  program::Spread total;
  for (auto& [step, time] : report.time_us) {
    if (step == "repeated")
      step = "fit";
    else if (step != "load")
      total = total + time;
  }
  report.time_us.emplace_back("total", total);
  for (const auto& strategy : work.strategies)
    if (const auto* time = report.time(strategy))
      report.rate[strategy + "_events_per_s"] = 1e6 / time->median;
}

void find_in_cylinders(program::Program& p, const CylinderOptions& options) {
  if (options.pipeline.list_algorithms)
    return program::list_algorithms<float, double>(
        p, [](const auto& r) { return cylinder_calls(r, {}).listing; });
  const auto events = std::make_shared<const TrackingEvents>(input_events(p, options));
  const auto params = options.tracking_of(*events);
  p.input = options.description(events->events(), p.options.seed);
  bool is_float = true;
  program::EventRuns<TrackingEvents, CylinderResult> runs(
      p, options.pipeline,
      program::made_in_memory<TrackingEvents>(
          std::size_t(events->events()),
          [=](std::size_t i) -> std::shared_ptr<const TrackingEvents> {
            if (events->events() == 1) return events;
            return std::make_shared<TrackingEvents>(events->part(int(i), 1));
          }),
      [&](const auto& results) { return hash_of_cylinders(results, is_float); });
  runs.check_displayed(options.display.event);
  program::DisplayFile display(options.display);
  const Work work(options, runs.steps_of_file());
  std::vector<FoundEvents> first;
  p.for_each_run<float, double>([&](const auto& r, program::RunReport& report) {
    is_float = report.run.precision == "float";
    const auto calls = cylinder_calls(r, params);
    Fingerprint hash;
    auto all = runs.take(calls, work.works(), report);
    for (const auto& found : all) hash.add(found.hash);
    report.hash = hash.hex();
    report.compared = fmt::format("{} seeds lost", lost_seeds(all.front()));
    if (p.is_first_run()) first = std::move(all);
    finish_times(report, work);
  });
  if (!p.is_first_rank()) return;

  write_cylinders(p, first, options.min_pt, !work.triplets);
  const auto& last = first.back();
  if (const auto i = runs.displayed(options.display.event, last.events))
    p.plots.push_back(
        display_of_cylinders(*last.events[*i], *i, params.detector, last.results[*i].tracks));
  write_display(p, display, params, last);
  if (!options.output.empty()) write_cylinder_tracks(options, p, first);
  if (!options.write_input.empty())
    io::write_toy_events(options.write_input, io::toy_events(*events));
  runs.finish();
}

}  // namespace

int cylinder_tracker(int argc, char* argv[]) {
  program::Program p("cylinder_tracker",
                     "Finds tracks in a detector of concentric cylinders with a Kalman filter.\n" +
                         is_a_mode("cylinder_tracker"),
                     "event");
  CylinderOptions options;
  add_cylinder_options(p, options);
  return p.main(argc, argv, [&] { find_in_cylinders(p, options); });
}

}  // namespace detector_tracker
