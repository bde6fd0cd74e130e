// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/team.hpp>
#include <trackplex/lhcb/scifi/scifi_channel.hpp>

#include <cstddef>
#include <cstdint>

namespace trackplex::lhcb::detail {

/// Long tracks in registers, one per lane.
template <class Real>
struct FoundLongTracks {
  IntegerOf<Real> velo_track, ut_track, length;
  IntegerOf<Real> hits[scifi_layers];  ///< as in LongTracks
  Real qop, quality;
  Real x, y, tx, ty;
};

/// Writes tracks to the slots of `tracks` from `slot` on without gaps, from place `to` on.
template <class Real, class Output>
KOKKOS_FUNCTION void store_long_tracks(const FoundLongTracks<Real>& found, const Output& tracks,
                                       std::size_t slot, const MaskOf<Real>& mask, int to) {
  using Integer = IntegerOf<Real>;
  if (none_of(mask)) return;
  const Integer place = Integer(ScalarOf<Integer>(to)) + lanes_before<Real>(mask);
  const auto put = [&](const auto& array, std::size_t offset, const auto& value) {
    scatter(array.data() + offset + slot, place, value, mask);
  };
  put(tracks.velo_track, 0, found.velo_track);
  put(tracks.ut_track, 0, found.ut_track);
  put(tracks.length, 0, found.length);
  for (int layer = 0; layer < scifi_layers; ++layer)
    put(tracks.hits, layer * tracks.slots, found.hits[layer]);
  put(tracks.qop, 0, found.qop);
  put(tracks.quality, 0, found.quality);
  put(tracks.x, 0, found.x);
  put(tracks.y, 0, found.y);
  put(tracks.tx, 0, found.tx);
  put(tracks.ty, 0, found.ty);
}

/// Finds and removes tracks of an event that have most hits of a better track.
template <class Real, class Output>
class LongTrackDuplicates {
 public:
  using T = ScalarOf<Real>;
  using Integer = IntegerOf<Real>;
  using I = ScalarOf<Integer>;
  using Mask = MaskOf<Real>;

  /// Tracks of an event from `slot` on; `max_shared` is ForwardParams::max_shared.
  KOKKOS_FUNCTION LongTrackDuplicates(const Output& tracks, std::size_t slot, T max_shared)
      : tracks_(tracks), slot_(slot), max_shared_(max_shared) {}

  /// Sets dropped[i] of the tracks of a tile among n: 1 where a better track has the hits, else 0.
  KOKKOS_FUNCTION void mark(const Tile<Real>& tile, int n, I* dropped) const {
    const Found own = load(tile);
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
          found = load(tile);
          return tile.template load<Integer>(dropped) == Integer(0);
        },
        [&](Tile<Real>, Mask mask, int to) { store_long_tracks(found, tracks_, slot_, mask, to); });
  }

 private:
  using Found = FoundLongTracks<Real>;

  KOKKOS_FUNCTION Found load(const Tile<Real>& tile) const {
    const auto real = [&](const auto& array) { return tile.load(array.data() + slot_); };
    const auto integer = [&](const auto& array, std::size_t offset) {
      return tile.template load<Integer>(array.data() + offset + slot_);
    };
    Found found;
    found.velo_track = integer(tracks_.velo_track, 0);
    found.ut_track = integer(tracks_.ut_track, 0);
    found.length = integer(tracks_.length, 0);
    for (int layer = 0; layer < scifi_layers; ++layer)
      found.hits[layer] = integer(tracks_.hits, layer * tracks_.slots);
    found.qop = real(tracks_.qop);
    found.quality = real(tracks_.quality);
    found.x = real(tracks_.x);
    found.y = real(tracks_.y);
    found.tx = real(tracks_.tx);
    found.ty = real(tracks_.ty);
    return found;
  }

  const Output& tracks_;
  std::size_t slot_;
  T max_shared_;
};

}  // namespace trackplex::lhcb::detail
