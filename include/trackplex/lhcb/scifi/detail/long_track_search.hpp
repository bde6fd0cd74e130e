// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/team.hpp>
#include <trackplex/core/team_launch.hpp>
#include <trackplex/lhcb/scifi/detail/forward_candidates.hpp>
#include <trackplex/lhcb/scifi/detail/forward_scratch.hpp>
#include <trackplex/lhcb/scifi/detail/forward_triplets.hpp>
#include <trackplex/lhcb/scifi/detail/forward_windows.hpp>
#include <trackplex/lhcb/scifi/detail/free_velo_tracks.hpp>
#include <trackplex/lhcb/scifi/detail/track_duplicates.hpp>
#include <trackplex/lhcb/scifi/forward_input.hpp>
#include <trackplex/lhcb/scifi/long_tracks.hpp>

#include <cstddef>
#include <cstdint>

namespace trackplex::lhcb::detail {

/// Search for the long tracks of one event per team. Some tracks at a time get windows (a track per
/// lane), triplets (hits, then pairs of hits) and complete candidates (a candidate per lane).
template <class Real, class Input, class Output>
struct LongTrackSearch {
  using T = ScalarOf<Real>;
  using Integer = IntegerOf<Real>;
  using I = ScalarOf<Integer>;
  using Mask = MaskOf<Real>;
  using Scratch = ForwardScratch<T>;
  using Found = FoundLongTracks<Real>;
  using Candidates = ForwardCandidates<Real, Input>;

  Input input;
  Output tracks;
  int max_tracks;  ///< of an event

  KOKKOS_FUNCTION std::size_t scratch_bytes() const {
    ScratchCarver carver;
    Scratch(carver, input.cuts.candidates, max_tracks);
    return carver.bytes();
  }

  template <class Member>
  KOKKOS_FUNCTION void operator()(const Member& member, ScratchCarver carver) const {
    const TeamLanes<Real, Member> team(member);
    const int number = member.league_rank();
    const std::size_t slot = input.first_slot(number);
    const Scratch scratch(carver, input.cuts.candidates, max_tracks);
    const ScifiEvent<T> event(input.scifi_hits, number, scratch.cell_hits);
    event.fill_cells(team);
    for (int type = 0; type < triplet_types; ++type)
      for (int side = 0; side < 2; ++side)
        scratch.near_middle(type, side)
            .fill(team, event, 2 * triplet_layer(type, 1) + side,
                  reach_of(input.cuts.triplet_distance2));
    const ForwardWindows<Real, Input> windows(input, scratch, event, slot);
    int found = 0;
    const Candidates with_ut(input, scratch, event,
                             {input.cuts.min_hits, input.cuts.max_quality, false});
    const auto open = [&](const Tile<Real>& tile, int first) { windows.open(tile, first); };
    const int n_ut = input.cuts.with_ut ? int(input.ut_tracks.count(number)) : 0;
    extend(team, scratch, with_ut, slot, n_ut, open, found);
    if (input.cuts.without_ut) {
      const int others = list_free_velo_tracks(
          team,
          FreeVeloTracks<T, Output>{tracks, slot, found, input.cuts.velo_max_abs_tx,
                                    input.cuts.velo_max_abs_ty},
          input.velo_states, int(input.velo_tracks.count(number)), scratch.followed);
      const Candidates without_ut(input, scratch, event,
                                  {input.cuts.velo_min_hits, input.cuts.velo_max_quality, true});
      const auto open_others = [&](const Tile<Real>& tile, int first) {
        windows.open_without_ut(tile, scratch.followed + first);
      };
      extend(team, scratch, without_ut, slot, others, open_others, found);
    }
    const TrackDuplicates<Found, Output> duplicates(tracks, slot, input.cuts.max_shared);
    team.for_each(found, [&](Tile<Real> tile) { duplicates.mark(tile, found, scratch.dropped); });
    team.barrier();
    const int kept = duplicates.drop(team, found, scratch.dropped);
    team.single([&] { tracks.count(number) = std::uint32_t(kept); });
  }

 private:
  static KOKKOS_FORCEINLINE_FUNCTION Real real(double value) { return scifi_real<Real>(value); }

  /// Extends n tracks, whose windows `open(tile, first)` opens from track `first` on, and appends
  /// the good ones to the `found` tracks of the event.
  template <class Team, class Open>
  KOKKOS_FUNCTION void extend(const Team& team, const Scratch& scratch,
                              const Candidates& candidates, std::size_t slot, int n,
                              const Open& open, int& found) const {
    for (int first = 0; first < n; first += Scratch::max_tracks) {
      const int some = min(n - first, int(Scratch::max_tracks));
      team.for_each(some, [&](Tile<Real> tile) { open(tile, first); });
      team.barrier();
      team.template for_each<int>(some, [&](Tile<int> track) {
        TripletFinder<Real>(input.cuts, scratch, candidates.event(), track.first).find();
      });
      team.barrier();
      const int all = list_candidates(team, scratch, some);
      team.for_each(all, [&](Tile<Real> tile) { candidates.extend(tile); });
      team.barrier();
      found += keep_best(team, scratch, candidates, slot, some, found);
    }
  }

  /// Lists the candidates of n tracks and returns their number.
  template <class Team>
  KOKKOS_FUNCTION int list_candidates(const Team& team, const Scratch& scratch, int n) const {
    const int all = int(team.exclusive_scan(scratch.first_candidate, n));
    team.template for_each<int>(n, [&](Tile<int> tile) {
      const int track = tile.first, begin = int(scratch.first_candidate[track]);
      for (int i = 0; i < int(scratch.n_candidates[track]); ++i) {
        scratch.entry[begin + i] = I(track * input.cuts.candidates + i);
        scratch.owner[begin + i] = I(track);
      }
    });
    team.barrier();
    return all;
  }

  /// Appends the best candidates of n tracks, if they are good enough, to the `found` tracks of the
  /// event; returns their number.
  template <class Team>
  KOKKOS_FUNCTION int keep_best(const Team& team, const Scratch& scratch,
                                const Candidates& candidates, std::size_t slot, int n,
                                int found) const {
    Found best;
    return team.compact_tiles(
        n,
        [&](Tile<Real> tile) {
          Integer place(0);
          const Mask good = candidates.best_of(tile, place, best.quality);
          best.velo_track = tile.template load<Integer>(scratch.velo_track);
          best.ut_track = tile.template load<Integer>(scratch.ut_track);
          if (any_of(good)) describe(tile, scratch, candidates, slot, place, good, best);
          return good;
        },
        [&](Tile<Real>, Mask mask, int to) { best.store(tracks, slot, mask, found + to); });
  }

  /// Hits, momenta and states of candidates.
  KOKKOS_FUNCTION void describe(const Tile<Real>& tile, const Scratch& scratch,
                                const Candidates& candidates, std::size_t slot,
                                const Integer& place, const Mask& mask, Found& best) const {
    best.length = Integer(0);
    for (int layer = 0; layer < scifi_layers; ++layer) {
      const Integer hit = gather<Integer>(scratch.hits[layer], place, mask);
      best.hits[layer] = select(hit < Integer(0), Integer(I(Output::no_hit)), hit);
      best.length += select(hit < Integer(0), Integer(0), Integer(1));
    }
    const Integer entry = gather<Integer>(scratch.entry, place, mask);
    const auto curve = candidates.curve_of(entry, tile.index(), mask);
    const StereoLine<Real> line(curve, candidates.stereo_hits(place, mask));
    const Real end = real(scifi_end_z);
    best.x = curve.at(end);
    best.tx = curve.slope_at(end);
    best.y = line.at(end);
    best.ty = line.slope;
    const SpaceLine<Real> velo = input.template velo_state<Real>(slot, best.velo_track, mask);
    const Real down = input.magnet.qop(velo.tx, velo.ty, candidates.chord_of(entry, mask));
    best.qop = down * Real(-input.polarity);
  }
};

}  // namespace trackplex::lhcb::detail
