// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/lhcb/fit/long_fit_list.hpp>
#include <trackplex/lhcb/scifi/long_track_list.hpp>
#include <trackplex/lhcb/scifi/scifi_hit_list.hpp>
#include <trackplex/lhcb/velo_ut_results.hpp>
#include <trackplex/vertexing/vertices.hpp>

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <span>
#include <type_traits>

namespace trackplex::lhcb {

/// Result of an event of VELO, UT and SciFi, with long tracks and primary vertices; see
/// tracks_chain(). `owner` keeps the arrays of all lists.
struct TracksResult : VeloUtResult {
  ScifiHitList scifi_hits{};  ///< hits of the SciFi, sorted
  /// Tracks with hits in the SciFi, as LongTracks; if they are fitted, those with a good fit.
  std::span<const LongTrack> long_tracks{};
  std::span<const LongTrackFit> long_fits{};      ///< their fits; empty if they are not fitted
  std::span<const vertexing::Vertex> vertices{};  ///< primary vertices, in the order of their peaks
  std::uint32_t vertex_overflow = 0;              ///< number of peaks dropped for lack of slots

  /// Compares all lists and numbers.
  friend bool operator==(const TracksResult& a, const TracksResult& b) {
    return static_cast<const VeloUtResult&>(a) == static_cast<const VeloUtResult&>(b) &&
           a.scifi_hits == b.scifi_hits && std::ranges::equal(a.long_tracks, b.long_tracks) &&
           std::ranges::equal(a.long_fits, b.long_fits) &&
           std::ranges::equal(a.vertices, b.vertices) && a.vertex_overflow == b.vertex_overflow;
  }
};

/// Calls f with all arrays and numbers; see core/bytes.hpp.
template <class Result, class F>
requires std::same_as<std::remove_const_t<Result>, TracksResult>
void for_each_part(Result& result, const F& f) {
  using Base = std::conditional_t<std::is_const_v<Result>, const VeloUtResult, VeloUtResult>;
  for_each_part(static_cast<Base&>(result), [&](auto&... parts) {
    auto& scifi = result.scifi_hits;
    f(parts..., scifi.x, scifi.z, scifi.y_begin, scifi.y_end, scifi.cluster_size, scifi.ids,
      scifi.zone_offsets, scifi.invalid, result.long_tracks, result.long_fits, result.vertices,
      result.vertex_overflow);
  });
}

}  // namespace trackplex::lhcb
