// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/team_launch.hpp>
#include <trackplex/lhcb/scifi/scifi_channel.hpp>
#include <trackplex/lhcb/scifi/scifi_hits.hpp>

#include <cstddef>

namespace trackplex::lhcb::detail {

template <class Real>
KOKKOS_FORCEINLINE_FUNCTION Real scifi_real(double value) {
  return Real(ScalarOf<Real>(value));
}

/// scifi_z for kernels: z of a layer.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION constexpr T scifi_layer_z(int layer) {
  constexpr T z[scifi_layers] = {T(7826.), T(7896.), T(7966.), T(8036.), T(8508.), T(8578.),
                                 T(8648.), T(8718.), T(9193.), T(9263.), T(9333.), T(9403.)};
  return z[layer];
}
/// scifi_dxdy for kernels, of the stereo layers: layers 1, 5 and 9, then 2, 6 and 10.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION constexpr T scifi_stereo(int layer) {
  return layer % 4 == 1 ? T(0.0874892) : T(-0.0874892);
}
static_assert(scifi_layer_z<double>(0) == scifi_z[0] && scifi_layer_z<double>(3) == scifi_z[3] &&
              scifi_layer_z<double>(6) == scifi_z[6] && scifi_layer_z<double>(11) == scifi_z[11] &&
              scifi_stereo<double>(5) == scifi_dxdy[5] &&
              scifi_stereo<double>(10) == scifi_dxdy[10]);

/// The hits of a triplet are in layers first + 4 station: first is 0 in triplets of type 0, 3 in
/// those of type 1.
inline constexpr int triplet_types = 2, stations = 3;
KOKKOS_FORCEINLINE_FUNCTION constexpr int triplet_layer(int type, int station) {
  return 3 * type + 4 * station;
}

/// SciFi hits of one event, with cells of x in which searches begin.
template <class T>
struct ScifiEvent {
  using I = IntegerOf<T>;
  static constexpr int cells = 512;        ///< of a zone, from cell_begin on
  static constexpr double cell_mm = 12.5;  ///< width of a cell
  static constexpr double cell_begin = -cells / 2 * cell_mm;
  static constexpr int places = scifi_zones * (cells + 1);  ///< entries of `cell_hits`

  const T* x;      ///< of each hit
  const T* z;      ///< of each hit
  const I* zones;  ///< first hit of each zone
  I* cell_hits;    ///< (zone, cell), one more than cells: first hit that is in no cell before

  template <class Hits>
  KOKKOS_FUNCTION ScifiEvent(const Hits& hits, int event, I* scratch)
      : x(hits.x.data() + hits.event_offsets(event)),
        z(hits.z.data() + hits.event_offsets(event)),
        zones(hits.zone_offsets.data() + std::size_t(event) * (scifi_zones + 1)),
        cell_hits(scratch) {}
  KOKKOS_FUNCTION ScifiEvent(const T* hit_x, const T* hit_z, const I* first_hits, I* scratch)
      : x(hit_x), z(hit_z), zones(first_hits), cell_hits(scratch) {}

  /// Cell of x, which never decreases with x; the first and the last one reach to infinity.
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION static IntegerOf<Real> cell_of(const Real& at) {
    const Real cell = (at - Real(T(cell_begin))) * Real(T(1. / cell_mm));
    const Real none(T(0)), last(T(cells - 1));
    return convert<IntegerOf<Real>>(select(cell > none, select(cell < last, cell, last), none));
  }

  /// Finds the first hits of all cells.
  template <class Team>
  KOKKOS_FUNCTION void fill_cells(const Team& team) const {
    for (int zone = 0; zone < scifi_zones; ++zone) {
      I* const first = cell_hits + zone * (cells + 1);
      const I begin = zones[zone], end = zones[zone + 1];
      team.template for_each<int>(int(end - begin) + 1, [&](const Tile<int>& tile) {
        const I hit = begin + I(tile.first);
        I cell = hit == begin ? I(0) : cell_of(x[hit - 1]) + I(1);
        const I last = hit == end ? I(cells) : cell_of(x[hit]);
        for (; cell <= last; ++cell) first[cell] = hit;
      });
    }
    team.barrier();
  }
};

/// First hit of a zone that is not below x, the end of the zone if there is none.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION IntegerOf<Real> first_hit_from(const ScifiEvent<ScalarOf<Real>>& event,
                                                           const Real& x,
                                                           const IntegerOf<Real>& zone,
                                                           MaskOf<Real> mask) {
  using Integer = IntegerOf<Real>;
  using Event = ScifiEvent<ScalarOf<Real>>;
  const Integer cell = zone * Integer(Event::cells + 1) + Event::cell_of(x);
  Integer begin = gather<Integer>(event.cell_hits, cell, mask);
  Integer end = gather<Integer>(event.cell_hits + 1, cell, mask);
  mask = mask && begin < end;
  while (any_of(mask)) {
    const Integer middle = (begin + end) >> 1;
    const auto less = gather<Real>(event.x, middle, mask) < x;
    begin = select(mask && less, middle + Integer(1), begin);
    end = select(mask && !less, middle, end);
    mask = mask && begin < end;
  }
  return begin;
}

/// A hit, or -1, and its squared distance from where it was searched for.
template <class Real>
struct NearestHit {
  IntegerOf<Real> hit;
  Real distance2;
};

/// The hit of a zone nearest to x, if its squared distance is below the limit; of two at the same
/// distance the first one.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION NearestHit<Real> nearest_hit(const ScifiEvent<ScalarOf<Real>>& event,
                                                         const Real& x, const IntegerOf<Real>& zone,
                                                         const Real& limit,
                                                         const MaskOf<Real>& mask) {
  using Integer = IntegerOf<Real>;
  const Integer above = first_hit_from(event, x, zone, mask), below = above - Integer(1);
  const auto has_below = mask && above > gather<Integer>(event.zones, zone, mask);
  const auto has_above = mask && above < gather<Integer>(event.zones + 1, zone, mask);
  const Real to_below = gather<Real>(event.x, below, has_below) - x;
  const Real to_above = gather<Real>(event.x, above, has_above) - x;
  NearestHit<Real> nearest{Integer(-1), limit};
  const Real below2 = to_below * to_below, above2 = to_above * to_above;
  const auto takes_below = has_below && below2 < nearest.distance2;
  nearest = {select(takes_below, below, nearest.hit), select(takes_below, below2, limit)};
  const auto takes_above = has_above && above2 < nearest.distance2;
  return {select(takes_above, above, nearest.hit), select(takes_above, above2, nearest.distance2)};
}

/// Memory of a team for some tracks of an event and their candidates. Candidate i of track t has
/// the entry t * candidates + i.
template <class T>
struct ForwardScratch {
  using I = IntegerOf<T>;
  static constexpr int max_tracks = 32;              ///< at once
  static constexpr int windows = 2 * triplet_types;  ///< see window()

  // Of each track
  T *x, *y, *tx, *ty;  ///< line in the UT, or else in the VELO, at forward_z_begin
  T* velo_tx;          ///< dx/dz in the VELO
  T* qop;              ///< q/p in the UT, if the magnet points down; else -q/p
  T* x_magnet;         ///< x of the VELO line at forward_z_magnet
  T* tolerance;        ///< of triplets, at forward_z_magnet
  I* side;             ///< half of the layers: 0 below, 1 above
  I* bend;             ///< sign of the bend that triplets must have, 0: any
  I* velo_track;       ///< as LongTracks::velo_track
  I* ut_track;         ///< as LongTracks::ut_track
  I* first[windows];   ///< first hit of a window
  I* size[windows];    ///< number of its hits
  I* n_candidates;     ///< number of its candidates
  I* first_candidate;  ///< place of its first candidate in the list; before that n_candidates

  // Of each candidate, by entry
  T* distance2;           ///< of the middle hit from the line of the others
  I* type;                ///< of the triplet
  I* triplet[stations];   ///< hits of the triplet
  T* quality;             ///< of the complete candidate
  I* hits[scifi_layers];  ///< hit of each layer, or -1

  // Of each candidate, in the order of the tracks
  I* entry;  ///< its entry
  I* owner;  ///< its track

  I* cell_hits;  ///< as ScifiEvent::cell_hits

  I* dropped;   ///< of each long track of the event: whether it is a duplicate
  I* followed;  ///< of each VELO track: whether it has a long track; then those that have none

  KOKKOS_FUNCTION ForwardScratch(ScratchCarver& carver, int candidates, int event_tracks) {
    T** const reals[] = {&x, &y, &tx, &ty, &velo_tx, &qop, &x_magnet, &tolerance};
    for (T** const array : reals) *array = carver.take<T>(max_tracks);
    I** const integers[] = {&side, &bend, &velo_track, &ut_track, &n_candidates, &first_candidate};
    for (I** const array : integers) *array = carver.take<I>(max_tracks);
    for (int w = 0; w < windows; ++w) {
      first[w] = carver.take<I>(max_tracks);
      size[w] = carver.take<I>(max_tracks);
    }
    const int entries = max_tracks * candidates;
    distance2 = carver.take<T>(entries);
    quality = carver.take<T>(entries);
    I** const of_candidates[] = {&type, &entry, &owner};
    for (I** const array : of_candidates) *array = carver.take<I>(entries);
    for (int s = 0; s < stations; ++s) triplet[s] = carver.take<I>(entries);
    for (int layer = 0; layer < scifi_layers; ++layer) hits[layer] = carver.take<I>(entries);
    cell_hits = carver.take<I>(ScifiEvent<T>::places);
    dropped = carver.take<I>(event_tracks);
    followed = carver.take<I>(event_tracks);
  }

  /// Window of a type of triplets in the first (last = 0) or third station (last = 1).
  static KOKKOS_FORCEINLINE_FUNCTION constexpr int window(int type, int last) {
    return 2 * type + last;
  }
};

}  // namespace trackplex::lhcb::detail
