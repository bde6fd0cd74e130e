// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program_options.hpp"

#include "input.hpp"

#include <trackplex/core/error.hpp>
#include <trackplex/io/table_file.hpp>

#include <limits>

namespace beamline {

namespace program = trackplex::program;
namespace simulation = trackplex::simulation;
using program::Json;
using trackplex::UsageError;

namespace {

constexpr int max_particles = std::numeric_limits<int>::max() - 4096;

void add_line_options(CLI::App& app, ProgramOptions& options) {
  const std::string group = "Beam line";
  app.add_option("LATTICE", options.lattice,
                 "Lattice in elegant's language (default: a built-in line of FODO cells with space "
                 "charge)")
      ->type_name("FILE");
  app.add_option("--line", options.line,
                 "Line, or element, to track through (default: that of USE, else the last one)")
      ->type_name("NAME")
      ->group(group);
  app.add_option("--momentum", options.momentum,
                 "Momentum of the reference particle, beta gamma (default: mean of the file's "
                 "column p; 200 for generated bunches)")
      ->type_name("P0")
      ->transform(program::finite_number(1e-6, 1e9))
      ->group(group);
  app.add_option("--turns", options.turns, "Passes through the line")
      ->type_name("N")
      ->transform(program::whole_number(1, program::max_count))
      ->capture_default_str()
      ->group(group);
  app.add_option("--limit", options.max_position,
                 "Particles with a larger |x| or |y| at the end of a turn are lost, m; 0: no limit")
      ->type_name("M")
      ->transform(program::finite_number(0., 1e6, "m"))
      ->capture_default_str()
      ->group(group);
  app.add_option("--slope-limit", options.max_slope,
                 "Particles with a larger |x'| or |y'| there are lost; 0: no limit")
      ->type_name("X")
      ->transform(program::finite_number(0., 1e6))
      ->capture_default_str()
      ->group(group);
}

void add_bunch_options(CLI::App& app, ProgramOptions& options) {
  const std::string group = "Bunch";
  app.add_option("--bunch", options.bunch,
                 "Particles, a .csv or .h5 with the columns x,xp,y,yp and t,p or s,delta (default: "
                 "generated)")
      ->type_name("FILE")
      ->group(group);
  app.add_option("--charge", options.charge,
                 "Charge of the bunch, C, until a CHARGE of the line sets it (default: 1e-9, or 0 "
                 "for a bunch of a file)")
      ->type_name("C")
      ->transform(program::finite_number(0., 1., "C"))
      ->group(group);
}

void add_generator_options(CLI::App& app, ProgramOptions& options) {
  const std::string group = "Generated bunch";
  const auto keep = [&](CLI::Option* option) {
    options.of_generator.push_back(option);
    return option->group(group);
  };
  const auto add = [&](const std::string& name, auto& value, const std::string& type,
                       const std::string& text) {
    return keep(app.add_option(name, value, text)->type_name(type));
  };
  const auto flag = [&](const std::string& name, bool& value, const std::string& text) {
    keep(app.add_flag(name, value, text));
  };
  add("--generate", options.generate, "N", "Particles (default: 100000)")
      ->transform(program::whole_number(1, max_particles));
  add("--emittance", options.emittance, "X Y", "Normalized rms emittances, m (default: 1e-6 1e-6)")
      ->transform(program::finite_number(0., 1., "m"));
  add("--beta", options.beta, "X Y", "Beta functions at the start, m (default: 10 10)")
      ->transform(program::finite_number(1e-9, 1e6, "m"));
  add("--alpha", options.alpha, "X Y", "Minus half of their slopes (default: 0 0)")
      ->transform(program::finite_number(-1e6, 1e6));
  flag("--matched", options.matched,
       "Beta, alpha and dispersion that the line repeats; so does the built-in line without "
       "--beta and --alpha");
  add("--sigma-s", options.sigma_s, "M", "rms length, m")
      ->transform(program::finite_number(0., 1e6, "m"))
      ->capture_default_str();
  add("--sigma-delta", options.sigma_delta, "X", "rms of the relative momentum")
      ->transform(program::finite_number(0., 1.))
      ->capture_default_str();
  add("--chirp", options.chirp, "X", "Slope of the relative momentum along the bunch, 1/m")
      ->transform(program::finite_number(-1e6, 1e6, "1/m"))
      ->capture_default_str();
  add("--cutoff", options.cutoff, "X", "Where Gaussians end, in standard deviations")
      ->transform(program::finite_number(0.1, 8.))
      ->capture_default_str();
  flag("--flat", options.flat, "Flat along s, of the same rms length");
  add("--modulation", options.modulation, "M X",
      "Wavelength, m, and depth, below 0.95, of a modulation of the density (default: none)")
      ->transform(program::finite_number(0., 1e6));
}

void add_output_options(CLI::App& app, ProgramOptions& options) {
  const auto add_table = [&](const std::string& name, std::string& value, const std::string& text) {
    program::add_table_output(app, name, value, text);
  };
  const auto add_name = [&](const std::string& name, std::string& value, const std::string& type,
                            const std::string& text) {
    return app.add_option(name, value, text)->type_name(type)->group("Output");
  };
  add_table("--output", options.output,
            "Particles after the last turn, as .csv or .h5, with both t, p and s, delta; lost ones "
            "with turn and element");
  add_table("--moments", options.moments,
            "Sizes, emittances and optics of the bunch along the line, as .csv or .h5");
  add_name("--moments-every", options.moments_every, "WHAT",
           "A row of moments behind each element, or turn (default: element for one turn, else "
           "turn)")
      ->check(program::one_of({"element", "turn"}));
  add_table("--profile", options.profile,
            "Current and energy modulation along the bunch in the last step of space charge, as "
            ".csv or .h5");
  add_name("--profile-at", options.profile_at, "NAME",
           "Drift with space charge to take that from (default: the last one)");
  program::add_output(app, "--picture", options.plot, "Draw the beam sizes along the first turn",
                      {".svg"});
  program::add_output(app, "--profile-picture", options.profile_plot,
                      "Draw the current with the energy modulation that it induces", {".svg"});
  program::add_output_folder(app, "--write-input", options.write_input,
                             "Write the lattice and the bunch to a new folder, to be read again");
}

Json description(const simulation::BunchPlane& plane) {
  return {{"normalized_emittance_m", plane.normalized_emittance},
          {"beta_m", plane.beta},
          {"alpha", plane.alpha},
          {"dispersion_m", plane.dispersion},
          {"dispersion_slope", plane.dispersion_slope}};
}

Json description(const simulation::BunchParams& bunch) {
  return {{"kind", "generated"},
          {"seed", bunch.seed},
          {"particles", bunch.particles},
          {"charge_c", bunch.charge},
          {"x", description(bunch.x)},
          {"y", description(bunch.y)},
          {"profile", bunch.profile == simulation::BunchProfile::flat ? "flat" : "gaussian"},
          {"sigma_s_m", bunch.sigma_s},
          {"sigma_delta", bunch.sigma_delta},
          {"chirp_per_m", bunch.chirp},
          {"cutoff", bunch.cutoff},
          {"modulation_wavelength_m", bunch.modulation_wavelength},
          {"modulation_depth", bunch.modulation_depth}};
}

}  // namespace

void ProgramOptions::check() const {
  for (const auto* option : of_generator)
    if (!bunch.empty() && option->count() > 0)
      throw UsageError(option->get_name(), "the bunch is not generated", "--bunch " + bunch);
  if (matched && (beta || alpha))
    throw UsageError("--matched", "it says what --beta and --alpha are", {}, "leave those out");
  if (moments.empty() && !moments_every.empty())
    throw UsageError("--moments-every", "it needs --moments");
  if (!profile_at.empty() && !wants_profile())
    throw UsageError("--profile-at", "it needs --profile or --profile-picture");
}

bool ProgramOptions::wants_moments_of_elements() const {
  if (moments.empty()) return false;
  return moments_every.empty() ? turns == 1 : moments_every == "element";
}

simulation::BunchParams ProgramOptions::bunch_params() const {
  simulation::BunchParams params;
  params.particles = generate > 0 ? generate : 100000;
  if (momentum > 0.) params.p0 = momentum;
  const Pair betas = beta.value_or(Pair{10., 10.}), alphas = alpha.value_or(Pair{0., 0.});
  params.x = {.normalized_emittance = emittance.first, .beta = betas.first, .alpha = alphas.first};
  params.y = {
      .normalized_emittance = emittance.second, .beta = betas.second, .alpha = alphas.second};
  params.profile = flat ? simulation::BunchProfile::flat : simulation::BunchProfile::gaussian;
  params.sigma_s = sigma_s;
  params.sigma_delta = sigma_delta;
  params.chirp = chirp;
  params.cutoff = cutoff;
  params.modulation_wavelength = modulation.first;
  params.modulation_depth = modulation.second;
  params.seed = common.seed;
  return params;
}

Json ProgramOptions::description(const Input& input) const {
  Json json = {{"lattice", lattice.empty() ? Json(nullptr) : Json(lattice)},
               {"line", input.line_name},
               {"momentum", input.p0()},
               {"turns", turns},
               {"largest_position_m", max_position},
               {"largest_slope", max_slope}};
  json["bunch"] = is_generated() ? beamline::description(input.bunch)
                                 : Json{{"kind", "file"},
                                        {"file", bunch},
                                        {"particles", input.particles->size()},
                                        {"charge_c", input.charge()}};
  return json;
}

void add_options(CLI::App& app, ProgramOptions& options) {
  add_line_options(app, options);
  add_bunch_options(app, options);
  add_generator_options(app, options);
  add_output_options(app, options);
  program::add_common_options(app, options.common);
  program::add_examples(
      app, {{"beamline --picture sizes.svg --profile-picture current.svg",
             "tracks a bunch through ten FODO cells with space charge and draws it"},
            {"beamline ring.lte --generate 1000000 --matched --turns 1000",
             "a million particles, matched to the ring, for 1000 turns"},
            {"beamline linac.lte --line L1 --bunch in.csv --output out.csv --moments sizes.csv",
             "a bunch from a file through one line, with its moments behind each element"},
            {"beamline --backend all --lanes all --json report.json",
             "every backend with every lane width; the particles must be the same, bit for bit"}});
}

}  // namespace beamline
