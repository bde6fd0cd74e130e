// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/detail/host_scratch.hpp>
#include <trackplex/core/host_executor.hpp>
#include <trackplex/core/team_launch.hpp>

#include <string>

namespace trackplex::detail {

TRACKPLEX_INLINE void launch_host_teams(const HostExecutor& exec, const std::string& label, int n,
                                        int threads, const HostTeams& teams) {
  exec.visit([&]<class Space>(const Space& instance) {
    const auto lock = lock_scratch<Space>(label);
    Kokkos::TeamPolicy<Space, Kokkos::Schedule<Kokkos::Dynamic>> policy(instance, n, threads);
    if (teams.scratch.bytes > 0)
      policy.set_scratch_size(teams.scratch.level, Kokkos::PerTeam(int(teams.scratch.bytes)));
    Kokkos::parallel_for(label, policy, teams);
  });
}

}  // namespace trackplex::detail
