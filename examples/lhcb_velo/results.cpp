// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "results.hpp"
#include "same_bits.hpp"

#include <trackplex/program/table.hpp>

#include <fmt/format.h>

namespace lhcb_velo {

namespace program = trackplex::program;
namespace validation = trackplex::validation;

namespace {

/// A fraction, or null where there is nothing to divide by.
program::Json fraction(double value, std::size_t whole) {
  return whole == 0 ? program::Json(nullptr) : program::Json(value);
}

program::Json to_json(const validation::VeloCategoryResult& category) {
  return {{"particles", category.particles},
          {"found", category.found},
          {"efficiency", fraction(category.efficiency().value(), category.particles)},
          {"clones", category.clones},
          {"clone_rate", fraction(category.clone_rate(), category.found)},
          {"purity", fraction(category.purity(), category.tracks)},
          {"hit_efficiency", fraction(category.hit_efficiency(), category.tracks)}};
}

std::string category_table(const validation::VeloValidationResult& truth) {
  program::Table table({"category", "particles", "found", "efficiency", "+-", "clones",
                        "clone rate", "purity", "hit efficiency"});
  for (std::size_t c = 0; c < validation::velo_categories; ++c) {
    const auto& r = truth.categories[c];
    if (r.particles == 0) continue;
    table.add_row({std::string(validation::velo_category_names[c]), std::to_string(r.particles),
                   std::to_string(r.found), program::percent(double(r.found), double(r.particles)),
                   fmt::format("{:.2f} %", 100. * r.efficiency().error()), std::to_string(r.clones),
                   program::percent(double(r.clones), double(r.found)),
                   program::percent(r.purity_sum, double(r.tracks)),
                   program::percent(r.hit_efficiency_sum, double(r.tracks))});
  }
  return table.text();
}

}  // namespace

Results results_of(std::span<const trackplex::lhcb::VeloEvent* const> events,
                   const Reconstruction& found) {
  Results results;
  validation::VeloValidation truth;
  for (std::size_t e = 0; e < events.size(); ++e) {
    results.hits += events[e]->size();
    const auto& [tracks, overflow] = found.events[e];
    results.tracks += tracks.size();
    results.overflow += overflow;
    results.overflowing_events += overflow > 0;
    if (events[e]->has_truth) truth.add(*events[e], tracks);
  }
  results.events = events.size();
  results.hash = tracks_hash(found.events);
  results.truth = truth.result();
  return results;
}

program::Json Results::to_json() const {
  program::Json json = {{"events", events}, {"hits", hits}, {"tracks", tracks}};
  const bool has_truth = truth.events > 0;
  json["ghosts"] = has_truth ? program::Json(truth.ghosts) : program::Json(nullptr);
  json["ghost_rate"] = fraction(truth.ghost_rate().value(), truth.tracks);
  json["overflow"] = overflow;
  json["events_with_truth"] = truth.events;
  json["tracks_hash"] = hash;
  json["categories"] = program::Json::object();
  for (std::size_t c = 0; has_truth && c < validation::velo_categories; ++c)
    json["categories"][std::string(validation::velo_category_names[c])] =
        lhcb_velo::to_json(truth.categories[c]);
  return json;
}

std::string Results::text() const {
  if (truth.events == 0)
    return fmt::format("{} tracks (no truth in the input: no ghost rate, no efficiencies)\n",
                       tracks);
  std::string text = fmt::format("{} tracks", tracks);
  if (truth.events < events)
    text += fmt::format("; truth in {} of {} events, with {} tracks", truth.events, events,
                        truth.tracks);
  text += fmt::format("; {} ghosts ({})\n\n", truth.ghosts,
                      program::percent(double(truth.ghosts), double(truth.tracks)));
  return text + category_table(truth);
}

}  // namespace lhcb_velo
