// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/copy.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace trackplex::vertexing {

/// Vertices of many events, one array per quantity. Event e has the slots from e * slots_per_event
/// on; its first count(e) hold a vertex, in the order of the peaks along z. Lengths in the unit of
/// the tracks.
template <class T, class MemorySpace>
struct Vertices {
  template <class Element>
  using Array = Kokkos::View<Element*, MemorySpace>;  ///< one entry per event or slot

  Array<T> x, y, z;               ///< (slot): position
  Array<T> xx, xy, yy;            ///< (slot): covariance
  Array<T> xz, yz, zz;            ///< (slot): covariance
  Array<T> weight;                ///< (slot): sum of the weights of the tracks
  Array<std::uint32_t> tracks;    ///< (slot): number of tracks with a weight above 1/2
  Array<std::uint32_t> count;     ///< (event): number of vertices
  Array<std::uint32_t> overflow;  ///< (event): number of peaks without a slot, which were dropped
  int n_events = 0;               ///< number of events
  int slots_per_event = 0;        ///< max number of vertices of an event
};

/// Copies the plain members and calls f(array of from, array of to, label, entries) for each array;
/// see core/copy.hpp.
template <class T, class From, class To, class F>
void for_each_array(const Vertices<T, From>& from, Vertices<T, To>& to, const F& f) {
  to.n_events = from.n_events;
  to.slots_per_event = from.slots_per_event;
  const auto events = std::size_t(from.n_events), n = events * std::size_t(from.slots_per_event);
  f(from.x, to.x, "Trackplex::Vertexing::vertex_x", n);
  f(from.y, to.y, "Trackplex::Vertexing::vertex_y", n);
  f(from.z, to.z, "Trackplex::Vertexing::vertex_z", n);
  f(from.xx, to.xx, "Trackplex::Vertexing::vertex_xx", n);
  f(from.xy, to.xy, "Trackplex::Vertexing::vertex_xy", n);
  f(from.yy, to.yy, "Trackplex::Vertexing::vertex_yy", n);
  f(from.xz, to.xz, "Trackplex::Vertexing::vertex_xz", n);
  f(from.yz, to.yz, "Trackplex::Vertexing::vertex_yz", n);
  f(from.zz, to.zz, "Trackplex::Vertexing::vertex_zz", n);
  f(from.weight, to.weight, "Trackplex::Vertexing::vertex_weight", n);
  f(from.tracks, to.tracks, "Trackplex::Vertexing::vertex_tracks", n);
  f(from.count, to.count, "Trackplex::Vertexing::vertex_count", events);
  f(from.overflow, to.overflow, "Trackplex::Vertexing::vertex_overflow", events);
}

/// Primary vertex of an event on the host. Lengths in the unit of the tracks.
struct Vertex {
  std::array<double, 3> position{};    ///< x, y, z
  std::array<double, 6> covariance{};  ///< xx, xy, yy, xz, yz, zz
  double weight = 0.;                  ///< sum of the weights of the tracks
  std::uint32_t tracks = 0;            ///< number of tracks with a weight above 1/2

  /// Compares all members.
  friend bool operator==(const Vertex&, const Vertex&) = default;
};

/// Copies vertices to the host, a list per event. Waits for the instance.
template <class ExecutionSpace, class T, class MemorySpace>
std::vector<std::vector<Vertex>> vertices_to_host(const ExecutionSpace& exec,
                                                  const Vertices<T, MemorySpace>& vertices) {
  const auto host = enqueue_copy<Vertices<T, Kokkos::HostSpace>>(exec, vertices);
  exec.fence();
  std::vector<std::vector<Vertex>> events(std::size_t(host.n_events));
  for (std::size_t e = 0; e < events.size(); ++e)
    for (std::size_t v = 0; v < host.count(e); ++v) {
      const std::size_t i = e * std::size_t(host.slots_per_event) + v;
      events[e].push_back({{double(host.x(i)), double(host.y(i)), double(host.z(i))},
                           {double(host.xx(i)), double(host.xy(i)), double(host.yy(i)),
                            double(host.xz(i)), double(host.yz(i)), double(host.zz(i))},
                           double(host.weight(i)),
                           host.tracks(i)});
    }
  return events;
}

}  // namespace trackplex::vertexing
