// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/tile.hpp>
#include <trackplex/hits/detector_hits.hpp>
#include <trackplex/hits/layer_hits.hpp>
#include <trackplex/tracks/found_tracks.hpp>

#include <cstdint>

namespace trackplex::candidates::detail {

/// Index of a track's hit among the hits of all events.
template <class T, class MemorySpace>
KOKKOS_FUNCTION int hit_among_all(const hits::LayerHits<T, MemorySpace>& hits, int event, int layer,
                                  int index) {
  return hits.first(event, layer) + index;
}
template <class T, class MemorySpace>
KOKKOS_FUNCTION int hit_among_all(const hits::DetectorHits<T, MemorySpace>&, int, int, int index) {
  return index;
}

/// The steps of a round in which tracks compete for free hits. The result does not depend on the
/// order of threads: the claims of a hit are reduced to the smallest.
template <class Hits, class Found, class Keys, class Flags, class Verdicts>
struct CompeteForHits {
  struct FreeHits {};
  struct Begin {};
  struct Forget {};
  struct Claim {};
  struct Decide {};
  struct Take {};
  struct CountUndecided {};
  struct CountKept {};

  /// Verdict on a track, in the end 1 or 0; before, undecided or just accepted.
  static constexpr std::int32_t left_out = 0, kept = 1, undecided = 2, won = 3;
  using Key = std::uint64_t;

  Hits hits;
  Found found;
  Keys best;         ///< of each hit: the smallest key of the tracks that claim it
  Flags taken;       ///< of each hit
  Verdicts verdict;  ///< of each track
  int min_hits;
  double min_own_hits;

  KOKKOS_FUNCTION void operator()(FreeHits, int hit) const { taken(hit) = 0; }

  KOKKOS_FUNCTION void operator()(Begin, int track) const {
    verdict(track) = count(track) < min_hits ? left_out : undecided;
  }

  KOKKOS_FUNCTION void operator()(Forget, int hit) const { best(hit) = ~Key{0}; }

  KOKKOS_FUNCTION void operator()(Claim, int track) const {
    if (verdict(track) != undecided) return;
    const Key mine = key(track);
    for_each_hit(track, [&](int hit) {
      if (taken(hit) == 0) Kokkos::atomic_fetch_min(&best(hit), mine);
    });
  }

  /// Decides on a track. Hits that are taken are on better tracks: with too many of these, it is
  /// removed; if no better track claims any of its free hits, it is kept.
  KOKKOS_FUNCTION void operator()(Decide, int track) const {
    if (verdict(track) != undecided) return;
    const Key mine = key(track);
    int own = 0;
    bool is_best = true;
    for_each_hit(track, [&](int hit) {
      if (taken(hit) != 0) return;
      ++own;
      is_best = is_best && best(hit) == mine;
    });
    if (double(own) < min_own_hits * double(count(track)))
      verdict(track) = left_out;
    else if (is_best)
      verdict(track) = won;
  }

  KOKKOS_FUNCTION void operator()(Take, int track) const {
    if (verdict(track) != won) return;
    verdict(track) = kept;
    for_each_hit(track, [&](int hit) { taken(hit) = 1; });
  }

  KOKKOS_FUNCTION void operator()(CountUndecided, int track, int& n) const {
    n += verdict(track) == undecided ? 1 : 0;
  }
  KOKKOS_FUNCTION void operator()(CountKept, int track, int& n) const { n += verdict(track); }

 private:
  template <class Visit>
  KOKKOS_FUNCTION void for_each_hit(int track, const Visit& visit) const {
    for (int layer = 0; layer < found.hits.layers; ++layer) {
      const std::int32_t index = found.hits(track, layer);
      if (index >= 0) visit(hit_among_all(hits, found.hits.event(track), layer, index));
    }
  }
  KOKKOS_FUNCTION int count(int track) const {
    int n = 0;
    for (int layer = 0; layer < found.hits.layers; ++layer)
      n += found.hits(track, layer) >= 0 ? 1 : 0;
    return n;
  }

  /// Smaller is better: more hits (up to 63), then smaller chi2 (to 18 bits), then lower index. No
  /// two tracks have the same key.
  KOKKOS_FUNCTION Key key(int track) const {
    const auto chi2 = bit_cast<std::uint32_t>(float(found.chi2(track)));
    const int n_hits = count(track);
    return Key(63 - (n_hits < 63 ? n_hits : 63)) << 58 | Key(chi2 >> 5) << 32 | Key(track);
  }
};

template <class Found, class From, class To, class Verdicts, class Origin>
struct CopyKept {
  Found found, kept;
  From from;
  To to;
  Verdicts verdict, place;
  Origin origin;

  KOKKOS_FUNCTION void operator()(int track) const {
    if (verdict(track) == 0) return;
    const int at = place(track);
    origin(at) = track;
    kept.chi2(at) = found.chi2(track);
    kept.found(at) = found.found(track);
    kept.hits.event(at) = found.hits.event(track);
    for (int layer = 0; layer < found.hits.layers; ++layer)
      kept.hits(at, layer) = found.hits(track, layer);
    using T = typename Found::Number;
    to.store_anywhere(Tile<T>{at, 1}, from.load_anywhere(Tile<T>{track, 1}));
  }
};

}  // namespace trackplex::candidates::detail
