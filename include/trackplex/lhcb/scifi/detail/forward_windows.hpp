// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/tile.hpp>
#include <trackplex/lhcb/scifi/detail/forward_scratch.hpp>
#include <trackplex/lhcb/scifi/forward_input.hpp>

#include <cstddef>

namespace trackplex::lhcb::detail {

/// Opens the windows of tracks with hits in the UT, one track per lane.
template <class Real, class Input>
class ForwardWindows {
 public:
  using T = ScalarOf<Real>;
  using Integer = IntegerOf<Real>;
  using I = ScalarOf<Integer>;
  using Mask = MaskOf<Real>;
  using Scratch = ForwardScratch<T>;

  KOKKOS_FUNCTION ForwardWindows(const Input& input, const Scratch& scratch,
                                 const ScifiEvent<T>& event)
      : input_(input), scratch_(scratch), event_(event) {}

  /// Windows of the tracks of a tile. The UT track of place i has the slot ut_slot + i; `slot` is
  /// the first slot of the event.
  KOKKOS_FUNCTION void open(const Tile<Real>& tile, std::size_t slot, std::size_t ut_slot) const {
    const auto& ut = input_.ut_tracks;
    const Mask mask = tile.mask();
    const SpaceLine<Real> velo = input_.template velo_state<Real>(
        slot, tile.template load<Integer>(ut.track.data() + ut_slot), mask);
    const Real qop = tile.load(ut.qop.data() + ut_slot);
    const Real tx = tile.load(ut.slope.data() + ut_slot), ty = velo.ty;
    const Real x = fma(tx, real(forward_z_begin - ut_z_middle), tile.load(ut.x.data() + ut_slot));
    const Real y = fma(ty, real(forward_z_begin) - velo.z, velo.y);
    tile.store(scratch_.x, x);
    tile.store(scratch_.y, y);
    tile.store(scratch_.tx, tx);
    tile.store(scratch_.ty, ty);
    tile.store(scratch_.velo_tx, velo.tx);
    tile.store(scratch_.x_magnet, fma(velo.tx, real(forward_z_magnet) - velo.z, velo.x));
    tile.store(scratch_.tolerance,
               fma(min(abs(qop), Real(cuts().max_tolerance_qop)),
                   Real(cuts().magnet_tolerance_per_qop), Real(cuts().magnet_tolerance)));
    const Integer sign = select(tx < velo.tx, Integer(-1), Integer(1));
    tile.store(scratch_.bend, select(abs(qop) > Real(cuts().same_side_qop), sign, Integer(0)));
    const Real y_first = fma(ty, real(scifi_layer_z<double>(0) - forward_z_begin), y);
    const Integer side = select(y_first >= Real(0), Integer(1), Integer(0));
    tile.store(scratch_.side, side);
    const Real half = fma(Real(cuts().window_per_qop), abs(qop), Real(cuts().window));
    const Real more = Real(cuts().window_extension);
    const Reach reach{half + select(qop < Real(0), more, Real(0)),
                      half + select(qop < Real(0), Real(0), more)};
    const Real x_magnet = fma(tx, real(forward_z_magnet - forward_z_begin), x);
    for (int last = 0; last < 2; ++last) {
      const Real slope = fma(input_.magnet.deflection(2 * last, tx, ty), qop, tx);
      for (int type = 0; type < triplet_types; ++type)
        open_window(tile, type, last, side, slope, x_magnet, reach, mask);
    }
  }

 private:
  /// Widths of a window on both sides.
  struct Reach {
    Real left, right;
  };

  static KOKKOS_FORCEINLINE_FUNCTION Real real(double value) { return scifi_real<Real>(value); }
  KOKKOS_FORCEINLINE_FUNCTION const ForwardCuts<T>& cuts() const { return input_.cuts; }

  /// Window around a line from the middle of the magnet: the hits next to the line, as many on
  /// either side as are used.
  KOKKOS_FUNCTION void open_window(const Tile<Real>& tile, int type, int last, const Integer& side,
                                   const Real& slope, const Real& x_magnet, const Reach& reach,
                                   const Mask& mask) const {
    const int layer = triplet_layer(type, 2 * last), window = Scratch::window(type, last);
    const Real to_layer = Real(scifi_layer_z<T>(layer)) - real(forward_z_magnet);
    const Real x = fma(slope, to_layer, x_magnet);
    const Integer zone = Integer(I(2 * layer)) + side;
    const Integer low = gather<Integer>(event_.zones, zone, mask);
    const Integer high = gather<Integer>(event_.zones + 1, zone, mask);
    const Integer begin = first_hit_from(event_.x, x - reach.left, low, high, mask);
    const Integer end = first_hit_from(event_.x, x + reach.right, begin, high, mask);
    const Integer middle = first_hit_from(event_.x, x, begin, end, mask);
    const Integer most(I(cuts().max_window_hits)), half(I(cuts().max_window_hits / 2));
    const Integer first = max(begin, middle - half);
    tile.store(scratch_.first[window], first);
    tile.store(scratch_.size[window], min(end - first, most));
  }

  const Input& input_;
  const Scratch& scratch_;
  const ScifiEvent<T>& event_;
};

}  // namespace trackplex::lhcb::detail
