// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/team.hpp>
#include <trackplex/lhcb/scifi/scifi_channel.hpp>

#include <cstddef>
#include <cstdint>

namespace trackplex::lhcb::detail {

/// Tracks of the SciFi in registers, one per lane.
template <class Number>
struct FoundScifiTracks {
  using Real = Number;
  using Integer = IntegerOf<Real>;
  Integer length;
  Integer hits[scifi_layers];  ///< as in LongTracks
  Real quality;
  Real x, y, tx, ty;

  /// Loads those of a tile of the event's tracks, which begin at `slot`.
  template <class Tracks>
  KOKKOS_FUNCTION void load(const Tracks& tracks, std::size_t slot, const Tile<Real>& tile) {
    length = tile.template load<Integer>(tracks.length.data() + slot);
    for (int layer = 0; layer < scifi_layers; ++layer)
      hits[layer] = tile.template load<Integer>(tracks.hits.data() + layer * tracks.slots + slot);
    quality = tile.load(tracks.quality.data() + slot);
    x = tile.load(tracks.x.data() + slot);
    y = tile.load(tracks.y.data() + slot);
    tx = tile.load(tracks.tx.data() + slot);
    ty = tile.load(tracks.ty.data() + slot);
  }
  /// Loads those of the numbers `track`.
  template <class Tracks>
  KOKKOS_FUNCTION void gather_from(const Tracks& tracks, std::size_t slot, const Integer& track,
                                   const MaskOf<Real>& mask) {
    length = gather<Integer>(tracks.length.data() + slot, track, mask);
    for (int layer = 0; layer < scifi_layers; ++layer)
      hits[layer] = gather<Integer>(tracks.hits.data() + layer * tracks.slots + slot, track, mask);
    quality = gather<Real>(tracks.quality.data() + slot, track, mask);
    x = gather<Real>(tracks.x.data() + slot, track, mask);
    y = gather<Real>(tracks.y.data() + slot, track, mask);
    tx = gather<Real>(tracks.tx.data() + slot, track, mask);
    ty = gather<Real>(tracks.ty.data() + slot, track, mask);
  }
  /// Writes them without gaps, from place `to` of the event on.
  template <class Tracks>
  KOKKOS_FUNCTION void store(const Tracks& tracks, std::size_t slot, const MaskOf<Real>& mask,
                             int to) const {
    if (none_of(mask)) return;
    const Integer place = Integer(ScalarOf<Integer>(to)) + lanes_before<Real>(mask);
    const auto put = [&](const auto& array, std::size_t offset, const auto& value) {
      scatter(array.data() + offset + slot, place, value, mask);
    };
    put(tracks.length, 0, length);
    for (int layer = 0; layer < scifi_layers; ++layer)
      put(tracks.hits, layer * tracks.slots, hits[layer]);
    put(tracks.quality, 0, quality);
    put(tracks.x, 0, x);
    put(tracks.y, 0, y);
    put(tracks.tx, 0, tx);
    put(tracks.ty, 0, ty);
  }
};

/// Long tracks in registers, one per lane.
template <class Number>
struct FoundLongTracks : FoundScifiTracks<Number> {
  using Real = Number;
  using Integer = IntegerOf<Real>;
  using Base = FoundScifiTracks<Real>;
  Integer velo_track, ut_track;
  Real qop;

  template <class Tracks>
  KOKKOS_FUNCTION void load(const Tracks& tracks, std::size_t slot, const Tile<Real>& tile) {
    Base::load(tracks, slot, tile);
    velo_track = tile.template load<Integer>(tracks.velo_track.data() + slot);
    ut_track = tile.template load<Integer>(tracks.ut_track.data() + slot);
    qop = tile.load(tracks.qop.data() + slot);
  }
  template <class Tracks>
  KOKKOS_FUNCTION void store(const Tracks& tracks, std::size_t slot, const MaskOf<Real>& mask,
                             int to) const {
    Base::store(tracks, slot, mask, to);
    if (none_of(mask)) return;
    const Integer place = Integer(ScalarOf<Integer>(to)) + lanes_before<Real>(mask);
    scatter(tracks.velo_track.data() + slot, place, velo_track, mask);
    scatter(tracks.ut_track.data() + slot, place, ut_track, mask);
    scatter(tracks.qop.data() + slot, place, qop, mask);
  }
};

/// Finds and removes tracks of an event that have most hits of a better track.
template <class Found, class Output>
class TrackDuplicates {
 public:
  using Real = typename Found::Real;
  using T = ScalarOf<Real>;
  using Integer = IntegerOf<Real>;
  using I = ScalarOf<Integer>;
  using Mask = MaskOf<Real>;

  /// Tracks of an event from `slot` on; `max_shared` is that of ForwardParams.
  KOKKOS_FUNCTION TrackDuplicates(const Output& tracks, std::size_t slot, T max_shared)
      : tracks_(tracks), slot_(slot), max_shared_(max_shared) {}

  /// Sets dropped[i] of the tracks of a tile among n: 1 where a better track has the hits, else 0.
  KOKKOS_FUNCTION void mark(const Tile<Real>& tile, int n, I* dropped) const {
    Found own;
    own.load(tracks_, slot_, tile);
    const Integer index = tile.index();
    Mask is_duplicate(false);
    for (int other = 0; other < n; ++other) {
      const std::size_t at = slot_ + std::size_t(other);
      const Real quality(tracks_.quality(at));
      const Mask better =
          quality < own.quality || (quality == own.quality && Integer(I(other)) < index);
      if (none_of(better)) continue;
      Integer shared(0);
      for (int layer = 0; layer < scifi_layers; ++layer) {
        const Integer hit(I(tracks_.hits(layer * tracks_.slots + at)));
        const Mask same = hit == own.hits[layer] && !(hit == Integer(I(Output::no_hit)));
        shared += select(same, Integer(1), Integer(0));
      }
      const Real shorter = convert<Real>(min(own.length, Integer(I(tracks_.length(at)))));
      is_duplicate =
          is_duplicate || (better && convert<Real>(shared) >= Real(max_shared_) * shorter);
    }
    tile.store(dropped, select(is_duplicate, Integer(1), Integer(0)));
  }

  /// Removes the dropped ones of n tracks and returns the number of the others. All threads of the
  /// team load their tracks before any thread stores others there: compact_tiles() scans in
  /// between.
  template <class Team>
  KOKKOS_FUNCTION int drop(const Team& team, int n, const I* dropped) const {
    Found found;
    return team.compact_tiles(
        n,
        [&](Tile<Real> tile) {
          found.load(tracks_, slot_, tile);
          return tile.template load<Integer>(dropped) == Integer(0);
        },
        [&](Tile<Real>, Mask mask, int to) { found.store(tracks_, slot_, mask, to); });
  }

 private:
  const Output& tracks_;
  std::size_t slot_;
  T max_shared_;
};

}  // namespace trackplex::lhcb::detail
