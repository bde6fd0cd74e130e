// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace trackplex::chain {

/// Time of an algorithm of a chain, summed over all calls.
struct StepTime {
  std::string name;     ///< name of the algorithm
  double seconds = 0.;  ///< wall-clock time, s; on devices of the launch only (see time_each_step)
  std::size_t calls = 0;  ///< number of calls
};

/// Use of an arena, bytes; both are 0 without one.
struct MemoryUse {
  std::size_t high_water = 0;  ///< maximum in use at any time
  std::size_t capacity = 0;    ///< size of the arena
};

/// Times of the selected algorithms of a chain, and use of its arenas.
struct Report {
  std::vector<StepTime> steps;  ///< in the order of the selected steps
  MemoryUse device;             ///< arena in the memory space of the kernels
  MemoryUse pinned;             ///< arena of pinned memory of the host; devices only
};

}  // namespace trackplex::chain
