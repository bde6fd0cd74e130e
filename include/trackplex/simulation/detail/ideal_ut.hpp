// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/lhcb/ut/ut_geometry.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace trackplex::simulation::detail {

/// A regular UT. A layer consists of staves, side by side in x and rotated by the stereo angle of
/// the layer, each around its own centre at y = 0. A stave carries 14 sectors, one above the other,
/// alternately on its two faces; neighbouring staves alternate in z. Near the beam the sectors have
/// half the pitch and so half the width, two side by side, and closest to the beam also half the
/// length. Sizes in mm.
class IdealUt {
 public:
  IdealUt() {
    for (int layer = 0; layer < lhcb::ut_layers; ++layer) {
      const int staves = layer < 2 ? 16 : 18;
      for (int stave = 0; stave < staves; ++stave) add_stave(layer, stave - staves / 2);
    }
  }

  const lhcb::UtGeometry& geometry() const { return ut_; }

 private:
  static constexpr double pitch = 0.19;
  static constexpr double width = lhcb::ut_strips_per_sector * pitch;  // and length
  static constexpr double stave_step = 95.5;
  static constexpr double row_step = 96.08;
  static constexpr int rows = 14;
  static constexpr std::array<double, lhcb::ut_layers> layer_z = {2327.5, 2372.5, 2597.5, 2642.5};
  static constexpr double stave_offset = 5.;  ///< in z: of neighbouring staves, from the middle
  static constexpr double face_offset =
      2.22;  ///< in z: of the two faces of a stave, from its middle

  /// Stave -1 is the one at x < 0 beside the beam, stave 0 the one at x > 0.
  void add_stave(int layer, int stave) {
    const int from_beam = stave < 0 ? -1 - stave : stave;
    for (int row = 0; row < rows; ++row) {
      const int row_from_middle = row < rows / 2 ? rows / 2 - 1 - row : row - rows / 2;
      const bool narrow = from_beam < 2 && row_from_middle < 2;
      const bool halved = from_beam == 0 && row_from_middle == 0;
      const bool front = (row + stave) % 2 == 0;
      const double z = layer_z[layer] + (stave % 2 == 0 ? stave_offset : -stave_offset) +
                       (front ? -face_offset : face_offset);
      for (int part = 0; part < (halved ? 2 : 1); ++part)
        for (int side = 0; side < (narrow ? 2 : 1); ++side)
          add_sector(
              layer, (stave + 0.5) * stave_step,
              {(0.5 * side - 0.5) * width, (row - rows / 2) * row_step - 0.6 + 0.5 * part * width,
               z, narrow ? 0.5 * pitch : pitch, halved ? 0.5 * width : width});
    }
  }

  /// A sector in the frame of its stave: its lower left corner, and sizes.
  struct Sector {
    double across, along, z;
    double pitch, length;
  };

  void add_sector(int layer, double stave_x, const Sector& sector) {
    const double tangent = lhcb::ut_dxdy[layer];
    const double cosine = 1. / std::sqrt(1. + tangent * tangent);
    const double sine = tangent * cosine;
    const double first = sector.across + 0.5 * sector.pitch;  // the middle of the first strip
    const auto push = [](auto& to, double value) { to.push_back(static_cast<float>(value)); };
    ut_.first_strip.push_back(1);
    push(ut_.pitch, sector.pitch);
    push(ut_.length, sector.length * cosine);
    push(ut_.x_per_strip, sector.pitch / cosine);
    push(ut_.y_per_strip, -sector.pitch * sine);
    push(ut_.z_per_strip, 0.);
    push(ut_.x, stave_x + first / cosine);
    push(ut_.y, sector.along * cosine - first * sine);
    push(ut_.z, sector.z);
    push(ut_.cosine, cosine);
  }

  lhcb::UtGeometry ut_;
};

/// 240 boards, 60 per layer, the first of which are connected to its sectors in order; a region
/// begins with a new board.
inline lhcb::UtBoards ideal_ut_boards() {
  constexpr int per_layer = 60;
  constexpr int per_board = lhcb::UtBoards::hybrids_per_board;
  lhcb::UtBoards boards;
  boards.strips_per_hybrid.assign(lhcb::ut_layers * per_layer, 0);
  for (auto* column :
       {&boards.station, &boards.layer, &boards.region, &boards.sector, &boards.channel})
    column->assign(per_board * boards.size(), 0);
  for (int layer = 0; layer < lhcb::ut_layers; ++layer) {
    std::uint32_t hybrid = per_board * per_layer * layer;
    for (std::uint32_t region = 1; region <= lhcb::ut_regions; ++region) {
      const int* range = &lhcb::ut_region_offsets[lhcb::ut_regions * layer + region - 1];
      const std::uint32_t sectors = range[1] - range[0];
      for (std::uint32_t sector = 1; sector <= sectors; ++sector, ++hybrid) {
        boards.strips_per_hybrid[hybrid / per_board] = lhcb::ut_strips_per_sector;
        boards.station[hybrid] = 1 + layer / 2;
        boards.layer[hybrid] = 1 + layer % 2;
        boards.region[hybrid] = region;
        boards.sector[hybrid] = sector;
        boards.channel[hybrid] = 2u << 23 | boards.station[hybrid] << 21 |
                                 boards.layer[hybrid] << 19 | region << 17 | sector << 10;
      }
      hybrid = (hybrid + per_board - 1) / per_board * per_board;
    }
  }
  return boards;
}

}  // namespace trackplex::simulation::detail
