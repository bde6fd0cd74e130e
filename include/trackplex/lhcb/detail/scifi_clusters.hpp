// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace trackplex::lhcb::detail {

/// Word of a cluster in a SciFi bank. Bit 0: size flag; 1: fraction, half a channel; 2 to 8: cell,
/// the channel of the SiPM; from 9 on: link.
struct ScifiWord {
  int link, cell, fraction;
  bool flag;

  KOKKOS_FORCEINLINE_FUNCTION explicit ScifiWord(std::uint32_t word)
      : link(int(word >> 9)),
        cell(int(word >> 2 & 0x7fu)),
        fraction(int(word >> 1 & 1u)),
        flag((word & 1u) != 0) {}
};

/// Words of clusters of a SciFi bank: those after a header of two, without padding, which is a zero
/// at the end.
struct ScifiWords {
  const std::uint32_t* payload;
  int n;

  KOKKOS_FORCEINLINE_FUNCTION ScifiWords(const std::uint32_t* words, std::uint32_t n_words)
      : payload(words), n(n_words > 1 ? 2 * int(n_words - 1) : 0) {
    if (n > 0 && half(n - 1) == 0) --n;
  }
  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t half(int i) const {
    const auto place = unsigned(i);
    return payload[1 + place / 2] >> 16 * (place % 2) & 0xffffu;
  }
  KOKKOS_FORCEINLINE_FUNCTION ScifiWord operator[](int i) const { return ScifiWord(half(i)); }
  /// Whether word i + 1 is of the same link as word i.
  KOKKOS_FORCEINLINE_FUNCTION bool same_link_follows(int i) const {
    return i + 1 < n && half(i + 1) >> 9 == half(i) >> 9;
  }
};

/// Clusters of the bank versions: `emit(link, cell, fraction, pseudo size)` for each, in the order
/// of the words. Cells are those of the word of the link, 0 to 127. Returns the number of words or
/// pairs that are no cluster, as their edges are in an impossible order.
template <class Emit>
class ScifiClusters {
 public:
  KOKKOS_FORCEINLINE_FUNCTION ScifiClusters(const ScifiWords& words, const Emit& emit)
      : words_(words), emit_(emit) {}

  KOKKOS_FORCEINLINE_FUNCTION int operator()(int version) const {
    int invalid = 0;
    for (int i = 0; i < words_.n; ++i) {
      const ScifiWord word = words_[i];
      if (!word.flag)
        emit_(word.link, word.cell, word.fraction, narrow);
      else if (version == 4 || version == 7)
        emit_(word.link, word.cell, word.fraction, 0);
      else if (version == 5)
        i += pair_5(word, i, invalid);
      else
        i += pair_6(word, i, version == 8, invalid);
    }
    return invalid;
  }

 private:
  static constexpr int narrow = 4;  ///< pseudo size of clusters up to this width
  static constexpr int piece = 4;   ///< channels of a piece of a cluster that is too wide

  /// Version 5: two flagged words of a link are the edges of a wide cluster. Returns the number of
  /// further words that were used.
  KOKKOS_FORCEINLINE_FUNCTION int pair_5(const ScifiWord& word, int i, int& invalid) const {
    if (!words_.same_link_follows(i) || !words_[i + 1].flag) {
      emit_(word.link, word.cell, word.fraction, narrow);
      return 0;
    }
    const ScifiWord last = words_[i + 1];
    const int d = last.cell - word.cell;
    if (d > piece) {
      for (int j = piece; j < d; j += piece) emit_(word.link, word.cell + j, word.fraction, 0);
      emit_(word.link, last.cell, last.fraction, 0);
    } else {
      invalid += d < 1 || !centre(word, 0, 2 * d - 1 + last.fraction, 2 * d - 1 + last.fraction);
    }
    return 1;
  }

  /// Versions 6 and 8: a flagged word with a fraction is the first edge of a wide cluster, the next
  /// word of the link the other one; version 8 checks the latter.
  KOKKOS_FORCEINLINE_FUNCTION int pair_6(const ScifiWord& word, int i, bool checked,
                                         int& invalid) const {
    if (!words_.same_link_follows(i)) {
      if (word.fraction == 1 || checked)
        emit_(word.link, word.cell, word.fraction, 0);
      else
        ++invalid;
      return 0;
    }
    if (word.fraction == 0) {
      ++invalid;
      return 0;
    }
    const ScifiWord last = words_[i + 1];
    const int width = last.cell - word.cell + 2;
    if (width < 2 || (checked && (!last.flag || last.fraction == 1))) {
      ++invalid;
      return 1;
    }
    if (width <= 2 * piece) {
      invalid += !centre(word, 0, width, width);
    } else {
      int j = 0;
      for (; j < width - piece; j += piece) emit_(word.link, word.cell + j, 1, 0);
      centre(word, j, width, 0);
    }
    return 1;
  }

  /// Emits the middle of the channels from `from` to the end of a cluster of this width; false if
  /// the first edge leaves no channel for it.
  KOKKOS_FORCEINLINE_FUNCTION bool centre(const ScifiWord& word, int from, int width,
                                          int size) const {
    const int cell = word.cell + from + (width - from - 1) / 2 - 1;
    if (cell < 0) return false;
    emit_(word.link, cell, (width - 1) % 2, size);
    return true;
  }

  const ScifiWords& words_;
  const Emit& emit_;
};

/// Calls `emit(link, cell, fraction, pseudo size)` for the clusters of a bank, see ScifiClusters.
template <class Emit>
KOKKOS_FORCEINLINE_FUNCTION int for_each_scifi_cluster(int version, const ScifiWords& words,
                                                       const Emit& emit) {
  return ScifiClusters<Emit>(words, emit)(version);
}

/// Number of clusters of a bank.
KOKKOS_INLINE_FUNCTION int number_of_scifi_clusters(int version, const ScifiWords& words) {
  int n = 0;
  for_each_scifi_cluster(version, words, [&n](int, int, int, int) { ++n; });
  return n;
}

}  // namespace trackplex::lhcb::detail
