// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace trackplex::histogram {

/// How a particle is shared among bins.
enum class Deposition {
  nearest,  ///< one count in the bin that it is in
  linear,   ///< `linear_unit` counts, shared between the two bins with the nearest centres
};

/// Counts that a particle adds with `Deposition::linear`.
inline constexpr int linear_unit = 1 << 20;

/// How particles get into a histogram. The counts do not depend on it.
enum class Strategy {
  global_atomics,  ///< one histogram for all threads, with atomic additions
  /// A histogram for each block of particles, all of them added up at the end. On a device a team
  /// has its histogram in shared memory; one that does not fit there is filled by global atomics.
  replicated,
  sorted,  ///< blocks of particles are sorted by bin; each run of one bin is one addition
};

struct DepositParams {
  int bins = 1;
  Strategy strategy = Strategy::replicated;
  Deposition deposition = Deposition::nearest;
};

/// Numbers of particles that are in no bin.
struct OutsideCounts {
  std::int64_t below, above, not_a_number;
  KOKKOS_FUNCTION std::int64_t total() const { return below + above + not_a_number; }
};

}  // namespace trackplex::histogram
