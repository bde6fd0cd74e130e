// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tracks a bunch of particles through a beam line with longitudinal space charge, on one backend or
// all.
#include "aperture.hpp"
#include "match.hpp"
#include "memory.hpp"
#include "options.hpp"
#include "results.hpp"

#include <common/fingerprints.hpp>

#include <trackplex/core/error.hpp>
#include <trackplex/io/table.hpp>
#include <trackplex/io/tables/bunch_table.hpp>
#include <trackplex/io/tables/table_file.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

namespace {

using namespace beamline;
using program::Json;
using simulation::BunchPlane;

Json description(const Options& options, const Input& input) {
  Json json = {
      {"lattice", options.input.lattice.empty() ? Json(nullptr) : Json(options.input.lattice)},
      {"run_file", options.input.run_file},
      {"left_out_of_run", options.input.left_out},
      {"strengths", options.input.strengths},
      {"variables", options.input.variables},
      {"exact", options.input.reading.exact_edges},
      {"slices", options.input.slices},
      {"line", input.line_name},
      {"species", input.species},
      {"momentum", input.p0()},
      {"turns", options.tracking.turns},
      {"largest_position_m", options.tracking.limits.position},
      {"largest_slope", options.tracking.limits.slope}};
  if (const auto& space_charge = options.input.space_charge; space_charge.is_on())
    json["space_charge"] = {{"model", space_charge.model},
                            {"cells", space_charge.cells},
                            {"step_m", space_charge.step},
                            {"kick_first", space_charge.kick_first}};
  if (const auto& particles = input.particles) {
    json["bunch"] = {{"kind", "file"},
                     {"file", options.input.bunch},
                     {"particles", input.n_particles},
                     {"charge_c", particles->particle_charge * double(input.n_particles)}};
    return json;
  }
  const auto& bunch = input.bunch;
  const auto plane = [&](const BunchPlane& of) -> Json {
    return {{"normalized_emittance_m", of.normalized_emittance + of.emittance * bunch.p0},
            {"beta_m", of.beta},
            {"alpha", of.alpha},
            {"dispersion_m", of.dispersion},
            {"dispersion_slope", of.dispersion_slope}};
  };
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
                             const beam::BeamLine& line) {
  auto settings = options.tracking;
  settings.repeat = p.options.repeat;
  settings.ranks = p.ranks();
  settings.profile_at = space_charge_drift(line, options.profile_at);
  if (!settings.profile_at && !(options.profile.empty() && options.profile_at.empty()))
    throw UsageError("--profile",
                     "the line has no drift with space charge" +
                         (options.profile_at.empty() ? "" : " '" + options.profile_at + "'"));
  if (!options.monitors.empty()) settings.monitors = elements_named(line, options.monitors);
  if (options.moments_option.empty()) return settings;
  const bool of_elements =
      options.moments_every.empty() ? settings.turns == 1 : options.moments_every == "element";
  settings.record = of_elements ? RecordAt::elements : RecordAt::turns;
  if (!options.monitors.empty()) settings.record = RecordAt::monitors;
  constexpr std::size_t max_rows = 2'000'000;
  const std::size_t rows_per_turn = settings.record == RecordAt::monitors ? settings.monitors.size()
                                    : of_elements                         ? line.size()
                                                                          : 1;
  const std::size_t rows = std::size_t(settings.turns) * rows_per_turn;
  if (rows > max_rows)
    throw CapacityError("--moments", "rows", rows, max_rows,
                        rows_per_turn > 1 ? "see --moments-every and --monitors" : "");
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
  if (input.match) report.results["matching"] = match_json(*input.match);
  report.time_us = tracked.time_us;
  const double work =
      tracked.start.number * std::max(active_elements(input.line), 1) * settings.turns;
  const double ns = 1e3 * report.time("total")->median / work;
  report.rate = {{"ns_per_particle_element", ns}, {"particle_elements_per_s", 1e9 / ns}};
  for (const auto& other : p.runs)
    if (other.run.precision == report.run.precision &&
        other.results.value("moments_hash", "") != tracked.moments_hash)
      throw Error("comparison of runs",
                  report.name() + " gives other moments than " + other.name());
  return tracked;
}

/// Writes a table if there is a name for it; `table()` makes it.
void write_table(const program::Program& p, const std::string& path, const auto& table) {
  if (path.empty()) return;
  io::Table of_program = table();
  of_program.metadata = p.metadata();
  io::write_table(path, std::move(of_program));
}

void write_optics(const program::Program& p, const Options& options, const Input& input) {
  write_table(p, options.optics_file, [&] {
    return optics_table(input, optics_of(input, in_steps(input.line, options.optics_step)));
  });
}

void write_files(const program::Program& p, const Options& options, const Input& input,
                 const Tracked& found) {
  if (const auto output = p.name_of_first_rank(options.output); !output.empty())
    io::write_bunch(output, found.last_particles, p.metadata(), p.ranks(), input.species);
  write_table(p, options.moments, [&] { return moments_table(input, found.rows); });
  if (!options.profile.empty() && !found.profile)
    throw Error("--profile", "there is no profile: no particles reached it");
  write_table(p, options.profile, [&] { return profile_table(input, *found.profile); });
  if (const auto folder = p.name_of_first_rank(options.write_input); !folder.empty())
    write_input(folder, options.input, input, found.first_particles, p.ranks());
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

std::string matching_of(const Input& input) {
  return input.match ? match_text(*input.match) : std::string();
}

/// The dynamic aperture in the place of a bunch.
void run_aperture(program::Program& p, const Options& options, const Input& input) {
  auto settings = aperture_of(p, options);
  settings.about = closed_orbit(input.line, input.line_p0, options.input.about.delta).about;
  TrackedAperture first;
  p.for_each_run<float, double>([&](const auto& r, program::RunReport& report) {
    auto progress = p.progress(report.name() + ", turns", std::size_t(settings.turns));
    settings.advance = [&](int n) { progress.advance(std::size_t(n)); };
    auto found = scan_aperture(r, input, settings);
    report.hash = found.hash;
    report.results = aperture_json(settings, found);
    if (input.match) report.results["matching"] = match_json(*input.match);
    report.time_us = found.time_us;
    const double work =
        double(settings.grid.size()) * settings.turns * std::max(active_elements(input.line), 1);
    report.rate = {{"ns_per_particle_element", 1e3 * report.time("total")->median / work}};
    if (!p.is_first_run()) return;
    first = std::move(found);
    write_optics(p, options, input);
  });
  write_table(p, options.aperture_file, [&] { return aperture_table(first); });
  if (!p.options.json.empty()) p.plots = Json::array({aperture_plot(input, settings, first)});
  p.text = matching_of(input) + aperture_text(input, p.runs.front().results);
}

void warn(const program::Program& p, const InputOptions& options, const Input& input) {
  const auto warn_of = [&](const char* what, const std::string& names) {
    if (!names.empty()) p.warn("{}: {}", what, names);
  };
  warn_of("not followed of the run", options.left_out);
  warn_of("elements that do not act on particles", input.skipped);
  warn_of("elements of the file that are tracked as drifts", input.drifts);
  for (const auto* remarks : {&options.remarks, &input.remarks})
    for (const auto& remark : *remarks) p.warn("{}", remark);
  warn_of("elements whose maps are the same backwards", input.kept);
  warn_of("variables without a value, which count as 0", input.undefined);
}

/// Tells what the particles need before they are there, and warns if the machine has less.
void announce_memory(program::Program& p, const Input& input, const TrackingSettings& settings) {
  const int number = p.options.precision == "float" ? sizeof(float) : sizeof(double);
  const int bytes = bytes_per_particle(input, settings, number);
  p.memory["bytes_per_particle"] = bytes;
  const auto n = double(input.particles ? input.n_particles : input.bunch.particles);
  const double needed = n * bytes / (p.ranks() ? p.ranks()->size() : 1);
  if (const double all = memory_of_machine(); needed > all)
    p.warn("{:.4g} particles need {:.3g} GB, {} bytes each; the machine has {:.3g} GB", n,
           1e-9 * needed, bytes, 1e-9 * all);
}

void run(program::Program& p, Options& options) {
  apply_run_file(options);
  check(options);
  options.input.generated.seed = p.options.seed;
  options.input.about.needs_ring = options.aperture > 0;
  const auto input = read_input(options.input, p.ranks());
  p.input = description(options, input);
  warn(p, options.input, input);
  if (options.aperture > 0) return run_aperture(p, options, input);
  program::refuse_if(
      input.species.empty() && p.name_of_first_rank(options.output).ends_with(".openpmd.h5"),
      "--output", "the particles of the lattice have no name in openPMD", "name a .h5");
  program::refuse_if(p.ranks() && p.ranks()->size() > 1 && !options.fingerprints.empty(),
                     "--fingerprints", "is for one rank");
  const auto settings = settings_of(p, options, input.line);
  auto with_plots = settings;
  if (p.has_report()) with_plots.plotted_line = plotted_line(input.line);
  if (!options.watch_option.empty() && !p.is_child())
    with_plots.watch = p.name_of_first_rank(options.watch);
  with_plots.watched_monitors = files_of_monitors(input.line, settings.monitors);
  with_plots.root = input.line_name;
  with_plots.keeps_first_particles = !p.name_of_first_rank(options.write_input).empty();
  with_plots.keeps_last_particles = !p.name_of_first_rank(options.output).empty();
  announce_memory(p, input, with_plots);
  program::FingerprintFile fingerprints;
  Tracked first;
  p.for_each_run<float, double>([&](const auto& r, program::RunReport& report) {
    auto of_run = p.is_first_run() ? with_plots : settings;
    if (!options.fingerprints.empty()) {
      fingerprints.begin_run(report.run, "");
      of_run.show_element = [&, last = -1](int turn, const auto& particles) mutable {
        if (std::exchange(last, turn) != turn)
          fingerprints.begin_batch(particles.arrays.front().size());
        fingerprints.add(particles);
      };
    }
    auto tracked = track(p, r, input, std::move(of_run), report);
    if (!p.is_first_run()) return;
    first = std::move(tracked);
    write_optics(p, options, input);
  });
  write_files(p, options, input, first);
  if (!options.fingerprints.empty()) fingerprints.write(options.fingerprints, p.name(), p.input, 1);
  if (!p.options.json.empty()) p.plots = plots_of(input, with_plots, first);
  p.text = fmt::format("{}{} turn{}; {:.4g} ns per particle and element, {} bytes per particle\n{}",
                       matching_of(input), settings.turns, settings.turns == 1 ? "" : "s",
                       p.runs.front().rate["ns_per_particle_element"].get<double>(),
                       p.memory["bytes_per_particle"].get<int>(), text_of(input, first));
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
