// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/error.hpp>
#include <trackplex/lhcb/ut/detail/connected_hybrids.hpp>
#include <trackplex/lhcb/ut/ut_sector_groups.hpp>

#include <cstdint>
#include <limits>
#include <string>

namespace trackplex::lhcb::detail {

TRACKPLEX_INLINE int connected_sector(const UtBoards& boards, std::size_t i) {
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

TRACKPLEX_INLINE void check_ut_description(const UtBoards& boards, const UtGeometry& geometry,
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

}  // namespace trackplex::lhcb::detail
