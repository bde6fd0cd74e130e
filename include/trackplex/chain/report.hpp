// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace trackplex::chain {

/// Time of one algorithm of a chain, over all its calls, in seconds of the wall clock.
struct StepTime {
  std::string name;
  double seconds = 0.;
  std::size_t calls = 0;
};

/// Bytes of an arena: the most that were in use at a time, of those there are.
struct MemoryUse {
  std::size_t high_water = 0;
  std::size_t capacity = 0;
};

/// Times of the selected algorithms of a chain, and its memory.
struct Report {
  std::vector<StepTime> steps;
  MemoryUse device;
  MemoryUse pinned;
};

}  // namespace trackplex::chain
