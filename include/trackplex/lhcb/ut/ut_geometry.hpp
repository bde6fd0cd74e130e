// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace trackplex::lhcb {

/// Number of layers of the UT; in the order of z they are X, U, V, X.
inline constexpr int ut_layers = 4;

/// dx/dy along the strips of each layer.
inline constexpr std::array<double, ut_layers> ut_dxdy = {0., 0.08748867, -0.0874886, 0.};

/// z of the middle of the UT, mm.
inline constexpr double ut_z_middle = 2484.6;

/// Number of regions of a layer: left, centre and right.
inline constexpr int ut_regions = 3;
/// (layer, region), flat, and the end: number of sectors before each region.
inline constexpr std::array<int, ut_layers* ut_regions + 1> ut_region_offsets = {
    0, 84, 164, 248, 332, 412, 496, 594, 674, 772, 870, 950, 1048};
/// Number of sectors of the UT.
inline constexpr int ut_sectors = ut_region_offsets.back();

/// Number of strips of a sector.
inline constexpr int ut_strips_per_sector = 512;

/// Tag of the UT in bits 28 to 31 of an LHCbID (files of 2020).
inline constexpr std::uint32_t ut_id_tag = 0xB;

/// Connections of the readout boards of the UT (files of 2019 and 2020). Hybrid h of board b has
/// the entry 6 b + h. Stations, layers, regions and sectors are counted from 1; 0: not connected.
struct UtBoards {
  static constexpr int count = 240;            ///< Number of boards.
  static constexpr int hybrids_per_board = 6;  ///< Number of hybrids of a board.

  std::vector<std::uint32_t> strips_per_hybrid;  ///< (board): 512, or 0 for boards without hybrids
  std::vector<std::uint32_t> station;            ///< (hybrid): 1 or 2
  std::vector<std::uint32_t> layer;              ///< (hybrid): layer of the station, 1 or 2
  std::vector<std::uint32_t> region;             ///< (hybrid): 1 to 3
  std::vector<std::uint32_t> sector;             ///< (hybrid): sector of the region
  std::vector<std::uint32_t> channel;            ///< (hybrid): ut_channel() of its sector

  /// Number of boards.
  std::size_t size() const { return strips_per_hybrid.size(); }

  /// Compares all members.
  friend bool operator==(const UtBoards&, const UtBoards&) = default;
};

/// Positions of the strips of the UT, one entry per sector; lengths in mm. Strip s begins, at its
/// lowest y, at x + n * x_per_strip, y + n * y_per_strip, z + n * z_per_strip with n = s -
/// first_strip + fraction of the strip.
struct UtGeometry {
  std::vector<std::uint32_t> first_strip;  ///< (sector): number of its first strip
  std::vector<float> pitch;                ///< (sector): distance between strips
  std::vector<float> length;               ///< (sector): length of the strips along y
  std::vector<float> x_per_strip;          ///< (sector): step in x from strip to strip
  std::vector<float> y_per_strip;          ///< (sector): step in y from strip to strip
  std::vector<float> z_per_strip;          ///< (sector): step in z from strip to strip
  std::vector<float> x;                    ///< (sector): x of the beginning of the first strip
  std::vector<float> y;                    ///< (sector): y of the beginning of the first strip
  std::vector<float> z;                    ///< (sector): z of the beginning of the first strip
  std::vector<float> cosine;               ///< (sector): cosine of the stereo angle

  /// Number of sectors.
  std::size_t size() const { return first_strip.size(); }

  /// Compares all members.
  friend bool operator==(const UtGeometry&, const UtGeometry&) = default;
};

/// Tables of the effect of the magnet between the VELO and the UT.
struct UtMagnetTables {
  /// Number of nodes in |ty|: 0, 0.01, ... 0.30.
  static constexpr int deflection_nodes = 31;
  /// (node, layer), row-major: deflection of a track at the middle of the UT over that at the
  /// layer.
  std::vector<float> deflection;

  /// Number of nodes of `bdl` in the slope ty, z of the origin and z of the state.
  static constexpr std::array<int, 3> bdl_nodes = {31, 11, 11};
  /// First node of these variables; z in mm.
  static constexpr std::array<double, 3> bdl_low = {-0.3, -250., 0.};
  /// Distance of their nodes; z in mm.
  static constexpr std::array<double, 3> bdl_step = {0.02, 50., 80.};
  /// Field integral, T m: (k, j, i), row-major, at the nodes i of ty from -0.3 to 0.3, j of z of
  /// the origin from -250 to 250 mm, k of z of the state from 0 to 800 mm.
  std::vector<float> bdl;

  /// Compares all tables.
  friend bool operator==(const UtMagnetTables&, const UtMagnetTables&) = default;
};

}  // namespace trackplex::lhcb
