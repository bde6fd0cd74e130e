// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "results.hpp"

#include <trackplex/program/table.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <variant>

namespace beamline {

namespace beam = trackplex::beam;
using trackplex::program::Json;
using trackplex::program::Table;

namespace {

Json to_json(const beam::PlaneOptics& plane) {
  return {{"emittance_m", plane.emittance},
          {"normalized_emittance_m", plane.normalized_emittance},
          {"beta_m", plane.beta},
          {"alpha", plane.alpha},
          {"dispersion_m", plane.dispersion},
          {"dispersion_slope", plane.dispersion_slope}};
}

Json to_json(const beam::Moments& moments) {
  const char* const names[] = {"x_m", "xp", "y_m", "yp", "s_m", "delta"};
  Json mean, sigma;
  for (int c = 0; c < beam::n_coordinates; ++c) {
    mean[names[c]] = moments.mean[c];
    sigma[names[c]] = moments.sigma(c);
  }
  return {{"particles", std::uint64_t(moments.number)},
          {"path_length_m", moments.reference.path_length},
          {"mean", mean},
          {"sigma", sigma},
          {"x", to_json(moments.betatron_optics(beam::x))},
          {"y", to_json(moments.betatron_optics(beam::y))},
          {"duration_s", moments.duration()},
          {"energy_spread", moments.energy_spread()}};
}

Json to_json(const Input& input) {
  if (!input.periodic) return {{"stable", false}, {"why", input.why_not_periodic}};
  const auto& start = input.periodic->start;
  const auto plane = [](const beam::PlaneTwiss& twiss, double tune, double dispersion) -> Json {
    return {{"tune", tune},
            {"beta_m", twiss.beta},
            {"alpha", twiss.alpha},
            {"dispersion_m", dispersion}};
  };
  return {{"stable", true},
          {"x", plane(start.x, input.periodic->tune_x, start.dispersion[0])},
          {"y", plane(start.y, input.periodic->tune_y, start.dispersion[2])}};
}

std::string bunch_table(const beam::Moments& start, const beam::Moments& end) {
  Table table({"bunch", "start", "end"});
  const auto row = [&](const std::string& name, double scale, const auto& value) {
    table.add_row({name, fmt::format("{:.6g}", scale * value(start)),
                   fmt::format("{:.6g}", scale * value(end))});
  };
  using beam::Moments;
  row("particles", 1., [](const Moments& m) { return m.number; });
  for (const auto plane : {beam::x, beam::y}) {
    const std::string name = plane == beam::x ? "x" : "y";
    row("sigma " + name + " [mm]", 1e3, [&](const Moments& m) { return m.sigma(plane); });
    row("emittance " + name + ", normalized [mm mrad]", 1e6,
        [&](const Moments& m) { return m.betatron_optics(plane).normalized_emittance; });
    row("beta " + name + " [m]", 1.,
        [&](const Moments& m) { return m.betatron_optics(plane).beta; });
    row("alpha " + name, 1., [&](const Moments& m) { return m.betatron_optics(plane).alpha; });
  }
  row("sigma t [ps]", 1e12, [](const Moments& m) { return m.duration(); });
  row("mean delta", 1., [](const Moments& m) { return m.mean[beam::delta]; });
  row("sigma delta", 1., [](const Moments& m) { return m.sigma(beam::delta); });
  return table.text();
}

std::string loss_table(const Results& results) {
  constexpr std::size_t shown = 5;
  const auto places = results.loss_places();
  const auto ends = ends_of(results.input.line);
  Table table({"lost in", "element", "until s [m]", "particles"});
  for (std::size_t i = 0; i < std::min(shown, places.size()); ++i)
    table.add_row({results.input.line[places[i].element].name, std::to_string(places[i].element),
                   fmt::format("{:.6g}", ends[places[i].element]), std::to_string(places[i].lost)});
  const auto others =
      std::accumulate(places.begin() + std::ptrdiff_t(std::min(shown, places.size())), places.end(),
                      0, [](int sum, const LossPlace& place) { return sum + place.lost; });
  return table.text() +
         (others > 0 ? fmt::format("{} others in {} elements\n", others, places.size() - shown)
                     : "");
}

/// Of the last turn, drifts of one name together.
std::string space_charge_table(const Results& results) {
  struct Drifts {
    int number = 0, steps = 0;
    double peak_current = 0.;
  };
  std::map<std::string, Drifts> by_name;
  for (const auto& pass : results.tracked.space_charge) {
    auto& drifts = by_name[results.input.line[pass.element].name];
    ++drifts.number;
    drifts.steps += pass.steps;
    drifts.peak_current = std::max(drifts.peak_current, pass.last.peak_current);
  }
  Table table({"space charge", "drifts", "steps", "steps per drift", "peak current [A]"});
  for (const auto& [name, drifts] : by_name)
    table.add_row({name, std::to_string(drifts.number), std::to_string(drifts.steps),
                   fmt::format("{:.3g}", double(drifts.steps) / drifts.number),
                   fmt::format("{:.4g}", drifts.peak_current)});
  return table.text();
}

}  // namespace

std::vector<double> ends_of(const beam::BeamLine& line) {
  std::vector<double> ends;
  double position = 0.;
  for (const auto& element : line) ends.push_back(position += beam::length_of(element));
  return ends;
}

int Results::active_elements() const {
  return int(std::count_if(input.line.begin(), input.line.end(), [](const beam::Element& element) {
    return !std::holds_alternative<beam::Marker>(element.kind) &&
           !std::holds_alternative<beam::Charge>(element.kind);
  }));
}

int Results::lost() const { return std::accumulate(tracked.lost.begin(), tracked.lost.end(), 0); }

std::vector<LossPlace> Results::loss_places() const {
  std::vector<LossPlace> places;
  for (int i = 0; i < int(tracked.lost.size()); ++i)
    if (tracked.lost[i] > 0) places.push_back({i, tracked.lost[i]});
  std::stable_sort(places.begin(), places.end(),
                   [](const LossPlace& a, const LossPlace& b) { return a.lost > b.lost; });
  return places;
}

double Results::ns_per_particle_element(int turns) const {
  const double work = tracked.start.number * std::max(active_elements(), 1) * turns;
  return 1e3 * tracked.total_us.median / work;
}

Json Results::to_json() const {
  const auto ends = ends_of(input.line);
  Json json = {{"line", input.line_name},
               {"elements", input.line.size()},
               {"active_elements", active_elements()},
               {"length_m", input.length},
               {"symplecticity_error", input.symplecticity_error},
               {"periodic", beamline::to_json(input)},
               {"particles", std::uint64_t(tracked.start.number)},
               {"lost", lost()}};
  json["lost_in"] = Json::array();
  for (const auto& place : loss_places())
    json["lost_in"].push_back({{"element", place.element},
                               {"name", input.line[place.element].name},
                               {"end_m", ends[place.element]},
                               {"particles", place.lost}});
  json["start"] = beamline::to_json(tracked.start);
  json["end"] = beamline::to_json(tracked.end);
  json["space_charge"] = Json::array();
  for (const auto& pass : tracked.space_charge)
    json["space_charge"].push_back({{"element", pass.element},
                                    {"name", input.line[pass.element].name},
                                    {"steps", pass.steps},
                                    {"peak_current_a", pass.last.peak_current},
                                    {"beam_radius_m", pass.last.radius}});
  json["particles_hash"] = tracked.particles_hash;
  if (!tracked.moments_hash.empty()) json["moments_hash"] = tracked.moments_hash;
  return json;
}

std::string Results::text() const {
  std::string text = fmt::format("line {}: {} elements, {:.6g} m; ", input.line_name,
                                 input.line.size(), input.length);
  text += input.periodic ? fmt::format("tunes {:.4f} and {:.4f}", input.periodic->tune_x,
                                       input.periodic->tune_y)
                         : fmt::format("no periodic optics ({})", input.why_not_periodic);
  text += fmt::format("; its linear map is symplectic to {:.1e}\n\n", input.symplecticity_error);
  text += bunch_table(tracked.start, tracked.end);
  if (!tracked.space_charge.empty()) text.append("\n").append(space_charge_table(*this));
  if (lost() > 0) text.append("\n").append(loss_table(*this));
  return text;
}

}  // namespace beamline
