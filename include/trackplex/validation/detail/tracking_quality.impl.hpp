// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/error.hpp>
#include <trackplex/tracks/tracking_events.hpp>
#include <trackplex/validation/detail/particle_bins.hpp>
#include <trackplex/validation/efficiency.hpp>
#include <trackplex/validation/tracking_quality.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace trackplex::validation {

TRACKPLEX_INLINE TrackingQuality::TrackingQuality(const tracks::TrackingEvents& events,
                                                  int seed_layers, TrackingQualityParams params)
    : events_(&events), seed_layers_(seed_layers), params_(std::move(params)) {
  if (seed_layers < 0)
    throw UsageError("quality of tracks", "a seed has no layers less than none",
                     std::to_string(seed_layers) + " layers");
  for (const auto* edges : {&params_.pt, &params_.eta, &params_.phi}) edges->check();
  layers_ = detail::layers_of_particles(events);
  for (auto& tally : tallies_) {
    tally.good_tracks.assign(events.particles.size(), 0);
    detail::clear_bins(params_, tally.counts);
  }
}

TRACKPLEX_INLINE void TrackingQuality::add(const FoundTrackHits& track) {
  check(track);
  const Shares shares = shares_of(track);
  const bool most = 4 * shares.m >= 3 * shares.n;
  book(TrackDefinition::d1, track, shares, shares.majority, most && shares.n >= 7, !most);
  const bool half = 2 * shares.m_after >= shares.n_after, enough = shares.n_after >= 4;
  book(TrackDefinition::d2, track, shares, track.seed_particle, half && enough, !half && enough);
  book(TrackDefinition::d3, track, shares, shares.majority, most && shares.m >= 7,
       !most && shares.n >= 7);
  const bool pure = shares.m == shares.n;
  book(TrackDefinition::pure, track, shares, shares.majority, pure && shares.n >= 1, !pure);
}

TRACKPLEX_INLINE TrackingQualityResult TrackingQuality::result(TrackDefinition definition) const {
  const Tally& tally = tallies_[std::size_t(definition)];
  TrackingQualityResult result = tally.counts;
  for (std::size_t p = 0; p < layers_.size(); ++p) {
    const detail::ParticleKinematics particle(events_->particles[p]);
    if (particle.pt < params_.min_pt || layers_[p] < params_.min_layers) continue;
    detail::add_particle(params_, particle, tally.good_tracks[p], result);
  }
  return result;
}

TRACKPLEX_INLINE void TrackingQuality::check(const FoundTrackHits& track) const {
  const char* const where = "quality of tracks";
  if (track.event < 0 || track.event >= events_->events())
    throw UsageError(where, "there is no event " + std::to_string(track.event),
                     std::to_string(events_->events()) + " events");
  const int layers = events_->hits.layers();
  if (track.hits.size() > std::size_t(layers))
    throw UsageError(where, "a track has more entries than there are layers",
                     std::to_string(track.hits.size()) + " and " + std::to_string(layers));
  for (int layer = 0; layer < int(track.hits.size()); ++layer)
    if (track.hits[std::size_t(layer)] >= events_->hits.size(track.event, layer))
      throw UsageError(where,
                       "layer " + std::to_string(layer) + " has no hit " +
                           std::to_string(track.hits[std::size_t(layer)]),
                       std::to_string(events_->hits.size(track.event, layer)) + " hits",
                       "give the index in the layer, as the events have it");
  if (track.seed_particle >= events_->particle_count(track.event))
    throw UsageError(where, "there is no particle " + std::to_string(track.seed_particle),
                     std::to_string(events_->particle_count(track.event)) + " in the event");
}

TRACKPLEX_INLINE TrackingQuality::Shares TrackingQuality::shares_of(const FoundTrackHits& track) {
  Shares shares;
  owners_.clear();
  const auto entry = std::size_t(track.event) * std::size_t(events_->hits.layers());
  for (std::size_t layer = 0; layer < track.hits.size(); ++layer) {
    if (track.hits[layer] < 0) continue;
    const auto first = std::size_t(events_->hits.offsets[entry + layer]);
    const auto owner = events_->particle_of_hit[first + std::size_t(track.hits[layer])];
    const bool is_seeds = owner >= 0 && owner == track.seed_particle;
    const bool is_after = int(layer) >= seed_layers_;
    ++shares.n;
    shares.of_seed += is_seeds;
    shares.n_after += is_after;
    shares.m_after += is_after && is_seeds;
    if (owner >= 0) owners_.push_back(owner);
  }
  for (const auto owner : owners_) {
    const auto hits = int(std::count(owners_.begin(), owners_.end(), owner));
    if (hits > shares.m) {
      shares.m = hits;
      shares.majority = owner;
    }
  }
  return shares;
}

TRACKPLEX_INLINE void TrackingQuality::book(TrackDefinition definition, const FoundTrackHits& track,
                                            const Shares& shares, std::int32_t particle, bool good,
                                            bool fake) {
  Tally& tally = tallies_[std::size_t(definition)];
  auto& counts = tally.counts;
  counts.good += good;
  counts.fake += fake;
  counts.neither += !good && !fake;
  if (good || fake) detail::add_track(params_, track.pt, track.eta, track.phi, fake, counts);
  if (!good) return;
  const auto p =
      std::size_t(events_->particle_offsets[std::size_t(track.event)]) + std::size_t(particle);
  const auto right = std::uint64_t(definition == TrackDefinition::d2 ? shares.of_seed : shares.m);
  ++tally.good_tracks[p];
  counts.hit_efficiency += {right, std::uint64_t(layers_[p])};
  counts.purity += {right, std::uint64_t(shares.n)};
}

TRACKPLEX_INLINE TrackingQualityResult& TrackingQualityResult::operator+=(
    const TrackingQualityResult& other) {
  good += other.good;
  fake += other.fake;
  neither += other.neither;
  efficiency += other.efficiency;
  duplicates += other.duplicates;
  hit_efficiency += other.hit_efficiency;
  purity += other.purity;
  detail::add_bins(efficiency_pt, other.efficiency_pt);
  detail::add_bins(efficiency_eta, other.efficiency_eta);
  detail::add_bins(efficiency_phi, other.efficiency_phi);
  detail::add_bins(fake_rate_pt, other.fake_rate_pt);
  detail::add_bins(fake_rate_eta, other.fake_rate_eta);
  detail::add_bins(fake_rate_phi, other.fake_rate_phi);
  return *this;
}

}  // namespace trackplex::validation
