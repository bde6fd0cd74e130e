// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/copy.hpp>
#include <trackplex/core/error.hpp>
#include <trackplex/lhcb/velo/hits.hpp>
#include <trackplex/lhcb/velo/velo_event.hpp>
#include <trackplex/lhcb/velo/velo_hits.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>

namespace trackplex::lhcb {
namespace detail {

TRACKPLEX_INLINE std::size_t checked_event_size(const VeloEvent& event) {
  const std::size_t n = event.size();
  const bool ascending = std::is_sorted(event.module_offsets.begin(), event.module_offsets.end());
  if (event.y.size() != n || event.z.size() != n || !ascending ||
      event.module_offsets.front() != 0 || event.module_offsets.back() != n)
    throw UsageError(event.name, "the arrays of hits and the module offsets do not agree");
  constexpr std::size_t capacity = std::numeric_limits<std::uint16_t>::max();
  if (n > capacity)
    throw CapacityError(event.name, "hits", n, capacity,
                        "an index of a hit inside its event has 16 bits");
  return n;
}

}  // namespace detail
}  // namespace trackplex::lhcb
