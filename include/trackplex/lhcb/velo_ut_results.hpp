// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/lhcb/ut/ut_track_list.hpp>
#include <trackplex/lhcb/velo/velo_track_list.hpp>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <type_traits>

/// @file
/// Results of the reconstruction of an event in VELO and UT.

namespace trackplex::lhcb {

/// VELO hits of an event, in decoding order (see vp_clusters.hpp): a view of arrays, which others
/// own.
struct VeloHitList {
  std::span<const double> x,              ///< (hit): mm
      y,                                  ///< (hit): mm
      z;                                  ///< (hit): mm
  std::span<const std::uint8_t> modules;  ///< (hit): module of the VELO
  std::span<const std::uint32_t> ids;     ///< (hit): LHCbID
  std::uint32_t invalid = 0;  ///< number of super-pixels outside their sensor, which were skipped

  /// Number of hits.
  std::size_t size() const { return ids.size(); }

  /// Compares all members, and the contents of all arrays.
  friend bool operator==(const VeloHitList& a, const VeloHitList& b) {
    const auto equal = [&](auto member) { return std::ranges::equal(a.*member, b.*member); };
    return equal(&VeloHitList::x) && equal(&VeloHitList::y) && equal(&VeloHitList::z) &&
           equal(&VeloHitList::modules) && equal(&VeloHitList::ids) && a.invalid == b.invalid;
  }
};

/// Result of an event of VELO and UT. Its lists are views of the arrays of its batch, which stay as
/// long as a copy of the result exists.
struct VeloUtResult {
  VeloHitList velo_hits;                    ///< hits of the VELO
  VeloTrackList velo_tracks;                ///< tracks of the VELO, in the order of their seeds
  std::uint32_t velo_overflow = 0;          ///< number of VELO seeds dropped for lack of slots
  UtHitList ut_hits;                        ///< hits of the UT, sorted
  std::span<const UtTrackWindows> windows;  ///< of the VELO tracks that have windows
  std::span<const UtTrack> ut_tracks;   ///< tracks with hits in the UT, in the order of VELO tracks
  std::shared_ptr<const void> owner{};  ///< of the arrays of all lists

  /// Compares all lists and numbers.
  friend bool operator==(const VeloUtResult& a, const VeloUtResult& b) {
    return a.velo_hits == b.velo_hits && a.velo_tracks == b.velo_tracks &&
           a.velo_overflow == b.velo_overflow && a.ut_hits == b.ut_hits &&
           std::ranges::equal(a.windows, b.windows) && std::ranges::equal(a.ut_tracks, b.ut_tracks);
  }
};

/// Calls f with all arrays and numbers; see core/bytes.hpp.
template <class Result, class F>
requires std::same_as<std::remove_const_t<Result>, VeloUtResult>
void for_each_part(Result& result, const F& f) {
  auto& velo = result.velo_hits;
  auto& tracks = result.velo_tracks;
  auto& ut = result.ut_hits;
  f(velo.x, velo.y, velo.z, velo.modules, velo.ids, velo.invalid, tracks.offsets, tracks.hits,
    tracks.states, result.velo_overflow, ut.y_begin, ut.y_end, ut.x, ut.z, ut.ids, ut.layer_offsets,
    ut.unmapped, result.windows, result.ut_tracks);
}

}  // namespace trackplex::lhcb
