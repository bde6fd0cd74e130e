// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "input.hpp"
#include "results.hpp"

#include <common/plots.hpp>
#include <common/table.hpp>
#include <trackplex/validation/efficiency.hpp>
#include <trackplex/validation/vertex_validation.hpp>

#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace lhcb_velo_ut {

using program::Json;
using validation::half_width_68;
using validation::VertexValidation;

namespace {

constexpr std::array axes = {"x", "y", "z"};
constexpr double um = 1000.;  // per mm

/// Vertices against the truth of all events that have true vertices.
VertexValidation compare(const Events<lhcb::RawEvent>& events,
                         std::span<const lhcb::TracksResult> found) {
  VertexValidation all;
  for (std::size_t e = 0; e < found.size(); ++e) {
    const auto& truth = truth_of(*events[e]);
    if (!truth || truth->vertices.empty()) continue;
    std::vector<validation::TrueVertex> vertices;
    for (const auto& v : truth->vertices) vertices.push_back({{v.x, v.y, v.z}, v.n_tracks});
    all.add(found[e].vertices, vertices);
  }
  return all;
}

/// What the truth says; null where there is none.
Json to_json(const VertexValidation& all) {
  const auto& sums = all.sums();
  const auto or_null = [&](std::uint64_t n) { return all.events() > 0 ? Json(n) : Json(); };
  const auto by_axis = [&](const auto& value) {
    Json json = Json::object();
    for (std::size_t k = 0; k < axes.size(); ++k)
      json[axes[k]] = all.pulls(k).empty() ? Json() : Json(value(k));
    return json;
  };
  return {{"events_with_truth", all.events()},
          {"particles", or_null(sums.reconstructible)},
          {"found", or_null(sums.found)},
          {"efficiency", program::fraction(double(sums.found), double(sums.reconstructible))},
          {"efficiency_error",
           sums.reconstructible > 0
               ? Json(validation::Efficiency{sums.found, sums.reconstructible}.error())
               : Json()},
          {"false", or_null(sums.false_vertices)},
          {"duplicates", or_null(sums.duplicates)},
          {"resolution_um",
           by_axis([&](std::size_t k) { return um * half_width_68(all.residuals(k)); })},
          {"pulls", by_axis([&](std::size_t k) { return half_width_68(all.pulls(k)); })}};
}

std::string tables_of(const Json& vertices) {
  const auto counts = program::table_of({{"4 or more tracks", vertices}},
                                        {{"true primary vertices", ""},
                                         {"number", "particles"},
                                         {"found", "found"},
                                         {"efficiency", "efficiency", "{:.2f} %", 100.},
                                         {"+-", "efficiency_error", "{:.2f} %", 100.},
                                         {"false", "false"},
                                         {"duplicates", "duplicates"}});
  program::Table widths({"half widths that contain 68 %", "x", "y", "z"});
  const auto add_row = [&](const char* title, const char* key, const char* format) {
    std::vector<std::string> row{title};
    for (const char* axis : axes)
      row.push_back(program::cell_of(vertices[key], {"", axis, format}));
    widths.add_row(std::move(row));
  };
  add_row("residual [um]", "resolution_um", "{:.1f}");
  add_row("pull", "pulls", "{:.2f}");
  return counts + "\n" + widths.text();
}

/// Distances from the true vertices, to four times the usual half widths.
Json residual_plot(const VertexValidation& all) {
  constexpr std::array half_ranges = {60., 60., 300.};  // um
  Json panels = Json::array();
  for (std::size_t k = 0; k < axes.size(); ++k) {
    program::Histogram counts(-half_ranges[k], half_ranges[k], 40);
    for (const double residual : all.residuals(k)) counts.add(um * residual);
    panels.push_back(program::panel(fmt::format("{} - true {} [um]", axes[k], axes[k]), "vertices",
                                    {counts.series("")}));
  }
  return program::plot("vertices", fmt::format("{} primary vertices", all.residuals(0).size()), 3,
                       std::move(panels));
}

}  // namespace

void add_vertices(program::Program& p, const Events<lhcb::RawEvent>& events,
                  std::span<const lhcb::TracksResult> found) {
  std::size_t scifi_hits = 0, vertices = 0, lost = 0;
  for (const auto& result : found) {
    scifi_hits += result.scifi_hits.size();
    vertices += result.vertices.size();
    lost += result.vertex_overflow;
  }
  const auto all = compare(events, found);
  p.results["scifi_hits"] = scifi_hits;
  auto& json = p.results["vertices"] = {{"reconstructed", vertices}, {"overflow", lost}};
  json.update(to_json(all));
  if (lost > 0) p.warn("{} peaks along z found no slot for a vertex and are lost", lost);
  std::string text = fmt::format("\n{} primary vertices", vertices);
  if (scifi_hits > 0) text += fmt::format(", {} SciFi hits", scifi_hits);
  text += "\n";
  if (all.events() > 0) text += tables_of(json);
  if (!all.residuals(0).empty()) p.plots.push_back(residual_plot(all));
  p.text += text;
}

}  // namespace lhcb_velo_ut
