// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/lhcb/velo/velo_track_list.hpp>

#include <concepts>
#include <cstdint>
#include <memory>
#include <type_traits>

namespace trackplex::lhcb {

/// Result of an event of the VELO. Its tracks are a view of the arrays of its batch, which stay as
/// long as a copy of the result exists.
struct VeloResult {
  VeloTrackList tracks;  ///< in the order of their seeds
  /// Number of seeds that were dropped for lack of slots, see TripletParams::hits_per_slot.
  std::uint32_t overflow = 0;
  std::shared_ptr<const void> owner{};  ///< of the arrays of the tracks

  /// Compares tracks and overflow.
  friend bool operator==(const VeloResult& a, const VeloResult& b) {
    return a.tracks == b.tracks && a.overflow == b.overflow;
  }
};

/// Calls f with all arrays and numbers; see core/bytes.hpp.
template <class Result, class F>
requires std::same_as<std::remove_const_t<Result>, VeloResult>
void for_each_part(Result& result, const F& f) {
  f(result.tracks.offsets, result.tracks.hits, result.tracks.states, result.overflow);
}

}  // namespace trackplex::lhcb
