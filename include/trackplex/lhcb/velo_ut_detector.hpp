// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/lhcb/ut/ut_geometry.hpp>
#include <trackplex/lhcb/velo/velo_pixels.hpp>

namespace trackplex::lhcb {

/// Geometry and magnet tables for the reconstruction of VELO and UT, as read by io::read_detector.
struct Detector {
  VeloPixelGeometry velo;  ///< positions of the pixels of the VELO
  UtBoards ut_boards;      ///< connections of the readout boards of the UT
  UtGeometry ut;           ///< positions of the strips of the UT
  UtMagnetTables magnet;   ///< deflections and field integrals
  float beam_x = 0.f;      ///< position of the beam, mm; not used: the tracking assumes the z axis
  float beam_y = 0.f;      ///< position of the beam, mm; not used
  float polarity = -1.f;   ///< of the magnet: -1 down, +1 up

  /// Compares all members.
  friend bool operator==(const Detector&, const Detector&) = default;
};

}  // namespace trackplex::lhcb
