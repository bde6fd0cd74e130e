// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/error.hpp>
#include <trackplex/seeding/tracking_events.hpp>
#include <trackplex/validation/detail/particle_bins.hpp>
#include <trackplex/validation/efficiency.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace trackplex::validation {

/// Definition of good tracks and fakes; a track may be neither. Let n be the number of hits of a
/// track, m of those that belong to the particle with most of them, N of its hits on the layers
/// after the seed, and M of those that belong to the particle of the seed.
///
/// | definition | good | fake | particle |
/// |---|---|---|---|
/// | D1 | 4 m >= 3 n and n >= 7 | 4 m < 3 n | that with most hits |
/// | D2 | 2 M >= N and N >= 4 | 2 M < N and N >= 4 | that of the seed |
/// | D3 | 4 m >= 3 n and m >= 7 | 4 m < 3 n and n >= 7 | that with most hits |
/// | pure | m = n and n >= 1 | m < n | that with most hits |
///
/// D1 to D3 are in use for mkFit's toy events, D2 for seeds from the truth; `pure` is for seeds. D2
/// does not depend on the owners of the seed's hits.
enum class TrackDefinition : std::size_t {
  d1,   ///< 75 % of the hits from one particle, at least 7 hits
  d2,   ///< 50 % of the hits after the seed from its particle, at least 4 hits there
  d3,   ///< 75 % of the hits from one particle, at least 7 of them its own
  pure  ///< all hits from one particle
};
/// Number of definitions.
inline constexpr std::size_t track_definitions = 4;

/// Hits of a track that was found, or of a seed.
struct FoundTrackHits {
  int event = 0;  ///< number of the event
  /// One entry per layer, from layer 0 on: index of the hit on the layer, negative for none.
  std::span<const std::int32_t> hits;
  std::int32_t seed_particle = -1;  ///< index of the seed's particle in the event; -1: not known
  std::optional<double> pt{},       ///< of the track, GeV; for the bins of the fake rate
      eta{},                        ///< pseudorapidity of the track
      phi{};                        ///< azimuth of the track, rad
};

/// Particles that count in efficiencies, and bins.
struct TrackingQualityParams {
  double min_pt = 0.;  ///< smallest pT of a particle that counts, GeV
  int min_layers = 0;  ///< smallest number of layers on which a particle that counts has a hit
  BinEdges pt{},       ///< bins of pT, GeV; none by default
      eta{},           ///< bins of the pseudorapidity; none by default
      phi{};           ///< bins of the azimuth, rad from -pi to pi; none by default
};

/// Result for one definition. It consists of counts, so that results can be added in any order.
struct TrackingQualityResult {
  std::uint64_t good = 0,  ///< good tracks
      fake = 0,            ///< fakes
      neither = 0;         ///< tracks that are neither
  Efficiency efficiency;   ///< particles with a good track / particles that count
  Efficiency duplicates;   ///< particles with two or more good tracks / with one or more
  std::vector<Efficiency> efficiency_pt,  ///< efficiency per bin of the particle's pT
      efficiency_eta,                     ///< efficiency per bin of the particle's eta
      efficiency_phi;                     ///< efficiency per bin of the particle's phi
  std::vector<Efficiency> fake_rate_pt,   ///< fake rate per bin of the track's pT, if given
      fake_rate_eta,                      ///< fake rate per bin of the track's eta, if given
      fake_rate_phi;                      ///< fake rate per bin of the track's phi, if given
  Efficiency hit_efficiency,  ///< right hits of good tracks / layers hit by their particles
      purity;                 ///< right hits of good tracks / hits of good tracks

  /// Returns fakes / (good tracks + fakes).
  Efficiency fake_rate() const { return {fake, good + fake}; }

  /// Adds the counts of other events.
  /// @throws UsageError if the numbers of bins differ
  TrackingQualityResult& operator+=(const TrackingQualityResult& other);
};

/// Comparison of tracks or seeds on layers with the truth, by all definitions at once.
class TrackingQuality {
 public:
  /// Prepares for the tracks of these events, which must outlive the instance. `seed_layers` is the
  /// number of layers of a seed, for D2.
  /// @throws UsageError if the bins are not ascending or `seed_layers` is negative
  TrackingQuality(const seeding::TrackingEvents& events, int seed_layers,
                  TrackingQualityParams params = {})
      : events_(&events), seed_layers_(seed_layers), params_(std::move(params)) {
    if (seed_layers < 0)
      throw UsageError("quality of tracks", "a seed has no layers less than none",
                       std::to_string(seed_layers) + " layers");
    for (const auto* edges : {&params_.pt, &params_.eta, &params_.phi}) edges->check();
    layers_ = detail::layers_of_particles(events);
    for (auto& tally : tallies_) {
      tally.good_tracks.assign(events.particles.size(), 0);
      tally.counts.fake_rate_pt.assign(params_.pt.size(), {});
      tally.counts.fake_rate_eta.assign(params_.eta.size(), {});
      tally.counts.fake_rate_phi.assign(params_.phi.size(), {});
    }
  }

  /// Adds a track.
  /// @throws UsageError if the event, a hit or the particle does not exist
  void add(const FoundTrackHits& track) {
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

  /// Returns the result of all tracks added so far. Every particle of the events that passes the
  /// cuts counts in the efficiency.
  TrackingQualityResult result(TrackDefinition definition) const {
    const Tally& tally = tallies_[std::size_t(definition)];
    TrackingQualityResult result = tally.counts;
    result.efficiency_pt.assign(params_.pt.size(), {});
    result.efficiency_eta.assign(params_.eta.size(), {});
    result.efficiency_phi.assign(params_.phi.size(), {});
    for (std::size_t p = 0; p < layers_.size(); ++p) {
      const detail::ParticleKinematics particle(events_->particles[p]);
      if (particle.pt < params_.min_pt || layers_[p] < params_.min_layers) continue;
      const std::uint32_t tracks = tally.good_tracks[p];
      const Efficiency one{std::uint64_t(tracks > 0), 1};
      result.efficiency += one;
      result.duplicates += {std::uint64_t(tracks > 1), one.passed};
      detail::add_to_bin(params_.pt, particle.pt, one, result.efficiency_pt);
      detail::add_to_bin(params_.eta, particle.eta, one, result.efficiency_eta);
      detail::add_to_bin(params_.phi, particle.phi, one, result.efficiency_phi);
    }
    return result;
  }

 private:
  struct Tally {
    TrackingQualityResult counts;            ///< what belongs to tracks
    std::vector<std::uint32_t> good_tracks;  ///< number for each particle of all events
  };

  /// See `TrackDefinition`.
  struct Shares {
    int n = 0, m = 0, n_after = 0, m_after = 0;
    std::int32_t majority = -1;
    int of_seed = 0;  ///< hits of the seed's particle
  };

  void check(const FoundTrackHits& track) const {
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

  Shares shares_of(const FoundTrackHits& track) {
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

  /// Counts a track; a good one is attributed to the particle.
  void book(TrackDefinition definition, const FoundTrackHits& track, const Shares& shares,
            std::int32_t particle, bool good, bool fake) {
    Tally& tally = tallies_[std::size_t(definition)];
    auto& counts = tally.counts;
    counts.good += good;
    counts.fake += fake;
    counts.neither += !good && !fake;
    const auto add_fake = [&](const BinEdges& bins, const std::optional<double>& value,
                              std::vector<Efficiency>& to) {
      if (value && (good || fake)) detail::add_to_bin(bins, *value, {std::uint64_t(fake), 1}, to);
    };
    add_fake(params_.pt, track.pt, counts.fake_rate_pt);
    add_fake(params_.eta, track.eta, counts.fake_rate_eta);
    add_fake(params_.phi, track.phi, counts.fake_rate_phi);
    if (!good) return;
    const auto p =
        std::size_t(events_->particle_offsets[std::size_t(track.event)]) + std::size_t(particle);
    const auto right = std::uint64_t(definition == TrackDefinition::d2 ? shares.of_seed : shares.m);
    ++tally.good_tracks[p];
    counts.hit_efficiency += {right, std::uint64_t(layers_[p])};
    counts.purity += {right, std::uint64_t(shares.n)};
  }

  const seeding::TrackingEvents* events_;
  int seed_layers_;
  TrackingQualityParams params_;
  std::vector<int> layers_;  ///< with hits of each particle of all events
  std::array<Tally, track_definitions> tallies_;
  std::vector<std::int32_t> owners_;  ///< of the hits of a track
};

inline TrackingQualityResult& TrackingQualityResult::operator+=(
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
