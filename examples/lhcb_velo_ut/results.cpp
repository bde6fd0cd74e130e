// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "results.hpp"

#include "input.hpp"

#include <common/plots.hpp>
#include <common/table.hpp>
#include <common/timing.hpp>
#include <trackplex/validation/velo_ut_id_tracks.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace lhcb_velo_ut {

namespace program = trackplex::program;
namespace validation = trackplex::validation;
using program::Json;

namespace {

Json categories_json(const validation::IdValidationResult& truth) {
  Json json = Json::object();
  for (const auto& [name, particles, found, clones] : truth.categories)
    json[std::string(name)] = {
        {"particles", particles},
        {"found", found},
        {"efficiency", program::fraction(found, particles)},
        {"efficiency_error", validation::Efficiency{found, particles}.error()},
        {"clones", clones},
        {"clone_rate", program::fraction(clones, found > 0 ? found + clones : 0)}};
  return json;
}

/// How well momenta are measured.
struct MomentumSummary {
  double median_bias = 0.;   ///< of (p - p_true)/p_true
  double median_error = 0.;  ///< of its absolute value
  Json right_charge;         ///< fraction of those that the truth tells, or null

  explicit MomentumSummary(const std::vector<validation::MomentumPair>& momenta) {
    std::vector<double> differences, sizes;
    std::size_t charges = 0, right = 0;
    for (const auto& pair : momenta) {
      differences.push_back(pair.reconstructed / pair.truth - 1.);
      sizes.push_back(std::abs(differences.back()));
      charges += pair.has_charge;
      right += pair.right_charge;
    }
    median_bias = program::spread_of(std::move(differences)).median;
    median_error = program::spread_of(std::move(sizes)).median;
    if (charges > 0) right_charge = double(right) / double(charges);
  }

  std::string text() const {
    return fmt::format("momentum: median error {:.1f} %, median bias {:+.1f} %, charge {}",
                       100. * median_error, 100. * median_bias,
                       right_charge.is_null()
                           ? "n/a (none in the truth)"
                           : fmt::format("right in {:.1f} %", 100. * right_charge.get<double>()));
  }
};

}  // namespace

Results::Results(const Calls::Events& input, std::span<const VeloUtResult> found)
    : events(found.size()) {
  auto velo_truth = validation::velo_track_validation();
  auto ut_truth = validation::velo_ut_track_validation(true);
  for (std::size_t e = 0; e < found.size(); ++e) {
    const auto& event = found[e];
    velo_hits += event.velo_hits.size();
    velo_tracks += event.velo_tracks.size();
    velo_overflow += event.velo_overflow;
    ut_hits += event.ut_hits.size();
    ut_tracks += event.ut_tracks.size();
    left_out += event.velo_hits.invalid + event.ut_hits.unmapped;
    const auto& truth = truth_of(*input[e]);
    if (!truth) continue;
    const auto tracks = validation::velo_id_tracks(event);
    velo_truth.add(*truth, tracks);
    ut_truth.add(*truth, validation::velo_ut_id_tracks(event, tracks));
  }
  velo = velo_truth.result();
  velo_ut = ut_truth.result();
}

Json Results::to_json() const {
  const auto with_truth = [&](const Json& value) { return has_truth() ? value : Json(nullptr); };
  Json json = {{"events", events},
               {"bad_events", bad_events},
               {"velo_hits", velo_hits},
               {"velo_tracks", velo_tracks},
               {"velo_overflow", velo_overflow},
               {"ut_hits", ut_hits},
               {"left_out", left_out},
               {"tracks", ut_tracks},
               {"tracks_in_acceptance", with_truth(velo_ut.tracks)},
               {"ghosts", with_truth(velo_ut.ghosts)},
               {"ghost_rate", program::fraction(velo_ut.ghosts, velo_ut.tracks)},
               {"velo_ghosts", with_truth(velo.ghosts)},
               {"velo_ghost_rate", program::fraction(velo.ghosts, velo.tracks)},
               {"events_with_truth", velo.events},
               {"categories", has_truth() ? categories_json(velo_ut) : Json::object()},
               {"velo_categories", has_truth() ? categories_json(velo) : Json::object()}};
  if (velo_ut.momenta.empty()) return json;
  const MomentumSummary momentum(velo_ut.momenta);
  json["momentum"] = {{"tracks", velo_ut.momenta.size()},
                      {"median_bias", momentum.median_bias},
                      {"median_error", momentum.median_error},
                      {"right_charge", momentum.right_charge}};
  return json;
}

Json Results::momentum_plot() const {
  program::Histogram counts(-1., 1., 40);
  for (const auto& pair : velo_ut.momenta) counts.add(pair.reconstructed / pair.truth - 1.);
  auto panel = program::panel("(p - true p)/true p", "tracks", {counts.series("")});
  panel["text"] = MomentumSummary(velo_ut.momenta).text();
  return program::plot(
      "momentum", fmt::format("{} tracks through VELO and UT", velo_ut.momenta.size()), 1, {panel});
}

std::string Results::text() const {
  std::string text =
      fmt::format("{} VELO tracks, {} with hits in the UT\n", velo_tracks, ut_tracks);
  if (bad_events > 0) text += fmt::format("{} damaged events were skipped\n", bad_events);
  if (!has_truth()) return text + "(no truth in the input: no ghost rates, no efficiencies)\n";
  if (velo.events < events) text += fmt::format("truth in {} of {} events\n", velo.events, events);
  text += fmt::format(
      "ghosts: {} of the VELO tracks ({}), {} of the {} tracks in the UT with 2 < eta < 5 ({})\n",
      velo.ghosts, program::percent(velo.ghosts, velo.tracks), velo_ut.ghosts, velo_ut.tracks,
      program::percent(velo_ut.ghosts, velo_ut.tracks));
  if (!velo_ut.momenta.empty()) text += MomentumSummary(velo_ut.momenta).text() + "\n";
  return text + "\n" + program::category_table("VELO tracks", categories_json(velo)) + "\n" +
         program::category_table("VELO and UT, 2 < eta < 5", categories_json(velo_ut));
}

}  // namespace lhcb_velo_ut
