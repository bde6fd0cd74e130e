// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "results.hpp"

#include <common/table.hpp>

#include <fmt/format.h>

namespace lhcb_velo {

namespace program = trackplex::program;
namespace validation = trackplex::validation;

namespace {

program::Json to_json(const validation::VeloCategoryResult& category) {
  const auto& [particles, found, tracks, clones, purity, hit_efficiency] = category;
  return {{"particles", particles},
          {"found", found},
          {"efficiency", program::fraction(found, particles)},
          {"efficiency_error", category.efficiency().error()},
          {"clones", clones},
          {"clone_rate", program::fraction(clones, found)},
          {"purity", program::fraction(purity, tracks)},
          {"hit_efficiency", program::fraction(hit_efficiency, tracks)}};
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
  const bool has_truth = truth.events > 0;
  program::Json json = {{"events", events},
                        {"hits", hits},
                        {"tracks", tracks},
                        {"ghosts", has_truth ? program::Json(truth.ghosts) : nullptr},
                        {"ghost_rate", program::fraction(truth.ghosts, truth.tracks)},
                        {"overflow", overflow},
                        {"events_with_truth", truth.events},
                        {"categories", program::Json::object()}};
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
                      program::percent(truth.ghosts, truth.tracks));
  return text + program::category_table("category", to_json()["categories"],
                                        {{"purity", "purity", "{:.2f} %", 100.},
                                         {"hits found", "hit_efficiency", "{:.2f} %", 100.}});
}

}  // namespace lhcb_velo
