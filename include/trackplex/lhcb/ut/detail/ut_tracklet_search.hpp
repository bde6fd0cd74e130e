// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/lhcb/ut/detail/ut_selection.hpp>
#include <trackplex/lhcb/ut/detail/ut_tracklets.hpp>
#include <trackplex/lhcb/ut/detail/ut_window_search.hpp>
#include <trackplex/lhcb/ut/ut_tracks.hpp>

#include <cstddef>
#include <cstdint>

namespace trackplex::lhcb::detail {

/// Compass for one event per team: each lane finds the best tracklet of one VELO track.
template <class Real, class Input, class Windows, class Output>
struct UtTrackletSearch {
  using T = ScalarOf<Real>;
  using Integer = IntegerOf<Real>;
  using I = ScalarOf<Integer>;
  using Mask = MaskOf<Real>;

  Input input;
  Windows windows;
  Output tracks;

  /// Hit 0 is also read for lanes without a hit.
  KOKKOS_FUNCTION Quartet<T>* take_records(ScratchCarver& carver) const {
    return carver.take<Quartet<T>>(input.ut_hits.max_event_hits + 1);
  }
  KOKKOS_FUNCTION std::size_t scratch_bytes() const {
    ScratchCarver carver;
    take_records(carver);
    return carver.bytes();
  }

  template <class Member>
  KOKKOS_FUNCTION void operator()(const Member& member, ScratchCarver carver) const {
    const TeamLanes<Real, Member> team(member);
    const int number = member.league_rank();
    const std::size_t slot = input.first_slot(number);
    Quartet<T>* const records = take_records(carver);
    write_records(team, number, records);
    const UtEventHits<T> event(records, input.ut_hits, input.tables, number);
    BestTracklet<Real> best;
    UtMomentum<Real> momentum;
    const int kept = team.compact_tiles(
        int(windows.count(number)),
        [&](Tile<Real> tile) {
          const SpaceLine<Real> track = input.template velo_state<Real>(
              slot, tile.template load<Integer>(windows.track.data() + slot), tile.mask());
          const TrackletFinder<Real, Windows> find(event, windows, input.cuts, track, tile, slot);
          best = find.best();
          momentum = ut_momentum(
              track, best, [&] { return find.hits_of(best); }, input.magnet, input.polarity,
              input.cuts);
          return best.found && momentum.accepted;
        },
        [&](Tile<Real> tile, Mask mask, int to) { store(tile, slot, best, momentum, mask, to); });
    team.single([&] { tracks.count(number) = std::uint32_t(kept); });
  }

 private:
  /// Stores the quantities of a hit for the search side by side.
  template <class Team>
  KOKKOS_FUNCTION void write_records(const Team& team, int number, Quartet<T>* records) const {
    const auto& hits = input.ut_hits;
    const auto first = hits.event_offsets(number);
    const I* const offsets = hits.group_offsets.data() + std::size_t(number) * (hits.groups + 1);
    team.for_each(int(offsets[hits.groups]), [&](Tile<Real> tile) {
      const Quartet<Real> record{tile.load(hits.x.data() + first), tile.load(hits.z.data() + first),
                                 tile.load(hits.weight.data() + first), Real(0)};
      store_quartets(records + tile.first, record, tile.count);
    });
    team.barrier();
  }

  KOKKOS_FUNCTION void store(const Tile<Real>& tile, std::size_t slot,
                             const BestTracklet<Real>& best, const UtMomentum<Real>& momentum,
                             const Mask& mask, int to) const {
    if (none_of(mask)) return;
    const Integer place = Integer(I(to)) + lanes_before<Real>(mask);
    const auto put = [&](const auto& array, std::size_t offset, const auto& value) {
      scatter(array.data() + offset + slot, place, value, mask);
    };
    put(tracks.track, 0, tile.template load<Integer>(windows.track.data() + slot));
    for (int layer = 0; layer < ut_layers; ++layer)
      put(tracks.hits, layer * tracks.slots,
          select(best.place[layer] < Integer(0), Integer(I(Output::no_hit)), best.place[layer]));
    put(tracks.qop, 0, momentum.qop);
    put(tracks.chi2, 0, best.kick.chi2);
    put(tracks.x, 0, momentum.x);
    put(tracks.slope, 0, momentum.slope);
  }
};

}  // namespace trackplex::lhcb::detail
