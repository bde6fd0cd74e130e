// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/lhcb/fingerprints.hpp>
#include <trackplex/lhcb/velo_results.hpp>

#include <algorithm>
#include <span>
#include <string>

namespace lhcb_velo {

/// The fingerprint of all hits and all bits of all states.
inline std::string tracks_hash(std::span<const trackplex::lhcb::VeloResult> events) {
  trackplex::Fingerprint hash;
  for (const auto& event : events) trackplex::lhcb::add_tracks(hash, event.tracks);
  return hash.hex();
}

/// Equality of all bits: unlike ==, it tells 0 from -0 and finds a NaN equal to itself.
inline bool same_bits(std::span<const trackplex::lhcb::VeloResult> a,
                      std::span<const trackplex::lhcb::VeloResult> b) {
  return std::ranges::equal(a, b, {}, &trackplex::lhcb::VeloResult::overflow,
                            &trackplex::lhcb::VeloResult::overflow) &&
         tracks_hash(a) == tracks_hash(b);
}

}  // namespace lhcb_velo
