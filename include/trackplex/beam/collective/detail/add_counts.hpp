// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/add_over_ranks.hpp>
#include <trackplex/histogram/deposit_params.hpp>

#include <cstddef>
#include <cstdint>

namespace trackplex::beam::detail {

/// Adds up the counts of the first bins, and of particles outside, over the ranks that share a
/// bunch; waits for the instance then.
template <class ExecutionSpace, class Counts, class Outside>
void add_counts(const ExecutionSpace& exec, const Ranks* ranks, const Counts& counts, int bins,
                const Outside& outside) {
  if (!ranks) return;
  constexpr std::size_t n_outside = sizeof(histogram::OutsideCounts) / sizeof(std::int64_t);
  using Numbers = Kokkos::View<std::int64_t*, typename Outside::memory_space,
                               Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
  add_over_ranks(exec, ranks, counts, std::size_t(bins));
  add_over_ranks(exec, ranks, Numbers(reinterpret_cast<std::int64_t*>(outside.data()), n_outside),
                 n_outside);
}

}  // namespace trackplex::beam::detail
