// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/compiled.hpp>
#include <trackplex/lhcb/velo/velo_event.hpp>
#include <trackplex/lhcb/velo/velo_track_list.hpp>
#include <trackplex/validation/efficiency.hpp>
#include <trackplex/validation/truth_matching.hpp>
#include <trackplex/validation/velo_categories.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace trackplex::validation {

/// Rules of `VeloValidation`; the defaults are those of velopix_tracking.
struct VeloValidationParams {
  /// A track matches a particle if more than this fraction of its hits are the particle's.
  double min_weight = 0.7;
  /// Tracks with fewer hits match no particle: they are ghosts.
  std::size_t min_track_hits = 2;
  /// Particles with hits in fewer different modules count in no category. 0: all particles
  /// flagged in the input; 3: "reconstructible" as defined in the papers.
  std::size_t min_modules = 0;
};

/// Result for one category of particles.
struct VeloCategoryResult {
  std::uint64_t particles = 0;     ///< particles in the category
  std::uint64_t found = 0;         ///< particles with at least one matched track
  std::uint64_t tracks = 0;        ///< tracks attributed to a particle of the category
  std::uint64_t clones = 0;        ///< attributed tracks beyond the first of each particle
  double purity_sum = 0.;          ///< sum of the weights of the attributed tracks
  double hit_efficiency_sum = 0.;  ///< sum over these of (shared hits) / (hits of the particle)

  /// Returns found / particles.
  Efficiency efficiency() const { return {found, particles}; }
  /// Returns clones / found, as in velopix_tracking (the papers divide by tracks).
  double clone_rate() const { return Efficiency{clones, found}.value(); }
  /// Returns the mean weight of the attributed tracks; 0 without tracks.
  double purity() const { return mean(purity_sum); }
  /// Returns the mean of (shared hits) / (hits of the particle) of these tracks; 0 without tracks.
  double hit_efficiency() const { return mean(hit_efficiency_sum); }

  /// Adds the result of other events.
  VeloCategoryResult& operator+=(const VeloCategoryResult& other);

 private:
  double mean(double sum) const { return tracks == 0 ? 0. : sum / static_cast<double>(tracks); }
};

/// Result over all events. The counts do not depend on the order of the events; the last bits of
/// the two sums of fractions do: add and merge in a fixed order.
struct VeloValidationResult {
  std::uint64_t events = 0;  ///< number of events
  std::uint64_t tracks = 0;  ///< number of tracks
  std::uint64_t ghosts = 0;  ///< tracks that match no particle of any kind, electrons included
  std::array<VeloCategoryResult, velo_categories> categories{};  ///< in the order of `VeloCategory`

  /// Returns the result for a category.
  const VeloCategoryResult& operator[](VeloCategory category) const {
    return categories[static_cast<std::size_t>(category)];
  }

  /// Returns ghosts / tracks.
  Efficiency ghost_rate() const { return {ghosts, tracks}; }

  /// Adds the result of other events.
  VeloValidationResult& operator+=(const VeloValidationResult& other);
};

/// Comparison of VELO tracks with the truth, event by event, by the rules of velopix_tracking's
/// validator. The weight of a track for a particle is the fraction of its hits that the particle
/// left; the track matches every particle with a weight above 0.7, and is a ghost if there is none.
/// For a category only its particles are considered: a particle is found if a track matches it, and
/// a track is attributed to the matched particle with the largest weight (the first one among
/// equals).
class VeloValidation {
 public:
  /// Starts an empty validation.
  explicit VeloValidation(const VeloValidationParams& params = {}) : params_(params) {}

  /// Returns the result over all events added so far.
  const VeloValidationResult& result() const { return result_; }

  /// Adds the tracks of an event.
  /// @throws UsageError if the event has no truth, or a track has a hit that the event does not
  /// have
  void add(const lhcb::VeloEvent& event, const lhcb::VeloTrackList& tracks);

  /// Adds the result of another instance with the same parameters.
  void merge(const VeloValidation& other) { result_ += other.result_; }

 private:
  /// Bit c of a mask stands for category c.
  using Mask = std::uint8_t;
  static_assert(velo_categories <= 8 * sizeof(Mask), "one bit per category");

  struct ParticleMarks {
    Mask in = 0;          ///< categories that the particle is in
    Mask found = 0;       ///< ... in which it has been found
    Mask attributed = 0;  ///< ... in which it is the best particle of a track
  };

  void count_particles(const lhcb::VeloEvent& event);

  static std::size_t modules_of(const lhcb::VeloEvent& event, const lhcb::VeloParticle& particle);

  /// Books a track; returns false if it belongs to no particle.
  bool attribute(const lhcb::VeloEvent& event, std::span<const SharedHits> shared);

  void book_best(const lhcb::VeloEvent& event, const SharedHits& best, std::size_t c);

  VeloValidationParams params_;
  VeloValidationResult result_;
  std::vector<ParticleMarks> marks_;  ///< per particle of the current event
};

}  // namespace trackplex::validation

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/validation/detail/velo_validation.impl.hpp>
#endif
