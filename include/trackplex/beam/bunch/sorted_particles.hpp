// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/bunch/detail/particle_blocks.hpp>
#include <trackplex/beam/bunch/detail/sort_particles.hpp>
#include <trackplex/beam/bunch/particle_table.hpp>
#include <trackplex/core/compiled.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace trackplex::beam {

/// Copies the particles of a bunch to a table, lost ones included, in the order of their numbers,
/// which does not depend on ranks. Those with the same number are in the order of their losses, and
/// then in that of the bunch. With ranks, all ranks call it, and each gets its share,
/// `Share(n, reduce_block, &ranks)`. Waits for the instance.
template <class T, class ExecutionSpace>
ParticleTable sorted_particles(const ExecutionSpace& exec,
                               const Bunch<T, MemoryOf<ExecutionSpace>>& bunch) {
  ParticleTable table = download(exec, bunch);
  detail::sort_particles(table);
  if (const Ranks* ranks = bunch.share().ranks) {
    detail::deal_particles(table, detail::parts_in_order(table, *ranks), *ranks);
    detail::sort_particles(table);
  }
  return table;
}

/// Calls `f(first, particles)` for the particles of `sorted_particles` in parts, tables of
/// `reduce_block` particles or a multiple, the last one excepted; `first` is the place of the first
/// particle in the order of all ranks. On hosts it needs no memory for all particles if they are in
/// order, and 8 bytes for each if they are not. With ranks, all ranks call it, and need a table of
/// their particles if these are not in order. Waits for the instance.
template <class T, class ExecutionSpace, class F>
void for_each_sorted_part(const ExecutionSpace& exec,
                          const Bunch<T, MemoryOf<ExecutionSpace>>& bunch, const F& f) {
  const detail::HostParticles<T, ExecutionSpace> particles(exec, bunch);
  const Ranks* ranks = bunch.share().ranks;
  const auto order = detail::order_of(particles.ids(), particles.losses());
  const Share share = gather_share(bunch.size_with_lost(), ranks);
  if (!ranks ||
      detail::are_sorted_shares(particles.ids(), particles.losses(), order.empty(), share))
    return particles.for_each_block(order, share.first, f);
  const auto table = sorted_particles(exec, bunch);
  f(gather_share(table.size(), ranks).first, table);
}

/// Hash of particles that come in order.
class ParticleFingerprint {
 public:
  /// Adds particles: of `reduce_block` or a multiple, the last ones excepted.
  void add(const ParticleTable& particles);
  /// Returns the hash, a text: of the hashes of blocks of `reduce_block` particles. With ranks, all
  /// ranks call it, each with its share as in `upload`, and all get the hash of all particles.
  std::string hex(const Ranks* ranks = nullptr) const;

 private:
  void add_block(const ParticleTable& table, int begin, int end);

  std::vector<std::uint64_t> blocks_;
  std::int64_t size_ = 0;
};

/// Returns the hash of the particles of a table, see `ParticleFingerprint`.
std::string fingerprint_of(const ParticleTable& table, const Ranks* ranks = nullptr);

/// Returns the hash of the table of `sorted_particles`, without the table.
template <class T, class ExecutionSpace>
std::string fingerprint_of(const ExecutionSpace& exec,
                           const Bunch<T, MemoryOf<ExecutionSpace>>& bunch) {
  ParticleFingerprint fingerprint;
  for_each_sorted_part(exec, bunch, [&](std::int64_t, const ParticleTable& particles) {
    fingerprint.add(particles);
  });
  return fingerprint.hex(bunch.share().ranks);
}

}  // namespace trackplex::beam

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/beam/bunch/detail/sorted_particles.impl.hpp>
#endif
