// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program_options.hpp"

#include <trackplex/core/error.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace cylinder_tracker {

namespace program = trackplex::program;

program::PipelineRunOptions pipeline_defaults() {
  program::PipelineRunOptions defaults;
  defaults.direct_batch = 10;
  defaults.pipeline_batch = 4;
  defaults.default_memory = std::size_t(1) << 30;
  return defaults;
}

TrackingSettings ProgramOptions::settings(const trackplex::seeding::TrackingEvents& events) const {
  const int layers = events.hits.layers();
  if (layers > max_layers || layers <= seed_layers)
    throw trackplex::UsageError(
        "events", fmt::format("they have {} layers", layers),
        fmt::format("more than {} and up to {} are possible", seed_layers, max_layers));
  TrackingSettings settings;
  for (const auto& entry : strategy_names)
    if (strategy == "all" || strategy == entry.key) settings.strategies.emplace_back(entry.key);
  settings.use_triplets = seeds == "triplets";
  auto& params = settings.params;
  params.detector.size = layers;
  for (int layer = 0; layer < layers; ++layer) {
    params.detector.radius[std::size_t(layer)] = generator.particles.radius(layer);
    params.half_length.push_back(generator.noise_half_length(layer));
  }
  int max_hits = 0;
  for (int group = 0; group < events.events() * layers; ++group)
    max_hits = std::max(max_hits, events.hits.size(group / layers, group % layers));
  params.bins = trackplex::search::bins_for_hits(max_hits);
  params.seed_layers = seed_layers;
  params.building = building;
  params.building.material.thickness = material;
  params.building_teams.seeds = seeds_per_team;
  params.triplets.min_pt = seed_min_pt;
  params.all_states = true;
  settings.clean = settings.use_triplets && !keep_shared;
  settings.batch = pipeline.batch();
  settings.repeat = common.repeat;
  return settings;
}

program::Json ProgramOptions::description(int n_events) const {
  program::Json json;
  if (input.empty()) {
    const auto& p = generator.particles;
    json = {{"kind", "generated"},
            {"seed", common.seed},
            {"events", n_events},
            {"tracks_per_event", generator.tracks},
            {"min_pt_gev", p.min_pt},
            {"max_pt_gev", p.max_pt},
            {"max_abs_eta", p.max_abs_eta},
            {"inefficiency", generator.inefficiency},
            {"noise_per_layer", generator.noise_per_layer}};
  } else {
    json = {{"kind", "file"}, {"path", input}, {"events", n_events}};
  }
  json["material_cm"] = material;
  json["seeds"] = seeds;
  json["strategy"] = strategy;
  json["keep_shared"] = keep_shared;
  json["max_chi2"] = building.max_chi2;
  json["max_holes"] = building.max_holes;
  json["particles_above_gev"] = min_pt;
  return json;
}

namespace {

/// Options with a type and a range.
class OptionGroup {
 public:
  OptionGroup(CLI::App& app, std::string group) : app_(app), group_(std::move(group)) {}

  template <class Value>
  CLI::Option* add(const std::string& name, Value& value, const std::string& type, double low,
                   double high, const std::string& text) const {
    return app_.add_option(name, value, text)
        ->type_name(type)
        ->transform(program::number_of_type<Value>(low, high))
        ->group(group_);
  }
  CLI::Option* add(const std::string& name, std::string& value,
                   const std::vector<std::string>& choices, const std::string& text) const {
    return app_.add_option(name, value, text)
        ->type_name("NAME")
        ->check(program::one_of(choices))
        ->capture_default_str()
        ->group(group_);
  }

 private:
  CLI::App& app_;
  std::string group_;
};

void add_input_options(CLI::App& app, ProgramOptions& options) {
  const OptionGroup input(app, "Input");
  auto& particles = options.generator.particles;
  app.add_option("--input", options.input, "Read toy events from a file")
      ->type_name("FILE")
      ->group("Input");
  input.add("--events", options.events, "N", 1, 1e6, "Read at most so many (default: all)");
  input.add("--generate", options.generate, "EVENTS", 1, 1e6, "Generate so many instead");

  input
      .add("--material", options.material, "CM", 0., 1.,
           "Silicon in each layer, for which building and fits allow")
      ->capture_default_str();

  const OptionGroup generator(app, "Generated events");
  generator.add("--tracks", options.generator.tracks, "N", 0, 200000, "Particles of an event")
      ->capture_default_str();
  generator.add("--min-pt", particles.min_pt, "GEV", 0.05, 1e4, "Smallest transverse momentum")
      ->capture_default_str();
  generator.add("--max-pt", particles.max_pt, "GEV", 0.05, 1e4, "Largest one; between, it is flat")
      ->capture_default_str();
  generator.add("--max-eta", particles.max_abs_eta, "ETA", 0.01, 4., "Largest |pseudorapidity|")
      ->capture_default_str();
  generator
      .add("--inefficiency", options.generator.inefficiency, "P", 0., 1.,
           "Probability that a layer gives no hit")
      ->capture_default_str();
  generator
      .add("--noise", options.generator.noise_per_layer, "N", 0., 1e6,
           "Mean number of hits of no particle on each layer")
      ->capture_default_str();
}

void add_tracking_options(CLI::App& app, ProgramOptions& options) {
  const OptionGroup tracking(app, "Tracking");
  std::vector<std::string> strategies;
  for (const auto& entry : strategy_names) strategies.emplace_back(entry.key);
  strategies.emplace_back("all");
  tracking.add("--strategy", options.strategy, strategies,
               "best_hit, standard, clone_engine, or all");
  tracking.add("--seeds", options.seeds, {"truth", "triplets"},
               "truth: the first three hits of each particle; triplets: found in three layers");
  tracking
      .add("--seed-min-pt", options.seed_min_pt, "GEV", 0.3, 1e4,
           "Smallest transverse momentum of triplets")
      ->capture_default_str();
  tracking.add("--max-chi2", options.building.max_chi2, "X", 0.1, 1e4, "Largest chi2 of a hit")
      ->capture_default_str();
  tracking
      .add("--max-holes", options.building.max_holes, "N", 0, 100,
           "Layers without a hit before a candidate stops")
      ->capture_default_str();
  tracking
      .add("--window", options.building.window_sigmas, "SIGMAS", 0.1, 100,
           "Hits are looked for so far from the prediction")
      ->capture_default_str();
  app.add_flag("--keep-shared", options.keep_shared,
               "With triplets: keep tracks that share their hits with better ones")
      ->group("Tracking");
  tracking
      .add("--seeds-per-team", options.seeds_per_team, "N", 1, 1024,
           "Seeds whose candidates share lanes or threads")
      ->capture_default_str();
}

void add_output_options(CLI::App& app, ProgramOptions& options) {
  const OptionGroup output(app, "Output");
  output
      .add("--above-pt", options.min_pt, "GEV", 0., 1e4,
           "Efficiencies are of particles above this transverse momentum")
      ->capture_default_str();
  program::add_table_output(app, "--output", options.output,
                            "Write the tracks and their hits, as .csv or .h5", {"hits"});
  program::add_output(app, "--write-events", options.write_events,
                      "Write the events as toy events");
  program::add_output(app, "--picture", options.picture, "Draw efficiencies and fakes as SVG",
                      {".svg"});
  program::add_output(app, "--display", options.display, "Draw an event as SVG", {".svg"});
  output.add("--display-event", options.display_event, "N", 0, 1e6, "Which event to draw")
      ->capture_default_str();
}

}  // namespace

void add_options(CLI::App& app, ProgramOptions& options) {
  add_input_options(app, options);
  add_tracking_options(app, options);
  add_output_options(app, options);
  program::add_pipeline_options(app, options.pipeline);
  program::add_common_options(app, options.common);
  program::add_examples(
      app,
      {{"cylinder_tracker --generate 2 --strategy all --picture quality.svg",
        "finds the tracks of two generated events in three ways and draws how well"},
       {"cylinder_tracker --generate 1 --tracks 1000 --seeds triplets --display event.svg",
        "a small event with seeds from its hits, and its picture"},
       {"cylinder_tracker --generate 50 --tracks 1000 --slots 2 --trace trace.svg",
        "several events in flight, and a picture of what ran when"},
       {"cylinder_tracker --generate 1 --strategy all --backend all --lanes all --json all.json",
        "every backend with every lane width; the tracks must be the same, bit for bit"}});
}

}  // namespace cylinder_tracker
