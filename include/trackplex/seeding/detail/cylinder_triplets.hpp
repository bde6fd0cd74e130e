// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/team_launch.hpp>
#include <trackplex/seeding/detail/confirm_triplets.hpp>

#include <cstddef>
#include <cstdint>

namespace trackplex::seeding::detail {

/// The middle hits of a batch of events, each with a slot: slot = event * per_event + number.
struct MiddleHits {
  int events, per_event;
  int per_team;  ///< consecutive ones that a team works on

  KOKKOS_FUNCTION int teams_per_event() const { return (per_event + per_team - 1) / per_team; }
  KOKKOS_FUNCTION int slots() const { return events * per_event; }
};

/// So many that starting a team costs little beside them.
inline constexpr int middle_hits_per_host_team = 16;

/// Room for lanes after the end of a list: what TeamLanes::compress_store may write.
inline constexpr int list_margin = 64;

/// The memory of a team while it works on a middle hit.
template <class T>
struct CylinderTripletScratch {
  std::int32_t *row_begin, *row_offset;  ///< of the inner window, azimuth by azimuth
  std::int32_t* inner;                   ///< places of the inner hits in the window
  std::int32_t* doublet_inner;           ///< place of the inner hit of each doublet
  Quad<T>* doublets;                     ///< inner hit as seen from the middle one; chi2 of z0
  Quad<T>* windows;                      ///< of the outer hit: phi, half of it, z, half of it
  std::int32_t* pair_offset;
  std::int32_t *pair_doublet, *pair_outer;  ///< then those of the triplets
  T* chi2;
  std::int32_t* kept;

  KOKKOS_FUNCTION CylinderTripletScratch(ScratchCarver& carver, int azimuths, int max_window_hits,
                                         int max_pairs)
      : row_begin(carver.take<std::int32_t>(azimuths)),
        row_offset(carver.take<std::int32_t>(azimuths)),
        inner(carver.take<std::int32_t>(max_window_hits)),
        doublet_inner(carver.take<std::int32_t>(max_window_hits + list_margin)),
        doublets(carver.take<Quad<T>>(max_window_hits)),
        windows(carver.take<Quad<T>>(max_window_hits)),
        pair_offset(carver.take<std::int32_t>(max_window_hits)),
        pair_doublet(carver.take<std::int32_t>(max_pairs + list_margin)),
        pair_outer(carver.take<std::int32_t>(max_pairs + list_margin)),
        chi2(carver.take<T>(max_pairs + list_margin)),
        kept(carver.take<std::int32_t>(max_pairs)) {}
};

/// The triplets of each middle hit: its inner hits, the doublets among them, the pairs of a doublet
/// and an outer hit, the triplets among those, and the best of these. Every list is in the order of
/// places, so that the result does not depend on how the work is shared out.
template <class Real, class Binned, class Hits, class Results>
struct FindTriplets {
  using T = ScalarOf<Real>;
  using Integer = IntegerOf<Real>;
  using I = ScalarOf<Integer>;
  using Scratch = CylinderTripletScratch<T>;

  Binned binned;
  Hits hits;
  Results results;
  MiddleHits middle_hits;
  CylinderTripletCuts<T> cuts;
  int inner_layer, middle_layer, outer_layer;
  int max_kept, max_window_hits, max_pairs;
  ConfirmTriplets<Real, Binned> confirmation;  ///< with a layer below 0 if there is none

  KOKKOS_FUNCTION std::size_t scratch_bytes() const {
    ScratchCarver carver;
    Scratch(carver, binned.azimuth.bins(), max_window_hits, max_pairs);
    return carver.bytes();
  }

  /// A middle hit, and the event it is in.
  struct Middle {
    int event;
    T x, y, z, phi, r;
  };

  template <class Member>
  KOKKOS_FUNCTION void operator()(const Member& member, ScratchCarver carver) const {
    const TeamLanes<Real, Member> team(member);
    const Scratch scratch(carver, binned.azimuth.bins(), max_window_hits, max_pairs);
    const int teams = middle_hits.teams_per_event();
    const int event = member.league_rank() / teams;
    const int begin = hits.first(event, middle_layer),
              n = hits.first(event, middle_layer + 1) - begin;
    const int first = member.league_rank() % teams * middle_hits.per_team;
    for (int i = first; i < first + middle_hits.per_team && i < middle_hits.per_event; ++i) {
      int count = 0;
      if (i < n) count = search(team, scratch, event, begin + i, event * middle_hits.per_event + i);
      team.single([&] { results.counts(event * middle_hits.per_event + i) = count; });
    }
  }

 private:
  /// Returns how many triplets are kept.
  template <class Team>
  KOKKOS_FUNCTION int search(const Team& team, const Scratch& scratch, int event, int place,
                             int slot) const {
    const Quad<T> hit = binned.records(std::size_t(place) * Binned::records_per_hit);
    const Middle middle{event, hit.x, hit.y, hit.z, hit.w, sqrt(fma(hit.x, hit.x, hit.y * hit.y))};
    team.barrier();  // the lists are those of the middle hit before
    const int inner = list_inner(team, scratch, middle);
    const int doublets = make_doublets(team, scratch, middle, inner);
    const int pairs = make_pairs(team, scratch, middle, doublets);
    int triplets = make_triplets(team, scratch, middle, pairs);
    if (confirmation.layer >= 0) triplets = confirm(team, scratch, middle, triplets);
    return keep_best(team, scratch, triplets, event, slot);
  }

  /// Of `n` wanted, as many as there is room for; counts the others.
  template <class Team>
  KOKKOS_FUNCTION int limited(const Team& team, int n, int room, int event) const {
    if (n <= room) return n;
    team.single([&] { Kokkos::atomic_fetch_add(&results.dropped(event), std::int32_t(n - room)); });
    return room;
  }

  /// The n-th azimuth bin, in ascending order, of those in an arc; around the circle they start
  /// again at 0.
  template <class Int>
  KOKKOS_FORCEINLINE_FUNCTION static Int azimuth_of(const Int& n, const histogram::BinArc<Int>& arc,
                                                    const Int& bins) {
    const Int past_end = max(arc.first + arc.count - bins, Int(0));
    return select(n < past_end, n, arc.first + (n - past_end));
  }

  /// Places of the hits that may be the inner one.
  template <class Team>
  KOKKOS_FUNCTION int list_inner(const Team& team, const Scratch& scratch,
                                 const Middle& middle) const {
    const auto& axis = binned.axes(inner_layer);
    const auto arc = binned.azimuth.around(middle.phi, cuts.phi_inner);
    const T z = middle.z * cuts.z_scale;
    const int low = int(axis.bin(z - cuts.z_half)), high = int(axis.bin(z + cuts.z_half));
    const std::int32_t* const table = binned.table(middle.event, inner_layer);
    const int rows = int(arc.count);
    team.for_each(rows, [&](Tile<Real> tile) {
      const histogram::BinArc<Integer> arcs{Integer(arc.first), Integer(arc.count)};
      const Integer row = azimuth_of(tile.index(), arcs, Integer(I(binned.azimuth.bins()))) *
                          Integer(I(axis.bins()));
      const Integer begin = gather<Integer>(table, row + Integer(I(low)));
      const Integer end = gather<Integer>(table, row + Integer(I(high + 1)));
      tile.store(scratch.row_begin, begin);
      tile.store(scratch.row_offset, end - begin);
    });
    team.barrier();
    const int all = team.exclusive_scan(scratch.row_offset, rows);
    const int n = limited(team, all, max_window_hits, middle.event);
    team.template for_each<int>(rows, [&](Tile<int> tile) {
      const int row = tile.first;
      const int begin = scratch.row_offset[row];
      const int end = min(row + 1 < rows ? int(scratch.row_offset[row + 1]) : all, n);
      for (int i = begin; i < end; ++i) scratch.inner[i] = scratch.row_begin[row] + (i - begin);
    });
    team.barrier();
    return n;
  }

  /// A tile of doublets.
  struct Doublets {
    Integer place;
    Quad<Real> inner, window;
  };

  /// Keeps the inner hits that make a doublet, with the windows of their outer hits.
  template <class Team>
  KOKKOS_FUNCTION int make_doublets(const Team& team, const Scratch& scratch, const Middle& middle,
                                    int inner) const {
    Doublets now;
    return team.compact_tiles(
        inner, [&](Tile<Real> tile) { return make_doublet(tile, scratch, middle, now); },
        [&](Tile<Real>, MaskOf<Real> mask, int to) {
          team.compress_store(scratch.doublet_inner + to, now.place, mask);
          for_each_lane(mask, [&, next = to](int lane) mutable {
            scratch.doublets[next] = quad_of_lane(now.inner, lane);
            scratch.windows[next++] = quad_of_lane(now.window, lane);
          });
        });
  }
  KOKKOS_FORCEINLINE_FUNCTION static Quad<T> quad_of_lane(const Quad<Real>& quad, int lane) {
    return {extract(quad.x, lane), extract(quad.y, lane), extract(quad.z, lane),
            extract(quad.w, lane)};
  }

  KOKKOS_FUNCTION MaskOf<Real> make_doublet(const Tile<Real>& tile, const Scratch& scratch,
                                            const Middle& middle, Doublets& doublets) const {
    const Integer place = tile.template load<Integer>(scratch.inner);
    const auto hit =
        gather_quads<Real>(binned.records.data(), place * Integer(I(Binned::records_per_hit)));
    const Real dz = hit.z - Real(middle.z);
    const Real r = sqrt(fma(hit.x, hit.x, hit.y * hit.y));
    const auto inside = r < Real(middle.r);
    const Real z0 =
        z0_of_doublet<Real>(select(inside, r, Real(0)), hit.z, Real(middle.r), Real(middle.z));
    const Real chi2 = cuts.chi2_of_z0(z0);
    const Real turn = binned.azimuth.difference(Real(middle.phi), hit.w);
    doublets.place = place;
    doublets.inner = {hit.x - Real(middle.x), hit.y - Real(middle.y), dz, chi2};
    doublets.window = outer_window(middle, turn, dz, Real(cuts.max_chi2) - chi2);
    return inside && abs(z0) <= Real(cuts.max_z0) && chi2 <= Real(cuts.max_chi2) &&
           abs(turn) <= Real(cuts.phi_inner);
  }

  /// Azimuth and z of the outer hit, from how much the doublet turns and falls, and what is left of
  /// chi2.
  KOKKOS_FORCEINLINE_FUNCTION Quad<Real> outer_window(const Middle& middle, const Real& turn,
                                                      const Real& dz, const Real& chi2_left) const {
    const Real left = max(chi2_left, Real(0));
    const Real d0 = min(sqrt(left / Real(cuts.per_d0_2)), Real(cuts.max_d0));
    const Real half_phi = fma(d0, Real(cuts.per_d0), Real(cuts.phi_error));
    const Real ahead = turn * Real(cuts.ratio);
    const Real low = max(ahead - half_phi, -Real(cuts.phi_outer)),
               high = min(ahead + half_phi, Real(cuts.phi_outer));
    const Real middle_of = Real(T(0.5)) * (low + high);
    const Real residual = sqrt(left / Real(cuts.per_residual_2)) * Real(cuts.per_residual);
    const Real half_z = fma(abs(dz), Real(cuts.ratio_error), residual + Real(cuts.z_margin));
    return {Real(middle.phi) + middle_of, max(high - middle_of, Real(0)),
            fma(-dz, Real(cuts.ratio), Real(middle.z)), half_z};
  }

  /// The runs of hits in the windows of a tile of doublets, azimuth by azimuth, lanes side by side:
  /// `visit(begin, end, mask)`.
  template <class Number, class Visit>
  KOKKOS_FORCEINLINE_FUNCTION void for_each_run(const Quad<Number>& window, const Middle& middle,
                                                MaskOf<Number> mask, const Visit& visit) const {
    using Int = IntegerOf<Number>;
    using S = ScalarOf<Int>;
    const auto& axis = binned.axes(outer_layer);
    const std::int32_t* const table = binned.table(middle.event, outer_layer);
    const Int azimuths = Int(S(binned.azimuth.bins())), bins = Int(S(axis.bins()));
    const auto arc = binned.azimuth.around(window.x, window.y);
    const Int low = axis.bin(window.z - window.w), high = axis.bin(window.z + window.w) + Int(1);
    for (int n = 0;; ++n) {
      const auto searching = mask && Int(S(n)) < arc.count;
      if (none_of(searching)) return;
      const Int row = azimuth_of(Int(S(n)), arc, azimuths) * bins;
      visit(gather<Int>(table, row + low, searching), gather<Int>(table, row + high, searching),
            searching);
    }
  }

  /// Lists the pairs of a doublet and a hit in its window.
  template <class Team>
  KOKKOS_FUNCTION int make_pairs(const Team& team, const Scratch& scratch, const Middle& middle,
                                 int doublets) const {
    team.for_each(doublets, [&](Tile<Real> tile) {
      const auto window = gather_quads<Real>(scratch.windows, tile.index());
      Integer n = Integer(0);
      for_each_run(window, middle, tile.mask(),
                   [&](const Integer& begin, const Integer& end, const MaskOf<Real>& mask) {
                     n += select(mask, end - begin, Integer(0));
                   });
      tile.store(scratch.pair_offset, n);
    });
    team.barrier();
    const int all = team.exclusive_scan(scratch.pair_offset, doublets);
    const int pairs = limited(team, all, max_pairs, middle.event);
    team.template for_each<T>(doublets, [&](Tile<T> tile) {
      const int doublet = tile.first;
      int to = scratch.pair_offset[doublet];
      for_each_run(scratch.windows[doublet], middle, true, [&](auto begin, auto end, bool) {
        for (auto place = begin; place < end && to < pairs; ++place, ++to) {
          scratch.pair_doublet[to] = doublet;
          scratch.pair_outer[to] = std::int32_t(place);
        }
      });
    });
    team.barrier();
    return pairs;
  }

  /// Keeps the pairs that pass the cuts.
  template <class Team>
  KOKKOS_FUNCTION int make_triplets(const Team& team, const Scratch& scratch, const Middle& middle,
                                    int pairs) const {
    Integer doublet, outer;
    Real chi2;
    return team.compact_tiles(
        pairs,
        [&](Tile<Real> tile) {
          doublet = tile.template load<Integer>(scratch.pair_doublet);
          outer = tile.template load<Integer>(scratch.pair_outer);
          const auto a = gather_quads<Real>(scratch.doublets, doublet);
          const auto hit = gather_quads<Real>(binned.records.data(),
                                              outer * Integer(I(Binned::records_per_hit)));
          const auto shape = triplet_shape<Real>(
              Real(middle.x), Real(middle.y), {{a.x, a.y, a.z}},
              {{hit.x - Real(middle.x), hit.y - Real(middle.y), hit.z - Real(middle.z)}});
          chi2 = cuts.chi2(a.w, shape);
          const Real turn = binned.azimuth.difference(hit.w, Real(middle.phi));
          return cuts.pass(chi2, shape) && abs(turn) <= Real(cuts.phi_outer);
        },
        [&](Tile<Real>, MaskOf<Real> mask, int to) {
          team.compress_store(scratch.pair_doublet + to, doublet, mask);
          team.compress_store(scratch.pair_outer + to, outer, mask);
          team.compress_store(scratch.chi2 + to, chi2, mask);
        });
  }

  /// Keeps the triplets that a hit on one more layer confirms.
  template <class Team>
  KOKKOS_FUNCTION int confirm(const Team& team, const Scratch& scratch, const Middle& middle,
                              int triplets) const {
    Integer doublet, outer;
    Real chi2;
    return team.compact_tiles(
        triplets,
        [&](Tile<Real> tile) {
          doublet = tile.template load<Integer>(scratch.pair_doublet);
          outer = tile.template load<Integer>(scratch.pair_outer);
          chi2 = tile.load(scratch.chi2);
          const auto a = gather_quads<Real>(scratch.doublets, doublet);
          const auto hit = gather_quads<Real>(binned.records.data(),
                                              outer * Integer(I(Binned::records_per_hit)));
          const Real limit = Real(cuts.max_chi2) - chi2;
          const Real added = confirmation.added_chi2(
              middle.event, {{Real(middle.x), Real(middle.y), Real(middle.z)}}, {{a.x, a.y, a.z}},
              {{hit.x - Real(middle.x), hit.y - Real(middle.y), hit.z - Real(middle.z)}}, limit,
              tile.mask());
          chi2 += added;
          return added <= limit;
        },
        [&](Tile<Real>, MaskOf<Real> mask, int to) {
          team.compress_store(scratch.pair_doublet + to, doublet, mask);
          team.compress_store(scratch.pair_outer + to, outer, mask);
          team.compress_store(scratch.chi2 + to, chi2, mask);
        });
  }

  /// Writes the triplets of smallest chi2, as many as there is room for, in their order.
  template <class Team>
  KOKKOS_FUNCTION int keep_best(const Team& team, const Scratch& scratch, int triplets, int event,
                                int slot) const {
    if (triplets > max_kept) {
      team.single([&] {
        Kokkos::atomic_fetch_add(&results.not_best(event), std::int32_t(triplets - max_kept));
      });
      mark_best(team, scratch, triplets);
    }
    const std::size_t first = std::size_t(slot) * results.per_slot;
    return team.compact_tiles(
        triplets,
        [&](Tile<Real> tile) -> MaskOf<Real> {
          if (triplets <= max_kept) return true;
          return tile.template load<Integer>(scratch.kept) != Integer(0);
        },
        [&](Tile<Real> tile, MaskOf<Real> mask, int to) {
          for_each_lane(mask, [&, next = first + to](int lane) mutable {
            const int i = tile.first + lane;
            results.inner(next) = scratch.doublet_inner[scratch.pair_doublet[i]];
            results.outer(next++) = scratch.pair_outer[i];
          });
        });
  }

  /// A triplet is kept if less than `max_kept` others are better. Of equal ones, the first is
  /// better.
  template <class Team>
  KOKKOS_FUNCTION void mark_best(const Team& team, const Scratch& scratch, int triplets) const {
    team.for_each(triplets, [&](Tile<Real> tile) {
      const Real mine = tile.load(scratch.chi2);
      const Integer index = tile.index();
      Integer better = Integer(0);
      for (int i = 0; i < triplets; ++i) {
        const Real other = Real(scratch.chi2[i]);
        const auto before = other < mine || (other == mine && Integer(I(i)) < index);
        better += select(before, Integer(1), Integer(0));
      }
      tile.store(scratch.kept, select(better < Integer(I(max_kept)), Integer(1), Integer(0)));
    });
    team.barrier();
  }
};

}  // namespace trackplex::seeding::detail
