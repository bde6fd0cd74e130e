// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cmath>

namespace trackplex::perfmodel {

/// Width of a word in bits, number of words, accesses per cycle.
struct MemoryShape {
  double width = 0.;
  double depth = 0.;
  double ports = 1.;

  double bits() const { return width * depth; }
  friend bool operator==(const MemoryShape&, const MemoryShape&) = default;
};

/// Equation (2.2), n_mem = (w/w_hw) (d/d_hw) (p/p_hw) blocks for a memory of width w, depth d and p
/// ports, in whole blocks: each of the three factors, plain ratios as published, is rounded up.
inline double memory_blocks(const MemoryShape& needed, const MemoryShape& block) {
  return std::ceil(needed.width / block.width) * std::ceil(needed.depth / block.depth) *
         std::ceil(needed.ports / block.ports);
}

}  // namespace trackplex::perfmodel
