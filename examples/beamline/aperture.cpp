// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reports of the dynamic aperture.
#include "aperture.hpp"

#include <common/plots.hpp>
#include <common/table.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <utility>

namespace beamline {

using beam::ApertureStart;
using program::Json;

namespace {

bool is_lost(const ApertureStart& start) { return start.loss.element != beam::Loss::none; }

/// Classes of diffusion by its logarithm, from regular to chaotic motion.
constexpr std::pair<double, const char*> classes[] = {{-9., "below 1e-9"},
                                                      {-7., "1e-9 to 1e-7"},
                                                      {-5., "1e-7 to 1e-5"},
                                                      {-3., "1e-5 to 1e-3"},
                                                      {1., "above 1e-3"}};

int class_of(const ApertureStart& start) {
  return int(
      std::ranges::find_if(classes, [&](const auto& c) { return start.diffusion <= c.first; }) -
      std::begin(classes));
}

}  // namespace

Json aperture_json(const ApertureSettings& settings, const TrackedAperture& found) {
  const auto& starts = found.starts;
  const auto lost = std::ranges::count_if(starts, is_lost);
  Json by_class = Json::array();
  for (int c = 0; c < int(std::size(classes)); ++c)
    by_class.push_back({{"tune_change", classes[c].second},
                        {"starts", std::ranges::count_if(starts, [&](const ApertureStart& start) {
                           return !is_lost(start) && class_of(start) == c;
                         })}});
  return {{"closed_orbit", closed_orbit_json(settings.about)},
          {"dynamic_aperture",
           {{"starts", starts.size()},
            {"columns", settings.grid.columns},
            {"rows", settings.grid.rows},
            {"x_max_m", settings.grid.x_max},
            {"y_max_m", settings.grid.y_max},
            {"turns", settings.turns},
            {"survivors", std::int64_t(starts.size()) - lost},
            {"lost", lost},
            {"area_m2", beam::surviving_area(settings.grid, starts)},
            {"diffusion", by_class}}}};
}

std::string aperture_text(const Input& input, const Json& results) {
  const auto& of = results["dynamic_aperture"];
  auto text = fmt::format(
      "line {}: {} of {} starts within {:g} x {:g} mm survive {} turns; connected area around the "
      "closed orbit, y > 0: "
      "{:.4g} mm^2\n\n",
      input.line_name, of["survivors"].get<std::int64_t>(), of["starts"].get<std::int64_t>(),
      1e3 * of["x_max_m"].get<double>(), 1e3 * of["y_max_m"].get<double>(), of["turns"].get<int>(),
      1e6 * of["area_m2"].get<double>());
  Json rows = of["diffusion"];
  rows.push_back({{"tune_change", "lost"}, {"starts", of["lost"]}});
  return text + program::table_of(rows, {{"change of the tunes between the halves", "tune_change"},
                                         {"starts", "starts"}});
}

io::Table aperture_table(const TrackedAperture& found) {
  using enum io::ColumnType;
  io::Table table{"aperture",
                  {{"x", "m", float64},
                   {"y", "m", float64},
                   {"lost_turn", "", int64},
                   {"lost_element", "", int64},
                   {"nux", "", float64},
                   {"nuy", "", float64},
                   {"diffusion", "", float64}}};
  for (const auto& start : found.starts)
    table.add_row(start.x, start.y, start.loss.turn, start.loss.element, start.tune_x, start.tune_y,
                  start.diffusion);
  return table;
}

Json aperture_plot(const Input& input, const ApertureSettings& settings,
                   const TrackedAperture& found) {
  constexpr int n = int(std::size(classes)), grey = 7;
  program::Coordinates places[n + 1], tunes[n];
  for (const auto& start : found.starts) {
    const int c = is_lost(start) ? n : class_of(start);
    places[c].add(1e3 * start.x, 1e3 * start.y);
    if (c < n) tunes[c].add(start.tune_x, start.tune_y);
  }
  Json in_space = Json::array(), in_tunes = Json::array();
  for (int c = 0; c < n; ++c) {
    in_space.push_back(places[c].series(classes[c].second, "points", c));
    in_tunes.push_back(tunes[c].series(classes[c].second, "points", c));
  }
  in_space.push_back(places[n].series("lost", "dots", grey));
  return program::plot("aperture",
                       fmt::format("Line {}, {} turns: change of the tunes between the halves",
                                   input.line_name, settings.turns),
                       2,
                       {program::panel("x [mm]", "y [mm]", in_space),
                        program::panel("horizontal tune", "vertical tune", in_tunes)});
}

}  // namespace beamline
