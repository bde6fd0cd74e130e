// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/algorithm.hpp>
#include <trackplex/core/error.hpp>
#include <trackplex/vertexing/detail/vertex_finding.hpp>
#include <trackplex/vertexing/tracks_at_beam.hpp>
#include <trackplex/vertexing/vertex_params.hpp>
#include <trackplex/vertexing/vertices.hpp>

#include <cstddef>

namespace trackplex::vertexing {

/// Algorithm: primary vertices of many events from straight tracks near the beam. One kernel, a
/// team per event.
///
/// 1. Each track near the beam adds a bell of area 1, as wide as its uncertainty in z, to a
///    histogram of z. Peaks of the histogram are the first positions of the vertices.
/// 2. All vertices are fitted at once. With \f$ \chi^2_{iv} \f$ of track i at vertex v, in two
///    coordinates, a track counts for a vertex with the weight
///    \f[ w_{iv}=\frac{e^{-\chi^2_{iv}/2}}{e^{-c/2}+\sum_u e^{-\chi^2_{iu}/2}}, \f]
///    c = VertexParams::chi2_cut: vertices compete for tracks, and outliers lose their influence.
///    Each iteration is a Newton step of the weighted least squares; the covariance of a vertex is
///    the inverse of its matrix. A vertex that no longer moves is left as it is until one with
///    which it shares tracks moves.
/// 3. Vertices with enough weight, near the beam, are kept; of two at the same z the heavier one.
///    The others are removed once nothing moves, and those that gain their tracks are fitted again.
///
/// (Histogram and peaks as in LHCb's Allen; weights as in R. Fruehwirth, W. Waltenberger, P.
/// Vanlaer, "Adaptive vertex fitting", J. Phys. G 34 (2007) N343.)
template <class T, class ExecutionSpace, int Width = default_lane_width<ExecutionSpace, T>>
struct FindVertices {
  using MemorySpace = typename ExecutionSpace::memory_space;  ///< Memory space of all arrays.
  using Tracks = TracksAtBeam<T, MemorySpace>;                ///< Read: tracks at the beam.
  using Found = Vertices<T, MemorySpace>;                     ///< Made: vertices.
  static constexpr const char* name = "find_vertices";

  VertexParams params;  ///< histogram, cuts
  int team_size = 0;    ///< threads per event; 0: default of the space

  /// Allocates VertexParams::max_vertices slots per event.
  /// @throws UsageError if a parameter is out of range
  template <class Memory>
  void allocate(const Memory& memory, const Tracks& tracks, Found& vertices) const {
    params.check();
    vertices.n_events = tracks.n_events;
    vertices.slots_per_event = params.max_vertices;
    allocate_arrays(memory.of(vertices), vertices);
  }

  /// Enqueues the kernel.
  /// @throws CapacityError if an event may have more than 32767 tracks
  /// @throws UsageError if the vertices were allocated for other tracks or parameters
  void operator()(const ExecutionSpace& exec, const Tracks& tracks, Found& vertices) const {
    constexpr int capacity = 32767;
    if (tracks.max_event_tracks > capacity)
      throw CapacityError(name, "tracks of an event", std::size_t(tracks.max_event_tracks),
                          capacity, "a bin of the histogram counts no more");
    if (vertices.n_events != tracks.n_events || vertices.slots_per_event != params.max_vertices)
      throw UsageError(name, "the vertices are not allocated for these tracks", {},
                       "allocate() with the same tracks comes before");
    using Kernel = detail::VertexFinding<LanesOf<T, Width>, Tracks, Found>;
    for_each_team(exec, "Trackplex::Vertexing::find_vertices", tracks.n_events,
                  Kernel{tracks, vertices, detail::VertexCuts<T>(params)}, team_size);
  }
};

}  // namespace trackplex::vertexing

#if defined(TRACKPLEX_INSTANCES)
#include <trackplex/vertexing/detail/find_vertices.instances.hpp>
#endif
