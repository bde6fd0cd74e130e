// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/lhcb/raw_banks.hpp>
#include <trackplex/lhcb/ut/ut_geometry.hpp>
#include <trackplex/simulation/detail/ut_sectors.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace trackplex::simulation::detail {

/// A strip with a signal, as the readout counts: place = board << 16 | channel of the board.
struct LitStrip {
  std::uint32_t place;
  std::uint32_t quarters;  ///< of a strip, from its middle on
  bool high;               ///< above the higher threshold

  friend auto operator<=>(const LitStrip&, const LitStrip&) = default;
};

/// The UT's boards, to write what they send.
class UtReadout {
 public:
  static constexpr int version = 3;

  explicit UtReadout(const lhcb::UtBoards& boards)
      : boards_(boards), hybrid_(lhcb::ut_sectors, not_connected) {
    for (std::size_t h = 0; h < boards.sector.size(); ++h) {
      if (boards.sector[h] == 0) continue;
      hybrid_[ut_sector(boards.station[h], boards.layer[h], boards.region[h], boards.sector[h])] =
          static_cast<std::uint32_t>(h);
    }
  }

  bool connected(std::size_t sector) const { return hybrid_[sector] != not_connected; }

  /// Place of a strip, counted from 0, of a connected sector; see LitStrip.
  std::uint32_t place(std::size_t sector, std::uint32_t strip) const {
    const std::uint32_t hybrid = hybrid_[sector];
    const std::uint32_t board = hybrid / per_board;
    return board << 16 | (hybrid % per_board * boards_.strips_per_hybrid[board] + strip);
  }

  /// LHCbID of that strip.
  std::uint32_t id(std::size_t sector, std::uint32_t strip) const {
    return lhcb::ut_id_tag << 28 | (boards_.channel[hybrid_[sector]] + strip + 1);
  }

  /// The banks of all boards that are in use. Strips ascending in place, each once.
  lhcb::RawBanks write(std::span<const LitStrip> strips) const {
    lhcb::RawBanks banks;
    banks.version = version;
    std::vector<std::uint32_t> words;
    std::size_t next = 0;
    for (std::uint32_t board = 0; board < boards_.size(); ++board) {
      if (boards_.strips_per_hybrid[board] == 0) continue;
      const std::size_t first = next;
      while (next < strips.size() && strips[next].place >> 16 == board) ++next;
      fill(words, strips.subspan(first, next - first));
      banks.push_back(static_cast<std::uint16_t>(board), words);
    }
    return banks;
  }

 private:
  static constexpr std::uint32_t not_connected = 0xffffffffu;
  static constexpr std::uint32_t per_board = lhcb::UtBoards::hybrids_per_board;
  static constexpr std::uint32_t header_flags = 128u << 16;  // as in all banks of the detector

  static void fill(std::vector<std::uint32_t>& words, std::span<const LitStrip> strips) {
    words.assign(1 + (strips.size() + 1) / 2, 0);
    words[0] = header_flags | static_cast<std::uint32_t>(strips.size());
    for (std::size_t i = 0; i < strips.size(); ++i) {
      const LitStrip& strip = strips[i];
      const std::uint32_t half =
          (strip.high ? 1u << 15 : 0u) | (strip.place & 0xfffu) << 2 | strip.quarters;
      words[1 + i / 2] |= half << (16 * (i % 2));
    }
  }

  lhcb::UtBoards boards_;
  std::vector<std::uint32_t> hybrid_;  ///< of each sector
};

}  // namespace trackplex::simulation::detail
