// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/tile.hpp>

#include <cstdint>

namespace trackplex::candidates::detail {

/// Key of the claims of a track, the smallest of which wins: more hits first, then the lower
/// number.
template <class Tracks>
KOKKOS_FUNCTION std::uint64_t claim_of(const Tracks& tracks, int track) {
  int n = 0;
  for (int slot = 0; slot < tracks.layers; ++slot) n += tracks(track, slot) >= 0 && n < 255 ? 1 : 0;
  return std::uint64_t(255 - n) << 32 | std::uint32_t(track);
}

/// No track claims any hit.
struct ClearClaims {
  std::uint64_t* claims;
  KOKKOS_FUNCTION void operator()(const Tile<int>& tile) const {
    claims[tile.first] = ~std::uint64_t{0};
  }
};

}  // namespace trackplex::candidates::detail
