// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The clusters of the VELO from raw banks for TRACKPLEX_SPACE: device code of scalars, or host code
/// of lanes.

#include <trackplex/lhcb/vp_clusters.hpp>

namespace trackplex::lhcb {

template <class Real>
void cluster(const TRACKPLEX_SPACE& exec, std::span<const RawEvent> events,
             const VeloPixelGeometry& geometry) {
  using Memory = TRACKPLEX_SPACE::memory_space;
  RawBankBatch<Memory> banks;
  RawBankBatch<Kokkos::HostSpace> staging;
  load_raw_banks(exec, events, &RawEvent::vp, banks, staging);
  search::Hits<Real, Memory> hits;
  VpClusters<Memory> clusters;
  detail::VpClustersStaging room;
  reserve_vp_clusters(exec, events, hits, clusters, room);
  const auto tables = velo_pixel_tables<Real>(exec, geometry);
  cluster_vp<default_lane_width<TRACKPLEX_SPACE, Real>>(exec, banks, tables, hits, clusters);
}

template void cluster<float>(const TRACKPLEX_SPACE&, std::span<const RawEvent>,
                             const VeloPixelGeometry&);
template void cluster<double>(const TRACKPLEX_SPACE&, std::span<const RawEvent>,
                              const VeloPixelGeometry&);

}  // namespace trackplex::lhcb
