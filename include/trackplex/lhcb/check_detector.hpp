// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/error.hpp>
#include <trackplex/lhcb/detector.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace trackplex::lhcb {

/// Channel id of strip 0 of a UT sector, without the tag of the UT: type 2 in bits 23 and 24,
/// station in 21 and 22, layer of the station in 19 and 20, region in 17 and 18, sector of the
/// region in 10 to 16. All are counted from 1.
constexpr std::uint32_t ut_channel(std::uint32_t station, std::uint32_t layer, std::uint32_t region,
                                   std::uint32_t sector) {
  constexpr std::uint32_t type = 2;
  return type << 23 | station << 21 | layer << 19 | region << 17 | sector << 10;
}

namespace detail {

template <class Numbers>
void check_count(const Numbers& numbers, std::size_t expected, std::string_view where,
                 const char* field) {
  if (numbers.size() != expected)
    throw InputError({std::string(where), field},
                     "has " + std::to_string(numbers.size()) + " values",
                     std::to_string(expected) + " are expected");
}

template <class Numbers>
void check_finite(const Numbers& numbers, std::string_view where, const char* field) {
  for (std::size_t i = 0; i < numbers.size(); ++i)
    if (!std::isfinite(numbers[i]))
      throw InputError({std::string(where), field, i}, "is not finite");
}

template <class Numbers>
void check_positive(const Numbers& numbers, std::string_view where, const char* field) {
  check_finite(numbers, where, field);
  for (std::size_t i = 0; i < numbers.size(); ++i)
    if (!(numbers[i] > 0.f))
      throw InputError({std::string(where), field, i},
                       std::to_string(numbers[i]) + " is not positive");
}

template <class Numbers>
void check_ascending(const Numbers& numbers, std::string_view where, const char* field) {
  check_finite(numbers, where, field);
  for (std::size_t i = 1; i < numbers.size(); ++i)
    if (!(numbers[i - 1] < numbers[i]))
      throw InputError({std::string(where), field, i},
                       std::to_string(numbers[i]) + " is not more than " +
                           std::to_string(numbers[i - 1]) + " before it");
}

/// Whether the rows of the matrix are orthonormal, to one in a thousand.
inline bool is_orthonormal(const std::array<float, 12>& transform) {
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

/// Entry i of UtBoards: a hybrid.
struct UtHybrid {
  std::uint32_t strips, station, layer, region, sector, channel;

  UtHybrid(const UtBoards& boards, std::size_t i)
      : strips(boards.strips_per_hybrid[i / UtBoards::hybrids_per_board]),
        station(boards.station[i]),
        layer(boards.layer[i]),
        region(boards.region[i]),
        sector(boards.sector[i]),
        channel(boards.channel[i]) {}

  bool connected() const { return (station | layer | region | sector | channel) != 0; }

  /// Description of the first problem of a connected hybrid; empty if there is none.
  std::string problem() const {
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

  std::size_t region_index() const {
    return ut_regions * (2 * (station - 1) + layer - 1) + region - 1;
  }
  std::size_t sector_index() const { return ut_region_offsets[region_index()] + sector - 1; }
};

}  // namespace detail

/// Checks that all numbers are finite, modules and columns ascend, pitches are positive, and the
/// matrices are orthonormal to one in a thousand. Here and below `where` names the source in
/// errors, a file, for example.
/// @throws InputError with field and index
inline void check_velo_pixel_geometry(const VeloPixelGeometry& geometry, std::string_view where) {
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

/// Checks that there are 240 boards of 0 or 512 strips per hybrid, and that each connected hybrid
/// reads a sector that no other one reads and has the channel id of this sector.
/// @throws InputError with field and index
inline void check_ut_boards(const UtBoards& boards, std::string_view where) {
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

/// Checks that there are 1048 sectors, all numbers are finite, pitches and lengths are positive,
/// cosines are in (0, 1] and first strips are 512 at most.
/// @throws InputError with field and index
inline void check_ut_geometry(const UtGeometry& geometry, std::string_view where) {
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

/// Checks the sizes of the tables, that deflections are positive, and that all numbers are finite.
/// @throws InputError with field and index
inline void check_ut_magnet_tables(const UtMagnetTables& tables, std::string_view where) {
  constexpr auto nodes = UtMagnetTables::bdl_nodes;
  detail::check_count(tables.deflection, UtMagnetTables::deflection_nodes * ut_layers, where,
                      "deflection");
  detail::check_positive(tables.deflection, where, "deflection");
  detail::check_count(tables.bdl, std::size_t(nodes[0] * nodes[1] * nodes[2]), where, "bdl");
  detail::check_finite(tables.bdl, where, "bdl");
}

/// Checks the position of the beam (mm).
/// @throws InputError if it is not finite
inline void check_beam(float x, float y, std::string_view where) {
  detail::check_finite(std::array<float, 2>{x, y}, where, "beam");
}

/// Checks the polarity of the magnet.
/// @throws InputError if it is neither -1 nor +1
inline void check_polarity(float polarity, std::string_view where) {
  if (polarity != -1.f && polarity != 1.f)
    throw InputError({std::string(where), "polarity"},
                     std::to_string(polarity) + " is neither -1 nor 1");
}

/// Checks all parts of a detector. io::read_detector calls it; call it for a detector from another
/// source.
/// @throws InputError with field and index
inline void check_detector(const Detector& detector, std::string_view where = "detector") {
  check_velo_pixel_geometry(detector.velo, where);
  check_ut_boards(detector.ut_boards, where);
  check_ut_geometry(detector.ut, where);
  check_ut_magnet_tables(detector.magnet, where);
  check_beam(detector.beam_x, detector.beam_y, where);
  check_polarity(detector.polarity, where);
}

}  // namespace trackplex::lhcb
