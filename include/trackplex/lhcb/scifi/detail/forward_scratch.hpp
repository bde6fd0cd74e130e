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

/// Triplets with steeper lines are outside of the detector.
inline constexpr double max_triplet_slope = 0.75;

/// Where, at forward_z_magnet, the line of a triplet of a slope should be, for that of the VELO at
/// x_magnet, as in LHCb's Allen of 2020.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION Real expected_in_magnet(const Real& slope, const Real& x_magnet) {
  const auto real = [](double value) { return scifi_real<Real>(value); };
  return fma(slope, fma(slope, fma(slope, real(-375.478), real(16.6874)), real(19.3897)),
             real(-0.819493) + x_magnet);
}

/// Cell of x among N around 0, which never decreases with x; the first and the last one reach to
/// infinity.
template <int N, class Real>
KOKKOS_FORCEINLINE_FUNCTION IntegerOf<Real> x_cell(const Real& at, double width) {
  const Real cell = (at - scifi_real<Real>(-N / 2 * width)) * scifi_real<Real>(1. / width);
  const Real none(ScalarOf<Real>(0)), last(ScalarOf<Real>(N - 1));
  return convert<IntegerOf<Real>>(select(cell > none, select(cell < last, cell, last), none));
}

/// SciFi hits of one event, with cells of x in which searches begin.
template <class T>
struct ScifiEvent {
  using I = IntegerOf<T>;
  static constexpr int cells = 512;                       ///< of a zone
  static constexpr double cell_mm = 12.5;                 ///< width of a cell
  static constexpr int places = scifi_zones * cells + 1;  ///< entries of `cell_hits`

  const T* x;      ///< of each hit
  const T* z;      ///< of each hit
  const I* zones;  ///< first hit of each zone
  I* cell_hits;    ///< (zone, cell), and the end: first hit that is in no cell before

  template <class Hits>
  KOKKOS_FUNCTION ScifiEvent(const Hits& hits, int event, I* scratch)
      : x(hits.x.data() + hits.event_offsets(event)),
        z(hits.z.data() + hits.event_offsets(event)),
        zones(hits.zone_offsets.data() + std::size_t(event) * (scifi_zones + 1)),
        cell_hits(scratch) {}
  KOKKOS_FUNCTION ScifiEvent(const T* hit_x, const T* hit_z, const I* first_hits, I* scratch)
      : x(hit_x), z(hit_z), zones(first_hits), cell_hits(scratch) {}

  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION static IntegerOf<Real> cell_of(const Real& at) {
    return x_cell<cells>(at, cell_mm);
  }

  /// Finds the first hits of all cells, by counting.
  template <class Team>
  KOKKOS_FUNCTION void fill_cells(const Team& team) const {
    using Tiles = Tile<typename Team::Real>;
    using Integer = typename Tiles::Integer;
    team.for_each(places, [&](const Tiles& tile) { tile.store(cell_hits, Integer(I(0))); });
    team.barrier();
    for (int zone = 0; zone < scifi_zones; ++zone) {
      const T* const first = x + zones[zone];
      team.for_each(int(zones[zone + 1] - zones[zone]), [&](const Tiles& tile) {
        const Integer cell = cell_of(tile.load(first));
        for (int lane = 0; lane < tile.count; ++lane)
          team.increment(cell_hits + zone * cells + extract(cell, lane));
      });
    }
    team.barrier();
    team.exclusive_scan(cell_hits, places);
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
  const Integer cell = zone * Integer(Event::cells) + Event::cell_of(x);
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

/// Replaces the nearest hit by another one, if that is nearer and its squared distance is below the
/// limit; of two at the same distance the first one is kept, but of several at the same x below the
/// last one. Hits come in ascending order: below x the later one is nearer.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION void take_nearer(NearestHit<Real>& nearest, const IntegerOf<Real>& hit,
                                             const Real& to_hit, const Real& limit,
                                             const MaskOf<Real>& mask) {
  const Real distance2 = to_hit * to_hit, zero(ScalarOf<Real>(0));
  const auto nearer = mask && distance2 < select(to_hit < zero, limit, nearest.distance2);
  nearest = {select(nearer, hit, nearest.hit), select(nearer, distance2, nearest.distance2)};
}

/// Somewhat more than the distance below whose square hits are near.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION Real reach_of(const Real& limit) {
  return fma(sqrt(limit), scifi_real<Real>(1.001), scifi_real<Real>(0.01));
}

/// The hit of a zone nearest to x, if its squared distance is below the limit; see take_nearer().
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION NearestHit<Real> nearest_hit(const ScifiEvent<ScalarOf<Real>>& event,
                                                         const Real& x, const IntegerOf<Real>& zone,
                                                         const Real& limit,
                                                         const MaskOf<Real>& mask) {
  using Integer = IntegerOf<Real>;
  using Event = ScifiEvent<ScalarOf<Real>>;
  const Real reach = reach_of(limit);
  const Integer row = zone * Integer(Event::cells);
  Integer hit = gather<Integer>(event.cell_hits, row + Event::cell_of(x - reach), mask);
  const Integer end = gather<Integer>(event.cell_hits + 1, row + Event::cell_of(x + reach), mask);
  NearestHit<Real> nearest{Integer(-1), limit};
  const auto take = [&](const MaskOf<Real>& left) {
    take_nearer(nearest, hit, gather<Real>(event.x, hit, left) - x, limit, left);
    hit += Integer(1);
  };
  // few lanes have more hits: without a branch for these, nothing waits for the number of hits
  constexpr int usual = width_of < Real >> 1 ? 3 : 0;
  for (int i = 0; i < usual; ++i) take(mask && hit < end);
  for (auto left = mask && hit < end; any_of(left); left = mask && hit < end) take(left);
  return nearest;
}

/// The nearest of the hits from `hit` on, which is in reach or above x.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION NearestHit<Real> nearest_from(const ScifiEvent<ScalarOf<Real>>& event,
                                                          const Real& x, IntegerOf<Real> hit,
                                                          const IntegerOf<Real>& end,
                                                          const Real& limit, MaskOf<Real> mask) {
  using Integer = IntegerOf<Real>;
  const Real reach = reach_of(limit);
  NearestHit<Real> nearest{Integer(-1), limit};
  while (any_of(mask)) {
    const Real to_hit = gather<Real>(event.x, hit, mask) - x;
    take_nearer(nearest, hit, to_hit, limit, mask);
    hit += Integer(1);
    mask = mask && to_hit < reach && hit < end;
  }
  return nearest;
}

/// Where hits of a zone are, in narrow cells of x: most places have none within reach.
template <class T>
struct NearHits {
  using I = IntegerOf<T>;
  static constexpr int cells = 4096;
  static constexpr double cell_mm = 1.5625;  ///< width of a cell
  I* first;                                  ///< (cell): first hit within reach of it, or -1

  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION static IntegerOf<Real> cell_of(const Real& at) {
    return x_cell<cells>(at, cell_mm);
  }

  /// Finds the hits of a zone within reach of the cells.
  template <class Team>
  KOKKOS_FUNCTION void fill(const Team& team, const ScifiEvent<T>& event, int zone, T reach) const {
    using Tiles = Tile<typename Team::Real>;
    using Integer = typename Tiles::Integer;
    team.for_each(cells, [&](const Tiles& tile) { tile.store(first, Integer(I(-1))); });
    team.barrier();
    const I begin = event.zones[zone], end = event.zones[zone + 1];
    team.template for_each<int>(int(end - begin), [&](const Tile<int>& tile) {
      const I hit = begin + I(tile.first);
      I cell = cell_of(event.x[hit] - reach);
      if (hit > begin) cell = max(cell, cell_of(event.x[hit - 1] + reach) + I(1));
      const I last = cell_of(event.x[hit] + reach);
      for (; cell <= last; ++cell) first[cell] = hit;
    });
    team.barrier();
  }
};

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
  T* min_slope;        ///< least dx/dz of triplets
  T* max_slope;        ///< upper limit of dx/dz of triplets
  I* side;             ///< half of the layers: 0 below, 1 above
  I* velo_track;       ///< as LongTracks::velo_track
  I* ut_track;         ///< as LongTracks::ut_track
  I* first[windows];   ///< first hit of a window
  I* size[windows];    ///< number of its hits
  I* n_candidates;     ///< number of its candidates
  I* first_candidate;  ///< place of its first candidate in the list; before that n_candidates

  // Of each track: the triplets among which are the best, see TripletList
  T* distance2;  ///< of the middle hit from the line of the others
  I* code;       ///< type, and numbers of the other hits in their windows
  I* middle;     ///< middle hit
  I* places;     ///< place in their order

  // Of each candidate, by entry
  I* type;               ///< of the triplet
  I* triplet[stations];  ///< hits of the triplet

  // Of each candidate, by its place in the order of the tracks
  I* entry;               ///< its entry
  I* owner;               ///< its track
  T* quality;             ///< of the complete candidate
  I* hits[scifi_layers];  ///< hit of each layer, or -1

  I* cell_hits;  ///< as ScifiEvent::cell_hits
  I* near[triplet_types *
          2];  ///< as NearHits::first, of the layers of middle hits, see near_middle()

  I* dropped;   ///< of each long track of the event: whether it is a duplicate
  I* followed;  ///< of each VELO track: whether it has a long track; then those that have none

  KOKKOS_FUNCTION ForwardScratch(ScratchCarver& carver, int candidates, int event_tracks) {
    T** const reals[] = {&x,   &y,        &tx,        &ty,        &velo_tx,
                         &qop, &x_magnet, &tolerance, &min_slope, &max_slope};
    for (T** const array : reals) *array = carver.take<T>(max_tracks);
    I** const integers[] = {&side, &velo_track, &ut_track, &n_candidates, &first_candidate};
    for (I** const array : integers) *array = carver.take<I>(max_tracks);
    for (int w = 0; w < windows; ++w) {
      first[w] = carver.take<I>(max_tracks);
      size[w] = carver.take<I>(max_tracks);
    }
    const int entries = max_tracks * candidates;
    distance2 = carver.take<T>(max_tracks * triplets(candidates));
    code = carver.take<I>(max_tracks * triplets(candidates));
    middle = carver.take<I>(max_tracks * triplets(candidates));
    places = carver.take<I>(max_tracks * triplets(candidates));
    quality = carver.take<T>(entries);
    I** const of_candidates[] = {&type, &entry, &owner};
    for (I** const array : of_candidates) *array = carver.take<I>(entries);
    for (int s = 0; s < stations; ++s) triplet[s] = carver.take<I>(entries);
    for (int layer = 0; layer < scifi_layers; ++layer) hits[layer] = carver.take<I>(entries);
    cell_hits = carver.take<I>(ScifiEvent<T>::places);
    for (I*& zone : near) zone = carver.take<I>(NearHits<T>::cells);
    dropped = carver.take<I>(event_tracks);
    followed = carver.take<I>(event_tracks);
  }

  /// Places for the triplets of a track.
  static KOKKOS_FORCEINLINE_FUNCTION constexpr int triplets(int candidates) {
    constexpr int margin = 32;  // as many as lanes
    return 2 * candidates + margin;
  }
  /// Middle hits of a type of triplets in a half of the layers.
  KOKKOS_FORCEINLINE_FUNCTION NearHits<T> near_middle(int triplets_type, int half) const {
    return {near[2 * triplets_type + half]};
  }

  /// Window of a type of triplets in the first (last = 0) or third station (last = 1).
  static KOKKOS_FORCEINLINE_FUNCTION constexpr int window(int type, int last) {
    return 2 * type + last;
  }
};

}  // namespace trackplex::lhcb::detail
