// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/lhcb/scifi/scifi_channel.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

namespace trackplex::lhcb {

/// z of the states of long tracks, downstream of the SciFi, mm.
inline constexpr double scifi_end_z = 9410.;

/// Long track, through VELO, SciFi and, in general, UT, on the host. Its state is that at
/// scifi_end_z.
struct LongTrack {
  std::uint32_t velo_track = 0;  ///< index of the VELO track in its event
  std::int32_t ut_track = -1;    ///< index of the UT track in its event, -1 if there is none
  /// (layer): index of the SciFi hit in its event, -1 if there is none.
  std::array<std::int32_t, scifi_layers> hits{-1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1};
  double qop = 0.;  ///< charge over momentum, 1/MeV, for both polarities of the magnet
  /// Small for good tracks, see FindLongTracks and, for matched tracks, FindScifiTracks.
  double quality = 0.;
  double x = 0.;   ///< x, mm
  double y = 0.;   ///< y, mm
  double tx = 0.;  ///< dx/dz
  double ty = 0.;  ///< dy/dz

  /// Momentum, MeV.
  double p() const { return std::abs(1. / qop); }
  /// Number of hits in the SciFi.
  int n_scifi_hits() const {
    return int(std::count_if(hits.begin(), hits.end(), [](auto hit) { return hit >= 0; }));
  }

  /// Compares all members.
  friend bool operator==(const LongTrack&, const LongTrack&) = default;
};

}  // namespace trackplex::lhcb
