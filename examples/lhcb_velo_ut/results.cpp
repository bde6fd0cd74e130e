// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "results.hpp"

#include "comparison.hpp"
#include "input.hpp"

#include <common/plots.hpp>
#include <common/table.hpp>
#include <common/timing.hpp>
#include <trackplex/validation/velo_ut_id_tracks.hpp>
#include <trackplex/validation/velo_ut_validation.hpp>
#include <trackplex/validation/velo_validation.hpp>

#include <fmt/format.h>

#include <cmath>
#include <string>
#include <vector>

namespace lhcb_velo_ut {

using program::fraction;
using program::Json;

namespace {

/// How well momenta are measured: adds numbers and a plot to a report, and returns the numbers as
/// a line of text.
std::string add_momenta(program::Program& p, const std::vector<validation::MomentumPair>& momenta) {
  std::vector<double> differences, sizes;  // (p - p_true)/p_true
  std::size_t charges = 0, right = 0;
  program::Histogram counts(-1., 1., 40);
  for (const auto& pair : momenta) {
    differences.push_back(pair.reconstructed / pair.truth - 1.);
    sizes.push_back(std::abs(differences.back()));
    counts.add(differences.back());
    charges += pair.has_charge;
    right += pair.right_charge;
  }
  auto& json = p.results["momentum"] = {{"tracks", momenta.size()},
                                        {"median_bias", program::spread_of(differences).median},
                                        {"median_error", program::spread_of(sizes).median},
                                        {"right_charge", fraction(double(right), double(charges))}};
  const auto text =
      program::cell_of(json, {"", "median_error median_bias",
                              "momentum: median error {:.1f} %, median bias {:+.1f} %", 100.}) +
      ", charge " +
      (charges == 0 ? "n/a (none in the truth)"
                    : program::cell_of(json, {"", "right_charge", "right in {:.1f} %", 100.}));
  auto panel = program::panel("(p - true p)/true p", "tracks", {counts.series("")});
  panel["text"] = text;
  p.plots.push_back(program::plot(
      "momentum", fmt::format("{} tracks through VELO and UT", momenta.size()), 1, {panel}));
  return text;
}

/// The sum over all results.
template <class Result, class NumberOf>
std::size_t sum(std::span<const Result> found, const NumberOf& number_of) {
  std::size_t all = 0;
  for (const auto& result : found) all += number_of(result);
  return all;
}

/// What was found, by the keys of the report.
Json sums(std::span<const lhcb::TracksResult> found) {
  return {{"velo_hits", sum(found, [](const auto& r) { return r.velo_hits.size(); })},
          {"velo_tracks", sum(found, [](const auto& r) { return r.velo_tracks.size(); })},
          {"velo_overflow", sum(found, [](const auto& r) { return r.velo_overflow; })},
          {"ut_hits", sum(found, [](const auto& r) { return r.ut_hits.size(); })},
          {"left_out", sum(found,
                           [](const auto& r) {
                             return r.velo_hits.invalid + r.ut_hits.unmapped + r.scifi_hits.invalid;
                           })},
          {"tracks", sum(found, [](const auto& r) { return r.ut_tracks.size(); })}};
}

/// The tables of ghosts and categories; or that there is no truth.
std::string text_of(const Truth& velo, const Truth& ut, std::size_t events,
                    const std::string& momentum) {
  if (velo.events == 0) return "(no truth in the input: no ghost rates, no efficiencies)\n";
  std::string text;
  if (velo.events < events) text = fmt::format("truth in {} of {} events\n", velo.events, events);
  return text +
         fmt::format(
             "ghosts: {} of the VELO tracks ({}), {} of the {} tracks in the UT with 2 < "
             "eta < 5 ({})\n",
             velo.ghosts, velo.ghost_percent(), ut.ghosts, ut.tracks, ut.ghost_percent()) +
         momentum + "\n" + program::category_table("VELO tracks", velo.categories) + "\n" +
         program::category_table("VELO and UT, 2 < eta < 5", ut.categories);
}

std::string text_of(const Truth& truth, std::size_t events) {
  if (truth.events == 0) return " (no truth in the input: no ghost rate, no efficiencies)\n";
  std::string text;
  if (truth.events < events)
    text = fmt::format("; truth in {} of {} events, with {} tracks", truth.events, events,
                       truth.tracks);
  return text + fmt::format("; {} ghosts ({})\n\n", truth.ghosts, truth.ghost_percent()) +
         program::category_table("category", truth.categories,
                                 {{"purity", "purity", "{:.2f} %", 100.},
                                  {"hits found", "hit_efficiency", "{:.2f} %", 100.}});
}

}  // namespace

void add_results(program::Program& p, const Options& options, std::size_t,
                 const Events<lhcb::VeloEvent>& events, std::span<const lhcb::VeloResult> found) {
  std::size_t hits = 0;
  validation::VeloValidation with_truth;
  for (std::size_t e = 0; e < found.size(); ++e) {
    hits += events[e]->size();
    if (events[e]->has_truth) with_truth.add(*events[e], found[e].tracks);
  }
  const Truth truth(with_truth.result());
  const auto tracks = sum(found, [](const auto& r) { return r.tracks.size(); });
  const auto overflow = sum(found, [](const auto& r) { return r.overflow; });
  if (overflow > 0)
    p.warn("{} seeds in {} events found no slot and are lost; lower --hits-per-slot (now {})",
           overflow, sum(found, [](const auto& r) { return r.overflow > 0; }),
           options.hits_per_slot);
  truth.warn(p, "tracks");
  p.input["events"] = found.size();
  p.results = {{"events", found.size()},
               {"hits", hits},
               {"tracks", tracks},
               {"ghosts", truth.or_null(truth.ghosts)},
               {"ghost_rate", truth.ghost_rate()},
               {"overflow", overflow},
               {"events_with_truth", truth.events},
               {"categories", truth.categories}};
  p.text = fmt::format("{} events, {} hits; constants of {}\n{} tracks", found.size(), hits,
                       options.velo_year(), tracks) +
           text_of(truth, found.size()) + p.text;
}

void add_results(program::Program& p, const Options& options, std::size_t bad_events,
                 const Events<lhcb::RawEvent>& events, std::span<const lhcb::TracksResult> found) {
  auto velo_truth = validation::velo_track_validation();
  auto ut_truth = validation::velo_ut_track_validation(true);
  for (std::size_t e = 0; e < found.size(); ++e)
    if (const auto& truth = truth_of(*events[e])) {
      const auto tracks = validation::velo_id_tracks(found[e]);
      velo_truth.add(*truth, tracks);
      ut_truth.add(*truth, validation::velo_ut_id_tracks(found[e], tracks));
    }
  const Truth velo(velo_truth.result()), ut(ut_truth.result());
  p.input.update({{"events", found.size()}, {"bad_events", bad_events}});
  p.results = {{"events", found.size()}, {"bad_events", bad_events}};
  p.results.update(sums(found));
  p.results.update({{"tracks_in_acceptance", ut.or_null(ut.tracks)},
                    {"ghosts", ut.or_null(ut.ghosts)},
                    {"ghost_rate", ut.ghost_rate()},
                    {"ghost_rate_error", ut.ghost_rate_error()},
                    {"velo_ghosts", velo.or_null(velo.ghosts)},
                    {"velo_ghost_rate", velo.ghost_rate()},
                    {"events_with_truth", velo.events},
                    {"categories", ut.categories},
                    {"velo_categories", velo.categories}});
  const auto& momenta = ut_truth.result().momenta;
  const auto momentum = momenta.empty() ? "" : add_momenta(p, momenta) + "\n";
  const auto line = [&](const char* keys, const char* format) {
    return program::cell_of(p.results, {"", keys, format});
  };
  if (p.results["velo_overflow"] > 0)
    p.warn("{}; lower --hits-per-slot (now {})",
           line("velo_overflow", "{} seeds of VELO tracks found no slot and are lost"),
           options.hits_per_slot);
  if (p.results["left_out"] > 0)
    p.warn("{} that the detector does not have, and are skipped",
           line("left_out", "{} super-pixels, UT hits or SciFi clusters have channels"));
  velo.warn(p, "VELO tracks");
  ut.warn(p, "tracks in the UT");
  p.text = line("events velo_hits ut_hits", "{} events, {} VELO clusters, {} UT hits") +
           fmt::format("; cuts of {}, VELO of {}\n", options.parameters, options.velo_year()) +
           line("velo_tracks tracks", "{} VELO tracks, {} with hits in the UT\n") +
           (bad_events > 0 ? line("bad_events", "{} damaged events were skipped\n") : "") +
           text_of(velo, ut, found.size(), momentum) + p.text;
}

}  // namespace lhcb_velo_ut
