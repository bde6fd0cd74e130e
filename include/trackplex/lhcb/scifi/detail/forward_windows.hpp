// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/math.hpp>
#include <trackplex/core/tile.hpp>
#include <trackplex/lhcb/scifi/detail/forward_scratch.hpp>
#include <trackplex/lhcb/scifi/forward_input.hpp>
#include <trackplex/lhcb/scifi/long_tracks.hpp>

#include <cstddef>

namespace trackplex::lhcb::detail {

/// Opens the windows of tracks, one track per lane.
template <class Real, class Input>
class ForwardWindows {
 public:
  using T = ScalarOf<Real>;
  using Integer = IntegerOf<Real>;
  using I = ScalarOf<Integer>;
  using Mask = MaskOf<Real>;
  using Scratch = ForwardScratch<T>;

  /// `slot` is the first slot of the event.
  KOKKOS_FUNCTION ForwardWindows(const Input& input, const Scratch& scratch,
                                 const ScifiEvent<T>& event, std::size_t slot)
      : input_(input), scratch_(scratch), event_(event), slot_(slot) {}

  /// Windows of the UT tracks of a tile, which begin at UT track `first` of the event.
  KOKKOS_FUNCTION void open(const Tile<Real>& tile, int first) const {
    const auto& ut = input_.ut_tracks;
    const std::size_t slot = slot_ + std::size_t(first);
    const Mask mask = tile.mask();
    const Integer number = tile.template load<Integer>(ut.track.data() + slot);
    const SpaceLine<Real> velo = input_.template velo_state<Real>(slot_, number, mask);
    const Real qop = tile.load(ut.qop.data() + slot), size = abs(qop);
    tile.store(scratch_.qop, qop);
    Line line;
    line.tx = tile.load(ut.slope.data() + slot);
    line.x = fma(line.tx, real(forward_z_begin - ut_z_middle), tile.load(ut.x.data() + slot));
    const Real tolerance =
        fma(min(size, Real(cuts().max_tolerance_qop)), Real(cuts().magnet_tolerance_per_qop),
            Real(cuts().magnet_tolerance));
    tile.store(scratch_.ut_track, tile.index() + Integer(I(first)));
    const Integer side = store_line(tile, number, velo, line, tolerance);
    const Slopes slopes = slopes_of(velo, line, qop);
    tile.store(scratch_.min_slope, slopes.min);
    tile.store(scratch_.max_slope, slopes.max);
    const Real half = fma(Real(cuts().window_per_qop), size, Real(cuts().window));
    const Real more = Real(cuts().window_extension), none(T(0));
    const Reach reach{half + select(qop < none, more, none), half + select(qop < none, none, more)};
    const Real x_magnet = fma(line.tx, real(forward_z_magnet - forward_z_begin), line.x);
    for (int last = 0; last < 2; ++last) {
      const Real slope = fma(input_.magnet.deflection(2 * last, line.tx, velo.ty), qop, line.tx);
      for (int type = 0; type < triplet_types; ++type) {
        const Real x = fma(slope, from_magnet(type, last), x_magnet);
        open_window(tile, type, last, side, x, reach, cuts().max_window_hits, mask);
        if (last == 0) narrow_window(tile, type, side, slopes, tolerance, mask);
      }
    }
  }

  /// Windows of VELO tracks, whose numbers are those of a tile of `tracks`: on both sides of the
  /// line, as far as a track of the least momentum bends.
  KOKKOS_FUNCTION void open_without_ut(const Tile<Real>& tile, const I* tracks) const {
    const Mask mask = tile.mask();
    const Integer number = tile.template load<Integer>(tracks);
    const SpaceLine<Real> velo = input_.template velo_state<Real>(slot_, number, mask);
    Line line;
    line.tx = velo.tx;
    line.x = fma(velo.tx, real(forward_z_begin) - velo.z, velo.x);
    tile.store(scratch_.ut_track, Integer(I(LongTracks<T, Kokkos::HostSpace>::no_ut_track)));
    tile.store(scratch_.min_slope, real(-max_triplet_slope));
    tile.store(scratch_.max_slope, real(max_triplet_slope));
    const Integer side = store_line(tile, number, velo, line, Real(cuts().velo_magnet_tolerance));
    const Real transverse2 = fma(velo.tx, velo.tx, velo.ty * velo.ty), one(T(1));
    // 1/p of the least momentum: pT = p sqrt(t^2/(1 + t^2))
    const Real per_p = sqrt(transverse2 / (one + transverse2)) / Real(cuts().velo_min_pt);
    const Real qop = min(per_p, one / Real(cuts().velo_min_p));
    const Real x_magnet = fma(line.tx, real(forward_z_magnet - forward_z_begin), line.x);
    for (int last = 0; last < 2; ++last) {
      const Real bend = input_.magnet.deflection(2 * last, velo.tx, velo.ty) * qop;
      for (int type = 0; type < triplet_types; ++type) {
        const Real dz = from_magnet(type, last), half = fma(bend, dz, Real(cuts().window));
        open_window(tile, type, last, side, fma(line.tx, dz, x_magnet), {half, half},
                    cuts().velo_window_hits, mask);
      }
    }
  }

 private:
  /// Line upstream of the magnet, at forward_z_begin.
  struct Line {
    Real x, tx;
  };
  /// Widths of a window on both sides.
  struct Reach {
    Real left, right;
  };

  /// Range of dx/dz of triplets.
  struct Slopes {
    Real min, max;
  };

  static KOKKOS_FORCEINLINE_FUNCTION Real real(double value) { return scifi_real<Real>(value); }
  KOKKOS_FORCEINLINE_FUNCTION const ForwardCuts<T>& cuts() const { return input_.cuts; }

  /// Slopes with which q/p may be that of the UT, see ForwardParams::max_qop_difference, and of
  /// tracks that bend to the same side.
  KOKKOS_FUNCTION Slopes slopes_of(const SpaceLine<Real>& velo, const Line& line,
                                   const Real& qop) const {
    const Real most = real(max_triplet_slope), zero(T(0));
    Slopes slopes{-most, most};
    if (cuts().max_qop_difference < T(1)) {
      const Real more = Real(T(1) + cuts().max_qop_difference);
      const Real less = Real(T(1) - cuts().max_qop_difference);
      const Real low = qop - Real(cuts().qop_tolerance), high = qop + Real(cuts().qop_tolerance);
      slopes.min = slope_after(velo, low / select(low > zero, more, less), -most);
      slopes.max = slope_after(velo, high / select(high > zero, less, more), most);
    }
    const Mask bends = abs(qop) > Real(cuts().same_side_qop), left = line.tx < velo.tx;
    slopes.min = select(bends && !left, max(slopes.min, velo.tx), slopes.min);
    slopes.max = select(bends && left, min(slopes.max, velo.tx), slopes.max);
    return slopes;
  }

  /// dx/dz in the SciFi of a track of this q/p, and a little more in the direction of `most`.
  KOKKOS_FUNCTION Real slope_after(const SpaceLine<Real>& velo, const Real& qop,
                                   const Real& most) const {
    const Real limit = abs(most);
    Real after = velo.tx;
    for (int i = 0; i < 3; ++i) {
      after = fma(input_.magnet.bend_per_qop(velo.tx, velo.ty, after), qop, velo.tx);
      after = max(min(after, limit), -limit);
    }
    const Real more = fma(abs(after - velo.tx), real(0.01), real(0.001));
    return after + copysign(more, most);
  }

  /// Distance of a layer from the middle of the magnet.
  static KOKKOS_FORCEINLINE_FUNCTION Real from_magnet(int type, int last) {
    return Real(scifi_layer_z<T>(triplet_layer(type, 2 * last))) - real(forward_z_magnet);
  }

  /// Stores what the other steps need of a track; returns the half of its layers.
  KOKKOS_FUNCTION Integer store_line(const Tile<Real>& tile, const Integer& number,
                                     const SpaceLine<Real>& velo, const Line& line,
                                     const Real& tolerance) const {
    const Real y = fma(velo.ty, real(forward_z_begin) - velo.z, velo.y);
    const Real y_first = fma(velo.ty, real(scifi_layer_z<double>(0) - forward_z_begin), y);
    const Integer side = select(y_first >= Real(T(0)), Integer(1), Integer(0));
    tile.store(scratch_.velo_track, number);
    tile.store(scratch_.x, line.x);
    tile.store(scratch_.y, y);
    tile.store(scratch_.tx, line.tx);
    tile.store(scratch_.ty, velo.ty);
    tile.store(scratch_.velo_tx, velo.tx);
    tile.store(scratch_.x_magnet, fma(velo.tx, real(forward_z_magnet) - velo.z, velo.x));
    tile.store(scratch_.tolerance, tolerance);
    tile.store(scratch_.side, side);
    return side;
  }

  /// Window around x: the hits next to x, as many on either side as are used.
  KOKKOS_FUNCTION void open_window(const Tile<Real>& tile, int type, int last, const Integer& side,
                                   const Real& x, const Reach& reach, int max_hits,
                                   const Mask& mask) const {
    const int window = Scratch::window(type, last);
    const Integer zone = Integer(I(2 * triplet_layer(type, 2 * last))) + side;
    const Integer begin = first_hit_from(event_, x - reach.left, zone, mask);
    const Integer end = first_hit_from(event_, x + reach.right, zone, mask);
    const Integer middle = first_hit_from(event_, x, zone, mask);
    const Integer first = max(begin, middle - Integer(I(max_hits / 2)));
    tile.store(scratch_.first[window], first);
    tile.store(scratch_.size[window], min(end - first, Integer(I(max_hits))));
  }

  /// Leaves out the first hits of triplets that cannot have these slopes.
  KOKKOS_FUNCTION void narrow_window(const Tile<Real>& tile, int type, const Integer& side,
                                     const Slopes& slopes, const Real& tolerance,
                                     const Mask& mask) const {
    const int window = Scratch::window(type, 0);
    const Integer zone = Integer(I(2 * triplet_layer(type, 0))) + side;
    const Real x_magnet = tile.load(scratch_.x_magnet), dz = from_magnet(type, 0);
    const auto x = [&](const Real& slope) {
      return fma(slope, dz, expected_in_magnet(slope, x_magnet));
    };
    const Integer begin = tile.template load<Integer>(scratch_.first[window]);
    const Integer end = begin + tile.template load<Integer>(scratch_.size[window]);
    const Real left = x(slopes.min) - tolerance, right = x(slopes.max) + tolerance;
    const Integer first = max(begin, first_hit_from(event_, left, zone, mask));
    const Integer last = min(end, first_hit_from(event_, right, zone, mask));
    tile.store(scratch_.first[window], first);
    tile.store(scratch_.size[window], max(last - first, Integer(0)));
  }

  const Input& input_;
  const Scratch& scratch_;
  const ScifiEvent<T>& event_;
  std::size_t slot_;
};

}  // namespace trackplex::lhcb::detail
