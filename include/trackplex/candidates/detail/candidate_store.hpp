// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/candidates/detail/children.hpp>
#include <trackplex/core/team_launch.hpp>
#include <trackplex/core/tile.hpp>
#include <trackplex/kalman/state_records.hpp>

#include <cstdint>

namespace trackplex::candidates::detail {

// The step of a candidate on a layer, as one integer: the place of its hit, from 0 on; a hole; no
// hit expected; or the layer on which it stopped.

/// It took no hit.
inline constexpr int hole = -1;
/// It took no hit, and none is expected: outside the modules.
inline constexpr int passed = -2;
/// It stopped on this layer.
template <class Integer>
KOKKOS_FORCEINLINE_FUNCTION Integer stopped_on(const Integer& layer) {
  return Integer(passed - 1) - layer;
}
template <class Integer>
KOKKOS_FORCEINLINE_FUNCTION auto has_stopped(const Integer& step) {
  return step < Integer(passed);
}
/// The layer on which it stopped.
template <class Integer>
KOKKOS_FORCEINLINE_FUNCTION Integer layer_of_stop(const Integer& step) {
  return stopped_on(step);  // which is its own inverse
}

/// The candidates for one layer, up to N for each seed of a team. Candidate k of seed g is in
/// slot k * stride + g; a seed's candidates fill its slots from k = 0 on.
template <class T>
struct CandidateFields {
  std::int32_t* hits;   ///< found after the seed; see RankedChild
  std::int32_t* holes;  ///< layers without a hit
  T* chi2;              ///< sum over the hits
  std::int32_t* from;   ///< slot, on the previous layer, of the parent candidate
  std::int32_t* hit;    ///< its step there

  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION RankedChild<Real> load(const Tile<Real>& tile) const {
    using Integer = IntegerOf<Real>;
    return {tile.template load<Integer>(hits), tile.load(chi2), tile.template load<Integer>(from),
            tile.template load<Integer>(hit)};
  }
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION void store(const Tile<Real>& tile, const RankedChild<Real>& child,
                                         const IntegerOf<Real>& child_holes) const {
    tile.store(hits, child.hits);
    tile.store(holes, child_holes);
    tile.store(chi2, child.chi2);
    tile.store(from, child.parent);
    tile.store(hit, child.hit);
  }
};

/// Added to the number of the compatible hits of a candidate that passes outside the modules.
inline constexpr int outside_of_modules = 1 << 16;

/// Scratch memory of a team of combinatorial building. `Search` has the steps on a layer, such as
/// `CylinderSearch`.
template <class T, int N, class Search>
struct CandidateStore {
  using States = kalman::StateRecords<T, typename Search::Model>;
  static constexpr bool own_layers = Search::own_layers;

  int slots;        ///< N * stride
  int stride;       ///< seeds of the team, or more: a power of two that no pack exceeds
  int first_layer;  ///< after those of the seeds

  States states;  ///< those predicted on each layer, see `record_of`; of the standard engine also
                  ///< those of the children of two layers, see `first_record_of_children`
  std::int32_t* own_layer;  ///< by record of a predicted state, if candidates have their own
  std::int32_t*
      source;  ///< of the standard engine, by slot: the record of the state it begins with

  // The candidates for a layer that have not stopped are listed. By position in the list:
  std::int32_t* list;         ///< their slots
  std::int32_t* n_children;   ///< compatible hits, see `outside_of_modules`; -1 where the layer was
                              ///< not reached
  T* child_chi2;              ///< of hit j, at j * slots + position in the list
  std::int32_t* child_place;  ///< the same

  static constexpr int margin = 32;  ///< more than the lanes of a pack

  KOKKOS_FUNCTION CandidateStore(ScratchCarver& carver, int seeds_stride, int first, int layers,
                                 bool all_children)
      : slots(N * seeds_stride), stride(seeds_stride), first_layer(first) {
    constexpr int quartets = States::quartets;
    const int all = (layers - first + 1) * slots;
    states.data = carver.take<Quartet<T>>((all + (all_children ? 2 * N * slots : 0)) * quartets);
    own_layer = carver.take<std::int32_t>(own_layers ? all : 0);
    source = carver.take<std::int32_t>(all_children ? slots : 0);
    list = carver.take<std::int32_t>(slots + margin);
    n_children = carver.take<std::int32_t>(slots);
    child_chi2 = carver.take<T>(N * slots);
    child_place = carver.take<std::int32_t>(N * slots);
    position_ = carver.take<std::int32_t>(all);
    first_child_ = all;
    fields_ = {carver.take<std::int32_t>(all), carver.take<std::int32_t>(all), carver.take<T>(all),
               carver.take<std::int32_t>(all), carver.take<std::int32_t>(all)};
  }

  /// Returns the candidates for a layer; those after the last layer are for layer `layers`.
  KOKKOS_FORCEINLINE_FUNCTION CandidateFields<T> candidates(int layer) const {
    const int at = (layer - first_layer) * slots;
    return {fields_.hits + at, fields_.holes + at, fields_.chi2 + at, fields_.from + at,
            fields_.hit + at};
  }

  /// The position of each slot in the list of a layer. Seeds, on the layer before the first one,
  /// are in the order of their slots.
  KOKKOS_FORCEINLINE_FUNCTION std::int32_t* positions(int layer) const {
    return position_ + first_record(layer);
  }

  /// The record of the state that was predicted on a layer for the first candidate of its list; the
  /// others follow.
  template <class Integer>
  KOKKOS_FORCEINLINE_FUNCTION Integer first_record(const Integer& layer) const {
    using I = ScalarOf<Integer>;
    return (layer + Integer(I(1 - first_layer))) * Integer(I(slots));
  }

  /// The record of the state that was predicted on a layer for the candidate in a slot; 0 outside
  /// of the mask.
  template <class Integer, class Mask>
  KOKKOS_FORCEINLINE_FUNCTION Integer record_of(const Integer& layer, const Integer& slot,
                                                const Mask& mask) const {
    const Integer first = first_record(layer);
    return select(mask, first + gather<Integer>(position_, first + slot, mask), Integer(0));
  }

  /// The record of the state of the first candidate's child with hit j; those of the others follow.
  /// Those of a layer are read on the next, while the next ones are written.
  KOKKOS_FORCEINLINE_FUNCTION int first_record_of_children(int layer, int j) const {
    return first_child_ + (layer % 2 * N + j) * slots;
  }

  /// The slots of candidate k of a tile of seeds.
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION Tile<Real> tile_of(int k, const Tile<Real>& seeds) const {
    return {k * stride + seeds.first, seeds.count};
  }

 private:
  int first_child_;
  std::int32_t* position_;
  CandidateFields<T> fields_;
};

/// Returns the candidates that exist and have not stopped.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION MaskOf<Real> goes_on(const RankedChild<Real>& candidate) {
  using Integer = IntegerOf<Real>;
  return candidate.hits >= Integer(0) && !has_stopped(candidate.hit);
}

}  // namespace trackplex::candidates::detail
