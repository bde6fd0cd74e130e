// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Order of particles by their numbers, on one rank and over ranks.

#include <trackplex/beam/bunch/particle_table.hpp>
#include <trackplex/core/compiled.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace trackplex::beam::detail {

/// Number of a particle, then its loss, as unsigned numbers in the same order: the loss
/// distinguishes particles with the same number if their places depend on ranks, after losses.
using ParticleKey = std::array<std::uint64_t, 2>;

inline ParticleKey key_of(std::int64_t id, const Loss& loss) {
  const auto turn = std::uint32_t(loss.turn) + 1, element = std::uint32_t(loss.element) + 1;
  return {std::uint64_t(id) ^ std::uint64_t(1) << 63, std::uint64_t(turn) << 32 | element};
}
inline ParticleKey key_of(const ParticleTable& table, std::size_t i) {
  return key_of(table.ids[i], table.losses[i]);
}

/// Calls f for each column of a table.
template <class F>
void for_each_column(ParticleTable& table, const F& f) {
  for (auto& column : table.v) f(column);
  if (table.has_spins)
    for (auto& component : table.spin) f(component);
  f(table.ids);
  f(table.losses);
}

/// Places of the particles in the order of their keys; particles with the same key keep their
/// order. Empty if they are in this order.
std::vector<int> order_of(std::span<const std::int64_t> ids, std::span<const Loss> losses);

/// Sorts particles by their keys; particles with the same key keep their order.
void sort_particles(ParticleTable& table);

/// Tells whether the particles of all ranks are in order and shared as `sorted_particles` does it.
/// All ranks call it, each with its particles, whether these are in order, and its share.
bool are_sorted_shares(std::span<const std::int64_t> ids, std::span<const Loss> losses,
                       bool own_are_sorted, const Share& share);

/// Begin of each rank's share of the global order in a sorted table, and the number of
/// particles.
std::vector<std::size_t> parts_in_order(const ParticleTable& table, const Ranks& ranks);

/// Sends the particles from begins[r] on to rank r; every rank receives its particles in rank
/// order.
void deal_particles(ParticleTable& table, const std::vector<std::size_t>& begins,
                    const Ranks& ranks);

}  // namespace trackplex::beam::detail

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/beam/bunch/detail/sort_particles.impl.hpp>
#endif
