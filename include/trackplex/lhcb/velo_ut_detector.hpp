// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/lhcb/scifi/scifi_geometry.hpp>
#include <trackplex/lhcb/ut/ut_geometry.hpp>
#include <trackplex/lhcb/velo/velo_pixels.hpp>

#include <optional>

namespace trackplex::lhcb {

/// Geometry and magnet tables for the reconstruction of VELO, UT and, if there is one, SciFi, as
/// read by io::read_detector.
struct Detector {
  VeloPixelGeometry velo;  ///< positions of the pixels of the VELO
  UtBoards ut_boards;      ///< connections of the readout boards of the UT
  UtGeometry ut;           ///< positions of the strips of the UT
  UtMagnetTables magnet;   ///< deflections and field integrals
  float beam_x = 0.f;      ///< position of the beam, mm: of the vertices; the tracking assumes 0
  float beam_y = 0.f;      ///< the same in y, mm
  float polarity = -1.f;   ///< of the magnet: -1 down, +1 up
  std::optional<ScifiGeometry> scifi{};  ///< positions of the fibres of the SciFi, if it is known

  /// Compares all members.
  friend bool operator==(const Detector&, const Detector&) = default;
};

}  // namespace trackplex::lhcb
