// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/lhcb/ut_geometry.hpp>
#include <trackplex/lhcb/velo_pixels.hpp>

namespace trackplex::lhcb {

/// All that the reconstruction of VELO and UT has to know of the detector.
struct Detector {
  VeloPixelGeometry velo;
  UtBoards ut_boards;
  UtGeometry ut;
  UtMagnetTables magnet;
  /// Where the beam is, mm. The tracking does not use it: it takes the z axis for the beam.
  float beam_x = 0.f;
  float beam_y = 0.f;
  float polarity = -1.f;  ///< of the magnet: -1 down, +1 up

  friend bool operator==(const Detector&, const Detector&) = default;
};

}  // namespace trackplex::lhcb
