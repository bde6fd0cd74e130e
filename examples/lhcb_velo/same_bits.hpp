// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/lhcb/fingerprints.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <string>
#include <vector>

namespace lhcb_velo {

/// Equality of all bits: unlike ==, it tells 0 from -0 and finds a NaN equal to itself.
inline bool same_bits(const trackplex::lhcb::VeloTrackState& a,
                      const trackplex::lhcb::VeloTrackState& b) {
  const auto bits = [](const trackplex::lhcb::VeloTrackState& s) {
    return std::bit_cast<std::array<std::uint64_t, 6>>(
        std::array<double, 6>{s.x, s.y, s.z, s.tx, s.ty, s.chi2});
  };
  return bits(a) == bits(b) && a.ndf == b.ndf && a.backward == b.backward;
}

inline bool same_bits(const trackplex::lhcb::VeloTrackList& a,
                      const trackplex::lhcb::VeloTrackList& b) {
  return a.offsets == b.offsets && a.hits == b.hits &&
         std::equal(a.states.begin(), a.states.end(), b.states.begin(), b.states.end(),
                    [](const auto& s, const auto& t) { return same_bits(s, t); });
}

inline bool same_bits(const std::vector<trackplex::lhcb::VeloTrackList>& a,
                      const std::vector<trackplex::lhcb::VeloTrackList>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const auto& s, const auto& t) { return same_bits(s, t); });
}

/// The fingerprint of all hits and all bits of all states.
inline std::string tracks_hash(const std::vector<trackplex::lhcb::VeloTrackList>& events) {
  trackplex::Fingerprint hash;
  for (const auto& list : events) trackplex::lhcb::add_tracks(hash, list);
  return hash.hex();
}

}  // namespace lhcb_velo
