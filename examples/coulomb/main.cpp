// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Follows electrons through a material, scattering by scattering, and counts where they end.
#include "quantities.hpp"
#include "results.hpp"

#include <common/program.hpp>
#include <trackplex/core/error.hpp>
#include <trackplex/core/ranks.hpp>
#include <trackplex/io/montecarlo/transport_checkpoint.hpp>
#include <trackplex/io/tables/table_file.hpp>
#include <trackplex/montecarlo/schedule.hpp>
#include <trackplex/pipeline/stop_flag.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <optional>

namespace {

using namespace coulomb;
using montecarlo::Schedule;
using pipeline::StopFlag;
using program::Json;

constexpr auto max_number = std::numeric_limits<std::uint64_t>::max();

struct Options {
  std::string material = "water", composition;
  std::optional<double> density;  ///< g/cm^3
  bool atoms = false;             ///< fractions are those of the atoms
  std::string energy = "0.128MeV", limit = "33.5", source = "pencil";

  std::optional<std::uint64_t> histories;
  std::uint64_t first_history = 0;
  std::optional<double> relative_error;  ///< to stop at
  std::uint64_t batch = 0;               ///< histories of a launch; 0: as many as are good
  int bins = 100;
  /// Files have names on rank 0 only, and not in runs of other threads.
  program::Option plane_option, checkpoint_option;
  std::string output, plane;
  std::vector<std::string> references;
  std::string checkpoint;
  double checkpoint_every = 10.;  ///< seconds
  std::vector<std::string> resume, merge;

  /// The checkpoints to begin with.
  const std::vector<std::string>& checkpoints() const { return merge.empty() ? resume : merge; }
};

void add_physics_options(program::OptionGroup group, Options& options) {
  std::vector<std::string> names;
  for (const auto& known : montecarlo::published_materials()) names.push_back(known.name);
  group.word("--material", options.material, names,
             fmt::format("A published material: {}", fmt::join(names, ", ")));
  group.text("--composition", options.composition, "LIST",
             "Another material: H:0.112,O:0.888 or 1:1.008:0.112,... (Z:A:FRACTION)");
  group.number("--density", options.density, "RHO", 1e-12, 1e6, "Density of the composition, g/cm3",
               "g/cm3");
  group.flag("--atoms", options.atoms,
             "Fractions are numbers of atoms, as in H:2,O:1, instead of mass fractions");
  group.text("--energy", options.energy, "E", "Kinetic energy: 0.128 (MeV), 128keV, 1GeV")
      .show_default();
  group
      .text("--limit", options.limit, "L",
            "Track length to follow: 33.5 (mean free paths), 0.0137mm, 10um")
      .show_default();
  group.text("--source", options.source, "NAME", "pencil, or disk:R (mm), along z").show_default();
}

void add_history_options(program::OptionGroup group, Options& options) {
  group.number(
      "--histories", options.histories, "N", 1, 0x1p64,
      "Number of histories, below 2^64, e.g. 1e8 (default: 1e6; with a relative error: no limit)");
  group.number("--first-history", options.first_history, "N", 0, 0x1p64,
               "Number of the first history: parts of a simulation add up exactly");
  group.number(
      "--relative-error", options.relative_error, "X", 1e-12, 0.999,
      "Stop when the errors of all moments of position and direction are below X, e.g. 1e-4");
  group.count("--batch", options.batch, "Histories per launch and rank (default: for 0.3 s)",
              max_number);
  options.checkpoint_option =
      group.continued("--checkpoint", options.checkpoint,
                      "Save finished histories in a file, also when interrupted (Ctrl-C)");
  group.number("--checkpoint-every", options.checkpoint_every, "S", 0., 1e9,
               "Seconds between checkpoints", "s");
  group.input("--resume", options.resume, "FILE",
              "Continue from checkpoints of the same simulation; several are added up");
  group.input("--merge", options.merge, "FILE", "Only add up checkpoints of the same simulation");
}

void add_output_options(program::OptionGroup group, Options& options) {
  group.number("--bins", options.bins, "N", 1, 10000,
               "Bins per limit of the track length, and per radian");
  const auto files_of = [](const std::string& prefix) {
    std::vector<std::string> files;
    for (const auto& of : distributions) files.push_back(tally_file(prefix, of.tally));
    return files;
  };
  group.prefix("--output", options.output,
               "Write PREFIX_longitudinal.csv, PREFIX_transverse.csv and PREFIX_angle.csv; with "
               "PREFIX.h5 or PREFIX.sdds, as HDF5 or SDDS",
               files_of);
  options.plane_option =
      group.table("--plane", options.plane,
                  "Count both positions in a plane, and write it as .csv, .h5, .sdds");
  group.input("--reference", options.references, "FILE",
              "Compare with such files, or with their PREFIX");
}

void add_options(program::Program& p, Options& options) {
  add_physics_options(p.group("Simulation"), options);
  add_history_options(p.group("Histories"), options);
  add_output_options(p.group("Output"), options);
  p.example("coulomb --material gold --histories 1e8 --output gold",
            "100 million histories; distributions in gold_longitudinal.csv and so on");
  p.example("coulomb --relative-error 1e-4 --checkpoint water.json",
            "as many histories as the error needs");
  p.example("coulomb --resume water.json --histories 1e9 --checkpoint water.json",
            "continues from the checkpoint");
  p.example("mpirun -n 4 coulomb --histories 1e10 --checkpoint water.json",
            "shares the histories among four processes, with the same counts");
  p.example("coulomb --composition Si:1 --density 2.33 --energy 1MeV --limit 10um",
            "another material, energy and length");
  p.example("coulomb --reference gold --material gold --seed 2 --json gold.json",
            "compares two simulations; scripts/plot gold.json draws them");
  p.options.repeat = 1;
  p.add_common_options();
}

/// @throws UsageError where options do not go together
void check(const program::CommonOptions& common, const Options& options) {
  using program::refuse_if;
  const bool has_composition = !options.composition.empty(), merges = !options.merge.empty();
  const bool compares = common.backend == "all" || common.lanes == "all" ||
                        common.precision == "all" || common.threads.size() > 1;
  refuse_if(has_composition && options.material != Options().material, "--composition",
            "it excludes --material");
  refuse_if(has_composition && !options.density, "--composition", "it needs --density");
  refuse_if(!has_composition && options.density, "--density", "it needs --composition");
  refuse_if(!has_composition && options.atoms, "--atoms", "it needs --composition");
  refuse_if(merges && !options.resume.empty(), "--merge", "it excludes --resume");
  refuse_if(merges && (options.histories || options.relative_error), "--merge",
            "it runs no histories; use --resume to continue from several files");
  refuse_if(!options.checkpoint.empty() && (compares || common.repeat > 1), "--checkpoint",
            "it is for one run, not for several backends, lanes, threads or precisions, nor for "
            "--repeat");
  refuse_if(compares && !options.checkpoints().empty(), merges ? "--merge" : "--resume",
            "it is for one run");
}

Simulation simulation_of(const Options& options, std::uint64_t seed) {
  Simulation result;
  const auto fractions =
      options.atoms ? montecarlo::FractionOf::atoms : montecarlo::FractionOf::mass;
  result.material = options.composition.empty()
                        ? montecarlo::published_material(options.material)
                        : montecarlo::material_of(
                              fmt::format("{} {}, {} g/cm3", options.composition,
                                          options.atoms ? "by atoms" : "by mass", *options.density),
                              composition_of(options.composition), *options.density, fractions);
  result.scattering = montecarlo::screened_rutherford(result.material, energy_of(options.energy));
  result.limit = track_length_of(options.limit, result.scattering.mean_free_path);
  result.source_radius = source_radius_of(options.source);
  result.seed = seed;
  result.binning = {options.bins, !options.plane_option.empty()};
  return result;
}

montecarlo::ScheduleParams goal_of(const Options& options, const Simulation& simulation) {
  constexpr std::uint64_t default_histories = 1'000'000;
  const auto first = options.first_history, most = max_number - first;
  const auto wanted =
      !options.merge.empty()
          ? 0
          : options.histories.value_or(options.relative_error ? most : default_histories);
  if (wanted > most)
    throw UsageError("--histories", "their numbers do not fit into 64 bits",
                     fmt::format("{} from {} on", wanted, first));
  return {{first, first + wanted},
          options.relative_error.value_or(0.),
          simulation.few_histories(),
          options.batch};
}

Json description(const Options& options, const Simulation& s,
                 const montecarlo::ScheduleParams& goal) {
  return {{"kind", "generated"},
          {"seed", s.seed},
          {"material", s.material.name},
          {"b_c_per_mm", s.material.b_c},
          {"chi_cc_square_mev2_per_mm", s.material.chi_cc_square},
          {"kinetic_energy_mev", s.scattering.kinetic_energy},
          {"screening", s.scattering.screening},
          {"mean_free_path_mm", s.scattering.mean_free_path},
          {"limit_mean_free_paths", s.limit},
          {"limit_mm", s.limit_mm()},
          {"source", s.source()},
          {"first_history", goal.histories.begin},
          {"histories", goal.histories.size()},
          {"relative_error", goal.relative_error > 0. ? Json(goal.relative_error) : Json()},
          {"checkpoints", options.checkpoints()}};
}

montecarlo::TransportCounts read_checkpoints(const std::vector<std::string>& files,
                                             const montecarlo::TransportDescription& simulation) {
  montecarlo::TransportCounts counts;
  for (const auto& file : files) {
    const auto part = io::resume_transport(file, simulation);
    try {
      counts += part;
    } catch (const UsageError& error) {
      throw InputError({file}, "cannot be added", error.what());
    }
  }
  if (counts.cells.empty())
    for (const auto& tally : simulation.tallies)
      counts.cells.resize(counts.cells.size() + std::size_t(tally.cells));
  return counts;
}

/// Writes checkpoints of a simulation from time to time. All ranks call it, rank 0 has the file.
class CheckpointWriter {
 public:
  CheckpointWriter(const Options& options, const montecarlo::TransportDescription& simulation)
      : options_(options), simulation_(simulation) {}

  void write(const montecarlo::TransportCounts& counts) const {
    if (options_.checkpoint.empty()) return;
    io::write_transport_checkpoint(options_.checkpoint, simulation_, counts);
  }
  void write_if_due(const Schedule& schedule) {
    if (options_.checkpoint_option.empty()) return;
    if (schedule.seconds() - written_ < options_.checkpoint_every) return;
    write(schedule.counts());
    written_ = schedule.seconds();
  }

 private:
  const Options& options_;
  const montecarlo::TransportDescription& simulation_;
  double written_ = 0.;  ///< time of the schedule, the same on all ranks
};

struct Done {
  montecarlo::TransportCounts counts;
  montecarlo::StopReason stop = montecarlo::StopReason::histories;
  bool is_last = false;  ///< no further runs: the user has had enough
};

/// All repetitions of a run; fills its report. The first one is the result.
Done simulate_all(const program::Program& p, const auto& run, const Options& options,
                  const Simulation& simulation, const StopFlag& stop, program::RunReport& report) {
  const auto description = simulation.description(report.run.precision);
  montecarlo::TransportCounts begin;  // rank 0 has them
  if (p.is_first_rank()) begin = read_checkpoints(options.checkpoints(), description);
  CheckpointWriter checkpoint(options, description);
  checkpoint.write(begin);  // a file that cannot be written is found out now
  Done done;
  montecarlo::TransportCounts own;
  std::vector<double> microseconds;
  for (int i = 0; i < p.options.repeat; ++i) {
    Schedule schedule(goal_of(options, simulation), begin, p.ranks());
    auto progress = p.progress(report.name(), std::size_t(schedule.expected()));
    simulate(
        run, simulation, [&] { return schedule.next(stop.stop_requested()); },
        [&](const montecarlo::TransportCounts& counts, double seconds) {
          const auto before = schedule.own_counts().histories.size();
          schedule.take(counts, seconds);
          checkpoint.write_if_due(schedule);
          progress.expect(std::size_t(schedule.expected()));
          progress.advance(std::size_t(schedule.own_counts().histories.size() - before));
        });
    auto counts = schedule.counts();
    checkpoint.write(counts);
    done.is_last = on_any(p.ranks(), stop.stop_requested());
    if (i > 0 && done.is_last) break;
    if (i > 0 && !counts.same_results(done.counts))
      throw Error(report.run.backend, "two repetitions gave different counts");
    microseconds.push_back(1e6 * schedule.seconds());
    if (i > 0) continue;
    done.counts = std::move(counts);
    done.stop = schedule.stop();
    own = schedule.own_counts();
  }
  report.hash = hash_of(done.counts);
  const double n = double(own.histories.size()), items = std::max(1., n);
  const auto total = program::spread_of(microseconds);
  const auto rate = [&](double m) { return n > 0. ? Json(1e6 * m / total.median) : Json(); };
  report.time_us = {{"total", total / items}};
  report.rate = {
      {"histories_per_s", rate(n)},
      {"scatterings_per_s", rate(own.moments.sums[int(montecarlo::Moment::scatterings)].value())},
      {"histories", own.histories.size()},
      {"lane_occupancy", own.occupancy()}};
  return done;
}

std::string title(const Simulation& s, const Json& rate) {
  auto text = fmt::format(
      "{}: A = {:.9g}, mean free path {:.9g} mm\n{} MeV electrons, {} mean free paths = {:.6g} mm, "
      "{}; seed {}\n",
      s.material.name, s.scattering.screening, s.scattering.mean_free_path,
      s.scattering.kinetic_energy, s.limit, s.limit_mm(), s.source(), s.seed);
  if (!rate["histories_per_s"].is_null())
    text +=
        fmt::format("{:.4g} histories/s, {:.4g} scatterings/s, lanes occupied: {}\n",
                    rate["histories_per_s"].get<double>(), rate["scatterings_per_s"].get<double>(),
                    program::percent(rate["lane_occupancy"].get<double>()));
  return text;
}

void run(program::Program& p, const Options& options) {
  check(p.options, options);
  const auto simulation = simulation_of(options, p.options.seed);
  const auto references = read_references(options.references);
  p.input = description(options, simulation, goal_of(options, simulation));
  StopFlag stop;
  const pipeline::StopOnSignal on_signal(stop);
  std::optional<Done> first;
  bool interrupted = false;
  p.for_each_run<float, double>([&](const auto& r, program::RunReport& report) {
    auto done = simulate_all(p, r, options, simulation, stop, report);
    const bool is_new = std::ranges::none_of(p.runs, [&](const program::RunReport& other) {
      return other.run.precision == report.run.precision;
    });
    if (is_new) report.results = Results(simulation, done.counts, done.stop, references).to_json();
    interrupted = interrupted || done.stop == montecarlo::StopReason::interrupt;
    if (done.is_last) p.stop();
    if (!first) first.emplace(std::move(done));
  });
  if (!first) return;  // other threads, on a backend without
  const Results results(simulation, first->counts, first->stop, references);
  if (!options.output.empty()) results.write_tallies(options.output, p.metadata());
  if (!options.plane.empty()) io::write_table(options.plane, results.plane_table(p.metadata()));
  p.plots.push_back(results.plot());
  p.text = title(simulation, p.runs.front().rate) + "\n" + results.text();
  if (!interrupted) return;
  p.status = program::failure;
  if (!p.is_first_rank()) return;
  fmt::print(stderr, "coulomb: interrupted after {} histories{}\n", first->counts.histories.size(),
             options.checkpoint.empty() ? "" : "; continue with --resume " + options.checkpoint);
}

}  // namespace

int main(int argc, char* argv[]) {
  program::Program p("coulomb", "Single Coulomb scattering of electrons, from history to history.",
                     "history");
  Options options;
  add_options(p, options);
  return p.main(argc, argv, [&] { run(p, options); });
}
