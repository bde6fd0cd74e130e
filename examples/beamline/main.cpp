// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tracks a bunch of particles through a beam line with longitudinal space charge, on one backend or
// all.
#include "aperture.hpp"
#include "results.hpp"

#include <common/program.hpp>
#include <trackplex/io/bunch_table.hpp>
#include <trackplex/io/table_file.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>
#include <utility>

namespace {

using namespace beamline;
namespace program = trackplex::program;
using program::Json;
using trackplex::UsageError;
using trackplex::simulation::BunchPlane;

struct Options {
  InputOptions input;
  std::vector<const CLI::Option*> of_generator;  ///< what has no meaning for a file
  TrackingSettings tracking;
  OpticsOptions optics;
  int aperture = 0;                ///< starts; 0: a bunch is tracked
  Pair aperture_size{0.02, 0.01};  ///< m
  /// Files have no names in runs of other threads, and on other ranks.
  const CLI::Option *has_moments = nullptr, *has_watch = nullptr;
  std::string output, optics_file, aperture_file, moments, moments_every, profile, profile_at,
      write_input, watch;
};

void add_line_options(program::OptionGroup group, Options& options) {
  group.text("--input,LATTICE", options.input.lattice, "FILE",
             "Lattice in elegant's language, or .seq, .madx, .mad in that of MAD-X (default: FODO "
             "cells with space charge)");
  group.text("--line", options.input.line, "NAME",
             "Line, or element, to track through (default: that of USE, else the last one)");
  group.text("--strengths", options.input.strengths, "FILE",
             "File of MAD-X that is read behind the lattice, as strengths and BEAM; repeatable");
  group.text("--set", options.input.variables, "NAME=VALUE",
             "Variable of MAD-X, whose value goes before those of files; repeatable");
  group.flag("--skip-unknown", options.input.skip_unknown,
             "Track elements that cannot be tracked as drifts of their length");
  group.flag("--infix", options.input.infix,
             "Allow infix arithmetic in values, as L=(1-0.2)/2, which elegant does not have");
  group
      .text(
          "--momentum", options.input.momentum, "P0",
          "Reference momentum, beta gamma (default: mean of the file's column p; else that of BEAM "
          "in MAD-X; else 200)")
      ->transform(program::finite_number(1e-6, 1e9));
  auto& tracking = options.tracking;
  group.number("--turns", tracking.turns, "N", 1, program::max_count, "Passes through the line");
  group.number("--position-limit", tracking.limits.position, "M", 0., 1e6,
               "Particles with a larger |x| or |y| behind a turn are lost, m; 0: no limit", "m");
  group.number("--slope-limit", tracking.limits.slope, "X", 0., 1e6,
               "Particles with a larger |x'| or |y'| there are lost; 0: no limit");
}

void add_bunch_options(program::OptionGroup group, Options& options) {
  auto& input = options.input;
  auto& bunch = input.generated;
  group.text("--bunch", input.bunch, "FILE",
             "Particles as .csv, .h5 or .sdds: x,xp,y,yp and t,p or s,delta (default: generated)");
  group.number("--charge", input.charge, "C", 0., 1.,
               "Of the bunch, C, until a CHARGE sets it (default: 1e-9, for files theirs or 0)",
               "C");
  const auto pair = [&](const char* name, auto& values, const char* type, double low, double high,
                        const char* unit, const char* text) {
    return group.text(name, values, type, text)->transform(program::finite_number(low, high, unit));
  };
  options.of_generator = {
      group.number("--generate", bunch.particles, "N", 1, 0x1p52, "Particles to generate"),
      pair("--emittance", input.emittance, "X Y", 0., 1., "m",
           "Normalized rms emittances, m (default: 1e-6 1e-6)"),
      pair("--beta", input.beta, "X Y", 1e-9, 1e6, "m",
           "Beta functions at the start, m (default: 10 10)"),
      pair("--alpha", input.alpha, "X Y", -1e6, 1e6, "",
           "Minus half of their slopes (default: 0 0)"),
      group.flag("--matched", input.matched,
                 "Beta, alpha and dispersion that the line repeats, as for the built-in line"),
      group.number("--sigma-s", bunch.sigma_s, "M", 0., 1e6, "rms length, m", "m"),
      group.number("--sigma-delta", bunch.sigma_delta, "X", 0., 1., "rms of the relative momentum"),
      group.number("--chirp", bunch.chirp, "X", -1e6, 1e6,
                   "Slope of the relative momentum along the bunch, 1/m", "1/m"),
      group.number("--cutoff", bunch.cutoff, "X", 0.1, 8., "Where Gaussians end, in sigmas"),
      group.flag("--flat", input.flat, "Flat along s, of the same rms length"),
      pair("--modulation", input.modulation, "M X", 0., 1e6, "",
           "Wavelength, m, and depth, below 0.95, of a modulation of the density")};
}

void add_optics_options(program::OptionGroup group, Options& options) {
  auto& optics = options.optics;
  group.table("--optics", options.optics_file,
              "Optics along the line, with elegant's names of columns: those that it repeats, else "
              "from --beta and --alpha");
  group.number("--optics-step", optics.step, "M", 0., 1e6,
               "... also inside of elements, at most so far apart, m; 0: behind them only", "m");
  group.flag("--closed-orbit", optics.closed_orbit,
             "Find the closed orbit; optics are those of particles tracked about it, instead of "
             "Taylor maps on the axis");
  group.number("--delta", optics.delta, "X", -1., 1.,
               "Relative momentum of the closed orbit (default: 0)");
}

void add_aperture_options(program::OptionGroup group, Options& options) {
  group.number("--aperture", options.aperture, "N", 0, 100'000'000,
               "Instead of a bunch, track a grid of N starts around the closed orbit for --turns; "
               "scripts/plot draws which survive, and how their tunes diffuse");
  group
      .text("--aperture-size", options.aperture_size, "X Y",
            "... up to |x| and y, m (default: 0.02 0.01)")
      ->transform(program::finite_number(1e-9, 1e3, "m"));
  group.table("--aperture-output", options.aperture_file,
              "... as .csv, .h5 or .sdds: starts, where they are lost, tunes and their change");
}

void add_output_options(program::OptionGroup group, Options& options) {
  group.table(
      "--output", options.output,
      "Particles after the last turn, as .csv, .h5 (lost ones with turn, element) or .sdds");
  options.has_moments =
      group.table("--moments", options.moments, "Sizes, emittances and optics along the line");
  group
      .text("--moments-every", options.moments_every, "WHAT",
            "... behind each element, or turn (default: element for one turn, else turn)")
      ->check(program::one_of({"element", "turn"}));
  group.table("--profile", options.profile,
              "Current and energy modulation along the bunch in the last step of space charge");
  group.text("--profile-at", options.profile_at, "NAME",
             "... of this drift, also for plots (default: the last one with space charge)");
  options.has_watch = group.output_folder(
      "--watch", options.watch,
      "Write the files of WATCH elements to a new folder, as .csv, .h5 or .sdds");
  group.output_folder("--write-input", options.write_input,
                      "Write the lattice and the bunch to a new folder, to be read again");
}

void add_options(program::Program& p, Options& options) {
  add_line_options(p.group("Beam line"), options);
  add_bunch_options(p.group("Bunch"), options);
  add_optics_options(p.group("Optics"), options);
  add_aperture_options(p.group("Dynamic aperture"), options);
  add_output_options(p.group("Output"), options);
  p.example("beamline --json report.json",
            "a bunch through ten FODO cells with space charge; scripts/plot report.json draws it");
  p.example("beamline ring.lte --generate 1000000 --matched --turns 1000",
            "a million particles, matched to the ring, for 1000 turns");
  p.example("beamline linac.lte --line L1 --bunch in.csv --output out.csv --moments sizes.csv",
            "a bunch from a file through one line, with its moments behind each element");
  p.example("beamline ring.lte --aperture 1000 --turns 10000 --json report.json",
            "the dynamic aperture of a ring, and how the tunes of particles diffuse");
  p.example("beamline ring.seq --strengths ring.str --line ring --matched --turns 1000",
            "a sequence of MAD-X with its strengths");
  p.example("beamline --backend all --lanes all --threads 1,2",
            "every backend, width and number of threads; particles must be the same, bit for bit");
  p.options.precision = "double";
  p.add_common_options();
}

/// @throws UsageError where options do not go together
void check(const Options& options) {
  const auto is_given = [](const CLI::Option& option) {  // a configuration file may have defaults
    const auto& values = option.results();
    return option.count() > 0 && values != std::vector{option.get_default_str()} &&
           values != std::vector<std::string>{"false"};
  };
  const auto& input = options.input;
  for (const auto* option : options.of_generator)
    if (!input.bunch.empty() && is_given(*option))
      throw UsageError(option->get_name(), "the bunch is not generated", "--bunch " + input.bunch);
  program::refuse_if(input.matched && (input.beta || input.alpha), "--matched",
                     "it says what --beta and --alpha are", "leave those out");
  program::refuse_if(
      options.optics.delta != 0. && !options.optics.closed_orbit && options.aperture == 0,
      "--delta", "it is that of a closed orbit", "give --closed-orbit or --aperture");
  program::refuse_if(options.aperture == 0 && !options.aperture_file.empty(), "--aperture-output",
                     "it needs --aperture");
  program::refuse_if(options.aperture > 0 && options.tracking.turns < 2, "--aperture",
                     "tunes need 2 turns and more", "give --turns 1000");
  program::refuse_if(options.optics.step > 0. && options.optics_file.empty(), "--optics-step",
                     "it needs --optics");
  const bool is_madx = beamline::is_madx(input.lattice);
  program::refuse_if(!input.strengths.empty() && !is_madx, "--strengths", "it needs MAD-X",
                     "give a lattice .seq, .madx or .mad");
  program::refuse_if(!input.variables.empty() && !is_madx, "--set", "it needs MAD-X",
                     "give a lattice .seq, .madx or .mad");
  program::refuse_if(options.has_moments->empty() && !options.moments_every.empty(),
                     "--moments-every", "it needs --moments");
}

Json description(const Options& options, const Input& input) {
  Json json = {
      {"lattice", options.input.lattice.empty() ? Json(nullptr) : Json(options.input.lattice)},
      {"strengths", options.input.strengths},
      {"variables", options.input.variables},
      {"line", input.line_name},
      {"momentum", input.p0()},
      {"turns", options.tracking.turns},
      {"largest_position_m", options.tracking.limits.position},
      {"largest_slope", options.tracking.limits.slope}};
  if (const auto& particles = input.particles) {
    json["bunch"] = {{"kind", "file"},
                     {"file", options.input.bunch},
                     {"particles", input.n_particles},
                     {"charge_c", particles->particle_charge * double(input.n_particles)}};
    return json;
  }
  const auto plane = [](const BunchPlane& of) -> Json {
    return {{"normalized_emittance_m", of.normalized_emittance},
            {"beta_m", of.beta},
            {"alpha", of.alpha},
            {"dispersion_m", of.dispersion},
            {"dispersion_slope", of.dispersion_slope}};
  };
  const auto& bunch = input.bunch;
  json["bunch"] = {{"kind", "generated"},
                   {"seed", bunch.seed},
                   {"particles", bunch.particles},
                   {"charge_c", bunch.charge},
                   {"x", plane(bunch.x)},
                   {"y", plane(bunch.y)},
                   {"profile", options.input.flat ? "flat" : "gaussian"},
                   {"sigma_s_m", bunch.sigma_s},
                   {"sigma_delta", bunch.sigma_delta},
                   {"chirp_per_m", bunch.chirp},
                   {"cutoff", bunch.cutoff},
                   {"modulation_wavelength_m", bunch.modulation_wavelength},
                   {"modulation_depth", bunch.modulation_depth}};
  return json;
}

TrackingSettings settings_of(const program::Program& p, const Options& options,
                             const trackplex::beam::BeamLine& line) {
  auto settings = options.tracking;
  settings.repeat = p.options.repeat;
  settings.ranks = p.ranks();
  settings.profile_at = space_charge_drift(line, options.profile_at);
  if (!settings.profile_at && !(options.profile.empty() && options.profile_at.empty()))
    throw UsageError("--profile",
                     "the line has no drift with space charge" +
                         (options.profile_at.empty() ? "" : " '" + options.profile_at + "'"));
  if (options.has_moments->empty()) return settings;
  const bool of_elements =
      options.moments_every.empty() ? settings.turns == 1 : options.moments_every == "element";
  settings.record = of_elements ? RecordAt::elements : RecordAt::turns;
  constexpr std::size_t max_rows = 2'000'000;
  const std::size_t rows = std::size_t(settings.turns) * (of_elements ? line.size() : 1);
  if (rows > max_rows)
    throw trackplex::CapacityError("--moments", "rows", rows, max_rows,
                                   of_elements ? "see --moments-every" : "");
  return settings;
}

/// Tracks on a backend, and fills its report.
Tracked track(const program::Program& p, const auto& run, const Input& input,
              TrackingSettings settings, program::RunReport& report) {
  const auto turns = std::size_t(settings.turns);
  auto progress =
      p.progress(report.name() + ", turns", turns * std::size_t(settings.repeat + 1) +
                                                (settings.record != RecordAt::nowhere ? turns : 0) +
                                                !settings.plotted_line.empty());
  settings.advance = [&](int n) { progress.advance(std::size_t(n)); };
  auto tracked = track_bunch(run, input, settings);
  report.hash = tracked.particles_hash;
  report.results = results_of(input, tracked);
  report.time_us = tracked.time_us;
  const double work =
      tracked.start.number * std::max(active_elements(input.line), 1) * settings.turns;
  const double ns = 1e3 * report.time("total")->median / work;
  report.rate = {{"ns_per_particle_element", ns}, {"particle_elements_per_s", 1e9 / ns}};
  for (const auto& other : p.runs)
    if (other.run.precision == report.run.precision &&
        other.results.value("moments_hash", "") != tracked.moments_hash)
      throw trackplex::Error("comparison of runs",
                             report.name() + " gives other moments than " + other.name());
  return tracked;
}

/// Writes a table if there is a name for it; `table()` makes it.
void write_table(const program::Program& p, const std::string& path, const auto& table) {
  if (path.empty()) return;
  trackplex::io::Table of_program = table();
  of_program.metadata = p.metadata();
  trackplex::io::write_table(path, std::move(of_program));
}

void write_optics(const program::Program& p, const auto& run, const Options& options,
                  const Input& input) {
  write_table(p, options.optics_file, [&] {
    LineOptics found{in_steps(input.line, options.optics.step)};
    if (options.optics.closed_orbit) {
      auto about = orbit_optics(run, found.line, input.p0(), options.optics.delta);
      found.optics = std::move(about.optics);
      found.orbit = std::move(about.orbit);
    } else {
      found.optics = optics_of_maps(input, found.line);
    }
    return optics_table(input, found);
  });
}

void write_files(const program::Program& p, const Options& options, const Input& input,
                 const Tracked& found) {
  if (const auto output = p.name_of_first_rank(options.output); !output.empty())
    trackplex::io::write_bunch(output, found.last_particles, p.metadata(), p.ranks());
  write_table(p, options.moments, [&] { return moments_table(input, found.rows); });
  if (!options.profile.empty() && !found.profile)
    throw trackplex::Error("--profile", "there is no profile: no particles came so far");
  write_table(p, options.profile, [&] { return profile_table(input, *found.profile); });
  if (const auto folder = p.name_of_first_rank(options.write_input); !folder.empty())
    write_input(folder, options.input, found.first_particles, p.ranks());
}

ApertureSettings aperture_of(const program::Program& p, const Options& options) {
  ApertureSettings settings;
  auto& grid = settings.grid;
  grid.rows = std::max(1, int(std::sqrt(options.aperture / 2.)));
  grid.columns = options.aperture / grid.rows;
  std::tie(grid.x_max, grid.y_max) = options.aperture_size;
  settings.turns = options.tracking.turns;
  settings.limits = options.tracking.limits;
  settings.ranks = p.ranks();
  return settings;
}

/// The dynamic aperture in the place of a bunch.
void run_aperture(program::Program& p, const Options& options, const Input& input) {
  auto settings = aperture_of(p, options);
  TrackedAperture first;
  p.for_each_run<float, double>([&](const auto& r, program::RunReport& report) {
    auto progress = p.progress(report.name() + ", turns", std::size_t(settings.turns));
    settings.about = orbit_optics(r, input.line, input.p0(), options.optics.delta);
    settings.advance = [&](int n) { progress.advance(std::size_t(n)); };
    auto found = scan_aperture(r, input, settings);
    report.hash = found.hash;
    report.results = aperture_json(settings, found);
    report.time_us = found.time_us;
    const double work =
        double(settings.grid.size()) * settings.turns * std::max(active_elements(input.line), 1);
    report.rate = {{"ns_per_particle_element", 1e3 * report.time("total")->median / work}};
    if (!p.is_first_run()) return;
    first = std::move(found);
    write_optics(p, r, options, input);
  });
  write_table(p, options.aperture_file, [&] { return aperture_table(first); });
  if (!p.options.json.empty()) p.plots = Json::array({aperture_plot(input, settings, first)});
  p.text = aperture_text(input, p.runs.front().results);
}

void run(program::Program& p, Options& options) {
  check(options);
  options.input.generated.seed = p.options.seed;
  const auto input = read_input(options.input, p.ranks());
  p.input = description(options, input);
  if (!input.skipped.empty()) p.warn("elements that do not act on particles: {}", input.skipped);
  if (!input.drifts.empty())
    p.warn("elements of the file that are tracked as drifts: {}", input.drifts);
  if (!input.undefined.empty())
    p.warn("variables without a value, which count as 0: {}", input.undefined);
  if (options.aperture > 0) return run_aperture(p, options, input);
  const auto settings = settings_of(p, options, input.line);
  auto with_plots = settings;
  if (p.has_report()) with_plots.plotted_line = plotted_line(input.line);
  if (!options.has_watch->empty() && !p.is_child())
    with_plots.watch = p.name_of_first_rank(options.watch);
  with_plots.root = input.line_name;
  Tracked first;
  p.for_each_run<float, double>([&](const auto& r, program::RunReport& report) {
    auto tracked = track(p, r, input, p.is_first_run() ? with_plots : settings, report);
    if (!p.is_first_run()) return;
    first = std::move(tracked);
    write_optics(p, r, options, input);
  });
  write_files(p, options, input, first);
  if (!p.options.json.empty()) p.plots = plots_of(input, with_plots, first);
  p.text = fmt::format("{} turn{}; {:.4g} ns per particle and element\n{}", settings.turns,
                       settings.turns == 1 ? "" : "s",
                       p.runs.front().rate["ns_per_particle_element"].get<double>(),
                       text_of(input, first));
}

}  // namespace

int main(int argc, char* argv[]) {
  program::Program p(
      "beamline", "Tracks a bunch of particles through a beam line with longitudinal space charge.",
      "bunch");
  Options options;
  add_options(p, options);
  return p.main(argc, argv, [&] { run(p, options); });
}
