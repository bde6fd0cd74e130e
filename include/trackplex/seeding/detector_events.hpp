// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/search/detector_hits.hpp>
#include <trackplex/seeding/tracking_events.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace trackplex::seeding {

/// Events of a detector of modules on the host, with the truth if it is known, read from a file
/// or generated.
struct DetectorEvents {
  search::HostDetectorHits hits;  ///< of all events, event by event and layer by layer
  /// For each hit, the index of its particle in the event, or -1 (noise). Empty: not known.
  std::vector<std::int32_t> particle_of_hit;
  /// For each hit, its weight in the score of the TrackML challenge. Empty: not known.
  std::vector<double> weight;
  std::vector<TrueParticle> particles;  ///< of all events, event by event
  /// For each particle, its number of hits according to the source. Empty: count the hits.
  std::vector<std::int32_t> n_hits;
  /// Event e has the particles [particle_offsets[e], particle_offsets[e + 1]).
  std::vector<std::int32_t> particle_offsets{0};
  /// Number of particles of the source that cannot be tracks and are left out: without transverse
  /// momentum, for example. Their hits are noise.
  std::size_t particles_left_out = 0;
  /// Number of hits, or cells, of the source that are left out since a coordinate, or a variance,
  /// is none.
  std::size_t hits_left_out = 0;

  /// Constructs a list without events.
  /// @throws UsageError if the detector has no modules
  explicit DetectorEvents(const geometry::DetectorDescription& detector) : hits(detector) {}

  /// Returns the number of events.
  int events() const { return int(particle_offsets.size()) - 1; }
};

}  // namespace trackplex::seeding
