// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Products that only the chain for the toy detector makes.

#include <trackplex/candidates/resolve_ambiguities.hpp>
#include <trackplex/chain/products.hpp>
#include <trackplex/cylinder/result.hpp>
#include <trackplex/seeding/seeds.hpp>

#include <cstddef>
#include <cstdint>

namespace trackplex::cylinder {

/// Fits of all hits of the tracks, one per track.
template <class T, class MemorySpace>
struct FittedTracks {
  kalman::TrackStates<T, MemorySpace> states;       ///< fitted, on the last layer
  kalman::FitResults<T, MemorySpace> results;       ///< chi2 and numbers of measurements
  kalman::SmoothedTracks<T, MemorySpace> smoothed;  ///< smoothed, on the first layer; or empty
};

/// Tracks or seeds of a batch on the host.
template <class T, class MemorySpace>
struct HostTracks {
  tracks::TrackHits<Kokkos::HostSpace> hits;       ///< (track, layer)
  Kokkos::View<T*, Kokkos::HostSpace> chi2;        ///< of each track
  kalman::HostTrackStates<T, MemorySpace> states;  ///< of each track; empty unless requested
};

/// Results of a batch on the host.
template <class T, class MemorySpace>
struct HostResults {
  HostTracks<T, MemorySpace> seeds,                       ///< seeds and their fits
      tracks;                                             ///< built tracks
  Kokkos::View<std::int32_t*, Kokkos::HostSpace> origin;  ///< see `tracks::KeptTracks`
  kalman::HostTrackStates<T, MemorySpace> fitted;         ///< smoothed states if there are any
  kalman::FitResults<T, Kokkos::HostSpace> fits;          ///< of each track
};

/// References to the products that are copied to the host.
template <class T, class MemorySpace>
struct ToHost {
  const seeding::Seeds<T, MemorySpace>& seeds;       ///< fitted seeds
  const tracks::KeptTracks<T, MemorySpace>& tracks;  ///< built tracks
  const FittedTracks<T, MemorySpace>& fitted;        ///< their fits
  bool all_states;                                   ///< copy the states of seeds and tracks too
};

/// Calls f for each pair of arrays, for copies to the host; see core/copy.hpp.
template <class T, class MemorySpace, class F>
void for_each_array(const ToHost<T, MemorySpace>& from, HostResults<T, MemorySpace>& to,
                    const F& f) {
  const auto copy = [&](const auto& tracks, const auto& chi2, HostTracks<T, MemorySpace>& host) {
    for_each_array(tracks.hits, host.hits, f);
    f(chi2, host.chi2, "Trackplex::Cylinder::chi2", std::size_t(tracks.size()));
    if (from.all_states) for_each_array(tracks.states, host.states, f);
  };
  copy(from.seeds, from.seeds.fit.chi2, to.seeds);
  copy(from.tracks.tracks, from.tracks.tracks.chi2, to.tracks);
  const auto n = std::size_t(from.tracks.tracks.size());
  if (from.tracks.origin.extent(0) > 0)
    f(from.tracks.origin, to.origin, "Trackplex::Cylinder::origin", n);
  const auto& [states, results, smoothed] = from.fitted;
  for_each_array(smoothed.states.size() > 0 ? smoothed.states : states, to.fitted, f);
  f(results.chi2, to.fits.chi2, "Trackplex::Cylinder::fit_chi2", n);
  f(results.measurements, to.fits.measurements, "Trackplex::Cylinder::fit_measurements", n);
  f(results.outliers, to.fits.outliers, "Trackplex::Cylinder::fit_outliers", n);
  f(results.reached, to.fits.reached, "Trackplex::Cylinder::fit_reached", n);
  f(results.status, to.fits.status, "Trackplex::Cylinder::fit_status", n);
}

}  // namespace trackplex::cylinder
