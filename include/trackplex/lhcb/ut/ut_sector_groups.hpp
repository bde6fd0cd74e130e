// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/compiled.hpp>
#include <trackplex/lhcb/ut/ut_geometry.hpp>

#include <array>
#include <cstdint>
#include <vector>

namespace trackplex::lhcb {

/// Sector groups: columns of sectors of one layer whose strips begin at the same x, within 2 mm.
/// The groups of layer l are [layer_offsets[l], layer_offsets[l + 1]), ascending in x.
struct UtSectorGroups {
  std::array<int, ut_layers + 1> layer_offsets{};  ///< (layer), one more than layers
  std::vector<float> left_edge;                    ///< (group): x where its sectors begin, mm
  std::vector<std::uint16_t> of_sector;            ///< (sector): its group

  /// Number of groups, in all layers.
  int size() const { return int(left_edge.size()); }
};

/// Finds the groups of a geometry of ut_sectors sectors. The edge of a group is that of its last
/// sector, as in LHCb's code.
UtSectorGroups ut_sector_groups(const UtGeometry& geometry);

}  // namespace trackplex::lhcb

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/lhcb/ut/detail/ut_sector_groups.impl.hpp>
#endif
