// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "input.hpp"
#include "results.hpp"

#include <common/plots.hpp>
#include <common/table.hpp>
#include <trackplex/validation/long_fit_validation.hpp>
#include <trackplex/validation/long_id_tracks.hpp>
#include <trackplex/validation/velo_ut_id_tracks.hpp>
#include <trackplex/validation/vertex_validation.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace lhcb_velo_ut {

using program::Json;
using validation::half_width_68;
using validation::LongFitValidation;

namespace {

constexpr double um_per_mm = 1000.;
constexpr double no_limit = std::numeric_limits<double>::infinity();
constexpr std::array fit_momentum_edges = {0., 5e3, 10e3, 20e3, 50e3, no_limit};  // MeV
constexpr std::array pt_edges = {0., 500., 1000., no_limit};                      // MeV

LongFitValidation compare_fits(const Events<lhcb::RawEvent>& events,
                               std::span<const lhcb::TracksResult> found) {
  auto matching = validation::long_track_validation();
  LongFitValidation all;
  for (std::size_t e = 0; e < found.size(); ++e) {
    const auto& truth = truth_of(*events[e]);
    if (!truth) continue;
    matching.add(*truth,
                 validation::long_id_tracks(found[e], validation::velo_id_tracks(found[e])));
    all.add(*truth, found[e], matching.matches());
  }
  return all;
}

template <class Item>
std::vector<double> fit_values(const std::vector<Item>& items, double Item::*member) {
  std::vector<double> list;
  for (const auto& item : items) list.push_back(item.*member);
  return list;
}

double fit_median(std::vector<double> list) {
  const auto middle = list.begin() + std::ptrdiff_t(list.size() / 2);
  std::nth_element(list.begin(), middle, list.end());
  return *middle;
}

/// Null without items.
template <class Item>
Json fit_width(const std::vector<Item>& items, double Item::*member, double unit = 1.) {
  return items.empty() ? Json() : Json(unit * half_width_68(fit_values(items, member)));
}

Json fit_momentum(const std::vector<LongFitValidation::Track>& tracks) {
  using Track = LongFitValidation::Track;
  return {{"tracks", tracks.size()},
          {"median_bias",
           tracks.empty() ? Json() : Json(fit_median(fit_values(tracks, &Track::error)))},
          {"search_resolution", fit_width(tracks, &Track::search_error)},
          {"resolution", fit_width(tracks, &Track::error)},
          {"qop_pull", fit_width(tracks, &Track::qop_pull)}};
}

Json fit_impact(const std::vector<LongFitValidation::Impact>& impacts) {
  using Impact = LongFitValidation::Impact;
  return {{"tracks", impacts.size()},
          {"x_um", fit_width(impacts, &Impact::x, um_per_mm)},
          {"y_um", fit_width(impacts, &Impact::y, um_per_mm)},
          {"pulls",
           {{"x", fit_width(impacts, &Impact::x_pull)},
            {"y", fit_width(impacts, &Impact::y_pull)},
            {"tx", fit_width(impacts, &Impact::tx_pull)},
            {"ty", fit_width(impacts, &Impact::ty_pull)}}}};
}

Json fit_vertex_impact(const std::vector<LongFitValidation::VertexImpact>& impacts) {
  using Impact = LongFitValidation::VertexImpact;
  return {
      {"tracks", impacts.size()},
      {"x_um", fit_width(impacts, &Impact::x, um_per_mm)},
      {"y_um", fit_width(impacts, &Impact::y, um_per_mm)},
      {"pulls",
       {{"x", fit_width(impacts, &Impact::x_pull)}, {"y", fit_width(impacts, &Impact::y_pull)}}}};
}

/// The object of all items and those of the items between edges of a member, without empty bins.
template <class Item, class ToJson, std::size_t N>
Json in_bins(const std::vector<Item>& items, double Item::*member,
             const std::array<double, N>& edges, const char* name, const ToJson& to_json) {
  Json all = to_json(items);
  auto& bins = all["bins"] = Json::array();
  for (std::size_t i = 0; i + 1 < N; ++i) {
    std::vector<Item> inside;
    for (const auto& item : items)
      if (edges[i] <= item.*member && item.*member < edges[i + 1]) inside.push_back(item);
    if (inside.empty()) continue;
    Json bin = {
        {fmt::format("min_{}", name), edges[i]},
        {fmt::format("max_{}", name), std::isinf(edges[i + 1]) ? Json() : Json(edges[i + 1])}};
    bin.update(to_json(inside));
    bins.push_back(std::move(bin));
  }
  return all;
}

/// Range of a bin of MeV, in GeV.
std::string fit_range_of(const Json& bin, const char* name) {
  const double low = 0.001 * bin[fmt::format("min_{}", name)].get<double>();
  const auto& high = bin[fmt::format("max_{}", name)];
  return high.is_null() ? fmt::format("above {:g}", low)
                        : fmt::format("{:g} to {:g}", low, 0.001 * high.get<double>());
}

std::string fit_tables_of(const Json& fits) {
  program::Table momenta({"true p [GeV]", "fitted tracks", "median bias", "resolution, search",
                          "resolution, fit", "pull of q/p"});
  const auto add_momentum = [&](std::string range, const Json& json) {
    const auto cell = [&](const char* key, const char* format, double scale) {
      return program::cell_of(json, {"", key, format, scale});
    };
    momenta.add_row({std::move(range), cell("tracks", "{}", 1.),
                     cell("median_bias", "{:+.2f} %", 100.),
                     cell("search_resolution", "{:.2f} %", 100.),
                     cell("resolution", "{:.2f} %", 100.), cell("qop_pull", "{:.2f}", 1.)});
  };
  for (const auto& bin : fits["momentum"]["bins"]) add_momentum(fit_range_of(bin, "p"), bin);
  add_momentum("all", fits["momentum"]);
  program::Table impacts({"true pT [GeV]", "from vertices", "IPx [um]", "IPy [um]", "pull of x",
                          "pull of y", "pull of tx", "pull of ty"});
  const auto add_impact = [&](std::string range, const Json& json) {
    const auto cell = [&](const Json& object, const char* key, const char* format) {
      return program::cell_of(object, {"", key, format});
    };
    std::vector<std::string> row{std::move(range), cell(json, "tracks", "{}"),
                                 cell(json, "x_um", "{:.1f}"), cell(json, "y_um", "{:.1f}")};
    for (const char* axis : {"x", "y", "tx", "ty"})
      row.push_back(cell(json["pulls"], axis, "{:.2f}"));
    impacts.add_row(std::move(row));
  };
  for (const auto& bin : fits["impact"]["bins"]) add_impact(fit_range_of(bin, "pt"), bin);
  add_impact("all", fits["impact"]);
  add_impact("all, to found vertices", fits["vertex_impact"]);
  return momenta.text() + "\n" + impacts.text();
}

/// Errors of momenta to four times the usual resolution, pulls of q/p, and impact parameters.
Json fit_plot_of(const LongFitValidation& all) {
  program::Histogram errors(-0.016, 0.016, 40), pulls(-5., 5., 40), impacts(-200., 200., 40);
  for (const auto& track : all.tracks()) {
    errors.add(track.error);
    pulls.add(track.qop_pull);
  }
  for (const auto& ip : all.impacts()) impacts.add(um_per_mm * ip.x);
  return program::plot(
      "long_fits", fmt::format("{} fitted long tracks", all.tracks().size()), 3,
      {program::panel("(p - true p)/true p", "tracks", {errors.series("")}),
       program::panel("pull of q/p", "tracks", {pulls.series("")}),
       program::panel("IPx [um]", "tracks from primary vertices", {impacts.series("")})});
}

}  // namespace

void add_long_fits(program::Program& p, const Events<lhcb::RawEvent>& events,
                   std::span<const lhcb::TracksResult> found) {
  std::vector<double> chi2_per_ndf;
  for (const auto& result : found)
    for (const auto& fit : result.long_fits) chi2_per_ndf.push_back(fit.chi2 / double(fit.ndf));
  const std::size_t n = chi2_per_ndf.size();
  auto& json = p.results["long_fits"] = {
      {"fits", n}, {"median_chi2_per_ndf", n > 0 ? Json(fit_median(chi2_per_ndf)) : Json()}};
  p.text +=
      fmt::format("\n{} fits of long tracks{}\n", n,
                  program::cell_of(json, {"", "median_chi2_per_ndf", ", median chi2/ndf {:.2f}"}));
  const auto all = compare_fits(events, found);
  if (all.tracks().empty()) return;
  json["momentum"] =
      in_bins(all.tracks(), &LongFitValidation::Track::p, fit_momentum_edges, "p", fit_momentum);
  json["impact"] =
      in_bins(all.impacts(), &LongFitValidation::Impact::pt, pt_edges, "pt", fit_impact);
  json["vertex_impact"] = fit_vertex_impact(all.vertex_impacts());
  p.text += fit_tables_of(json);
  p.plots.push_back(fit_plot_of(all));
}

}  // namespace lhcb_velo_ut
