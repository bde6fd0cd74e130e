// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// On-chip memories of an FPGA in blocks of the device, equation (2.2).

#include <cmath>

namespace trackplex::perfmodel {

/// Shape of an on-chip memory, or of one block of it.
struct MemoryShape {
  double width = 0.;  ///< width w of a word, bits
  double depth = 0.;  ///< depth d: number of words
  double ports = 1.;  ///< ports p: accesses per cycle

  /// Returns the size in bits.
  double bits() const { return width * depth; }
  /// Whether all members are equal.
  friend bool operator==(const MemoryShape&, const MemoryShape&) = default;
};

/// Returns the number of blocks that a memory needs by (2.2),
/// \f[ n_\mathrm{mem} = \left\lceil\frac{w}{w_\mathrm{hw}}\right\rceil
///     \left\lceil\frac{d}{d_\mathrm{hw}}\right\rceil
///     \left\lceil\frac{p}{p_\mathrm{hw}}\right\rceil, \f]
/// where hw marks the shape of one block. The publication has plain ratios; here each factor is
/// rounded up, since blocks are whole.
inline double memory_blocks(const MemoryShape& needed, const MemoryShape& block) {
  return std::ceil(needed.width / block.width) * std::ceil(needed.depth / block.depth) *
         std::ceil(needed.ports / block.ports);
}

}  // namespace trackplex::perfmodel
