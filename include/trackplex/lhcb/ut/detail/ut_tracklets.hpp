// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/candidates/best_of_lanes.hpp>
#include <trackplex/core/quartet.hpp>
#include <trackplex/core/tile.hpp>
#include <trackplex/lhcb/ut/compass_params.hpp>
#include <trackplex/lhcb/ut/p_kick_fit.hpp>

#include <cstddef>

namespace trackplex::lhcb::detail {

/// The UT hits of one event.
template <class T>
struct UtEventHits {
  const Quartet<T>* records;            ///< x, z, weight of each hit
  IntegerOf<T> layer_first[ut_layers];  ///< place of the first hit of each layer

  template <class Hits, class Tables>
  KOKKOS_FUNCTION UtEventHits(const Quartet<T>* hit_records, const Hits& hits, const Tables& tables,
                              int number)
      : records(hit_records) {
    const auto* offsets = hits.group_offsets.data() + std::size_t(number) * (hits.groups + 1);
    for (int layer = 0; layer < ut_layers; ++layer)
      layer_first[layer] = offsets[tables.layer_offset[layer]];
  }
};

/// The best hits of a track so far.
template <class Real>
struct BestTracklet {
  MaskOf<Real> found = false;
  IntegerOf<Real> n_hits = 3;  ///< min number of hits
  IntegerOf<Real> place[ut_layers] = {-1, -1, -1, -1};
  PKick<Real> kick{};
};

/// A pair of hits that define a line, as numbers in the windows of their layers.
template <class Number>
struct HitPair {
  using Real = Number;
  Real miss;  ///< distance in x between its line and the VELO track, in the magnet
  IntegerOf<Real> first, second;

  static KOKKOS_FORCEINLINE_FUNCTION HitPair nothing() {
    return {ut_real<Real>(1e30), IntegerOf<Real>(-1), IntegerOf<Real>(-1)};
  }
  friend KOKKOS_FORCEINLINE_FUNCTION MaskOf<Real> goes_before(const HitPair& a, const HitPair& b) {
    return a.miss < b.miss;
  }
  friend KOKKOS_FORCEINLINE_FUNCTION HitPair select(const MaskOf<Real>& mask, const HitPair& a,
                                                    const HitPair& b) {
    return {select(mask, a.miss, b.miss), select(mask, a.first, b.first),
            select(mask, a.second, b.second)};
  }
};

/// Tries the pairs of hits in the windows of W tracks, one track per lane.
template <class Real, class Windows>
class TrackletFinder {
 public:
  using T = ScalarOf<Real>;
  using Integer = IntegerOf<Real>;
  using I = ScalarOf<Integer>;
  using Mask = MaskOf<Real>;

  KOKKOS_FUNCTION TrackletFinder(const UtEventHits<T>& event, const Windows& windows,
                                 const CompassCuts<T>& cuts, const SpaceLine<Real>& track,
                                 const Tile<Real>& tile, std::size_t slot)
      : event_(event), cuts_(cuts), track_(track), groups_(windows.groups), mask_(tile.mask()) {
    y_at_0_ = track.y - track.ty * track.z;
    for (int layer = 0; layer < ut_layers; ++layer) {
      count_[layer] = 0;
      for (int g = 0; g < Windows::max_groups && g < groups_; ++g) {
        const auto entry = windows.entry(g, layer) + slot;
        // Places of a window's hits, and how many hits of the layer there are up to its end
        const Integer first = tile.template load<Integer>(windows.first.data() + entry);
        shift_[layer][g] = first + Integer(event.layer_first[layer]) - count_[layer];
        count_[layer] += tile.template load<Integer>(windows.size.data() + entry);
        end_[layer][g] = count_[layer];
      }
    }
  }

  /// The candidate with most hits and the smallest chi2 among those of three hits or more.
  KOKKOS_FUNCTION BestTracklet<Real> best() const {
    BestTracklet<Real> best;
    best.kick.chi2 = Real(cuts_.max_chi2);
    Integer tried = 0;
    try_pairs(Layers<0, 1, 2, 3>{}, best, tried);
    try_pairs(Layers<3, 2, 1, 0>{}, best, tried);
    return best;
  }

  /// The hits of a tracklet; layers without a hit have weight 0.
  KOKKOS_FUNCTION UtTrackHits<Real> hits_of(const BestTracklet<Real>& tracklet) const {
    UtTrackHits<Real> on;
    for (int layer = 0; layer < ut_layers; ++layer) {
      const Mask there = mask_ && tracklet.place[layer] >= Integer(0);
      const Hit hit = hit_at(layer, tracklet.place[layer], there);
      on.x[layer] = select(there, hit.x, Real(0));
      on.z[layer] = select(there, hit.z, ut_real<Real>(ut_z_middle));
      on.weight[layer] = select(there, hit.weight, Real(0));
    }
    return on;
  }

 private:
  /// The layers of a pair and those whose hits join: next to the first and to the second hit.
  /// Constants, so that no array in registers is indexed by them.
  template <int First, int NextToFirst, int Second, int NextToSecond>
  struct Layers {
    static constexpr int first = First, next_to_first = NextToFirst, second = Second,
                         next_to_second = NextToSecond;
  };
  struct Hit {
    Integer place;
    Real x, z;  ///< x of the strip at the track's y
    Real weight;
  };
  struct Line {
    Hit first, second;
    Real slope;
    Mask compatible;  ///< with the VELO track
  };

  /// Hit number i of a layer's windows.
  KOKKOS_FORCEINLINE_FUNCTION Hit hit(int layer, const Integer& i, const Mask& mask) const {
    Integer shift = shift_[layer][0];
    for (int g = 1; g < Windows::max_groups && g < groups_; ++g)
      shift = select(i >= end_[layer][g - 1], shift_[layer][g], shift);
    return hit_at(layer, i + shift, mask);
  }
  KOKKOS_FORCEINLINE_FUNCTION Hit hit_at(int layer, const Integer& place, const Mask& mask) const {
    const auto [x, z, weight, unused] =
        gather_quartets<Real>(event_.records, select(mask, place, Integer(0)));
    const Real y = fma(track_.ty, z, y_at_0_);
    return {place, fma(y, Real(ut_stereo<T>(layer)), x), z, weight};
  }

  template <class Layers>
  KOKKOS_FORCEINLINE_FUNCTION Line line(const Layers& layers, const Integer& first,
                                        const Integer& second, const Mask& mask) const {
    Line line{hit(layers.first, first, mask), hit(layers.second, second, mask), Real(0), mask};
    const Real dz = select(mask, line.second.z - line.first.z, Real(1));
    line.slope = (line.second.x - line.first.x) / dz;
    line.compatible = mask && abs(line.slope - track_.tx) <= Real(cuts_.max_slope_difference);
    return line;
  }

  /// Lanes that continue with the next candidate.
  KOKKOS_FORCEINLINE_FUNCTION Mask wanting(const BestTracklet<Real>& best,
                                           const Integer& tried) const {
    const Mask few = tried < Integer(I(cuts_.candidates));
    return cuts_.stop_at_candidates ? few : few || !best.found;
  }

  /// Calls `visit(first, second, mask)` for all pairs of numbers of hits, in order, while
  /// `wanted()`.
  template <class Layers, class Wanted, class Visit>
  KOKKOS_FORCEINLINE_FUNCTION void for_each_pair(const Layers& layers, const Wanted& wanted,
                                                 const Visit& visit) const {
    const Integer firsts = count_[layers.first], seconds = count_[layers.second];
    Integer first = 0, second = 0;
    Mask walking = mask_ && firsts > Integer(0) && seconds > Integer(0);
    while (any_of(walking = walking && wanted())) {
      visit(first, second, walking);
      second += Integer(1);
      const Mask through = second == seconds;
      second = select(through, Integer(0), second);
      first = select(through, first + Integer(1), first);
      walking = walking && first < firsts;
    }
  }

  template <class Layers>
  KOKKOS_FUNCTION void try_pairs(const Layers& layers, BestTracklet<Real>& best,
                                 Integer& tried) const {
    if (cuts_.order == PairOrder::best_first)
      try_best_pairs(layers, best, tried);
    else
      try_pairs_in_order(layers, best, tried);
  }

  template <class Layers>
  KOKKOS_FUNCTION void try_pairs_in_order(const Layers& layers, BestTracklet<Real>& best,
                                          Integer& tried) const {
    for_each_pair(
        layers, [&] { return wanting(best, tried); },
        [&](const Integer& first, const Integer& second, const Mask& mask) {
          const Line candidate = line(layers, first, second, mask);
          if (any_of(candidate.compatible)) try_line(layers, candidate, best, tried);
        });
  }

  template <class Layers>
  KOKKOS_FUNCTION void try_best_pairs(const Layers& layers, BestTracklet<Real>& best,
                                      Integer& tried) const {
    const Real kink = ut_real<Real>(ut_z_kink);
    const Real x_kink = fma(track_.tx, kink - track_.z, track_.x);
    candidates::BestOfLanes<HitPair<Real>, max_pair_candidates> pairs;
    const Mask wanted = wanting(best, tried);
    for_each_pair(
        layers, [&] { return wanted; },
        [&](const Integer& first, const Integer& second, const Mask& mask) {
          const Line candidate = line(layers, first, second, mask);
          const Real miss =
              fma(candidate.slope, kink - candidate.first.z, candidate.first.x) - x_kink;
          pairs.insert({abs(miss), first, second}, candidate.compatible);
        });
    for (int i = 0; i < cuts_.candidates; ++i) {
      const HitPair<Real>& pair = pairs[i];
      const Mask mask = pair.first >= Integer(0) && wanting(best, tried);
      if (none_of(mask)) return;
      try_line(layers, line(layers, pair.first, pair.second, mask), best, tried);
    }
  }

  /// Adds the closest hits of the other layers to a line, fits it, and keeps it if it is better.
  template <class Layers>
  KOKKOS_FUNCTION void try_line(const Layers& layers, const Line& line, BestTracklet<Real>& best,
                                Integer& tried) const {
    const Mask mask = line.compatible;
    const Hit near_first = closest_hit(layers.next_to_first, line.first, line.slope, mask);
    const Hit near_second = closest_hit(layers.next_to_second, line.second, line.slope, mask);
    Integer place[ut_layers];
    UtTrackHits<Real> on;
    Integer hits = 0;
    const auto add = [&](int layer, const Hit& hit) {
      const Mask there = mask && hit.place >= Integer(0);
      place[layer] = hit.place;
      on.x[layer] = hit.x;
      on.z[layer] = hit.z;
      on.weight[layer] = select(there, hit.weight, Real(0));
      hits += select(there, Integer(1), Integer(0));
    };
    add(layers.first, line.first);
    add(layers.next_to_first, near_first);
    add(layers.second, line.second);
    add(layers.next_to_second, near_second);
    const PKick<Real> kick = p_kick_fit(track_, on, max(hits, Integer(2)), cuts_.slope_sigma);
    const Mask better = mask && hits >= best.n_hits && kick.chi2 < best.kick.chi2;
    best.n_hits = select(better, hits, best.n_hits);
    best.found = best.found || better;
    keep(better, kick, best.kick);
    for (int layer = 0; layer < ut_layers; ++layer)
      best.place[layer] = select(better, place[layer], best.place[layer]);
    tried += select(mask, Integer(1), Integer(0));
  }

  static KOKKOS_FORCEINLINE_FUNCTION void keep(const Mask& better, const PKick<Real>& kick,
                                               PKick<Real>& best) {
    best.x = select(better, kick.x, best.x);
    best.slope = select(better, kick.slope, best.slope);
    best.kick = select(better, kick.kick, best.kick);
    best.chi2 = select(better, kick.chi2, best.chi2);
  }

  /// The hit of a layer that is closest to a line through `from`, if it is close enough; else
  /// place -1.
  KOKKOS_FUNCTION Hit closest_hit(int layer, const Hit& from, const Real& slope,
                                  const Mask& mask) const {
    Hit best{Integer(-1), Real(0), ut_real<Real>(ut_z_middle), Real(0)};
    Real smallest = Real(cuts_.hit_tolerance);
    const Integer count = count_[layer];
    const int most = int(max_of(select(mask, count, Integer(0))));
    for (int i = 0; i < most; ++i) {
      const Mask there = mask && Integer(I(i)) < count;
      const Hit candidate = hit(layer, Integer(I(i)), there);
      const Real distance = abs(candidate.x - fma(slope, candidate.z - from.z, from.x));
      const Mask closer = there && distance < smallest;
      smallest = select(closer, distance, smallest);
      best = {select(closer, candidate.place, best.place), select(closer, candidate.x, best.x),
              select(closer, candidate.z, best.z), select(closer, candidate.weight, best.weight)};
    }
    return best;
  }

  const UtEventHits<T>& event_;
  const CompassCuts<T>& cuts_;
  const SpaceLine<Real>& track_;
  int groups_;
  Mask mask_;
  Real y_at_0_;
  Integer shift_[ut_layers][Windows::max_groups];
  Integer end_[ut_layers][Windows::max_groups];
  Integer count_[ut_layers];
};

}  // namespace trackplex::lhcb::detail
