// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/compiled.hpp>
#include <trackplex/lhcb/scifi/scifi_geometry.hpp>

#include <cstdint>
#include <vector>

namespace trackplex::lhcb::detail {

/// A mat of fibres as the decoding sees it: along v, the distance from the middle of its first
/// channel (fraction 0), x, y and z of the fibres change linearly; see ScifiDecodingTable.
struct ScifiMat {
  std::uint32_t index = 0;  ///< in ScifiGeometry
  int zone = 0;
  int row = 0;
  double x = 0., z = 0.;            ///< of the first fibre, at y = 0
  double y = 0.;                    ///< where it is read
  double x_step = 0., z_step = 0.;  ///< per v
  double y_step = 0.;               ///< per v
  double lowest_x = 0., highest_x = 0.;
};

void check_scifi_description(const ScifiGeometry& geometry);

/// The mats that exist, in the order of (zone, x), with their rows.
std::vector<ScifiMat> scifi_mats(const ScifiGeometry& geometry);

/// (bank, link), flat: id of channel 0 of the SiPM that each link reads, in both forms.
std::vector<std::uint32_t> scifi_link_channels(const ScifiGeometry& geometry);

/// (source): its bank; scifi_banks for others, among them the last entry.
std::vector<int> scifi_banks_of_sources(const ScifiGeometry& geometry);

}  // namespace trackplex::lhcb::detail

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/lhcb/scifi/detail/scifi_mats.impl.hpp>
#endif
