// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/copy.hpp>
#include <trackplex/core/host_executor.hpp>
#include <trackplex/vertexing/track_at_beam.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace trackplex::vertexing {

/// Tracks of many events where they are closest to the beam, one array per quantity. Event e has
/// the tracks [first(e), first(e) + count(e)). Lengths in any unit.
template <class T, class MemorySpace>
struct TracksAtBeam {
  template <class Element>
  using Array = Kokkos::View<Element*, MemorySpace>;  ///< one entry per event or track

  Array<T> x, y, z;            ///< (track): point of closest approach
  Array<T> tx, ty;             ///< (track): slopes
  Array<T> wxx, wxy, wyy;      ///< (track): TrackAtBeam::wxx, wxy and wyy
  Array<std::uint32_t> first;  ///< (event): index of the first track
  Array<std::uint32_t> count;  ///< (event): number of tracks
  std::size_t n_tracks = 0;    ///< number of entries for tracks, of all events
  int n_events = 0;            ///< number of events
  int max_event_tracks = 0;    ///< upper limit of the number of tracks of an event
};

/// Copies the plain members and calls f(array of from, array of to, label, entries) for each array;
/// see core/copy.hpp.
template <class T, class From, class To, class F>
void for_each_array(const TracksAtBeam<T, From>& from, TracksAtBeam<T, To>& to, const F& f) {
  to.n_tracks = from.n_tracks;
  to.n_events = from.n_events;
  to.max_event_tracks = from.max_event_tracks;
  const auto events = std::size_t(from.n_events);
  f(from.x, to.x, "Trackplex::Vertexing::track_x", from.n_tracks);
  f(from.y, to.y, "Trackplex::Vertexing::track_y", from.n_tracks);
  f(from.z, to.z, "Trackplex::Vertexing::track_z", from.n_tracks);
  f(from.tx, to.tx, "Trackplex::Vertexing::track_tx", from.n_tracks);
  f(from.ty, to.ty, "Trackplex::Vertexing::track_ty", from.n_tracks);
  f(from.wxx, to.wxx, "Trackplex::Vertexing::track_wxx", from.n_tracks);
  f(from.wxy, to.wxy, "Trackplex::Vertexing::track_wxy", from.n_tracks);
  f(from.wyy, to.wyy, "Trackplex::Vertexing::track_wyy", from.n_tracks);
  f(from.first, to.first, "Trackplex::Vertexing::first_track", events);
  f(from.count, to.count, "Trackplex::Vertexing::track_count", events);
}

/// Copies tracks of the host, a list per event, to the memory of a space. Waits for the instance.
template <class T, class ExecutionSpace>
TracksAtBeam<T, typename ExecutionSpace::memory_space> tracks_to_device(
    const ExecutionSpace& exec, const std::vector<std::vector<TrackAtBeam<double>>>& events) {
  TracksAtBeam<T, Kokkos::HostSpace> host;
  host.n_events = int(events.size());
  for (const auto& event : events) {
    host.n_tracks += event.size();
    host.max_event_tracks = std::max(host.max_event_tracks, int(event.size()));
  }
  allocate_arrays(HostExecutor(), host);
  std::size_t i = 0;
  for (std::size_t e = 0; e < events.size(); ++e) {
    host.first(e) = std::uint32_t(i);
    host.count(e) = std::uint32_t(events[e].size());
    for (const auto& track : events[e]) {
      host.x(i) = T(track.x);
      host.y(i) = T(track.y);
      host.z(i) = T(track.z);
      host.tx(i) = T(track.tx);
      host.ty(i) = T(track.ty);
      host.wxx(i) = T(track.wxx);
      host.wxy(i) = T(track.wxy);
      host.wyy(i++) = T(track.wyy);
    }
  }
  auto tracks = enqueue_copy<TracksAtBeam<T, typename ExecutionSpace::memory_space>>(exec, host);
  exec.fence();  // the lifetime of the host's copy ends here
  return tracks;
}

}  // namespace trackplex::vertexing
