// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/copy.hpp>
#include <trackplex/lhcb/raw_bank_batch.hpp>
#include <trackplex/lhcb/raw_banks.hpp>

#include <algorithm>
#include <cstdint>
#include <span>

namespace trackplex::lhcb {

TRACKPLEX_INLINE void stage_raw_banks(std::span<const RawEvent* const> events,
                                      RawBanks RawEvent::*banks,
                                      const RawBankBatch<Kokkos::HostSpace>& staging) {
  std::uint32_t bank = 0, word = 0;
  staging.event_banks(0) = 0;
  for (std::size_t e = 0; e < events.size(); ++e) {
    const RawBanks& event = events[e]->*banks;
    std::copy(event.words.begin(), event.words.end(), staging.words.data() + word);
    std::copy(event.sources.begin(), event.sources.end(), staging.sources.data() + bank);
    for (std::size_t b = 0; b < event.size(); ++b)
      staging.first_words(bank + b) = word + event.first_words[b];
    bank += std::uint32_t(event.size());
    word += std::uint32_t(event.words.size());
    staging.event_banks(e + 1) = bank;
  }
  staging.first_words(bank) = word;
}

}  // namespace trackplex::lhcb
