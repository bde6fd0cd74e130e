// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/compiled.hpp>
#include <trackplex/core/error.hpp>
#include <trackplex/core/shortest.hpp>
#include <trackplex/lhcb/scifi/scifi_geometry.hpp>
#include <trackplex/lhcb/velo_ut_detector.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

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
      throw InputError({std::string(where), field, i}, shortest(numbers[i]) + " is not positive");
}

template <class Numbers>
void check_ascending(const Numbers& numbers, std::string_view where, const char* field) {
  check_finite(numbers, where, field);
  for (std::size_t i = 1; i < numbers.size(); ++i)
    if (!(numbers[i - 1] < numbers[i]))
      throw InputError({std::string(where), field, i}, shortest(numbers[i]) + " is not more than " +
                                                           shortest(numbers[i - 1]) + " before it");
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
  std::string problem() const;

  std::size_t region_index() const {
    return ut_regions * (2 * (station - 1) + layer - 1) + region - 1;
  }
  std::size_t sector_index() const { return ut_region_offsets[region_index()] + sector - 1; }
};

}  // namespace detail

/// Checks that all numbers are finite, modules and columns ascend, pitches are positive, and the
/// matrices are orthonormal to one in a thousand. Here and below `where` names the source in
/// errors, for example a file.
/// @throws InputError with field and index
void check_velo_pixel_geometry(const VeloPixelGeometry& geometry, std::string_view where);

/// Checks that there are 240 boards of 0 or 512 strips per hybrid, and that each connected hybrid
/// reads a sector that no other hybrid reads and has the channel id of this sector.
/// @throws InputError with field and index
void check_ut_boards(const UtBoards& boards, std::string_view where);

/// Checks that there are 1048 sectors, all numbers are finite, pitches and lengths are positive,
/// cosines are in (0, 1] and first strips are 512 at most.
/// @throws InputError with field and index
void check_ut_geometry(const UtGeometry& geometry, std::string_view where);

/// Checks the sizes of the tables, that deflections are positive, and that all numbers are finite.
/// @throws InputError with field and index
void check_ut_magnet_tables(const UtMagnetTables& tables, std::string_view where);

/// Checks the lists of banks, or of sources and SiPMs, of the SciFi, that the mats are those of the
/// modules, and that the positions of their fibres are possible: finite numbers, positive pitches,
/// directions of length 1, and slopes near those of their layers.
/// @throws InputError with field and index
void check_scifi_geometry(const ScifiGeometry& geometry, std::string_view where);

/// Checks the position of the beam (mm).
/// @throws InputError if it is not finite
inline void check_beam(float x, float y, std::string_view where) {
  detail::check_finite(std::array<float, 2>{x, y}, where, "beam");
}

/// Checks the polarity of the magnet.
/// @throws InputError if it is neither -1 nor +1
void check_polarity(float polarity, std::string_view where);

/// Checks all parts of a detector. io::read_detector calls it; call it for detectors from other
/// sources.
/// @throws InputError with field and index
void check_detector(const Detector& detector, std::string_view where = "detector");

}  // namespace trackplex::lhcb

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/lhcb/detail/check_detector.impl.hpp>
#endif
