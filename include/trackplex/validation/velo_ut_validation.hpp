// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/compiled.hpp>
#include <trackplex/validation/detail/id_owners.hpp>
#include <trackplex/validation/efficiency.hpp>
#include <trackplex/validation/velo_ut_categories.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string_view>
#include <vector>

namespace trackplex::validation {

/// Track as the LHCbIDs of its hits. A VELO track has no hits in UT and SciFi.
struct IdTrack {
  std::vector<std::uint32_t> velo_ids;     ///< of its hits in the VELO
  std::vector<std::uint32_t> ut_ids;       ///< of its hits in the UT
  double eta = 0.;                         ///< pseudorapidity, from the slopes in the VELO
  double p = 0.;                           ///< MeV, as reconstructed
  int charge = 0;                          ///< sign of the reconstructed charge
  std::vector<std::uint32_t> scifi_ids{};  ///< of its hits in the SciFi
};

/// Reconstructed and true momentum of a track and its particle.
struct MomentumPair {
  double reconstructed = 0.;  ///< p of the track, MeV
  double truth = 0.;          ///< p of the particle, MeV
  bool right_charge = false;  ///< the signs of the charges agree
  bool has_charge = true;     ///< the truth contains the charge

  /// Compares all members.
  friend bool operator==(const MomentumPair&, const MomentumPair&) = default;
};

/// Result for one category of particles.
struct McCategoryResult {
  std::string_view name;        ///< of the category
  std::uint64_t particles = 0;  ///< particles in the category
  std::uint64_t found = 0;      ///< particles with at least one matched track
  std::uint64_t clones = 0;     ///< matched tracks beyond the first of each found particle

  /// Returns found / particles.
  Efficiency efficiency() const { return {found, particles}; }
  /// Returns clones / (found + clones).
  Efficiency clone_rate() const { return {clones, found + clones}; }

  /// Compares name and counts.
  friend bool operator==(const McCategoryResult&, const McCategoryResult&) = default;
};

/// Result over all events. The counts do not depend on the order of events and tracks.
struct IdValidationResult {
  std::uint64_t events = 0;       ///< number of events
  std::uint64_t all_tracks = 0;   ///< number of tracks
  std::uint64_t tracks = 0;       ///< tracks in the range of eta of the ghost rate
  std::uint64_t ghosts = 0;       ///< these tracks without a match to a particle of any kind
  std::uint64_t fast_tracks = 0;  ///< those of `tracks` above fast_p and fast_pt of the parameters
  std::uint64_t fast_ghosts = 0;  ///< those of `ghosts` among them
  std::vector<McCategoryResult> categories;  ///< in the order of the parameters
  /// If requested: one entry for each track and each matched particle with has_velo, has_ut and, if
  /// the track has hits in the SciFi, has_scifi, in the order of events, tracks and particles.
  std::vector<MomentumPair> momenta;

  /// Returns ghosts / tracks.
  Efficiency ghost_rate() const { return {ghosts, tracks}; }
  /// Returns fast_ghosts / fast_tracks.
  Efficiency fast_ghost_rate() const { return {fast_ghosts, fast_tracks}; }

  /// Returns the result for a category by name.
  /// @throws UsageError if there is no category of that name
  const McCategoryResult& operator[](std::string_view name) const;

  /// Adds the result of other events.
  /// @throws UsageError if the categories are not the same
  IdValidationResult& operator+=(const IdValidationResult& other);

  /// Compares counts, categories and momenta.
  friend bool operator==(const IdValidationResult&, const IdValidationResult&) = default;
};

/// Parameters of `IdValidation`; `velo_track_validation` and `velo_ut_track_validation` set them.
struct IdValidationParams {
  std::span<const McCategory> categories;  ///< must outlive the validation
  double min_eta = -McCategory::none;      ///< ghost rate: only tracks with eta above
  double max_eta = McCategory::none;       ///< ghost rate: only tracks with eta below
  bool keep_momenta = false;               ///< fill `IdValidationResult::momenta`
  double fast_p = McCategory::none;        ///< ghost rate of fast tracks: p of the track above, MeV
  double fast_pt = McCategory::none;  ///< ghost rate of fast tracks: pT of the track above, MeV
};

/// Comparison of tracks with the truth by LHCbIDs, event by event, by the rules of LHCb's Allen. A
/// track matches a particle that has left at least one of its hits if
///  - at least 70 % of its VELO hits are the particle's, or it has at most two VELO hits,
///  - the same holds for its SciFi hits, and
///  - at most one of its UT hits is not the particle's, or it is a long track.
///
/// Long tracks have more than two hits in the VELO and in the SciFi. In their comparison a particle
/// with SciFi hits on the track and its mother with VELO hits on the track share their hits.
///
/// A track may match several particles and counts for each one. A track that matches none is
/// a ghost.
class IdValidation {
 public:
  /// Starts an empty validation.
  explicit IdValidation(const IdValidationParams& params) : params_(params) {
    for (const auto& category : params.categories) result_.categories.push_back({category.name});
  }

  /// Returns the result over all events added so far.
  const IdValidationResult& result() const { return result_; }

  /// Track and particle that match, by their indices in an event.
  struct Match {
    std::uint32_t track = 0;     ///< index of the track
    std::uint32_t particle = 0;  ///< index of the particle
  };
  /// Returns all matches of the last event, in the order of tracks, then of particles.
  const std::vector<Match>& matches() const { return matches_; }

  /// Adds the tracks of an event.
  void add(const lhcb::McEvent& event, std::span<const IdTrack> tracks);

 private:
  /// Hits that a track shares with a particle.
  struct Shared {
    std::size_t velo = 0;
    std::size_t ut = 0;
    std::size_t scifi = 0;
  };

  static bool is_long(const IdTrack& track);
  static bool belongs(const Shared& shared, const IdTrack& track);
  void share_with_mothers(const lhcb::McEvent& event, const IdTrack& track);

  void count_shared(const detail::IdOwners& owners, std::span<const std::uint32_t> ids,
                    std::size_t Shared::*hits);

  void add_track(const lhcb::McEvent& event, const detail::IdOwners& owners, const IdTrack& track,
                 std::uint32_t number);

  void keep_momentum(const lhcb::McParticle& particle, const IdTrack& track);

  void count_category(const lhcb::McEvent& event, std::size_t c);

  IdValidationParams params_;
  IdValidationResult result_;
  // Of the current event
  std::map<std::uint32_t, std::uint32_t> by_key_;  ///< particles; without tracks in the SciFi: none
  std::vector<Shared> shared_;                     ///< per particle, zero between tracks
  std::vector<std::uint64_t> tracks_;              ///< per particle: tracks that belong to it
  std::vector<Match> matches_;                     ///< of tracks and particles
  std::vector<std::uint32_t> touched_;  ///< particles that share hits with the current track
};

/// Returns a validation of VELO tracks, with `velo_track_categories` and the ghost rate of all
/// tracks.
inline IdValidation velo_track_validation() { return IdValidation({velo_track_categories}); }

/// Returns a validation of tracks through VELO and UT, with `velo_ut_track_categories` and the
/// ghost rate of tracks with 2 < eta < 5.
inline IdValidation velo_ut_track_validation(bool keep_momenta = false) {
  return IdValidation({velo_ut_track_categories, 2., 5., keep_momenta});
}

/// Returns a validation of tracks through VELO, UT and SciFi, with `long_track_categories` and the
/// ghost rate of tracks with 2 < eta < 5; fast ones have p > 3 GeV and pT > 0.5 GeV.
inline IdValidation long_track_validation(bool keep_momenta = false) {
  return IdValidation({long_track_categories, 2., 5., keep_momenta, 3000., 500.});
}

}  // namespace trackplex::validation

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/validation/detail/velo_ut_validation.impl.hpp>
#endif
