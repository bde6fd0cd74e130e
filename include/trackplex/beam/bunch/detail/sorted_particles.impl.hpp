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

TRACKPLEX_INLINE void ParticleFingerprint::add(const ParticleTable& table) {
  for (int begin = 0; begin < table.size(); begin += reduce_block)
    add_block(table, begin, begin + std::min(reduce_block, table.size() - begin));
}

TRACKPLEX_INLINE void ParticleFingerprint::add_block(const ParticleTable& table, int begin,
                                                     int end) {
  Fingerprint block;
  for (const auto& column : table.v)
    for (int i = begin; i < end; ++i) block.add(column[i]);
  for (const auto& component : table.spin)
    for (int i = begin; i < end && table.has_spins; ++i) block.add(component[i]);
  for (int i = begin; i < end; ++i)
    block.add(table.ids[i]).add(table.losses[i].turn).add(table.losses[i].element);
  blocks_.push_back(block.value());
  size_ += end - begin;
}

TRACKPLEX_INLINE std::string ParticleFingerprint::hex(const Ranks* ranks) const {
  return Fingerprint().add(sum_over(ranks, size_)).add(gather_all(ranks, blocks_)).hex();
}

TRACKPLEX_INLINE std::string fingerprint_of(const ParticleTable& table, const Ranks* ranks) {
  ParticleFingerprint fingerprint;
  fingerprint.add(table);
  return fingerprint.hex(ranks);
}

}  // namespace trackplex::beam
