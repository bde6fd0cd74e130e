// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/number.hpp>
#include <trackplex/core/tile.hpp>
#include <trackplex/lhcb/scifi/scifi_channel.hpp>
#include <trackplex/lhcb/ut/p_kick_fit.hpp>

#include <cstddef>

namespace trackplex::lhcb::detail {

/// A strip or fibre: x where y = 0, and its dx/dy.
template <class Real>
struct LongTrackStrip {
  Real x, z, variance;   ///< mm, mm^2; of lanes with a hit
  ScalarOf<Real> dxdy;   ///< along the strip
  MaskOf<Real> has_hit;  ///< lanes with a hit
};

/// Hits of a tile of long tracks.
/// @tparam Input a LongFitTracks with `errors`
template <class Real, class Input>
struct LongTrackHits {
  using T = ScalarOf<Real>;
  using Integer = IntegerOf<Real>;
  using I = ScalarOf<Integer>;
  using Mask = MaskOf<Real>;
  struct Point {
    Real x, y, z;
  };

  const Input& input;
  Tile<Real> tile;
  int event;
  std::size_t slot;            ///< first one of the event
  Mask mask;                   ///< lanes with a track
  Integer velo_track, length;  ///< in the VELO, and its number of hits
  int longest;                 ///< number of VELO hits of the longest track

  KOKKOS_FUNCTION LongTrackHits(const Input& its_input, const Tile<Real>& its_tile, int its_event,
                                std::size_t first_slot)
      : input(its_input), tile(its_tile), event(its_event), slot(first_slot), mask(tile.mask()) {
    velo_track = tile.template load<Integer>(input.tracks.velo_track.data() + slot);
    length = gather<Integer>(input.velo_tracks.length.data() + slot, velo_track, mask);
    longest = int(max_of(length));
  }

  /// Hit h in the VELO of the tracks in the mask, from the most downstream one upstream.
  KOKKOS_FORCEINLINE_FUNCTION Point velo(const Integer& h, const Mask& where) const {
    const auto& tracks = input.velo_tracks;
    const auto& hits = input.velo_hits;
    const std::size_t first = hits.event_offsets(event);
    const auto place = h * Integer(I(tracks.slots)) + velo_track;
    const auto index = gather<Integer>(tracks.hits.data() + slot, place, where);
    return {gather<Real>(hits.x.data() + first, index, where),
            gather<Real>(hits.y.data() + first, index, where),
            gather<Real>(hits.z.data() + first, index, where)};
  }

  /// The hits in a layer of the UT; z is `nominal_z` without a hit.
  KOKKOS_FORCEINLINE_FUNCTION LongTrackStrip<Real> ut(int layer, T nominal_z) const {
    const auto& tracks = input.ut_tracks;
    const auto& hits = input.ut_hits;
    const std::size_t first = hits.event_offsets(event);
    const auto track = tile.template load<Integer>(input.tracks.ut_track.data() + slot);
    const Mask in_ut = !(track == Integer(I(input.tracks.no_ut_track))) && mask;
    const auto index =
        gather<Integer>(tracks.hits.data() + layer * tracks.slots + slot, track, in_ut);
    const Mask has_hit = in_ut && !(index == Integer(I(tracks.no_hit)));
    const auto of_hit = [&](const auto& array) {
      return gather<Real>(array.data() + first, index, has_hit);
    };
    const Real weight = select(has_hit, of_hit(hits.weight), Real(T(1)));
    return {of_hit(hits.x), select(has_hit, of_hit(hits.z), Real(nominal_z)), Real(T(1)) / weight,
            ut_stereo<T>(layer), has_hit};
  }

  /// The hits in a layer of the SciFi; z is that at y = 0, without a hit `nominal_z`.
  KOKKOS_FORCEINLINE_FUNCTION LongTrackStrip<Real> scifi(int layer, T nominal_z) const {
    const auto& tracks = input.tracks;
    const auto& hits = input.scifi_hits;
    const std::size_t first = hits.event_offsets(event);
    const auto index =
        tile.template load<Integer>(tracks.hits.data() + layer * tracks.slots + slot);
    const Mask has_hit = !(index == Integer(I(tracks.no_hit))) && mask;
    const auto size = gather<Integer>(hits.cluster_size.data() + first, index, has_hit);
    return {gather<Real>(hits.x.data() + first, index, has_hit),
            select(has_hit, gather<Real>(hits.z.data() + first, index, has_hit), Real(nominal_z)),
            gather<Real>(input.errors.scifi_variance, size, has_hit), scifi_stereo(layer), has_hit};
  }

 private:
  static constexpr T stereo_u = T(scifi_dxdy[1]), stereo_v = T(scifi_dxdy[2]);

  /// dx/dy along the fibres of a layer.
  KOKKOS_FORCEINLINE_FUNCTION static T scifi_stereo(int layer) {
    const int in_station = layer % 4;
    return in_station == 1 ? stereo_u : in_station == 2 ? stereo_v : T(0);
  }
};

}  // namespace trackplex::lhcb::detail
