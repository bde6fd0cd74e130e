// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/compiled.hpp>
#include <trackplex/core/ranks.hpp>
#include <trackplex/montecarlo/transport_counts.hpp>

#include <cstdint>
#include <vector>

namespace trackplex::montecarlo::detail {

/// Returns the part of a range that a rank simulates. Parts are consecutive; their sizes differ by
/// at most one.
HistoryRange part_of(const HistoryRange& range, const Ranks& ranks);

/// Integers of counts other than cells and histories: sums over ranks are exact, and sums of the
/// low parts of `LargeSum`, of 32 bits, do not overflow.
std::vector<std::int64_t> numbers_of(const TransportCounts& counts);

/// Sums moments and steps of lanes over the ranks.
void add_numbers(const Ranks& ranks, TransportCounts& counts);

/// Sums cells over the ranks.
inline void add_cells(const Ranks& ranks, std::vector<std::uint64_t>& cells) {
  ranks.add({reinterpret_cast<std::int64_t*>(cells.data()), cells.size()});
}

/// Broadcasts histories and moments of rank 0. Rank 0 keeps the cells; those of the other ranks are
/// 0.
void share_counts(const Ranks& ranks, TransportCounts& counts);

/// Returns the number of rank 0.
double of_first(const Ranks& ranks, double value);

}  // namespace trackplex::montecarlo::detail

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/montecarlo/detail/counts_of_ranks.impl.hpp>
#endif
