// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/team.hpp>
#include <trackplex/core/team_launch.hpp>
#include <trackplex/lhcb/scifi/detail/forward_scratch.hpp>
#include <trackplex/lhcb/scifi/detail/seed_curve.hpp>

namespace trackplex::lhcb::detail {

/// Memory of a team for the hits of an event that no track has, and for the candidates of some
/// first hits. Candidate i of first hit f has the entry f * candidates + i.
template <class T>
struct SeedingScratch {
  using I = IntegerOf<T>;
  static constexpr int max_firsts = 64;  ///< at once

  // Of each hit that no track has
  T *x, *z;      ///< as ScifiHits
  I* index;      ///< of the hit in its event
  I* taken;      ///< of each hit of the event: whether a track has it
  I* zones;      ///< first one of each zone, and the end
  I* cell_hits;  ///< as ScifiEvent::cell_hits
  I* near;       ///< as NearHits::first, of the layer of middle hits

  // Of each first hit
  I* n_candidates;     ///< number of its candidates
  I* first_candidate;  ///< place of its first candidate in the list; before that n_candidates

  // Of each candidate, by entry
  T* score;                   ///< of the curve
  T* misfit;                  ///< sum of its squared residuals, mm^2
  T *curve_x, *slope, *bend;  ///< as ForwardCurve
  I* n_x_hits;                ///< number of x hits
  I* n_hits;                  ///< number of hits of the complete candidate, 0: it has none
  T* quality;                 ///< of the complete candidate
  I* hits[scifi_layers];      ///< hit of each layer, or -1

  I* entry;    ///< of each candidate, in the order of the first hits: its entry
  I* dropped;  ///< of each track of the event: whether it is a duplicate

  KOKKOS_FUNCTION SeedingScratch(ScratchCarver& carver, int candidates, int event_hits) {
    constexpr int margin = 32;  // as many as lanes: lists without gaps are written in full packs
    T** const reals[] = {&x, &z};
    for (T** const array : reals) *array = carver.take<T>(event_hits + margin);
    I** const integers[] = {&index, &taken, &dropped};
    for (I** const array : integers) *array = carver.take<I>(event_hits + margin);
    zones = carver.take<I>(scifi_zones + 1);
    cell_hits = carver.take<I>(ScifiEvent<T>::places);
    near = carver.take<I>(NearHits<T>::cells);
    n_candidates = carver.take<I>(max_firsts);
    first_candidate = carver.take<I>(max_firsts);
    const int entries = max_firsts * candidates;
    T** const of_candidates[] = {&score, &misfit, &curve_x, &slope, &bend, &quality};
    for (T** const array : of_candidates) *array = carver.take<T>(entries);
    n_x_hits = carver.take<I>(entries);
    n_hits = carver.take<I>(entries);
    for (int layer = 0; layer < scifi_layers; ++layer) hits[layer] = carver.take<I>(entries);
    entry = carver.take<I>(entries);
  }

  KOKKOS_FUNCTION ScifiEvent<T> event() const { return {x, z, zones, cell_hits}; }
};

}  // namespace trackplex::lhcb::detail
