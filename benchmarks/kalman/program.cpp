// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program.hpp"

#include "measure_fit.hpp"

#include <cmath>
#include <common/program.hpp>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <vector>

namespace trackplex::benchmarks {

namespace {

using program::Json;
using program::Program;

struct Options {
  int tracks = 0;
  int events = 100;
  int layers = 20;
  double smear = 0.;
  int iterations = 1;
  std::string layout = "tiles";
  std::string input;  ///< folder, or empty: the reference where it is found
  bool generate = false;
  bool published = false;
};

void add_options(Program& p, const Benchmark& benchmark, Options& options) {
  auto tracks = p.group("Tracks");
  tracks.number("--tracks", options.tracks, "N", 1, 1e7, "Tracks per event");
  tracks.number("--events", options.events, "N", 1, 1e6,
                "Events; all their tracks are fitted by one kernel");
  tracks.number("--layers", options.layers, "N", 1, 1000, "Layers with a hit, from the outside in");
  tracks.number("--smear", options.smear, "S", 0., 1.,
                "Relative spread of the copies of the sample");
  tracks.input(
      "--input", options.input, "DIR",
      "Folder of " + benchmark.name +
          "_input.csv (default: $TRACKPLEX_REFERENCE/p2z or ../shared/reference/p2z; where "
          "neither exists, a sample is generated)");
  tracks.flag("--generate-sample", options.generate, "Generate the sample, from --seed");
  auto kernel = p.group("Kernel");
  kernel.word("--layout", options.layout, {"tiles", "soa", "aos", "all"},
              "tiles (as wide as the lanes), soa (one array a component), aos (one record a track) "
              "or all");
  kernel.number("--iterations", options.iterations, "N", 1, 1e6,
                "Fits of all tracks in a timed repetition");
  if (benchmark.has_published_form)
    kernel.flag("--published", options.published,
                "Begin every layer with the input track, as published, not with the layer before");
  p.example(p.name() + " --backend serial --repeat 20", "time per track on one core");
  p.example(p.name() + " --backend serial --lanes all --layout all",
            "table over lane widths and layouts");
  p.example(p.name() + " --backend all --lanes all --events 1 --json report.json",
            "small; every backend and width must give the same states, bit for bit");
  p.add_common_options();
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

Input input_of(const Benchmark& benchmark, const Options& options, std::uint64_t seed) {
  if (options.generate && !options.input.empty())
    throw UsageError("", "the sample comes from either --input or --generate-sample",
                     "both were given");
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
    input.sample = generate_sample(benchmark.surfaces, options.layers, seed);
    input.description = {{"kind", "generated"}, {"seed", seed}};
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

template <class Real>
Population<Real> population_of(const Program& p, const Options& options,
                               const SampleTrack& sample) {
  const auto copies = std::int64_t(options.tracks) * options.events;
  if (copies > 100'000'000)
    throw UsageError("--events", fmt::format("{} tracks are too many", copies), "at most 10^8");
  auto progress = p.progress("smearing", std::size_t(options.layers) + 1);
  return smeared_copies<Real>(sample, int(copies), options.layers, options.smear,
                              [&] { progress.advance(); });
}

/// All layouts on one backend, number type and lane width; returns the averages of the first.
template <class Run>
Averages measure_layouts(Program& p, const Run& run, const Options& options,
                         const Population<typename Run::Real>& population) {
  std::optional<Averages> first;
  for (const auto layout : {Layout::aos, Layout::soa, Layout::tiles}) {
    if (options.layout != "all" && layout_name(layout) != options.layout) continue;
    program::RunReport report{.run = run.description(), .work = layout_name(layout)};
    auto progress = p.progress(report.name(), std::size_t(p.options.repeat) + 1);
    const auto fit = measure_fit(run, population,
                                 FitSettings{.layout = layout,
                                             .published = options.published,
                                             .iterations = options.iterations,
                                             .repeat = p.options.repeat,
                                             .after_repetition = [&] { progress.advance(); }});
    report.hash = fit.averages.hash;
    report.time_us = fit.time_us;
    report.rate["tracks_per_s"] = 1e6 / report.time("total")->median;
    p.runs.push_back(std::move(report));
    if (!first) first = fit.averages;
  }
  return *first;
}

Json to_json(const Averages& a) {
  Json json = {{"tracks", a.tracks}, {"not_finite", a.not_finite}, {"failed", a.failed}};
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

void run(Program& p, const Benchmark& benchmark, const Options& options) {
  const auto input = input_of(benchmark, options, p.options.seed);
  p.input = input.description;
  std::optional<Averages> first;
  // The tracks of one number type at a time are in memory.
  const auto run_with = [&]<class Real>(std::type_identity<Real>) {
    std::optional<Population<Real>> population;
    p.for_each_backend<float, double>([&]<class R, class Space>(const program::Run<R, Space>& run) {
      if constexpr (std::is_same_v<R, Real>) {
        if (!population) population = population_of<Real>(p, options, input.sample);
        const auto averages = measure_layouts(p, run, options, *population);
        if (!first) first = averages;
      }
    });
  };
  run_with(std::type_identity<float>{});
  run_with(std::type_identity<double>{});
  p.results = to_json(*first);
  p.text = fmt::format(
      "{}{}: {} x {} tracks of {} layers, smear {:g}; sample {}\n\n{}", benchmark.name,
      options.published ? " (published form)" : "", options.events, options.tracks, options.layers,
      options.smear,
      p.input["kind"] == "file" ? p.input["path"].get<std::string>() : std::string("generated"),
      averages_table(*first));
}

}  // namespace

int benchmark_main(const Benchmark& benchmark, int argc, char* argv[]) {
  Program p("bench_" + benchmark.name, benchmark.title, "track");
  Options options;
  options.tracks = benchmark.tracks;
  options.smear = benchmark.smear;
  add_options(p, benchmark, options);
  return p.main(argc, argv, [&] { run(p, benchmark, options); });
}

}  // namespace trackplex::benchmarks
