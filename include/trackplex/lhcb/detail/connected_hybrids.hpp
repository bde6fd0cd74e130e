// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/error.hpp>
#include <trackplex/core/stable_sort.hpp>
#include <trackplex/lhcb/ut_sector_groups.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
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
inline int connected_sector(const UtBoards& boards, std::size_t i) {
  const auto strips = boards.strips_per_hybrid[i / UtBoards::hybrids_per_board];
  if (strips == 0 || boards.station[i] == 0) return -1;
  const auto where = [&] { return "UT board " + std::to_string(i / UtBoards::hybrids_per_board); };
  if (strips != std::uint32_t(ut_strips_per_sector))
    throw UsageError(where(), "it reads " + std::to_string(strips) + " strips for each hybrid",
                     "boards with " + std::to_string(ut_strips_per_sector) + " are known");
  const auto in = [](std::uint32_t number, std::uint32_t last) {
    return number >= 1 && number <= last;
  };
  if (in(boards.station[i], 2) && in(boards.layer[i], 2) && in(boards.region[i], ut_regions)) {
    const auto region = 2 * ut_regions * (boards.station[i] - 1) +
                        ut_regions * (boards.layer[i] - 1) + boards.region[i] - 1;
    const auto begin = ut_region_offsets[region];
    if (in(boards.sector[i], std::uint32_t(ut_region_offsets[region + 1] - begin)))
      return begin + int(boards.sector[i]) - 1;
  }
  throw UsageError(where(), "hybrid " + std::to_string(i % UtBoards::hybrids_per_board) +
                                " is connected to a sector that does not exist");
}

inline void check_ut_description(const UtBoards& boards, const UtGeometry& geometry,
                                 const UtSectorGroups& groups) {
  const auto n = std::size_t(ut_sectors);
  for (const auto* values :
       {&geometry.pitch, &geometry.length, &geometry.x_per_strip, &geometry.y_per_strip,
        &geometry.z_per_strip, &geometry.x, &geometry.y, &geometry.z})
    if (values->size() != n || geometry.size() != n)
      throw UsageError("ut_decoding_table",
                       "the geometry does not have " + std::to_string(n) + " sectors");
  if (groups.of_sector.size() != n)
    throw UsageError("ut_decoding_table", "the sector groups are not those of the geometry");
  const auto entries = boards.size() * UtBoards::hybrids_per_board;
  for (const auto* values :
       {&boards.station, &boards.layer, &boards.region, &boards.sector, &boards.channel})
    if (values->size() != entries)
      throw UsageError("ut_decoding_table", "the arrays of the boards differ in length");
  if (entries >= std::numeric_limits<std::uint16_t>::max())
    throw CapacityError("ut_decoding_table", "hybrids", entries,
                        std::numeric_limits<std::uint16_t>::max() - 1);
}

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
