// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/team.hpp>

#include <cstddef>

namespace trackplex::lhcb::detail {

/// Which VELO tracks of an event are listed: those in the acceptance of the SciFi that are not
/// among the first `found` long tracks.
template <class T, class LongTracks>
struct FreeVeloTracks {
  const LongTracks& tracks;
  std::size_t slot;  ///< first one of the event
  int found;
  T max_abs_tx, max_abs_ty;
};

/// Lists such tracks among the n VELO tracks of an event and returns their number. The list has
/// room for n.
template <class Team, class T, class LongTracks, class States>
KOKKOS_FUNCTION int list_free_velo_tracks(const Team& team,
                                          const FreeVeloTracks<T, LongTracks>& which,
                                          const States& states, int n, IntegerOf<T>* list) {
  using Real = typename Team::Real;
  using Integer = IntegerOf<Real>;
  using I = ScalarOf<Integer>;
  const std::size_t slot = which.slot;
  team.for_each(n, [&](Tile<Real> tile) { tile.store(list, Integer(0)); });
  team.barrier();
  team.for_each(which.found, [&](Tile<Real> tile) {
    scatter(list, tile.template load<Integer>(which.tracks.velo_track.data() + slot), Integer(1),
            tile.mask());
  });
  team.barrier();
  return team.compact_tiles(
      n,
      [&](Tile<Real> tile) {
        const auto backward = tile.template load<Integer>(states.backward.data() + slot);
        return tile.template load<Integer>(list) == Integer(0) && backward == Integer(0) &&
               abs(tile.load(states.tx.data() + slot)) <= Real(which.max_abs_tx) &&
               abs(tile.load(states.ty.data() + slot)) <= Real(which.max_abs_ty);
      },
      [&](Tile<Real> tile, MaskOf<Real> mask, int to) {
        scatter(list, Integer(I(to)) + lanes_before<Real>(mask), tile.index(), mask);
      });
}

}  // namespace trackplex::lhcb::detail
