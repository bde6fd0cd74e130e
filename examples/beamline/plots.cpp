// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "optics.hpp"
#include "results.hpp"

#include <common/plots.hpp>
#include <trackplex/beam/collective/space_charge_drift.hpp>
#include <trackplex/beam/split_line.hpp>
#include <trackplex/core/constants.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

namespace beamline {

using beam::Moments;
using beam::ParticleTable;
using program::Json;
using program::panel;

namespace {

/// Five digits: what is drawn needs no more.
double rounded(double value) { return std::strtod(fmt::format("{:.5g}", value).c_str(), nullptr); }

using Values = std::vector<double>;

/// f of each of the items.
Values values_of(const auto& items, const auto& f) {
  Values values;
  for (const auto& item : items) values.push_back(f(item));
  return values;
}

/// A fair sample of points, but for those that are not finite.
Json series(const std::string& label, const char* style, const Values& x, const Values& y) {
  Json json = {{"label", label}, {"style", style}, {"x", Json::array()}, {"y", Json::array()}};
  for (std::size_t i = 0; i < x.size(); i += 1 + (x.size() - 1) / max_plotted) {
    if (!std::isfinite(x[i]) || !std::isfinite(y[i])) continue;
    json["x"].push_back(rounded(x[i]));
    json["y"].push_back(rounded(y[i]));
  }
  return json;
}

Json lattice_of(const beam::BeamLine& line) {
  Json lattice = Json::array();
  double end = 0.;
  for (const auto& element : line) {
    const double begin = end;
    end += beam::length_of(element);
    const bool is_drift = element.kind.as<beam::SpaceChargeDrift>() && !has_space_charge(element);
    const char* const family = element.kind.family();
    lattice.push_back({{"kind", is_drift ? beam::Drift::family : family},
                       {"name", element.name},
                       {"begin", rounded(begin)},
                       {"end", rounded(end)},
                       {"strength", element.kind.strength()}});
  }
  return lattice;
}

Json size_plot(const Input& input, const beam::BeamLine& line, const Tracked& tracked) {
  const auto& rows = tracked.plotted_rows;
  const double begin = rows[0].moments.reference.path_length;
  const auto curve = [&](const char* label, const auto& value) {
    const auto of_bunch = [&](const MomentRow& row) {
      return row.moments.number > 0. ? value(row.moments) : std::nan("");
    };
    const auto place = [&](const MomentRow& row) {
      return row.moments.reference.path_length - begin;
    };
    return series(label, "line", values_of(rows, place), values_of(rows, of_bunch));
  };
  Json panels = {panel("s [m]", "rms size [mm]",
                       {curve("x", [](const Moments& m) { return 1e3 * m.sigma(beam::x); }),
                        curve("y", [](const Moments& m) { return 1e3 * m.sigma(beam::y); })})};
  const bool has_bends = std::ranges::any_of(line, [](const beam::Element& element) {
    return std::string_view(element.kind.family()) == beam::Bend::family;
  });
  if (has_bends) {
    auto& sizes = panels[0]["series"];
    sizes.push_back(curve("x without dispersion", [](const Moments& m) {
      const auto optics = m.betatron_optics(beam::x);
      return 1e3 * std::sqrt(optics.emittance * optics.beta);
    }));
    sizes.back()["dashed"] = true;
    panels.push_back(panel("s [m]", "dispersion [m]", Json::array({curve("x", [](const Moments& m) {
                             return m.betatron_optics(beam::x).dispersion;
                           })})));
  }
  if (input.periodic) {
    const auto optics = optics_of(input, line).optics;
    const auto s = values_of(optics, [](const beam::Optics& at) { return at.position; });
    const auto beta = [&](const char* label, const auto& plane) {
      return series(label, "line", s,
                    values_of(optics, [&](const beam::Optics& at) { return (at.*plane).beta; }));
    };
    panels.push_back(panel("s [m]", "periodic beta function [m]",
                           {beta("x", &beam::Optics::x), beta("y", &beam::Optics::y)}));
  }
  for (auto& each : panels) each["x"]["range"] = {0., input.length > 0. ? input.length : 1.};
  if (input.line.size() <= max_plotted) panels[0]["lattice"] = lattice_of(input.line);
  return {
      {"name", "sizes"},
      {"title", fmt::format("Line {}: {:.0f} particles", input.line_name, tracked.start.number)},
      {"panels", panels}};
}

Json phase_space_plot(const Tracked& tracked) {
  /// A coordinate in thousandths, or for s the delay in ps; none of lost particles.
  const auto values = [](const ParticleTable& particles, beam::Coordinate c) {
    Values result;
    for (int i = 0; i < particles.size(); ++i) {
      const double value = c == beam::s
                               ? 1e9 / constants::speed_of_light *
                                     beam::delay(particles.reference, particles.v[beam::s][i],
                                                 particles.v[beam::delta][i])
                               : particles.v[c][i];
      result.push_back(particles.losses[i].element == beam::Loss::none ? 1e3 * value
                                                                       : std::nan(""));
    }
    return result;
  };
  const auto both = [&](const char* x_label, beam::Coordinate x, const char* y_label,
                        beam::Coordinate y) {
    const auto dots = [&](const char* label, const ParticleTable& particles) {
      return series(label, "dots", values(particles, x), values(particles, y));
    };
    return panel(x_label, y_label,
                 {dots("start", tracked.first_sample), dots("end", tracked.last_sample)});
  };
  return {{"name", "phase_space"},
          {"title", "Phase space: a sample of the particles"},
          {"columns", 3},
          {"panels",
           {both("x [mm]", beam::x, "x' [mrad]", beam::xp),
            both("y [mm]", beam::y, "y' [mrad]", beam::yp),
            both("t [ps]", beam::s, "delta [1e-3]", beam::delta)}}};
}

Json profile_plot(const beam::Element& element, const beam::SpaceChargeProfile& profile,
                  const beam::SpaceChargeStep& step) {
  const auto along = [&](const char* label, const Values& values, double scale) {
    const auto scaled = [](double by) { return [=](double value) { return by * value; }; };
    const auto curve =
        series("", "line", values_of(profile.time, scaled(1e12)), values_of(values, scaled(scale)));
    return panel("time relative to the reference particle [ps]", label, Json::array({curve}));
  };
  Json current = along("current [A]", profile.current, 1.);
  current["text"] = {fmt::format("last step: {:.4g} m", step.length),
                     fmt::format("beam radius {:.4g} mm", 1e3 * step.radius),
                     fmt::format("peak current {:.4g} A", step.peak_current),
                     "head of the bunch on the left"};
  return {{"name", "space_charge"},
          {"title", "Longitudinal space charge in " + element.name},
          {"panels", {current, along("energy change [keV]", profile.voltage, -1e-3)}}};
}

}  // namespace

beam::BeamLine plotted_line(const beam::BeamLine& line) {
  constexpr std::size_t wanted = 400, max_parts = 8;
  return beam::split(line, int(std::clamp(wanted / line.size(), 1ul, max_parts)));
}

Json plots_of(const Input& input, const TrackingSettings& settings, const Tracked& tracked) {
  Json plots = {size_plot(input, settings.plotted_line, tracked), phase_space_plot(tracked)};
  for (const auto& pass : tracked.space_charge)
    if (tracked.profile && pass.element == settings.profile_at)
      plots.push_back(profile_plot(input.line[pass.element], *tracked.profile, pass.last));
  return plots;
}

}  // namespace beamline
