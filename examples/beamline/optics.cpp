// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Optics of the line, from its Taylor maps or from tracked particles.
#include "optics.hpp"

#include <common/table.hpp>
#include <trackplex/beam/collective/csr_bend.hpp>
#include <trackplex/beam/elements/canonical_bend.hpp>
#include <trackplex/beam/optics/floor_plan.hpp>
#include <trackplex/beam/split_line.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <span>
#include <utility>

namespace beamline {

using program::Json;

namespace {

/// A line that accelerates does not come back to where it was.
void check_momentum(const beam::BeamLine& line, double p0) {
  double momentum = p0;
  for (const auto& element : line) momentum = element.kind.momentum_behind(momentum);
  if (momentum != p0)
    throw UsageError("periodic optics", "the reference momentum changes along the line");
}

/// None without horizontal bends, or where oscillations are not damped.
std::optional<beam::RadiationEquilibrium> radiation_of(const Input& input,
                                                       const std::vector<beam::Optics>& along,
                                                       double p0) {
  try {
    return beam::radiation_equilibrium(beam::radiation_integrals(input.line, along), p0,
                                       input.length);
  } catch (const UsageError&) {
    return {};
  }
}

/// The map of a line to second order, and whether optics need tracked particles.
struct Turn {
  beam::TransferMap map = beam::TransferMap::identity(2);
  bool needs_tracking = false;
};

/// Tells whether the field of a bend is another than that of its axis, it has correctors, or exact
/// edges: their Taylor maps are linear.
bool needs_tracking(const beam::CanonicalBend& bend) {
  const bool has_other_dipole =
      bend.k0 && std::abs(*bend.k0 * bend.length - bend.angle) > 1e-12 * std::abs(bend.angle);
  return has_other_dipole || bend.horizontal_kick != 0. || bend.vertical_kick != 0. ||
         bend.entrance_effects == beam::EdgeEffects::exact ||
         bend.exit_effects == beam::EdgeEffects::exact;
}

/// Tells whether an element moves the particle on the axis, or has exact edges.
bool needs_tracking(const beam::Element& element, const beam::TransferMap& map) {
  if (const auto* bend = element.kind.as<beam::CanonicalBend>(); bend && needs_tracking(*bend))
    return true;
  if (const auto* bend = element.kind.as<beam::CsrBend>(); bend && needs_tracking(bend->magnet))
    return true;
  return std::ranges::any_of(std::span(map.component).first(4),
                             [](const beam::Polynomial& p) { return std::abs(p.c) > 1e-12; });
}

Turn turn_of(const beam::BeamLine& line, double p0) {
  Turn turn;
  for (const auto& element : line) {
    const auto map = beam::truncated(beam::map_of(element, p0), 2);
    turn.map = beam::concatenated(turn.map, map);
    turn.needs_tracking = turn.needs_tracking || needs_tracking(element, map);
    p0 = element.kind.momentum_behind(p0);
  }
  return turn;
}

/// Tells whether the axis of a line comes back to where it was.
bool closes(const beam::BeamLine& line) {
  const auto end = beam::floor_plan(line).back();
  const auto& at = end.position;
  return std::abs(end.turned) > 1. && std::hypot(at[0], at[1], at[2]) < 1e-3 &&
         end.axes[2][2] > 1. - 1e-6;
}

void set_tunes(Input& input, const beam::Optics& end) {
  input.tune_x = end.phase_x / (2. * std::numbers::pi);
  input.tune_y = end.phase_y / (2. * std::numbers::pi);
}

void find_optics_on_axis(Input& input, const beam::TransferMap& turn, double p0) {
  const auto periodic = beam::periodic_twiss(turn);
  const auto along = beam::optics_along(input.line, periodic.start, p0);
  set_tunes(input, along.back());
  input.chromaticity = beam::chromaticity(turn, periodic, input.length);
  input.periodic = periodic.start;
  if (input.has_electrons()) input.radiation = radiation_of(input, along, p0);
}

void find_optics_about_orbit(Input& input, double p0, double delta) {
  const auto found = closed_orbit(input.line, p0, delta);
  input.reference = Input::Reference::closed_orbit;
  input.orbit = found.about.orbit.front();
  input.symplecticity_error = beam::symplecticity(found.turn, input.orbit);
  set_tunes(input, found.about.optics.back());
  input.chromaticity = found.chromaticity;
  input.periodic = found.about.optics.front();
  if (input.has_electrons()) input.radiation = radiation_of(input, found.about.optics, p0);
}

void find_synchrotron_motion(Input& input, double p0) {
  try {
    input.synchrotron = beam::synchrotron_motion(input.line, p0);
  } catch (const UsageError& error) {
    input.why_no_synchrotron = error.what();
  }
}

/// Where a line steers and has no closed orbit: the way of the particle that starts on the axis, if
/// it can be tracked.
void follow_trajectory(Input& input, double p0) {
  try {
    const auto found = trajectory(input.line, p0, {}, {});
    input.reference = Input::Reference::trajectory;
    input.symplecticity_error = beam::symplecticity(found.turn, {});
  } catch (const UsageError&) {  // Taylor maps have to do
  }
}

/// The way of the particle on the axis by Taylor maps.
std::vector<beam::TransferMap::Vector> orbit_of_maps(const beam::BeamLine& line, double p0) {
  std::vector<beam::TransferMap::Vector> orbit = {{}};
  for (const auto& element : line) {
    orbit.push_back(beam::map_of(element, p0)(orbit.back()));
    p0 = element.kind.momentum_behind(p0);
  }
  return orbit;
}

/// The optics that a line begins with.
beam::Optics first_optics_of(const Input& input) {
  return input.periodic ? *input.periodic : start_of(input.bunch);
}

/// A number of the table of optics, with elegant's names.
struct Value {
  const char *name, *unit;
  double value;
};

std::vector<Value> values_of(const beam::Optics& at, const beam::TransferMap::Vector& orbit,
                             double momentum) {
  const auto* d = at.dispersion;
  return {{"betax", "m", at.x.beta},
          {"alphax", "", at.x.alpha},
          {"psix", "rad", at.phase_x},
          {"etax", "m", d[0]},
          {"etaxp", "", d[1]},
          {"betay", "m", at.y.beta},
          {"alphay", "", at.y.alpha},
          {"psiy", "rad", at.phase_y},
          {"etay", "m", d[2]},
          {"etayp", "", d[3]},
          {"betax2", "m", at.second_in_x.beta()},
          {"betay1", "m", at.first_in_y.beta()},
          {"x", "m", orbit[beam::x]},
          {"xp", "", orbit[beam::xp]},
          {"y", "m", orbit[beam::y]},
          {"yp", "", orbit[beam::yp]},
          {"pCentral0", "", momentum}};
}

beam::OpticsAlong about_closed_orbit(const beam::BeamLine& line, double p0,
                                     const LineOpticsOptions& options) {
  auto found = closed_orbit(line, p0, options.about.delta, options.with_chromaticity);
  beam::OpticsAlong along{std::move(found.about.optics), std::move(found.about.orbit), {}, true};
  if (options.with_chromaticity) along.chromaticity = found.chromaticity;
  return along;
}

beam::OpticsAlong about_trajectory(const beam::BeamLine& line, double p0,
                                   const beam::Optics& start) {
  auto found = trajectory(line, p0, start, {}).about;
  return {std::move(found.optics), std::move(found.orbit), {}, false};
}

/// Tells whether the particle that starts on the axis can be tracked.
bool has_trajectory(const beam::BeamLine& line, double p0) {
  try {
    trajectory(line, p0, {}, {});
    return true;
  } catch (const UsageError&) {
    return false;
  }
}

}  // namespace

bool line_needs_tracking(const beam::BeamLine& line, double p0) {
  return turn_of(line, p0).needs_tracking;
}

beam::Optics start_of(const simulation::BunchParams& bunch) {
  beam::Optics start;
  const auto take = [](const auto& plane, beam::PlaneTwiss& twiss, double* dispersion) {
    twiss = {plane.beta, plane.alpha};
    dispersion[0] = plane.dispersion;
    dispersion[1] = plane.dispersion_slope;
  };
  take(bunch.x, start.x, start.dispersion);
  take(bunch.y, start.y, start.dispersion + 2);
  return start;
}

std::function<beam::OpticsAlong(const beam::BeamLine&)> optics_function(
    const beam::BeamLine& first, double p0, const LineOpticsOptions& options) {
  const auto& about = options.about;
  const bool is_steered = !about.on_axis && (options.may_steer || line_needs_tracking(first, p0));
  if (about.from_start) {
    if (is_steered && has_trajectory(first, p0))
      return [=, start = options.start](const beam::BeamLine& line) {
        return about_trajectory(line, p0, start);
      };
    return [=, start = options.start](const beam::BeamLine& line) -> beam::OpticsAlong {
      return {beam::optics_along(line, start, p0), orbit_of_maps(line, p0), {}, false};
    };
  }
  const bool is_tracked = about.is_closed_orbit() || is_steered;
  return [=](const beam::BeamLine& line) {
    check_momentum(line, p0);
    return is_tracked ? about_closed_orbit(line, p0, options)
                      : beam::periodic_optics_along(line, p0);
  };
}

beam::BeamLine in_steps(const beam::BeamLine& line, double step) {
  if (step <= 0.) return line;
  beam::BeamLine parts;
  for (const auto& element : line) {
    const double n = std::ceil(beam::length_of(element) / step);
    if (!(n < 1e6)) throw UsageError("--optics-step", "it is too short", "for " + element.name);
    for (auto& part : beam::split({element}, std::max(1, int(n)))) parts.push_back(part);
  }
  return parts;
}

void find_periodic_optics(Input& input, double p0, const OpticsAbout& about) {
  const Turn turn = turn_of(input.line, p0);
  input.line_p0 = p0;
  input.length = beam::length_of(input.line);
  input.symplecticity_error = beam::symplecticity(turn.map, {});
  const bool is_tracked = about.is_closed_orbit() || (turn.needs_tracking && !about.on_axis);
  if (about.from_start) {
    input.why_not_periodic = "optics begin with those of the bunch";
    if (is_tracked) follow_trajectory(input, p0);
    return;
  }
  try {
    check_momentum(input.line, p0);
    if (is_tracked)
      find_optics_about_orbit(input, p0, about.delta);
    else
      find_optics_on_axis(input, turn.map, p0);
    find_synchrotron_motion(input, p0);
  } catch (const UsageError& error) {
    input.why_not_periodic = error.what();
    if (about.needs_ring || about.is_closed_orbit() || (is_tracked && closes(input.line)))
      throw UsageError("line '" + input.line_name + "'", "there are no optics about a closed orbit",
                       error.what(), "--on-axis has those about the axis");
    if (is_tracked) follow_trajectory(input, p0);
  }
}

LineOptics optics_of(const Input& input, beam::BeamLine line) {
  LineOptics found{std::move(line)};
  const auto start = first_optics_of(input);
  if (input.reference == Input::Reference::axis) {
    found.optics = beam::optics_along(found.line, start, input.line_p0);
    found.orbit = orbit_of_maps(found.line, input.line_p0);
  } else {
    auto about = trajectory(found.line, input.line_p0, start, input.orbit).about;
    found.optics = std::move(about.optics);
    found.orbit = std::move(about.orbit);
  }
  return found;
}

io::Table optics_table(const Input& input, const LineOptics& found) {
  using enum io::ColumnType;
  io::Table table{"optics",
                  {{"s", "m", float64},
                   {"ElementName", "", string},
                   {"ElementOccurence", "", int64},
                   {"ElementType", "", string}}};
  for (const auto& [name, unit, value] : values_of({}, {}, 0.))
    table.columns.emplace_back(name, unit, float64);
  std::map<std::string, int> occurrences;
  double momentum = input.line_p0;
  for (std::size_t i = 0; i < found.optics.size(); ++i) {
    const auto* element = i == 0 ? nullptr : &found.line[i - 1];
    if (element) momentum = element->kind.momentum_behind(momentum);
    const std::string name = element ? element->name : "_BEG_";
    std::vector<double> numbers;
    for (const auto& [column, unit, value] : values_of(found.optics[i], found.orbit[i], momentum))
      numbers.push_back(value);
    table.add_row(found.optics[i].position, name, ++occurrences[name],
                  element ? element->kind.family() : beam::Marker::family, numbers);
  }
  return table;
}

const char* name_of(Input::Reference reference) {
  using enum Input::Reference;
  return reference == axis ? "axis" : reference == closed_orbit ? "closed orbit" : "trajectory";
}

Json periodic_json(const Input& input) {
  const char* const about = name_of(input.reference);
  if (!input.periodic)
    return {{"stable", false}, {"why", input.why_not_periodic}, {"about", about}};
  const auto plane = [&](beam::Coordinate c, const beam::PlaneTwiss& twiss, double tune,
                         double chromaticity) -> Json {
    return {{"tune", tune},
            {"chromaticity", chromaticity},
            {"beta_m", twiss.beta},
            {"alpha", twiss.alpha},
            {"dispersion_m", input.periodic->dispersion[c]},
            {"orbit_m", input.orbit[c]},
            {"slope", input.orbit[c + 1]}};
  };
  const auto& at = *input.periodic;
  const auto& change = input.chromaticity;
  Json json = {{"stable", true},
               {"about", about},
               {"delta", input.orbit[beam::delta]},
               {"x", plane(beam::x, at.x, input.tune_x, change.x)},
               {"y", plane(beam::y, at.y, input.tune_y, change.y)},
               {"momentum_compaction", change.momentum_compaction},
               {"momentum_compaction2", change.momentum_compaction2}};
  if (const auto& motion = input.synchrotron) {
    json["slip"] = motion->slip;
    json["synchrotron_tune"] = motion->tune;
  } else {
    json["no_synchrotron_motion"] = input.why_no_synchrotron;
  }
  if (const auto& spin = input.spin)
    json["spin"] = {{"tune", spin->tune}, {"axis", spin->axis.front()}};
  else if (!input.why_no_spin.empty())
    json["no_spin_tune"] = input.why_no_spin;
  if (const auto& radiation = input.radiation)
    json["radiation"] = {{"energy_loss_ev", radiation->energy_loss},
                         {"x_emittance_m", radiation->x_emittance},
                         {"momentum_spread", radiation->momentum_spread},
                         {"x_partition", radiation->x_partition},
                         {"momentum_partition", radiation->momentum_partition},
                         {"x_time_s", radiation->x_time},
                         {"y_time_s", radiation->y_time},
                         {"momentum_time_s", radiation->momentum_time}};
  return json;
}

std::string periodic_text(const Input& input) {
  const Json json = periodic_json(input);
  program::Table table({"optics", "x", "y"});
  const auto add = [&](const std::string& name, const char* key, double scale = 1.) {
    table.add_row({name, fmt::format("{:.6g}", scale * json["x"][key].get<double>()),
                   fmt::format("{:.6g}", scale * json["y"][key].get<double>())});
  };
  add("tune", "tune");
  add("chromaticity", "chromaticity");
  add("beta [m]", "beta_m");
  add("alpha", "alpha");
  add("dispersion [m]", "dispersion_m");
  if (input.reference == Input::Reference::closed_orbit) {
    add("closed orbit [mm]", "orbit_m", 1e3);
    add("its slope [mrad]", "slope", 1e3);
  }
  std::string text = table.text();
  text += fmt::format("momentum compaction {:.6g}", input.chromaticity.momentum_compaction);
  if (const auto& motion = input.synchrotron)
    text += fmt::format(", slip {:.6g}, synchrotron tune {:.6g}\n", motion->slip, motion->tune);
  else
    text += fmt::format("; no synchrotron motion ({})\n", input.why_no_synchrotron);
  if (const auto& spin = input.spin) {
    const auto& axis = spin->axis.front();
    text += fmt::format("spin tune {:.6g}, invariant axis ({:.6g}, {:.6g}, {:.6g})\n", spin->tune,
                        axis[0], axis[1], axis[2]);
  } else if (!input.why_no_spin.empty()) {
    text += fmt::format("no spin tune ({})\n", input.why_no_spin);
  }
  return text;
}

Json closed_orbit_json(const beam::OrbitOptics& about) {
  const auto& orbit = about.orbit.front();
  const auto& start = about.optics.front();
  const auto plane = [&](beam::Coordinate c, const beam::PlaneTwiss& twiss, double tune) -> Json {
    return {{"orbit_m", orbit[c]},  {"slope", orbit[c + 1]}, {"fractional_tune", tune},
            {"beta_m", twiss.beta}, {"alpha", twiss.alpha},  {"dispersion_m", start.dispersion[c]}};
  };
  return {{"delta", orbit[beam::delta]},
          {"x", plane(beam::x, start.x, about.tune_x)},
          {"y", plane(beam::y, start.y, about.tune_y)}};
}

}  // namespace beamline
