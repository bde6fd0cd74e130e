// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "results.hpp"

#include <common/table.hpp>

#include <fmt/format.h>

#include <array>
#include <utility>

namespace lhcb_velo_ut {

namespace program = trackplex::program;
using program::Json;
using trackplex::validation::Efficiency;

namespace {

/// Table 3 of P. Fernandez Declara et al. (Compass), 1000 events, in percent.
struct Published {
  int groups, candidates;
  std::array<double, 3> percent;  ///< as the quantities
};
constexpr std::array<Published, 9> published = {{{1, 1, {71.91, 61.88, 7.73}},
                                                 {1, 8, {80.36, 76.58, 7.61}},
                                                 {1, 16, {80.52, 77.04, 7.52}},
                                                 {3, 1, {84.70, 66.87, 7.64}},
                                                 {3, 8, {94.72, 82.66, 7.43}},
                                                 {3, 16, {94.94, 83.19, 7.33}},
                                                 {5, 1, {85.23, 67.10, 7.70}},
                                                 {5, 8, {95.27, 82.87, 7.47}},
                                                 {5, 16, {95.49, 83.40, 7.38}}}};

constexpr const char* at_beam = "best, states at the beam";
constexpr std::array quantities = {"Long p>3GeV pT>0.5GeV", "Velo+UT p>5GeV", "ghosts"};

Efficiency quantity(const ScanPoint& point, std::size_t q) {
  const auto& truth = point.results.velo_ut;
  return q == 2 ? truth.ghost_rate() : truth[quantities[q]].efficiency();
}

const Published* published_for(const ScanPoint& point) {
  for (const auto& row : published)
    if (point.has_published && row.groups == point.cuts.sector_groups &&
        row.candidates == point.cuts.candidates)
      return &row;
  return nullptr;
}

Json panel(const std::vector<ScanPoint>& points, std::size_t q) {
  Json found = Json::array(), paper = Json::array();
  for (const auto& point : points) {
    const int groups = point.cuts.sector_groups;
    const auto label = fmt::format("{}, {} group{}", point.name, groups, groups == 1 ? "" : "s");
    if (found.empty() || found.back()["label"] != label) {
      found.push_back({{"label", label}, {"style", "line"}, {"color", found.size()}});
      paper.push_back({{"label", ""}, {"style", "points"}, {"color", paper.size()}});
    }
    const auto value = quantity(point, q);
    found.back()["x"].push_back(point.cuts.candidates);
    found.back()["y"].push_back(100. * value.value());
    found.back()["error"].push_back(100. * value.error());
    if (const auto* row = published_for(point)) {
      paper.back()["x"].push_back(row->candidates);
      paper.back()["y"].push_back(row->percent[q]);
      paper.back()["open"].push_back(true);
    }
  }
  for (auto& series : paper)
    if (series.contains("x")) found.push_back(std::move(series));
  return {{"title", quantities[q]},
          {"x", {{"label", "candidates"}, {"log", true}}},
          {"y", {{"label", q == 2 ? "ghost rate [%]" : "efficiency [%]"}}},
          {"series", std::move(found)}};
}

Json to_json(const std::vector<ScanPoint>& points) {
  Json json = Json::array();
  for (const auto& point : points) {
    const auto results = point.results.to_json();
    auto& entry = json.emplace_back(Json{{"parameters", point.name},
                                         {"sectors", point.cuts.sector_groups},
                                         {"candidates", point.cuts.candidates}});
    for (const char* key : {"tracks", "tracks_in_acceptance", "ghosts", "ghost_rate", "categories"})
      entry[key] = results[key];
    for (const auto& [step, time] : point.time_us) entry["time_us"][step] = time.median;
  }
  return json;
}

std::string table_of(const std::vector<ScanPoint>& points) {
  program::Table table({"cuts", "groups", "pairs", "Long [%]", "paper", "Velo+UT", "paper",
                        "ghosts", "paper", "search us"});
  for (const auto& point : points) {
    const auto* const row = published_for(point);
    std::vector<std::string> cells = {point.name == at_beam ? "best, beam" : point.name,
                                      std::to_string(point.cuts.sector_groups),
                                      std::to_string(point.cuts.candidates)};
    for (std::size_t q = 0; q < quantities.size(); ++q) {
      const auto value = quantity(point, q);
      cells.push_back(
          point.results.has_truth()
              ? fmt::format("{:.1f} +- {:.1f}", 100. * value.value(), 100. * value.error())
              : "");
      cells.push_back(row ? fmt::format("{:.2f}", row->percent[q]) : "");
    }
    double search = 0.;
    for (const auto& [step, time] : point.time_us) search += time.median;
    cells.push_back(fmt::format("{:.1f}", search));
    table.add_row(std::move(cells));
  }
  return table.text() +
         fmt::format(
             "Long: {}; Velo+UT: {}; best, beam: with VELO states at the beam;\n"
             "paper: Table 3 of the Compass paper, 1000 events, other ghost rejection;\n"
             "search: windows and tracklets per event\n",
             quantities[0], quantities[1]);
}

Json plot_of(const std::vector<ScanPoint>& points) {
  return {{"name", "cuts"},
          {"title", fmt::format("{} events; open: Table 3 of the Compass paper, 1000 events, other "
                                "ghost rejection",
                                points.front().results.events)},
          {"columns", 3},
          {"panels", {panel(points, 0), panel(points, 1), panel(points, 2)}}};
}

}  // namespace

std::vector<ScanPoint> points_of_scan(const std::string& name,
                                      const trackplex::lhcb::CompassParams& base) {
  std::vector<ScanPoint> points;
  for (const int groups : {1, 3, 5})
    for (const int candidates : {1, 2, 4, 8, 16}) {
      auto& cuts = points.emplace_back(ScanPoint{name, base, true}).cuts;
      cuts.sector_groups = groups;
      cuts.candidates = candidates;
    }
  for (const bool end_of_velo_states : {true, false})
    for (const int candidates : {1, 2, 4}) {
      const char* const best = end_of_velo_states ? "best" : at_beam;
      auto& cuts = points.emplace_back(ScanPoint{best, {}}).cuts;
      cuts.end_of_velo_states = end_of_velo_states;
      cuts.candidates = candidates;
    }
  return points;
}

void report_scan(const std::vector<ScanPoint>& points, program::Program& program) {
  program.results["scan"] = to_json(points);
  program.text += "\n" + table_of(points);
  if (points.front().results.has_truth()) program.plots.push_back(plot_of(points));
}

}  // namespace lhcb_velo_ut
