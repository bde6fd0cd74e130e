// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Instances of the search by triplet.

#include <trackplex/core/kernel_instances.hpp>
#include <trackplex/lhcb/velo/search_by_triplet.hpp>

namespace trackplex::kernels {

template <class T, int Width>
struct SearchByTriplet {
  using Real = LanesOf<T, Width>;
  template <class Phi, class Groups>
  using Search = lhcb::detail::SearchByTriplet<Phi, Groups, Real, lhcb::VeloHits<T, Memory>,
                                               lhcb::HitsByPhi<T, typename Phi::Key, Memory>,
                                               lhcb::VeloTracks<Memory>, Kokkos::View<T*, Memory>>;

  using Merged = Search<lhcb::Phi16<T>, lhcb::Grouping<true, 6>>;
  using Separate = Search<lhcb::PhiRadians<T>, lhcb::Grouping<false, 5>>;
};

}  // namespace trackplex::kernels

#define TRACKPLEX_SEARCH_BY_TRIPLET_INSTANCES(PREFIX, T, W) \
  TRACKPLEX_TEAMS(PREFIX, SearchByTriplet, T, W, Merged)    \
  TRACKPLEX_TEAMS(PREFIX, SearchByTriplet, T, W, Separate)

namespace trackplex {
TRACKPLEX_DECLARE_INSTANCES(SEARCH_BY_TRIPLET, general, float)
}  // namespace trackplex
