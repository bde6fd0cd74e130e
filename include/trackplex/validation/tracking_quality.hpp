// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/compiled.hpp>
#include <trackplex/tracks/tracking_events.hpp>
#include <trackplex/validation/detail/particle_bins.hpp>
#include <trackplex/validation/efficiency.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace trackplex::validation {

/// Definition of good tracks and fakes; a track may be neither. Let n be the number of hits of a
/// track, m the number of these from the particle with most of them, N the number of its hits on
/// the layers after the seed, and M the number of these from the particle of the seed.
///
/// | definition | good | fake | particle |
/// |---|---|---|---|
/// | D1 | 4 m >= 3 n and n >= 7 | 4 m < 3 n | that with most hits |
/// | D2 | 2 M >= N and N >= 4 | 2 M < N and N >= 4 | that of the seed |
/// | D3 | 4 m >= 3 n and m >= 7 | 4 m < 3 n and n >= 7 | that with most hits |
/// | pure | m = n and n >= 1 | m < n | that with most hits |
///
/// D1 to D3 are used for mkFit's toy events, D2 for seeds from the truth; `pure` is for seeds. D2
/// does not depend on the owners of the seed's hits.
enum class TrackDefinition : std::size_t {
  d1,   ///< 75 % of the hits from one particle, at least 7 hits
  d2,   ///< 50 % of the hits after the seed from its particle, at least 4 hits there
  d3,   ///< 75 % of the hits from one particle, at least 7 hits of this particle
  pure  ///< all hits from one particle
};
/// Number of definitions.
inline constexpr std::size_t track_definitions = 4;

/// Hits of a found track or a seed.
struct FoundTrackHits {
  int event = 0;  ///< number of the event
  /// One entry per layer, from layer 0 on: index of the hit on the layer, negative for none.
  std::span<const std::int32_t> hits;
  std::int32_t seed_particle = -1;  ///< index of the seed's particle in the event; -1: not known
  std::optional<double> pt{},       ///< of the track, GeV; for the bins of the fake rate
      eta{},                        ///< pseudorapidity of the track
      phi{};                        ///< azimuth of the track, rad
};

/// Selection of particles for efficiencies, and bins.
struct TrackingQualityParams {
  double min_pt = 0.;  ///< min pT of a particle, GeV
  int min_layers = 0;  ///< min number of layers on which a particle has a hit
  BinEdges pt{},       ///< bins of pT, GeV; none by default
      eta{},           ///< bins of the pseudorapidity; none by default
      phi{};           ///< bins of the azimuth, rad modulo a turn; none by default
};

/// Result for one definition. It consists of counts, so results can be added in any order.
struct TrackingQualityResult : TrackRates {
  std::uint64_t good = 0,     ///< good tracks
      fake = 0,               ///< fakes
      neither = 0;            ///< tracks that are neither
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
  TrackingQuality(const tracks::TrackingEvents& events, int seed_layers,
                  TrackingQualityParams params = {});

  /// Adds a track.
  /// @throws UsageError if the event, a hit or the particle does not exist
  void add(const FoundTrackHits& track);

  /// Returns the result for all tracks added so far. Every particle of the events that passes
  /// the cuts counts in the efficiency.
  TrackingQualityResult result(TrackDefinition definition) const;

 private:
  struct Tally {
    TrackingQualityResult counts;            ///< counts of tracks
    std::vector<std::uint32_t> good_tracks;  ///< number for each particle of all events
  };

  /// See `TrackDefinition`.
  struct Shares {
    int n = 0, m = 0, n_after = 0, m_after = 0;
    std::int32_t majority = -1;
    int of_seed = 0;  ///< hits of the seed's particle
  };

  void check(const FoundTrackHits& track) const;

  Shares shares_of(const FoundTrackHits& track);

  /// Counts a track; a good one is attributed to the particle.
  void book(TrackDefinition definition, const FoundTrackHits& track, const Shares& shares,
            std::int32_t particle, bool good, bool fake);

  const tracks::TrackingEvents* events_;
  int seed_layers_;
  TrackingQualityParams params_;
  std::vector<int> layers_;  ///< with hits of each particle of all events
  std::array<Tally, track_definitions> tallies_;
  std::vector<std::int32_t> owners_;  ///< of the hits of a track
};

}  // namespace trackplex::validation

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/validation/detail/tracking_quality.impl.hpp>
#endif
