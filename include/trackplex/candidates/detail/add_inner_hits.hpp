// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/candidates/detail/claims.hpp>

#include <trackplex/kalman/track_state.hpp>

#include <cstddef>
#include <cstdint>
#include <numbers>
#include <type_traits>

namespace trackplex::candidates::detail {

/// State of the particle with opposite charge and momentum, on the same path.
template <class Real>
KOKKOS_FUNCTION void turn_round(kalman::TrackState<Real>& state) {
  using T = ScalarOf<Real>;
  using P = kalman::Parameter;
  constexpr T pi = T(std::numbers::pi);
  auto& phi = state.parameters(P::phi);
  auto& theta = state.parameters(P::theta);
  phi = phi - copysign(Real(pi), phi);
  theta = Real(pi) - theta;
  for (int i = 0; i < 6; ++i)
    if (i != P::theta) {
      auto& mixed = state.covariance(P::theta, i);
      mixed = -mixed;
    }
  state.charge = -state.charge;
}

/// Seeds from the first hits of tracks, in the opposite direction.
template <class Real, class From, class To, class Layers, class Hits>
struct TurnRound {
  using Integer = IntegerOf<Real>;

  From from;
  To to;
  Layers layers;
  Hits first;  ///< hit of each track
  std::int32_t* layer;

  KOKKOS_FUNCTION void operator()(const Tile<Real>& tile) const {
    auto state = from.load(tile);
    turn_round(state);
    to.store(tile, state);
    const auto& tracks = layers.tracks;
    Integer hit = -1;
    for (int slot = 0; slot < tracks.layers; ++slot) {
      const auto index =
          tile.template load<Integer>(tracks.index.data() + std::size_t(slot) * tracks.stride());
      hit = select(hit < Integer(0), index, hit);
    }
    const auto exists = tile.mask() && hit >= Integer(0);
    const auto module = gather<Integer>(layers.hits.module.data(), hit, exists);
    tile.store(first.index.data(), hit);
    tile.store(first.event.data(), tile.template load<Integer>(tracks.event.data()));
    tile.store(layer, gather<Integer>(layers.detector.layer_of_module.data(), module, exists));
  }
};

/// Hits of tracks, and the hits found before their first ones.
template <class Tracks>
struct InnerHits {
  Tracks tracks, inner;  ///< slot 0 of `inner` is the first hit of the track
  Tracks result;
  std::uint64_t* claims;
  int max_holes;

  /// Key of a hit found before a track: above the keys of all hits that tracks have.
  KOKKOS_FUNCTION std::uint64_t key(int track) const {
    return std::uint64_t(1) << 63 | claim_of(tracks, track);
  }
  /// Calls `f(step, hit)` for the hits found before a track, as far back as it is followed.
  template <class F>
  KOKKOS_FUNCTION void for_each(int track, const F& f) const {
    if (inner(track, 0) < 0) return;
    int holes = 0;
    for (int step = 1; step < inner.layers; ++step) {
      const auto hit = inner(track, step);
      if (hit >= 0)
        f(step, hit);
      else if (++holes > max_holes)
        return;
    }
  }
};

/// Claims the hits of tracks and, with lower priority, the hits found before them.
template <class Tracks>
struct ClaimInnerHits {
  InnerHits<Tracks> hits;

  KOKKOS_FUNCTION void operator()(const Tile<int>& tile) const {
    const int track = tile.first;
    const auto own = claim_of(hits.tracks, track);
    for (int slot = 0; slot < hits.tracks.layers; ++slot)
      if (const auto hit = hits.tracks(track, slot); hit >= 0)
        Kokkos::atomic_fetch_min(&hits.claims[hit], own);
    const auto key = hits.key(track);
    hits.for_each(track, [&](int, int hit) { Kokkos::atomic_fetch_min(&hits.claims[hit], key); });
  }
};

/// The hits of tracks after the added ones.
template <class Tracks>
struct StoreInnerHits {
  InnerHits<Tracks> hits;

  KOKKOS_FUNCTION void operator()(const Tile<int>& tile) const {
    const int track = tile.first, n = hits.inner.layers - 1;
    const auto& to = hits.result;
    to.event(track) = hits.tracks.event(track);
    for (int slot = 0; slot < n; ++slot) to(track, slot) = -1;
    for (int slot = 0; slot < hits.tracks.layers; ++slot)
      to(track, n + slot) = hits.tracks(track, slot);
    const auto key = hits.key(track);
    hits.for_each(track, [&](int step, int hit) {
      if (hits.claims[hit] == key) to(track, n - step) = hit;
    });
  }
};

}  // namespace trackplex::candidates::detail
