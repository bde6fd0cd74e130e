// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/error.hpp>
#include <trackplex/lhcb/velo/velo_event.hpp>
#include <trackplex/lhcb/velo/velo_track_list.hpp>
#include <trackplex/validation/truth_matching.hpp>
#include <trackplex/validation/velo_categories.hpp>
#include <trackplex/validation/velo_validation.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>

namespace trackplex::validation {

TRACKPLEX_INLINE VeloCategoryResult& VeloCategoryResult::operator+=(
    const VeloCategoryResult& other) {
  particles += other.particles;
  found += other.found;
  tracks += other.tracks;
  clones += other.clones;
  purity_sum += other.purity_sum;
  hit_efficiency_sum += other.hit_efficiency_sum;
  return *this;
}

TRACKPLEX_INLINE VeloValidationResult& VeloValidationResult::operator+=(
    const VeloValidationResult& other) {
  events += other.events;
  tracks += other.tracks;
  ghosts += other.ghosts;
  for (std::size_t c = 0; c < velo_categories; ++c) categories[c] += other.categories[c];
  return *this;
}

TRACKPLEX_INLINE void VeloValidation::add(const lhcb::VeloEvent& event,
                                          const lhcb::VeloTrackList& tracks) {
  if (!event.has_truth) {
    throw UsageError("validation", "an event without truth cannot be validated", event.name);
  }
  count_particles(event);
  const auto hits_of = [&](std::size_t p) -> const auto& { return event.particles[p].hits; };
  const HitOwners owners(event.size(), event.particles.size(), hits_of);
  TruthMatcher match(owners, event.particles.size());
  std::uint64_t ghosts = 0;
  for (std::size_t t = 0; t < tracks.size(); ++t) {
    const auto shared = match(tracks[t]);
    if (tracks[t].size() < params_.min_track_hits || !attribute(event, shared)) ++ghosts;
  }
  ++result_.events;
  result_.tracks += tracks.size();
  result_.ghosts += ghosts;
}

TRACKPLEX_INLINE void VeloValidation::count_particles(const lhcb::VeloEvent& event) {
  marks_.assign(event.particles.size(), {});
  for (std::size_t p = 0; p < event.particles.size(); ++p) {
    const auto& particle = event.particles[p];
    if (params_.min_modules > 0 && modules_of(event, particle) < params_.min_modules) continue;
    for (std::size_t c = 0; c < velo_categories; ++c) {
      if (!is_in(static_cast<VeloCategory>(c), particle)) continue;
      marks_[p].in |= static_cast<Mask>(1u << c);
      ++result_.categories[c].particles;
    }
  }
}

TRACKPLEX_INLINE std::size_t VeloValidation::modules_of(const lhcb::VeloEvent& event,
                                                        const lhcb::VeloParticle& particle) {
  std::array<bool, lhcb::velo_modules> seen{};
  const auto& offsets = event.module_offsets;
  for (const std::uint32_t hit : particle.hits) {
    const auto next = std::upper_bound(offsets.begin(), offsets.end(), hit);
    if (next == offsets.begin() || next == offsets.end()) continue;  // reported by HitOwners
    seen[static_cast<std::size_t>(next - offsets.begin() - 1)] = true;
  }
  return static_cast<std::size_t>(std::count(seen.begin(), seen.end(), true));
}

TRACKPLEX_INLINE bool VeloValidation::attribute(const lhcb::VeloEvent& event,
                                                std::span<const SharedHits> shared) {
  std::array<const SharedHits*, velo_categories> best{};
  bool matched = false;
  for (const SharedHits& candidate : shared) {
    if (!(candidate.weight > params_.min_weight)) continue;
    matched = true;
    ParticleMarks& marks = marks_[candidate.particle];
    for (std::size_t c = 0; c < velo_categories; ++c) {
      const auto bit = static_cast<Mask>(1u << c);
      if ((marks.in & bit) == 0) continue;
      if ((marks.found & bit) == 0) ++result_.categories[c].found;
      marks.found |= bit;
      if (best[c] == nullptr || candidate.weight > best[c]->weight) best[c] = &candidate;
    }
  }
  for (std::size_t c = 0; c < velo_categories; ++c) {
    if (best[c] != nullptr) book_best(event, *best[c], c);
  }
  return matched;
}

TRACKPLEX_INLINE void VeloValidation::book_best(const lhcb::VeloEvent& event,
                                                const SharedHits& best, std::size_t c) {
  VeloCategoryResult& category = result_.categories[c];
  const auto bit = static_cast<Mask>(1u << c);
  ParticleMarks& marks = marks_[best.particle];
  ++category.tracks;
  if ((marks.attributed & bit) != 0) ++category.clones;
  marks.attributed |= bit;
  category.purity_sum += best.weight;
  category.hit_efficiency_sum += static_cast<double>(best.hits) /
                                 static_cast<double>(event.particles[best.particle].hits.size());
}

}  // namespace trackplex::validation
