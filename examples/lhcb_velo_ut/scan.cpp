// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "scan.hpp"

#include <trackplex/program/progress.hpp>
#include <trackplex/program/table.hpp>

#include <fmt/format.h>

#include <array>
#include <utility>

namespace lhcb_velo_ut {

namespace lhcb = trackplex::lhcb;
namespace program = trackplex::program;
using program::Json;

namespace {

constexpr const char* long_particles = "Long p>3GeV pT>0.5GeV";
constexpr const char* velo_ut_particles = "Velo+UT p>5GeV";

/// Table 3 of P. Fernandez Declara et al. (Compass), 1000 events, in percent.
struct Published {
  int groups, candidates;
  double long_efficiency, velo_ut_efficiency, ghosts;
};
constexpr std::array<Published, 9> published = {{{1, 1, 71.91, 61.88, 7.73},
                                                 {1, 8, 80.36, 76.58, 7.61},
                                                 {1, 16, 80.52, 77.04, 7.52},
                                                 {3, 1, 84.70, 66.87, 7.64},
                                                 {3, 8, 94.72, 82.66, 7.43},
                                                 {3, 16, 94.94, 83.19, 7.33},
                                                 {5, 1, 85.23, 67.10, 7.70},
                                                 {5, 8, 95.27, 82.87, 7.47},
                                                 {5, 16, 95.49, 83.40, 7.38}}};

std::vector<ScanPoint> settings(const ProgramOptions& options) {
  std::vector<ScanPoint> points;
  const auto base = options.tracking().ut;
  for (const int groups : {1, 3, 5})
    for (const int candidates : {1, 2, 4, 8, 16}) {
      auto& point = points.emplace_back(ScanPoint{options.parameters, base, {}});
      point.cuts.sector_groups = groups;
      point.cuts.candidates = candidates;
    }
  for (const bool end_of_velo_states : {true, false})
    for (const int candidates : {1, 2, 4}) {
      const char* const name = end_of_velo_states ? "best" : "best, states at the beam";
      auto& point = points.emplace_back(ScanPoint{name, {}, {}});
      point.cuts.end_of_velo_states = end_of_velo_states;
      point.cuts.candidates = candidates;
    }
  return points;
}

std::string published_cell(const ScanPoint& point, double Published::*column) {
  if (point.name.starts_with("best")) return "";
  for (const auto& row : published)
    if (row.groups == point.cuts.sector_groups && row.candidates == point.cuts.candidates)
      return fmt::format("{:.2f}", row.*column);
  return "";
}

}  // namespace

std::vector<ScanPoint> scan(const ProgramOptions& options, const Input& input) {
  auto points = settings(options);
  bool is_first = true;
  program::dispatch<float, double>(options.common, [&](const auto& run) {
    if (!std::exchange(is_first, false)) return;
    program::ProgressBar progress("scan", points.size(), options.common);
    for (auto& point : points) {
      ReconstructionSettings settings{.parameters = options.tracking(),
                                      .batch = std::size_t(options.pipeline.batch()),
                                      .repeat = options.common.repeat};
      settings.parameters.ut = point.cuts;
      const auto found = reconstruct(run, input.detector, input.events, settings);
      point.results = results_of(input, found);
      point.windows_us = found.time_us.at("ut_windows").median;
      point.tracklets_us = found.time_us.at("ut_tracklets").median;
      progress.advance();
    }
  });
  return points;
}

Json to_json(const std::vector<ScanPoint>& points) {
  Json json = Json::array();
  for (const auto& point : points) {
    const auto results = point.results.to_json();
    json.push_back(
        {{"parameters", point.name},
         {"sectors", point.cuts.sector_groups},
         {"candidates", point.cuts.candidates},
         {"tracks", results["tracks"]},
         {"tracks_in_acceptance", results["tracks_in_acceptance"]},
         {"ghosts", results["ghosts"]},
         {"ghost_rate", results["ghost_rate"]},
         {"categories", results["categories"]},
         {"time_us", {{"ut_windows", point.windows_us}, {"ut_tracklets", point.tracklets_us}}}});
  }
  return json;
}

std::string scan_table(const std::vector<ScanPoint>& points) {
  program::Table table({"cuts", "sectors", "candidates", long_particles, "paper", velo_ut_particles,
                        "paper", "ghosts", "paper", "windows us", "tracklets us"});
  const auto percent = [](const auto& efficiency) {
    return fmt::format("{:.2f} +- {:.2f}", 100. * efficiency.value(), 100. * efficiency.error());
  };
  for (const auto& point : points) {
    const auto& truth = point.results.velo_ut;
    const bool known = point.results.has_truth();
    table.add_row(
        {point.name, std::to_string(point.cuts.sector_groups),
         std::to_string(point.cuts.candidates),
         known ? percent(truth[long_particles].efficiency()) : "",
         published_cell(point, &Published::long_efficiency),
         known ? percent(truth[velo_ut_particles].efficiency()) : "",
         published_cell(point, &Published::velo_ut_efficiency),
         known ? percent(truth.ghost_rate()) : "", published_cell(point, &Published::ghosts),
         fmt::format("{:.1f}", point.windows_us), fmt::format("{:.1f}", point.tracklets_us)});
  }
  return table.text() +
         "percent; paper: Table 3 of the Compass paper, 1000 events, other ghost rejection\n";
}

}  // namespace lhcb_velo_ut
