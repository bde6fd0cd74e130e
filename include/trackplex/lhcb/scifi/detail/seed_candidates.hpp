// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/lhcb/scifi/detail/forward_candidates.hpp>
#include <trackplex/lhcb/scifi/detail/seeding_scratch.hpp>
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
    Curve curve{curve_of(entry, mask), gather<Real>(scratch_.misfit, entry, mask), Integer(0)};
    for (int i = 0; i < seed_x_layers; ++i) {
      const Integer hit = gather<Integer>(scratch_.hits[seed_x_layer(i)], entry, mask);
      curve.n += select(hit >= Integer(0), Integer(1), Integer(0));
    }
    // those that are good enough with exact hits in all stereo layers
    const Integer most = curve.n + Integer(layers);
    const Mask open = mask && quality(most, curve.misfit) < Real(cuts_.max_quality);
    Best best;
    begin_with(0, curve, open, best);
    begin_with(1, curve, open && best.n == Integer(0), best);
    scatter(scratch_.quality, entry, best.quality, mask);
    for (int i = 0; i < layers; ++i)
      scatter(scratch_.hits[StereoHits<Real>::layer(i)], entry, best.hits[i], mask);
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
  /// The best stereo hits so far.
  struct Best {
    Integer hits[layers];
    Integer n = Integer(0);  ///< number of hits of the candidate, with those in x layers
    Real quality = real(bad_quality);

    KOKKOS_FUNCTION Best() {
      for (auto& hit : hits) hit = Integer(-1);
    }
  };

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

  /// Tries all hits of a layer that are in the half of the curves.
  KOKKOS_FUNCTION void begin_with(int start, const Curve& curve, Mask mask, Best& best) const {
    if (none_of(mask)) return;
    const int layer = StereoHits<Real>::layer(ordered(start));
    const Real x = curve.x.at(Real(scifi_layer_z<T>(layer)));
    const T sign = side_ == 0 ? T(-1) : T(1), stereo = scifi_stereo<T>(layer);
    const T inner = sign * stereo * T(-2.), outer = sign * stereo * cuts_.max_y;
    Integer hit = first_hit_from(event_, x - Real(max(inner, outer)), zone_of(layer), mask);
    const Real last = x - Real(min(inner, outer));
    const Integer end(event_.zones[2 * layer + side_ + 1]);
    mask = mask && hit < end;
    while (any_of(mask)) {
      mask = mask && gather<Real>(event_.x, hit, mask) <= last;
      follow(start, curve, hit, mask, best);
      hit += Integer(1);
      mask = mask && hit < end;
    }
  }

  /// Adds hits of the other layers next to a line y(z) through the origin, which turns to each of
  /// them.
  KOKKOS_FUNCTION void follow(int start, const Curve& curve, const Integer& first, Mask mask,
                              Best& best) const {
    StereoHits<Real> stereo;
    Integer hits[layers];
    for (int i = 0; i < layers; ++i) {
      hits[i] = Integer(-1);
      set(stereo, i, hits[i], Mask(false));
    }
    Integer n = curve.n;
    Real ty(T(0));
    for (int k = start; k < layers; ++k) {
      const int i = ordered(k), layer = StereoHits<Real>::layer(i);
      const T z = scifi_layer_z<T>(layer), dxdy = scifi_stereo<T>(layer);
      const Real x = curve.x.at(Real(z));
      Integer hit = first;
      Mask there = mask;
      if (k > start) {
        hit = nearest_hit(event_, fma(ty, Real(-z * dxdy), x), zone_of(layer),
                          Real(cuts_.stereo_distance2), mask)
                  .hit;
        there = mask && hit >= Integer(0);
      }
      set(stereo, i, hit, there);
      hits[i] = select(there, hit, Integer(-1));
      n += select(there, Integer(1), Integer(0));
      const Real own = (x - stereo.x[i]) * Real(T(1) / (z * dxdy));
      ty = select(there, k > start ? (ty + own) * real(0.5) : own, ty);
      mask = mask && n + Integer(I(layers - 1 - k)) >= Integer(I(cuts_.min_hits));
      if (none_of(mask)) return;
    }
    const StereoLine<Real> line(curve.x, stereo);
    const Real of_y = line.residuals2 * real(0.0874892 * 0.0874892);
    const Real value = quality(n, curve.misfit + of_y);
    const Mask better = mask && (n > best.n || (n == best.n && value < best.quality));
    best.n = select(better, n, best.n);
    best.quality = select(better, value, best.quality);
    for (int i = 0; i < layers; ++i) best.hits[i] = select(better, hits[i], best.hits[i]);
  }

  const SeedingCuts<T>& cuts_;
  const Scratch& scratch_;
  ScifiEvent<T> event_;
  int side_;
};

}  // namespace trackplex::lhcb::detail
