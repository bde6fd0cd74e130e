// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/compiled.hpp>
#include <trackplex/core/copy.hpp>
#include <trackplex/lhcb/raw_bank_batch.hpp>
#include <trackplex/lhcb/ut/ut_hits.hpp>

#include <span>
#include <string>

namespace trackplex::lhcb {

/// Version of the UT banks that can be decoded to positions.
inline constexpr int ut_bank_version = 3;

namespace detail {

void check_ut_bank_version(int version, const std::string& where);

}  // namespace detail

/// Sets the size and allocates the array for stage_ut_capacity().
template <class Memory>
void allocate_ut_capacity(const Memory& memory, std::span<const RawEvent* const> events,
                          UtCapacity<Kokkos::HostSpace>& capacity) {
  capacity.n_events = int(events.size());
  allocate_arrays(memory, capacity);
}

/// Checks the UT banks of the events and adds up the numbers of hits in their headers.
/// @throws UsageError if an event has UT banks of another version than 3
/// @throws InputError if a bank is too short for its hits
/// @throws CapacityError if an event has more than 65535 hits, or all together 2^31 or more
void stage_ut_capacity(std::span<const RawEvent* const> events,
                       UtCapacity<Kokkos::HostSpace>& capacity);

}  // namespace trackplex::lhcb

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/lhcb/detail/ut_banks.impl.hpp>
#endif
