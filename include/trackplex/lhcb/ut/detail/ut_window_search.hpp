// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/team_launch.hpp>
#include <trackplex/lhcb/ut/compass_input.hpp>
#include <trackplex/lhcb/ut/ut_windows.hpp>

#include <cstddef>
#include <cstdint>

namespace trackplex::lhcb {

namespace detail {

/// Window search for one event per team: tracks in the acceptance are listed, then each lane
/// follows one track.
template <class Real, class Input, class Output>
struct UtWindowSearch {
  using T = ScalarOf<Real>;
  using Integer = IntegerOf<Real>;
  using I = ScalarOf<Integer>;
  using Mask = MaskOf<Real>;
  static constexpr int max_groups = Output::max_groups;

  Input input;
  Output windows;
  int max_tracks;  ///< of an event

  KOKKOS_FUNCTION std::size_t scratch_bytes() const {
    ScratchCarver carver;
    carver.take<I>(max_tracks);
    return carver.bytes();
  }

  /// The hits of one event, and the begins of its groups.
  struct Event {
    std::size_t slot;
    const T* y_begin;
    const T* y_end;
    const T* x;
    const T* z;
    const I* offsets;
  };

  /// Windows of the tracks of a tile.
  struct Found {
    Integer first[ut_layers][max_groups];
    Integer size[ut_layers][max_groups];
    Mask any[ut_layers];
  };

  template <class Member>
  KOKKOS_FUNCTION void operator()(const Member& member, ScratchCarver carver) const {
    const TeamLanes<Real, Member> team(member);
    const int number = member.league_rank();
    const auto& ut = input.ut_hits;
    const auto hit = ut.event_offsets(number);
    const Event event{
        input.first_slot(number), ut.y_begin.data() + hit,
        ut.y_end.data() + hit,    ut.x.data() + hit,
        ut.z.data() + hit,        ut.group_offsets.data() + std::size_t(number) * (ut.groups + 1)};
    I* const followed = carver.take<I>(max_tracks);
    const int n = list_followed(team, number, event, followed);
    Found found;
    const int kept = team.compact_tiles(
        n,
        [&](Tile<Real> tile) {
          const SpaceLine<Real> track = input.template velo_state<Real>(
              event.slot, tile.template load<Integer>(followed), tile.mask());
          return search(event, track, tile.mask(), found);
        },
        [&](Tile<Real> tile, Mask mask, int to) {
          store(event, tile.template load<Integer>(followed), found, mask, to);
        });
    team.single([&] { windows.count(number) = std::uint32_t(kept); });
  }

 private:
  static KOKKOS_FORCEINLINE_FUNCTION Real real(double value) { return Real(T(value)); }

  /// Numbers of the tracks that may have hits in the UT.
  template <class Team>
  KOKKOS_FUNCTION int list_followed(const Team& team, int number, const Event& event,
                                    I* followed) const {
    const auto& velo = input.velo_states;
    return team.compact_tiles(
        int(input.velo_tracks.count(number)),
        [&](Tile<Real> tile) {
          const auto get = [&](const auto& array) { return tile.load(array.data() + event.slot); };
          const Real tx = get(velo.tx), ty = get(velo.ty);
          const Real to_middle = real(ut_z_middle) - get(velo.z);
          const Real x = fma(tx, to_middle, get(velo.x)), y = fma(ty, to_middle, get(velo.y));
          const auto backward = tile.template load<Integer>(velo.backward.data() + event.slot);
          return backward == Integer(0) && fma(x, x, y * y) >= Real(input.cuts.hole_radius2) &&
                 abs(tx) <= Real(input.cuts.max_abs_tx) && abs(ty) <= Real(input.cuts.max_abs_ty);
        },
        [&](Tile<Real> tile, Mask mask, int to) {
          scatter(followed, Integer(I(to)) + lanes_before<Real>(mask), tile.index(), mask);
        });
  }

  /// Windows of all layers; returns the mask of the tracks with hits in enough layers.
  KOKKOS_FUNCTION Mask search(const Event& event, const SpaceLine<Real>& track, const Mask& mask,
                              Found& found) const {
    const Real one(1);
    const Real theta = sqrt(fma(track.tx, track.tx, track.ty * track.ty));
    const Real per_theta = min(real(500.), one / theta);
    const Real p = max(Real(input.cuts.min_window_pt) * per_theta, Real(input.cuts.min_window_p));
    const Real bend = one / (real(mm_per_inverse_mev) * p);
    const auto& any = found.any;
    search_layer(event, track, 0, bend, mask, found);
    search_layer(event, track, 2, bend, mask, found);
    // Tracks that can no longer have hits in enough layers need no more windows
    const Mask hopeful = mask && (any[0] || any[2]);
    search_layer(event, track, 3, bend, hopeful, found);
    const Mask promising = hopeful && ((any[0] && any[2]) || any[3]);
    search_layer(event, track, 1, bend, promising, found);
    return promising &&
           ((any[0] && any[2] && (any[1] || any[3])) || (any[3] && any[1] && (any[2] || any[0])));
  }

  /// 1/deflection at the middle of the UT of a track of p = 1 MeV, 1/mm.
  static constexpr double mm_per_inverse_mev = 4.0212e-5;

  KOKKOS_FUNCTION void search_layer(const Event& event, const SpaceLine<Real>& track, int layer,
                                    const Real& bend, const Mask& mask, Found& found) const {
    const int begin = input.tables.layer_offset[layer], end = input.tables.layer_offset[layer + 1];
    found.any[layer] = false;
    for (int g = 0; g < windows.groups; ++g) {
      found.first[layer][g] = 0;
      found.size[layer][g] = 0;
    }
    const I layer_first = event.offsets[begin];
    if (event.offsets[end] == layer_first) return;

    const Real dz = Real(event.z[layer_first]) - track.z;
    const Real x = fma(track.tx, dz, track.x), y = fma(track.ty, dz, track.y);
    const Real dxdy = Real(ut_stereo<T>(layer));
    const Integer own =
        input.tables.groups_before(input.cuts.stereo_shift ? x - dxdy * y : x, layer, mask) -
        Integer(1);
    const Real per_deflection = Real(1) / input.magnet.deflection(track.ty, layer);
    const Road road{track, dxdy, bend * per_deflection,
                    Real(input.cuts.y_tolerance_slope) * per_deflection};
    const I border = input.cuts.outermost_groups ? 0 : 1;
    for (int g = 0; g < windows.groups; ++g) {
      const I distance = I((g + 1) / 2) * (g % 2 == 1 ? -1 : 1);
      const Integer group = own + Integer(distance);
      const Mask inside =
          mask && group >= Integer(border) && group < Integer(I(end - begin) - border);
      const Integer absolute = select(inside, group + Integer(I(begin)), Integer(I(begin)));
      search_group(event, track, road, layer, x, y, absolute, inside, found.first[layer][g],
                   found.size[layer][g]);
      found.any[layer] = found.any[layer] || found.size[layer][g] > Integer(0);
      found.first[layer][g] = select(found.size[layer][g] > Integer(0),
                                     found.first[layer][g] - Integer(layer_first), Integer(0));
    }
  }

  /// Distances from a track to the hits of a layer are linear in the hits' x and z.
  struct Road {
    Real y_at_0, ty;        ///< y of the track at z = 0, dy/dz
    Real x_shift, x_slope;  ///< x_hit - x_track = x + x_shift + x_slope z
    Real x_tolerance;
    Real y_tolerance_slope;  ///< per mm in x

    Road() = default;
    KOKKOS_FORCEINLINE_FUNCTION Road(const SpaceLine<Real>& track, const Real& dxdy,
                                     const Real& x_reach, const Real& y_slope)
        : y_at_0(fma(-track.ty, track.z, track.y)),
          ty(track.ty),
          x_shift(fma(y_at_0, dxdy, fma(track.tx, track.z, -track.x))),
          x_slope(fma(track.ty, dxdy, -track.tx)),
          x_tolerance(x_reach),
          y_tolerance_slope(y_slope) {}

    /// The road of one lane, in all lanes.
    KOKKOS_FORCEINLINE_FUNCTION Road of(int lane) const {
      const auto all = [&](const Real& a) { return Real(extract(a, lane)); };
      Road road;
      road.y_at_0 = all(y_at_0);
      road.ty = all(ty);
      road.x_shift = all(x_shift);
      road.x_slope = all(x_slope);
      road.x_tolerance = all(x_tolerance);
      road.y_tolerance_slope = all(y_tolerance_slope);
      return road;
    }
  };

  /// First hit of a group that is close enough, and the hits from there to the last one. Those with
  /// strips around the track's y are one range of hits, since a group is in the order of y_begin.
  /// @param x,y of the track in the layer, about
  KOKKOS_FUNCTION void search_group(const Event& event, const SpaceLine<Real>& track,
                                    const Road& road, int layer, const Real& x, const Real& y,
                                    const Integer& group, Mask mask, Integer& first,
                                    Integer& size) const {
    const Real margin = real(0.01);  // far above rounding
    const Real dxdy = Real(ut_stereo<T>(layer)), z_spread = Real(input.tables.z_spread[layer]);
    const Real x_spread =
        fma(z_spread, abs(track.tx) + abs(dxdy * track.ty), margin) + road.x_tolerance;
    const Real shifted = x - y * dxdy;
    mask = mask && gather<Real>(input.tables.x_low.data(), group, mask) - shifted <= x_spread &&
           shifted - gather<Real>(input.tables.x_high.data(), group, mask) <= x_spread;
    if (none_of(mask)) return;

    const Real y_spread =
        fma(z_spread, abs(track.ty), margin) +
        fma(road.y_tolerance_slope, road.x_tolerance, Real(input.cuts.y_tolerance));
    const Real y_low = y - y_spread - Real(input.tables.max_length), y_high = y + y_spread;
    const Integer end = gather<Integer>(event.offsets + 1, group, mask);
    const Integer begin =
        shortly_before(event, y_low, gather<Integer>(event.offsets, group, mask), end, mask);
    for_each_lane(mask && begin < end, [&](int lane) {
      const auto [low, high] = close_hits(event, road.of(lane), Real(extract(y_high, lane)),
                                          extract(begin, lane), extract(end, lane));
      insert(first, lane, low);
      insert(size, lane, high == 0 ? I(0) : high - low);
    });
  }

  struct HitRange {
    I begin, end;
  };

  /// From the first to the last hit, among those from `begin` on with y_begin up to y_high, that is
  /// on the road of one track. Lanes are hits here, since the hits of a track are side by side.
  KOKKOS_FORCEINLINE_FUNCTION HitRange close_hits(const Event& event, const Road& road,
                                                  const Real& y_high, I begin, I end) const {
    HitRange found{0, 0};
    for (I i = begin; i < end; i += width_of<Real>) {
      const int n = int(end - i);
      const Mask there = first_lanes<Real>(n);
      const Real z = load_first<Real>(event.z + i, n);
      const Real y_begin = load_first<Real>(event.y_begin + i, n);
      const Real y = fma(road.ty, z, road.y_at_0);
      const Real dx = abs(fma(road.x_slope, z, load_first<Real>(event.x + i, n) + road.x_shift));
      const Real tolerance = fma(road.y_tolerance_slope, dx, Real(input.cuts.y_tolerance));
      const Mask close = there && dx <= road.x_tolerance && y_begin - tolerance <= y &&
                         y <= load_first<Real>(event.y_end + i, n) + tolerance;
      const I last = I(last_of(close));
      found.begin = found.end == 0 ? i + I(first_of(close)) : found.begin;
      found.end = last >= 0 ? i + last + 1 : found.end;
      if (any_of(there && y_begin > y_high)) break;
    }
    return found;
  }

  /// A place in [begin, end] up to a few before the first one with y_begin >= y, and not after it.
  KOKKOS_FORCEINLINE_FUNCTION static Integer shortly_before(const Event& event, const Real& y,
                                                            Integer begin, Integer end, Mask mask) {
    const Integer few(I(2 * width_of<Real>));  // so few are searched as fast as another bisection
    mask = mask && end - begin > few;
    while (any_of(mask)) {
      const Integer middle = (begin + end) >> 1;
      const Mask less = gather<Real>(event.y_begin, middle, mask) < y;
      begin = select(mask && less, middle + Integer(1), begin);
      end = select(mask && !less, middle, end);
      mask = mask && end - begin > few;
    }
    return begin;
  }

  KOKKOS_FUNCTION void store(const Event& event, const Integer& track, const Found& found,
                             const Mask& mask, int to) const {
    if (none_of(mask)) return;
    const Integer place = Integer(I(to)) + lanes_before<Real>(mask);
    scatter(windows.track.data() + event.slot, place, track, mask);
    for (int g = 0; g < windows.groups; ++g)
      for (int layer = 0; layer < ut_layers; ++layer) {
        const std::size_t entry = windows.entry(g, layer) + event.slot;
        scatter(windows.first.data() + entry, place, found.first[layer][g], mask);
        scatter(windows.size.data() + entry, place, found.size[layer][g], mask);
      }
  }
};

}  // namespace detail

}  // namespace trackplex::lhcb
