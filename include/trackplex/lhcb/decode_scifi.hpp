// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/algorithm.hpp>
#include <trackplex/core/error.hpp>
#include <trackplex/lhcb/check_raw_banks.hpp>
#include <trackplex/lhcb/detail/scifi_decoding.hpp>
#include <trackplex/lhcb/scifi/scifi_decoding_table.hpp>
#include <trackplex/lhcb/scifi/scifi_hits.hpp>
#include <trackplex/lhcb/scifi_banks.hpp>

#include <string>

namespace trackplex::lhcb {

/// Algorithm: decodes SciFi banks of versions 4 to 8 to hits in the order defined by ScifiHits.
/// Clusters without a mat are skipped and counted (ScifiHits::invalid). One kernel, a team per
/// event.
///
/// The position across the fibres is that of ScifiGeometry. Version 4 has one hit per word. In
/// versions 5, 6 and 8 two words are the edges of a wide cluster: one hit in its middle up to a
/// width of 8 channels, else hits of pseudo size 0 every 4 channels. Version 7 is read as 4, with
/// the SiPMs of 8.
template <class T, class ExecutionSpace, int Width = default_lane_width<ExecutionSpace, T>>
struct DecodeScifi {
  using MemorySpace = typename ExecutionSpace::memory_space;  ///< Memory space of all arrays.
  using Input = ScifiInput<MemorySpace>;                      ///< Read: raw banks.
  using Hits = ScifiHits<T, MemorySpace>;                     ///< Made: hits of the SciFi, sorted.
  using Table = ScifiDecodingTable<T, MemorySpace>;           ///< Banks and mats.
  static constexpr const char* name = "decode_scifi";
  static constexpr bool aliases_inputs = true;  ///< The hits share the offsets of the input.

  Table table;        ///< see scifi_decoding_table()
  int team_size = 0;  ///< threads per event; 0: default of the space

  /// Allocates the hits with the capacity that the host derived from the banks.
  template <class Memory>
  void allocate(const Memory& memory, const Input& input, Hits& hits) const {
    hits.n_events = input.capacity.n_events;
    hits.n_hits = input.capacity.n_hits;
    hits.max_event_hits = input.capacity.max_event_hits;
    hits.event_offsets = input.capacity.event_offsets;
    allocate_arrays(memory.of(hits), hits);
  }

  /// Enqueues the kernel.
  /// @throws UsageError if the geometry is not of the form that the version of the banks needs
  ///         (see ScifiGeometry), or the hits were allocated for other banks
  void operator()(const ExecutionSpace& exec, const Input& input, Hits& hits) const {
    const auto& banks = input.banks;
    if (banks.n_banks > 0 && (banks.version >= scifi_link_version) != table.has_links)
      throw UsageError(name, "SciFi banks of version " + std::to_string(banks.version),
                       table.has_links ? "the geometry lists the SiPMs of versions 7 and 8"
                                       : "the geometry lists the channels of versions 4 to 6",
                       "use a geometry of the year of the banks");
    if (hits.n_events != banks.n_events || hits.n_hits != input.capacity.n_hits)
      throw UsageError(name, "the hits are not allocated for these banks", {},
                       "allocate() with the same input comes before");
    using Kernel = detail::ScifiDecoding<LanesOf<T, Width>, Input, Table, Hits>;
    for_each_team(exec, "Trackplex::Lhcb::decode_scifi", hits.n_events, Kernel{input, table, hits},
                  team_size);
  }
};

}  // namespace trackplex::lhcb

#if defined(TRACKPLEX_INSTANCES)
#include <trackplex/lhcb/detail/decode_scifi.instances.hpp>
#endif
