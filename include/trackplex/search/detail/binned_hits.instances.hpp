// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Instances of the binning of hits on layers.

#include <trackplex/core/kernel_instances.hpp>
#include <trackplex/search/binned_hits.hpp>

#include <cstdint>

namespace trackplex::kernels {

template <class T, int Width>
struct BinnedHits {
  using Real = LanesOf<T, Width>;
  using BinHits =
      search::detail::BinHits<Real, hits::LayerHits<T, Memory>, search::BinnedHits<T, Memory>,
                              Kokkos::View<std::int32_t*, Memory>, Kokkos::View<T*, Memory>>;
};

}  // namespace trackplex::kernels

#define TRACKPLEX_BINNED_HITS_INSTANCES(PREFIX, T, W) \
  TRACKPLEX_TEAMS(PREFIX, BinnedHits, T, W, BinHits)

namespace trackplex {
TRACKPLEX_DECLARE_INSTANCES(BINNED_HITS, track_states, float)
}  // namespace trackplex
