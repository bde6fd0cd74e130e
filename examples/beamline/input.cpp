// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "input.hpp"

#include "program_options.hpp"

#include <trackplex/io/bunch_table.hpp>
#include <trackplex/io/elegant_lattice.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <numbers>
#include <string>
#include <utility>
#include <variant>

namespace beamline {

namespace beam = trackplex::beam;
namespace fs = std::filesystem;
namespace io = trackplex::io;
using trackplex::UsageError;

namespace {

/// The built-in lattice, with the charge of the bunch.
std::string demonstration(double charge) {
  return fmt::format(
      R"(! Ten FODO cells for electrons of 100 MeV, with space charge in every second drift.
% 4 sto strength
charge: CHARGE, TOTAL={}
qf: QUAD, L=0.2, K1=strength
qd: QUAD, L=0.2, K1=-strength
d:  DRIF, L=0.8
sc: LSCDRIFT, L=0.8, BINS=256, SMOOTHING=1, SG_HALFWIDTH=2
cell: LINE=(qf, d, qd, sc)
demonstration: LINE=(charge, 10*cell)
)",
      charge);
}

double charge_of_generated(const ProgramOptions& options) { return options.charge.value_or(1e-9); }

void read_line(const ProgramOptions& options, Input& input) {
  const auto file = options.lattice.empty()
                        ? io::parse_elegant_lattice(demonstration(charge_of_generated(options)),
                                                    "the built-in lattice")
                        : io::read_elegant_lattice(options.lattice);
  input.lattice = options.lattice;
  input.line_name = options.line.empty() ? file.line : options.line;
  const auto& lattice = file.lattice;
  if (input.line_name.empty())
    throw trackplex::InputError({options.lattice}, "the file has no line");
  if (!lattice.has_line(input.line_name) && !lattice.has_element(input.line_name)) {
    std::string names;
    for (const auto& line : lattice.lines()) names += (names.empty() ? "" : ", ") + line.name;
    throw UsageError("--line", "the lattice has no line '" + input.line_name + "'",
                     "its lines: " + names);
  }
  input.line = lattice.expand(input.line_name);
  if (input.line.empty())
    throw UsageError("--line", "line '" + input.line_name + "' has no elements");
}

/// What the line's linear map says.
void find_optics(Input& input) {
  const auto turn = beam::map_of(input.line, 1);
  input.length = beam::length_of(input.line);
  input.symplecticity_error = beam::symplecticity(turn);
  try {
    PeriodicLine periodic{beam::periodic_twiss(turn).start};
    const auto end = beam::optics_along(input.line, periodic.start).back();
    periodic.tune_x = end.phase_x / (2. * std::numbers::pi);
    periodic.tune_y = end.phase_y / (2. * std::numbers::pi);
    input.periodic = periodic;
  } catch (const UsageError& error) {
    input.why_not_periodic = error.what();
  }
}

/// The bunch that the line leaves as it is.
void match(const Input& input, trackplex::simulation::BunchParams& bunch) {
  if (!input.periodic)
    throw UsageError("--matched", "the line has no periodic optics", input.why_not_periodic,
                     "give --beta and --alpha");
  const auto& start = input.periodic->start;
  bunch.x.beta = start.x.beta;
  bunch.x.alpha = start.x.alpha;
  bunch.x.dispersion = start.dispersion[0];
  bunch.x.dispersion_slope = start.dispersion[1];
  bunch.y.beta = start.y.beta;
  bunch.y.alpha = start.y.alpha;
  bunch.y.dispersion = start.dispersion[2];
  bunch.y.dispersion_slope = start.dispersion[3];
}

}  // namespace

Input read_input(const ProgramOptions& options) {
  options.check();
  Input input;
  read_line(options, input);
  find_optics(input);
  if (!options.bunch.empty()) {
    input.particles = io::read_bunch(options.bunch, {.p0 = options.momentum});
    const int n = input.particles->size();
    if (n == input.particles->n_lost())
      throw trackplex::InputError({options.bunch}, "there are no particles to track");
    input.particles->particle_charge = options.charge.value_or(0.) / n;
    return input;
  }
  input.bunch = options.bunch_params();
  input.bunch.charge = charge_of_generated(options);
  if (options.matched || (input.periodic && options.is_matched_by_itself()))
    match(input, input.bunch);
  input.bunch.check();
  return input;
}

void write_input(const ProgramOptions& options, const beam::ParticleTable& particles) {
  const fs::path folder = options.write_input;
  trackplex::make_folder(folder);
  const fs::path lattice = folder / "lattice.lte";
  if (options.lattice.empty()) {
    trackplex::program::write_file(lattice.string(), demonstration(charge_of_generated(options)));
  } else {
    fs::copy_file(options.lattice, lattice);
  }
  io::write_bunch(folder / "bunch.csv", particles);
}

bool has_space_charge(const beam::Element& element) {
  const auto* drift = std::get_if<beam::SpaceChargeDrift>(&element.kind);
  return drift && drift->space_charge && (drift->length > 0. || drift->effective_length > 0.);
}

bool has_space_charge(const beam::BeamLine& line) {
  return std::any_of(line.begin(), line.end(),
                     [](const beam::Element& element) { return has_space_charge(element); });
}

int space_charge_drift(const beam::BeamLine& line, const std::string& name) {
  for (int i = int(line.size()) - 1; i >= 0; --i)
    if (has_space_charge(line[i]) && (name.empty() || line[i].name == name)) return i;
  throw UsageError("--profile", name.empty()
                                    ? "the line has no drift with space charge"
                                    : "the line has no drift with space charge '" + name + "'");
}

}  // namespace beamline
