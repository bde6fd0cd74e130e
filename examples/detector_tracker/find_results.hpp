// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "events.hpp"
#include "find.hpp"

#include <common/report.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace detector_tracker {

/// Which particles efficiencies are of.
struct ParticleCuts {
  double min_pt = 0.;         ///< GeV
  double max_vertex_r = 1e9;  ///< distance of the vertex from the beam, cm
};

struct FindResults {
  trackplex::program::Json json, plots;
  std::string text;
};

/// Returns the standard deviation along the beam, cm, of the region that central tracks come from,
/// with two digits; nothing if they are few.
std::optional<double> sigma_z_of(const Setup& setup,
                                 const trackplex::seeding::DetectorEvents& batch,
                                 std::span<const Tracks> events);

/// What the cut on z0 of the seeds of the first pass takes.
struct BeyondCut {
  double max_z0;           ///< cut, cm from the centre of the collisions
  std::size_t tracks = 0,  ///< tracks of the first pass without the cut
      beyond = 0;          ///< those of them beyond it
};
/// Counts the tracks of a batch beyond the cut, of those that were found without it.
BeyondCut beyond_cut(const Setup& setup, const trackplex::seeding::DetectorEvents& batch,
                     std::span<const Tracks> events);

/// Compares tracks with what is known of the particles.
FindResults find_results(const Setup& setup, const Events& events,
                         const std::vector<Tracks>& tracks, const ParticleCuts& cuts);

/// The hits of each track of an event.
using HitsOfTracks = std::vector<std::span<const std::int32_t>>;
template <class Model>
HitsOfTracks hits_of_tracks(const trackplex::detector::TrackList<Model>& tracks) {
  HitsOfTracks list;
  for (std::size_t t = 0; t < tracks.size(); ++t) list.push_back(tracks.hits_of(t));
  return list;
}

/// Detector, hits and tracks of an event, along the beam and from the side, for scripts/plot. Of
/// many, every n-th one is shown.
trackplex::program::Json event_display(const trackplex::geometry::DetectorDescription& detector,
                                       const EventOfBatch& event, std::size_t number,
                                       const HitsOfTracks& tracks);
/// Refuses --display of an event that there is not.
/// @throws UsageError
void check_display(const Settings& settings, const Events& events);

}  // namespace detector_tracker
