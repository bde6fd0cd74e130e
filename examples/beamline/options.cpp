// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "options.hpp"

#include <trackplex/io/tables/table_file.hpp>

#include <bit>
#include <string>
#include <tuple>
#include <vector>

namespace beamline {

namespace {

constexpr const char* openpmd_ending = ".openpmd.h5";

void add_line_options(program::OptionGroup group, Options& options) {
  options.tracking.turns = 0;
  group.input(
      "--input,LATTICE", options.input.lattice, "FILE",
      "Lattice in elegant's language, MAD-X' (.seq, .madx, .mad), PALS (.yaml, .pals.json) or "
      "Xsuite's (.json, .json.gz), or a run of elegant (.ele) with its lattice, line, momentum, "
      "turns and bunch (default: FODO "
      "cells with space charge)");
  group.text("--line", options.input.line, "NAME",
             "Line or element to track through (default: the line of USE, else the last one)");
  group.input("--strengths", options.input.strengths, "FILE",
              "MAD-X file to read after the lattice, with strengths or BEAM; repeatable");
  group.text("--set", options.input.variables, "NAME=VALUE",
             "Variable of MAD-X, or macro of a run file; or ELEMENT.PARAMETER=VALUE in elegant's "
             "lattices, with * and ? for letters. These go before what files say; repeatable");
  group.flag(
      "--skip-unknown", options.input.reading.skip_unknown,
      "Track elements that cannot be tracked as drifts of their length; leave out commands of "
      "runs that are not followed");
  group.flag("--backwards", options.input.backwards,
             "Pass the line from its end to its start, as elegant's -line: bends exchange entrance "
             "and exit");
  group.flag("--infix", options.input.reading.infix,
             "Allow infix arithmetic in values, e.g. L=(1-0.2)/2, which elegant does not have");
  group.flag(
      "--exact", options.input.reading.exact_edges,
      "Exact drifts and edges of bends, of PALS also quadrupoles (default: to second order in "
      "the momenta, as in MAD-X' TWISS, but not its TRACK; elegant's and Xsuite's drifts are those "
      "of the file)");
  group.number(
      "--slices", options.input.slices, "N", 0, 1000,
      "Slices of each integrated magnet of MAD-X, PALS and Xsuite; 0: one per tenth of its "
      "angle or phase advance, at least 2");
  group.number("--momentum", options.input.momentum, "P0", 1e-6, 1e9,
               "Reference momentum, beta gamma (default: that of the bunch's file, else its mean; "
               "else that of the lattice's beam; else 200)");
  auto& tracking = options.tracking;
  group.number("--turns", tracking.turns, "N", 0, program::max_count,
               "Passes through the line; 0: as in the run file, else 1");
  group.number("--position-limit", tracking.limits.position, "M", 0., 1e6,
               "Particles with a larger |x| or |y| at the end of a turn are lost, m; 0: no limit",
               "m");
  group.number("--slope-limit", tracking.limits.slope, "X", 0., 1e6,
               "Particles with a larger |x'| or |y'| at the end of a turn are lost; 0: no limit");
}

void add_bunch_options(program::OptionGroup group, Options& options) {
  auto& input = options.input;
  auto& bunch = input.generated;
  const auto file = group.input(
      "--bunch", input.bunch, "FILE",
      "Particles as .csv, .h5 or .sdds: x,xp,y,yp and t,p or s,delta; or of openPMD (HDF5) "
      "(default: generated)");
  const auto iteration = group.text("--iteration", input.iteration, "N",
                                    "... iteration of openPMD, where the file has several");
  const auto species = group.text("--species", input.species, "NAME",
                                  "... species of openPMD, where the file has several");
  const auto charge = group.number(
      "--charge", input.charge, "C", 0., 1.,
      "Charge of the bunch, C, until a CHARGE sets it (default: 1e-9, for files theirs or 0)", "C");
  options.of_generator = {
      group.number("--generate", bunch.particles, "N", 1, 0x1p52, "Particles to generate"),
      group.number("--emittance", input.emittance, "X Y", 0., 1.,
                   "Normalized rms emittances, m (default: 1e-6 1e-6)", "m"),
      group.number("--beta", input.beta, "X Y", 1e-9, 1e6,
                   "Beta functions at the start, m (default: 10 10)", "m"),
      group.number("--alpha", input.alpha, "X Y", -1e6, 1e6,
                   "Alpha functions at the start (default: 0 0)"),
      group.number("--dispersion", input.dispersion, "X Y", -1e6, 1e6,
                   "Dispersions at the start, m (default: 0 0)", "m"),
      group.number("--dispersion-slope", input.dispersion_slope, "X Y", -1e6, 1e6,
                   "Slopes of the dispersions at the start (default: 0 0)"),
      group.flag(
          "--matched", input.matched,
          "Use the periodic beta, alpha and dispersion of the line, as for the built-in line"),
      group.number("--sigma-s", bunch.sigma_s, "M", 0., 1e6, "rms length, m", "m"),
      group.number("--sigma-delta", bunch.sigma_delta, "X", 0., 1., "rms of the relative momentum"),
      group.number("--chirp", bunch.chirp, "X", -1e6, 1e6,
                   "Slope of the relative momentum along the bunch, 1/m", "1/m"),
      group.number("--cutoff", bunch.cutoff, "X", 0.1, 8., "Cutoff of Gaussians, in sigmas"),
      group.flag("--flat", input.flat, "Flat along s, with the same rms length"),
      group.number("--modulation", input.modulation, "M X", 0., 1e6,
                   "Wavelength, m, and depth, below 0.95, of a density modulation")};
  const auto spin =
      group
          .text(
              "--spin", input.spin, "AXIS",
              "Spins of all particles along x, y or z (default: those of the file, or none): they "
              "turn in all elements, with polarisation, spin tune and columns of files")
          .allow({"x", "y", "z"});
  const auto anomaly = group.number("--anomaly", input.anomaly, "A", -1e3, 1e3,
                                    "Anomalous magnetic moment (default: that of the bunch's "
                                    "file if it is openPMD, else of the lattice's particles)");
  options.of_bunch = options.of_generator;
  options.of_bunch.insert(options.of_bunch.end(),
                          {file, iteration, species, charge, spin, anomaly});
}

void add_space_charge_options(program::OptionGroup group, Options& options) {
  auto& space_charge = options.input.space_charge;
  const auto model =
      group.word("--space-charge", space_charge.model, {"off", "3d", "2.5d"},
                 "Space charge along the whole line: of the bunch in three dimensions, or of its "
                 "projection times the line density",
                 "MODEL");
  options.of_space_charge = {
      group.number("--space-charge-cells", space_charge.cells, "N", 8, 512,
                   "... cells of the grid on each axis, a power of two"),
      group.number("--space-charge-step", space_charge.step, "M", 1e-6, 1e6,
                   "... greatest length of a step, m: elements are cut into equal steps", "m"),
      group.flag("--space-charge-first", space_charge.kick_first,
                 "... kicks before their steps, as in ImpactX (default: in the middle)")};
  options.of_bunch.push_back(model);
}

void add_optics_options(program::OptionGroup group, Options& options) {
  auto& about = options.input.about;
  options.optics_option = group.table(
      "--optics", options.optics_file,
      "Optics along the line, with elegant's names of columns: those that it repeats, else "
      "from --beta and --alpha; with the orbit that they are about");
  group.number("--optics-step", options.optics_step, "M", 0., 1e6,
               "... also inside of elements, at most so far apart, m; 0: after them only", "m");
  group.flag("--on-axis", about.on_axis,
             "Optics of Taylor maps about the axis (default: about the closed orbit of a ring, or "
             "the trajectory of a line, where magnets steer)");
  group.flag("--closed-orbit", about.closed_orbit,
             "Optics of particles tracked about the closed orbit, also where nothing steers");
  group.flag(
      "--from-start", about.from_start,
      "Optics of a transfer line: from --beta, --alpha and --dispersion, or the bunch of a run "
      "file, also where the line repeats some");
  group.number("--delta", about.delta, "X", -1., 1., "... of this relative momentum (default: 0)");
}

void add_match_options(program::OptionGroup group, Options& options) {
  auto& match = options.input.match;
  group.text(
      "--vary", match.vary, "NAME.ATTRIBUTE",
      "Strength that may change, as qf.k1 (with * and ? for letters), or a variable of MAD-X; "
      "with ,lower=X ,upper=X ,step=X, or ,factor for elements of different values; "
      "repeatable");
  group.text(
      "--target", match.targets, "QUANTITY=VALUE",
      "What it is varied for: qx, qy, dqx or dqy of a ring; betax, alphax, etax, etaxp, mux, x, "
      "xp (and y) at a place, as betax@end=12, alphax@qd[2]=0, or betax@*<60 for a limit; with "
      ",tolerance=X (default: 1e-6); repeatable");
  group.input("--match", match.file, "FILE",
              "Lines `vary ...` and `target ...`, with comments after !");
}

void add_aperture_options(program::OptionGroup group, Options& options) {
  group.number("--aperture", options.aperture, "N", 0, 100'000'000,
               "Instead of a bunch, track a grid of N starts around the closed orbit for --turns; "
               "scripts/plot draws the survivors and the diffusion of their tunes");
  group.number("--aperture-size", options.aperture_size, "X Y", 1e-9, 1e3,
               "... up to |x| and y, m (default: 0.02 0.01)", "m");
  group.table("--aperture-output", options.aperture_file,
              "... as .csv, .h5 or .sdds: starts, places of loss, tunes and their change");
}

void add_output_options(program::OptionGroup group, Options& options) {
  const bool has_hdf5 = io::problem_of_table_name("a.h5").empty();
  const auto output = group.table(
      "--output", options.output,
      "Particles after the last turn, as .csv, .h5 (with turn and element of losses), .sdds or "
      "openPMD (.openpmd.h5)",
      {}, has_hdf5 ? std::vector<std::string>{openpmd_ending} : std::vector<std::string>{});
  options.moments_option =
      group.table("--moments", options.moments, "Sizes, emittances and optics along the line");
  group
      .text("--moments-every", options.moments_every, "WHAT",
            "... after each element or turn (default: element for one turn, else turn)")
      .allow({"element", "turn"});
  group.text("--monitors", options.monitors, "PATTERN",
             "... after the elements whose names match, with * and ?, in each turn; with --watch "
             "also their particles, as openPMD");
  const auto profile =
      group.table("--profile", options.profile,
                  "Current and energy modulation along the bunch in the last step of space charge");
  const auto profile_at =
      group.text("--profile-at", options.profile_at, "NAME",
                 "... in this drift, also for plots (default: the last one with space charge)");
  options.watch_option = group.output_folder(
      "--watch", options.watch,
      "Write the files of WATCH elements to a new folder, as .csv, .h5, .sdds or .openpmd.h5, "
      "which has an iteration for each turn");
  const auto written =
      group.output_folder("--write-input", options.write_input,
                          "Write the lattice and the bunch to a new folder, for a later run");
  group.output("--write-lattice", options.input.written_lattice,
               "Write the line as a lattice of PALS", {".yaml", ".yml"});
  const auto fingerprints = group.output(
      "--fingerprints", options.fingerprints,
      "Particles after each element, to the last bit, for scripts/compare_bits", {".json"});
  options.of_bunch.insert(options.of_bunch.end(),
                          {output, options.moments_option, profile, profile_at,
                           options.watch_option, written, fingerprints});
}

}  // namespace

void add_options(program::Program& p, Options& options) {
  add_line_options(p.group("Beam line"), options);
  add_bunch_options(p.group("Bunch"), options);
  add_space_charge_options(p.group("Space charge"), options);
  add_optics_options(p.group("Optics"), options);
  add_match_options(p.group("Matching (the run goes on with the matched line)"), options);
  add_aperture_options(p.group("Dynamic aperture"), options);
  add_output_options(p.group("Output"), options);
  p.example("beamline --json report.json",
            "a bunch through ten FODO cells with space charge; scripts/plot report.json draws it");
  p.example("beamline ring.lte --generate 1000000 --matched --turns 1000",
            "a million particles, matched to the ring, for 1000 turns");
  p.example("beamline linac.lte --line L1 --bunch in.csv --output out.csv --moments sizes.csv",
            "a bunch from a file through one line, with moments after each element");
  p.example("beamline ring.lte --aperture 1000 --turns 10000 --json report.json",
            "the dynamic aperture of a ring and the diffusion of tunes");
  p.example("beamline ring.seq --strengths ring.str --line ring --matched --turns 1000",
            "a sequence of MAD-X with its strengths");
  p.example("beamline ring.pals.yaml --optics optics.csv", "optics of a ring of PALS");
  p.example("beamline ring.json.gz --optics optics.csv", "optics of a ring of Xsuite");
  p.example("beamline ring.lte --vary qf.k1 --vary qd.k1 --target qx=4.31 --target qy=4.28",
            "quadrupoles for wanted tunes; --write-lattice ring.pals.yaml keeps the matched ring");
  p.example("beamline ring.seq --turns 1024 --generate 100 --moments bpms.csv --monitors 'BPM*'",
            "turn-by-turn positions of the bunch at the monitors of a ring");
  p.example("beamline run.ele --set QF.K1=1.2 --output out.sdds",
            "a run of elegant with a changed quadrupole strength");
  p.example("beamline linac.lte --generate 1000000 --space-charge 3d --space-charge-step 0.05",
            "a bunch that repels itself, with a kick every five centimetres");
  p.example("beamline --backend all --lanes all --threads 1,2",
            "every backend, width and number of threads; particles must be the same, bit for bit");
  p.options.precision = "double";
  p.add_common_options();
}

void apply_run_file(Options& options) {
  auto& input = options.input;
  int turns = 1;
  if (is_run_file(input.lattice)) apply_run_file(input, turns);
  if (options.tracking.turns == 0) options.tracking.turns = turns;
  if (!input.of_run_file) return;
  const auto& generate = options.of_generator.front();
  if (generate.is_changed()) input.of_run_file->particles = input.generated.particles;
  for (const auto& option : options.of_generator)
    if (option.name() != generate.name() && option.is_changed() && option.name() != "--matched")
      throw UsageError(option.name(), "the run file defines the bunch", input.run_file);
}

void check(const Options& options) {
  const auto& input = options.input;
  for (const auto& option : options.of_generator)
    if (!input.bunch.empty() && option.is_changed())
      throw UsageError(option.name(), "the bunch is not generated", "--bunch " + input.bunch);
  program::refuse_if(
      input.matched && (input.beta || input.alpha || input.dispersion || input.dispersion_slope),
      "--matched", "it says what --beta, --alpha and --dispersion are", "leave those out");
  for (const auto* const name : {&input.iteration, &input.species})
    program::refuse_if(input.bunch.empty() && !name->empty(),
                       name == &input.species ? "--species" : "--iteration", "it needs --bunch");
  for (const auto& [name, file] : {std::tuple("--optics", &options.optics_file),
                                   {"--moments", &options.moments},
                                   {"--profile", &options.profile},
                                   {"--aperture-output", &options.aperture_file}})
    program::refuse_if(file->ends_with(openpmd_ending), name,
                       "only particles of bunches are written as openPMD", "name a .h5");
  const auto& about = input.about;
  program::refuse_if(about.on_axis && about.is_closed_orbit(), "--on-axis",
                     "the axis is no closed orbit of --closed-orbit or --delta",
                     "leave out one of them");
  program::refuse_if(about.from_start && (about.is_closed_orbit() || options.aperture > 0),
                     "--from-start", "optics of a transfer line have no closed orbit",
                     "leave it out, or --closed-orbit, --delta and --aperture");
  program::refuse_if(about.from_start && input.matched, "--from-start",
                     "the bunch shall have the periodic optics of the line",
                     "leave it out, or --matched");
  program::refuse_if(about.from_start && !input.bunch.empty(), "--from-start",
                     "the optics of a bunch of a file are not known",
                     "give --beta and --alpha instead of the file");
  program::refuse_if(input.match.is_on() && !options.write_input.empty(), "--write-input",
                     "it copies the lattice, which is matched", "give --write-lattice");
  program::refuse_if(options.aperture == 0 && !options.aperture_file.empty(), "--aperture-output",
                     "it needs --aperture");
  program::refuse_if(options.aperture > 0 && options.tracking.turns < 2, "--aperture",
                     "tunes need 2 turns and more", "give --turns 1000");
  program::refuse_if(options.optics_step > 0. && options.optics_option.empty(), "--optics-step",
                     "it needs --optics");
  for (const auto& option : options.of_space_charge)
    program::refuse_if(!input.space_charge.is_on() && option.is_changed(), option.name(),
                       "it needs --space-charge 3d or 2.5d");
  program::refuse_if(!std::has_single_bit(unsigned(input.space_charge.cells)),
                     "--space-charge-cells",
                     std::to_string(input.space_charge.cells) + " is no power of two",
                     "32 to 128 serve most bunches");
  for (const auto& option : options.of_bunch)
    if (options.aperture > 0 && option.is_changed())
      throw UsageError(option.name(), "no bunch is tracked", "--aperture");
  const bool is_madx = beamline::is_madx(input.lattice);
  const bool is_elegant = !is_madx && !is_pals(input.lattice) && !is_xsuite(input.lattice);
  program::refuse_if(!input.strengths.empty() && !is_madx, "--strengths", "it needs MAD-X",
                     "give a lattice .seq, .madx or .mad");
  program::refuse_if(!input.variables.empty() && is_pals(input.lattice), "--set",
                     "it is not for PALS", "add a set to the facility of the file");
  program::refuse_if(!input.variables.empty() && is_xsuite(input.lattice), "--set",
                     "lines of Xsuite have values only", "write the line with other values");
  program::refuse_if(input.reading.exact_edges && is_xsuite(input.lattice), "--exact",
                     "files of Xsuite say how their elements are tracked",
                     "give elements the models exact, drift-kick-drift-exact and dipole-only");
  program::refuse_if(input.slices > 0 && is_elegant, "--slices",
                     "elegant's lattices say how their elements are tracked", "see N_SLICES");
  program::refuse_if(!options.write_input.empty() && !is_madx &&
                         !(input.variables.empty() && input.run_file.empty()),
                     "--write-input", "it copies the lattice, which is changed",
                     "omit --set and run files");
  program::refuse_if(options.moments_option.empty() && !options.moments_every.empty(),
                     "--moments-every", "it needs --moments");
  program::refuse_if(
      options.moments_option.empty() && options.watch_option.empty() && !options.monitors.empty(),
      "--monitors", "it needs a file", "give --moments FILE or --watch FOLDER");
  program::refuse_if(!options.moments_every.empty() && !options.monitors.empty(), "--monitors",
                     "it says where, as --moments-every does", "leave out one of them");
}

}  // namespace beamline
