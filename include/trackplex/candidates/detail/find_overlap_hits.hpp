// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/candidates/detail/claims.hpp>
#include <trackplex/candidates/detector_search.hpp>
#include <trackplex/kalman/fit.hpp>
#include <trackplex/tracks/detector_track_layers.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace trackplex::candidates::detail {

/// Slots of a track for each of its layers: its hit, and the hits on neighbouring modules.
inline constexpr int slots_per_layer = 3;

/// Record of a fit that searches, after the update with a hit, for hits on neighbouring modules
/// of the same layer, and also updates the state with these.
template <class Real, class Search, class Layers, class Tracks>
struct OverlapRecord {
  using Integer = IntegerOf<Real>;
  using State = typename Search::template State<Real>;

  const Search& search;
  const Layers& layers;  ///< of the tile of tracks
  const Tracks& tracks;  ///< which receive the hits
  const Tile<Real>& tile;
  const Integer& events;
  State& state;           ///< of the fit
  std::uint64_t* claims;  ///< of each hit: the smallest key of the tracks that claim it

  KOKKOS_FORCEINLINE_FUNCTION void transported(int, const auto&) const {}

  KOKKOS_FORCEINLINE_FUNCTION void measured(int, const auto&, const auto&, const auto&) const {}

  KOKKOS_FUNCTION void updated(int number, const auto& gain) const {
    auto searching = gain.result.updated && tile.mask();
    Integer modules[slots_per_layer] = {layers.module(number), Integer(-1), Integer(-1)};
    const Integer layer =
        gather<Integer>(search.navigation.detector.layer_of_module.data(), modules[0], searching);
    for (int i = 1; i < slots_per_layer; ++i) {
      Integer index = -1;
      if (any_of(searching)) index = add_hit(layer, modules, i, searching);
      tile.store(tracks.index.data() +
                     std::size_t(slots_per_layer * layers.slot(number) + i) * tracks.stride(),
                 index);
    }
  }

 private:
  /// Returns the index of the best hit on a further module, or -1, and updates the state with it;
  /// lanes without one are removed from `searching`.
  KOKKOS_FUNCTION Integer add_hit(const Integer& layer, Integer (&modules)[slots_per_layer], int i,
                                  MaskOf<Real>& searching) const {
    Real best_chi2 = Real(search.constants.max_chi2);
    Integer best = -1;
    search.for_each_neighbouring_hit(
        layer, events, state, searching,
        [&](const Integer& place, const Real& chi2, const MaskOf<Real>& accepted) {
          const Integer module = search.binned.template hit<Real>(place).module;
          auto better = accepted && chi2 < best_chi2;
          for (int j = 0; j < i; ++j) better = better && module != modules[j];
          best_chi2 = select(better, chi2, best_chi2);
          best = select(better, place, best);
          modules[i] = select(better, module, modules[i]);
        });
    searching = searching && best >= Integer(0);
    search.update(state, best, searching);
    const Integer index = gather<Integer>(search.binned.index.data(), best, searching);
    for (int lane = 0; lane < tile.count; ++lane)
      if (extract(searching, lane))
        Kokkos::atomic_fetch_min(&claims[extract(index, lane)],
                                 claim_of(layers.layers->tracks, tile.first + lane));
    return select(searching, index, Integer(-1));
  }
};

/// Fits tracks from states before their first hits and finds the hits on neighbouring modules.
template <class Real, class Search, class States, class Ends, class Layers, class Tracks>
struct FindOverlapHits {
  using Integer = IntegerOf<Real>;

  Search search;
  States start;
  Ends ends;  ///< states at the last hits of the fit
  Layers layers;
  Tracks tracks;  ///< with `slots_per_layer` for each of `layers`
  std::uint64_t* claims;
  kalman::BasicFitOptions<ScalarOf<Real>> options;

  KOKKOS_FUNCTION void operator()(const Tile<Real>& tile) const {
    auto state = start.load(tile);
    const auto of_tile = layers.template of<Real>(tile);
    const Integer events = tile.template load<Integer>(layers.tracks.event.data());
    claim_own(tile);
    tile.store(tracks.event.data(), events);
    OverlapRecord<Real, Search, std::remove_const_t<decltype(of_tile)>, Tracks> record{
        search, of_tile, tracks, tile, events, state, claims};
    (void)kalman::detail::fit(state, search.field, of_tile, options, record);
    ends.store(tile, state);
  }

 private:
  /// Copies the hits that tracks have, and claims them.
  KOKKOS_FUNCTION void claim_own(const Tile<Real>& tile) const {
    const auto& own = layers.tracks;
    for (int track = tile.first; track < tile.first + tile.count; ++track) {
      const auto claim = claim_of(own, track);
      for (int slot = 0; slot < own.layers; ++slot) {
        const std::int32_t hit = own(track, slot);
        tracks(track, slots_per_layer * slot) = hit;
        if (hit >= 0) Kokkos::atomic_fetch_min(&claims[hit], claim);
      }
    }
  }
};

/// Keeps the hits of a track that no better track claims, each in the first of its slots. A track
/// left with less than half of its own hits duplicates a better one and keeps none.
template <class Tracks>
struct SettleClaims {
  Tracks tracks;
  const std::uint64_t* claims;

  KOKKOS_FUNCTION void operator()(const Tile<int>& tile) const {
    const int track = tile.first;
    int own = 0, kept = 0;
    for (int slot = 0; slot < tracks.layers; ++slot) {
      std::int32_t& hit = tracks(track, slot);
      if (hit < 0) continue;
      bool keeps = std::uint32_t(claims[hit]) == std::uint32_t(track);
      for (int before = 0; before < slot; ++before) keeps = keeps && tracks(track, before) != hit;
      const bool is_own = slot % slots_per_layer == 0;
      own += is_own ? 1 : 0;
      kept += is_own && keeps ? 1 : 0;
      if (!keeps) hit = -1;
    }
    if (2 * kept < own)
      for (int slot = 0; slot < tracks.layers; ++slot) tracks(track, slot) = -1;
  }
};

}  // namespace trackplex::candidates::detail
