// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "match.hpp"
#include "optics.hpp"

#include <trackplex/beam/collective/space_charge_drift.hpp>
#include <trackplex/beam/elements/bunch_map.hpp>
#include <trackplex/beam/elements/line_segment_map.hpp>
#include <trackplex/beam/elements/watch.hpp>
#include <trackplex/beam/optics/radiation_integrals.hpp>
#include <trackplex/core/constants.hpp>
#include <trackplex/core/error.hpp>
#include <trackplex/core/files.hpp>
#include <trackplex/core/wildcards.hpp>
#include <trackplex/io/elegant/elegant_lattice.hpp>
#include <trackplex/io/elegant/elegant_run.hpp>
#include <trackplex/io/madx/madx_sequence.hpp>
#include <trackplex/io/openpmd/openpmd_particles.hpp>
#include <trackplex/io/pals/pals_lattice.hpp>
#include <trackplex/io/pals/pals_writer.hpp>
#include <trackplex/io/tables/bunch_table.hpp>
#include <trackplex/io/tables/table_file.hpp>
#include <trackplex/io/xsuite/xsuite_line.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <memory>
#include <numbers>
#include <set>
#include <tuple>
#include <utility>

namespace beamline {

using simulation::BunchParams;

namespace {

/// The built-in lattice, with the charge of the bunch.
std::string demonstration(const InputOptions& options) {
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
      options.charge.value_or(options.generated.charge));
}

std::string lower_case_name(const std::string& file) {
  return io::detail::lower_case(std::filesystem::path(file).filename().string());
}
std::string extension_of(const std::string& file) {
  return std::filesystem::path(lower_case_name(file)).extension().string();
}
/// The name of a file without .json or .json.gz.
std::string name_of_json(const std::string& file) {
  const std::string name = std::filesystem::path(file).filename().string();
  return name.substr(0, lower_case_name(file).rfind(".json"));
}

/// The two sides of what --set gives.
std::pair<std::string, std::string> name_and_value(const std::string& given,
                                                   const std::string& form) {
  const std::size_t equals = given.find('=');
  if (equals == 0 || equals == given.npos || equals + 1 == given.size())
    throw UsageError("--set", "'" + given + "' is not " + form);
  return {given.substr(0, equals), given.substr(equals + 1)};
}

std::optional<double> number_of(const std::string& text) {
  double value = 0.;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || rest != text.data() + text.size()) return std::nullopt;
  return value;
}

io::MadxOptions madx_options(const InputOptions& options) {
  io::MadxOptions madx{.skip_unknown = options.reading.skip_unknown,
                       .exact = options.reading.exact_edges,
                       .slices = options.slices};
  for (const std::string& given : options.variables) {
    const auto [name, text] = name_and_value(given, "NAME=VALUE");
    const auto value = number_of(text);
    if (!value) throw UsageError("--set", "'" + text + "' is not a number", given);
    madx.variables.emplace_back(name, *value);
  }
  return madx;
}

/// With the changes of --set; what it gives to macros of the run file is not among them.
io::ElegantLatticeOptions elegant_options(const InputOptions& options) {
  auto reading = options.reading;
  reading.p0 = options.momentum.value_or(0.);
  for (const std::string& given : options.variables) {
    const auto [name, text] = name_and_value(given, "ELEMENT.PARAMETER=VALUE");
    const std::size_t dot = name.rfind('.');
    if (dot == name.npos && !options.run_file.empty()) continue;
    if (dot == name.npos || dot == 0 || dot + 1 == name.size())
      throw UsageError("--set", "'" + given + "' is not ELEMENT.PARAMETER=VALUE");
    io::ElegantChange change{.name = name.substr(0, dot), .parameter = name.substr(dot + 1)};
    change.place = "--set " + name;
    if (const auto value = number_of(text))
      change.value = *value;
    else
      change.text = text;
    reading.changes.push_back(std::move(change));
  }
  return reading;
}

/// The first names, and how many there are.
std::string shortened(const std::vector<std::string>& names) {
  constexpr std::size_t shown = 10;
  const auto end = names.begin() + std::ptrdiff_t(std::min(shown, names.size()));
  std::string text = fmt::format("{}", fmt::join(names.begin(), end, ", "));
  if (names.size() > shown) text += fmt::format(" and {} others", names.size() - shown);
  return text;
}

/// The first remarks, and how many others there are.
std::vector<std::string> shortened_remarks(std::vector<std::string> remarks) {
  constexpr std::size_t shown = 10;
  if (remarks.size() > shown + 1) {
    const auto others = remarks.size() - shown;
    remarks.resize(shown);
    remarks.push_back(fmt::format("and {} other remarks", others));
  }
  return remarks;
}

/// A sequence of MAD-X and its strengths.
void read_sequence(const InputOptions& options, Input& input) {
  std::vector<std::filesystem::path> paths = {options.lattice};
  paths.insert(paths.end(), options.strengths.begin(), options.strengths.end());
  input.madx = std::make_shared<const io::MadxFile>(io::read_madx(paths, madx_options(options)));
  const auto& file = *input.madx;
  const auto& name = input.line_name = options.line.empty() ? file.used() : options.line;
  if (name.empty()) throw InputError({options.lattice}, "the file has no sequence");
  const auto& names = file.sequences();
  if (std::ranges::find(names, io::detail::lower_case(name)) == names.end())
    throw UsageError("--line", "the file has no sequence or line '" + name + "'",
                     fmt::format("the file has {}", fmt::join(names, ", ")));
  auto expansion = file.expansion(name);
  input.line = std::move(expansion.line);
  input.drifts = expansion.drifts;
  auto remarks = file.remarks();
  remarks.insert(remarks.end(), expansion.remarks.begin(), expansion.remarks.end());
  input.remarks = shortened_remarks(std::move(remarks));
  auto undefined = file.undefined();
  undefined.insert(undefined.end(), expansion.undefined.begin(), expansion.undefined.end());
  input.undefined = shortened(undefined);
  input.passed_over = file.ignored();
  if (const auto beam = file.beam(name)) {
    input.lattice_momentum = beam->p0();
    input.particle = io::PalsParticle{{}, 1e9 * beam->mass, beam->charge, 1e9 * beam->pc()};
  }
}

/// A line of Xsuite.
void read_json_line(const InputOptions& options, Input& input) {
  auto file = io::read_xsuite(options.lattice, {.line = options.line,
                                                .skip_unknown = options.reading.skip_unknown,
                                                .slices = options.slices});
  input.line_name = file.name.empty() ? name_of_json(options.lattice) : file.name;
  input.line = std::move(file.line);
  input.drifts = file.drifts;
  input.remarks = shortened_remarks(std::move(file.remarks));
  if (!file.particle) return;
  input.lattice_momentum = file.particle->p0();
  input.lattice_anomaly = file.particle->anomaly;
  input.particle =
      io::PalsParticle{{}, file.particle->mass, file.particle->charge, file.particle->p0c};
}

/// A particle of a species of openPMD, with a momentum beta gamma.
io::PalsParticle particle_of(const std::string& species, double p0) {
  const double mass = io::rest_energy_of_species(species);  // eV
  return io::pals_particle_of(mass, io::charge_of_species(species), p0 * mass);
}

/// A branch of PALS; one without a reference particle is for those of the bunch, or electrons, of
/// the given momentum.
void read_branch(const InputOptions& options, Input& input) {
  io::PalsOptions reading{.branch = options.line,
                          .skip_unknown = options.reading.skip_unknown,
                          .exact = options.reading.exact_edges,
                          .slices = options.slices};
  if (options.momentum) reading.particle = particle_of(input.species, *options.momentum);
  auto file = io::read_pals(options.lattice, reading);
  input.line_name = file.name;
  input.line = std::move(file.line);
  input.drifts = file.drifts;
  input.remarks = shortened_remarks(std::move(file.remarks));
  if (!file.particle) return;
  input.lattice_momentum = file.particle->p0();
  input.particle = file.particle;
}

void read_lattice(const InputOptions& options, Input& input) {
  const auto reading = elegant_options(options);
  const auto file =
      options.lattice.empty()
          ? io::parse_elegant_lattice(demonstration(options), "the built-in lattice", reading)
          : io::read_elegant_lattice(options.lattice, reading);
  const auto& name = input.line_name = options.line.empty() ? file.line : options.line;
  if (name.empty()) throw InputError({options.lattice}, "the file has no line");
  if (!options.line.empty() && !file.lattice.has_line(name) && !file.lattice.has_element(name)) {
    std::string names;
    for (const auto& line : file.lattice.lines()) names += (names.empty() ? "" : ", ") + line.name;
    throw UsageError("--line", "the lattice has no line '" + name + "'", "its lines: " + names);
  }
  input.line = file.expand(name);
  const auto begin = input.line.begin(), ring = begin + file.before_recirculation(input.line);
  input.injection.assign(begin, ring);
  input.line.erase(begin, ring);
  input.remarks = file.remarks;
  input.skipped = file.skipped;
  input.drifts = file.drifts;
}

/// Elements of maps, whose inverse is not known, are the same in both directions.
bool is_kept(const beam::Element& element) {
  return element.kind.as<beam::MapElement>() || element.kind.as<beam::BunchMap>() ||
         element.kind.as<beam::LineSegmentMap>();
}

void pass_backwards(Input& input) {
  if (!input.injection.empty())
    throw UsageError("--backwards", "the line has elements before RECIRC", {},
                     "name a line without them (--line)");
  std::vector<std::string> kept;
  input.line = reversed_line(std::move(input.line));
  for (const auto& element : input.line)
    if (is_kept(element) && std::ranges::find(kept, element.name) == kept.end())
      kept.push_back(element.name);
  input.kept = shortened(kept);
}

void read_line(const InputOptions& options, Input& input) {
  if (is_madx(options.lattice))
    read_sequence(options, input);
  else if (is_pals(options.lattice))
    read_branch(options, input);
  else if (is_xsuite(options.lattice))
    read_json_line(options, input);
  else
    read_lattice(options, input);
  if (options.backwards) pass_backwards(input);
}

double momentum(const InputOptions& options, const Input& input) {
  if (options.momentum) return *options.momentum;
  return input.lattice_momentum > 0. ? input.lattice_momentum : options.generated.p0;
}

/// Tells whether the axis comes back to its direction after one turn.
bool is_ring(const beam::BeamLine& line) {
  double angle = 0.;
  for (const auto& element : line) angle += element.kind.axis_bend().angle;
  return std::abs(std::abs(angle) - 2. * std::numbers::pi) < 1e-3;
}

/// Writes the line as a lattice of PALS. Without a beam in the lattice, the particles are those of
/// the bunch, or electrons.
void write_lattice(const InputOptions& options, Input& input) {
  if (!input.injection.empty())
    throw UsageError("--write-lattice", "the line has elements before RECIRC", {},
                     "name a line without them (--line)");
  io::PalsLine line{
      .name = input.line_name, .line = input.line, .is_periodic = is_ring(input.line)};
  if (!input.particle)
    line.particle = particle_of(input.species, momentum(options, input));
  else if (!input.particle->species.empty())
    line.particle = input.particle;
  else
    line.particle =
        io::pals_particle_of(input.particle->mass, input.particle->charge, input.particle->p0c);
  for (auto& remark : io::write_pals(options.written_lattice, line, options.reading.skip_unknown))
    input.remarks.push_back("--write-lattice: " + std::move(remark));
}

/// The bunch of the run file, or else of the options.
BunchParams bunch_of_options(const InputOptions& options) {
  if (options.of_run_file) return *options.of_run_file;
  BunchParams bunch = options.generated;
  if (options.flat) bunch.profile = simulation::BunchProfile::flat;
  std::tie(bunch.x.normalized_emittance, bunch.y.normalized_emittance) = options.emittance;
  std::tie(bunch.x.beta, bunch.y.beta) = options.beta.value_or(Pair{10., 10.});
  std::tie(bunch.x.alpha, bunch.y.alpha) = options.alpha.value_or(Pair{0., 0.});
  std::tie(bunch.x.dispersion, bunch.y.dispersion) = options.dispersion.value_or(Pair{0., 0.});
  std::tie(bunch.x.dispersion_slope, bunch.y.dispersion_slope) =
      options.dispersion_slope.value_or(Pair{0., 0.});
  std::tie(bunch.modulation_wavelength, bunch.modulation_depth) = options.modulation;
  return bunch;
}

/// A matched bunch moves about the closed orbit.
void put_on_orbit(BunchParams& bunch, const beam::TransferMap::Vector& orbit) {
  bunch.x.position = orbit[beam::x];
  bunch.x.slope = orbit[beam::xp];
  bunch.y.position = orbit[beam::y];
  bunch.y.slope = orbit[beam::yp];
  bunch.mean_delta = orbit[beam::delta];
}

BunchParams bunch_params(const InputOptions& options, const Input& input) {
  BunchParams bunch = bunch_of_options(options);
  bunch.p0 = momentum(options, input);
  bunch.charge = options.charge.value_or(bunch.charge);
  bunch.seed = options.generated.seed;
  const bool is_matched_by_itself = options.lattice.empty() && !options.beta && !options.alpha;
  if (options.matched && !input.periodic)
    throw UsageError("--matched", "the line has no periodic optics", input.why_not_periodic,
                     "give --beta and --alpha");
  if (input.periodic && (options.matched || is_matched_by_itself)) {
    const auto match = [](auto& plane, const beam::PlaneTwiss& twiss, const double* dispersion) {
      std::tie(plane.beta, plane.alpha) = std::tie(twiss.beta, twiss.alpha);
      std::tie(plane.dispersion, plane.dispersion_slope) = std::tie(dispersion[0], dispersion[1]);
    };
    match(bunch.x, input.periodic->x, input.periodic->dispersion);
    match(bunch.y, input.periodic->y, input.periodic->dispersion + 2);
    if (!options.of_run_file) put_on_orbit(bunch, input.orbit);
  }
  bunch.check();
  return bunch;
}

/// Optics are those of the line without space charge.
void prepare_line(Input& input, double p0, const InputOptions& options, const Ranks* ranks) {
  for (const auto& element : input.injection) p0 = element.kind.momentum_behind(p0);
  if (options.match.is_on()) match_line(options, input, p0, bunch_of_options(options));
  if (!options.written_lattice.empty() && (!ranks || ranks->rank() == 0))
    write_lattice(options, input);
  input.line = beam::with_equilibrium(std::move(input.line), p0);
  find_periodic_optics(input, p0, options.about);
  const auto& space_charge = options.space_charge;
  if (space_charge.is_on()) input.line = with_space_charge(input.line, space_charge.steps());
}

/// Anomalous magnetic moment: of the options, else of the bunch's file, else of the lattice's beam,
/// else of the species.
double anomaly_of(const InputOptions& options, const Input& input) {
  if (options.anomaly) return *options.anomaly;
  if (!input.species_of_file.empty()) return input.particles->anomaly;
  if (input.lattice_anomaly) return *input.lattice_anomaly;
  if (const auto known = io::anomaly_of_species(input.species)) return *known;
  if (!input.has_spins()) return beam::anomaly::electron;
  throw UsageError("--anomaly", "the anomalous magnetic moment of the particles is not known",
                   fmt::format("their rest energy is {} eV and their charge {}",
                               input.particle->mass, input.particle->charge),
                   "give it");
}

/// Spins as the options say, before the particles start.
void set_spins(const InputOptions& options, Input& input) {
  if (!options.spin.empty()) {
    const std::array<double, 3> spin = {options.spin == "x" ? 1. : 0.,
                                        options.spin == "y" ? 1. : 0.,
                                        options.spin == "z" ? 1. : 0.};
    if (input.particles)
      input.particles->set_spins(spin[0], spin[1], spin[2]);
    else
      input.bunch.spin = spin;
  }
  const double anomaly = anomaly_of(options, input);
  (input.particles ? input.particles->anomaly : input.bunch.anomaly) = anomaly;
  if (!input.has_spins() || !input.periodic) return;
  try {
    input.spin = spins_about(input.line, input.line_p0, input.orbit, anomaly);
  } catch (const UsageError& error) {
    input.why_no_spin = error.what();
  }
}

}  // namespace

beam::SpaceChargeSteps SpaceChargeOptions::steps() const {
  beam::SpaceChargeSteps steps{.max_length = step, .kick_first = kick_first};
  steps.kick.cells = {cells, cells, cells};
  if (model != "3d") steps.kick.model = beam::SpaceChargeModel::projected;
  return steps;
}

beam::BeamLine reversed_line(beam::BeamLine line) {
  std::ranges::reverse(line);
  for (auto& element : line) element = beam::reversed(element);
  return line;
}

bool is_run_file(const std::string& lattice) { return extension_of(lattice) == ".ele"; }

bool is_madx(const std::string& lattice) {
  const std::string extension = extension_of(lattice);
  return extension == ".seq" || extension == ".madx" || extension == ".mad";
}

bool is_pals(const std::string& lattice) {
  const std::string extension = extension_of(lattice);
  return extension == ".yaml" || extension == ".yml" ||
         lower_case_name(lattice).ends_with(".pals.json");
}

bool is_xsuite(const std::string& lattice) {
  if (is_pals(lattice)) return false;
  return extension_of(lattice) == ".json" || lower_case_name(lattice).ends_with(".json.gz");
}

void apply_run_file(InputOptions& options, int& turns) {
  io::ElegantRunOptions how{.skip_unknown = options.reading.skip_unknown};
  for (const std::string& given : options.variables) {
    const auto [name, value] = name_and_value(given, "MACRO=VALUE or ELEMENT.PARAMETER=VALUE");
    if (name.find('.') == name.npos) how.macros.emplace(name, value);
  }
  options.run_file = std::exchange(options.lattice, {});
  auto run = io::read_elegant_run(options.run_file, how);
  options.lattice = run.lattice.string();
  options.left_out = run.left_out;
  options.remarks = run.remarks;
  if (options.line.empty()) options.line = run.line;
  if (!options.momentum) options.momentum = run.p0;
  run.reading.skip_unknown = options.reading.skip_unknown;
  run.reading.infix = options.reading.infix;
  run.reading.exact_edges = options.reading.exact_edges;
  options.reading = std::move(run.reading);
  turns = run.turns;
  if (!options.bunch.empty()) return;
  options.bunch = run.bunch_file.string();
  options.of_run_file = run.bunch;
  options.matched |= run.is_matched;
}

namespace {

void read_particles(const InputOptions& options, const Ranks* ranks, Input& input) {
  auto file = io::read_bunch_file(options.bunch,
                                  {.p0 = options.momentum.value_or(0.),
                                   .p0_of_delta = input.lattice_momentum,
                                   .iteration = options.iteration,
                                   .species = options.species},
                                  ranks);
  auto& particles = input.particles = std::move(file.particles);
  input.species_of_file = std::move(file.species);
  if (!input.species_of_file.empty()) input.species = input.species_of_file;
  input.n_particles = sum_over(ranks, particles->size());
  if (input.n_particles == sum_over(ranks, particles->n_lost()))
    throw InputError({options.bunch}, "there are no particles to track");
  if (options.charge) particles->particle_charge = *options.charge / double(input.n_particles);
}

}  // namespace

Input read_input(const InputOptions& options, const Ranks* ranks) {
  Input input;
  read_line(options, input);
  if (!options.bunch.empty()) read_particles(options, ranks, input);
  find_species(input);
  if (input.line.empty())
    throw UsageError("--line", "line '" + input.line_name + "' has no elements");
  prepare_line(input, input.particles ? input.p0() : momentum(options, input), options, ranks);
  check_species(input);
  if (!input.particles) input.bunch = bunch_params(options, input);
  set_reference(input);
  set_spins(options, input);
  return input;
}

namespace {

/// The file of a lattice in a folder of inputs.
const char* copy_of_lattice(const std::string& lattice) {
  if (is_madx(lattice)) return "lattice.seq";
  if (is_pals(lattice))
    return extension_of(lattice) == ".json" ? "lattice.pals.json" : "lattice.pals.yaml";
  if (is_xsuite(lattice))
    return extension_of(lattice) == ".gz" ? "lattice.json.gz" : "lattice.json";
  return "lattice.lte";
}

}  // namespace

namespace {

/// Copies the files of a lattice to a folder.
/// @throws UsageError if they need others
void copy_lattice(InputOptions options, const std::filesystem::path& folder) {
  const auto copy = [&](std::string& file, const std::string& name) {
    std::filesystem::copy_file(file, folder / name);
    file = folder / name;
  };
  copy(options.lattice, copy_of_lattice(options.lattice));
  for (std::size_t i = 0; i < options.strengths.size(); ++i)
    copy(options.strengths[i], fmt::format("strengths_{}.str", i));
  try {
    Input again;
    read_line(options, again);
  } catch (const InputError& error) {
    throw UsageError(
        "--write-input",
        "the lattice needs other files, which are not copied: " + std::string(error.what()), "",
        "put everything into one file, or write the line with --write-lattice");
  }
}

}  // namespace

void write_input(const std::string& folder, const InputOptions& options, const Input& input,
                 const beam::ParticleTable& particles, const Ranks* ranks) {
  const std::filesystem::path path = folder;
  if (!ranks || ranks->rank() == 0) {
    make_folder(path);
    if (options.lattice.empty())
      write_file(path / "lattice.lte", demonstration(options));
    else
      copy_lattice(options, path);
  }
  const char* const name = input.species_of_file.empty() ? "bunch.csv" : "bunch.openpmd.h5";
  io::write_bunch(path / name, particles, {}, ranks, input.species);
}

bool has_space_charge(const beam::Element& element) {
  const auto* drift = element.kind.as<beam::SpaceChargeDrift>();
  return drift && drift->space_charge && (drift->length > 0. || drift->effective_length > 0.);
}

std::vector<int> elements_named(const beam::BeamLine& line, const std::string& pattern) {
  std::vector<int> found;
  for (int i = 0; i < int(line.size()); ++i)
    if (matches_wildcards(pattern, line[i].name)) found.push_back(i);
  if (found.empty())
    throw UsageError("--monitors", "the line has no element '" + pattern + "'", {},
                     "* stands for any letters, ? for one");
  return found;
}

std::vector<std::pair<int, std::string>> files_of_monitors(const beam::BeamLine& line,
                                                           const std::vector<int>& elements) {
  const char* const ending = io::problem_of_table_name("a.h5").empty() ? ".openpmd.h5" : ".csv";
  std::set<std::string> taken;
  std::vector<std::pair<int, std::string>> files;
  for (const int element : elements) {
    if (line[element].kind.as<beam::Watch>()) continue;
    std::string name = line[element].name;
    for (char& c : name)
      if (!std::isalnum(static_cast<unsigned char>(c)) && c != '.' && c != '-') c = '_';
    std::string unique = name;
    for (int i = 2; !taken.insert(unique).second; ++i) unique = name + "_" + std::to_string(i);
    files.emplace_back(element, unique + ending);
  }
  return files;
}

std::optional<int> space_charge_drift(const beam::BeamLine& line, const std::string& name) {
  for (int i = int(line.size()) - 1; i >= 0; --i)
    if (has_space_charge(line[i]) && (name.empty() || line[i].name == name)) return i;
  return std::nullopt;
}

}  // namespace beamline
