// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/detail/lost_particles.hpp>

namespace trackplex::beam {

/// Moves the lost ones of the first `bunch.size()` particles behind the others, and ends the bunch
/// before them. Both keep their order, and so do those lost earlier, which come after the newly
/// lost: they stand by removal, the latest first, and within one removal in the order that they had
/// in the bunch. Particles before the first lost one are not moved. Waits for the instance to learn
/// the number of newly lost particles, which it returns.
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
