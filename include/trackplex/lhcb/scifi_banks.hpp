// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/chain/common_algorithms.hpp>
#include <trackplex/core/compiled.hpp>
#include <trackplex/core/copy.hpp>
#include <trackplex/lhcb/raw_bank_batch.hpp>
#include <trackplex/lhcb/scifi/scifi_hits.hpp>

#include <span>

namespace trackplex::lhcb {

/// SciFi banks of a batch of events, and the capacity that their hits need.
template <class MemorySpace>
struct ScifiInput {
  RawBankBatch<MemorySpace> banks;      ///< banks of the SciFi
  ScifiCapacity<MemorySpace> capacity;  ///< capacity for hits of the SciFi
};

/// Calls `f` for the arrays of all members; see core/copy.hpp.
template <class From, class To, class F>
void for_each_array(const ScifiInput<From>& from, ScifiInput<To>& to, const F& f) {
  for_each_array(from.banks, to.banks, f);
  for_each_array(from.capacity, to.capacity, f);
}

/// Sets the sizes and allocates the arrays for stage_scifi_capacity().
template <class Memory>
void allocate_scifi_capacity(const Memory& memory, std::span<const RawEvent* const> events,
                             ScifiCapacity<Kokkos::HostSpace>& capacity) {
  std::size_t n_banks = 0;
  for (const auto* event : events) n_banks += event->scifi.size();
  capacity.n_events = int(events.size());
  capacity.n_banks = int(n_banks);
  allocate_arrays(memory, capacity);
}

/// Checks the SciFi banks of the events and counts their clusters.
/// @throws InputError if a bank is of an unknown version, or too short for its header
/// @throws CapacityError if an event has more than 65535 clusters, or all together 2^31 or more
void stage_scifi_capacity(std::span<const RawEvent* const> events,
                          ScifiCapacity<Kokkos::HostSpace>& capacity);

/// SciFi banks on the host, to be copied to the device.
using StagedScifiBanks = chain::Staged<ScifiInput<Kokkos::HostSpace>>;

/// Algorithm on the host: checks the SciFi banks of the events and writes them to arrays, in the
/// order of the events.
struct StageScifiBanks {
  static constexpr const char* name = "stage_scifi_banks";

  bool enabled = true;  ///< false: there are no events for the steps that read the banks

  /// Sets the sizes of the banks and allocates their arrays.
  /// @throws UsageError, CapacityError as allocate_raw_banks()
  template <class Memory>
  void allocate(const Memory& memory, const chain::Events<RawEvent>& events,
                StagedScifiBanks& staged) const {
    const auto of_banks = memory.of(staged);
    allocate_raw_banks(of_banks, read_of(events), &RawEvent::scifi, staged.banks);
    allocate_scifi_capacity(of_banks, read_of(events), staged.capacity);
  }
  /// Writes the banks, and the capacity that their hits need.
  /// @throws InputError, CapacityError as stage_scifi_capacity()
  void operator()(const chain::Events<RawEvent>& events, StagedScifiBanks& staged) const {
    stage_raw_banks(read_of(events), &RawEvent::scifi, staged.banks);
    stage_scifi_capacity(read_of(events), staged.capacity);
  }

 private:
  std::span<const RawEvent* const> read_of(const chain::Events<RawEvent>& events) const {
    return events.pointers.first(enabled ? events.pointers.size() : 0);
  }
};

/// Algorithm: copy of the SciFi banks to the device; on hosts nothing is copied.
template <class ExecutionSpace>
struct CopyScifiBanks : chain::CopyArrays<ExecutionSpace, StagedScifiBanks,
                                          ScifiInput<typename ExecutionSpace::memory_space>> {
  static constexpr const char* name = "copy_scifi_banks";
};

}  // namespace trackplex::lhcb

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/lhcb/detail/scifi_banks.impl.hpp>
#endif
