// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/stable_sort.hpp>
#include <trackplex/lhcb/ut/ut_geometry.hpp>
#include <trackplex/lhcb/ut/ut_sector_groups.hpp>

#include <cmath>
#include <cstdint>
#include <numeric>
#include <vector>

namespace trackplex::lhcb {

TRACKPLEX_INLINE UtSectorGroups ut_sector_groups(const UtGeometry& geometry) {
  constexpr float same_column = 2.f;  // mm
  UtSectorGroups groups;
  groups.of_sector.resize(geometry.size());
  for (int layer = 0; layer < ut_layers; ++layer) {
    const int begin = ut_region_offsets[layer * ut_regions];
    const int end = ut_region_offsets[(layer + 1) * ut_regions];
    std::vector<int> by_x(end - begin);
    std::iota(by_x.begin(), by_x.end(), begin);
    stable_sort(by_x, [&](int a, int b) { return geometry.x[a] < geometry.x[b]; });
    float first = 0.f;
    for (const int sector : by_x) {
      if (sector == by_x.front() || std::abs(first - geometry.x[sector]) > same_column) {
        first = geometry.x[sector];
        groups.left_edge.push_back(first);
      }
      groups.of_sector[sector] = std::uint16_t(groups.left_edge.size() - 1);
    }
    for (int sector = begin; sector < end; ++sector)
      groups.left_edge[groups.of_sector[sector]] = geometry.x[sector];
    groups.layer_offsets[layer + 1] = groups.size();
  }
  return groups;
}

}  // namespace trackplex::lhcb
