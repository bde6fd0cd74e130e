// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/algorithm.hpp>
#include <trackplex/core/host_executor.hpp>
#include <trackplex/lhcb/decode_scifi.hpp>

#include "lhcb/scifi_reference.hpp"

namespace trackplex::test {

/// The SciFi banks of events on the host, as the first step of a chain writes them.
inline lhcb::StagedScifiBanks staged_scifi_banks(std::span<const lhcb::RawEvent> events) {
  std::vector<const lhcb::RawEvent*> pointers;
  for (const auto& event : events) pointers.push_back(&event);
  const chain::Events<lhcb::RawEvent> input{pointers};
  lhcb::StagedScifiBanks banks;
  run_algorithm(HostExecutor(), lhcb::StageScifiBanks(), input, banks);
  return banks;
}

/// The SciFi banks of events where kernels of a space reach them.
template <class Space>
lhcb::ScifiInput<typename Space::memory_space> loaded_scifi_banks(
    const Space& exec, std::span<const lhcb::RawEvent> events) {
  const auto staged = staged_scifi_banks(events);
  lhcb::ScifiInput<typename Space::memory_space> banks;
  run_algorithm(exec, lhcb::CopyScifiBanks<Space>(), staged, banks);
  exec.fence();
  return banks;
}

/// Decoded SciFi hits on the host.
template <class Real>
struct DecodedScifiEvents {
  lhcb::ScifiHits<Real, Kokkos::HostSpace> hits;

  /// Hits of an event by their zones.
  ScifiReferenceEvent<Real> event(std::size_t e) const {
    ScifiReferenceEvent<Real> result;
    result.invalid = hits.invalid(e);
    const std::size_t first = hits.event_offsets(e);
    const auto* offsets = hits.zone_offsets.data() + e * (lhcb::scifi_zones + 1);
    for (int zone = 0; zone < lhcb::scifi_zones; ++zone)
      for (auto i = first + offsets[zone]; i < first + offsets[zone + 1]; ++i)
        result.hits.push_back({zone, hits.x(i), hits.z(i), hits.y_begin(i), hits.y_end(i),
                               hits.weight(i), hits.cluster_size(i), hits.id(i)});
    return result;
  }
};

template <int Width, class Real, class Space>
DecodedScifiEvents<Real> decode_scifi_on(const lhcb::ScifiGeometry& geometry,
                                         std::span<const lhcb::RawEvent> events,
                                         int team_size = 0) {
  const Space exec;
  const auto banks = loaded_scifi_banks(exec, events);
  const auto table = lhcb::scifi_decoding_table<Real>(exec, geometry);
  lhcb::ScifiHits<Real, typename Space::memory_space> hits;
  run_algorithm(exec, lhcb::DecodeScifi<Real, Space, Width>{table, team_size}, banks, hits);
  exec.fence();
  DecodedScifiEvents<Real> result;
  for_each_array(hits, result.hits, [](const auto& from, auto& to, const char*, std::size_t) {
    to = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), from);
  });
  return result;
}

}  // namespace trackplex::test
