// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "comparison.hpp"

#include <common/table.hpp>
#include <trackplex/validation/efficiency.hpp>

#include <cstddef>
#include <string>

namespace lhcb_velo_ut {

using program::fraction;
using program::Json;

namespace {

/// Of any kind of category; rates of clones are those of all `matched` tracks.
template <class Category>
Json to_json(const Category& category, std::uint64_t matched) {
  return {{"particles", category.particles},
          {"found", category.found},
          {"efficiency", fraction(category.found, category.particles)},
          {"efficiency_error", category.efficiency().error()},
          {"clones", category.clones},
          {"clone_rate", category.found > 0 ? fraction(category.clones, matched) : Json()}};
}

}  // namespace

Truth::Truth(const validation::VeloValidationResult& result)
    : events(result.events), tracks(result.tracks), ghosts(result.ghosts) {
  for (std::size_t c = 0; events > 0 && c < validation::velo_categories; ++c) {
    const auto& category = result.categories[c];
    auto& json = categories[std::string(validation::velo_category_names[c])];
    json = to_json(category, category.found);
    json["purity"] = fraction(category.purity_sum, category.tracks);
    json["hit_efficiency"] = fraction(category.hit_efficiency_sum, category.tracks);
  }
}

Truth::Truth(const validation::IdValidationResult& result)
    : events(result.events), tracks(result.tracks), ghosts(result.ghosts) {
  for (const auto& category : result.categories)
    if (events > 0)
      categories[std::string(category.name)] = to_json(category, category.found + category.clones);
}

Json Truth::ghost_rate_error() const {
  return tracks > 0 ? Json(validation::Efficiency{ghosts, tracks}.error()) : Json();
}

void Truth::warn(const program::Program& p, const char* kind) const {
  constexpr std::uint64_t many = 10;
  if (tracks >= many && 2 * ghosts > tracks)
    p.warn("{} of {} {} match no particle; does the truth belong to these events?", ghosts, tracks,
           kind);
}

}  // namespace lhcb_velo_ut
