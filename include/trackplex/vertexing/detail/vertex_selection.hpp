// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/math.hpp>
#include <trackplex/vertexing/detail/vertex_cuts.hpp>
#include <trackplex/vertexing/detail/vertex_scratch.hpp>

namespace trackplex::vertexing::detail {

/// Which of the n vertices of an event are fitted again, and which are kept; for one thread.
template <class T>
class VertexSelection {
 public:
  KOKKOS_FUNCTION VertexSelection(const VertexCuts<T>& cuts, const VertexScratch<T>& scratch)
      : cuts_(cuts), scratch_(scratch) {}

  /// Activates the vertices that share tracks with one that has changed, which are
  /// fitted again, and returns their number.
  KOKKOS_FUNCTION int activate(int n) const {
    int number = 0;
    for (int v = 0; v < n; ++v) {
      scratch_.active[v] = 0;
      for (int other = 0; other < n; ++other)
        if (scratch_.alive[v] && scratch_.changed[other] &&
            (other == v ||
             (scratch_.begin[v] < scratch_.end[other] && scratch_.begin[other] < scratch_.end[v])))
          scratch_.active[v] = 1;
      number += scratch_.active[v];
    }
    for (int v = 0; v < n; ++v) scratch_.changed[v] = 0;
    return number;
  }

  /// Whether a vertex passes the cuts.
  KOKKOS_FUNCTION bool passes(int v) const {
    if (!scratch_.alive[v]) return false;
    const T x = scratch_.position[v] - cuts_.beam_x,
            y = scratch_.position[cuts_.max_vertices + v] - cuts_.beam_y;
    return scratch_.sum[v] >= cuts_.min_weight && fma(x, x, y * y) < cuts_.max_radius2;
  }

  /// Whether no heavier vertex is at the same z, within the uncertainties.
  KOKKOS_FUNCTION bool is_unique(int v, int n) const {
    const T* const z = scratch_.position + 2 * cuts_.max_vertices;
    const T* const variance = scratch_.variance + 5 * cuts_.max_vertices;
    for (int other = 0; other < n; ++other) {
      if (other == v || !scratch_.alive[other]) continue;
      const T dz = z[v] - z[other];
      const T own = scratch_.sum[v], theirs = scratch_.sum[other];
      if (dz * dz < cuts_.min_separation2 * (variance[v] + variance[other]) &&
          (theirs > own || (theirs == own && other < v)))
        return false;
    }
    return true;
  }

  /// Once no vertex moves: removes those at the place of heavier ones, which share
  /// their tracks, or, if there are none, those that do not pass the cuts. Others gain their
  /// tracks.
  KOKKOS_FUNCTION void remove(int n) const {
    bool removed = false;
    for (int v = 0; v < n; ++v)
      if (scratch_.alive[v] && !is_unique(v, n)) {
        drop(v);
        removed = true;
      }
    if (removed) return;
    for (int v = 0; v < n; ++v)
      if (scratch_.alive[v] && !passes(v)) drop(v);
  }

 private:
  KOKKOS_FUNCTION void drop(int v) const {
    scratch_.alive[v] = 0;
    scratch_.changed[v] = 1;
  }

  const VertexCuts<T>& cuts_;
  const VertexScratch<T>& scratch_;
};

}  // namespace trackplex::vertexing::detail
