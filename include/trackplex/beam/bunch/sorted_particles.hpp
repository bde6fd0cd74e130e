// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/bunch/detail/sort_particles.hpp>
#include <trackplex/beam/bunch/particle_table.hpp>
#include <trackplex/core/compiled.hpp>

#include <string>

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

/// Returns the hash of the particles of a table, a text: of the hashes of blocks of `reduce_block`
/// particles. With ranks, all ranks call it, each with its share as in `upload`, and all get the
/// hash of the whole table.
std::string fingerprint_of(const ParticleTable& table, const Ranks* ranks = nullptr);

}  // namespace trackplex::beam

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/beam/bunch/detail/sorted_particles.impl.hpp>
#endif
