// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/chain/common_algorithms.hpp>
#include <trackplex/lhcb/raw_bank_batch.hpp>
#include <trackplex/lhcb/ut_banks.hpp>
#include <trackplex/lhcb/vp_clusters.hpp>

namespace trackplex::lhcb {

/// Raw banks of many events, and the capacity that their hits need.
template <class MemorySpace>
struct RawInput {
  RawBankBatch<MemorySpace> vp_banks, ut_banks;
  VpCapacity<MemorySpace> vp_capacity;
  UtCapacity<MemorySpace> ut_capacity;
};

/// See core/copy.hpp.
template <class From, class To, class F>
void for_each_array(const RawInput<From>& from, RawInput<To>& to, const F& f) {
  for_each_array(from.vp_banks, to.vp_banks, f);
  for_each_array(from.ut_banks, to.ut_banks, f);
  for_each_array(from.vp_capacity, to.vp_capacity, f);
  for_each_array(from.ut_capacity, to.ut_capacity, f);
}

/// Banks on the host.
using StagedBanks = chain::Staged<RawInput<Kokkos::HostSpace>>;

/// Checks the banks of the events, and writes them, in their order.
struct StageBanks {
  static constexpr const char* name = "stage_banks";

  /// @throws UsageError, CapacityError as allocate_raw_banks
  template <class Memory>
  void allocate(const Memory& memory, const chain::Events<RawEvent>& events,
                StagedBanks& banks) const {
    const auto of_banks = memory.of(banks);
    allocate_raw_banks(of_banks, events.pointers, &RawEvent::vp, banks.vp_banks);
    allocate_raw_banks(of_banks, events.pointers, &RawEvent::ut, banks.ut_banks);
    allocate_vp_capacity(of_banks, events.pointers, banks.vp_capacity);
    allocate_ut_capacity(of_banks, events.pointers, banks.ut_capacity);
  }
  /// @throws InputError, UsageError, CapacityError as stage_vp_capacity and stage_ut_capacity
  void operator()(const chain::Events<RawEvent>& events, StagedBanks& banks) const {
    stage_raw_banks(events.pointers, &RawEvent::vp, banks.vp_banks);
    stage_raw_banks(events.pointers, &RawEvent::ut, banks.ut_banks);
    stage_vp_capacity(events.pointers, banks.vp_capacity);
    stage_ut_capacity(events.pointers, banks.ut_capacity);
  }
};

template <class ExecutionSpace>
struct CopyBanks : chain::CopyArrays<ExecutionSpace, StagedBanks,
                                     RawInput<typename ExecutionSpace::memory_space>> {
  static constexpr const char* name = "copy_banks";
};

}  // namespace trackplex::lhcb
