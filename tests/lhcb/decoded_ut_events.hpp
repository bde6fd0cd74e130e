// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/lhcb/decode_ut.hpp>

#include "lhcb/loaded_banks.hpp"
#include "lhcb/ut_reference.hpp"

namespace trackplex::test {

/// Decoded UT hits on the host.
template <class Real>
struct DecodedUtEvents {
  lhcb::UtHits<Real, Kokkos::HostSpace> hits;
  std::size_t groups = 0;

  /// Hits of an event and whether its group offsets fit to them.
  UtReferenceEvent<Real> event(std::size_t e) const {
    UtReferenceEvent<Real> result;
    result.unmapped = hits.unmapped(e);
    const std::size_t first = hits.event_offsets(e);
    const auto* offsets = hits.group_offsets.data() + e * (groups + 1);
    for (std::size_t g = 0; g < groups; ++g)
      for (auto i = first + offsets[g]; i < first + offsets[g + 1]; ++i)
        result.hits.push_back({int(g), hits.y_begin(i), hits.y_end(i), hits.x(i), hits.z(i),
                               hits.weight(i), hits.id(i)});
    return result;
  }
};

template <class View>
auto ut_on_host(const View& view) {
  return Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), view);
}

template <int Width, class Real, class Space>
DecodedUtEvents<Real> decode_on(const SmallUt& ut, std::span<const lhcb::RawEvent> events,
                                int team_size = 0) {
  const Space exec;
  const auto banks = loaded_banks(exec, events);
  const auto table = lhcb::ut_decoding_table<Real>(exec, ut.boards, ut.geometry, ut.groups);
  lhcb::UtHits<Real, typename Space::memory_space> hits;
  run_algorithm(exec, lhcb::DecodeUt<Real, Space, Width>{table, team_size}, banks, hits);
  exec.fence();
  DecodedUtEvents<Real> result;
  result.groups = std::size_t(table.groups);
  result.hits.y_begin = ut_on_host(hits.y_begin);
  result.hits.y_end = ut_on_host(hits.y_end);
  result.hits.x = ut_on_host(hits.x);
  result.hits.z = ut_on_host(hits.z);
  result.hits.weight = ut_on_host(hits.weight);
  result.hits.id = ut_on_host(hits.id);
  result.hits.event_offsets = ut_on_host(hits.event_offsets);
  result.hits.group_offsets = ut_on_host(hits.group_offsets);
  result.hits.unmapped = ut_on_host(hits.unmapped);
  result.hits.n_hits = hits.n_hits;
  return result;
}

}  // namespace trackplex::test
