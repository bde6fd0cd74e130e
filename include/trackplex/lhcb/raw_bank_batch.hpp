// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/compiled.hpp>
#include <trackplex/core/copy.hpp>
#include <trackplex/core/error.hpp>
#include <trackplex/lhcb/raw_banks.hpp>

#include <cstdint>
#include <limits>
#include <span>
#include <string>

namespace trackplex::lhcb {

/// Raw banks of one kind of a batch of events, in the memory space of the kernels. Event e has the
/// banks [event_banks(e), event_banks(e + 1)), bank b the words [first_words(b), first_words(b +
/// 1)).
template <class MemorySpace>
struct RawBankBatch {
  template <class T>
  using Array = Kokkos::View<T*, MemorySpace>;  ///< Array in this memory space.

  Array<std::uint32_t> words;        ///< payloads of all banks
  Array<std::uint32_t> first_words;  ///< (bank), one more than banks: index of the first word
  Array<std::uint16_t> sources;      ///< (bank): sensor or board
  Array<std::uint32_t> event_banks;  ///< (event), one more than events: index of the first bank
  int version = 0;                   ///< of all banks; 0 if there is none
  int n_events = 0;                  ///< number of events
  int n_banks = 0;                   ///< number of banks of all events
  int n_words = 0;                   ///< number of words of all banks
};

/// Copies the plain members and calls f(array of from, array of to, label, entries) for each array;
/// see core/copy.hpp.
template <class From, class To, class F>
void for_each_array(const RawBankBatch<From>& from, RawBankBatch<To>& to, const F& f) {
  to.version = from.version;
  to.n_events = from.n_events;
  to.n_banks = from.n_banks;
  to.n_words = from.n_words;
  const auto banks = std::size_t(from.n_banks);
  f(from.words, to.words, "Trackplex::Lhcb::raw_words", std::size_t(from.n_words));
  f(from.first_words, to.first_words, "Trackplex::Lhcb::raw_first_words", banks + 1);
  f(from.sources, to.sources, "Trackplex::Lhcb::raw_sources", banks);
  f(from.event_banks, to.event_banks, "Trackplex::Lhcb::raw_event_banks",
    std::size_t(from.n_events) + 1);
}

/// Sets the sizes and allocates the arrays for the banks of one kind, on the host. `banks` is
/// &RawEvent::vp, &RawEvent::ut or &RawEvent::scifi.
/// @throws UsageError if the banks of the events are of different versions
/// @throws CapacityError if there are 2^31 words or more
template <class Memory>
void allocate_raw_banks(const Memory& memory, std::span<const RawEvent* const> events,
                        RawBanks RawEvent::*banks, RawBankBatch<Kokkos::HostSpace>& staging) {
  std::size_t n_banks = 0, n_words = 0;
  int version = 0;
  for (const auto* event : events) {
    const RawBanks& some = event->*banks;
    if (some.size() == 0) continue;
    if (n_banks == 0) version = some.version;
    n_banks += some.size();
    n_words += some.words.size();
    if (some.version != version)
      throw UsageError(event->name, "its banks have another version than those before",
                       "a batch has one version",
                       "load such events in batches of their own (programs: --slots 1 --batch 1)");
  }
  constexpr std::size_t capacity = std::numeric_limits<std::int32_t>::max();
  if (n_words > capacity)
    throw CapacityError("allocate_raw_banks", "words", n_words, capacity,
                        "take fewer events at a time");
  staging.version = version;
  staging.n_events = int(events.size());
  staging.n_banks = int(n_banks);
  staging.n_words = int(n_words);
  allocate_arrays(memory, staging);
}

/// Writes the banks, in the order of their events, to the arrays of allocate_raw_banks().
void stage_raw_banks(std::span<const RawEvent* const> events, RawBanks RawEvent::*banks,
                     const RawBankBatch<Kokkos::HostSpace>& staging);

}  // namespace trackplex::lhcb

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/lhcb/detail/raw_bank_batch.impl.hpp>
#endif
