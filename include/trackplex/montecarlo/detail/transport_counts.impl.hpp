// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/error.hpp>
#include <trackplex/montecarlo/history_moments.hpp>
#include <trackplex/montecarlo/history_set.hpp>
#include <trackplex/montecarlo/tallies.hpp>
#include <trackplex/montecarlo/transport_counts.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace trackplex::montecarlo {

TRACKPLEX_INLINE TransportCounts& TransportCounts::operator+=(const TransportCounts& other) {
  const bool empty = cells.empty() && histories.size() == 0;
  if (!empty && cells.size() != other.cells.size())
    throw UsageError(
        "TransportCounts", "counts of other tallies cannot be added",
        std::to_string(cells.size()) + " and " + std::to_string(other.cells.size()) + " cells");
  histories.add(other.histories);
  cells.resize(other.cells.size());
  for (std::size_t i = 0; i < cells.size(); ++i) cells[i] += other.cells[i];
  moments += other.moments;
  lane_steps += other.lane_steps;
  return *this;
}

TRACKPLEX_INLINE double TransportCounts::occupancy() const {
  if (lane_steps == 0) return 0.;
  const double steps = moments.sums[int(Moment::scatterings)].value() + double(moments.histories);
  return steps / double(lane_steps);
}

TRACKPLEX_INLINE std::vector<TallyView> tally_views(const std::vector<TallyDescription>& tallies,
                                                    const TransportCounts& counts) {
  std::size_t cells = 0;
  for (const auto& tally : tallies) cells += std::size_t(tally.cells);
  if (cells != counts.cells.size())
    throw UsageError(
        "tally_views", "the counts are of other tallies",
        std::to_string(counts.cells.size()) + " cells instead of " + std::to_string(cells));
  std::vector<TallyView> views;
  std::span<const std::uint64_t> rest = counts.cells;
  for (const auto& tally : tallies) {
    views.push_back({tally, rest.first(std::size_t(tally.cells))});
    rest = rest.subspan(std::size_t(tally.cells));
  }
  return views;
}

}  // namespace trackplex::montecarlo
