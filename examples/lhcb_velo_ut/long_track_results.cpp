// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "comparison.hpp"
#include "input.hpp"
#include "results.hpp"

#include <common/plots.hpp>
#include <common/table.hpp>
#include <trackplex/validation/long_id_tracks.hpp>
#include <trackplex/validation/momentum_resolution.hpp>
#include <trackplex/validation/scifi_residuals.hpp>
#include <trackplex/validation/velo_ut_id_tracks.hpp>

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace lhcb_velo_ut {

using program::fraction;
using program::Json;
using validation::MomentumBin;

namespace {

constexpr std::array momentum_edges = {0., 5e3, 10e3, 20e3, 30e3, 40e3, 50e3};  // MeV

validation::IdValidationResult compare(const Events<lhcb::RawEvent>& events,
                                       std::span<const lhcb::TracksResult> found) {
  auto all = validation::long_track_validation(true);
  for (std::size_t e = 0; e < found.size(); ++e)
    if (const auto& truth = truth_of(*events[e]))
      all.add(*truth, validation::long_id_tracks(found[e], validation::velo_id_tracks(found[e])));
  return all.result();
}

Json to_json(const MomentumBin& bin) {
  const auto or_null = [&](double value) { return bin.pairs > 0 ? Json(value) : Json(); };
  return {{"tracks", bin.pairs},
          {"median_bias", or_null(bin.bias)},
          {"resolution", or_null(bin.resolution)},
          {"right_charge", fraction(double(bin.right_charges), double(bin.charges))}};
}

Json to_json(const std::vector<MomentumBin>& bins) {
  Json list = Json::array();
  for (const auto& bin : bins) {
    if (bin.pairs == 0) continue;
    Json json = {{"min_p", bin.min_p}, {"max_p", std::isinf(bin.max_p) ? Json() : Json(bin.max_p)}};
    json.update(to_json(bin));
    list.push_back(std::move(json));
  }
  return list;
}

/// Errors of the momenta, to four times the usual resolution.
Json momentum_plot(const std::vector<validation::MomentumPair>& momenta) {
  program::Histogram counts(-0.04, 0.04, 40);
  for (const auto& pair : momenta) counts.add(pair.reconstructed / pair.truth - 1.);
  return program::plot("long_momentum", fmt::format("{} long tracks", momenta.size()), 1,
                       {program::panel("(p - true p)/true p", "tracks", {counts.series("")})});
}

std::string text_of(const Json& momentum) {
  program::Table table(
      {"true p [GeV]", "long tracks", "median bias", "resolution", "right charge"});
  const auto add_row = [&](std::string range, const Json& json) {
    const auto percent = [&](const char* key, const char* format) {
      return program::cell_of(json, {"", key, format, 100.});
    };
    table.add_row({std::move(range), program::cell_of(json, {"", "tracks"}),
                   percent("median_bias", "{:+.2f} %"), percent("resolution", "{:.2f} %"),
                   percent("right_charge", "{:.1f} %")});
  };
  for (const auto& bin : momentum["bins"]) {
    const double low = 0.001 * bin["min_p"].get<double>();
    add_row(bin["max_p"].is_null()
                ? fmt::format("above {:.0f}", low)
                : fmt::format("{:.0f} to {:.0f}", low, 0.001 * bin["max_p"].get<double>()),
            bin);
  }
  add_row("all", momentum);
  return table.text();
}

/// Gives what is known of the tracks through VELO and UT names of their own: long tracks get those
/// of the tracks in the end.
void rename_velo_ut(Json& results) {
  for (const std::string key : {"tracks_in_acceptance", "ghosts", "ghost_rate", "ghost_rate_error",
                                "categories", "momentum"}) {
    if (!results.contains(key)) continue;
    results["velo_ut_" + key] = std::move(results[key]);
    results.erase(key);
  }
}

/// Adds the distances of hits from their tracks; warns if the geometry is not that of the events.
void add_residuals(program::Program& p, std::span<const lhcb::TracksResult> found) {
  validation::ScifiResiduals residuals;
  for (const auto& result : found) residuals.add(result);
  const auto of = [](const validation::ScifiResiduals::Sum& sum) -> Json {
    return {{"tracks", sum.tracks},
            {"hits", sum.hits},
            {"mean_mm", sum.hits > 0 ? Json(sum.mean()) : Json()}};
  };
  auto& json = p.results["scifi_residuals"] = of(residuals.all());
  json["crossing_modules"] = of(residuals.crossing());
  if (residuals.all().hits == 0) return;
  p.text += fmt::format(
      "SciFi hits are {:.3f} mm off their tracks, {:.3f} mm where those cross modules (means)\n",
      residuals.all().mean(), residuals.crossing().mean());
  if (residuals.suspicious())
    p.warn(
        "hits of the SciFi are {:.2f} mm off the tracks that cross modules, on average; more than "
        "{:.2f} mm: is the geometry that of the events?",
        residuals.crossing().mean(), residuals.max_mean);
}

}  // namespace

void add_long_tracks(program::Program& p, const Events<lhcb::RawEvent>& events,
                     std::span<const lhcb::TracksResult> found) {
  std::size_t tracks = 0, with_ut = 0;
  for (const auto& result : found) {
    tracks += result.long_tracks.size();
    for (const auto& track : result.long_tracks) with_ut += track.ut_track >= 0;
  }
  const auto compared = compare(events, found);
  const Truth truth(compared);
  auto& results = p.results;
  rename_velo_ut(results);
  results.update(
      {{"long_tracks", tracks},
       {"long_tracks_with_ut", with_ut},
       {"tracks_in_acceptance", truth.or_null(truth.tracks)},
       {"ghosts", truth.or_null(truth.ghosts)},
       {"ghost_rate", truth.ghost_rate()},
       {"ghost_rate_error", truth.ghost_rate_error()},
       {"fast_tracks", truth.or_null(compared.fast_tracks)},
       {"fast_ghosts", truth.or_null(compared.fast_ghosts)},
       {"fast_ghost_rate", fraction(double(compared.fast_ghosts), double(compared.fast_tracks))},
       {"categories", truth.categories}});
  truth.warn(p, "long tracks");
  p.text += fmt::format("\n{} long tracks, {} with hits in the UT\n", tracks, with_ut);
  add_residuals(p, found);
  if (truth.events == 0) return;
  p.text += fmt::format(
      "ghosts: {} of the {} with 2 < eta < 5 ({}), {} of the {} with p > 3 GeV and pT > 0.5 GeV "
      "({})\n\n",
      truth.ghosts, truth.tracks, truth.ghost_percent(), compared.fast_ghosts, compared.fast_tracks,
      program::percent(double(compared.fast_ghosts), double(compared.fast_tracks)));
  p.text += program::category_table("long tracks, 2 < eta < 5", truth.categories);
  if (compared.momenta.empty()) return;
  auto& momentum = results["momentum"] = to_json(validation::momentum_resolution(compared.momenta));
  momentum["bins"] = to_json(validation::momentum_bins(compared.momenta, momentum_edges));
  p.text += "\n" + text_of(momentum);
  p.plots.push_back(momentum_plot(compared.momenta));
}

}  // namespace lhcb_velo_ut
