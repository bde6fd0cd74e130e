// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace trackplex::lhcb {

/// Types of raw banks that Trackplex reads, with LHCb's numbers.
enum class BankType : std::uint8_t {
  odin = 16,         ///< run and number of the event
  mc_tracks = 32,    ///< simulated particles
  mc_vertices = 33,  ///< simulated primary vertices
  vp = 63,           ///< super-pixels of the VELO
  scifi = 64,        ///< clusters of the SciFi
  ut = 66,           ///< strips of the UT
};

/// Raw banks of one kind of an event, on the host. The payload of bank b is the words
/// [first_words[b], first_words[b + 1]); bytes after its `bytes[b]` bytes are zero.
struct RawBanks {
  int version = 0;                            ///< version of the format, of all banks
  std::vector<std::uint16_t> sources;         ///< (bank): sensor or board
  std::vector<std::uint32_t> bytes;           ///< (bank): size of the payload
  std::vector<std::uint32_t> first_words{0};  ///< (bank), one more than banks: index in `words`
  std::vector<std::uint32_t> words;           ///< payloads of all banks

  /// Number of banks.
  std::size_t size() const { return sources.size(); }

  /// Payload of a bank, in words.
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

  /// Compares all members.
  friend bool operator==(const RawBanks&, const RawBanks&) = default;
};

/// Event as the detector sends it: the raw banks of the VELO (VP), of the UT and of the SciFi.
struct RawEvent {
  std::string name;          ///< source of the event, for messages
  std::uint32_t run = 0;     ///< number of the run
  std::uint64_t number = 0;  ///< number of the event in the run
  RawBanks vp;               ///< super-pixels of the VELO
  RawBanks ut;               ///< strips of the UT
  RawBanks scifi;            ///< clusters of the SciFi

  /// Compares all members.
  friend bool operator==(const RawEvent&, const RawEvent&) = default;
};

}  // namespace trackplex::lhcb
