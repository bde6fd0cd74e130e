// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "results.hpp"

#include <trackplex/program/table.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace lhcb_velo_ut {

namespace program = trackplex::program;
namespace validation = trackplex::validation;
using program::Json;

namespace {

/// A fraction, or null where there is nothing to divide by.
Json fraction(const validation::Efficiency& efficiency, std::uint64_t whole) {
  return whole == 0 ? Json(nullptr) : Json(efficiency.value());
}

double pseudorapidity(const trackplex::lhcb::VeloTrackState& state) {
  const double tan_theta = std::hypot(state.tx, state.ty);
  return std::asinh(1. / tan_theta) * (state.backward ? -1. : 1.);
}

std::vector<validation::IdTrack> velo_id_tracks(const EventResult& event) {
  std::vector<validation::IdTrack> tracks(event.velo_tracks.size());
  for (std::size_t t = 0; t < tracks.size(); ++t) {
    for (const auto hit : event.velo_tracks[t])
      tracks[t].velo_ids.push_back(event.velo_hits.ids[hit]);
    tracks[t].eta = pseudorapidity(event.velo_tracks.states[t]);
  }
  return tracks;
}

std::vector<validation::IdTrack> ut_id_tracks(const EventResult& event,
                                              const std::vector<validation::IdTrack>& velo) {
  std::vector<validation::IdTrack> tracks;
  for (const auto& found : event.ut_tracks) {
    auto& track = tracks.emplace_back(velo[found.velo_track]);
    for (const auto hit : found.hits)
      if (hit >= 0) track.ut_ids.push_back(event.ut_hits.ids[hit]);
    track.p = found.p();
    track.charge = found.qop > 0. ? 1 : -1;
  }
  return tracks;
}

Json to_json(const validation::IdValidationResult& truth) {
  Json json = Json::object();
  for (const auto& category : truth.categories)
    json[std::string(category.name)] = {
        {"particles", category.particles},
        {"found", category.found},
        {"efficiency", fraction(category.efficiency(), category.particles)},
        {"clones", category.clones},
        {"clone_rate", fraction(category.clone_rate(), category.found)}};
  return json;
}

std::string category_table(const std::string& title, const validation::IdValidationResult& truth) {
  program::Table table({title, "particles", "found", "efficiency", "+-", "clones", "clone rate"});
  for (const auto& r : truth.categories) {
    if (r.particles == 0) continue;
    table.add_row({std::string(r.name), std::to_string(r.particles), std::to_string(r.found),
                   program::percent(double(r.found), double(r.particles)),
                   fmt::format("{:.2f} %", 100. * r.efficiency().error()), std::to_string(r.clones),
                   program::percent(double(r.clones), double(r.found + r.clones))});
  }
  return table.text();
}

/// How well momenta are measured.
struct MomentumSummary {
  double median_bias = 0.;   ///< of (p - p_true)/p_true
  double median_error = 0.;  ///< of its absolute value
  std::size_t charges = 0;   ///< that the truth tells
  double right_charge = 0.;  ///< fraction of those
};
MomentumSummary summary_of(const std::vector<validation::MomentumPair>& momenta) {
  std::vector<double> differences, sizes;
  std::size_t charges = 0, right = 0;
  for (const auto& pair : momenta) {
    differences.push_back(pair.reconstructed / pair.truth - 1.);
    sizes.push_back(std::abs(differences.back()));
    charges += pair.has_charge;
    right += pair.right_charge;
  }
  std::sort(differences.begin(), differences.end());
  std::sort(sizes.begin(), sizes.end());
  return {program::quantile(differences, 0.5), program::quantile(sizes, 0.5), charges,
          charges > 0 ? double(right) / double(charges) : 0.};
}

}  // namespace

Results results_of(const Input& input, const Reconstruction& found) {
  auto velo = validation::velo_track_validation();
  auto velo_ut = validation::velo_ut_track_validation(true);
  Results results;
  for (std::size_t e = 0; e < found.events.size(); ++e) {
    const EventResult& event = found.events[e];
    results.velo_hits += event.velo_hits.size();
    results.velo_tracks += event.velo_tracks.size();
    results.velo_overflow += event.velo_overflow;
    results.ut_hits += event.ut_hits.size();
    results.ut_tracks += event.ut_tracks.size();
    results.left_out += event.velo_hits.invalid + event.ut_hits.unmapped;
    if (!input.truth[e]) continue;
    const auto tracks = velo_id_tracks(event);
    velo.add(*input.truth[e], tracks);
    velo_ut.add(*input.truth[e], ut_id_tracks(event, tracks));
  }
  results.events = found.events.size();
  results.bad_events = input.bad_events;
  results.hash = found.hash;
  results.velo = velo.result();
  results.velo_ut = velo_ut.result();
  return results;
}

Json Results::to_json() const {
  Json json = {{"events", events},
               {"bad_events", bad_events},
               {"velo_hits", velo_hits},
               {"velo_tracks", velo_tracks},
               {"velo_overflow", velo_overflow},
               {"ut_hits", ut_hits},
               {"left_out", left_out},
               {"tracks", ut_tracks}};
  json["tracks_in_acceptance"] = has_truth() ? Json(velo_ut.tracks) : Json(nullptr);
  json["ghosts"] = has_truth() ? Json(velo_ut.ghosts) : Json(nullptr);
  json["ghost_rate"] = fraction(velo_ut.ghost_rate(), velo_ut.tracks);
  json["velo_ghosts"] = has_truth() ? Json(velo.ghosts) : Json(nullptr);
  json["velo_ghost_rate"] = fraction(velo.ghost_rate(), velo.tracks);
  json["events_with_truth"] = velo.events;
  json["tracks_hash"] = hash;
  json["categories"] = has_truth() ? lhcb_velo_ut::to_json(velo_ut) : Json::object();
  json["velo_categories"] = has_truth() ? lhcb_velo_ut::to_json(velo) : Json::object();
  if (!velo_ut.momenta.empty()) {
    const auto momentum = summary_of(velo_ut.momenta);
    json["momentum"] = {
        {"tracks", velo_ut.momenta.size()},
        {"median_bias", momentum.median_bias},
        {"median_error", momentum.median_error},
        {"right_charge", momentum.charges > 0 ? Json(momentum.right_charge) : Json(nullptr)}};
  }
  return json;
}

std::string Results::text() const {
  std::string text =
      fmt::format("{} VELO tracks, {} of them with hits in the UT\n", velo_tracks, ut_tracks);
  if (!has_truth()) return text + "(no truth in the input: no ghost rates, no efficiencies)\n";
  if (velo.events < events) text += fmt::format("truth in {} of {} events\n", velo.events, events);
  text += fmt::format(
      "ghosts: {} of the VELO tracks ({}), {} of the {} tracks in the UT with 2 < eta < 5 ({})\n",
      velo.ghosts, program::percent(double(velo.ghosts), double(velo.tracks)), velo_ut.ghosts,
      velo_ut.tracks, program::percent(double(velo_ut.ghosts), double(velo_ut.tracks)));
  if (!velo_ut.momenta.empty()) {
    const auto momentum = summary_of(velo_ut.momenta);
    const auto charge = momentum.charges > 0
                            ? fmt::format("right in {:.1f} %", 100. * momentum.right_charge)
                            : std::string("n/a (none in the truth)");
    text += fmt::format("momentum: median error {:.1f} %, median bias {:+.1f} %, charge {}\n",
                        100. * momentum.median_error, 100. * momentum.median_bias, charge);
  }
  return text + "\n" + category_table("VELO tracks", velo) + "\n" +
         category_table("VELO and UT, 2 < eta < 5", velo_ut);
}

}  // namespace lhcb_velo_ut
