// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program_options.hpp"

#include "output.hpp"
#include "quantities.hpp"

#include <trackplex/core/error.hpp>
#include <trackplex/core/spaces.hpp>
#include <trackplex/io/table_file.hpp>

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <limits>
#include <type_traits>

namespace coulomb {

namespace program = trackplex::program;
using trackplex::UsageError;

namespace {

constexpr std::uint64_t default_histories = 10000000;
constexpr auto largest = std::numeric_limits<std::uint64_t>::max();

void require_one_of(bool wrong, const char* option, const char* problem) {
  if (wrong) throw UsageError(option, problem);
}

}  // namespace

void ProgramOptions::finish() {
  for (const auto& word : precision) {
    if (word == "float" || word == "double") {
      common.precision = word;
      continue;
    }
    const char* const end = word.data() + word.size();
    const auto [rest, error] = std::from_chars(word.data(), end, stop_precision_);
    if (error != std::errc() || rest != end || !(stop_precision_ > 0. && stop_precision_ < 1.))
      throw UsageError("--precision", "'" + word + "' is no number between 0 and 1", {},
                       "give a relative error, as 1e-4; or float or double");
  }
  require_one_of(!composition.empty() && !(density > 0.), "--composition", "it needs --density");
  require_one_of(composition.empty() && density > 0., "--density", "it needs --composition");
  require_one_of(composition.empty() && atoms, "--atoms", "it needs --composition");
  require_one_of(!merge.empty() && !resume.empty(), "--merge", "it does not go with --resume");
  require_one_of(!merge.empty() && (histories || stop_precision_ > 0.), "--merge",
                 "it runs no histories; use --resume to go on with several files");
  require_one_of(!checkpoint.empty() && (common.compares() || common.repeat > 1), "--checkpoint",
                 "it is for one run; it does not go with all backends or lanes, nor with --repeat");
  require_one_of(common.compares() && !merge.empty(), "--merge", "there is nothing to compare");
}

Simulation ProgramOptions::simulation() const {
  Simulation result;
  result.material = composition.empty()
                        ? montecarlo::published_material(material)
                        : montecarlo::material_of(
                              fmt::format("{} {}, {} g/cm3", composition,
                                          atoms ? "by atoms" : "by mass", density),
                              composition_of(composition), density,
                              atoms ? montecarlo::FractionOf::atoms : montecarlo::FractionOf::mass);
  result.scattering = montecarlo::screened_rutherford(result.material, energy_of(energy));
  const auto length = track_length_of(limit);
  result.limit =
      length.in_mm ? montecarlo::mean_free_paths(result.scattering, length.value) : length.value;
  result.source_radius = source_radius_of(source);
  result.seed = common.seed;
  result.binning = {bins, !plane.empty()};
  result.precision = common.precision;
  return result;
}

Goal ProgramOptions::goal() const {
  const auto first = first_history;
  if (!merge.empty()) return {{first, first}, 0.};
  const auto wanted =
      histories.value_or(stop_precision_ > 0. ? largest - first : default_histories);
  if (wanted > largest - first)
    throw UsageError("--histories", "their numbers do not fit into 64 bits",
                     fmt::format("{} from {} on", wanted, first));
  return {{first, first + wanted}, stop_precision_};
}

program::Json ProgramOptions::description(const Simulation& s) const {
  const auto wanted = goal();
  const auto& h = wanted.histories;
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
          {"first_history", h.begin},
          {"histories", h.size()},
          {"precision", wanted.precision > 0. ? program::Json(wanted.precision) : program::Json()},
          {"checkpoints", checkpoints()}};
}

namespace {

void add_physics_options(CLI::App& app, ProgramOptions& options) {
  const std::string group = "Simulation";
  std::vector<std::string> names;
  for (const auto& known : montecarlo::published_materials()) names.push_back(known.name);
  auto* const material =
      app.add_option("--material", options.material,
                     fmt::format("One of the published ones: {}", fmt::join(names, ", ")))
          ->type_name("NAME")
          ->check(program::one_of(names))
          ->capture_default_str()
          ->group(group);
  app.add_option("--composition", options.composition,
                 "Another material: H:0.112,O:0.888 or 1:1.008:0.112,... (Z:A:FRACTION)")
      ->type_name("LIST")
      ->excludes(material)
      ->group(group);
  app.add_option("--density", options.density, "Of the composition, g/cm3")
      ->type_name("RHO")
      ->transform(program::finite_number(1e-12, 1e6, "g/cm3"))
      ->group(group);
  app.add_flag("--atoms", options.atoms,
               "Its fractions are numbers of atoms, as in H:2,O:1, not of the mass")
      ->group(group);
  app.add_option("--energy", options.energy, "Kinetic energy: 0.128 (MeV), 128keV, 1GeV")
      ->type_name("E")
      ->capture_default_str()
      ->group(group);
  app.add_option("--limit", options.limit,
                 "Track length to follow: 33.5 (mean free paths), 0.0137mm, 10um")
      ->type_name("L")
      ->capture_default_str()
      ->group(group);
  app.add_option("--source", options.source, "pencil, or disk:R (mm), along z")
      ->type_name("NAME")
      ->capture_default_str()
      ->group(group);
}

void add_history_options(CLI::App& app, ProgramOptions& options) {
  const std::string group = "Histories";
  app.add_option("--histories", options.histories,
                 "How many, below 2^64, also as 1e8 (default: 1e7; with a precision: no limit)")
      ->type_name("N")
      ->transform(program::whole_number(1, largest))
      ->group(group);
  app.add_option("--first-history", options.first_history,
                 "Number of the first one: parts of a simulation add up exactly")
      ->type_name("N")
      ->transform(program::whole_number(0, largest))
      ->capture_default_str()
      ->group(group);
  app.add_option("--precision", options.precision,
                 "Stop when the relative errors of all moments of position and direction are below "
                 "X, as 1e-4; float and double stand for --real")
      ->type_name("X")
      ->expected(1)
      ->group(group);
  app.add_option("--batch", options.batch, "Histories per launch (default: for 0.3 s)")
      ->type_name("N")
      ->transform(program::whole_number(1, largest))
      ->group(group);
  program::add_output(app, "--checkpoint", options.checkpoint,
                      "Keep what is done in a file, also when interrupted (Ctrl-C)")
      ->group(group);
  app.add_option("--checkpoint-every", options.checkpoint_every, "Seconds between two of them")
      ->type_name("S")
      ->transform(program::finite_number(0., 1e9, "s"))
      ->capture_default_str()
      ->group(group);
  app.add_option("--resume", options.resume,
                 "Go on with checkpoints of the same simulation; several are added up")
      ->type_name("FILE")
      ->group(group);
  app.add_option("--merge", options.merge, "Only add up checkpoints of the same simulation")
      ->type_name("FILE")
      ->group(group);
}

void add_output_options(CLI::App& app, ProgramOptions& options) {
  const std::string group = "Output";
  app.add_option("--bins", options.bins, "Bins per limit of the track length, and per radian")
      ->type_name("N")
      ->transform(program::whole_number(1, 10000))
      ->capture_default_str()
      ->group(group);
  app.add_option("--output", options.output,
                 "Write PREFIX_longitudinal.csv, PREFIX_transverse.csv and PREFIX_angle.csv; with "
                 "PREFIX.h5, as HDF5")
      ->type_name("PREFIX")
      ->check([](const std::string& prefix) {
        for (const char* tally : {"longitudinal", "transverse", "angle"})
          trackplex::check_output(tally_file(prefix, tally));
        return trackplex::io::problem_of_table_name(tally_file(prefix, "angle"));
      })
      ->group(group);
  program::add_table_output(app, "--plane", options.plane,
                            "Count both positions together, and write them as .csv or .h5");
  app.add_option("--reference", options.references,
                 "Compare with such files, or with the PREFIX of some")
      ->type_name("FILE")
      ->group(group);
  program::add_output(app, "--plot,--picture", options.plot, "Draw both distributions as SVG",
                      {".svg"});
}

}  // namespace

void add_options(CLI::App& app, ProgramOptions& options) {
  add_physics_options(app, options);
  add_history_options(app, options);
  add_output_options(app, options);
  program::add_common_options(app, options.common, "--real");
  app.get_option("--seed")->description("Seed of the random numbers");
  program::add_examples(
      app,
      {{"coulomb --material gold --histories 1e8 --output gold",
        "100 million histories; their distributions as gold_longitudinal.csv and so on"},
       {"coulomb --precision 1e-4 --checkpoint water.json", "as many as a precision needs"},
       {"coulomb --resume water.json --histories 1e9 --checkpoint water.json", "goes on with it"},
       {"coulomb --composition Si:1 --density 2.33 --energy 1MeV --limit 10um",
        "a material, an energy and a length of one's own"},
       {"coulomb --reference gold --material gold --seed 2 --plot gold.svg",
        "compares and draws two simulations"}});
}

}  // namespace coulomb
