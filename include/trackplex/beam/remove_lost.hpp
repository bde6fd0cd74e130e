// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/detail/lost_particles.hpp>

namespace trackplex::beam {

/// Moves the lost ones among the first `bunch.size()` particles behind the others and reduces the
/// size of the bunch by them. Both groups keep their order; particles removed earlier stay behind
/// the newly removed ones, so that the latest removal comes first. Particles before the first lost
/// one are not moved. Returns the number of newly removed particles, for which it waits for the
/// instance.
template <class T, class ExecutionSpace>
int remove_lost(const ExecutionSpace& exec, Bunch<T, MemoryOf<ExecutionSpace>>& bunch,
                Workspace<ExecutionSpace>& workspace) {
  if (!bunch.may_have_lost) return 0;
  const int n = bunch.size();
  detail::LostParticles<ExecutionSpace> lost(exec, bunch.losses.data(), n, workspace);
  const int n_lost = lost.count(exec);
  bunch.may_have_lost = false;
  if (n_lost == 0) return 0;
  lost.find_places(exec, n_lost);
  for (int c = 0; c < n_coordinates; ++c) lost.move(exec, bunch.column(c));
  lost.move(exec, bunch.ids.data());
  lost.move(exec, bunch.losses.data());
  bunch.set_size(n - n_lost);
  return n_lost;
}

}  // namespace trackplex::beam
