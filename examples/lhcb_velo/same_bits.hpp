// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/lhcb/velo_track_list.hpp>

#include <bit>
#include <cstdint>
#include <vector>

namespace lhcb_velo {

/// Feeds all bits of a track list to `f(std::uint64_t)`.
template <class F>
void for_each_word(const trackplex::lhcb::VeloTrackList& list, F&& f) {
  f(list.size());
  for (const auto offset : list.offsets) f(offset);
  for (const auto hit : list.hits) f(hit);
  for (const auto& s : list.states) {
    for (const double value : {s.x, s.y, s.z, s.tx, s.ty, s.chi2})
      f(std::bit_cast<std::uint64_t>(value));
    f(static_cast<std::uint64_t>(s.ndf) * 2u + (s.backward ? 1u : 0u));
  }
}

/// FNV-1a over all hits and all bits of all states: a fingerprint to compare runs by.
inline std::uint64_t hash_of(const std::vector<trackplex::lhcb::VeloTrackList>& events) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const auto& list : events)
    for_each_word(list, [&](std::uint64_t word) {
      for (int byte = 0; byte < 8; ++byte)
        hash = (hash ^ (word >> (8 * byte) & 0xff)) * 0x100000001b3u;
    });
  return hash;
}

/// Equality of all bits: unlike ==, it tells 0 from -0 and finds a NaN equal to itself.
inline bool same_bits(const trackplex::lhcb::VeloTrackList& a,
                      const trackplex::lhcb::VeloTrackList& b) {
  std::vector<std::uint64_t> words;
  for_each_word(a, [&](std::uint64_t word) { words.push_back(word); });
  std::size_t i = 0;
  bool same = true;
  for_each_word(b,
                [&](std::uint64_t word) { same = same && i < words.size() && words[i++] == word; });
  return same && i == words.size();
}

inline bool same_bits(const std::vector<trackplex::lhcb::VeloTrackList>& a,
                      const std::vector<trackplex::lhcb::VeloTrackList>& b) {
  if (a.size() != b.size()) return false;
  for (std::size_t e = 0; e < a.size(); ++e)
    if (!same_bits(a[e], b[e])) return false;
  return true;
}

}  // namespace lhcb_velo
