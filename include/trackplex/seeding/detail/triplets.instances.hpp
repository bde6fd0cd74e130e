// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Instances of the search for triplets on cylinders.

#include <trackplex/core/kernel_instances.hpp>
#include <trackplex/seeding/triplets.hpp>

namespace trackplex::kernels {

template <class T, int Width>
struct Triplets {
  using Real = LanesOf<T, Width>;
  using Rules = seeding::detail::CylinderTripletRules<Real, search::BinnedHits<T, Memory>,
                                                      hits::LayerHits<T, Memory>>;
  using Find = seeding::detail::FindTriplets<Real, Rules, seeding::Triplets<Memory>,
                                             seeding::detail::TripletsOfTeams<Memory>>;
};

}  // namespace trackplex::kernels

#define TRACKPLEX_TRIPLETS_INSTANCES(PREFIX, T, W) TRACKPLEX_TEAMS(PREFIX, Triplets, T, W, Find)

namespace trackplex {
TRACKPLEX_DECLARE_INSTANCES(TRIPLETS, track_states, float)
}  // namespace trackplex
