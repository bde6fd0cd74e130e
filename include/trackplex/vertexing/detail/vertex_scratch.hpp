// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/team_launch.hpp>
#include <trackplex/vertexing/detail/vertex_cuts.hpp>

namespace trackplex::vertexing::detail {

/// Quantities of a track, by their number.
enum TrackQuantity {
  track_x,
  track_y,
  track_z,
  track_tx,
  track_ty,
  track_wxx,
  track_wxy,
  track_wyy,
  n_quantities
};

/// Memory of the team of an event.
template <class T>
struct VertexScratch {
  int* histogram;
  int* moving;   ///< (iteration): number of vertices that are fitted again
  int* peaks;    ///< their number, in one entry
  T* key;        ///< (track): z, or the largest number if it is unusable
  T* sorted;     ///< (quantity, track): the tracks in the order of z
  int* begin;    ///< (vertex): first of its tracks
  int* end;      ///< (vertex): end of its tracks
  T* position;   ///< (coordinate, vertex)
  T* variance;   ///< (element of Symmetric3, vertex)
  T* sum;        ///< (vertex): weights
  int* tracks;   ///< (vertex): number of tracks with a weight above 1/2
  int* alive;    ///< (vertex): whether it is fitted
  int* active;   ///< (vertex): whether it, or one with which it shares tracks, still moves
  int* changed;  ///< (vertex): whether it has moved or gone in this iteration
  T* total;      ///< (track): sum of exp(-chi2/2) over vertices, and of outliers
  T* partial;    ///< (component, partial sum)

  KOKKOS_FUNCTION VertexScratch(ScratchCarver& carver, const VertexCuts<T>& cuts, int n_tracks,
                                int n_partial)
      : histogram(carver.take<int>(cuts.bins + 1)),
        moving(carver.take<int>(cuts.max_iterations)),
        peaks(carver.take<int>(1)),
        key(carver.take<T>(n_tracks)),
        sorted(carver.take<T>(n_quantities * n_tracks)),
        begin(carver.take<int>(cuts.max_vertices)),
        end(carver.take<int>(cuts.max_vertices)),
        position(carver.take<T>(3 * cuts.max_vertices)),
        variance(carver.take<T>(6 * cuts.max_vertices)),
        sum(carver.take<T>(cuts.max_vertices)),
        tracks(carver.take<int>(cuts.max_vertices)),
        alive(carver.take<int>(cuts.max_vertices)),
        active(carver.take<int>(cuts.max_vertices)),
        changed(carver.take<int>(cuts.max_vertices)),
        total(carver.take<T>(n_tracks)),
        partial(carver.take<T>(n_partial)) {}
};

}  // namespace trackplex::vertexing::detail
