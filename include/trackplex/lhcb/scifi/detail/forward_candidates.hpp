// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/math.hpp>
#include <trackplex/core/tile.hpp>
#include <trackplex/lhcb/scifi/detail/forward_scratch.hpp>
#include <trackplex/lhcb/scifi/forward_input.hpp>
#include <trackplex/lhcb/ut/p_kick_fit.hpp>

namespace trackplex::lhcb::detail {

/// Curve x(z) in the SciFi: x + slope dz + bend dz^2 (1 + cubic dz) with dz = z - forward_z_middle.
template <class Real>
struct ForwardCurve {
  Real x, slope, bend, cubic;

  KOKKOS_FORCEINLINE_FUNCTION Real at(const Real& z) const {
    const Real dz = z - scifi_real<Real>(forward_z_middle);
    return fma(dz, fma(bend * dz, fma(cubic, dz, Real(1)), slope), x);
  }
  KOKKOS_FORCEINLINE_FUNCTION Real slope_at(const Real& z) const {
    const Real dz = z - scifi_real<Real>(forward_z_middle);
    return fma(bend * dz, fma(cubic * Real(3), dz, Real(2)), slope);
  }
};

/// The curve through three hits, exactly. `late` where they are in the last x layer of their
/// stations.
template <class Real>
KOKKOS_FUNCTION ForwardCurve<Real> curve_through(const Real (&hits)[stations],
                                                 const MaskOf<Real>& late, const Real& cubic) {
  using T = ScalarOf<Real>;
  ForwardCurve<Real> curve;
  curve.cubic = cubic;
  Real dz[stations], eta[stations];
  for (int s = 0; s < stations; ++s) {
    dz[s] = select(late, Real(scifi_layer_z<T>(triplet_layer(1, s))),
                   Real(scifi_layer_z<T>(triplet_layer(0, s)))) -
            scifi_real<Real>(forward_z_middle);
    eta[s] = dz[s] * dz[s] * fma(curve.cubic, dz[s], Real(1));
  }
  const Real to_second = Real(1) / (dz[1] - dz[0]), to_third = Real(1) / (dz[2] - dz[0]);
  const Real x_second = (hits[1] - hits[0]) * to_second, x_third = (hits[2] - hits[0]) * to_third;
  const Real eta_second = (eta[1] - eta[0]) * to_second, eta_third = (eta[2] - eta[0]) * to_third;
  curve.bend = (x_third - x_second) / (eta_third - eta_second);
  curve.slope = fma(-curve.bend, eta_second, x_second);
  curve.x = fma(-curve.bend, eta[0], fma(-curve.slope, dz[0], hits[0]));
  return curve;
}

/// The same of a track with y in the second station.
template <class Real>
KOKKOS_FUNCTION ForwardCurve<Real> forward_curve(const Real (&hits)[stations],
                                                 const MaskOf<Real>& late, const Real& y) {
  const auto real = [](double value) { return scifi_real<Real>(value); };
  const Real of_y = real(1e-6) * y * y;
  const Real r = sqrt(fma(real(25e-8) * hits[1], hits[1], of_y));
  return curve_through(hits, late,
                       fma(fma(real(-4.60324e-5), r, real(8.651e-6)), r, real(-0.000267957)));
}

/// Stereo hits of a track.
template <class Real>
struct StereoHits {
  static constexpr int layers = 2 * stations;
  MaskOf<Real> there[layers];  ///< by layer: 1, 2, 5, 6, 9, 10
  Real x[layers], z[layers];   ///< of the hits; anything where there is none

  static KOKKOS_FORCEINLINE_FUNCTION constexpr int layer(int i) { return 4 * (i / 2) + 1 + i % 2; }
};

/// Straight line y(z) through the y of stereo hits.
template <class Real>
struct StereoLine {
  Real y, z;        ///< its middle
  Real slope;       ///< dy/dz
  Real residuals2;  ///< sum of the squared residuals of the hits
  Real n;           ///< number of hits

  /// Fits the line to hits, whose x are those of the curve.
  KOKKOS_FUNCTION StereoLine(const ForwardCurve<Real>& curve, const StereoHits<Real>& hits) {
    using T = ScalarOf<Real>;
    constexpr int layers = StereoHits<Real>::layers;
    const Real zero(T(0)), reference = scifi_real<Real>(forward_z_middle);
    Real ys[layers], zs[layers];
    n = y = z = zero;
    for (int i = 0; i < layers; ++i) {
      const T per_dxdy = T(1) / scifi_stereo<T>(StereoHits<Real>::layer(i));
      ys[i] = select(hits.there[i], (curve.at(hits.z[i]) - hits.x[i]) * Real(per_dxdy), zero);
      zs[i] = select(hits.there[i], hits.z[i] - reference, zero);
      n += select(hits.there[i], Real(T(1)), zero);
      y += ys[i];
      z += zs[i];
    }
    const Real per_n = Real(T(1)) / max(n, Real(T(1)));
    y *= per_n;
    z *= per_n;
    Real yz = zero, zz = zero;
    for (int i = 0; i < layers; ++i) {
      const Real dz = select(hits.there[i], zs[i] - z, zero);
      yz = fma(dz, ys[i] - y, yz);
      zz = fma(dz, dz, zz);
    }
    slope = yz / select(zz > zero, zz, Real(T(1)));
    residuals2 = zero;
    for (int i = 0; i < layers; ++i) {
      const Real residual = select(hits.there[i], fma(-slope, zs[i] - z, ys[i] - y), zero);
      residuals2 = fma(residual, residual, residuals2);
    }
    z += reference;
  }

  KOKKOS_FORCEINLINE_FUNCTION Real at(const Real& at_z) const { return fma(slope, at_z - z, y); }
};

/// Factor of the quality of candidates of n hits, as in LHCb's Allen of 2020.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION Real weight_of_hits(const IntegerOf<Real>& n) {
  using Integer = IntegerOf<Real>;
  return select(n >= Integer(12), scifi_real<Real>(0.5),
                select(n >= Integer(11), scifi_real<Real>(0.8),
                       select(n >= Integer(10), Real(1), scifi_real<Real>(5.))));
}

/// Limits of candidates.
template <class T>
struct ForwardLimits {
  int min_hits;
  T max_quality;
  bool without_ut;  ///< whether tracks are those of the VELO only
};

/// Adds hits of all layers to triplets, one per lane, and says how good they are.
template <class Real, class Input>
class ForwardCandidates {
 public:
  using T = ScalarOf<Real>;
  using Integer = IntegerOf<Real>;
  using I = ScalarOf<Integer>;
  using Mask = MaskOf<Real>;
  using Scratch = ForwardScratch<T>;

  KOKKOS_FUNCTION ForwardCandidates(const Input& input, const Scratch& scratch,
                                    const ScifiEvent<T>& event, const ForwardLimits<T>& limits)
      : input_(input), scratch_(scratch), event_(event), limits_(limits) {}

  KOKKOS_FUNCTION const ScifiEvent<T>& event() const { return event_; }  ///< hits

  /// Quality of the best candidates of tracks, if they are good enough, and their places.
  KOKKOS_FUNCTION Mask best_of(const Tile<Real>& tile, Integer& place, Real& quality) const {
    const Integer n = tile.template load<Integer>(scratch_.n_candidates);
    const Integer begin = tile.template load<Integer>(scratch_.first_candidate);
    quality = Real(limits_.max_quality);
    Mask found(false);
    for (int i = 0; i < int(max_of(n)); ++i) {
      const Mask there = tile.mask() && Integer(I(i)) < n;
      const Integer candidate = begin + Integer(I(i));
      const Real value = gather<Real>(scratch_.quality, candidate, there);
      const Mask better = there && value < quality;
      place = select(better, candidate, place);
      quality = select(better, value, quality);
      found = found || better;
    }
    return found;
  }

  /// Extends the candidates of a tile of the list.
  KOKKOS_FUNCTION void extend(const Tile<Real>& tile) const {
    const Mask mask = tile.mask();
    const Integer entry = tile.template load<Integer>(scratch_.entry);
    const Integer owner = tile.template load<Integer>(scratch_.owner);
    Track track(*this, owner, mask);
    const Mask late = gather<Integer>(scratch_.type, entry, mask) == Integer(1);
    const auto curve = curve_of(track, entry, late, mask);
    if (limits_.without_ut) bend_upstream(track, chord_of(entry, mask));
    Sums sums{Real(T(0)), Integer(stations)};
    add_x_hits(tile, track, curve, entry, late, sums);
    sums.misfit *= real(0.5);  // as published
    StereoHits<Real> stereo;
    const bool enough = add_stereo_hits(tile, track, curve, stereo, sums);
    Real value = real(bad_quality);
    if (enough)
      value = select(has_qop_of_ut(track, owner, entry, mask), quality(track, curve, stereo, sums),
                     value);
    tile.store(scratch_.quality, value);
  }

  /// The curves of candidates, by their entries.
  KOKKOS_FUNCTION ForwardCurve<Real> curve_of(const Integer& entry, const Integer& owner,
                                              const Mask& mask) const {
    const Mask late = gather<Integer>(scratch_.type, entry, mask) == Integer(1);
    return curve_of(Track(*this, owner, mask), entry, late, mask);
  }

  /// dx/dz between the first and the last hit of triplets.
  KOKKOS_FUNCTION Real chord_of(const Integer& entry, const Mask& mask) const {
    const Mask late = gather<Integer>(scratch_.type, entry, mask) == Integer(1);
    const auto z = [&](int s) {
      return select(late, Real(scifi_layer_z<T>(triplet_layer(1, s))),
                    Real(scifi_layer_z<T>(triplet_layer(0, s))));
    };
    const auto x = [&](int s) {
      return gather<Real>(event_.x, gather<Integer>(scratch_.triplet[s], entry, mask), mask);
    };
    return (x(2) - x(0)) / (z(2) - z(0));
  }

  /// The stereo hits of complete candidates, by their places.
  KOKKOS_FUNCTION StereoHits<Real> stereo_hits(const Integer& place, const Mask& mask) const {
    StereoHits<Real> stereo;
    for (int i = 0; i < stereo.layers; ++i) {
      const Integer hit = gather<Integer>(scratch_.hits[stereo.layer(i)], place, mask);
      set(stereo, i, hit, mask && hit >= Integer(0));
    }
    return stereo;
  }

 private:
  static constexpr double bad_quality = 1e30;  ///< of candidates with too few hits

  static KOKKOS_FORCEINLINE_FUNCTION Real real(double value) { return scifi_real<Real>(value); }
  KOKKOS_FORCEINLINE_FUNCTION const ForwardCuts<T>& cuts() const { return input_.cuts; }

  /// Lines in the UT of the tracks of candidates.
  struct Track {
    Real x, y, tx, ty;
    Integer side;

    KOKKOS_FUNCTION Track(const ForwardCandidates& all, const Integer& owner, const Mask& mask)
        : x(gather<Real>(all.scratch_.x, owner, mask)),
          y(gather<Real>(all.scratch_.y, owner, mask)),
          tx(gather<Real>(all.scratch_.tx, owner, mask)),
          ty(gather<Real>(all.scratch_.ty, owner, mask)),
          side(gather<Integer>(all.scratch_.side, owner, mask)) {}
  };
  /// How well the hits fit, and their number.
  struct Sums {
    Real misfit;
    Integer n;
  };

  /// Replaces the line of the VELO by that which a track of this slope in the SciFi has in the UT.
  KOKKOS_FORCEINLINE_FUNCTION void bend_upstream(Track& track, const Real& after) const {
    const Real kick = real(forward_ut_kick) * input_.magnet.qop(track.tx, track.ty, after);
    track.tx += kick;
    track.x = fma(kick, real(forward_z_begin - ut_z_kink), track.x);
  }

  /// Whether q/p is that of the UT, where that is known.
  KOKKOS_FUNCTION Mask has_qop_of_ut(const Track& track, const Integer& owner, const Integer& entry,
                                     const Mask& mask) const {
    if (limits_.without_ut) return mask;
    const Real velo_tx = gather<Real>(scratch_.velo_tx, owner, mask);
    const Real qop = input_.magnet.qop(velo_tx, track.ty, chord_of(entry, mask));
    return abs(gather<Real>(scratch_.qop, owner, mask) - qop) <=
           fma(Real(cuts().max_qop_difference), abs(qop), Real(cuts().qop_tolerance));
  }

  KOKKOS_FUNCTION ForwardCurve<Real> curve_of(const Track& track, const Integer& entry,
                                              const Mask& late, const Mask& mask) const {
    Real x[stations];
    for (int s = 0; s < stations; ++s)
      x[s] = gather<Real>(event_.x, gather<Integer>(scratch_.triplet[s], entry, mask), mask);
    const Real z = select(late, real(scifi_layer_z<double>(7)), real(scifi_layer_z<double>(4)));
    return forward_curve(x, late, fma(track.ty, z - real(forward_z_begin), track.y));
  }

  /// The hit of a layer, which may differ from lane to lane, nearest to x.
  KOKKOS_FORCEINLINE_FUNCTION NearestHit<Real> nearest(const Track& track, const Integer& layer,
                                                       const Real& x, const Real& limit,
                                                       const Mask& mask) const {
    return nearest_hit(event_, x, layer + layer + track.side, limit, mask);
  }

  /// Hits of the x layers that are not those of the triplet.
  KOKKOS_FUNCTION void add_x_hits(const Tile<Real>& tile, const Track& track,
                                  const ForwardCurve<Real>& curve, const Integer& entry,
                                  const Mask& late, Sums& sums) const {
    const Mask mask = tile.mask();
    for (int s = 0; s < stations; ++s) {
      const int early_layer = triplet_layer(0, s), late_layer = triplet_layer(1, s);
      const Real z =
          select(late, Real(scifi_layer_z<T>(early_layer)), Real(scifi_layer_z<T>(late_layer)));
      const auto found =
          nearest(track, select(late, Integer(I(early_layer)), Integer(I(late_layer))), curve.at(z),
                  Real(cuts().x_distance2), mask);
      const Integer own = gather<Integer>(scratch_.triplet[s], entry, mask);
      tile.store(scratch_.hits[early_layer], select(late, found.hit, own));
      tile.store(scratch_.hits[late_layer], select(late, own, found.hit));
      const Mask there = found.hit >= Integer(0);
      sums.misfit += select(there, found.distance2, Real(T(0)));
      sums.n += select(there, Integer(1), Integer(0));
    }
  }

  /// Returns false as soon as no candidate can have enough hits.
  KOKKOS_FUNCTION bool add_stereo_hits(const Tile<Real>& tile, const Track& track,
                                       const ForwardCurve<Real>& curve, StereoHits<Real>& stereo,
                                       Sums& sums) const {
    const Mask mask = tile.mask();
    const Real limit = fma(Real(cuts().stereo_distance2_per_slope), abs(track.tx) + abs(track.ty),
                           Real(cuts().stereo_distance2));
    const Real per_limit = Real(T(1)) / limit;
    for (int i = 0; i < stereo.layers; ++i) {
      const int layer = stereo.layer(i);
      const Real z(scifi_layer_z<T>(layer)), dz = z - real(forward_z_begin);
      const Real x = curve.at(z), dx = x - fma(track.tx, dz, track.x);
      const Real y =
          fma(track.ty, dz, track.y) + input_.magnet.y_shift(layer, track.tx, track.ty, dx);
      const auto found =
          nearest(track, Integer(I(layer)), fma(y, -Real(scifi_stereo<T>(layer)), x), limit, mask);
      tile.store(scratch_.hits[layer], found.hit);
      const Mask there = mask && found.hit >= Integer(0);
      set(stereo, i, found.hit, there);
      sums.misfit += select(there, found.distance2 * per_limit, Real(T(0)));
      sums.n += select(there, Integer(1), Integer(0));
      const Integer further(I(stereo.layers - 1 - i));
      if (!any_of(mask && sums.n + further >= Integer(I(limits_.min_hits)))) return false;
    }
    return true;
  }

  KOKKOS_FORCEINLINE_FUNCTION void set(StereoHits<Real>& stereo, int i, const Integer& hit,
                                       const Mask& there) const {
    stereo.there[i] = there;
    stereo.x[i] = gather<Real>(event_.x, hit, there);
    stereo.z[i] = gather<Real>(event_.z, hit, there);
  }

  /// Quality of candidates with enough hits, see FindLongTracks.
  KOKKOS_FUNCTION Real quality(const Track& track, const ForwardCurve<Real>& curve,
                               const StereoHits<Real>& stereo, const Sums& sums) const {
    const StereoLine<Real> line(curve, stereo);
    Mask accepted = sums.n >= Integer(I(limits_.min_hits));
    for (int s = 0; s < stations; ++s)
      accepted = accepted && (stereo.there[2 * s] || stereo.there[2 * s + 1]);
    accepted = accepted && (sums.n >= Integer(11) ||
                            abs(line.slope - track.ty) < Real(cuts().max_ty_difference));
    const Real n = convert<Real>(sums.n);
    const Real of_y = line.residuals2 * real(1. / 800.) / max(line.n - real(2.), Real(T(1)));
    const Real value = weight_of_hits<Real>(sums.n) * (sums.misfit / (n - real(3.)) + of_y);
    return select(accepted, value, real(bad_quality));
  }

  const Input& input_;
  const Scratch& scratch_;
  const ScifiEvent<T>& event_;
  ForwardLimits<T> limits_;
};

}  // namespace trackplex::lhcb::detail
