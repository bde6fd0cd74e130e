// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Teams of the emulated device: threads that are fibres of one core, with barriers.

#include <cstddef>
#include <functional>

namespace emulation {

struct TeamLaunch {
  int league_size, team_size;
  std::size_t scratch_bytes[2];  ///< of levels 0 and 1
};

/// What a thread of a team knows of itself.
struct TeamThread {
  int league_rank, league_size, team_rank, team_size;
  std::size_t scratch_bytes[2];

  /// The scratch memory of a level, with the least alignment that Kokkos promises. What is behind
  /// the last byte that may be used then, faults.
  void* scratch(int level, std::size_t bytes) const;
};

/// Calls `body(thread)` for all threads of all teams.
void run_teams(const TeamLaunch& launch, const std::function<void(const TeamThread&)>& body);

/// Where all threads of a team meet: each brings data, `act` does something with that of all.
enum class Meeting { barrier, scan, broadcast };
using Act = void (*)(void* const* data, int n);
void meet(Meeting meeting, void* data, Act act);

/// In an atomic operation: may hand over to another thread of the team.
void pause();

/// The numbers 0 to n - 1 in the order in which items run. Its result is valid until the next call.
const int* order_of(int n);

}  // namespace emulation
