// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/error.hpp>
#include <trackplex/lhcb/detail/staged.hpp>
#include <trackplex/lhcb/raw_banks.hpp>

#include <algorithm>
#include <limits>
#include <span>
#include <string>

namespace trackplex::lhcb {

/// The raw banks of one kind of many events, where kernels reach them. Event e has the banks
/// [event_banks(e), event_banks(e + 1)), bank b the words [first_words(b), first_words(b + 1)).
template <class MemorySpace>
struct RawBankBatch {
  template <class T>
  using Array = Kokkos::View<T*, MemorySpace>;

  Array<std::uint32_t> words;
  Array<std::uint32_t> first_words;
  Array<std::uint16_t> sources;
  Array<std::uint32_t> event_banks;
  int version = 0;  ///< of all banks; 0 where there is none
  int n_events = 0;
  int n_banks = 0;
  int n_words = 0;
};

/// Fills `batch` with one kind of banks of the events, in their order; arrays only grow. `banks` is
/// a member of RawEvent: &RawEvent::vp or &RawEvent::ut. The call waits for the instance: before it
/// writes what earlier kernels may still read, and at the end, for its copies.
/// @throws UsageError if the events' banks differ in version
/// @throws CapacityError if there are more words than 31 bits count
template <class ExecutionSpace>
void load_raw_banks(const ExecutionSpace& exec, std::span<const RawEvent> events,
                    RawBanks RawEvent::*banks,
                    RawBankBatch<typename ExecutionSpace::memory_space>& batch,
                    RawBankBatch<Kokkos::HostSpace>& staging) {
  std::size_t n_banks = 0, n_words = 0;
  int version = 0;
  for (const auto& event : events) {
    if ((event.*banks).size() == 0) continue;
    if (n_banks == 0) version = (event.*banks).version;
    n_banks += (event.*banks).size();
    n_words += (event.*banks).words.size();
    if ((event.*banks).version != version)
      throw UsageError(event.name, "its banks have another version than those before",
                       "a batch has one version", "load such events in batches of their own");
  }
  constexpr std::size_t capacity = std::numeric_limits<std::int32_t>::max();
  if (n_words > capacity)
    throw CapacityError("load_raw_banks", "words", n_words, capacity, "load fewer events");

  exec.fence();
  const auto for_each_array = [&](const auto& f) {
    f(batch.words, staging.words, "Trackplex::Lhcb::raw_words", n_words);
    f(batch.first_words, staging.first_words, "Trackplex::Lhcb::raw_first_words", n_banks + 1);
    f(batch.sources, staging.sources, "Trackplex::Lhcb::raw_sources", n_banks);
    f(batch.event_banks, staging.event_banks, "Trackplex::Lhcb::raw_event_banks",
      events.size() + 1);
  };
  for_each_array([&](auto& device, auto& host, const char* label, std::size_t n) {
    detail::reserve_staged(exec, device, host, label, n);
  });

  batch.version = version;
  batch.n_events = int(events.size());
  batch.n_banks = int(n_banks);
  batch.n_words = int(n_words);
  std::uint32_t bank = 0, word = 0;
  staging.event_banks(0) = 0;
  for (std::size_t e = 0; e < events.size(); ++e) {
    const RawBanks& event = events[e].*banks;
    std::copy(event.words.begin(), event.words.end(), staging.words.data() + word);
    std::copy(event.sources.begin(), event.sources.end(), staging.sources.data() + bank);
    for (std::size_t b = 0; b < event.size(); ++b)
      staging.first_words(bank + b) = word + event.first_words[b];
    bank += std::uint32_t(event.size());
    word += std::uint32_t(event.words.size());
    staging.event_banks(e + 1) = bank;
  }
  staging.first_words(bank) = word;

  for_each_array([&](auto& device, auto& host, const char*, std::size_t n) {
    detail::copy_staged(exec, device, host, n);
  });
  exec.fence();
}

}  // namespace trackplex::lhcb
