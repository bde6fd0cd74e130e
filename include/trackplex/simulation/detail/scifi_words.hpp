// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace trackplex::simulation::detail {

/// Word of a cluster in a SciFi bank: flag in bit 0, fraction (half a channel) in 1, channel of the
/// SiPM in 2 to 8, then the link.
constexpr std::uint32_t scifi_word(int link, int cell, int fraction, bool flag) {
  return std::uint32_t(link << 9 | cell << 2 | fraction << 1 | (flag ? 1 : 0));
}

/// Payload of words of clusters: a header, two to a word, and padding.
inline std::vector<std::uint32_t> scifi_payload(std::span<const std::uint32_t> words) {
  std::vector<std::uint32_t> payload(1 + (words.size() + 1) / 2, 0);
  payload[0] = 0x00030002u;  // anything
  for (std::size_t i = 0; i < words.size(); ++i) payload[1 + i / 2] |= words[i] << 16 * (i % 2);
  return payload;
}

/// Neighbouring channels of a link that have a signal.
struct ScifiCluster {
  int link, first, last;  ///< channels of the SiPM, both inclusive
  int fraction = 0;       ///< of a narrow cluster

  int width() const { return last - first + 1; }
};

/// Appends the words of a cluster as boards send them: a narrow cluster is its middle, a wider one
/// its edges. (Version 5: the last channel of a wide cluster has the fraction of an even width;
/// versions 6 and 8: edges are a channel inside the cluster.)
inline void add_scifi_words(std::vector<std::uint32_t>& words, const ScifiCluster& c, int version) {
  const int width = c.width();
  if (width <= 4) {
    words.push_back(scifi_word(c.link, c.first + (width - 1) / 2, c.fraction, false));
  } else if (version == 4 || version == 7) {
    for (int cell = c.first + 1; cell <= c.last; cell += 4)
      words.push_back(scifi_word(c.link, cell, 1, true));
  } else if (version == 5) {
    // width 2 d - 1 + fraction, its middle (width - 1)/2 - 1 after the first word
    words.push_back(scifi_word(c.link, c.first + 1, 0, true));
    const int d = width > 8 ? width - 2 : (width + 1) / 2;
    words.push_back(scifi_word(c.link, c.first + 1 + d, width > 8 ? 0 : (width + 1) % 2, true));
  } else {
    words.push_back(scifi_word(c.link, c.first + 1, 1, true));
    words.push_back(scifi_word(c.link, c.last, 0, true));
  }
}

}  // namespace trackplex::simulation::detail
