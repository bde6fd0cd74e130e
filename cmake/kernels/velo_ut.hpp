// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// From raw banks to tracks through VELO and UT.

#include "declare.hpp"

#include <trackplex/lhcb/cluster_vp.hpp>
#include <trackplex/lhcb/decode_ut.hpp>
#include <trackplex/lhcb/find_ut_tracks.hpp>
#include <trackplex/lhcb/find_ut_windows.hpp>

namespace trackplex::kernels {

template <class T, int Width>
struct VeloUt {
  using Real = LanesOf<T, Width>;
  using Banks = lhcb::RawBankBatch<Memory>;
  using Input = lhcb::CompassInput<T, Memory>;
  using Windows = lhcb::UtWindows<Memory>;

  using Clusters =
      lhcb::detail::VpClustersOfEvent<Real, lhcb::ClusterIntegers<Memory, Width>, Banks,
                                      lhcb::VeloPixelTables<T, Memory>, search::Hits<T, Memory>,
                                      lhcb::VpClusters<Memory>>;
  using Decode = lhcb::detail::UtDecoding<Real, Banks, lhcb::UtDecodingTable<T, Memory>,
                                          lhcb::UtHits<T, Memory>>;
  using FindWindows = lhcb::detail::UtWindowSearch<Real, Input, Windows>;
  using FindTracks =
      lhcb::detail::UtTrackletSearch<Real, Input, Windows, lhcb::UtTracks<T, Memory>>;
};

}  // namespace trackplex::kernels

#define TRACKPLEX_VELO_UT_KERNELS(PREFIX, T, W)      \
  TRACKPLEX_TEAMS(PREFIX, VeloUt, T, W, Clusters)    \
  TRACKPLEX_TEAMS(PREFIX, VeloUt, T, W, Decode)      \
  TRACKPLEX_TEAMS(PREFIX, VeloUt, T, W, FindWindows) \
  TRACKPLEX_TEAMS(PREFIX, VeloUt, T, W, FindTracks)

namespace trackplex {
TRACKPLEX_DECLARE_KERNELS(VELO_UT, general, float)
}  // namespace trackplex
