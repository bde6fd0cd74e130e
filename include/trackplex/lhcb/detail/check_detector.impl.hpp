// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/error.hpp>
#include <trackplex/lhcb/check_detector.hpp>
#include <trackplex/lhcb/velo_ut_detector.hpp>

#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace trackplex::lhcb {
namespace detail {

/// Whether the rows of the matrix are orthonormal, to one in a thousand.
TRACKPLEX_INLINE bool is_orthonormal(const std::array<float, 12>& transform) {
  constexpr double tolerance = 1e-3;
  for (int i = 0; i < 3; ++i)
    for (int j = i; j < 3; ++j) {
      double product = i == j ? -1. : 0.;
      for (int k = 0; k < 3; ++k)
        product += double(transform[3 * i + k]) * double(transform[3 * j + k]);
      if (!(std::abs(product) < tolerance)) return false;
    }
  return true;
}

TRACKPLEX_INLINE std::string UtHybrid::problem() const {
  const auto outside = [](std::uint32_t n, std::uint32_t last) { return n < 1 || n > last; };
  if (strips == 0) return "it is connected, but its board has no strips";
  if (outside(station, 2)) return "there is no station " + std::to_string(station);
  if (outside(layer, 2)) return "there is no layer " + std::to_string(layer);
  if (outside(region, ut_regions)) return "there is no region " + std::to_string(region);
  const auto of_layer = ut_region_offsets.begin() + region_index();
  if (outside(sector, std::uint32_t(of_layer[1] - of_layer[0])))
    return "there is no sector " + std::to_string(sector) + " in its region";
  if (channel != ut_channel(station, layer, region, sector))
    return "its channel " + std::to_string(channel) + " is not that of its sector, " +
           std::to_string(ut_channel(station, layer, region, sector));
  return {};
}

}  // namespace detail

TRACKPLEX_INLINE void check_velo_pixel_geometry(const VeloPixelGeometry& geometry,
                                                std::string_view where) {
  detail::check_ascending(geometry.module_z, where, "module_z");
  detail::check_ascending(geometry.column_x, where, "column_x");
  detail::check_positive(geometry.column_pitch, where, "column_pitch");
  for (std::size_t sensor = 0; sensor < geometry.transforms.size(); ++sensor) {
    const auto& transform = geometry.transforms[sensor];
    if (!detail::is_orthonormal(transform))
      throw InputError({std::string(where), "transforms", sensor},
                       "its matrix is not orthonormal (to one in a thousand)");
    for (int k = 9; k < 12; ++k)
      if (!std::isfinite(transform[k]))
        throw InputError({std::string(where), "transforms", sensor},
                         "its translation is not finite");
  }
}

TRACKPLEX_INLINE void check_ut_boards(const UtBoards& boards, std::string_view where) {
  detail::check_count(boards.strips_per_hybrid, UtBoards::count, where, "strips_per_hybrid");
  constexpr std::size_t hybrids = UtBoards::count * UtBoards::hybrids_per_board;
  detail::check_count(boards.station, hybrids, where, "station");
  detail::check_count(boards.layer, hybrids, where, "layer");
  detail::check_count(boards.region, hybrids, where, "region");
  detail::check_count(boards.sector, hybrids, where, "sector");
  detail::check_count(boards.channel, hybrids, where, "channel");
  for (std::size_t b = 0; b < boards.size(); ++b)
    if (boards.strips_per_hybrid[b] != 0 && boards.strips_per_hybrid[b] != ut_strips_per_sector)
      throw InputError({std::string(where), "strips_per_hybrid", b},
                       std::to_string(boards.strips_per_hybrid[b]) + " is neither 0 nor " +
                           std::to_string(ut_strips_per_sector));
  std::vector<bool> seen(ut_sectors);
  for (std::size_t i = 0; i < hybrids; ++i) {
    const detail::UtHybrid hybrid(boards, i);
    if (!hybrid.connected()) continue;
    std::string problem = hybrid.problem();
    if (problem.empty() && seen[hybrid.sector_index()])
      problem = "a hybrid before it is connected to the same sector";
    if (!problem.empty())
      throw InputError({std::string(where), "hybrid", i}, problem,
                       "hybrids of board b are 6 b to 6 b + 5");
    seen[hybrid.sector_index()] = true;
  }
}

TRACKPLEX_INLINE void check_ut_geometry(const UtGeometry& geometry, std::string_view where) {
  detail::check_count(geometry.first_strip, ut_sectors, where, "first_strip");
  const auto check = [&](const std::vector<float>& numbers, const char* field) {
    detail::check_count(numbers, ut_sectors, where, field);
    detail::check_finite(numbers, where, field);
  };
  check(geometry.pitch, "pitch");
  check(geometry.length, "length");
  check(geometry.x_per_strip, "x_per_strip");
  check(geometry.y_per_strip, "y_per_strip");
  check(geometry.z_per_strip, "z_per_strip");
  check(geometry.x, "x");
  check(geometry.y, "y");
  check(geometry.z, "z");
  check(geometry.cosine, "cosine");
  detail::check_positive(geometry.pitch, where, "pitch");
  detail::check_positive(geometry.length, where, "length");
  detail::check_positive(geometry.cosine, where, "cosine");
  for (std::size_t s = 0; s < geometry.size(); ++s) {
    if (geometry.first_strip[s] > ut_strips_per_sector)
      throw InputError({std::string(where), "first_strip", s},
                       std::to_string(geometry.first_strip[s]) + " is more than " +
                           std::to_string(ut_strips_per_sector));
    if (geometry.cosine[s] > 1.f)
      throw InputError({std::string(where), "cosine", s},
                       std::to_string(geometry.cosine[s]) + " is more than 1");
  }
}

TRACKPLEX_INLINE void check_ut_magnet_tables(const UtMagnetTables& tables, std::string_view where) {
  constexpr auto nodes = UtMagnetTables::bdl_nodes;
  detail::check_count(tables.deflection, UtMagnetTables::deflection_nodes * ut_layers, where,
                      "deflection");
  detail::check_positive(tables.deflection, where, "deflection");
  detail::check_count(tables.bdl, std::size_t(nodes[0] * nodes[1] * nodes[2]), where, "bdl");
  detail::check_finite(tables.bdl, where, "bdl");
}

TRACKPLEX_INLINE void check_polarity(float polarity, std::string_view where) {
  if (polarity != -1.f && polarity != 1.f)
    throw InputError({std::string(where), "polarity"},
                     std::to_string(polarity) + " is neither -1 nor 1");
}

TRACKPLEX_INLINE void check_detector(const Detector& detector, std::string_view where) {
  check_velo_pixel_geometry(detector.velo, where);
  check_ut_boards(detector.ut_boards, where);
  check_ut_geometry(detector.ut, where);
  check_ut_magnet_tables(detector.magnet, where);
  check_beam(detector.beam_x, detector.beam_y, where);
  check_polarity(detector.polarity, where);
}

}  // namespace trackplex::lhcb
