// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/kalman/track_state.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace trackplex::detector {

/// Tracks of an event, found in a detector of modules. Numbers are those of the kernels, converted
/// to double.
/// @tparam Model meaning of the last three parameters of states
template <kalman::TrackModel Model = kalman::CentralTrack>
struct TrackList {
  std::vector<std::int32_t> first{0};  ///< first entry of each track in `hits`, and the end
  /// Hits of the tracks, along each track: indices into the hits of the event, in the order of
  /// `hits::HostDetectorHits`.
  std::vector<std::int32_t> hits;
  /// State of each track on the plane of the module of its first hit, from a fit of all hits.
  std::vector<kalman::TrackState<double, Model>> states;
  std::vector<double> chi2;                ///< of each fit
  std::vector<std::int32_t> measurements;  ///< numbers that each fit used: two for a pixel
  std::vector<std::int32_t> pass;          ///< pass in which each track was found
  int lost_seeds = 0;  ///< triplets, hits and pairs beyond the capacities, in all passes

  /// Returns the number of tracks.
  std::size_t size() const { return first.size() - 1; }
  /// Returns the hits of a track.
  std::span<const std::int32_t> hits_of(std::size_t track) const {
    return {hits.data() + first[track], hits.data() + first[track + 1]};
  }
};

}  // namespace trackplex::detector
