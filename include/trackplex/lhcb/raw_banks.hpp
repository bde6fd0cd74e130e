// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace trackplex::lhcb {

/// Kinds of raw banks, by the numbers that LHCb gives them. Only those that Trackplex reads.
enum class BankType : std::uint8_t {
  odin = 16,
  mc_tracks = 32,
  mc_vertices = 33,
  vp = 63,
  ut = 66,
};

/// The raw banks of one kind in one event, on the host. The payload of bank b is the words
/// [first_words[b], first_words[b + 1]), filled up with zeros from its `bytes[b]` bytes on.
struct RawBanks {
  int version = 0;
  std::vector<std::uint16_t> sources;  ///< sensor or board of each bank
  std::vector<std::uint32_t> bytes;    ///< of each payload
  std::vector<std::uint32_t> first_words{0};
  std::vector<std::uint32_t> words;

  std::size_t size() const { return sources.size(); }

  std::span<const std::uint32_t> payload(std::size_t bank) const {
    return {words.data() + first_words[bank], first_words[bank + 1] - first_words[bank]};
  }

  /// Appends a bank of whole words.
  void push_back(std::uint16_t source, std::span<const std::uint32_t> payload) {
    sources.push_back(source);
    bytes.push_back(static_cast<std::uint32_t>(4 * payload.size()));
    words.insert(words.end(), payload.begin(), payload.end());
    first_words.push_back(static_cast<std::uint32_t>(words.size()));
  }

  friend bool operator==(const RawBanks&, const RawBanks&) = default;
};

/// One event as the detector sends it: the raw banks of the VELO (VP) and of the UT.
struct RawEvent {
  std::string name;  ///< where the event came from, for messages
  std::uint32_t run = 0;
  std::uint64_t number = 0;
  RawBanks vp;
  RawBanks ut;

  friend bool operator==(const RawEvent&, const RawEvent&) = default;
};

}  // namespace trackplex::lhcb
