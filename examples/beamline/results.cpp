// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "results.hpp"

#include "optics.hpp"

#include <common/table.hpp>
#include <trackplex/core/constants.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <tuple>

namespace beamline {

using beam::Moments;
using program::Json;
using program::Table;

namespace {

/// Name of a quantity in files, and its unit.
struct Name {
  std::string name, unit;

  /// In the report.
  std::string key() const { return unit == "m" ? name + "_m" : name; }
};
const Name coordinates[beam::n_coordinates] = {{"x", "m"},    {"xp", "rad"}, {"y", "m"},
                                               {"yp", "rad"}, {"s", "m"},    {"delta", ""}};

struct Optic : Name {
  double beam::PlaneOptics::*value;
};
const Optic optics[] = {{{"emittance", "m"}, &beam::PlaneOptics::emittance},
                        {{"normalized_emittance", "m"}, &beam::PlaneOptics::normalized_emittance},
                        {{"beta", "m"}, &beam::PlaneOptics::beta},
                        {{"alpha", ""}, &beam::PlaneOptics::alpha},
                        {{"dispersion", "m"}, &beam::PlaneOptics::dispersion},
                        {{"dispersion_slope", ""}, &beam::PlaneOptics::dispersion_slope}};

constexpr const char* spin_components[] = {"Sx", "Sy", "Sz"};

Json to_json(const Moments& moments) {
  Json json = {{"particles", std::uint64_t(moments.number)},
               {"path_length_m", moments.reference.path_length}};
  for (int c = 0; c < beam::n_coordinates; ++c) {
    json["mean"][coordinates[c].key()] = moments.mean[c];
    json["sigma"][coordinates[c].key()] = moments.sigma(c);
  }
  for (const auto& optic : optics) {
    json["x"][optic.key()] = moments.betatron_optics(beam::x).*optic.value;
    json["y"][optic.key()] = moments.betatron_optics(beam::y).*optic.value;
  }
  json["duration_s"] = moments.duration();
  json["energy_spread"] = moments.energy_spread();
  return json;
}

/// Elements that lost particles, the most lossy first.
Json losses_of(const Input& input, const Tracked& tracked) {
  std::vector<Json> losses;
  double end = 0.;
  for (std::size_t i = 0; i < input.line.size(); ++i) {
    end += beam::length_of(input.line[i]);
    if (tracked.lost[i] > 0)
      losses.push_back({{"element", i},
                        {"name", input.line[i].name},
                        {"end_m", end},
                        {"particles", tracked.lost[i]}});
  }
  std::ranges::stable_sort(losses, [](const Json& a, const Json& b) {
    return a["particles"].get<std::int64_t>() > b["particles"].get<std::int64_t>();
  });
  return losses;
}

std::string bunch_table(const Json& start, const Json& end) {
  static const std::vector<std::tuple<std::string, double, std::string>> rows{
      {"particles", 1., "/particles"},
      {"sigma x [mm]", 1e3, "/sigma/x_m"},
      {"emittance x, normalized [mm mrad]", 1e6, "/x/normalized_emittance_m"},
      {"beta x [m]", 1., "/x/beta_m"},
      {"alpha x", 1., "/x/alpha"},
      {"sigma y [mm]", 1e3, "/sigma/y_m"},
      {"emittance y, normalized [mm mrad]", 1e6, "/y/normalized_emittance_m"},
      {"beta y [m]", 1., "/y/beta_m"},
      {"alpha y", 1., "/y/alpha"},
      {"sigma t [ps]", 1e12, "/duration_s"},
      {"mean delta", 1., "/mean/delta"},
      {"sigma delta", 1., "/sigma/delta"}};
  Table table({"bunch", "start", "end"});
  for (const auto& [name, scale, path] : rows) {
    const Json::json_pointer at(path);
    table.add_row({name, fmt::format("{:.6g}", scale * start[at].get<double>()),
                   fmt::format("{:.6g}", scale * end[at].get<double>())});
  }
  return table.text();
}

/// Those with the most losses.
std::string loss_table(const Json& losses) {
  constexpr std::size_t max_shown = 5;
  const auto shown = losses.begin() + std::min(losses.size(), max_shown);
  const auto text =
      program::table_of(Json(losses.begin(), shown), {{"lost in", "name"},
                                                      {"element", "element"},
                                                      {"until s [m]", "end_m", "{:.6g}"},
                                                      {"particles", "particles"}});
  std::int64_t others = 0;
  for (auto loss = shown; loss != losses.end(); ++loss)
    others += (*loss)["particles"].get<std::int64_t>();
  if (others == 0) return text;
  return text + fmt::format("{} others in {} elements\n", others, losses.size() - max_shown);
}

Json to_json(const beam::SpinMoments& spins) {
  Json json = {{"polarization", spins.polarization()}};
  for (int c = 0; c < beam::n_spin_components; ++c) {
    json["mean"][spin_components[c]] = spins.mean[c];
    json["sigma"][spin_components[c]] = spins.sigma[c];
  }
  return json;
}

std::string spin_table(const beam::SpinMoments& start, const beam::SpinMoments& end) {
  Table table({"spins", "start", "end"});
  const auto add = [&](const std::string& name, double before, double after) {
    table.add_row({name, fmt::format("{:.6g}", before), fmt::format("{:.6g}", after)});
  };
  add("polarization", start.polarization(), end.polarization());
  for (int c = 0; c < beam::n_spin_components; ++c)
    add(fmt::format("mean {}", spin_components[c]), start.mean[c], end.mean[c]);
  for (int c = 0; c < beam::n_spin_components; ++c)
    add(fmt::format("sigma {}", spin_components[c]), start.sigma[c], end.sigma[c]);
  return table.text();
}

Json space_charge_json(const Input& input, const Tracked& tracked) {
  Json json = Json::array();
  for (const auto& [element, steps, last] : tracked.space_charge)
    json.push_back({{"element", element},
                    {"name", input.line[element].name},
                    {"steps", steps},
                    {"peak_current_a", last.peak_current},
                    {"beam_radius_m", last.radius}});
  return json;
}

/// Of the last turn, drifts of one name together.
std::string space_charge_table(const Json& passes) {
  Json rows = Json::object();
  for (const auto& pass : passes) {
    auto& row = *rows.emplace(pass["name"].get<std::string>(), Json::object()).first;
    row["drifts"] = row.value("drifts", 0) + 1;
    row["steps"] = row.value("steps", 0) + pass["steps"].get<int>();
    row["peak"] = std::max(row.value("peak", 0.), pass["peak_current_a"].get<double>());
    row["mean"] = row["steps"].get<double>() / row["drifts"].get<double>();
  }
  return program::table_of(rows, {{"space charge", ""},
                                  {"drifts", "drifts"},
                                  {"steps", "steps"},
                                  {"steps per drift", "mean", "{:.3g}"},
                                  {"peak current [A]", "peak", "{:.4g}"}});
}

}  // namespace

int active_elements(const beam::BeamLine& line) {
  return int(std::ranges::count_if(line, [](const beam::Element& element) {
    return !element.kind.as<beam::Marker>() && !element.kind.as<beam::Charge>();
  }));
}

Json results_of(const Input& input, const Tracked& tracked) {
  Json json = {{"line", input.line_name},
               {"elements", input.line.size()},
               {"active_elements", active_elements(input.line)},
               {"tracked_as_drifts", input.drifts},
               {"commands_passed_over", input.passed_over},
               {"length_m", input.length},
               {"symplecticity_error", input.symplecticity_error},
               {"periodic", periodic_json(input)},
               {"particles", std::uint64_t(tracked.start.number)},
               {"lost", std::accumulate(tracked.lost.begin(), tracked.lost.end(),
                                        tracked.lost_in_injection)},
               {"lost_before_recirc", tracked.lost_in_injection},
               {"lost_in", losses_of(input, tracked)},
               {"start", to_json(tracked.start)},
               {"end", to_json(tracked.end)},
               {"space_charge", space_charge_json(input, tracked)}};
  if (tracked.start_spins) json["start"]["spin"] = to_json(*tracked.start_spins);
  if (tracked.end_spins) json["end"]["spin"] = to_json(*tracked.end_spins);
  if (!tracked.moments_hash.empty()) json["moments_hash"] = tracked.moments_hash;
  return json;
}

std::string text_of(const Input& input, const Tracked& tracked) {
  std::string text = fmt::format("line {}: {} elements, {:.6g} m; ", input.line_name,
                                 input.line.size(), input.length);
  text += input.periodic ? fmt::format("tunes {:.4f} and {:.4f}", input.tune_x, input.tune_y)
                         : fmt::format("no periodic optics ({})", input.why_not_periodic);
  text += fmt::format(", about the {}; the linear map about it is symplectic to {:.1e}\n",
                      name_of(input.reference), input.symplecticity_error);
  if (!input.passed_over.empty())
    text += fmt::format("commands that compute or print are passed over: {}\n", input.passed_over);
  text += "\n";
  if (input.periodic) text += periodic_text(input) + "\n";
  text += bunch_table(to_json(tracked.start), to_json(tracked.end));
  if (tracked.end_spins) text += "\n" + spin_table(*tracked.start_spins, *tracked.end_spins);
  if (!tracked.space_charge.empty())
    text += "\n" + space_charge_table(space_charge_json(input, tracked));
  if (const auto losses = losses_of(input, tracked); !losses.empty())
    text += "\n" + loss_table(losses);
  return text;
}

io::Table moments_table(const Input& input, const std::vector<MomentRow>& rows) {
  using enum io::ColumnType;
  io::Table table{"moments",
                  {{"turn", "", int64},
                   {"element", "", int64},
                   {"name", "", string},
                   {"s", "m", float64},
                   {"particles", "", int64}}};
  for (const char* quantity : {"sigma_", "mean_"})
    for (const auto& [name, unit] : coordinates)
      table.columns.emplace_back(quantity + name, unit, float64);
  for (const char* plane : {"_x", "_y"})
    for (const auto& optic : optics)
      table.columns.emplace_back(optic.name + plane, optic.unit, float64);
  if (input.has_spins()) {
    table.columns.emplace_back("polarization", "", float64);
    for (const char* quantity : {"mean_", "sigma_"})
      for (const char* component : spin_components)
        table.columns.emplace_back(std::string(quantity) + component, "", float64);
  }
  for (const MomentRow& row : rows) {
    const auto& m = row.moments;
    std::vector<double> values;
    for (int c = 0; c < beam::n_coordinates; ++c) values.push_back(m.sigma(c));
    values.insert(values.end(), m.mean.begin(), m.mean.end());
    for (const auto plane : {beam::x, beam::y})
      for (const auto& optic : optics) values.push_back(m.betatron_optics(plane).*optic.value);
    if (input.has_spins()) {
      values.push_back(row.spins.polarization());
      values.insert(values.end(), row.spins.mean.begin(), row.spins.mean.end());
      values.insert(values.end(), row.spins.sigma.begin(), row.spins.sigma.end());
    }
    table.add_row(row.turn, row.element, row.element < 0 ? "start" : input.line[row.element].name,
                  m.reference.path_length, std::uint64_t(m.number), values);
  }
  return table;
}

io::Table profile_table(const Input& input, const beam::SpaceChargeProfile& profile) {
  using enum io::ColumnType;
  const double energy = 1e6 * constants::elegant::electron_mass * std::hypot(1., input.p0());
  io::Table table{"profile",
                  {{"time", "s", float64},
                   {"current", "A", float64},
                   {"voltage", "V", float64},
                   {"energy_change", "eV", float64},
                   {"relative_energy_change", "", float64}}};
  for (std::size_t i = 0; i < profile.time.size(); ++i) {
    const double change = -profile.voltage[i];
    table.add_row(profile.time[i], profile.current[i], profile.voltage[i], change, change / energy);
  }
  return table;
}

}  // namespace beamline
