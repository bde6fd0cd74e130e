// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "results.hpp"

#include <common/table.hpp>

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
                        "clone rate", "purity", "hits found"});
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

Results::Results(const std::vector<std::shared_ptr<const trackplex::lhcb::VeloEvent>>& input,
                 std::span<const trackplex::lhcb::VeloResult> found)
    : events(found.size()) {
  validation::VeloValidation with_truth;
  for (std::size_t e = 0; e < found.size(); ++e) {
    hits += input[e]->size();
    tracks += found[e].tracks.size();
    overflow += found[e].overflow;
    overflowing_events += found[e].overflow > 0;
    if (input[e]->has_truth) with_truth.add(*input[e], found[e].tracks);
  }
  truth = with_truth.result();
}

program::Json Results::to_json() const {
  program::Json json = {{"events", events}, {"hits", hits}, {"tracks", tracks}};
  const bool has_truth = truth.events > 0;
  json["ghosts"] = has_truth ? program::Json(truth.ghosts) : program::Json(nullptr);
  json["ghost_rate"] = fraction(truth.ghost_rate().value(), truth.tracks);
  json["overflow"] = overflow;
  json["events_with_truth"] = truth.events;
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
