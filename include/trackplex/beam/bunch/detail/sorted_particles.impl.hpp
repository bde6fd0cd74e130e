// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/bunch/detail/sort_particles.hpp>
#include <trackplex/beam/bunch/particle_table.hpp>
#include <trackplex/beam/bunch/sorted_particles.hpp>
#include <trackplex/core/fingerprint.hpp>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace trackplex::beam {

TRACKPLEX_INLINE std::string fingerprint_of(const ParticleTable& table, const Ranks* ranks) {
  std::vector<std::uint64_t> blocks;
  for (int begin = 0; begin < table.size(); begin += reduce_block) {
    Fingerprint block;
    const int end = begin + std::min(reduce_block, table.size() - begin);
    for (const auto& column : table.v)
      for (int i = begin; i < end; ++i) block.add(column[i]);
    for (const auto& component : table.spin)
      for (int i = begin; i < end && table.has_spins; ++i) block.add(component[i]);
    for (int i = begin; i < end; ++i)
      block.add(table.ids[i]).add(table.losses[i].turn).add(table.losses[i].element);
    blocks.push_back(block.value());
  }
  return Fingerprint().add(sum_over(ranks, table.size())).add(gather_all(ranks, blocks)).hex();
}

}  // namespace trackplex::beam
