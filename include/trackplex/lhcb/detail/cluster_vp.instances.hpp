// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Instances of the clustering of VELO pixels.

#include <trackplex/core/kernel_instances.hpp>
#include <trackplex/lhcb/cluster_vp.hpp>

namespace trackplex::kernels {

template <class T, int Width>
struct ClusterVp {
  using Real = LanesOf<T, Width>;
  using Clusters =
      lhcb::detail::VpClustersOfEvent<Real, lhcb::ClusterIntegers<Memory, Width>,
                                      lhcb::RawBankBatch<Memory>, lhcb::VeloPixelTables<T, Memory>,
                                      lhcb::VeloHits<T, Memory>, lhcb::VpClusters<Memory>>;
};

}  // namespace trackplex::kernels

#define TRACKPLEX_CLUSTER_VP_INSTANCES(PREFIX, T, W) \
  TRACKPLEX_TEAMS(PREFIX, ClusterVp, T, W, Clusters)

namespace trackplex {
TRACKPLEX_DECLARE_INSTANCES(CLUSTER_VP, general, float)
}  // namespace trackplex
