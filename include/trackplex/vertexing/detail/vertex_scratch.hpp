// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/number.hpp>
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
  using I = IntegerOf<T>;
  /// Number of vertices whose densities are kept. Devices calculate them again.
  template <class Real>
  static constexpr int kept = width_of < Real >> 1 ? 8 : 0;
  static constexpr int buckets = 1024;  ///< of z, for the sort of the tracks
  static constexpr int margin = 32;     ///< extra bins: packs may extend past the last one

  int* histogram;  ///< VertexHistogram::contents
  int* below;      ///< VertexHistogram::below
  int* moving;     ///< (iteration): number of vertices that are fitted again
  int* peaks;      ///< their number, in one entry
  T* sorted;       ///< (quantity, track): the tracks in the order of z
  int* begin;      ///< (vertex): first of its tracks
  int* end;        ///< (vertex): end of its tracks
  T* position;     ///< (coordinate, vertex)
  T* variance;     ///< (element of Symmetric3, vertex)
  T* sum;          ///< (vertex): weights
  int* tracks;     ///< (vertex): number of tracks with a weight above 1/2
  int* alive;      ///< (vertex): whether it is fitted
  int* active;     ///< (vertex): whether it, or one with which it shares tracks, still moves
  int* changed;    ///< (vertex): whether it has moved or gone in this iteration
  T* total;        ///< (track): sum of exp(-chi2/2) over vertices, and of outliers
  T* density;      ///< (vertex, track): of the first `kept` vertices, exp(-chi2/2)
  T* partial;      ///< (component, partial sum)

  // Of the sort of the tracks
  I* bucket_end;  ///< (bucket): number of tracks up to it
  T* key;         ///< (track): z, or the largest number if it is unusable
  I* bucket;      ///< (track): bucket of this z
  I* listed;      ///< (place in the order of the buckets): track
  T* listed_key;  ///< (place in the order of the buckets): its key
  I* order;       ///< (place in the order of z): track

  KOKKOS_FUNCTION VertexScratch(ScratchCarver& carver, const VertexCuts<T>& cuts, int n_tracks,
                                int n_partial, int n_kept)
      : histogram(carver.take<int>(cuts.bins + 1)),
        below(carver.take<int>(cuts.bins + margin)),
        moving(carver.take<int>(cuts.max_iterations)),
        peaks(carver.take<int>(1)),
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
        density(carver.take<T>(n_kept * n_tracks)),
        partial(carver.take<T>(n_partial)),
        bucket_end(carver.take<I>(buckets)),
        key(carver.take<T>(n_tracks)),
        bucket(carver.take<I>(n_tracks)),
        listed(carver.take<I>(n_tracks)),
        listed_key(carver.take<T>(n_tracks)),
        order(carver.take<I>(n_tracks)) {}
};

}  // namespace trackplex::vertexing::detail
