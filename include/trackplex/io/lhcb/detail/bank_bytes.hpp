// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/lhcb/raw_banks.hpp>

#include <cstdint>
#include <cstring>
#include <string_view>

namespace trackplex::io::detail {

/// Appends a bank of any number of bytes; the rest of its last word is zero.
inline void append_bank(lhcb::RawBanks& banks, std::uint16_t source, std::string_view payload) {
  const std::size_t first = banks.words.size();
  banks.words.resize(first + (payload.size() + 3) / 4);
  if (!payload.empty()) std::memcpy(banks.words.data() + first, payload.data(), payload.size());
  banks.sources.push_back(source);
  banks.bytes.push_back(static_cast<std::uint32_t>(payload.size()));
  banks.first_words.push_back(static_cast<std::uint32_t>(banks.words.size()));
}

/// The whole words of a bank as bytes.
inline std::string_view bank_words(const lhcb::RawBanks& banks, std::size_t bank) {
  const auto words = banks.payload(bank);
  return {reinterpret_cast<const char*>(words.data()), words.size_bytes()};
}

/// The bytes of a bank.
inline std::string_view bank_bytes(const lhcb::RawBanks& banks, std::size_t bank) {
  return bank_words(banks, bank).substr(0, banks.bytes[bank]);
}

}  // namespace trackplex::io::detail
