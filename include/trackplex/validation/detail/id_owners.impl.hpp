// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/lhcb/mc_event.hpp>
#include <trackplex/validation/detail/id_owners.hpp>

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace trackplex::validation::detail {

TRACKPLEX_INLINE IdOwners::IdOwners(const lhcb::McEvent& event, bool with_scifi) {
  std::vector<std::uint64_t> pairs;  // id, then particle: the order of both
  for (std::size_t p = 0; p < event.particles.size(); ++p) {
    const auto add = [&](const std::vector<std::uint32_t>& ids) {
      for (const std::uint32_t id : ids) pairs.push_back(std::uint64_t(id) << 32 | p);
    };
    add(event.particles[p].velo_ids);
    add(event.particles[p].ut_ids);
    if (with_scifi) add(event.particles[p].scifi_ids);
  }
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  for (const std::uint64_t pair : pairs) {
    ids_.push_back(std::uint32_t(pair >> 32));
    owners_.push_back(std::uint32_t(pair));
  }
}

TRACKPLEX_INLINE std::span<const std::uint32_t> IdOwners::operator[](std::uint32_t id) const {
  const auto [begin, end] = std::equal_range(ids_.begin(), ids_.end(), id);
  return std::span(owners_).subspan(std::size_t(begin - ids_.begin()), std::size_t(end - begin));
}

}  // namespace trackplex::validation::detail
