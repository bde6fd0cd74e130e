// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/algorithm.hpp>
#include <trackplex/lhcb/detail/ut_decoding.hpp>
#include <trackplex/lhcb/raw_input.hpp>
#include <trackplex/lhcb/ut/ut_decoding_table.hpp>
#include <trackplex/lhcb/ut/ut_hits.hpp>

namespace trackplex::lhcb {

/// Algorithm: decodes UT banks of version 3 to hits in the order defined by UtHits. Hits of
/// channels without a sector are skipped and counted (UtHits::unmapped). One kernel, a team per
/// event.
template <class T, class ExecutionSpace, int Width = default_lane_width<ExecutionSpace, T>>
struct DecodeUt {
  using MemorySpace = typename ExecutionSpace::memory_space;  ///< Memory space of all arrays.
  using Input = RawInput<MemorySpace>;                        ///< Read: raw banks.
  using Hits = UtHits<T, MemorySpace>;                        ///< Made: hits of the UT, sorted.
  using Table = UtDecodingTable<T, MemorySpace>;              ///< Boards and sectors.
  static constexpr const char* name = "decode_ut";
  static constexpr bool aliases_inputs = true;  ///< The hits share the offsets of the input.

  Table table;        ///< see ut_decoding_table()
  int team_size = 0;  ///< threads per event; 0: default of the space

  /// Allocates the hits with the capacity that the host derived from the banks.
  template <class Memory>
  void allocate(const Memory& memory, const Input& input, Hits& hits) const {
    const auto& capacity = input.ut_capacity;
    hits.groups = table.groups;
    hits.n_events = capacity.n_events;
    hits.n_hits = capacity.n_hits;
    hits.max_event_hits = capacity.max_event_hits;
    hits.event_offsets = capacity.event_offsets;
    allocate_arrays(memory.of(hits), hits);
  }

  /// Enqueues the kernel.
  /// @throws UsageError if the banks do not have version 3, or the hits were allocated for
  ///         other banks or another table
  void operator()(const ExecutionSpace& exec, const Input& input, Hits& hits) const {
    const auto& banks = input.ut_banks;
    if (banks.n_banks > 0) detail::check_ut_bank_version(banks.version, name);
    if (hits.n_events != banks.n_events || hits.groups != table.groups)
      throw UsageError(name, "the hits are not allocated for these banks and this table", {},
                       "allocate() with the same input comes before");
    using Kernel = detail::UtDecoding<LanesOf<T, Width>, RawBankBatch<MemorySpace>, Table, Hits>;
    for_each_team(exec, "Trackplex::Lhcb::decode_ut", hits.n_events, Kernel{banks, table, hits},
                  team_size);
  }
};

}  // namespace trackplex::lhcb

#if defined(TRACKPLEX_INSTANCES)
#include <trackplex/lhcb/detail/decode_ut.instances.hpp>
#endif
