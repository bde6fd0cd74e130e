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
    if constexpr (is_serial<Space>) {
      if (threads == 1) {  // Serial has no larger teams: Kokkos says so
        return run_on_this_thread(instance, label, [&] {
          char* const scratch = scratch_of_this_thread(teams.scratch.bytes);
          for (int team = 0; team < n; ++team) teams(TeamOfOne(team, scratch));
        });
      }
    }
    check_thread<Space>(label);
    Kokkos::TeamPolicy<Space, Kokkos::Schedule<Kokkos::Dynamic>> policy(instance, n, threads);
    if (teams.scratch.bytes > 0)
      policy.set_scratch_size(teams.scratch.level, Kokkos::PerTeam(int(teams.scratch.bytes)));
    Kokkos::parallel_for(label, policy, teams);
  });
}

}  // namespace trackplex::detail
