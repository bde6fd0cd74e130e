// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/compiled.hpp>
#include <trackplex/core/error.hpp>
#include <trackplex/core/stable_sort.hpp>
#include <trackplex/lhcb/ut/ut_sector_groups.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

namespace trackplex::lhcb::detail {

/// A hybrid with its sector's strips; see UtDecodingTable.
template <class Real>
struct ConnectedHybrid {
  std::size_t board = 0;
  int place = 0;  ///< on the board
  int group = 0;
  int row = 0;
  Real x{}, y{}, z{};
  Real x_per_strip{}, y_per_strip{}, z_per_strip{};
  Real length{}, weight{};
  std::uint32_t id = 0;
  Real lowest_y{}, highest_y{};  ///< where its strips can begin
};

/// The sector of entry `i` of the boards' arrays, -1 where none is connected.
int connected_sector(const UtBoards& boards, std::size_t i);

void check_ut_description(const UtBoards& boards, const UtGeometry& geometry,
                          const UtSectorGroups& groups);

template <class Real>
ConnectedHybrid<Real> connected_hybrid(const UtGeometry& geometry, int sector) {
  constexpr Real last = Real(ut_strips_per_sector - 1) + Real(0.75);
  ConnectedHybrid<Real> hybrid;
  const double first = 1. - double(geometry.first_strip[sector]);
  const auto begin = [&](float origin, float per_strip) {
    return Real(double(origin) + first * double(per_strip));
  };
  hybrid.x = begin(geometry.x[sector], geometry.x_per_strip[sector]);
  hybrid.y = begin(geometry.y[sector], geometry.y_per_strip[sector]);
  hybrid.z = begin(geometry.z[sector], geometry.z_per_strip[sector]);
  hybrid.x_per_strip = Real(geometry.x_per_strip[sector]);
  hybrid.y_per_strip = Real(geometry.y_per_strip[sector]);
  hybrid.z_per_strip = Real(geometry.z_per_strip[sector]);
  hybrid.length = Real(geometry.length[sector]);
  const double pitch = geometry.pitch[sector];
  hybrid.weight = Real(12. / (pitch * pitch));
  const Real other = std::fma(last, hybrid.y_per_strip, hybrid.y);
  hybrid.lowest_y = std::min(hybrid.y, other);
  hybrid.highest_y = std::max(hybrid.y, other);
  return hybrid;
}

/// The connected hybrids in the order of (group, y), with their rows.
template <class Real>
std::vector<ConnectedHybrid<Real>> connected_hybrids(const UtBoards& boards,
                                                     const UtGeometry& geometry,
                                                     const UtSectorGroups& groups) {
  check_ut_description(boards, geometry, groups);
  std::vector<ConnectedHybrid<Real>> hybrids;
  for (std::size_t i = 0; i < boards.station.size(); ++i) {
    const int sector = connected_sector(boards, i);
    if (sector < 0) continue;
    auto hybrid = connected_hybrid<Real>(geometry, sector);
    hybrid.board = i / UtBoards::hybrids_per_board;
    hybrid.place = int(i % UtBoards::hybrids_per_board);
    hybrid.group = groups.of_sector[sector];
    hybrid.id = ut_id_tag << 28 | ((boards.channel[i] + 1) & 0x0fffffffu);
    hybrids.push_back(hybrid);
  }
  stable_sort(hybrids, [](const auto& a, const auto& b) {
    return std::tie(a.group, a.lowest_y) < std::tie(b.group, b.lowest_y);
  });
  int row = -1;
  Real highest{};  // so far in the row
  for (std::size_t i = 0; i < hybrids.size(); ++i) {
    const bool begins =
        i == 0 || hybrids[i].group != hybrids[i - 1].group || hybrids[i].lowest_y > highest;
    if (begins) ++row;
    highest = begins ? hybrids[i].highest_y : std::max(highest, hybrids[i].highest_y);
    hybrids[i].row = row;
  }
  return hybrids;
}

}  // namespace trackplex::lhcb::detail

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/lhcb/ut/detail/connected_hybrids.impl.hpp>
#endif
