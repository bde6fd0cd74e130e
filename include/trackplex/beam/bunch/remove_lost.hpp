// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/bunch/detail/align_share.hpp>
#include <trackplex/beam/bunch/detail/lost_particles.hpp>

#include <cstdint>

namespace trackplex::beam {

/// Moves the lost particles among the first `bunch.size()` to the end and reduces the size of the
/// bunch. Both groups keep their order; particles removed earlier stay after
/// the newly removed ones, so that the latest removal comes first. Particles before the first lost
/// one are not moved. Returns the number of newly removed particles, for which it waits for the
/// instance. With ranks, all ranks call it, and it returns the number of all: then the shares
/// begin with whole blocks again, for which up to half a block of particles moves to neighbours,
/// and all move where a rank would have a fourth more than the others.
template <class T, class ExecutionSpace>
std::int64_t remove_lost(const ExecutionSpace& exec, Bunch<T, MemoryOf<ExecutionSpace>>& bunch,
                         Workspace<ExecutionSpace>& workspace) {
  if (!bunch.may_have_lost) return 0;
  const int n = bunch.size();
  detail::LostParticles<ExecutionSpace> lost(exec, bunch.losses.data(), n, workspace);
  const int n_lost = lost.count(exec);
  std::int64_t all_lost = n_lost;
  if (bunch.share().ranks) bunch.share().ranks->add({&all_lost, 1});
  bunch.may_have_lost = false;
  if (all_lost == 0) return 0;
  if (n_lost > 0) {
    lost.find_places(exec, n_lost);
    for (int c = 0; c < n_coordinates; ++c) lost.move(exec, bunch.column(c));
    if (bunch.has_spins())
      for (int c = 0; c < n_spin_components; ++c) lost.move(exec, bunch.spin_columns().v[c]);
    lost.move(exec, bunch.ids.data());
    lost.move(exec, bunch.losses.data());
  }
  if (bunch.share().ranks) {
    detail::align_share<T>(exec, bunch, n - n_lost, workspace);
  } else {
    bunch.set_share(n - n_lost);
  }
  return all_lost;
}

}  // namespace trackplex::beam
