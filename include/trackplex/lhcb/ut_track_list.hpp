// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/lhcb/ut_geometry.hpp>

#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

namespace trackplex::lhcb {

/// A VELO track with hits in the UT, on the host.
struct UtTrack {
  std::uint16_t velo_track = 0;  ///< its number in the event
  /// Index in the event of the hit in each layer, -1 where there is none.
  std::array<std::int32_t, ut_layers> hits{-1, -1, -1, -1};
  double qop = 0.;    ///< charge over momentum, 1/MeV
  double chi2 = 0.;   ///< of the p-kick fit, per degree of freedom
  double x = 0.;      ///< at the middle of the UT, mm
  double slope = 0.;  ///< dx/dz there

  double p() const { return std::abs(1. / qop); }  ///< MeV

  friend bool operator==(const UtTrack&, const UtTrack&) = default;
};

/// The window of a VELO track in one sector group of one layer: hits [first, first + size) of the
/// event.
struct UtWindow {
  std::uint32_t first = 0;
  std::uint32_t size = 0;

  friend bool operator==(const UtWindow&, const UtWindow&) = default;
};

/// All windows of a VELO track: [layer][group in the order of the search].
struct UtTrackWindows {
  std::uint16_t velo_track = 0;
  std::array<std::vector<UtWindow>, ut_layers> layers;

  friend bool operator==(const UtTrackWindows&, const UtTrackWindows&) = default;
};

/// The UT hits of one event on the host, in the order of UtHits; mm.
struct UtHitList {
  std::vector<double> y_begin, y_end, x, z;
  std::vector<std::uint32_t> ids;
  std::array<std::uint32_t, ut_layers + 1> layer_offsets{};
  std::uint32_t unmapped = 0;  ///< hits that were left out

  std::size_t size() const { return ids.size(); }

  friend bool operator==(const UtHitList&, const UtHitList&) = default;
};

}  // namespace trackplex::lhcb
