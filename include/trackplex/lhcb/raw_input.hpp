// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/chain/common_algorithms.hpp>
#include <trackplex/lhcb/raw_bank_batch.hpp>
#include <trackplex/lhcb/ut_banks.hpp>
#include <trackplex/lhcb/vp_clusters.hpp>

namespace trackplex::lhcb {

/// Raw banks of a batch of events, and the capacity that their hits need.
template <class MemorySpace>
struct RawInput {
  RawBankBatch<MemorySpace> vp_banks,   ///< banks of the VELO
      ut_banks;                         ///< banks of the UT
  VpCapacity<MemorySpace> vp_capacity;  ///< capacity for hits of the VELO
  UtCapacity<MemorySpace> ut_capacity;  ///< capacity for hits of the UT
};

/// Calls `f` for the arrays of all members; see core/copy.hpp.
template <class From, class To, class F>
void for_each_array(const RawInput<From>& from, RawInput<To>& to, const F& f) {
  for_each_array(from.vp_banks, to.vp_banks, f);
  for_each_array(from.ut_banks, to.ut_banks, f);
  for_each_array(from.vp_capacity, to.vp_capacity, f);
  for_each_array(from.ut_capacity, to.ut_capacity, f);
}

/// Raw banks on the host, to be copied to the device.
using StagedBanks = chain::Staged<RawInput<Kokkos::HostSpace>>;

/// Algorithm on the host: checks the banks of the events and writes them to arrays, in the order of
/// the events.
struct StageBanks {
  static constexpr const char* name = "stage_banks";

  /// Sets the sizes of the banks and allocates their arrays.
  /// @throws UsageError, CapacityError as allocate_raw_banks()
  template <class Memory>
  void allocate(const Memory& memory, const chain::Events<RawEvent>& events,
                StagedBanks& banks) const {
    const auto of_banks = memory.of(banks);
    allocate_raw_banks(of_banks, events.pointers, &RawEvent::vp, banks.vp_banks);
    allocate_raw_banks(of_banks, events.pointers, &RawEvent::ut, banks.ut_banks);
    allocate_vp_capacity(of_banks, events.pointers, banks.vp_capacity);
    allocate_ut_capacity(of_banks, events.pointers, banks.ut_capacity);
  }
  /// Writes the banks, and the capacity that their hits need.
  /// @throws InputError, UsageError, CapacityError as stage_vp_capacity() and stage_ut_capacity()
  void operator()(const chain::Events<RawEvent>& events, StagedBanks& banks) const {
    stage_raw_banks(events.pointers, &RawEvent::vp, banks.vp_banks);
    stage_raw_banks(events.pointers, &RawEvent::ut, banks.ut_banks);
    stage_vp_capacity(events.pointers, banks.vp_capacity);
    stage_ut_capacity(events.pointers, banks.ut_capacity);
  }
};

/// Algorithm: copy of the raw banks to the device; on hosts nothing is copied.
template <class ExecutionSpace>
struct CopyBanks : chain::CopyArrays<ExecutionSpace, StagedBanks,
                                     RawInput<typename ExecutionSpace::memory_space>> {
  static constexpr const char* name = "copy_banks";
};

}  // namespace trackplex::lhcb
