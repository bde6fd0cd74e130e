// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/compiled.hpp>
#include <trackplex/core/error.hpp>
#include <trackplex/tracks/tracking_events.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace trackplex::validation {

/// Found tracks of events of a detector: their hits and, if known, their parameters at the point
/// of closest approach to the beam.
struct TrackCandidates {
  /// Track t has the hits [first[t], first[t + 1]) of `hits`.
  std::vector<std::int32_t> first{0};
  std::vector<std::int32_t> hits;  ///< indices of hits in `DetectorEvents::hits`, of all events
  std::vector<double> phi,         ///< azimuth of the momentum, rad; empty: not known
      theta,                       ///< polar angle, rad; empty: not known
      z0,                          ///< z, cm; empty: not known
      q_over_p;                    ///< charge over momentum, 1/GeV; empty: not known

  /// Returns the number of tracks.
  std::size_t size() const { return first.size() - 1; }
  /// Returns the hits of a track.
  std::span<const std::int32_t> hits_of(std::size_t track) const {
    return std::span(hits).subspan(std::size_t(first[track]),
                                   std::size_t(first[track + 1] - first[track]));
  }
  /// Whether the parameters are known.
  bool has_parameters() const { return !phi.empty(); }

  /// Adds a track without parameters.
  void add(std::span<const std::int32_t> its_hits) {
    hits.insert(hits.end(), its_hits.begin(), its_hits.end());
    first.push_back(std::int32_t(hits.size()));
  }
  /// Adds a track with its parameters at the beam.
  void add(std::span<const std::int32_t> its_hits, double its_phi, double its_theta, double its_z0,
           double its_q_over_p) {
    add(its_hits);
    phi.push_back(its_phi);
    theta.push_back(its_theta);
    z0.push_back(its_z0);
    q_over_p.push_back(its_q_over_p);
  }
};

namespace detail {

/// Returns the event of each track.
/// @throws UsageError if a track has no hits, hits of several events, the same hit twice or hits
/// that do not exist, or if only some tracks have parameters
std::vector<int> events_of_tracks(const tracks::DetectorEvents& events,
                                  const TrackCandidates& tracks);

/// Counts the hits of each particle of all events.
std::vector<std::int32_t> count_hits_of_particles(const tracks::DetectorEvents& events);

}  // namespace detail

}  // namespace trackplex::validation

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/validation/detail/track_candidates.impl.hpp>
#endif
