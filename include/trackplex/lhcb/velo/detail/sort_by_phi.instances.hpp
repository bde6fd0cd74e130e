// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Instances of sorting by azimuth.

#include <trackplex/core/kernel_instances.hpp>
#include <trackplex/lhcb/velo/sort_by_phi.hpp>

namespace trackplex::kernels {

template <class T, int Width>
struct SortByPhi {
  using Real = LanesOf<T, Width>;
  template <class Phi, class Groups>
  using Sort = lhcb::detail::SortByPhi<Phi, Groups, Real, lhcb::VeloHits<T, Memory>,
                                       lhcb::HitsByPhi<T, typename Phi::Key, Memory>>;

  using Merged = Sort<lhcb::Phi16<T>, lhcb::Grouping<true, 6>>;
  using Separate = Sort<lhcb::PhiRadians<T>, lhcb::Grouping<false, 5>>;
};

}  // namespace trackplex::kernels

#define TRACKPLEX_SORT_BY_PHI_INSTANCES(PREFIX, T, W) \
  TRACKPLEX_TEAMS(PREFIX, SortByPhi, T, W, Merged)    \
  TRACKPLEX_TEAMS(PREFIX, SortByPhi, T, W, Separate)

namespace trackplex {
TRACKPLEX_DECLARE_INSTANCES(SORT_BY_PHI, general, float)
}  // namespace trackplex
