// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program.hpp"

#include "measure_fit.hpp"

#include <cmath>
#include <cstdlib>
#include <optional>
#include <trackplex/program/main.hpp>
#include <trackplex/program/progress.hpp>
#include <trackplex/program/report.hpp>
#include <trackplex/program/table.hpp>
#include <vector>

namespace trackplex::benchmarks {

namespace {

using program::Json;

void add_options(CLI::App& app, const Benchmark& benchmark, ProgramOptions& options) {
  const std::string tracks = "Tracks";
  const auto number = [&](const char* name, int& value, const char* text, int most) {
    app.add_option(name, value, text)
        ->type_name("N")
        ->transform(program::whole_number(1, std::uint64_t(most)))
        ->capture_default_str()
        ->group(tracks);
  };
  number("--tracks", options.tracks, "Tracks per event", 10000000);
  number("--events", options.events, "Events; all their tracks are fitted by one kernel", 1000000);
  number("--layers", options.layers, "Layers with a hit, from the outside in", 1000);
  app.add_option("--smear", options.smear, "Relative spread of the copies of the sample")
      ->type_name("S")
      ->transform(program::finite_number(0., 1.))
      ->capture_default_str()
      ->group(tracks);
  app.add_option("--input", options.input,
                 "Folder of " + benchmark.name +
                     "_input.csv (default: $TRACKPLEX_REFERENCE/p2z or ../shared/reference/p2z; "
                     "where neither exists, a sample is generated)")
      ->type_name("DIR")
      ->group(tracks);
  app.add_flag("--generate", options.generate, "Generate the sample, from --seed")->group(tracks);

  const std::string kernel = "Kernel";
  app.add_option("--layout", options.layout,
                 "tiles (as wide as the lanes), soa (one array a component) or aos (one record a "
                 "track)")
      ->type_name("NAME")
      ->check(program::one_of({"tiles", "soa", "aos"}))
      ->capture_default_str()
      ->group(kernel);
  app.add_option("--iterations", options.iterations, "Fits of all tracks in a timed repetition")
      ->type_name("N")
      ->transform(program::whole_number(1, 1'000'000))
      ->capture_default_str()
      ->group(kernel);
  if (benchmark.has_published_form)
    app.add_flag("--published", options.published,
                 "Begin every layer with the input track, as published, not with the layer before")
        ->group(kernel);
  app.add_flag("--scan", options.scan, "Compare all lane widths and layouts")->group(kernel);

  program::add_common_options(app, options.common);
  const std::string program_name = "bench_" + benchmark.name;
  program::add_examples(
      app, {{program_name + " --backend serial --repeat 20", "time per track on one core"},
            {program_name + " --backend serial --scan", "table over lane widths and layouts"},
            {program_name + " --backend all --lanes all --events 1 --json report.json",
             "small; every backend and width must give the same states, bit for bit"}});
}

/// The folder of the reference input, if there is one.
std::optional<std::filesystem::path> reference_folder(const std::string& file) {
  const char* variable = std::getenv("TRACKPLEX_REFERENCE");
  const auto root = variable ? std::filesystem::path(variable)
                             : std::filesystem::path(TRACKPLEX_SOURCE_DIR) / "../shared/reference";
  if (std::filesystem::exists(root / "p2z" / file)) return root / "p2z";
  return std::nullopt;
}

struct Input {
  SampleTrack sample;
  Json description;
};

Input input_of(const Benchmark& benchmark, const ProgramOptions& options) {
  if (options.generate && !options.input.empty())
    throw UsageError("", "the sample comes from either --input or --generate", "both were given");
  const std::string file = benchmark.name + "_input.csv";
  std::optional<std::filesystem::path> folder;
  if (!options.input.empty()) {
    folder = options.input;
  } else if (!options.generate) {
    folder = reference_folder(file);
  }
  Input input;
  if (folder) {
    input.sample = read_sample(*folder / file);
    input.description = {{"kind", "file"}, {"path", (*folder / file).string()}};
  } else {
    input.sample = generate_sample(benchmark.surfaces, options.layers, options.common.seed);
    input.description = {{"kind", "generated"}, {"seed", options.common.seed}};
  }
  if (input.sample.hits.size() < std::size_t(options.layers))
    throw UsageError("--layers", fmt::format("there is no layer {}", options.layers),
                     fmt::format("the sample has {} hits", input.sample.hits.size()));
  input.description["tracks"] = options.tracks;
  input.description["events"] = options.events;
  input.description["layers"] = options.layers;
  input.description["smear"] = options.smear;
  if (benchmark.has_published_form)
    input.description["form"] = options.published ? "published" : "chained";
  return input;
}

/// A run and what came of it.
struct Outcome {
  program::RunDescription run;
  Layout layout;
  FitOutcome fit;

  std::string name() const {
    return fmt::format("{} with {} lanes, {}", run.backend, run.lanes, layout_name(layout));
  }
};

template <class Real>
std::vector<Outcome> run_all(const Benchmark& benchmark, const ProgramOptions& options,
                             const SampleTrack& sample) {
  const auto copies = std::int64_t(options.tracks) * options.events;
  if (copies > 100'000'000)
    throw UsageError("--events", fmt::format("{} tracks are too many", copies), "at most 10^8");
  const auto population = [&] {
    program::ProgressBar progress("smearing", std::size_t(options.layers) + 1, options.common);
    return smeared_copies<Real>(sample, int(copies), options.layers, options.smear,
                                [&] { progress.advance(); });
  }();
  std::vector<Layout> layouts;
  for (const auto layout : {Layout::aos, Layout::soa, Layout::tiles})
    if (options.scan || layout_name(layout) == options.layout) layouts.push_back(layout);
  std::vector<Outcome> outcomes;
  program::dispatch<Real>(options.common, [&](const auto& run) {
    for (const auto layout : layouts) {
      Outcome outcome{run.description(), layout, {}};
      program::ProgressBar progress(benchmark.name + ", " + outcome.name(),
                                    std::size_t(options.common.repeat) + 1, options.common);
      outcome.fit = measure_fit(run, population,
                                FitSettings{.layout = layout,
                                            .published = options.published,
                                            .iterations = options.iterations,
                                            .repeat = options.common.repeat,
                                            .after_repetition = [&] { progress.advance(); }});
      outcomes.push_back(std::move(outcome));
    }
  });
  return outcomes;
}

Json results_json(const Outcome& outcome) {
  const auto& a = outcome.fit.averages;
  Json json = {{"layout", layout_name(outcome.layout)},
               {"tracks", a.tracks},
               {"not_finite", a.not_finite},
               {"failed", a.failed},
               {"hash", a.hash}};
  const auto each = [&](const char* key, auto value_of) {
    json[key] = {{"x", value_of(a.x)},
                 {"y", value_of(a.y)},
                 {"z", value_of(a.z)},
                 {"r", value_of(a.r)},
                 {"pt", value_of(a.pt)},
                 {"phi", value_of(a.phi)},
                 {"theta", value_of(a.theta)},
                 {"dx_x", value_of(a.residual_x)},
                 {"dy_y", value_of(a.residual_y)},
                 {"dz_z", value_of(a.residual_z)}};
  };
  each("average", [](const MeanAndDeviation& m) { return m.mean; });
  each("std", [](const MeanAndDeviation& m) { return m.deviation; });
  return json;
}

program::RunReport report_of(const Outcome& outcome) {
  program::RunReport report;
  report.run = outcome.run;
  report.results = results_json(outcome);
  report.add_time("track", outcome.fit.track_us);
  report.rate["tracks_per_s"] = 1e6 / outcome.fit.track_us.median;
  return report;
}

std::string averages_table(const Averages& a) {
  program::Table table({"", "average", "std", "std / average"});
  const auto add = [&](const char* name, const MeanAndDeviation& m) {
    table.add_row({name, fmt::format("{:.9g}", m.mean), fmt::format("{:.3e}", m.deviation),
                   m.mean == 0. ? "-" : fmt::format("{:.3e}", m.deviation / std::abs(m.mean))});
  };
  add("x (cm)", a.x);
  add("y (cm)", a.y);
  add("z (cm)", a.z);
  add("r (cm)", a.r);
  add("pT (GeV)", a.pt);
  add("phi", a.phi);
  add("theta", a.theta);
  add("dx / x", a.residual_x);
  add("dy / y", a.residual_y);
  add("dz / z", a.residual_z);
  return table.text() + fmt::format("{} tracks, {} not finite, {} failed; d: state - last hit\n",
                                    a.tracks, a.not_finite, a.failed);
}

std::string time_table(const std::vector<Outcome>& outcomes) {
  program::Table table(
      {"us per track", "threads", "lanes", "layout", "median", "min", "quartiles", "tracks/s"});
  for (const auto& outcome : outcomes) {
    const auto& time = outcome.fit.track_us;
    table.add_row({outcome.run.backend, std::to_string(outcome.run.threads),
                   std::to_string(outcome.run.lanes), layout_name(outcome.layout),
                   fmt::format("{:.4f}", time.median), fmt::format("{:.4f}", time.min),
                   fmt::format("{:.4f}..{:.4f}", time.lower_quartile, time.upper_quartile),
                   fmt::format("{:.3g}", 1e6 / time.median)});
  }
  return table.text();
}

/// Median times, a row for each backend and lane width, a column for each layout.
std::string scan_table(const std::vector<Outcome>& outcomes) {
  program::Table table({"median us per track", "lanes", "aos", "soa", "tiles", "tiles, min"});
  for (std::size_t i = 0; i + 2 < outcomes.size(); i += 3) {
    std::vector<std::string> row = {outcomes[i].run.backend, std::to_string(outcomes[i].run.lanes)};
    for (std::size_t j = i; j < i + 3; ++j)
      row.push_back(fmt::format("{:.4f}", outcomes[j].fit.track_us.median));
    row.push_back(fmt::format("{:.4f}", outcomes[i + 2].fit.track_us.min));
    table.add_row(std::move(row));
  }
  return table.text();
}

/// Names the first run whose states are not those of the first run.
std::optional<std::string> first_difference(const std::vector<Outcome>& outcomes) {
  for (const auto& outcome : outcomes)
    if (outcome.fit.averages.hash != outcomes.front().fit.averages.hash)
      return fmt::format("{} gives other states than {}", outcome.name(), outcomes.front().name());
  return std::nullopt;
}

int run(const Benchmark& benchmark, const ProgramOptions& options) {
  const auto input = input_of(benchmark, options);
  const auto outcomes = options.common.precision == "float"
                            ? run_all<float>(benchmark, options, input.sample)
                            : run_all<double>(benchmark, options, input.sample);
  program::Report report("bench_" + benchmark.name, input.description);
  for (const auto& outcome : outcomes) report.runs.push_back(report_of(outcome));
  program::write_report(report, options.common);

  const auto difference = first_difference(outcomes);
  const auto& averages = outcomes.front().fit.averages;
  if (!options.common.quiet) {
    fmt::print("{}{}: {} x {} tracks of {} layers, smear {:g}, {}; sample {}\n\n{}\n{}",
               benchmark.name, options.published ? " (published form)" : "", options.events,
               options.tracks, options.layers, options.smear, options.common.precision,
               input.description["kind"] == "file" ? input.description["path"].get<std::string>()
                                                   : std::string("generated"),
               averages_table(averages),
               options.scan ? scan_table(outcomes) : time_table(outcomes));
    if (difference)
      ;
    else if (outcomes.size() > 1)
      fmt::print("All {} runs gave the same states, bit for bit (hash {}).\n", outcomes.size(),
                 averages.hash);
    else
      fmt::print("Hash of all states: {}\n", averages.hash);
  }
  if (difference) throw Error("comparison of runs", *difference);
  return program::success;
}

}  // namespace

int benchmark_main(const Benchmark& benchmark, int argc, char* argv[]) {
  CLI::App app(benchmark.title, "bench_" + benchmark.name);
  ProgramOptions options;
  options.tracks = benchmark.tracks;
  options.smear = benchmark.smear;
  add_options(app, benchmark, options);
  return program::run_program(app, argc, argv, options.common, [&] {
    if (options.scan) options.common.lanes = "all";
    return run(benchmark, options);
  });
}

}  // namespace trackplex::benchmarks
