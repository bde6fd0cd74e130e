// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Products that only the chain `TrackFinder` makes; those of a pass replace those of the pass
/// before.

#include <trackplex/chain/products.hpp>
#include <trackplex/hits/detector_hits.hpp>
#include <trackplex/kalman/fit_tracks.hpp>
#include <trackplex/kalman/host_track_states.hpp>
#include <trackplex/tracks/track_hits.hpp>

#include <cstddef>
#include <cstdint>

namespace trackplex::detector {

/// Batch of events that the chain reads; each list must hold one event.
using Events = chain::Events<hits::HostDetectorHits>;

/// Hits of a batch on the host.
template <class T>
using StagedHits = chain::Staged<hits::DetectorHits<T, Kokkos::HostSpace>>;

/// Flags of hits, by index among the hits of all events: 1 if the hit is on a track of an earlier
/// pass.
template <class MemorySpace>
using TakenHits = Kokkos::View<std::uint8_t*, MemorySpace>;

/// States from which the final fits start.
template <class T, class MemorySpace, kalman::TrackModel Model>
struct FitStarts {
  kalman::TrackStates<T, MemorySpace, Model> states;  ///< (track)
};

/// Kept tracks with their hits on overlapping modules.
template <class T, class MemorySpace, kalman::TrackModel Model>
struct TracksWithOverlaps {
  tracks::TrackHits<MemorySpace> hits;                  ///< see `tracks::DetectorTrackLayers`
  kalman::TrackStates<T, MemorySpace, Model> at_first;  ///< (track): state at the first hit
};

/// Kept tracks with all their hits.
template <class MemorySpace>
struct CompleteTracks {
  tracks::TrackHits<MemorySpace> hits;  ///< see `tracks::DetectorTrackLayers`
};

/// Fits of all hits of the tracks.
template <class T, class MemorySpace, kalman::TrackModel Model>
struct FinalFits {
  kalman::TrackStates<T, MemorySpace, Model> states;  ///< (track): on the module of the first hit
  kalman::FitResults<T, MemorySpace> results;         ///< (track)
};

/// Flags of tracks, 1 if a track is accepted.
template <class MemorySpace>
struct AcceptedTracks {
  Kokkos::View<std::uint8_t*, MemorySpace> flags;  ///< (track)
};

/// Tracks of a pass on the host.
template <class T, class MemorySpace, kalman::TrackModel Model>
struct HostPassTracks {
  tracks::TrackHits<Kokkos::HostSpace> hits;                     ///< (track, slot)
  kalman::HostTrackStates<T, MemorySpace, Model> states;         ///< (track)
  Kokkos::View<T*, Kokkos::HostSpace> chi2;                      ///< (track): of the fit
  Kokkos::View<std::uint16_t*, Kokkos::HostSpace> measurements;  ///< (track): numbers in the fit
  Kokkos::View<std::uint8_t*, Kokkos::HostSpace> accepted;       ///< (track)
};

/// References to the products of a pass that are copied to the host.
template <class T, class MemorySpace, kalman::TrackModel Model>
struct PassTracksToHost {
  const CompleteTracks<MemorySpace>& tracks;     ///< hits
  const FinalFits<T, MemorySpace, Model>& fits;  ///< states, chi2 and numbers of measurements
  const AcceptedTracks<MemorySpace>& accepted;   ///< flags
};

/// Calls f for each pair of arrays, for copies to the host; see core/copy.hpp.
template <class T, class MemorySpace, class Model, class F>
void for_each_array(const PassTracksToHost<T, MemorySpace, Model>& from,
                    HostPassTracks<T, MemorySpace, Model>& to, const F& f) {
  const auto n = std::size_t(from.tracks.hits.tracks);
  for_each_array(from.tracks.hits, to.hits, f);
  for_each_array(from.fits.states, to.states, f);
  f(from.fits.results.chi2, to.chi2, "Trackplex::Detector::chi2", n);
  f(from.fits.results.measurements, to.measurements, "Trackplex::Detector::measurements", n);
  f(from.accepted.flags, to.accepted, "Trackplex::Detector::accepted", n);
}

}  // namespace trackplex::detector
