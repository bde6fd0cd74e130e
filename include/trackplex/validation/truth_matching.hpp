// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/compiled.hpp>
#include <trackplex/core/error.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace trackplex::validation {

/// Table from the hits of an event to the particles that left them; a hit may have any number
/// of particles.
class HitOwners {
 public:
  /// Builds the table from the hits of each particle.
  /// @param hits number of hits of the event
  /// @param particles number of particles
  /// @param hits_of function from the index of a particle to a range of hit indices, each below
  ///   `hits`; a hit that a particle lists twice counts once
  /// @throws UsageError if an index is not below `hits`
  template <class HitsOf>
  HitOwners(std::size_t hits, std::size_t particles, const HitsOf& hits_of)
      : offsets_(hits + 1, 0) {
    std::vector<std::size_t> last_owner(hits, particles);
    const auto for_each_pair = [&](const auto& visit) {
      std::fill(last_owner.begin(), last_owner.end(), particles);
      for (std::size_t p = 0; p < particles; ++p) {
        for (const std::size_t hit : hits_of(p)) {
          if (hit >= hits) throw_outside(p, hit, hits);
          if (last_owner[hit] == p) continue;
          last_owner[hit] = p;
          visit(p, hit);
        }
      }
    };
    for_each_pair([&](std::size_t, std::size_t hit) { ++offsets_[hit + 1]; });
    for (std::size_t h = 0; h < hits; ++h) offsets_[h + 1] += offsets_[h];
    owners_.resize(offsets_.back());
    std::vector<std::uint32_t> next(offsets_.begin(), offsets_.end() - 1);
    for_each_pair([&](std::size_t p, std::size_t hit) {
      owners_[next[hit]++] = static_cast<std::uint32_t>(p);
    });
  }

  /// Returns the number of hits.
  std::size_t size() const { return offsets_.size() - 1; }

  /// Returns the indices of the particles of a hit, ascending.
  std::span<const std::uint32_t> operator[](std::size_t hit) const {
    return std::span(owners_).subspan(offsets_[hit], offsets_[hit + 1] - offsets_[hit]);
  }

 private:
  [[noreturn]] static void throw_outside(std::size_t particle, std::size_t hit, std::size_t hits);

  std::vector<std::uint32_t> offsets_;
  std::vector<std::uint32_t> owners_;
};

/// Particle with which a track shares hits.
struct SharedHits {
  std::uint32_t particle = 0;  ///< index in the event
  std::uint32_t hits = 0;      ///< number of hits of the track that belong to the particle
  double weight = 0.;          ///< hits / (hits of the track)
};

/// Matching of tracks to the particles of one event. The instance keeps scratch memory between
/// calls.
class TruthMatcher {
 public:
  /// Prepares for tracks of an event with this number of particles. `owners` must outlive the
  /// instance.
  explicit TruthMatcher(const HitOwners& owners, std::size_t particles)
      : owners_(&owners), counts_(particles, 0) {}

  /// Returns the particles that share hits with a track (a range of hit indices), in ascending
  /// order; valid until the next call.
  /// @throws UsageError if the event does not have a hit of the track
  template <class Hits>
  std::span<const SharedHits> operator()(const Hits& track) {
    shared_.clear();
    for (const std::size_t hit : track) {
      if (hit >= owners_->size()) {
        throw UsageError("truth matching",
                         "a track has hit " + std::to_string(hit) + " outside of the event",
                         "it has " + std::to_string(owners_->size()) + " hits",
                         "are tracks and event the same event's?");
      }
      for (const std::uint32_t particle : (*owners_)[hit]) {
        if (counts_[particle]++ == 0) shared_.push_back({particle});
      }
    }
    const double size = static_cast<double>(std::size(track));
    for (SharedHits& shared : shared_) {
      shared.hits = counts_[shared.particle];
      shared.weight = static_cast<double>(shared.hits) / size;
      counts_[shared.particle] = 0;
    }
    std::sort(shared_.begin(), shared_.end(),
              [](const auto& a, const auto& b) { return a.particle < b.particle; });
    return shared_;
  }

 private:
  const HitOwners* owners_;
  std::vector<std::uint32_t> counts_;  ///< per particle; zero between calls
  std::vector<SharedHits> shared_;
};

}  // namespace trackplex::validation

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/validation/detail/truth_matching.impl.hpp>
#endif
