// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/team.hpp>
#include <trackplex/core/team_launch.hpp>
#include <trackplex/lhcb/scifi/detail/seed_candidates.hpp>
#include <trackplex/lhcb/scifi/detail/seed_finder.hpp>
#include <trackplex/lhcb/scifi/detail/seeding_scratch.hpp>
#include <trackplex/lhcb/scifi/detail/track_duplicates.hpp>
#include <trackplex/lhcb/scifi/long_track_list.hpp>

#include <cstddef>
#include <cstdint>

namespace trackplex::lhcb::detail {

/// Search for the SciFi tracks of one event per team, in both halves, with both types of triplets.
/// Some first hits at a time get curves (a last hit, then a pair, then a triplet per lane) and
/// stereo hits (a candidate per lane).
template <class Real, class Input, class Output>
struct ScifiTrackSearch {
  using T = ScalarOf<Real>;
  using Integer = IntegerOf<Real>;
  using I = ScalarOf<Integer>;
  using Mask = MaskOf<Real>;
  using Scratch = SeedingScratch<T>;
  using Found = FoundScifiTracks<Real>;

  Input input;
  Output tracks;

  KOKKOS_FUNCTION std::size_t scratch_bytes() const {
    ScratchCarver carver;
    Scratch(carver, input.cuts.candidates, input.hits.max_event_hits);
    return carver.bytes();
  }

  template <class Member>
  KOKKOS_FUNCTION void operator()(const Member& member, ScratchCarver carver) const {
    const TeamLanes<Real, Member> team(member);
    const int number = member.league_rank();
    const std::size_t slot = input.hits.event_offsets(number);
    const Scratch scratch(carver, input.cuts.candidates, input.hits.max_event_hits);
    list_hits(team, scratch, number);
    scratch.event().fill_cells(team);
    int found = 0;
    for (int side = 0; side < 2; ++side)
      for (int type = 0; type < triplet_types; ++type) {
        const int before = found;
        search(team, scratch, side, type, slot, found);
        // their hits begin no further track
        mark_hits(team, scratch, tracks, slot + std::size_t(before), found - before);
        team.barrier();
      }
    const TrackDuplicates<Found, Output> duplicates(tracks, slot, input.cuts.max_shared);
    team.for_each(found, [&](Tile<Real> tile) { duplicates.mark(tile, found, scratch.dropped); });
    team.barrier();
    const int kept = duplicates.drop(team, found, scratch.dropped);
    team.single([&] { tracks.count(number) = std::uint32_t(kept); });
  }

 private:
  /// Marks the hits of n tracks from a slot on.
  template <class Team, class Tracks>
  KOKKOS_FUNCTION void mark_hits(const Team& team, const Scratch& scratch, const Tracks& of,
                                 std::size_t slot, int n) const {
    for (int layer = 0; layer < scifi_layers; ++layer)
      team.for_each(n, [&](Tile<Real> tile) {
        const auto hit = tile.template load<Integer>(of.hits.data() + layer * of.slots + slot);
        scatter(scratch.taken, hit, Integer(1), tile.mask() && !(hit == Integer(I(of.no_hit))));
      });
  }

  /// Lists the hits that no long track has.
  template <class Team>
  KOKKOS_FUNCTION void list_hits(const Team& team, const Scratch& scratch, int number) const {
    const auto* const zones =
        input.hits.zone_offsets.data() + std::size_t(number) * (scifi_zones + 1);
    const std::size_t first = input.hits.event_offsets(number);
    const int n = int(zones[scifi_zones]);
    team.for_each(n, [&](Tile<Real> tile) { tile.store(scratch.taken, Integer(0)); });
    team.barrier();
    if (input.long_tracks.n_events > 0)
      mark_hits(team, scratch, input.long_tracks, input.long_slot(number),
                int(input.long_tracks.count(number)));
    team.barrier();
    const int kept = team.compact_tiles(
        n,
        [&](Tile<Real> tile) { return tile.template load<Integer>(scratch.taken) == Integer(0); },
        [&](Tile<Real> tile, Mask mask, int to) {
          team.compress_store(scratch.index + to, tile.index(), mask);
          team.compress_store(scratch.x + to, tile.load(input.hits.x.data() + first), mask);
          team.compress_store(scratch.z + to, tile.load(input.hits.z.data() + first), mask);
        });
    team.template for_each<int>(scifi_zones + 1, [&](const Tile<int>& zone) {
      int begin = 0, end = kept;
      while (begin < end) {
        const int middle = (begin + end) / 2;
        if (scratch.index[middle] < I(zones[zone.first]))
          begin = middle + 1;
        else
          end = middle;
      }
      scratch.zones[zone.first] = I(begin);
    });
    team.barrier();
  }

  /// Searches from all hits of the first layer of a type, and appends the good tracks to the
  /// `found` ones of the event.
  template <class Team>
  KOKKOS_FUNCTION void search(const Team& team, const Scratch& scratch, int side, int type,
                              std::size_t slot, int& found) const {
    const int zone = 2 * triplet_layer(type, 0) + side;
    const int end = int(scratch.zones[zone + 1]);
    const SeedCandidates<Real> candidates(input.cuts, scratch, side);
    NearHits<T>{scratch.near}.fill(team, scratch.event(), 2 * triplet_layer(type, 1) + side,
                                   reach_of(input.cuts.middle2[type]));
    for (int first = int(scratch.zones[zone]); first < end; first += Scratch::max_firsts) {
      const int some = min(end - first, int(Scratch::max_firsts));
      const SeedFinder<Real> finder(input.cuts, scratch, side, type, first);
      team.for_each(some, [&](Tile<Real> tile) { finder.find(tile); });
      team.barrier();
      const int all = list_candidates(team, scratch, some);
      team.for_each(all, [&](Tile<Real> tile) { candidates.complete(tile); });
      team.barrier();
      found += keep_best(team, scratch, candidates, slot, some, found);
    }
  }

  /// Lists the candidates of n first hits and returns their number.
  template <class Team>
  KOKKOS_FUNCTION int list_candidates(const Team& team, const Scratch& scratch, int n) const {
    const int all = int(team.exclusive_scan(scratch.first_candidate, n));
    team.template for_each<int>(n, [&](Tile<int> tile) {
      const int first = tile.first, begin = int(scratch.first_candidate[first]);
      for (int i = 0; i < int(scratch.n_candidates[first]); ++i)
        scratch.entry[begin + i] = I(first * input.cuts.candidates + i);
    });
    team.barrier();
    return all;
  }

  /// Appends the best candidates of n first hits, if they are good enough, to the `found` tracks of
  /// the event; returns their number.
  template <class Team>
  KOKKOS_FUNCTION int keep_best(const Team& team, const Scratch& scratch,
                                const SeedCandidates<Real>& candidates, std::size_t slot, int n,
                                int found) const {
    Found best;
    return team.compact_tiles(
        n,
        [&](Tile<Real> tile) {
          Integer entry(0);
          const Mask good = candidates.best_of(tile, entry, best.quality);
          if (any_of(good)) describe(scratch, candidates, entry, good, best);
          return good;
        },
        [&](Tile<Real>, Mask mask, int to) { best.store(tracks, slot, mask, found + to); });
  }

  /// Hits and states of candidates.
  KOKKOS_FUNCTION void describe(const Scratch& scratch, const SeedCandidates<Real>& candidates,
                                const Integer& entry, const Mask& mask, Found& best) const {
    best.length = Integer(0);
    for (int layer = 0; layer < scifi_layers; ++layer) {
      const Integer hit = gather<Integer>(scratch.hits[layer], entry, mask);
      const Mask there = mask && hit >= Integer(0);
      best.hits[layer] =
          select(there, gather<Integer>(scratch.index, hit, there), Integer(I(Output::no_hit)));
      best.length += select(there, Integer(1), Integer(0));
    }
    const auto curve = candidates.curve_of(entry, mask);
    const StereoLine<Real> line(curve, candidates.stereo_hits(entry, mask));
    const Real end = scifi_real<Real>(scifi_end_z);
    best.x = curve.at(end);
    best.tx = curve.slope_at(end);
    best.y = line.at(end);
    best.ty = line.slope;
  }
};

}  // namespace trackplex::lhcb::detail
