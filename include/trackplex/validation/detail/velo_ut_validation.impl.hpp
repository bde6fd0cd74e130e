// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/error.hpp>
#include <trackplex/validation/detail/id_owners.hpp>
#include <trackplex/validation/velo_ut_categories.hpp>
#include <trackplex/validation/velo_ut_validation.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace trackplex::validation {

TRACKPLEX_INLINE const McCategoryResult& IdValidationResult::operator[](
    std::string_view name) const {
  for (const auto& category : categories)
    if (category.name == name) return category;
  throw UsageError("IdValidationResult", "there is no category " + std::string(name));
}

TRACKPLEX_INLINE IdValidationResult& IdValidationResult::operator+=(
    const IdValidationResult& other) {
  const auto same_name = [](const auto& a, const auto& b) { return a.name == b.name; };
  if (!std::equal(categories.begin(), categories.end(), other.categories.begin(),
                  other.categories.end(), same_name))
    throw UsageError("IdValidationResult", "results for different categories do not add up");
  events += other.events;
  all_tracks += other.all_tracks;
  tracks += other.tracks;
  ghosts += other.ghosts;
  fast_tracks += other.fast_tracks;
  fast_ghosts += other.fast_ghosts;
  for (std::size_t c = 0; c < categories.size(); ++c) {
    categories[c].particles += other.categories[c].particles;
    categories[c].found += other.categories[c].found;
    categories[c].clones += other.categories[c].clones;
  }
  momenta.insert(momenta.end(), other.momenta.begin(), other.momenta.end());
  return *this;
}

TRACKPLEX_INLINE void IdValidation::add(const lhcb::McEvent& event,
                                        std::span<const IdTrack> tracks) {
  const bool has_long = std::any_of(tracks.begin(), tracks.end(), is_long);
  const bool with_scifi = std::any_of(
      tracks.begin(), tracks.end(), [](const IdTrack& track) { return !track.scifi_ids.empty(); });
  const detail::IdOwners owners(event, with_scifi);
  by_key_.clear();
  if (has_long)
    for (std::size_t p = 0; p < event.particles.size(); ++p)
      by_key_[event.particles[p].key] = std::uint32_t(p);
  shared_.assign(event.particles.size(), {});
  tracks_.assign(event.particles.size(), 0);
  matches_.clear();
  for (std::size_t i = 0; i < tracks.size(); ++i)
    add_track(event, owners, tracks[i], std::uint32_t(i));
  for (std::size_t c = 0; c < params_.categories.size(); ++c) count_category(event, c);
  ++result_.events;
  result_.all_tracks += tracks.size();
}

TRACKPLEX_INLINE bool IdValidation::is_long(const IdTrack& track) {
  return track.velo_ids.size() > 2 && track.scifi_ids.size() > 2;
}

TRACKPLEX_INLINE bool IdValidation::belongs(const Shared& shared, const IdTrack& track) {
  const auto are_most = [](std::size_t part, std::size_t all) {
    return all <= 2 || 10 * part >= 7 * all;
  };
  return are_most(shared.velo, track.velo_ids.size()) &&
         are_most(shared.scifi, track.scifi_ids.size()) &&
         (is_long(track) || shared.ut + 2 > track.ut_ids.size());
}

TRACKPLEX_INLINE void IdValidation::share_with_mothers(const lhcb::McEvent& event,
                                                       const IdTrack& track) {
  const auto sum = [](std::size_t a, std::size_t b, std::size_t all) {
    return std::min(a + b, all);
  };
  for (const std::uint32_t particle : touched_) {
    Shared& own = shared_[particle];
    if (own.scifi == 0) continue;
    const auto found = by_key_.find(event.particles[particle].mother_key);
    if (found == by_key_.end() || found->second == particle) continue;
    Shared& mothers = shared_[found->second];
    if (mothers.velo == 0) continue;
    mothers = {sum(mothers.velo, own.velo, track.velo_ids.size()),
               sum(mothers.ut, own.ut, track.ut_ids.size()),
               sum(mothers.scifi, own.scifi, track.scifi_ids.size())};
    own = mothers;
  }
}

TRACKPLEX_INLINE void IdValidation::count_shared(const detail::IdOwners& owners,
                                                 std::span<const std::uint32_t> ids,
                                                 std::size_t Shared::*hits) {
  for (const std::uint32_t id : ids)
    for (const std::uint32_t particle : owners[id]) {
      Shared& shared = shared_[particle];
      if (shared.velo + shared.ut + shared.scifi == 0) touched_.push_back(particle);
      ++(shared.*hits);
    }
}

TRACKPLEX_INLINE void IdValidation::add_track(const lhcb::McEvent& event,
                                              const detail::IdOwners& owners, const IdTrack& track,
                                              std::uint32_t number) {
  touched_.clear();
  count_shared(owners, track.velo_ids, &Shared::velo);
  count_shared(owners, track.ut_ids, &Shared::ut);
  count_shared(owners, track.scifi_ids, &Shared::scifi);
  std::sort(touched_.begin(), touched_.end());
  if (is_long(track)) share_with_mothers(event, track);
  bool is_ghost = true;
  for (const std::uint32_t particle : touched_) {
    if (belongs(shared_[particle], track)) {
      is_ghost = false;
      ++tracks_[particle];
      matches_.push_back({number, particle});
      keep_momentum(event.particles[particle], track);
    }
    shared_[particle] = {};
  }
  if (!(params_.min_eta < track.eta && track.eta < params_.max_eta)) return;
  ++result_.tracks;
  if (is_ghost) ++result_.ghosts;
  if (!(track.p > params_.fast_p && track.p > params_.fast_pt * std::cosh(track.eta))) return;
  ++result_.fast_tracks;
  if (is_ghost) ++result_.fast_ghosts;
}

TRACKPLEX_INLINE void IdValidation::keep_momentum(const lhcb::McParticle& particle,
                                                  const IdTrack& track) {
  if (!params_.keep_momenta || !particle.has_velo || !particle.has_ut) return;
  if (!track.scifi_ids.empty() && !particle.has_scifi) return;
  result_.momenta.push_back({track.p, double(particle.p),
                             float(track.charge) * particle.charge > 0.f, particle.charge != 0.f});
}

TRACKPLEX_INLINE void IdValidation::count_category(const lhcb::McEvent& event, std::size_t c) {
  McCategoryResult& result = result_.categories[c];
  for (std::size_t p = 0; p < event.particles.size(); ++p) {
    if (!params_.categories[c].contains(event.particles[p])) continue;
    ++result.particles;
    if (tracks_[p] == 0) continue;
    ++result.found;
    result.clones += tracks_[p] - 1;
  }
}

}  // namespace trackplex::validation
