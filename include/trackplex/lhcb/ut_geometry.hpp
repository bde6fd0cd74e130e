// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace trackplex::lhcb {

/// Layers of the UT in the order of z: X, U, V, X.
inline constexpr int ut_layers = 4;

/// dx/dy along a strip of each layer.
inline constexpr std::array<double, ut_layers> ut_dxdy = {0., 0.08748867, -0.0874886, 0.};

/// Middle of the UT along z, mm.
inline constexpr double ut_z_middle = 2484.6;

/// Sectors in front of each region (left, centre, right) of each layer.
inline constexpr int ut_regions = 3;
inline constexpr std::array<int, ut_layers* ut_regions + 1> ut_region_offsets = {
    0, 84, 164, 248, 332, 412, 496, 594, 674, 772, 870, 950, 1048};
inline constexpr int ut_sectors = ut_region_offsets.back();

inline constexpr int ut_strips_per_sector = 512;

/// Tag of the UT in bits 28 to 31 of an LHCbID (files of 2020).
inline constexpr std::uint32_t ut_id_tag = 0xB;

/// Connections of the readout boards: hybrid h of board b has entry 6 b + h. Numbers from 1
/// on; 0 where nothing is connected.
struct UtBoards {
  static constexpr int count = 240;
  static constexpr int hybrids_per_board = 6;

  std::vector<std::uint32_t> strips_per_hybrid;  ///< of each board
  std::vector<std::uint32_t> station;
  std::vector<std::uint32_t> layer;  ///< in the station
  std::vector<std::uint32_t> region;
  std::vector<std::uint32_t> sector;   ///< in the region
  std::vector<std::uint32_t> channel;  ///< id of strip 0, without the tag of the UT

  std::size_t size() const { return strips_per_hybrid.size(); }

  friend bool operator==(const UtBoards&, const UtBoards&) = default;
};

/// Where the strips stand, one entry per sector; mm. Strip s begins (at its lowest y) at
/// x + n x_per_strip and so on, with n = s - first_strip + its fraction.
struct UtGeometry {
  std::vector<std::uint32_t> first_strip;
  std::vector<float> pitch;
  std::vector<float> length;  ///< along y
  std::vector<float> x_per_strip;
  std::vector<float> y_per_strip;
  std::vector<float> z_per_strip;
  std::vector<float> x;
  std::vector<float> y;
  std::vector<float> z;
  std::vector<float> cosine;  ///< of the stereo angle

  std::size_t size() const { return first_strip.size(); }

  friend bool operator==(const UtGeometry&, const UtGeometry&) = default;
};

/// Tables of the magnet's effect between the VELO and the UT.
struct UtMagnetTables {
  /// Deflection at each layer for |ty| = 0, 0.01, ... 0.30, in units of that at the middle of the
  /// UT: [4 i + layer].
  static constexpr int deflection_nodes = 31;
  std::vector<float> deflection;

  /// Field integral, T m: [(k * 11 + j) * 31 + i] with i: slope ty from -0.3 to 0.3; j: z of the
  /// origin from -250 to 250 mm; k: z of the state from 0 to 800 mm.
  static constexpr std::array<int, 3> bdl_nodes = {31, 11, 11};
  static constexpr std::array<double, 3> bdl_low = {-0.3, -250., 0.};
  static constexpr std::array<double, 3> bdl_step = {0.02, 50., 80.};
  std::vector<float> bdl;

  friend bool operator==(const UtMagnetTables&, const UtMagnetTables&) = default;
};

}  // namespace trackplex::lhcb
