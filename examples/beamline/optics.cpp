// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Optics of the line, from its Taylor maps or from tracked particles.
#include "optics.hpp"

#include <trackplex/beam/split_line.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

namespace beamline {

namespace beam = trackplex::beam;
namespace io = trackplex::io;
using trackplex::UsageError;
using trackplex::program::Json;

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

}  // namespace

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

void find_periodic_optics(Input& input, double p0) {
  const auto turn = beam::map_of(input.line, 2, p0);
  input.length = beam::length_of(input.line);
  input.symplecticity_error = beam::symplecticity(turn);
  try {
    check_momentum(input.line, p0);
    const auto periodic = beam::periodic_twiss(turn);
    const auto along = beam::optics_along(input.line, periodic.start, p0);
    const auto& end = along.back();
    input.tune_x = end.phase_x / (2. * std::numbers::pi);
    input.tune_y = end.phase_y / (2. * std::numbers::pi);
    input.chromaticity = beam::chromaticity(turn, periodic, input.length);
    input.periodic = periodic.start;
    if (input.has_electrons) input.radiation = radiation_of(input, along, p0);
  } catch (const UsageError& error) {
    input.why_not_periodic = error.what();
  }
}

std::vector<beam::Optics> optics_of_maps(const Input& input, const beam::BeamLine& line) {
  beam::Optics start;
  if (input.periodic) {
    start = *input.periodic;
  } else {
    const auto take = [&](const auto& plane, beam::PlaneTwiss& twiss, double* dispersion) {
      twiss = {plane.beta, plane.alpha};
      dispersion[0] = plane.dispersion;
      dispersion[1] = plane.dispersion_slope;
    };
    take(input.bunch.x, start.x, start.dispersion);
    take(input.bunch.y, start.y, start.dispersion + 2);
  }
  return beam::optics_along(line, start, input.p0());
}

io::Table optics_table(const Input& input, const LineOptics& found) {
  using enum io::ColumnType;
  io::Table table{"optics",
                  {{"s", "m", float64},
                   {"ElementName", "", string},
                   {"ElementOccurence", "", int64},
                   {"ElementType", "", string}}};
  for (const auto& [name, unit] : {std::pair("betax", "m"),
                                   {"alphax", ""},
                                   {"psix", "rad"},
                                   {"etax", "m"},
                                   {"etaxp", ""},
                                   {"betay", "m"},
                                   {"alphay", ""},
                                   {"psiy", "rad"},
                                   {"etay", "m"},
                                   {"etayp", ""},
                                   {"betax2", "m"},
                                   {"betay1", "m"},
                                   {"x", "m"},
                                   {"xp", ""},
                                   {"y", "m"},
                                   {"yp", ""},
                                   {"pCentral0", ""}})
    table.columns.emplace_back(name, unit, float64);
  std::map<std::string, int> occurrences;
  double momentum = input.p0();
  for (std::size_t i = 0; i < found.optics.size(); ++i) {
    const auto& at = found.optics[i];
    const auto* element = i == 0 ? nullptr : &found.line[i - 1];
    if (element) momentum = element->kind.momentum_behind(momentum);
    const std::string name = element ? element->name : "_BEG_";
    const auto* d = at.dispersion;
    std::vector<double> values = {at.x.beta,
                                  at.x.alpha,
                                  at.phase_x,
                                  d[0],
                                  d[1],
                                  at.y.beta,
                                  at.y.alpha,
                                  at.phase_y,
                                  d[2],
                                  d[3],
                                  at.second_in_x.beta(),
                                  at.first_in_y.beta()};
    for (int c = 0; c < 4; ++c) values.push_back(found.orbit.empty() ? 0. : found.orbit[i][c]);
    values.push_back(momentum);
    table.add_row(at.position, name, ++occurrences[name],
                  element ? element->kind.family() : beam::Marker::family, values);
  }
  return table;
}

Json periodic_json(const Input& input) {
  if (!input.periodic) return {{"stable", false}, {"why", input.why_not_periodic}};
  const auto plane = [](const beam::PlaneTwiss& twiss, double tune, double chromaticity,
                        double dispersion) -> Json {
    return {{"tune", tune},
            {"chromaticity", chromaticity},
            {"beta_m", twiss.beta},
            {"alpha", twiss.alpha},
            {"dispersion_m", dispersion}};
  };
  const auto& at = *input.periodic;
  const auto& change = input.chromaticity;
  Json json = {{"stable", true},
               {"x", plane(at.x, input.tune_x, change.x, at.dispersion[0])},
               {"y", plane(at.y, input.tune_y, change.y, at.dispersion[2])},
               {"momentum_compaction", change.momentum_compaction},
               {"momentum_compaction2", change.momentum_compaction2}};
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
