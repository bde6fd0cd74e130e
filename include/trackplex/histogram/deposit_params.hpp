// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace trackplex::histogram {

/// Assignment of a particle to bins.
enum class Deposition {
  nearest,  ///< One count in the bin of the particle.
  linear,   ///< `linear_unit` counts, shared between the two bins with the nearest centres.
};

/// Number of counts per particle with `Deposition::linear`.
inline constexpr int linear_unit = 1 << 20;

/// How the kernels fill a histogram. The counts do not depend on it.
enum class Strategy {
  global_atomics,  ///< One histogram for all threads, filled with atomic additions.
  /// A histogram for each block of particles, added up at the end. On a device a team has its
  /// histogram in shared memory; a histogram that does not fit there is filled by global atomics.
  replicated,
  sorted,  ///< Blocks of particles are sorted by bin; each run in one bin is one atomic addition.
};

/// Parameters of `Deposit`.
struct DepositParams {
  int bins = 1;                                 ///< Number of bins, 1 to 2^22 - 1.
  Strategy strategy = Strategy::replicated;     ///< Way to fill the bins.
  Deposition deposition = Deposition::nearest;  ///< Assignment of particles to bins.
};

/// Numbers of particles outside all bins.
struct OutsideCounts {
  std::int64_t below,  ///< Particles below the first bin.
      above,           ///< Particles above the last bin.
      not_a_number;    ///< Particles with a position that is NaN.
  /// Returns the sum of the three.
  KOKKOS_FUNCTION std::int64_t total() const { return below + above + not_a_number; }
};

}  // namespace trackplex::histogram
