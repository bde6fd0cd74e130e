// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/lhcb/scifi/detail/forward_candidates.hpp>
#include <trackplex/lhcb/scifi/detail/seeding_scratch.hpp>
#include <trackplex/lhcb/scifi/detail/waiting_groups.hpp>
#include <trackplex/lhcb/scifi/seeding_params.hpp>

namespace trackplex::lhcb::detail {

/// Adds stereo hits to curves, one per lane, and says how good they are.
template <class Real>
class SeedCandidates {
 public:
  using T = ScalarOf<Real>;
  using Integer = IntegerOf<Real>;
  using I = ScalarOf<Integer>;
  using Mask = MaskOf<Real>;
  using Scratch = SeedingScratch<T>;

  /// Of the half `side`.
  KOKKOS_FUNCTION SeedCandidates(const SeedingCuts<T>& cuts, const Scratch& scratch, int side)
      : cuts_(cuts), scratch_(scratch), event_(scratch.event()), side_(side) {}

  /// Completes the candidates of a tile of the list.
  KOKKOS_FUNCTION void complete(const Tile<Real>& tile) const {
    const Mask mask = tile.mask();
    const Integer entry = tile.template load<Integer>(scratch_.entry);
    const Curve curve = curve_with_misfit(entry, mask);
    scatter(scratch_.quality, entry, real(bad_quality), mask);
    scatter(scratch_.n_hits, entry, Integer(0), mask);
    // those that are good enough with exact hits in all stereo layers
    const Integer most = curve.n + Integer(layers);
    const Mask open = mask && quality(most, curve.misfit) < Real(cuts_.max_quality);
    begin_with(0, curve, entry, open);
    begin_with(1, curve, entry,
               open && gather<Integer>(scratch_.n_hits, entry, open) == Integer(0));
  }

  /// Quality of the best candidates of first hits, if they are good enough, and their entries.
  KOKKOS_FUNCTION Mask best_of(const Tile<Real>& tile, Integer& entry, Real& quality) const {
    const Integer n = tile.template load<Integer>(scratch_.n_candidates);
    const Integer begin = tile.index() * Integer(I(cuts_.candidates));
    quality = Real(cuts_.max_quality);
    Mask found(false);
    for (int i = 0; i < int(max_of(n)); ++i) {
      const Mask there = tile.mask() && Integer(I(i)) < n;
      const Real value = gather<Real>(scratch_.quality, begin + Integer(I(i)), there);
      const Mask better = there && value < quality;
      entry = select(better, begin + Integer(I(i)), entry);
      quality = select(better, value, quality);
      found = found || better;
    }
    return found;
  }

  KOKKOS_FUNCTION ForwardCurve<Real> curve_of(const Integer& entry, const Mask& mask) const {
    return {gather<Real>(scratch_.curve_x, entry, mask), gather<Real>(scratch_.slope, entry, mask),
            gather<Real>(scratch_.bend, entry, mask), real(seed_cubic)};
  }

  /// The stereo hits of complete candidates.
  KOKKOS_FUNCTION StereoHits<Real> stereo_hits(const Integer& entry, const Mask& mask) const {
    StereoHits<Real> stereo;
    for (int i = 0; i < layers; ++i) {
      const Integer hit = gather<Integer>(scratch_.hits[stereo.layer(i)], entry, mask);
      set(stereo, i, hit, mask && hit >= Integer(0));
    }
    return stereo;
  }

 private:
  static constexpr int layers = StereoHits<Real>::layers;
  static constexpr double bad_quality = 1e30;  ///< of candidates with too few hits

  /// Curves and their x hits.
  struct Curve {
    ForwardCurve<Real> x;
    Real misfit;
    Integer n;
  };
  /// Beginnings of candidates: entry, hits of the first layers, and the bits of ty.
  static constexpr int first_layers = 3;
  using Beginning = Integer[first_layers + 2];

  static KOKKOS_FORCEINLINE_FUNCTION Real real(double value) { return scifi_real<Real>(value); }
  /// Quality of candidates of n hits with a sum of squares, see FindScifiTracks.
  static KOKKOS_FORCEINLINE_FUNCTION Real quality(const Integer& n, const Real& squares) {
    return weight_of_hits<Real>(n) * squares / (convert<Real>(n) - real(5.));
  }
  /// Stereo layers in the order in which they are searched: the second station first.
  static KOKKOS_FORCEINLINE_FUNCTION constexpr int ordered(int i) {
    constexpr int order[layers] = {2, 3, 0, 1, 4, 5};
    return order[i];
  }
  KOKKOS_FORCEINLINE_FUNCTION Integer zone_of(int layer) const {
    return Integer(I(2 * layer + side_));
  }
  KOKKOS_FORCEINLINE_FUNCTION void set(StereoHits<Real>& stereo, int i, const Integer& hit,
                                       const Mask& there) const {
    stereo.there[i] = there;
    stereo.x[i] = gather<Real>(event_.x, hit, there);
    stereo.z[i] = gather<Real>(event_.z, hit, there);
  }

  KOKKOS_FORCEINLINE_FUNCTION Curve curve_with_misfit(const Integer& entry,
                                                      const Mask& mask) const {
    return {curve_of(entry, mask), gather<Real>(scratch_.misfit, entry, mask),
            gather<Integer>(scratch_.n_x_hits, entry, mask)};
  }

  /// Tries all hits of a layer that are in the half of the curves.
  KOKKOS_FUNCTION void begin_with(int start, const Curve& curve, const Integer& entry,
                                  Mask mask) const {
    if (none_of(mask)) return;
    const int layer = StereoHits<Real>::layer(ordered(start));
    const Real x = curve.x.at(Real(scifi_layer_z<T>(layer)));
    const T sign = side_ == 0 ? T(-1) : T(1), stereo = scifi_stereo<T>(layer);
    const T inner = sign * stereo * T(-2.), outer = sign * stereo * cuts_.max_y;
    Integer hit = first_hit_from(event_, x - Real(max(inner, outer)), zone_of(layer), mask);
    const Real last = x - Real(min(inner, outer));
    const Integer end(event_.zones[2 * layer + side_ + 1]);
    WaitingGroups<Real, 2> firsts;
    WaitingGroups<Real, first_layers + 2> beginnings;
    const auto end_with = [&](const Beginning& beginning, const Mask& m) {
      complete(start, beginning, m);
    };
    const auto use_first = [&](const Integer(&first)[2], const Mask& m) {
      Beginning beginning;
      const Mask open = begin(start, first[0], first[1], m, beginning);
      beginnings.add(beginning, open, end_with);
    };
    mask = mask && hit < end;
    while (any_of(mask)) {
      mask = mask && gather<Real>(event_.x, hit, mask) <= last;
      firsts.add({entry, hit}, mask, use_first);
      hit += Integer(1);
      mask = mask && hit < end;
    }
    firsts.flush(use_first);
    beginnings.flush(end_with);
  }

  /// Line y(z) = ty z, which turns to each hit.
  struct Line {
    Real ty;
    Integer n;  ///< number of hits of the candidate
  };

  /// Adds a hit of a layer, or -1.
  KOKKOS_FORCEINLINE_FUNCTION void turn(Line& line, const Curve& curve, int layer,
                                        const Integer& hit, const Mask& mask, bool is_first) const {
    const T z = scifi_layer_z<T>(layer), per_lever = T(1) / (z * scifi_stereo<T>(layer));
    const Mask there = mask && hit >= Integer(0);
    const Real own = (curve.x.at(Real(z)) - gather<Real>(event_.x, hit, there)) * Real(per_lever);
    line.ty = select(there, is_first ? own : (line.ty + own) * real(0.5), line.ty);
    line.n += select(there, Integer(1), Integer(0));
  }
  /// Adds the hit of a layer nearest to the line, and returns it.
  KOKKOS_FORCEINLINE_FUNCTION Integer follow(Line& line, const Curve& curve, int layer,
                                             const Mask& mask) const {
    const T z = scifi_layer_z<T>(layer), dxdy = scifi_stereo<T>(layer);
    const Real x = fma(line.ty, Real(-z * dxdy), curve.x.at(Real(z)));
    const auto nearest = nearest_hit(event_, x, zone_of(layer), Real(cuts_.stereo_distance2), mask);
    turn(line, curve, layer, nearest.hit, mask, false);
    return nearest.hit;
  }

  /// The first hits; returns which can have enough hits.
  KOKKOS_FUNCTION Mask begin(int start, const Integer& entry, const Integer& first,
                             const Mask& mask, Beginning& beginning) const {
    const Curve curve = curve_with_misfit(entry, mask);
    Line line{Real(T(0)), curve.n};
    beginning[0] = entry;
    for (int k = 0; k < first_layers; ++k) {
      const int layer = StereoHits<Real>::layer(ordered(start + k));
      beginning[1 + k] = first;
      if (k == 0)
        turn(line, curve, layer, first, mask, true);
      else
        beginning[1 + k] = follow(line, curve, layer, mask);
    }
    beginning[first_layers + 1] = bit_cast<Integer>(line.ty);
    const int left = layers - start - first_layers;
    return mask && line.n + Integer(I(left)) >= Integer(I(cuts_.min_hits));
  }

  /// The further hits; keeps the candidate if it is better than the others of its curve.
  KOKKOS_FUNCTION void complete(int start, const Beginning& beginning, const Mask& mask) const {
    const Curve curve = curve_with_misfit(beginning[0], mask);
    StereoHits<Real> stereo;
    Integer hits[layers];
    for (int i = 0; i < layers; ++i) {
      hits[i] = Integer(-1);
      set(stereo, i, hits[i], Mask(false));
    }
    Line line{bit_cast<Real>(beginning[first_layers + 1]), curve.n};
    for (int k = start; k < layers; ++k) {
      const int i = ordered(k), layer = StereoHits<Real>::layer(i);
      if (k < start + first_layers) {
        hits[i] = beginning[1 + k - start];
        line.n += select(mask && hits[i] >= Integer(0), Integer(1), Integer(0));
      } else {
        hits[i] = follow(line, curve, layer, mask);
      }
      set(stereo, i, hits[i], mask && hits[i] >= Integer(0));
    }
    const Mask enough = mask && line.n >= Integer(I(cuts_.min_hits));
    if (none_of(enough)) return;
    const StereoLine<Real> fitted(curve.x, stereo);
    const Real of_y = fitted.residuals2 * real(0.0874892 * 0.0874892);
    const Real value = quality(line.n, curve.misfit + of_y);
    for_each_lane(enough, [&](int lane) {
      const I to = extract(beginning[0], lane), n = extract(line.n, lane);
      const T own = extract(value, lane);
      if (n < scratch_.n_hits[to] || (n == scratch_.n_hits[to] && !(own < scratch_.quality[to])))
        return;
      scratch_.n_hits[to] = n;
      scratch_.quality[to] = own;
      for (int i = 0; i < layers; ++i)
        scratch_.hits[StereoHits<Real>::layer(i)][to] = extract(hits[i], lane);
    });
  }

  const SeedingCuts<T>& cuts_;
  const Scratch& scratch_;
  ScifiEvent<T> event_;
  int side_;
};

}  // namespace trackplex::lhcb::detail
